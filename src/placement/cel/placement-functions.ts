// Which functions does an expression about a cluster have beyond those of Kubernetes?
import { LIST_COST, MAP_COST, sizeOf, traversalCost } from "../../cel/cost/size.ts";
import {
  type Call,
  type CallDetails,
  globalFunction,
  type Library,
  memberFunction,
  type Overload,
  type Prepare,
  type Running,
} from "../../cel/library.ts";
import { BOOL, DYN, INT, listOf, STRING } from "../../cel/type.ts";
import { isMap, mapGet } from "../../cel/value/map-access.ts";
import { CelError, isList, type Result, type Value } from "../../cel/value/value.ts";
import { parseClusterVersion } from "../../semver/tolerant.ts";
import { compareVersions, type Version } from "../../semver/version.ts";
import { AddOnScores } from "../score/add-on-scores.ts";
import { parseJson, structureCost } from "./parse-json.ts";

/** The name under which an evaluation is given its scores; no expression can spell it. */
export const SCORES_BINDING = "@scores";

/** The name of the receiver and the scores of all clusters; or why they are unknown. */
function placeOfScores(
  cluster: Value,
  running: Running,
): { readonly name: string; readonly addOnScores: AddOnScores } | CelError {
  const metadata = isMap(cluster) ? mapGet(cluster, "metadata", running) : undefined;
  if (metadata === undefined || !isMap(metadata)) return new CelError("failed to get cluster metadata");
  const name = mapGet(metadata, "name", running);
  if (typeof name !== "string") return new CelError("failed to get cluster name");
  const addOnScores = running.bindings[SCORES_BINDING];
  return addOnScores instanceof AddOnScores
    ? { name, addOnScores }
    : new CelError("failed to get score: no scores were given");
}

function scores(cluster: Value, resource: string, running: Running): Result {
  const place = placeOfScores(cluster, running);
  return place instanceof CelError ? place : place.addOnScores.list(place.name, resource);
}

function score(cluster: Value, resource: string, name: string, running: Running): Result {
  const place = placeOfScores(cluster, running);
  return place instanceof CelError ? place : place.addOnScores.score(place.name, resource, name);
}

function hasScore(cluster: Value, resource: string, name: string, running: Running): Result {
  const place = placeOfScores(cluster, running);
  if (place instanceof CelError) return place;
  return !(place.addOnScores.score(place.name, resource, name) instanceof CelError);
}

const ONE_SCORE = 31;

/** Scores are found by the cluster's name. */
const byName: CallDetails = { reads: ["metadata", "name"] };

const scoresCost: CallDetails = {
  ...byName,
  resultCost: (_, result) => LIST_COST + (isList(result) ? result.length * ONE_SCORE : 0),
  estimate: () => ({ cost: { min: LIST_COST, max: Number.POSITIVE_INFINITY } }),
};

const parseJsonCost: CallDetails = {
  resultCost: (args, result, running) =>
    traversalCost(sizeOf(args[0] as Value, running)) + (result instanceof CelError ? 0 : structureCost(result)),
  estimate: ([text]) => ({
    // The densest structure is `{},{},…`: three characters for each map.
    cost: {
      min: traversalCost(text?.size.min ?? 0),
      max:
        traversalCost(text?.size.max ?? Number.POSITIVE_INFINITY) +
        MAP_COST * (text?.size.max ?? Number.POSITIVE_INFINITY),
    },
  }),
};

/** `version.versionIsGreaterThan("1.30")`: the text after the dot is read once when it is a literal. */
function versionComparison(name: string, id: string, holds: (order: number) => boolean): Overload {
  const compare = (left: string, right: Version | string): Result => {
    const own = parseClusterVersion(left);
    if (typeof own === "string") return new CelError(own);
    return typeof right === "string" ? new CelError(right) : holds(compareVersions(own, right));
  };
  const call: Call = (left: string, right: string) => compare(left, parseClusterVersion(right));
  const prepare: Prepare = {
    argument: 1,
    specialise: (literal) => {
      const right = parseClusterVersion(literal as string);
      return typeof right === "string" ? { mistake: right } : (left: string) => compare(left, right);
    },
  };
  return memberFunction(name, id, [STRING, STRING], BOOL, call, { prepare });
}

const ONE_OF_A_CLUSTER = [DYN, STRING, STRING];

/** OCM's `scores` and `parseJSON`, and what the first draft of its proposal has: `score` and `versionIs…`. */
export const placementLibrary: Library = {
  name: "placement",
  functions: [
    memberFunction("scores", "cluster_scores", [DYN, STRING], listOf(DYN), scores, scoresCost),
    memberFunction("score", "cluster_score", ONE_OF_A_CLUSTER, INT, score, byName),
    globalFunction("score", "score_of_cluster", ONE_OF_A_CLUSTER, INT, score, byName),
    memberFunction("hasScore", "cluster_has_score", ONE_OF_A_CLUSTER, BOOL, hasScore, byName),
    globalFunction("hasScore", "has_score_of_cluster", ONE_OF_A_CLUSTER, BOOL, hasScore, byName),
    memberFunction("parseJSON", "parse_json_string", [STRING], DYN, parseJson, parseJsonCost),
    versionComparison("versionIsGreaterThan", "version_is_greater_than", (order) => order > 0),
    versionComparison("versionIsLessThan", "version_is_less_than", (order) => order < 0),
  ],
};
