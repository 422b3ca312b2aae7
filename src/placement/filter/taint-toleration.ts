// Does a Placement put up with the taints of a cluster, and until when? (ocm.md §3.3)
import { compareTimestamps, parseTimestamp, Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import type { ManagedCluster, Taint } from "../../model/managed-cluster.ts";
import type { Toleration } from "../../model/placement.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { Tolerance } from "../placement-result.ts";

/** What is true of a taint, for one Placement. */
export interface TaintJudgement {
  readonly tolerated: boolean;
  /** It is not tolerated and has only the effect that the cluster comes last. */
  readonly isSoft: boolean;
  /** When a toleration that is needed ends; undefined if none does. */
  readonly until: Timestamp | undefined;
  /** Why it is tolerated, or why not. */
  readonly why: "no-effect" | "selected-before" | "tolerated" | "untolerated";
  /** The toleration that counts, or the first that matches and has ended. */
  readonly matching: Matching | undefined;
}

/** A toleration that matches a taint. */
interface Matching {
  readonly index: number;
  readonly until: Timestamp | undefined;
  /** It ends, but the taint does not say when it was added. */
  readonly isUndated: boolean;
}

/** What a taint is judged by. */
export interface Tolerating {
  readonly tolerations: readonly Toleration[];
  readonly mode: PlacementMode;
  readonly now: Timestamp;
  /** Has the Placement chosen this cluster before? */
  readonly isDecided: boolean;
}

/** What a taint means for a Placement. */
export function judgeTaint(taint: Taint, given: Tolerating): TaintJudgement {
  const { mode, isDecided } = given;
  if (taint.effect === "PreferNoSelect" && !mode.softTaints)
    return { tolerated: true, isSoft: false, until: undefined, why: "no-effect", matching: undefined };
  if (taint.effect === "NoSelectIfNew" && isDecided)
    return { tolerated: true, isSoft: false, until: undefined, why: "selected-before", matching: undefined };
  let best: Matching | undefined;
  let expired: Matching | undefined;
  const added = taint.timeAdded === undefined ? undefined : parseTimestamp(taint.timeAdded);
  for (const [index, toleration] of given.tolerations.entries()) {
    if (!matches(toleration, taint)) continue;
    const matching = endOf(index, toleration, taint, added, mode);
    if (matching.until !== undefined && compareTimestamps(given.now, matching.until) >= 0) expired ??= matching;
    else if (best === undefined || (mode.longestTolerationCounts && endsLater(matching, best))) best = matching;
    if (best !== undefined && (best.until === undefined || !mode.longestTolerationCounts)) break;
  }
  if (best !== undefined)
    return { tolerated: true, isSoft: false, until: best.until, why: "tolerated", matching: best };
  const isSoft = taint.effect === "PreferNoSelect";
  return { tolerated: isSoft, isSoft, until: undefined, why: "untolerated", matching: expired };
}

/** What a report says of a taint: why it is tolerated, or why not. */
export function toleranceOf({ effect }: Taint, { why, isSoft, matching }: TaintJudgement): Tolerance {
  if (why === "no-effect" || why === "selected-before") return { kind: why };
  const until = matching?.isUndated === false ? matching.until?.toString() : undefined;
  if (why === "tolerated") return { kind: why, by: matching?.index ?? 0, ...(until !== undefined && { until }) };
  const expired = matching && { by: matching.index, ...(until !== undefined && { endedAt: until }) };
  return { kind: why, isSoft, ifNew: effect === "NoSelectIfNew", ...(expired !== undefined && { expired }) };
}

function endsLater(a: Matching, b: Matching): boolean {
  if (b.until === undefined) return false;
  return a.until === undefined || compareTimestamps(a.until, b.until) > 0;
}

function matches({ effect, key, operator, value }: Toleration, taint: Taint): boolean {
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  return (operator === "" || operator === "Equal") && value === taint.value;
}

/** The beginning of the year 1: when a taint was added that does not say it. */
const LONG_AGO = new Timestamp(-62_135_596_800, 0);
/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799;

function endOf(
  index: number,
  { tolerationSeconds }: Toleration,
  taint: Taint,
  added: Timestamp | CelError | undefined,
  mode: PlacementMode,
): Matching {
  const forEver = { index, until: undefined, isUndated: false };
  if (tolerationSeconds === undefined) return forEver;
  if (taint.effect === "NoSelectIfNew" && mode.ignoreSecondsForNoSelectIfNew) return forEver;
  if (added === undefined || added instanceof CelError) return { index, until: LONG_AGO, isUndated: true };
  const end = added.seconds + tolerationSeconds;
  if (end > LAST_SECOND) return forEver;
  return { index, until: end < LONG_AGO.seconds ? LONG_AGO : new Timestamp(end, added.nanos), isUndated: false };
}

/** What all taints of a cluster mean together. */
export interface TaintVerdict {
  readonly tolerated: boolean;
  readonly isSoftTainted: boolean;
  readonly until: Timestamp | undefined;
}

const UNTAINTED: TaintVerdict = { tolerated: true, isSoftTainted: false, until: undefined };

/** Does the Placement put up with the cluster? */
export function judgeTaints(cluster: ManagedCluster, given: Tolerating): TaintVerdict {
  if (cluster.taints.length === 0) return UNTAINTED;
  let isSoftTainted = false;
  let until: Timestamp | undefined;
  for (const taint of cluster.taints) {
    const judgement = judgeTaint(taint, given);
    if (!judgement.tolerated) return { tolerated: false, isSoftTainted: false, until: undefined };
    isSoftTainted ||= judgement.isSoft;
    until = earlier(until, judgement.until);
  }
  return { tolerated: true, isSoftTainted, until };
}

/** The earlier of two times; undefined is never. */
export function earlier(a: Timestamp | undefined, b: Timestamp | undefined): Timestamp | undefined {
  if (a === undefined) return b;
  return b === undefined || compareTimestamps(a, b) <= 0 ? a : b;
}
