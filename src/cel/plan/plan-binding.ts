// How do names inside an expression get their values: `cel.bind`, `optMap`, and the `or` of optionals?
import type { Bind, Call, Node, OptionalMap } from "../ast.ts";
import { LIST_COST } from "../cost/size.ts";
import { Optional } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { CelError, type Result } from "../value/value.ts";
import { rangeOf } from "./field.ts";
import type { Step } from "./frame.ts";
import type { Planner } from "./planner.ts";

/** Placeholder in the slot of a variable that was not evaluated yet. */
const UNASKED: Result = new CelError("not yet evaluated");

/** The value of a bound variable is computed when it is first used; an unused one costs nothing and cannot fail. */
function planLazily(planner: Planner, slot: number, compute: Step, bodyNode: Node): Step {
  planner.lazy.set(slot, (frame) => {
    const value = frame.slots[slot] as Result;
    if (value !== UNASKED) return value;
    const computed = compute(frame);
    frame.slots[slot] = computed;
    return computed;
  });
  const body = planner.plan(bodyNode);
  const cost = planner.environment.costs === "api-server" ? 0 : LIST_COST;
  return (frame) => {
    frame.slots[slot] = UNASKED;
    frame.charge(cost);
    return body(frame);
  };
}

/** `cel.bind(name, value, body)`: cel-go writes it as a loop over an empty list, hence its cost. */
export function planBind(planner: Planner, node: Bind): Step {
  return planLazily(planner, planner.slot(node), planner.plan(node.value), node.body);
}

/**
 * `target.optMap(name, body)`. As in cel-go the target is evaluated to see whether it has a value, and evaluated again when
 * the body asks for that value.
 */
export function planOptionalMap(planner: Planner, node: OptionalMap): Step {
  const target = planner.plan(node.target);
  const again: Step = (frame) => {
    const optional = target(frame);
    frame.charge(1);
    return optional instanceof Optional && optional.content !== undefined ? optional.content : optional;
  };
  const body = planLazily(planner, planner.slot(node), again, node.body);
  const at = rangeOf(node.target);
  return (frame) => {
    const optional = target(frame);
    frame.charge(1);
    if (optional instanceof CelError) return optional;
    if (!(optional instanceof Optional))
      return new CelError(() => `expected an optional and got ${describeValue(optional)}`, at);
    if (optional.content === undefined) {
      frame.charge(1);
      return Optional.none;
    }
    const result = body(frame);
    if (!node.flat) frame.charge(1);
    if (result instanceof CelError) return result;
    if (!node.flat) return new Optional(result);
    return result instanceof Optional
      ? result
      : new CelError(() => `optFlatMap() needs an optional and got ${describeValue(result)}`, at);
  };
}

/** `optional.or(other)` and `optional.orValue(other)`: the other side is evaluated only when it is needed. */
export function planOr(planner: Planner, node: Call): Step {
  const left = planner.plan(node.target as Node);
  const right = planner.plan(node.args[0] as Node);
  const unwrap = node.name === "orValue";
  const at = rangeOf(node.at);
  return (frame) => {
    const optional = left(frame);
    if (optional instanceof CelError) return optional;
    if (!(optional instanceof Optional))
      return new CelError(() => `${node.name}() needs an optional and got ${describeValue(optional)}`, at);
    if (optional.content !== undefined) return unwrap ? optional.content : optional;
    const other = right(frame);
    if (unwrap || other instanceof Optional || other instanceof CelError) return other;
    return new CelError(() => `or() needs an optional and got ${describeValue(other)}`, at);
  };
}
