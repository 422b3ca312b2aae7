// Which writes bring one Placement up to date, and when is it to be looked at again? Decisions first, then the status that is about
// them. A pure function of the mirror: the same hub gives the same plan.

import { parseTimestamp, Timestamp } from "../cel/value/timestamp.ts";
import type { PlannedWrite } from "../controller/ordered-writes.ts";
import type { Condition } from "../model/condition.ts";
import { partOf } from "../model/json.ts";
import type { PlacementMode } from "../placement/placement-mode.ts";
import type { PlacementDecisions, PlacementOutcome, PlacementResult } from "../placement/placement-result.ts";
import type { SliceWrite } from "../placement/write/safe-write-order.ts";
import { notWrittenText, statusCondition, unreadableText } from "../render/sentence/placement-status.ts";
import { decisionWrites, ownerWrites, statusWrite } from "./decision-writes.ts";
import type { HubMirror } from "./hub-mirror.ts";
import { statusPatch, type WantedStatus } from "./placement-status.ts";
import type { StoredFields } from "./stored-fields.ts";
import type { WatchedItem } from "./watched-kinds.ts";

/** What became of a Placement: an outcome of the engine; or it, or a decision of it, cannot be read. */
export type PlanOutcome = PlacementOutcome | "unreadable";

export interface PlacementPlan {
  readonly outcome: PlanOutcome;
  readonly isSatisfied: boolean;
  readonly writes: readonly PlannedWrite[];
  /** The one of them that writes the status of the Placement, if it changes. */
  readonly status: PlannedWrite | undefined;
  /** The status changes only in numbers that follow from the decisions: consumers of decisions do not need it at once. */
  readonly isStatusMinor: boolean;
  /** The writes of decisions that `writes` has, beginning with the position `firstDecision`. */
  readonly decisions: readonly SliceWrite[];
  readonly firstDecision: number;
  /** When time alone may change something, in milliseconds since 1970. */
  readonly wakeAt: number | undefined;
}

/** What a plan depends on besides the hub. */
export interface PlanSetting {
  readonly mode: PlacementMode;
  readonly stored: StoredFields;
  /** Why the last writes of its PlacementDecisions failed, if that is not over soon by itself. */
  readonly failure?: string | undefined;
  /** The time of the wall clock, in milliseconds since 1970. */
  readonly now: number;
}

/** The plan for a Placement of the hub. */
export function placementPlan(
  placement: WatchedItem<"placements">,
  mirror: HubMirror,
  setting: PlanSetting,
): PlacementPlan {
  const { key } = placement;
  const { engine, stores } = mirror;
  if (placement.model === undefined) return misconfigured(placement, setting);
  const result = engine.result(key) as PlacementResult;
  const unread = mirror.unreadDecisionOf(placement);
  if (unread !== undefined) return undecided(placement, unread, setting);
  const isSatisfied = result.conditions.some(({ type, status }) => type === "PlacementSatisfied" && status === "True");
  const about = { outcome: result.state, isSatisfied } as const;
  if (result.state === "ignored") return { ...about, ...NO_WRITES, wakeAt: undefined };
  const slices = engine.writes(key);
  const decisionOf = (name: string) => stores.placementDecisions.get(`${placement.namespace}/${name}`);
  const decisions = engine.decisions(key) as PlacementDecisions;
  const staying = decisions.slices.flatMap(({ name }) => decisionOf(name) ?? []);
  const owners = ownerWrites(placement, staying);
  const ofDecisions = [...owners, ...decisionWrites(placement, slices.writes, decisionOf)];
  // What has failed may have been done nevertheless, or be unnecessary by now: then it is not worth a word.
  const failure = ofDecisions.length === 0 ? undefined : setting.failure;
  const wanted = wantedStatus(result, decisions, slices.writes, { ...setting, failure });
  const status = statusWrites(placement, wanted, setting);
  // A failure is reported before the next attempt, which may fail again.
  const isStatusFirst = failure !== undefined;
  return {
    ...about,
    writes: isStatusFirst ? [...status, ...ofDecisions] : [...ofDecisions, ...status],
    status: status[0],
    isStatusMinor: status[0]?.verb === "patch" && !Object.hasOwn(partOf(status[0].patch, "status"), "conditions"),
    decisions: slices.writes,
    firstDecision: owners.length + (isStatusFirst ? status.length : 0),
    wakeAt: earliest(result.wakeAt, slices.wakeAt),
  };
}

const NO_WRITES = { writes: [], status: undefined, isStatusMinor: false, decisions: [], firstDecision: 0 } as const;

/** The Placement itself cannot be read. */
function misconfigured(placement: WatchedItem<"placements">, setting: PlanSetting): PlacementPlan {
  const message = unreadableText("Placement", placement.name, placement.findings);
  return keeping(
    placement,
    { type: "PlacementMisconfigured", status: "True", reason: "Misconfigured", message },
    setting,
  );
}

/** A PlacementDecision of it cannot be read: which clusters it has is unknown. */
function undecided(
  placement: WatchedItem<"placements">,
  { name, findings }: WatchedItem<"placementDecisions">,
  setting: PlanSetting,
): PlacementPlan {
  const message = unreadableText("PlacementDecision", name, findings);
  return keeping(placement, { type: "PlacementSatisfied", status: "False", reason: "Undecided", message }, setting);
}

/** The decisions stay, and the status says why. */
function keeping(placement: WatchedItem<"placements">, condition: Condition, setting: PlanSetting): PlacementPlan {
  const generation = setting.mode.extendedStatus ? placement.written?.generation : undefined;
  const conditions = [{ ...condition, ...(generation !== undefined && { observedGeneration: generation }) }];
  const writes = statusWrites(placement, { conditions, keepsOthers: true }, setting);
  return {
    ...{ ...NO_WRITES, outcome: "unreadable", isSatisfied: false, writes, status: writes[0] },
    wakeAt: undefined,
  };
}

function statusWrites(
  placement: WatchedItem<"placements">,
  wanted: WantedStatus,
  { stored, now }: PlanSetting,
): readonly PlannedWrite[] {
  const patch = statusPatch(wanted, placement.written?.status ?? {}, stored, rfc3339(now));
  return patch === undefined ? [] : [statusWrite(placement, patch)];
}

function wantedStatus(
  result: PlacementResult,
  decisions: PlacementDecisions,
  writes: readonly SliceWrite[],
  { failure, mode, now }: PlanSetting,
): WantedStatus {
  const conditions = result.conditions.map(statusCondition);
  // Nothing is claimed that could not be written.
  if (failure !== undefined) return { conditions: conditions.map((one) => withFailure(one, failure)) };
  const writesScores = mode.writesScores && writes.some(({ call }) => call === "update");
  return { decisions, conditions, ...(writesScores && { lastScoreUpdateTime: rfc3339(now) }) };
}

/** Whatever was selected: what consumers see is not that (H20). */
function withFailure(condition: Condition, failure: string): Condition {
  if (condition.type !== "PlacementSatisfied") return condition;
  return { ...condition, status: "False", reason: "DecisionsNotWritten", message: notWrittenText(failure) };
}

/** A time as Kubernetes writes it: whole seconds. */
function rfc3339(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** The first of some times, in milliseconds since 1970, rounded up. */
function earliest(...texts: readonly (string | undefined)[]): number | undefined {
  const times = texts.flatMap((text) => {
    const time = text === undefined ? undefined : parseTimestamp(text);
    return time instanceof Timestamp ? [time.seconds * 1000 + Math.ceil(time.nanos / 1_000_000)] : [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}
