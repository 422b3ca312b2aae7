// How is a checked expression turned into functions that compute it?
//
// Every part becomes a closure over the closures of its parts, once. While the expression runs nothing is looked up by
// name, no input is copied, and errors are values. Costs are charged exactly as cel-go v0.29.2 does; the odd places
// (a name in the branch of a conditional is free, a binding is evaluated when it is first used) follow it.
import { type Call, isBinary, type Node } from "../ast.ts";
import { isAttribute } from "../check/attribute.ts";
import type { Checked } from "../check/checked.ts";
import type { Environment } from "../environment.ts";
import { folded, isFolded } from "./constant.ts";
import type { Step } from "./frame.ts";
import { planBind, planOptionalMap, planOr } from "./plan-binding.ts";
import { planCall } from "./plan-call.ts";
import { planList, planMap, planMessage } from "./plan-container.ts";
import { planFold } from "./plan-fold.ts";
import { planChain, planLogical } from "./plan-operator.ts";
import { planAttribute } from "./plan-path.ts";
import { Planner } from "./planner.ts";

/** The closure that computes the whole expression. With `traced` every part's value is recorded. */
export function plan(checked: Checked, environment: Environment, traced: boolean): Step {
  return new Planner(checked, environment, traced, planPart).plan(checked.root);
}

function planPart(planner: Planner, node: Node, whole: boolean): Step {
  if (isAttribute(planner.checked, node)) return planAttribute(planner, node, whole);
  const step = planByKind(planner, node);
  return isFolded(planner, node) ? folded(step) : step;
}

function planByKind(planner: Planner, node: Node): Step {
  switch (node.kind) {
    case "literal": {
      const { value } = node;
      return () => value;
    }
    case "identifier":
    case "select": {
      const reference = planner.reference(node);
      const value = reference?.kind === "constant" ? reference.value : null;
      return () => value;
    }
    case "call":
      return planAnyCall(planner, node);
    case "list":
      return planList(planner, node);
    case "map":
      return planMap(planner, node);
    case "message":
      return planMessage(planner, node);
    case "fold":
      return planFold(planner, node);
    case "bind":
      return planBind(planner, node);
    case "optional-map":
      return planOptionalMap(planner, node);
  }
}

function planAnyCall(planner: Planner, node: Call): Step {
  if (isBinary(node)) return planChain(planner, node);
  if (node.name === "_&&_" || node.name === "_||_") return planLogical(planner, node);
  const reference = planner.reference(node);
  const alternative = reference?.kind === "function" && (reference.name === "or" || reference.name === "orValue");
  return alternative && node.target !== undefined && node.args.length === 1
    ? planOr(planner, node)
    : planCall(planner, node);
}
