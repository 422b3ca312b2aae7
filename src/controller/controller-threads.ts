// What do the reading thread and the writing thread of every controller exchange? Plain data only. A controller adds functions of its own.

import type { LoopDelays } from "./event-loop.ts";
import type { RecordedEvent } from "./event-object.ts";
import type { LogFields, LogLevel } from "./log.ts";
import type { PlannedWrite, WriteOutcome } from "./ordered-writes.ts";

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

/** What a reading thread has measured: in the text format of Prometheus, and how busy the thread is. */
export interface ReadingMeasures {
  readonly text: string;
  readonly delays: LoopDelays;
}

/** What every reading thread offers. */
export type CommonReadingFunctions = {
  /** This process leads in a term; undefined: it does not lead. */
  readonly lead: (term: number | undefined) => void;
  readonly metrics: () => ReadingMeasures;
  /** It answers. */
  readonly ping: () => true;
  readonly stop: () => Promise<void>;
};

/** What every writing thread offers. */
export type CommonWritingFunctions = {
  readonly carryOut: (plan: PlanOfTerm) => Promise<WriteOutcome>;
  /** Sends events of one object; the result is for how many milliseconds others of it would be dropped. */
  readonly record: (events: readonly RecordedEvent[]) => number;
  readonly log: (entry: LogEntry) => void;
  readonly report: (report: ReadingReport) => void;
};
