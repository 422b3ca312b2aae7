// Which API calls make the PlacementDecisions what they are to be, and when? Nobody who stays selected may be missing from
// them at any instant, whatever call was the last one that succeeded.

import type { Timestamp } from "../../cel/value/timestamp.ts";
import { type TextMap, textUnder } from "../../model/labels.ts";
import type { Placement } from "../../model/placement.ts";
import type { ClusterDecision } from "../../model/placement-decision.ts";
import { type DecidedSlices, sliceLabels } from "../decide/decided-slices.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { Slice } from "../placement-result.ts";
import { scoresDueAt } from "./writes-due.ts";
import { type SliceChange, type SliceWrite, safeOrder } from "./writes-order.ts";

/** What is to be written now, and when there may be more. */
export interface SliceWrites {
  /** In a safe order. If there is an update among them, then all scores are up to date afterwards. */
  readonly writes: readonly SliceWrite[];
  /** When scores may be written that have to wait now. */
  readonly wakeAt: Timestamp | undefined;
}

/** What there is, and what there is to be. */
export interface WritesQuestion {
  readonly placement: Pick<Placement, "name" | "scoreRateLimit" | "lastScoreUpdateTime">;
  readonly slices: readonly Slice[];
  readonly decided: DecidedSlices;
  /** What a decision says of a selected cluster. */
  readonly entry: (cluster: string) => ClusterDecision;
  readonly mode: PlacementMode;
  readonly now: Timestamp;
}

/** The writes that lead from what there is to what there is to be. Changes of scores alone wait for their time. */
export function writesOf(question: WritesQuestion): SliceWrites {
  const { placement, slices, decided, mode, now } = question;
  const entry = mode.writesScores ? question.entry : plainEntry;
  const before = new Map(decided.slices.map((slice) => [slice.name, slice]));
  const after = new Set(slices.map(({ name }) => name));
  const gone = decided.slices.filter(({ name }) => !after.has(name));
  const isMove =
    gone.length > 0 || slices.some((slice) => !hasSameClusters(slice.clusters, before.get(slice.name)?.clusters));
  const isStale = (slice: Slice) => !isWritten(slice.clusters, before.get(slice.name)?.decisions ?? [], entry);
  const due = isMove || !mode.writesScores ? undefined : scoresDueAt(placement, now);
  const changes = slices.map((slice): SliceChange => {
    const labels = sliceLabels(placement.name, slice.groupName, slice.groupIndex);
    const was = before.get(slice.name);
    const relabels = was !== undefined && !areSameLabels(was.labels, labels);
    return { slice, was, labels, relabels, updates: due === undefined && isStale(slice) };
  });
  return {
    writes: safeOrder({ placement: placement.name, changes, gone, decided, entry }),
    wakeAt: due !== undefined && slices.some(isStale) ? due : undefined,
  };
}

/** What OCM says of a cluster: nothing. */
function plainEntry(clusterName: string): ClusterDecision {
  return { clusterName, reason: "" };
}

/** Are the clusters the same ones, in whatever order? */
function hasSameClusters(clusters: readonly string[], was: readonly string[] | undefined): boolean {
  if (was === undefined || clusters.length !== was.length) return false;
  if (clusters === was || clusters.every((cluster, at) => cluster === was[at])) return true;
  const names = new Set(was);
  return clusters.every((cluster) => names.has(cluster));
}

/** Is all of it there already, in this order and with these scores and reasons? */
function isWritten(
  clusters: readonly string[],
  decisions: readonly ClusterDecision[],
  entry: (cluster: string) => ClusterDecision,
): boolean {
  if (clusters.length !== decisions.length) return false;
  return clusters.every((cluster, at) => {
    const { clusterName, reason, score } = decisions[at] as ClusterDecision;
    if (clusterName !== cluster) return false;
    const wanted = entry(cluster);
    return wanted.reason === reason && wanted.score === score;
  });
}

function areSameLabels(a: TextMap, b: TextMap): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === textUnder(b, key));
}
