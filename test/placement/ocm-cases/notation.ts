// What is in a case? The compact notation of the files beside this one. A key that is not part of it is a mistake and
// fails the test, so that no expectation is lost by a slip of the pen.

import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import { caseDocuments } from "../../case-documents.ts";

/** A cluster. */
export interface ClusterLine {
  /** The exclusive set that it is in, by default set1; empty for none. */
  readonly set?: string;
  readonly labels?: { readonly [key: string]: string };
  /** `name=value`. */
  readonly claims?: readonly string[];
  /** `key=value:effect`, and ` @-8s` behind it for when it was added. */
  readonly taints?: readonly string[];
  /** `allocatable/capacity`; without a slash there is no capacity. */
  readonly cpu?: string;
  readonly memory?: string;
  readonly version?: string;
  readonly terminating?: boolean;
  /** Any other part of the object: laid over what the rest makes. */
  readonly object?: JsonObject;
}

/** One predicate; a label or claim is `key=value` or `key operator value,value`. */
export interface PredicateLine {
  readonly labels?: string | readonly string[];
  readonly claims?: string | readonly string[];
  readonly cel?: string | readonly string[];
}

/** A Placement. */
export interface PlacementLine {
  readonly sets?: readonly string[];
  readonly number?: number;
  readonly where?: readonly PredicateLine[];
  /** `key=value`, `key` (with any value) or `*`; behind it `:effect` and ` for 10s`. */
  readonly tolerates?: readonly string[];
  /** `prioritizer weight`: added to the defaults. */
  readonly adds?: readonly string[];
  /** The same without the defaults. */
  readonly exactly?: readonly string[];
  /** `name: labels`, with the labels as in a predicate. */
  readonly groups?: readonly string[];
  readonly groupSize?: number | string;
  /** `Label|Claim key`, and behind it ` max 2` and ` hard`. */
  readonly spread?: readonly string[];
  readonly annotations?: { readonly [key: string]: string };
  readonly generation?: number;
  readonly terminating?: boolean;
  /** Any other part of the spec: laid over what the rest makes. */
  readonly spec?: JsonObject;
}

/** Objects, or changes to them: null takes away. Placements are in ns1 unless their name has a namespace. */
export interface Given {
  /** How many (`cluster1`, …), or which; `c[01-10]` is c01 to c10, here and in decisions. */
  readonly clusters?: number | readonly string[] | { readonly [name: string]: ClusterLine | null };
  /** The clusterSelector of each; one that is empty finds its members by their exclusive label. */
  readonly sets?: { readonly [name: string]: JsonObject | null };
  /** Sets that are bound, `namespace/set` or `set` in ns1; by default all of them. */
  readonly bound?: readonly string[] | { readonly [set: string]: true | null };
  /** The Placement ns1/placement1. */
  readonly placement?: PlacementLine;
  readonly placements?: { readonly [name: string]: PlacementLine | null };
  /** By Placement: the clusters of its decision, or of each decision; null takes the first away. */
  readonly decided?: { readonly [placement: string]: readonly string[] | readonly SliceLine[] | null };
  /** By cluster, by resource (and ` @+60s` behind it for how long it is valid): the scores by name. */
  readonly scores?: { readonly [cluster: string]: { readonly [resource: string]: ScoreLine | null } };
  /** Further objects as they are. */
  readonly objects?: readonly JsonObject[];
}

/** A PlacementDecision: its clusters, and their declared group. */
export type SliceLine = readonly string[] | { readonly group: string; readonly clusters: readonly string[] };

/** The scores of one object, by name. */
export interface ScoreLine {
  readonly [name: string]: number;
}

/** What must come out. Without `selected`, only the given fields are compared; with it, what is left out must be empty. */
export interface Expected {
  /** The Placement, by default ns1/placement1. */
  readonly of?: string;
  readonly state?: string;
  /** The clusters, or how many. */
  readonly selected?: readonly string[] | number;
  readonly unscheduled?: number;
  /** Texts, one for each mistake, in their order. */
  readonly mistakes?: readonly string[];
  readonly warnings?: readonly string[];
  readonly brokenSets?: readonly string[];
  readonly eligible?: readonly string[];
  /** By type: `status reason: message (generation 1)`, or a part of it; with $ behind it, its end. */
  readonly conditions?: { readonly [type: string]: string };
  /** `name/index: clusters`, or `name/index: 150` for how many. */
  readonly groups?: readonly string[];
  /** `object name/index: clusters`, likewise. */
  readonly slices?: readonly string[];
  /** `create object`, `update object`, `label object`, `delete object`, in their order. */
  readonly writes?: readonly string[];
  /** `+60s` after the beginning of 2022, or null. */
  readonly wakeAt?: string | null;
  /** The clusters that could be chosen, the best first. */
  readonly order?: readonly string[];
  /** By prioritizer: the score of every member of the sets, in the order of names; null where there is none. */
  readonly scores?: { readonly [prioritizer: string]: readonly (number | null)[] };
  readonly totals?: readonly (number | null)[];
  /** The prioritizers and their weights, by name: `Balance 3`. */
  readonly weights?: readonly string[];
  readonly verdicts?: { readonly [cluster: string]: string };
  readonly reasons?: { readonly [cluster: string]: string };
  /** By cluster: `kind predicate.index outcome: detail`, or a part of it, for any of its checks. */
  readonly checks?: { readonly [cluster: string]: readonly string[] };
  /** Of a step: the Placements that may be different now. */
  readonly affected?: readonly string[];
  /** Of a step: how many clusters were evaluated again. */
  readonly evaluations?: number;
}

/** A later moment: what has changed, and what comes out then. */
export interface Step extends Given {
  readonly says: string;
  /** `+10s` after the beginning of 2022. */
  readonly now?: string;
  readonly expect: Expected;
  readonly compat?: Expected;
}

/** An expression by itself. */
export interface EvaluationLine {
  readonly cel: string;
  /** The cluster, by default cluster1; null for none at all. */
  readonly cluster?: string | null;
  readonly gives?: Json;
  /** A part of the message if it fails while it runs. */
  readonly fails?: string;
  /** A part of the message if it does not compile. */
  readonly refused?: string;
  readonly cost?: number;
}

/** A case. */
export interface Case extends Given {
  readonly id: string;
  readonly says: string;
  readonly now?: string;
  readonly options?: {
    readonly tieBreak?: "name" | "hash";
    readonly costLimit?: number;
    readonly placementCostLimit?: number;
  };
  /** Between steps, what was decided is written down as a controller does. */
  readonly live?: boolean;
  readonly evaluates?: readonly EvaluationLine[];
  readonly expect?: Expected;
  /** What comes out with `--compat=ocm`, where that is something else. */
  readonly compat?: Expected;
  readonly steps?: readonly Step[];
  /** What OCM does instead, and why it is different here. */
  readonly differs?: string;
  /** No test of OCM is known for it: it was thought up beside its neighbours. */
  readonly guessed?: boolean;
}

const GIVEN = ["clusters", "sets", "bound", "placement", "placements", "decided", "scores", "objects"];
const CLUSTER = ["set", "labels", "claims", "taints", "cpu", "memory", "version", "terminating", "object"];
const PLACEMENT = [
  ...["sets", "number", "where", "tolerates", "adds", "exactly", "groups", "groupSize", "spread", "annotations"],
  ...["generation", "terminating", "spec"],
];
const PREDICATE = ["labels", "claims", "cel"];
const EXPECTED = [
  ...["of", "state", "selected", "unscheduled", "mistakes", "warnings", "brokenSets", "eligible", "conditions"],
  ...["groups", "slices", "writes", "wakeAt", "order", "scores", "totals", "weights", "verdicts", "reasons", "checks"],
  ...["affected", "evaluations"],
];
const STEP = [...GIVEN, "says", "now", "expect", "compat"];
const EVALUATION = ["cel", "cluster", "gives", "fails", "refused", "cost"];
const CASE = [...STEP, "id", "options", "live", "evaluates", "steps", "differs", "guessed"];

/** The cases of a file of YAML documents; throws where one is not in the notation. */
export function readCases(source: string, bytes: Uint8Array): readonly Case[] {
  return caseDocuments(source, bytes, caseOf);
}

function caseOf(value: JsonObject, where: string): Case {
  const at = `${where} (${value.id})`;
  checkKeys(value, CASE, at);
  const given = value as unknown as Case;
  if (given.id === undefined || given.says === undefined) throw new Error(`${at}: has no id or no title`);
  if (given.expect === undefined && given.evaluates === undefined) throw new Error(`${at}: expects nothing`);
  checkGiven(given, at);
  for (const line of given.evaluates ?? []) checkKeys(line, EVALUATION, at);
  for (const step of given.steps ?? []) {
    checkKeys(step, STEP, at);
    checkGiven(step, at);
    if (step.expect === undefined) throw new Error(`${at}: a step expects nothing`);
  }
  const isSplit = [given, ...(given.steps ?? [])].some(({ compat }) => compat !== undefined);
  if (isSplit && given.differs === undefined) throw new Error(`${at}: does not state why compat differs`);
  return given;
}

function checkGiven(given: Case | Step, at: string): void {
  if (isObject(given.clusters as Json)) checkEach(Object.values(given.clusters as JsonObject), CLUSTER, at);
  const placements = [given.placement, ...Object.values(given.placements ?? {})];
  checkEach(placements, PLACEMENT, at);
  for (const placement of placements) checkEach(placement?.where ?? [], PREDICATE, at);
  checkEach([given.expect, given.compat], EXPECTED, at);
}

function checkEach(lines: readonly unknown[], keys: readonly string[], at: string): void {
  for (const line of lines) if (line !== undefined && line !== null) checkKeys(line, keys, at);
}

function checkKeys(line: unknown, keys: readonly string[], at: string): void {
  if (!isObject(line as Json)) throw new Error(`${at}: ${JSON.stringify(line)} is not an object`);
  for (const key of Object.keys(line as JsonObject))
    if (!keys.includes(key)) throw new Error(`${at}: the notation has no key ${key}`);
}
