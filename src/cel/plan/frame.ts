// What does one evaluation keep while it runs: variables, cost, memory?
import type { Node } from "../ast.ts";
import type { Running } from "../library.ts";
import { CelError, type Result } from "../value/value.ts";

/** A planned part of an expression: what to do to get its value. */
export type Step = (frame: Frame) => Result;

/** What an expression is evaluated with: the values of its variables. */
export interface Bindings {
  readonly [name: string]: unknown;
}

/** Which bounds an evaluation has. */
export interface Limits {
  /** What it may cost, in the units of cel-go. */
  readonly cost: number;
  /** How many elements and characters its intermediate results may have, all together. */
  readonly memory: number;
  /** How many elements and characters may be gone through where the cost does not show it. */
  readonly work: number;
}

/** Kubernetes' limit for one call, which OCM has too; memory of about a hundred megabytes; work of about a second. */
export const DEFAULT_LIMITS: Limits = { cost: 1_000_000, memory: 10_000_000, work: 10_000_000 };

/** Which bound was met. */
export type LimitKind = "cost" | "memory" | "work" | "depth";

/** The evaluation was stopped at one of its bounds. Nothing absorbs it. */
export class LimitError extends CelError {
  readonly limit: LimitKind;
  constructor(limit: LimitKind, message: string) {
    super(message);
    this.limit = limit;
  }
}

/** The value of one part, as it was met while tracing. */
export interface TraceRecord {
  readonly node: Node;
  result: Result;
  readonly parts: TraceRecord[];
  /** The macro variables that the part was evaluated for. */
  readonly bound?: readonly { readonly name: string; readonly value: Result }[];
}

/** The result of a part whose evaluation was stopped. */
export const UNFINISHED: CelError = new CelError("not finished: the evaluation was stopped");

/** The state of one evaluation. */
export class Frame implements Running {
  bindings: Bindings = {};
  cost = 0;
  memory = 0;
  done = 0;
  costLimit: number;
  memoryLimit: number;
  workLimit: number;
  /** The values of macro variables, by their places. */
  readonly slots: Result[];
  /** Where the parts of what is being evaluated are recorded; undefined when nobody asked. */
  trace: TraceRecord | undefined = undefined;
  /** How many parts were recorded. */
  records = 0;

  constructor(limits: Limits, slotCount: number) {
    this.costLimit = limits.cost;
    this.memoryLimit = limits.memory;
    this.workLimit = limits.work;
    this.slots = new Array(slotCount).fill(null);
  }

  /** Adds to the cost; stops the evaluation beyond the limit. */
  charge(cost: number): void {
    this.cost += cost;
    // A cost that is no number must not switch the limit off.
    if (!(this.cost <= this.costLimit)) this.stop();
  }

  /** Ends the evaluation, because it costs too much. */
  stop(): never {
    throw new LimitError("cost", `the evaluation was stopped: it costs more than the limit of ${this.costLimit}`);
  }

  allocate(units: number): void {
    this.memory += units;
    if (this.memory > this.memoryLimit) {
      throw new LimitError(
        "memory",
        `the evaluation was stopped: its results need more memory than the limit of ${this.memoryLimit} elements or characters`,
      );
    }
  }

  work(units: number): void {
    this.done += units;
    if (this.done > this.workLimit) {
      throw new LimitError(
        "work",
        `the evaluation was stopped: it goes through more than the limit of ${this.workLimit} elements or characters`,
      );
    }
  }
}
