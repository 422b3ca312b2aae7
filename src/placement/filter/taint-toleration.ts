// Does a Placement tolerate the taints of a cluster, and until when? (ocm.md §3.3)
import { compareTimestamps, parseTimestamp, Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import type { ManagedCluster, Taint } from "../../model/managed-cluster.ts";
import type { Toleration } from "../../model/placement.ts";
import type { EvaluationInput } from "../evaluation.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { Tolerance } from "../placement-result.ts";

/** What a taint means for one Placement. */
export interface TaintOutcome {
  readonly tolerated: boolean;
  /** It is not tolerated, but only ranks the cluster last. */
  readonly isSoft: boolean;
  /** When a toleration that is needed ends; undefined if none does. */
  readonly until: Timestamp | undefined;
  /** Why it is tolerated, or why not. */
  readonly why: "no-effect" | "selected-before" | "tolerated" | "untolerated";
  /** The toleration that applies, or else the first matching one that has ended. */
  readonly matching: Matching | undefined;
}

/** A toleration that matches a taint. */
interface Matching {
  readonly index: number;
  readonly until: Timestamp | undefined;
  /** It ends, but the taint does not say when it was added. */
  readonly isUndated: boolean;
}

const HARMLESS = { tolerated: true, isSoft: false, until: undefined, matching: undefined };
const NO_EFFECT: TaintOutcome = { ...HARMLESS, why: "no-effect" };
const SELECTED_BEFORE: TaintOutcome = { ...HARMLESS, why: "selected-before" };

/** Evaluates a taint of a cluster. */
export function evaluateTaint(taint: Taint, cluster: string, input: EvaluationInput): TaintOutcome {
  const { mode, now } = input.hub;
  if (taint.effect === "PreferNoSelect" && !mode.softTaints) return NO_EFFECT;
  if (taint.effect === "NoSelectIfNew" && input.decided.has(cluster)) return SELECTED_BEFORE;
  let best: Matching | undefined;
  let expired: Matching | undefined;
  const added = taint.timeAdded === undefined ? undefined : parseTimestamp(taint.timeAdded);
  for (const [index, toleration] of input.placement.tolerations.entries()) {
    if (!matches(toleration, taint)) continue;
    const matching = endOf(index, toleration, taint, added, mode);
    if (matching.until !== undefined && compareTimestamps(now, matching.until) >= 0) expired ??= matching;
    else if (best === undefined || (mode.longestTolerationCounts && endsLater(matching, best))) best = matching;
    if (best !== undefined && (best.until === undefined || !mode.longestTolerationCounts)) break;
  }
  if (best !== undefined)
    return { tolerated: true, isSoft: false, until: best.until, why: "tolerated", matching: best };
  const isSoft = taint.effect === "PreferNoSelect";
  return { tolerated: isSoft, isSoft, until: undefined, why: "untolerated", matching: expired };
}

/** What a report says of a taint: why it is tolerated, or why not. */
export function toleranceOf({ effect }: Taint, { why, isSoft, matching }: TaintOutcome): Tolerance {
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

/** The beginning of the year 1: the timeAdded of a taint without one. */
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
export function evaluateTaints(
  cluster: ManagedCluster,
  input: EvaluationInput,
): Pick<TaintOutcome, "tolerated" | "isSoft" | "until"> {
  let isSoft = false;
  let until: Timestamp | undefined;
  for (const taint of cluster.taints) {
    const outcome = evaluateTaint(taint, cluster.name, input);
    if (!outcome.tolerated) return { tolerated: false, isSoft: false, until: undefined };
    isSoft ||= outcome.isSoft;
    until = earlier(until, outcome.until);
  }
  return { tolerated: true, isSoft, until };
}

/** The earlier of two times; undefined is never. */
export function earlier(a: Timestamp | undefined, b: Timestamp | undefined): Timestamp | undefined {
  if (a === undefined) return b;
  return b === undefined || compareTimestamps(a, b) <= 0 ? a : b;
}
