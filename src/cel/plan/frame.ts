// What does one evaluation keep while it runs: variables, cost, memory?
import type { BadPattern, Regex } from "../../regex/regex.ts";
import type { Node } from "../ast.ts";
import type { Running } from "../library.ts";
import { CelMap } from "../value/boxes.ts";
import { type MapValue, mapSize } from "../value/map-access.ts";
import { CelError, type JsonMap, type Result } from "../value/value.ts";

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
  /** Elements and characters that may be visited without a charge. */
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

/** Up to this length a value has no measurable effect on the time of an evaluation. */
export const SHORT = 64;

/** Results cached for one evaluation. */
interface Known {
  readonly patterns: Map<string, Regex | BadPattern>;
  /** How many entries the large maps of the input have. */
  readonly sizes: Map<JsonMap, number>;
}

/** The state of one evaluation. */
export class Frame implements Running {
  /** Is an evaluation under way? */
  isBusy = false;
  bindings: Bindings = {};
  cost = 0;
  memory = 0;
  done = 0;
  costLimit: number;
  memoryLimit: number;
  workLimit: number;
  /** The values of macro variables, by slot. */
  readonly slots: Result[];
  /** The trace; undefined unless tracing. */
  trace: TraceRecord | undefined = undefined;
  /** How many parts were recorded. */
  records = 0;
  /** Results cached for this evaluation. */
  known: Known | undefined = undefined;

  constructor(limits: Limits, slotCount: number) {
    this.costLimit = limits.cost;
    this.memoryLimit = limits.memory;
    this.workLimit = limits.work;
    this.slots = new Array(slotCount).fill(null);
  }

  /** Resets the state for an evaluation. */
  begin(bindings: Bindings): void {
    this.isBusy = true;
    this.bindings = bindings;
    this.cost = 0;
    this.memory = 0;
    this.done = 0;
    if (this.known !== undefined) this.known = undefined;
  }

  /** Adds to the cost; stops the evaluation beyond the limit. */
  charge(cost: number): void {
    this.cost += cost;
    // NaN must not disable the limit.
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

  mapSize(map: MapValue): number {
    if (map instanceof CelMap) return map.entries.size;
    const known = this.known?.sizes.get(map);
    if (known !== undefined) return known;
    const size = mapSize(map);
    if (size > SHORT) {
      this.work(size);
      this.#remembered().sizes.set(map, size);
    }
    return size;
  }

  get patterns(): Map<string, Regex | BadPattern> {
    return this.#remembered().patterns;
  }

  #remembered(): Known {
    this.known ??= { patterns: new Map(), sizes: new Map() };
    return this.known;
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
