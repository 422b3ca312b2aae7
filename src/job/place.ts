// Which clusters does each Placement select, and why not the others? `place` of the library.

import { parseTimestamp, type Timestamp } from "../cel/value/timestamp.ts";
import { CelError } from "../cel/value/value.ts";
import type { AddOnPlacementScore } from "../model/placement-score.ts";
import { choosePlacements } from "../placement/choose-placements.ts";
import { changesSince, clustersDecided, gonePlacements, isWithoutFleet } from "../placement/compare/changes-since.ts";
import { type PlacementChange, type RemovalLimit, readRemovalLimit } from "../placement/compare/placement-change.ts";
import { type FleetObjects, PlacementEngine, type PlacingOptions } from "../placement/engine.ts";
import { isUnread, missingSets, unreadInput } from "../placement/missing-input.ts";
import { withoutOwnFields } from "../placement/placement-findings.ts";
import { DEFAULT_MODE, OCM_MODE } from "../placement/placement-mode.ts";
import { placementKey } from "../placement/placement-name.ts";
import type { ClusterReport, PlacementDecisions, PlacementResult } from "../placement/placement-result.ts";
import { namesText, noChoiceText, unreadInputText } from "../render/placement/choice-text.ts";
import type { InputFinding } from "./exact-places.ts";
import { locating, serious } from "./question.ts";
import { type ObjectsInput, readObjects, textsBehind } from "./text-input.ts";
import { TextSources } from "./text-sources.ts";
import { checkChoice, checkKeys, checkPositive, checkType, kindOf, listOf, textOf, UsageError } from "./usage-error.ts";

/** A question about a fleet. */
export interface PlaceQuestion {
  /** Placements, ManagedClusters, sets, bindings, PlacementDecisions and AddOnPlacementScores. */
  readonly objects: ObjectsInput;
  /** The time at which tolerations and scores are evaluated: RFC 3339 text or a Date. */
  readonly now: string | Date;
  /** The Placements to answer, by name or `namespace/name`; all by default. */
  readonly placements?: readonly string[] | undefined;
  /** Only Placements of this namespace; also the namespace of objects that name none. */
  readonly namespace?: string | undefined;
  /** Report on this cluster only, with every check and the values that expressions read. */
  readonly cluster?: string | undefined;
  /** Also evaluate the checks after the first one that excludes a cluster. */
  readonly allChecks?: boolean | undefined;
  /** An earlier state of some objects: the answer then has the clusters that each Placement gains and loses. */
  readonly against?: ObjectsInput | undefined;
  /** How many clusters a Placement may lose since `against`: `5` or `10%`. */
  readonly maxRemoved?: string | undefined;
  /** Behave like Open Cluster Management. */
  readonly compat?: "ocm" | undefined;
  /** What decides between clusters with equal scores; `name` by default. */
  readonly tieBreak?: "name" | "hash" | undefined;
  /** Do scores of a cluster that is selected already count after they expire? `error` by default. */
  readonly onExpiredScore?: "error" | "keep" | undefined;
  /** Cost limit for one evaluation of an expression. */
  readonly celCostLimit?: number | undefined;
  /** Cost limit for all evaluations for one Placement. */
  readonly placementCostLimit?: number | undefined;
  /** Called now and then; once it returns true, the Placements that are left are undecided. */
  readonly stop?: (() => boolean) | undefined;
}

/** The answer to one Placement. */
export interface PlacedClusters {
  readonly result: PlacementResult;
  /** The selected clusters, in groups and slices. */
  readonly decisions: PlacementDecisions;
  /** What each rule says of each member of the eligible sets, by name. */
  readonly clusters: readonly ClusterReport[];
  /** The clusters of its given PlacementDecisions; missing if there are none. */
  readonly decided?: readonly string[] | undefined;
  /** Clusters that are in no eligible set: no rule says anything about them. */
  readonly outside: readonly string[];
  /** Sets that are bound to the namespace and were not given. */
  readonly lackingSets?: readonly string[] | undefined;
}

/** The answer of `place`: plain data, the same after JSON. */
export interface PlaceAnswer {
  readonly kind: "place";
  /** By namespace and name. */
  readonly placements: readonly PlacedClusters[];
  /** What is different from `against`. */
  readonly changes?: readonly PlacementChange[] | undefined;
  /** The cluster that was asked for. */
  readonly cluster?: string | undefined;
  /** The moment that the answer is for. */
  readonly now: string;
  readonly compat?: "ocm" | undefined;
  readonly tieBreak: "name" | "hash";
  /** When scores expire. */
  readonly expiries: readonly Pick<AddOnPlacementScore, "namespace" | "name" | "validUntil">[];
  /** What is wrong with the input. */
  readonly findings: readonly InputFinding[];
}

const KEYS: readonly (keyof PlaceQuestion)[] = [
  "objects",
  "now",
  "placements",
  "namespace",
  "cluster",
  "allChecks",
  "against",
  "maxRemoved",
  "compat",
  "tieBreak",
  "onExpiredScore",
  "celCostLimit",
  "placementCostLimit",
  "stop",
];

/**
 * Evaluates Placements: which clusters they select, and the reason for every cluster. For very large fleets, or for a fleet that
 * changes, use `PlacementEngine`, which makes reports one at a time.
 *
 * Throws a `UsageError` if the question cannot be asked, or names a Placement or a cluster that does not exist.
 */
export function place(question: PlaceQuestion): PlaceAnswer {
  checkKeys("place", question, KEYS);
  const { namespace, cluster, compat, tieBreak = "name" } = question;
  const names = listOf("placements", question.placements);
  checkChoice("compat", compat, ["ocm"]);
  checkChoice("tieBreak", question.tieBreak, ["name", "hash"]);
  checkChoice("onExpiredScore", question.onExpiredScore, ["error", "keep"]);
  checkType("namespace", namespace, "string");
  checkType("cluster", cluster, "string");
  checkType("stop", question.stop, "function");
  checkPositive("celCostLimit", question.celCostLimit);
  checkPositive("placementCostLimit", question.placementCostLimit);
  if (question.maxRemoved !== undefined && question.against === undefined)
    throw new UsageError("maxRemoved needs against, the earlier state to compare with");
  if (cluster !== undefined && question.against !== undefined)
    throw new UsageError("cluster and against cannot be combined");
  const now = momentOf(question.now);
  const limit = removalLimit(question.maxRemoved);
  const read = readObjects(question.objects, { namespace });
  const { objects } = read;
  const before =
    question.against === undefined ? undefined : readObjects(question.against, { namespace, what: "against" });
  const aboutInput = withoutOwnFields(read.findings, objects.placements);
  const against = before && comparable(before, unreadInput(objects, aboutInput));
  const gone = against === undefined ? [] : gonePlacements(objects, against);
  const choice = choosePlacements({ names, namespace, cluster }, objects, gone, aboutInput.some(isUnread));
  if (choice.kind !== "chosen") throw new UsageError(noChoiceText(choice), serious(aboutInput));

  const options = placingOptions(question, now);
  const engine = new PlacementEngine(objects, options);
  const keys = new Set(choice.placements.map(placementKey));
  const decided = clustersDecided(objects.placementDecisions);
  const missing = missingSets(objects);
  const placements = engine
    .keys()
    .filter((key) => keys.has(key))
    .map((key): PlacedClusters => {
      const result = engine.result(key) as PlacementResult;
      const lackingSets = missing.get(result.placement.namespace);
      const own = decided.get(key);
      const clusters = reportsOf(key, engine, question);
      const reported = new Set(clusters.map(({ name }) => name));
      return {
        result,
        decisions: engine.decisions(key) as PlacementDecisions,
        clusters,
        outside: cluster === undefined ? outsideOf(objects, reported) : [],
        ...(own && { decided: [...own] }),
        ...(lackingSets && { lackingSets }),
      };
    });
  const changes = against && changesSince({ against, now: objects, keys, limit }, engine, options);
  const sources = new TextSources().addAll([read, ...(before ? [before] : [])].map(textsBehind));
  const { findings, located } = locating(sources, [...aboutInput, ...(before?.findings ?? [])]);
  return located({
    kind: "place",
    placements,
    ...(changes && { changes }),
    ...(cluster !== undefined && { cluster }),
    now: now.toString(),
    ...(compat && { compat }),
    tieBreak,
    expiries: expiriesOf(objects.addOnPlacementScores),
    findings,
  });
}

function placingOptions(question: PlaceQuestion, now: Timestamp): PlacingOptions {
  return {
    now,
    mode: question.compat === "ocm" ? OCM_MODE : DEFAULT_MODE,
    tieBreak: question.tieBreak,
    ...(question.celCostLimit !== undefined && { costLimit: question.celCostLimit }),
    ...(question.placementCostLimit !== undefined && { placementCostLimit: question.placementCostLimit }),
    isLate: question.stop,
    onExpiredScore: question.onExpiredScore,
  };
}

function reportsOf(
  key: string,
  engine: PlacementEngine,
  { cluster, allChecks = cluster !== undefined }: PlaceQuestion,
): readonly ClusterReport[] {
  if (cluster === undefined) return engine.reports(key, { allChecks });
  const report = engine.report(key, cluster, { allChecks, trace: true });
  return report === undefined ? [] : [report];
}

/** The earlier objects. Nothing can be compared if something could not be read: it would look deleted. */
function comparable(
  { objects, findings }: ReturnType<typeof readObjects>,
  unread: ReturnType<typeof unreadInput>,
): ReturnType<typeof readObjects>["objects"] {
  if (unread.length > 0)
    throw new UsageError(
      `nothing can be compared, since this could not be read: ${namesText(unread.map(unreadInputText))}`,
    );
  if (findings.some(({ severity, dropped }) => severity === "error" || dropped !== undefined))
    throw new UsageError("nothing can be compared, since against could not be read completely", serious(findings));
  if (isWithoutFleet(objects)) throw new UsageError("against has no object that a placement depends on");
  return objects;
}

function outsideOf({ managedClusters }: FleetObjects, reported: ReadonlySet<string>): readonly string[] {
  return managedClusters.flatMap(({ name }) => (reported.has(name) ? [] : [name]));
}

function expiriesOf(scores: readonly AddOnPlacementScore[]): PlaceAnswer["expiries"] {
  return scores.flatMap(({ namespace, name, validUntil }) =>
    validUntil === undefined ? [] : [{ namespace, name, validUntil }],
  );
}

function momentOf(now: string | Date): Timestamp {
  const text = now instanceof Date && !Number.isNaN(now.getTime()) ? now.toISOString() : now;
  const moment = typeof text === "string" ? parseTimestamp(text) : undefined;
  if (moment !== undefined && !(moment instanceof CelError)) return moment;
  const given = typeof now === "string" ? JSON.stringify(now) : now instanceof Date ? "an invalid Date" : kindOf(now);
  throw new UsageError(
    `now, the time to evaluate at, is a Date or RFC 3339 text such as 2026-11-02T12:00:00Z, not ${given}`,
  );
}

function removalLimit(text: string | undefined): RemovalLimit | undefined {
  if (text === undefined) return undefined;
  const limit = readRemovalLimit(textOf("maxRemoved", text));
  if (limit === undefined)
    throw new UsageError(`maxRemoved ${JSON.stringify(text)} is not a number of clusters or a share such as 10%`);
  return limit;
}
