// Which advice does a Resolution object give, as far as it can be read, and is there a reason to doubt it?

import type { Condition } from "./condition.ts";
import type { NamespacedObject } from "./object.ts";
import {
  type AdvisedApproval,
  type AdvisedExplanation,
  type AdvisedHold,
  type AdvisedRefusal,
  CLUSTER_RESOLUTION,
  NO_ANSWER,
  type ResolutionCounts,
  type ResolutionSpec,
  type ResolutionStatus,
} from "./resolution-object.ts";

/** A Resolution that was read: what is missing or cannot be read is undefined, or an empty list. */
export interface ResolutionAdvice extends NamespacedObject {
  readonly generation: number | undefined;
  readonly mode: ResolutionSpec["mode"] | undefined;
  /** Undefined if there is none. */
  readonly status: ReadStatus | undefined;
  /** The paths of the fields that cannot be read. */
  readonly unread: readonly string[];
}

/** The part of a status that says what is possible, and why not everything is. */
export interface ReadStatus extends Pick<ResolutionStatus, "observedGeneration" | "outcome" | "summary" | "reason"> {
  readonly counts: Partial<ResolutionCounts>;
  readonly heldBack: readonly Briefly<AdvisedHold>[];
  readonly unsatisfied: readonly Briefly<AdvisedRefusal>[];
  readonly pendingApproval: readonly AdvisedApproval[];
  readonly warnings: readonly AdvisedWarning[];
  readonly cut: readonly string[];
  readonly conditions: readonly Condition[];
}

/** Without the lines of an explanation: there may be very many, and only its summary is shown. */
export type Briefly<Item extends AdvisedExplanation> = Omit<Item, "why" | "whatWouldHelp">;

type AdvisedWarning = NonNullable<ResolutionStatus["warnings"]>[number];

/** Why the advice may be wrong, or there is none. */
export type Doubt =
  | { readonly kind: "unreadable"; readonly fields: readonly string[] }
  /** The controller has not written an outcome yet. */
  | { readonly kind: "not-advised" }
  /** The advice is for another spec. */
  | { readonly kind: "stale"; readonly observed: number | undefined; readonly generation: number }
  /** A condition says that something is missing or broken. */
  | { readonly kind: "condition"; readonly condition: Condition };

/** The conditions of sound advice. */
const SOUND: ReadonlyMap<string, string> = new Map([
  ["Degraded", "False"],
  ["ConstraintsValid", "True"],
  ["CatalogsReady", "True"],
]);

/** Reasons of Degraded that refer to another condition. */
const REFERENCES: ReadonlyMap<string, string> = new Map([
  ["ConstraintsInvalid", "ConstraintsValid"],
  ["CatalogsNotRead", "CatalogsReady"],
]);

/** Everything that casts doubt on the advice, the most important first. No advice is expected of a Resolution that is off. */
export function doubtsOf(resolution: ResolutionAdvice): readonly Doubt[] {
  const { status, unread } = resolution;
  if (resolution.mode === "Off") return [];
  const conditions = status?.conditions ?? [];
  const unsound = [...SOUND].flatMap(([type, sound]) =>
    conditions.filter((one) => one.type === type && one.status !== sound && !isNotLookedAt(one)),
  );
  // One that only refers to another one says nothing.
  const telling = unsound.filter(({ type, reason = "" }) => {
    const other = type === "Degraded" ? REFERENCES.get(reason) : undefined;
    return other === undefined || !unsound.some((one) => one.type === other);
  });
  return [
    ...(unread.length > 0 ? [{ kind: "unreadable", fields: unread } as const] : []),
    ...ageDoubts(resolution),
    ...telling.map((condition) => ({ kind: "condition", condition }) as const),
  ];
}

/** Why nothing was looked at is said elsewhere: nothing is requested, or the advice is degraded. */
function isNotLookedAt({ status, reason }: Condition): boolean {
  return status === "Unknown" && reason === NO_ANSWER;
}

function ageDoubts({ generation, status, unread }: ResolutionAdvice): readonly Doubt[] {
  const { outcome, observedGeneration: observed } = status ?? {};
  // What cannot be read may be the outcome, or its generation.
  if (unread.length > 0 && (outcome === undefined || observed === undefined)) return [];
  if (outcome === undefined) return [{ kind: "not-advised" }];
  return generation === undefined || observed === generation ? [] : [{ kind: "stale", observed, generation }];
}

/** How many of something there are; undefined if that is not known. */
export interface AdviceCounts {
  readonly operators: number | undefined;
  readonly updates: number | undefined;
  readonly heldBack: number | undefined;
  readonly refused: number | undefined;
  readonly undecided: number;
  readonly waiting: number | undefined;
}

/** The counts of a status: requests that are undecided do not count as refused. */
export function adviceCounts({ counts, unsatisfied }: ReadStatus): AdviceCounts {
  const undecided = unsatisfied.filter((one) => one.undecided).length;
  return {
    operators: counts.operators,
    updates: counts.updates,
    heldBack: counts.heldBack,
    refused: counts.unsatisfied === undefined ? undefined : Math.max(0, counts.unsatisfied - undecided),
    undecided,
    waiting: counts.pendingApproval,
  };
}

/** What the advice means for those who asked: is everything as requested? */
export interface AdviceVerdict {
  /** A request is refused. */
  readonly isRefused: boolean;
  /** Undefined if the status does not say. */
  readonly isHeldBack: boolean | undefined;
  /** Something waits for approval. */
  readonly isWaiting: boolean;
  /** It is not known whether everything is as requested: undecided, or in doubt. */
  readonly isUnknown: boolean;
}

/** The verdict. Lists count as well, since a count may be missing. */
export function verdictOf(resolution: ResolutionAdvice): AdviceVerdict {
  const { mode, status } = resolution;
  if (mode === "Off") return { isRefused: false, isHeldBack: false, isWaiting: false, isUnknown: false };
  const isUnknown = doubtsOf(resolution).length > 0 || status?.outcome === "Undecided";
  if (status === undefined) return { isRefused: false, isHeldBack: undefined, isWaiting: false, isUnknown };
  const { outcome, heldBack, unsatisfied, pendingApproval } = status;
  const { refused = 0, heldBack: held, waiting = 0, undecided } = adviceCounts(status);
  return {
    isRefused:
      refused > 0 || outcome === "Partial" || outcome === "Unsatisfiable" || unsatisfied.some((one) => !one.undecided),
    isHeldBack: heldBack.length > 0 || (held === undefined ? undefined : held > 0),
    isWaiting: waiting > 0 || pendingApproval.length > 0,
    isUnknown: isUnknown || undecided > 0,
  };
}

/** Is it about the ClusterExtensions, instead of a namespace? */
export function isOfCluster({ name }: Pick<ResolutionAdvice, "name">): boolean {
  return name === CLUSTER_RESOLUTION;
}
