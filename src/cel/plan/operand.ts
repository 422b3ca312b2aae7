// How is an operand or argument evaluated with as few indirections as possible?
import type { Node } from "../ast.ts";
import type { Result, Value } from "../value/value.ts";
import { type FixedPath, fixedPath, readPath } from "./fixed-path.ts";
import type { Frame, Step } from "./frame.ts";
import type { Planner } from "./planner.ts";

/** A part whose value is needed: a literal, a path, or anything else. */
export interface Operand {
  readonly literal: Value | undefined;
  readonly path: FixedPath | undefined;
  readonly step: Step | undefined;
}

/** The planned operand. */
export function planOperand(planner: Planner, node: Node): Operand {
  if (node.kind === "literal" && !planner.traced) return { literal: node.value, path: undefined, step: undefined };
  const path = fixedPath(planner, node);
  return { literal: undefined, path, step: path === undefined ? planner.plan(node) : undefined };
}

/** What a closure computes, as an operand. */
export function operandOfStep(step: Step): Operand {
  return { literal: undefined, path: undefined, step };
}

/** Its value. */
export function readOperand(frame: Frame, operand: Operand): Result {
  if (operand.path !== undefined) return readPath(frame, operand.path);
  return operand.step === undefined ? (operand.literal as Value) : operand.step(frame);
}
