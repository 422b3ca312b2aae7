// How do operators compute: logic, equality, order, arithmetic?
import { type Call, type Node, operatorChain } from "../ast.ts";
import { equalityCost } from "../cost/size.ts";
import { Optional } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { equalValues } from "../value/equality.ts";
import {
  addInts,
  compareNumbers,
  divideInts,
  isNumber,
  moduloInts,
  multiplyInts,
  subtractInts,
} from "../value/number.ts";
import { compareStrings } from "../value/text.ts";
import { Boxed, CelError, type Result, type Value } from "../value/value.ts";
import { failing, located } from "./error.ts";
import type { Step } from "./frame.ts";
import { applicationOf, pricingOf } from "./plan-call.ts";
import type { Planner } from "./planner.ts";

/** `&&` and `||`: the first term that decides ends it, and makes errors of other terms irrelevant. */
export function planLogical(planner: Planner, node: Call): Step {
  const neutral = node.name === "_&&_";
  const steps = node.args.map((arg) => planner.plan(arg));
  const wrong = (value: Value, index: number): CelError => {
    const at = node.args[index] as Node;
    return new CelError(`a side of ${neutral ? "&&" : "||"} is ${describeValue(value)}, not a bool`, {
      start: at.start,
      end: at.end,
    });
  };
  if (steps.length === 2) {
    const [first, second] = steps as [Step, Step];
    return (frame) => {
      const left = first(frame);
      if (left === !neutral) return left;
      const right = second(frame);
      if (right === !neutral) return right;
      if (left !== neutral) return left instanceof CelError ? left : wrong(left, 0);
      return right === neutral || right instanceof CelError ? right : wrong(right, 1);
    };
  }
  return (frame) => {
    let outcome: Result = neutral;
    for (let index = 0; index < steps.length; index++) {
      const value = (steps[index] as Step)(frame);
      if (value === neutral) continue;
      if (value === !neutral) return value;
      if (outcome === neutral) outcome = value instanceof CelError ? value : wrong(value, index);
    }
    return outcome;
  };
}

/** Longer chains of operators run in a loop, so that the stack stays flat. */
const LONGEST_NEST = 32;

/** A binary operator, and the chain of operators on its left. */
export function planChain(planner: Planner, node: Call): Step {
  const chain = operatorChain(node);
  if (chain.length <= LONGEST_NEST) return planBinary(planner, node, planner.plan(node.args[0] as Node));
  let soFar: Result = null;
  const first = planner.plan((chain[0] as Call).args[0] as Node);
  const links = chain.map((link) => planBinary(planner, link, () => soFar));
  return (frame) => {
    let value = first(frame);
    for (const link of links) {
      soFar = value;
      value = link(frame);
    }
    return value;
  };
}

function planBinary(planner: Planner, node: Call, left: Step): Step {
  if (node.name === "_==_" || node.name === "_!=_") return planEquality(planner, node, left);
  const reference = planner.reference(node);
  if (reference?.kind !== "function") return failing(`no such function: ${node.name}`, node.at);
  const right = planner.plan(node.args[1] as Node);
  const application = applicationOf(planner, node, reference);
  const quick = pricingOf(planner, reference) === undefined ? QUICK[node.name] : undefined;
  if (quick === undefined) return (frame) => application.two(frame, left(frame), right(frame));
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = quick(a, b);
    if (result === undefined) return application.two(frame, a, b);
    frame.charge(1);
    return result instanceof CelError ? located(result, node) : result;
  };
}

/** The commonest operands, without a search for the overload; undefined when they are others. */
const QUICK: Readonly<Record<string, (a: Result, b: Result) => Result | undefined>> = {
  "_+_": arithmetic(addInts),
  "_-_": arithmetic(subtractInts),
  "_*_": arithmetic(multiplyInts),
  "_/_": arithmetic(divideInts),
  "_%_": arithmetic(moduloInts),
  "_<_": ordered((order) => order < 0),
  "_<=_": ordered((order) => order <= 0),
  "_>_": ordered((order) => order > 0),
  "_>=_": ordered((order) => order >= 0),
};

function arithmetic(compute: (a: number, b: number) => Result): (a: Result, b: Result) => Result | undefined {
  return (a, b) => (Number.isSafeInteger(a) && Number.isSafeInteger(b) ? compute(a as number, b as number) : undefined);
}

/** Numbers of all kinds are on one line; comparing with NaN is never true. */
function ordered(decide: (order: number) => boolean): (a: Result, b: Result) => Result | undefined {
  return (a, b) => {
    if (typeof a === "number" && typeof b === "number")
      return decide(a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN);
    if (typeof a === "string") return typeof b === "string" ? decide(compareStrings(a, b)) : undefined;
    return isNumber(a) && isNumber(b) ? decide(compareNumbers(a, b)) : undefined;
  };
}

/** `==` and `!=`, with a short way for the commonest form: something that is compared with a literal text. */
function planEquality(planner: Planner, node: Call, left: Step): Step {
  const same = node.name === "_==_";
  const rightNode = node.args[1] as Node;
  const right = planner.plan(rightNode);
  if (rightNode.kind === "literal" && typeof rightNode.value === "string") {
    const text = rightNode.value;
    const short = text.length <= 10 && text.length > 0;
    return (frame) => {
      const value = left(frame);
      if (typeof value === "string") {
        frame.charge(short && value.length > 0 ? 1 : equalityCost(value, text));
        return (value === text) === same;
      }
      frame.charge(equalityCost(value, text));
      return value instanceof CelError ? value : !same;
    };
  }
  const costOf = planner.environment.costs === "kubernetes" ? kubernetesEqualityCost : equalityCost;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    frame.charge(costOf(a, b));
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    return equalValues(a, b, frame) === same;
  };
}

/** Kubernetes charges 1 for comparing two of its own values, whatever their size. */
function kubernetesEqualityCost(a: Result, b: Result): number {
  return a instanceof Boxed && a.type.kind === "opaque" && !(a instanceof Optional) ? 1 : equalityCost(a, b);
}
