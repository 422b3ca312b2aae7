// What do the two threads of the placement controller say to each other? Plain data only.

import type { LoopDelays } from "../controller/event-loop.ts";
import type { RecordedEvent } from "../controller/event-object.ts";
import type { LogFields, LogLevel } from "../controller/log.ts";
import type { PlannedWrite } from "../controller/ordered-writes.ts";
import type { ConnectionChoice } from "../kube/connection.ts";
import type { AccessReview, DebugAnswer, DebugRequest } from "../placement/ocm/debug-request.ts";
import type { CarriedOut } from "./reconciler.ts";

/** What the reading thread starts with. */
export interface HubSetting {
  readonly connection: ConnectionChoice;
  readonly compat: "ocm" | undefined;
  readonly tieBreak: "name" | "hash" | undefined;
  readonly onExpiredScore: "error" | "keep" | undefined;
  /** How many Placements are written at the same time. */
  readonly writesAtOnce: number;
}

/** What the reading thread knows about its work. */
export interface HubReport {
  /** Has everything been read that can be? */
  readonly isSettled: boolean;
  /** The kinds that have not been read completely, and why not if they cannot be. */
  readonly missing: readonly { readonly kind: string; readonly why?: string }[];
}

/** A question about one Placement. */
export interface PlaceRequest {
  readonly namespace: string;
  readonly name: string;
  /** Only this cluster, with every check. */
  readonly cluster: string | undefined;
}

/** The JSON of `place`, or why the Placement cannot be read. */
export type PlaceAnswer = { readonly text: string } | { readonly unreadable: string };

/** A line of the log. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** What the reading thread offers. */
export type HubFunctions = {
  readonly lead: (isLeading: boolean) => void;
  readonly debug: (request: DebugRequest) => Promise<DebugAnswer>;
  /** Undefined if there is no such Placement. */
  readonly place: (request: PlaceRequest) => PlaceAnswer | undefined;
  /** What is measured, in the text format of Prometheus, and how busy the thread is. */
  readonly metrics: () => { readonly text: string; readonly delays: LoopDelays };
  readonly ping: () => HubReport;
  readonly stop: () => Promise<void>;
};

/** What the writing thread offers. */
export type WritingFunctions = {
  readonly carryOut: (writes: readonly PlannedWrite[]) => Promise<CarriedOut>;
  /** Sends events of one object; the result is for how many milliseconds others of it would be dropped. */
  readonly record: (events: readonly RecordedEvent[]) => number;
  readonly log: (entry: LogEntry) => void;
  readonly reportHub: (report: HubReport) => void;
  readonly review: (review: AccessReview) => Promise<boolean>;
};
