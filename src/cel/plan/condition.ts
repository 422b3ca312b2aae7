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

/**
 * The test that comes first in the condition and, where it gives `verdict`, decides it: the condition itself, or the first
 * term of `&&` (for false) or `||` (for true).
 */
export function firstTest(planner: Planner, node: Node, verdict: boolean): TextTest | undefined {
  if (planner.traced) return undefined;
  const decisive = node.kind === "call" && node.name === (verdict ? "_||_" : "_&&_");
  return findTextTest(planner, decisive ? (node.args[0] as Node) : node);
}

/** Does it hold? */
export function decide(frame: Frame, condition: Condition): Result {
  return condition.test === undefined ? (condition.step as Step)(frame) : decideText(frame, condition.test);
}
