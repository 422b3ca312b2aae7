// Which writes bring one Placement up to date, and when has it to be reconciled again? Decisions first, then the status that is about
// them. A pure function of the mirror: the same hub gives the same plan.

import { parseTimestamp, Timestamp } from "../cel/value/timestamp.ts";
import { plainTime } from "../controller/micro-time.ts";
import type { Condition } from "../model/condition.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { PlacementMode } from "../placement/placement-mode.ts";
import type { PlacementDecisions, PlacementOutcome, PlacementResult } from "../placement/placement-result.ts";
import type { SliceWrite } from "../placement/write/safe-write-order.ts";
import { notWrittenText, statusCondition, unreadableText } from "../render/sentence/placement-status.ts";
import { decisionSteps, ownerSteps, type PlanStep, statusStep } from "./decision-writes.ts";
import type { HubMirror } from "./hub-mirror.ts";
import { keepsConditions, statusPatch, type WantedStatus } from "./placement-status.ts";
import type { StoredFields } from "./stored-fields.ts";
import type { WatchedItem } from "./watched-kinds.ts";

/** What became of a Placement: an outcome of the engine; or it, or a decision of it, cannot be read. */
export type PlanOutcome = PlacementOutcome | "unreadable";

export interface PlacementPlan {
  readonly outcome: PlanOutcome;
  readonly isSatisfied: boolean;
  readonly steps: readonly PlanStep[];
  /** The status changes only in messages, and in numbers that follow from the decisions: consumers of decisions do not need it at once. */
  readonly isStatusMinor: boolean;
  /** When time alone may change something, in milliseconds since 1970. */
  readonly wakeAt: number | undefined;
}

/** The writes of the engine that steps carry out. */
export function sliceWritesOf(steps: readonly PlanStep[]): readonly SliceWrite[] {
  return steps.flatMap(({ sliceWrite }) => sliceWrite ?? []);
}

/** Does a step write the status of the Placement? */
export function isOfStatus({ object }: PlanStep): boolean {
  return object.list === "placements";
}

/** What a plan depends on besides the hub. */
export interface PlanSetting {
  readonly mode: PlacementMode;
  readonly stored: StoredFields;
  /** Why the last writes of its PlacementDecisions failed, if that is not over soon by itself. */
  readonly failure?: string | undefined;
  /** When scores were written, if the status does not report it yet, in milliseconds since 1970. */
  readonly scoresWrittenAt?: number | undefined;
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
  const isSatisfied = result.conditions.some(({ type, status }) => type === "PlacementSatisfied" && status === "True");
  const about = { outcome: result.state, isSatisfied } as const;
  if (result.state === "ignored") return { ...about, steps: [], isStatusMinor: false, wakeAt: undefined };
  const unread = mirror.unreadDecisionOf(placement);
  if (unread !== undefined) return undecided(placement, unread, setting);
  const slices = engine.writes(key);
  const decisionOf = (name: string) => stores.placementDecisions.get(`${placement.namespace}/${name}`);
  const decisions = engine.decisions(key) as PlacementDecisions;
  const staying = decisions.slices.flatMap(({ name }) => decisionOf(name) ?? []);
  // Clusters do not wait for owner references, which an admission plugin may refuse.
  const ofDecisions = [...decisionSteps(placement, slices.writes, decisionOf), ...ownerSteps(placement, staying)];
  // A failed write may have been carried out nevertheless, or be unnecessary now: then it is not reported.
  const failure = ofDecisions.length === 0 ? undefined : setting.failure;
  const hasUpdates = failure === undefined && slices.writes.some(({ call }) => call === "update");
  const hasScores = engine.writesScoresOf(key);
  const last = placement.written?.status.lastScoreUpdateTime;
  const time = hasScores ? scoreTime(setting, { hasUpdates, last }) : NO_SCORES;
  const wanted = { ...wantedStatus(result, decisions, failure), ...time };
  const patch = patchOf(placement, wanted, setting);
  const ofStatus = patch === undefined ? [] : [statusStep(placement, patch)];
  return {
    ...about,
    // A failure is reported before the next attempt, which may fail again.
    steps: failure === undefined ? [...ofDecisions, ...ofStatus] : [...ofStatus, ...ofDecisions],
    isStatusMinor:
      patch !== undefined &&
      keepsConditions(patch, placement.written?.status ?? {}) &&
      // The limit of changes of scores alone is measured from the time of the last one.
      (slices.isMove || !hasScores || !hasUpdates),
    wakeAt: earliest(result.wakeAt, slices.wakeAt),
  };
}

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
  const { extendedStatus } = setting.mode;
  const generation = extendedStatus ? placement.written?.generation : undefined;
  const conditions = [{ ...condition, ...(generation !== undefined && { observedGeneration: generation }) }];
  const keepsOthers = extendedStatus ? "all" : "ocm";
  const time = setting.mode.writesScores ? {} : NO_SCORES;
  const patch = patchOf(placement, { conditions, keepsOthers, ...time }, setting);
  const steps = patch === undefined ? [] : [statusStep(placement, patch)];
  return { outcome: "unreadable", isSatisfied: false, steps, isStatusMinor: false, wakeAt: undefined };
}

/** What has to be patched in the status of a Placement; undefined if nothing. */
function patchOf(
  placement: WatchedItem<"placements">,
  wanted: WantedStatus,
  { stored, now }: PlanSetting,
): JsonObject | undefined {
  return statusPatch(wanted, placement.written?.status ?? {}, stored, plainTime(now));
}

function wantedStatus(
  result: PlacementResult,
  decisions: PlacementDecisions,
  failure: string | undefined,
): Pick<WantedStatus, "decisions" | "conditions"> {
  const conditions = result.conditions.map(statusCondition);
  // Nothing is claimed that could not be written.
  if (failure !== undefined) return { conditions: conditions.map((one) => withFailure(one, failure)) };
  return { decisions, conditions };
}

type ScoreTime = Pick<WantedStatus, "lastScoreUpdateTime">;

/** Decisions without scores. */
const NO_SCORES: ScoreTime = { lastScoreUpdateTime: null };

/** When scores were written: now; or a moment ago, if another process has not written them since; or as before. */
function scoreTime(
  { now, scoresWrittenAt }: PlanSetting,
  { hasUpdates, last }: { readonly hasUpdates: boolean; readonly last: Json | undefined },
): ScoreTime {
  const time = hasUpdates ? now : scoresWrittenAt;
  if (time === undefined || (!hasUpdates && Date.parse(`${last}`) > time)) return {};
  return { lastScoreUpdateTime: plainTime(time) };
}

/** Whatever was selected: what consumers see is not that (H20). */
function withFailure(condition: Condition, failure: string): Condition {
  if (condition.type !== "PlacementSatisfied") return condition;
  return { ...condition, status: "False", reason: "DecisionsNotWritten", message: notWrittenText(failure) };
}

/** The first of some times, in milliseconds since 1970, rounded up. */
function earliest(...texts: readonly (string | undefined)[]): number | undefined {
  const times = texts.flatMap((text) => {
    const time = text === undefined ? undefined : parseTimestamp(text);
    return time instanceof Timestamp ? [time.seconds * 1000 + Math.ceil(time.nanos / 1_000_000)] : [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}
