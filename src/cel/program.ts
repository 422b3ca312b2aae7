// What is the value of a compiled expression for these variables?
import type { Checked } from "./check/checked.ts";
import type { Environment } from "./environment.ts";
import {
  type Bindings,
  DEFAULT_LIMITS,
  Frame,
  LimitError,
  type Limits,
  type Step,
  type TraceRecord,
  UNFINISHED,
} from "./plan/frame.ts";
import { plan } from "./plan/plan.ts";
import type { Type } from "./type.ts";
import { Optional } from "./value/boxes.ts";
import { CelError, DataError, isJsonMap, type Result, reasonOf } from "./value/value.ts";

/** A compiled expression. The frame is reused between evaluations; a nested evaluation gets its own. */
export class Program {
  readonly text: string;
  readonly checked: Checked;
  readonly environment: Environment;
  readonly #step: Step;
  readonly #frame: Frame;
  /** The frame of an evaluation that was started while another one ran. */
  #inside: Frame | undefined;
  #tracedStep: Step | undefined;

  constructor(text: string, checked: Checked, environment: Environment) {
    this.text = text;
    this.checked = checked;
    this.environment = environment;
    this.#step = plan(checked, environment, false);
    this.#frame = new Frame(DEFAULT_LIMITS, checked.slotCount);
  }

  /** The type of the value. */
  get type(): Type {
    return this.checked.types.get(this.checked.root) as Type;
  }

  /** What the last evaluation cost. */
  get cost(): number {
    return this.#lastFrame().cost;
  }

  /** Elements and characters that the last evaluation visited without a charge. */
  get work(): number {
    return this.#lastFrame().done;
  }

  /** How many elements and characters the intermediate results of the last evaluation had. */
  get memory(): number {
    return this.#lastFrame().memory;
  }

  /** Bounds every evaluation from now on. */
  limit(limits: Partial<Limits>): this {
    this.#frame.costLimit = limits.cost ?? this.#frame.costLimit;
    this.#frame.memoryLimit = limits.memory ?? this.#frame.memoryLimit;
    this.#frame.workLimit = limits.work ?? this.#frame.workLimit;
    return this;
  }

  /** The value for these variables, or the error. The bindings are only read, never copied or changed. */
  evaluate(bindings: Bindings): Result {
    return this.#runIn(this.#frame.isBusy ? this.#another() : this.#frame, this.#step, bindings);
  }

  /** The value, and with it the value of every part that was evaluated. */
  trace(bindings: Bindings): { readonly result: Result; readonly trace: TraceRecord } {
    this.#tracedStep ??= plan(this.checked, this.environment, true);
    const holder: TraceRecord = { node: this.checked.root, result: UNFINISHED, parts: [] };
    const frame = this.#frame.isBusy ? this.#another() : this.#frame;
    frame.trace = holder;
    frame.records = 0;
    try {
      holder.result = this.#runIn(frame, this.#tracedStep, bindings);
    } finally {
      frame.trace = undefined;
    }
    return { result: holder.result, trace: holder.parts[0] ?? holder };
  }

  #runIn(frame: Frame, step: Step, bindings: Bindings): Result {
    // Data made by a parser needs no second check, and reading it cannot throw.
    const careful = this.environment.data !== "json";
    frame.begin(bindings);
    try {
      const result = step(frame);
      if (careful) refuseNoValue(result);
      return result;
    } catch (thrown) {
      if (thrown instanceof CelError) return thrown;
      // Only values that nest too deeply for the stack get here: the depth of expressions is bounded by the parser.
      if (thrown instanceof RangeError)
        return new LimitError("depth", "the evaluation was stopped: a value is nested too deeply");
      if (!careful) throw thrown;
      return new DataError(() => `the data cannot be read: ${reasonOf(thrown)}`);
    } finally {
      frame.isBusy = false;
    }
  }

  /** A frame for an evaluation inside of one: a function that the expression calls may evaluate it again. */
  #another(): Frame {
    const { costLimit: cost, memoryLimit: memory, workLimit: work } = this.#frame;
    this.#inside = new Frame({ cost, memory, work }, this.checked.slotCount);
    return this.#inside;
  }

  /** The frame of the evaluation that ended last. */
  #lastFrame(): Frame {
    return (this.#frame.isBusy ? this.#inside : undefined) ?? this.#frame;
  }
}

/** Throws a DataError when the result is something from the data that is not a CEL value; its content is not checked. */
function refuseNoValue(result: Result): void {
  if (result instanceof Optional && result.content !== undefined) refuseNoValue(result.content);
  else isJsonMap(result);
}
