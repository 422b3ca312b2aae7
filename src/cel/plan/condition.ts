// How is the condition of a macro or of a logical operator evaluated with as few indirections as possible?
import type { Node } from "../ast.ts";
import type { Result } from "../value/value.ts";
import type { Frame, Step } from "./frame.ts";
import type { Planner } from "./planner.ts";
import { decideText, findTextTest, type TextTest } from "./text-test.ts";

/** A test of a text, or anything else that should give a bool. */
export interface Condition {
  readonly test: TextTest | undefined;
  readonly step: Step | undefined;
}

/** The condition that a part of an expression is; the macro variables are for its trace. */
export function planCondition(
  planner: Planner,
  node: Node,
  variables?: readonly { readonly name: string; readonly slot: number }[],
): Condition {
  const test = planner.traced ? undefined : findTextTest(planner, node);
  if (test !== undefined) return { test, step: undefined };
  return { test, step: variables === undefined ? planner.plan(node) : planner.planFor(node, variables) };
}

/** Does it hold? */
export function decide(frame: Frame, condition: Condition): Result {
  return condition.test === undefined ? (condition.step as Step)(frame) : decideText(frame, condition.test);
}
