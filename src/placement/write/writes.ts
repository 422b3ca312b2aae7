// Which API calls bring the PlacementDecisions up to date, and when? A cluster that stays selected is in one of them after every
// call, even if a later one fails.

import { compareTimestamps, parseTimestamp, Timestamp, timestampOfSeconds } from "../../cel/value/timestamp.ts";
import { type TextMap, textUnder } from "../../model/labels.ts";
import type { Placement } from "../../model/placement.ts";
import type { ClusterDecision } from "../../model/placement-decision.ts";
import { type DecidedSlice, type DecidedSlices, sliceLabels } from "../decide/decided-slices.ts";
import type { Slice } from "../placement-result.ts";
import { type SliceChange, type SliceWrite, safeOrder } from "./safe-write-order.ts";

/** The writes that are due now, and when more may be. */
export interface SliceWrites {
  /** In a safe order. If one of them is an update, all scores are up to date afterwards. */
  readonly writes: readonly SliceWrite[];
  /** Do clusters come, go, or change their slice? Otherwise scores, reasons, order or labels change, if anything. */
  readonly isMove: boolean;
  /** When score changes may be written that are held back by scoreRateLimit. */
  readonly wakeAt?: string;
}

/** The PlacementDecisions on the hub, and the slices that they are to become. */
export interface WritesQuestion {
  readonly placement: Pick<Placement, "name" | "scoreRateLimit" | "lastScoreUpdateTime">;
  readonly slices: readonly Slice[];
  readonly decided: DecidedSlices;
  /** The decision that is written for a selected cluster. */
  readonly entry: (cluster: string) => ClusterDecision;
  /** Do the decisions have scores? */
  readonly hasScores: boolean;
  readonly now: Timestamp;
}

/** Step 10: the writes from what is on the hub to the slices. Changes of scores alone are held back by scoreRateLimit. */
export function writesOf(question: WritesQuestion): SliceWrites {
  const { placement, slices, decided, entry, hasScores, now } = question;
  const before = new Map(decided.slices.map((slice) => [slice.name, slice]));
  const after = new Set(slices.map(({ name }) => name));
  // What is being deleted is left alone once it is empty.
  const isLeft = ({ terminating, clusters }: DecidedSlice) => terminating && clusters.length === 0;
  const gone = decided.slices.filter((slice) => !after.has(slice.name) && !isLeft(slice));
  const isMove =
    gone.length > 0 || slices.some((slice) => !hasSameClusters(slice.clusters, before.get(slice.name)?.clusters));
  const isStale = (slice: Slice) => !isWritten(slice.clusters, before.get(slice.name)?.decisions ?? [], entry);
  const due = isMove || !hasScores ? undefined : scoresDueAt(placement, now);
  const changes = slices.map((slice): SliceChange => {
    const labels = sliceLabels(placement.name, slice.groupName, slice.groupIndex);
    const was = before.get(slice.name);
    const relabels = was !== undefined && !areSameLabels(was.labels, labels);
    return { slice, was, labels, relabels, updates: due === undefined && isStale(slice) };
  });
  return {
    writes: safeOrder({ placement: placement.name, changes, gone, decided, entry }),
    isMove,
    ...(due !== undefined && slices.some(isStale) && { wakeAt: due.toString() }),
  };
}

/** Are the clusters the same, in any order? */
function hasSameClusters(clusters: readonly string[], was: readonly string[] | undefined): boolean {
  if (was === undefined || clusters.length !== was.length) return false;
  if (clusters === was || clusters.every((cluster, at) => cluster === was[at])) return true;
  const names = new Set(was);
  return clusters.every((cluster) => names.has(cluster));
}

/** Are the decisions on the hub already, in this order and with these scores and reasons? */
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

const RATE_LIMIT = /^([0-9]+)([hms])$/;
const SECONDS: ReadonlyMap<string, number> = new Map([
  ["h", 3600],
  ["m", 60],
  ["s", 1],
]);
const DEFAULT_SECONDS = 60;
/** The last second of the year 9999. */
const NEVER: Timestamp = new Timestamp(253_402_300_799, 0);

/**
 * When scores may be written next; undefined: now. A last time that is in the future or cannot be read does not count; a limit
 * that cannot be read is one minute.
 */
export function scoresDueAt(
  placement: Pick<Placement, "scoreRateLimit" | "lastScoreUpdateTime">,
  now: Timestamp,
): Timestamp | undefined {
  const last = parseTimestamp(placement.lastScoreUpdateTime ?? "");
  if (!(last instanceof Timestamp) || compareTimestamps(last, now) > 0) return undefined;
  const [, count = "", unit = ""] = RATE_LIMIT.exec(placement.scoreRateLimit) ?? [];
  const seconds = count === "" ? DEFAULT_SECONDS : Number(count) * (SECONDS.get(unit) as number);
  const second = timestampOfSeconds(last.seconds + seconds);
  const due = second instanceof Timestamp ? new Timestamp(second.seconds, last.nanos) : NEVER;
  return compareTimestamps(due, now) > 0 ? due : undefined;
}
