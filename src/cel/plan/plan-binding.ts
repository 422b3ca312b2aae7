// How do names inside an expression get their values: `cel.bind`, `optMap`, and the `or` of optionals?
import type { Bind, Call, Node, OptionalMap } from "../ast.ts";
import { Optional } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { CelError, type Result, type Value } from "../value/value.ts";
import type { Frame, Step } from "./frame.ts";
import { LIST_COST } from "./plan-container.ts";
import type { Planner } from "./planner.ts";

/** Stands in the place of a variable until somebody asks for it. */
const UNASKED: Result = new CelError("not yet evaluated");

/** The value of a bound variable is computed when it is first used; an unused one costs nothing and cannot fail. */
function planLazily(planner: Planner, slot: number, compute: Step, planBody: () => Step): Step {
  const around = planner.lazy.get(slot);
  planner.lazy.set(slot, (frame) => {
    const value = frame.slots[slot] as Result;
    if (value !== UNASKED) return value;
    const computed = compute(frame);
    frame.slots[slot] = computed;
    return computed;
  });
  const body = planBody();
  if (around === undefined) planner.lazy.delete(slot);
  else planner.lazy.set(slot, around);
  return (frame) => {
    frame.slots[slot] = UNASKED;
    frame.charge(LIST_COST);
    return body(frame);
  };
}

/** `cel.bind(name, value, body)`: cel-go writes it as a loop over an empty list, hence its price. */
export function planBind(planner: Planner, node: Bind): Step {
  const value = planner.plan(node.value);
  return planLazily(planner, planner.slot(node), value, () => planner.plan(node.body));
}

/**
 * `target.optMap(name, body)`. cel-go evaluates the target once to ask whether it has a value and once more for the value;
 * we evaluate it once and charge it twice.
 */
export function planOptionalMap(planner: Planner, node: OptionalMap): Step {
  const target = planner.plan(node.target);
  const slot = planner.slot(node);
  // The target's value and price wait here for the body to ask for them.
  const waiting = new WeakMap<Frame, { content: Value; cost: number }[]>();
  const again: Step = (frame) => {
    const { content, cost } = (waiting.get(frame) as { content: Value; cost: number }[]).at(-1) as {
      content: Value;
      cost: number;
    };
    frame.charge(cost + 1);
    return content;
  };
  const body = planLazily(planner, slot, again, () => planner.plan(node.body));
  const at = { start: node.target.start, end: node.target.end };
  return (frame) => {
    const before = frame.cost;
    const optional = target(frame);
    const cost = frame.cost - before;
    frame.charge(1);
    if (optional instanceof CelError) return optional;
    if (!(optional instanceof Optional))
      return new CelError(`expected an optional and got ${describeValue(optional)}`, at);
    if (optional.content === undefined) {
      frame.charge(1);
      return Optional.none;
    }
    const stack = waiting.get(frame) ?? [];
    waiting.set(frame, stack);
    stack.push({ content: optional.content, cost });
    const result = body(frame);
    stack.pop();
    if (node.flat)
      return result instanceof CelError || result instanceof Optional
        ? result
        : new CelError(`optFlatMap() needs an optional and got ${describeValue(result)}`, at);
    frame.charge(1);
    return result instanceof CelError ? result : new Optional(result);
  };
}

/** `optional.or(other)` and `optional.orValue(other)`: the other side is evaluated only when it is needed. */
export function planOr(planner: Planner, node: Call): Step {
  const left = planner.plan(node.target as Node);
  const right = planner.plan(node.args[0] as Node);
  const unwrap = node.name === "orValue";
  const at = { start: node.at.start, end: node.at.end };
  return (frame) => {
    const optional = left(frame);
    if (optional instanceof CelError) return optional;
    if (!(optional instanceof Optional))
      return new CelError(`${node.name}() needs an optional and got ${describeValue(optional)}`, at);
    if (optional.content !== undefined) return unwrap ? optional.content : optional;
    const other = right(frame);
    if (unwrap || other instanceof Optional || other instanceof CelError) return other;
    return new CelError(`or() needs an optional and got ${describeValue(other)}`, at);
  };
}
