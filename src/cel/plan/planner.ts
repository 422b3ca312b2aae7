// What is known while a checked expression is turned into closures?
import type { Node } from "../ast.ts";
import { isAttribute } from "../check/attribute.ts";
import type { Checked, Reference } from "../check/checked.ts";
import type { Environment } from "../environment.ts";
import { CelError, type Range, type Result } from "../value/value.ts";
import { type Step, type TraceRecord, UNFINISHED } from "./frame.ts";
import { type Reading, readDoubles, readInts } from "./number-reading.ts";

/** A trace of more parts than this stops growing. */
const MAX_RECORDS = 20_000;

/** Makes the closure of a part; `whole` if it is not inside a path or a conditional. */
export type PlanPart = (planner: Planner, node: Node, whole: boolean) => Step;

/** What is known while an expression is planned. */
export class Planner {
  readonly environment: Environment;
  readonly traced: boolean;
  readonly reading: Reading;
  readonly checked: Checked;
  readonly #planPart: PlanPart;
  #slots = 0;
  /** Macro variables whose value is computed when it is first used, by slot. */
  readonly lazy: Map<number, Step> = new Map();

  constructor(checked: Checked, environment: Environment, traced: boolean, planPart: PlanPart) {
    this.#planPart = planPart;
    this.checked = checked;
    this.environment = environment;
    this.traced = traced;
    this.reading = environment.numbers === "double" ? readDoubles : readInts;
  }

  reference(node: Node): Reference | undefined {
    return this.checked.references.get(node);
  }

  slot(node: Node): number {
    return this.checked.slots.get(node) as number;
  }

  /** A slot in the frame for state that a plan keeps while it runs. */
  newSlot(): number {
    return this.checked.slotCount + this.#slots++;
  }

  /** The closure for a part, charged as a part of its own. */
  plan(node: Node): Step {
    return this.#observed(node, this.#planPart(this, node, true));
  }

  /** The closure for a part inside a path or a conditional, where cel-go does not charge a name by itself. */
  planInner(node: Node): Step {
    if (!isAttribute(this.checked, node)) return this.plan(node);
    return this.#observed(node, this.#planPart(this, node, false));
  }

  /** The same closure, with a record of which macro variables it ran for. */
  planFor(node: Node, variables: readonly { readonly name: string; readonly slot: number }[]): Step {
    if (!this.traced) return this.plan(node);
    return this.#recording(node, this.#planPart(this, node, true), variables);
  }

  #observed(node: Node, step: Step): Step {
    // The value of a literal is obvious.
    return this.traced && node.kind !== "literal" ? this.#recording(node, step, []) : step;
  }

  #recording(node: Node, step: Step, variables: readonly { readonly name: string; readonly slot: number }[]): Step {
    return (frame) => {
      const around = frame.trace;
      if (around === undefined || ++frame.records > MAX_RECORDS) return step(frame);
      const bound = variables.map(({ name, slot }) => ({ name, value: frame.slots[slot] as Result }));
      const record: TraceRecord = { node, result: UNFINISHED, parts: [], ...(bound.length === 0 ? {} : { bound }) };
      around.parts.push(record);
      frame.trace = record;
      record.result = step(frame);
      frame.trace = around;
      return record.result;
    };
  }
}

/** A closure that always fails, with one shared error. */
export function failing(message: string, at: Range): Step {
  const error = new CelError(message, at);
  return () => error;
}
