// Which parts are computed once, and free of charge?
//
// The API server lets cel-go fold constants: lists and maps of literals, and conversions of literals, are free.
import type { Node } from "../ast.ts";
import type { Result } from "../value/value.ts";
import type { Step } from "./frame.ts";
import type { Planner } from "./planner.ts";

const CONVERSIONS: ReadonlySet<string> = new Set("bool bytes double duration dyn int string timestamp uint".split(" "));

/** Is the part folded? A literal is free in any case. */
export function isFolded(planner: Planner, node: Node): boolean {
  return planner.environment.costs === "api-server" && node.kind !== "literal" && isConstant(node);
}

function isConstant(node: Node): boolean {
  switch (node.kind) {
    case "literal":
      return true;
    case "list":
      return node.elements.every(({ value, optional }) => !optional && isConstant(value));
    case "map":
      return node.entries.every(({ key, value, optional }) => !optional && isConstant(key) && isConstant(value));
    case "call":
      return (
        node.target === undefined && CONVERSIONS.has(node.name) && node.args.length === 1 && node.args.every(isConstant)
      );
    default:
      return false;
  }
}

/** A closure that evaluates the part once, and free of charge. */
export function folded(step: Step): Step {
  let known: Result | undefined;
  return (frame) => {
    if (known !== undefined) return known;
    const { cost } = frame;
    known = step(frame);
    frame.cost = cost;
    return known;
  };
}
