// What is the value of a compiled expression for these variables?
import type { Checked } from "./check/checked.ts";
import { estimateCost, type SchemaSizes } from "./cost/estimate.ts";
import type { SizeEstimate } from "./cost/range.ts";
import { DataReader } from "./data-reader.ts";
import { type Dependencies, dependenciesOf } from "./dependencies.ts";
import type { Environment } from "./environment.ts";
import { NoElement } from "./plan/field.ts";
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
import { DYN, type Type } from "./type.ts";
import { Optional } from "./value/boxes.ts";
import { EvaluationError } from "./value/evaluation-error.ts";
import { fromJS } from "./value/from-js.ts";
import { type JsOptions, toJS } from "./value/to-js.ts";
import { CelError, DataError, isJsonMap, type Result, reasonOf } from "./value/value.ts";

/** A compiled expression. The frame is reused between evaluations; a nested evaluation gets its own. */
export class Program {
  readonly text: string;
  readonly checked: Checked;
  readonly environment: Environment;
  /** Planned for the first evaluation, because many expressions are only checked. */
  #step: Step | undefined;
  readonly #frame: Frame;
  /** The frame of an evaluation that was started while another one ran. */
  #inside: Frame | undefined;
  #tracedStep: Step | undefined;
  /** Converts data that is not made of values of CEL; undefined with `data: "json"`. */
  readonly #reader: DataReader | undefined;

  constructor(text: string, checked: Checked, environment: Environment) {
    this.text = text;
    this.checked = checked;
    this.environment = environment;
    this.#frame = new Frame(DEFAULT_LIMITS, checked.slotCount);
    this.#reader = environment.data === "json" ? undefined : new DataReader(checked, environment);
  }

  /** The type of the value. */
  get type(): Type {
    return this.checked.type;
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
  evaluate(bindings: Bindings | object = {}): Result {
    this.#step ??= plan(this.checked, this.environment, false);
    return this.#runIn(this.#frame.isBusy ? this.#another() : this.#frame, this.#step, bindings as Bindings);
  }

  /**
   * The value for these variables as plain JavaScript (`toJS`). Throws an EvaluationError where `evaluate` returns an
   * error.
   */
  run(bindings: Bindings | object = {}, options: JsOptions = {}): unknown {
    const result = this.evaluate(bindings);
    if (result instanceof CelError) throw new EvaluationError(result, this.text);
    return toJS(result, options);
  }

  /** What the expression reads, so that a change of anything else cannot change its value. */
  get dependencies(): Dependencies {
    return dependenciesOf(this.checked);
  }

  /** What an evaluation costs at least and at most; at most Infinity where that depends on the size of the data. */
  estimate(sizes?: SchemaSizes): SizeEstimate {
    return estimateCost(this.checked, this.environment, sizes);
  }

  /** The value, and with it the value of every part that was evaluated. */
  trace(bindings: Bindings | object = {}): { readonly result: Result; readonly trace: TraceRecord } {
    this.#tracedStep ??= plan(this.checked, this.environment, true);
    const holder: TraceRecord = { node: this.checked.root, result: UNFINISHED, parts: [] };
    const frame = this.#frame.isBusy ? this.#another() : this.#frame;
    frame.trace = holder;
    frame.records = 0;
    try {
      holder.result = this.#runIn(frame, this.#tracedStep, bindings as Bindings);
    } finally {
      frame.trace = undefined;
    }
    return { result: holder.result, trace: holder.parts[0] ?? holder };
  }

  #runIn(frame: Frame, step: Step, bindings: Bindings): Result {
    const reader = this.#reader;
    // Data made by a parser needs no second check, and reading it cannot throw.
    if (reader === undefined) return this.#attempt(frame, step, bindings, undefined);
    if (reader.isNeeded || frame.trace !== undefined) return this.#attempt(frame, step, bindings, reader);
    const result = this.#attempt(frame, step, bindings, undefined);
    // A missing key, the commonest error, is missing in any case.
    if (!(result instanceof CelError) || result instanceof NoElement || result instanceof LimitError) return result;
    // Something in the data may be no value of CEL, but have a counterpart: from now on it is converted first.
    if (!reader.findsForeign(bindings)) return result;
    reader.isNeeded = true;
    return this.#attempt(frame, step, bindings, reader);
  }

  #attempt(frame: Frame, step: Step, bindings: Bindings, reader: DataReader | undefined): Result {
    const careful = this.#reader !== undefined;
    frame.begin(bindings);
    try {
      if (reader !== undefined) frame.bindings = reader.read(bindings);
      const result = step(frame);
      return careful ? this.#settled(result) : result;
    } catch (thrown) {
      if (thrown instanceof DataError && !careful)
        return new DataError(() => `${thrown.message} (with data: "json" nothing is converted)`);
      if (thrown instanceof CelError) return thrown;
      // Only values that nest too deeply for the stack get here: the depth of expressions is bounded by the parser.
      if (thrown instanceof RangeError && (!careful || thrown.message.startsWith("Maximum call stack")))
        return new LimitError("depth", "the evaluation was stopped: a value is nested too deeply");
      if (!careful) throw thrown;
      return new DataError(() => `the data cannot be read: ${reasonOf(thrown)}`);
    } finally {
      frame.isBusy = false;
    }
  }

  /** The result, with values of CEL for the data in it. Throws a DataError when it is something that has no counterpart. */
  #settled(result: Result): Result {
    const read =
      typeof result === "object" && !(result instanceof CelError)
        ? fromJS(result, DYN, this.environment.border)
        : result;
    isJsonMap(read instanceof Optional && read.content !== undefined ? read.content : read);
    return read;
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
