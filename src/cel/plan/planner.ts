// How is a checked expression turned into functions that compute it?
//
// Every part becomes a closure over the closures of its parts, once. While the expression runs nothing is looked up by
// name, no input is copied, and errors are values. Costs are charged exactly as cel-go v0.29.2 does; the odd places
// (a name in the branch of a conditional is free, a binding is evaluated when it is first used) follow it.
import { isBinary, type Node } from "../ast.ts";
import { isAttribute } from "../check/attribute.ts";
import { type Checked, type Reference, typeOfNode } from "../check/checked.ts";
import type { Environment } from "../environment.ts";
import type { Type } from "../type.ts";
import { CelError, type Range, type Result } from "../value/value.ts";
import type { Step, TraceRecord } from "./frame.ts";
import { type Reading, readDoubles, readInts } from "./number-reading.ts";
import { planBind, planOptionalMap } from "./plan-binding.ts";
import { planCall } from "./plan-call.ts";
import { planList, planMap } from "./plan-container.ts";
import { planFold } from "./plan-fold.ts";
import { planChain } from "./plan-operator.ts";
import { planAttribute } from "./plan-path.ts";

/** The closure that computes the whole expression. With `traced` every part's value is recorded. */
export function plan(checked: Checked, environment: Environment, traced: boolean): Step {
  return new Planner(checked, environment, traced).plan(checked.root);
}

/** A trace of more parts than this stops growing. */
const MOST_RECORDS = 20_000;

/** What is known while an expression is planned. */
export class Planner {
  readonly environment: Environment;
  readonly traced: boolean;
  readonly reading: Reading;
  readonly checked: Checked;
  /** Macro variables whose value is computed when it is first used, by their places. */
  readonly lazy: Map<number, Step> = new Map();

  constructor(checked: Checked, environment: Environment, traced: boolean) {
    this.checked = checked;
    this.environment = environment;
    this.traced = traced;
    this.reading = environment.numbers === "double" ? readDoubles : readInts;
  }

  type(node: Node): Type {
    return typeOfNode(this.checked, node);
  }

  reference(node: Node): Reference | undefined {
    return this.checked.references.get(node);
  }

  slot(node: Node): number {
    return this.checked.slots.get(node) as number;
  }

  /** The closure for a part, charged as a part of its own. */
  plan(node: Node): Step {
    return this.#observed(node, this.#plan(node));
  }

  /** The closure for a part inside a path or a conditional, where cel-go does not charge a name by itself. */
  planInner(node: Node): Step {
    if (!isAttribute(this.checked, node)) return this.plan(node);
    return this.#observed(node, planAttribute(this, node, false));
  }

  /** The same closure, with a record of which macro variables it ran for. */
  planFor(node: Node, variables: readonly { readonly name: string; readonly slot: number }[]): Step {
    if (!this.traced) return this.plan(node);
    return this.#recording(node, this.#plan(node), variables);
  }

  #plan(node: Node): Step {
    if (isAttribute(this.checked, node)) return planAttribute(this, node, true);
    switch (node.kind) {
      case "literal": {
        const { value } = node;
        return () => value;
      }
      case "identifier":
      case "select": {
        const reference = this.reference(node);
        const value = reference?.kind === "constant" ? reference.value : null;
        return () => value;
      }
      case "call":
        return isBinary(node) ? planChain(this, node) : planCall(this, node);
      case "list":
        return planList(this, node);
      case "map":
        return planMap(this, node);
      case "message":
        return failing(`no such message type ${node.name}`, node);
      case "fold":
        return planFold(this, node);
      case "bind":
        return planBind(this, node);
      case "optional-map":
        return planOptionalMap(this, node);
    }
  }

  #observed(node: Node, step: Step): Step {
    return this.traced ? this.#recording(node, step, []) : step;
  }

  #recording(node: Node, step: Step, variables: readonly { readonly name: string; readonly slot: number }[]): Step {
    let count = 0;
    return (frame) => {
      const around = frame.trace;
      if (around === undefined) return step(frame);
      if (around.parts.length === 0 && around.node === this.checked.root) count = 0;
      if (++count > MOST_RECORDS) return step(frame);
      const bound = variables.map(({ name, slot }) => ({ name, value: frame.slots[slot] as Result }));
      const record: TraceRecord = { node, result: null, parts: [], ...(bound.length === 0 ? {} : { bound }) };
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

/** The error with its place in the expression, if it has none yet. */
export function located(error: CelError, at: Range): CelError {
  return error.range === undefined ? new CelError(error.message, { start: at.start, end: at.end }) : error;
}
