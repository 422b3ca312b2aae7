// What do the two threads of the placement controller exchange? Plain data only.

import type { LoopDelays } from "../controller/event-loop.ts";
import type { RecordedEvent } from "../controller/event-object.ts";
import type { LogFields, LogLevel } from "../controller/log.ts";
import type { PlannedWrite, WriteOutcome } from "../controller/ordered-writes.ts";
import type { ConnectionChoice } from "../kube/connection.ts";
import type { AccessReview, DebugAnswer, DebugRequest } from "../placement/ocm/debug-request.ts";

/** What the reading thread starts with. */
export interface ReadingSetting {
  readonly connection: ConnectionChoice;
  readonly compat: "ocm" | undefined;
  readonly tieBreak: "name" | "hash" | undefined;
  readonly onExpiredScore: "error" | "keep" | undefined;
  /** Whose PlacementDecisions have scores, where the CRD has them. */
  readonly decisionScores: "sorted" | "all";
  /** How many Placements are written at the same time. */
  readonly writesAtOnce: number;
}

/** What the reading thread knows about its work. */
export interface ReadingReport {
  /** Has everything been read that can be? */
  readonly isSettled: boolean;
  readonly failing: readonly FailingKind[];
}

/** A kind that cannot be listed or watched. */
export interface FailingKind {
  readonly kind: string;
  readonly why: string;
  /** What depends on it stays as it is; otherwise what was read last counts. */
  readonly isLost: boolean;
}

/** A question about one Placement. */
export interface PlaceRequest {
  readonly namespace: string;
  readonly name: string;
  /** Only this cluster, with every check. */
  readonly cluster: string | undefined;
  /** May the caller get that cluster? Otherwise one outside of the eligible sets does not exist. */
  readonly seesCluster: boolean;
}

/** The JSON of `place`; or why the Placement cannot be read; or why nothing can be said yet of any Placement. */
export type PlaceAnswer = { readonly text: string } | { readonly unreadable: string } | { readonly incomplete: string };

/** A line of the log. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Writes that were planned in a term. In another one nothing of them is sent: the plan is based on what was known before it. */
export interface PlanOfTerm {
  readonly term: number;
  readonly writes: readonly PlannedWrite[];
}

/** What the reading thread offers. */
export type ReadingFunctions = {
  /** This process leads in a term; undefined: it does not lead. */
  readonly lead: (term: number | undefined) => void;
  readonly debug: (request: DebugRequest) => Promise<DebugAnswer>;
  /** Undefined if there is no such Placement. */
  readonly place: (request: PlaceRequest) => PlaceAnswer | undefined;
  /** What is measured, in the text format of Prometheus, and how busy the thread is. */
  readonly metrics: () => { readonly text: string; readonly delays: LoopDelays };
  /** It answers. */
  readonly ping: () => true;
  readonly stop: () => Promise<void>;
};

/** What the writing thread offers. */
export type WritingFunctions = {
  readonly carryOut: (plan: PlanOfTerm) => Promise<WriteOutcome>;
  /** Sends events of one object; the result is for how many milliseconds others of it would be dropped. */
  readonly record: (events: readonly RecordedEvent[]) => number;
  readonly log: (entry: LogEntry) => void;
  readonly report: (report: ReadingReport) => void;
  readonly review: (review: AccessReview) => Promise<boolean>;
};
