// How do operators compute: logic, equality, order, arithmetic?

import { type Call, type Node, operatorChain } from "../ast.ts";
import { equalityCost, LIST_COST } from "../cost/size.ts";
import { Optional } from "../value/boxes.ts";
import { describeValue } from "../value/describe.ts";
import { equalValues, type Worker } from "../value/equality.ts";
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
import { type Condition, decide, planCondition } from "./condition.ts";
import { isFolded } from "./constant.ts";
import { rangeOf } from "./field.ts";
import type { Frame, Step } from "./frame.ts";
import { type Operand, operandOfStep, planOperand, readOperand } from "./operand.ts";
import { type Application, applicationOf, planApplication, pricingOf } from "./plan-call.ts";
import { constantList } from "./plan-container.ts";
import { failing, type Planner } from "./planner.ts";
import { decideText, equalsText, literalText, textTest } from "./text-test.ts";

/** `&&` and `||`: the first term that decides ends it, and makes errors of other terms irrelevant. */
export function planLogical(planner: Planner, node: Call): Step {
  const neutral = node.name === "_&&_";
  const terms = node.args.map((arg) => planCondition(planner, arg));
  const wrong = (value: Value, index: number): CelError => {
    const at = rangeOf(node.args[index] as Node);
    return new CelError(() => `a side of ${neutral ? "&&" : "||"} is ${describeValue(value)}, not a bool`, at);
  };
  if (terms.length === 2) {
    const [first, second] = terms as [Condition, Condition];
    return (frame) => {
      const left = decide(frame, first);
      if (left === !neutral) return left;
      const right = decide(frame, second);
      if (right === !neutral) return right;
      if (left !== neutral) return left instanceof CelError ? left : wrong(left, 0);
      return right === neutral || right instanceof CelError ? right : wrong(right, 1);
    };
  }
  return (frame) => {
    let outcome: Result = neutral;
    for (let index = 0; index < terms.length; index++) {
      const value = decide(frame, terms[index] as Condition);
      if (value === neutral) continue;
      if (value === !neutral) return value;
      if (outcome === neutral) outcome = value instanceof CelError ? value : wrong(value, index);
    }
    return outcome;
  };
}

/** Longer chains of operators run in a loop, so that the stack stays flat. */
const MAX_NEST_LENGTH = 32;

/** A binary operator, and the chain of operators on its left. */
export function planChain(planner: Planner, node: Call): Step {
  const chain = operatorChain(node);
  if (chain.length <= MAX_NEST_LENGTH) return planBinary(planner, node, planOperand(planner, node.args[0] as Node));
  const soFar = planner.newSlot();
  const first = planner.plan((chain[0] as Call).args[0] as Node);
  const left = operandOfStep((frame) => frame.slots[soFar] as Result);
  const links = chain.map((link) => planBinary(planner, link, left));
  return (frame) => {
    let value = first(frame);
    for (const link of links) {
      frame.slots[soFar] = value;
      value = link(frame);
    }
    return value;
  };
}

function planBinary(planner: Planner, node: Call, left: Operand): Step {
  if (node.name === "_==_" || node.name === "_!=_") return planEquality(planner, node, left);
  const reference = planner.reference(node);
  if (reference?.kind !== "function") return failing(`no such function: ${node.name}`, node.at);
  const pricing = pricingOf(planner, reference);
  const among = node.name === "@in" && pricing?.before !== undefined ? planAmong(planner, node, left) : undefined;
  if (among !== undefined) return among;
  const right = planOperand(planner, node.args[1] as Node);
  const numbers = pricing === undefined ? NUMBERS[node.name] : undefined;
  if (numbers === undefined) return planApplication(planner, node, reference, [left, right]);
  return numbers(node, left, right, applicationOf(planner, node, reference));
}

/** `value in ["a", "b"]`: the list is made once, and charged every time unless it is folded. */
function planAmong(planner: Planner, node: Call, left: Operand): Step | undefined {
  const list = node.args[1] as Node;
  const elements = list.kind === "list" && !planner.traced ? constantList(list) : undefined;
  if (elements === undefined) return undefined;
  const free = isFolded(planner, list);
  const cost = free ? 0 : LIST_COST + elements.length;
  const texts = elements.every((element) => typeof element === "string");
  if (!texts && !(free && elements.every(isPlain))) return undefined;
  return (frame) => {
    const value = readOperand(frame, left);
    frame.charge(cost);
    if (value instanceof CelError) return value;
    if (texts) return typeof value === "string" && elements.includes(value);
    return elements.some((element) => equalValues(value, element, frame));
  };
}

/** Is it a bool, a number or a text? */
function isPlain(value: Value): boolean {
  return typeof value === "boolean" || typeof value === "string" || isNumber(value);
}

/** `==` and `!=`, with a fast path for the most common form, a comparison with a string literal. */
function planEquality(planner: Planner, node: Call, left: Operand): Step {
  const literal = planner.traced ? undefined : literalText(node);
  if (literal !== undefined) {
    if (left.path === undefined) return (frame) => equalsText(frame, readOperand(frame, left), literal);
    const test = textTest(left.path, literal);
    return (frame) => decideText(frame, test);
  }
  const same = node.name === "_==_";
  // Kubernetes has a cost of its own for `==` alone.
  const costOf = planner.environment.costs === "cel" || !same ? equalityCost : kubernetesEqualityCost;
  const right = planOperand(planner, node.args[1] as Node);
  return (frame) => {
    const a = readOperand(frame, left);
    const b = readOperand(frame, right);
    frame.charge(costOf(a, b, frame));
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    return equalValues(a, b, frame) === same;
  };
}

/** Kubernetes charges 1 for comparing two values of its own types. */
function kubernetesEqualityCost(a: Result, b: Result, worker: Worker): number {
  return a instanceof Boxed && a.type.kind === "opaque" && !(a instanceof Optional) ? 1 : equalityCost(a, b, worker);
}

/** Makes the closure of an operator; `otherwise` applies it to operands of less common kinds. */
type PlanNumbers = (node: Call, left: Operand, right: Operand, otherwise: Application) => Step;

/** The closures of arithmetic and order, by the names of the operators. Each costs 1. */
const NUMBERS: Readonly<Record<string, PlanNumbers>> = {
  "_+_": arithmetic(addInts),
  "_-_": arithmetic(subtractInts),
  "_*_": arithmetic(multiplyInts),
  "_/_": arithmetic(divideInts),
  "_%_": arithmetic(moduloInts),
  "_<_": order(true, false),
  "_<=_": order(true, true),
  "_>_": order(false, false),
  "_>=_": order(false, true),
};

function arithmetic(compute: (a: number, b: number) => Result): PlanNumbers {
  return (node, left, right, otherwise) => (frame) => {
    const a = readOperand(frame, left);
    const b = readOperand(frame, right);
    if (!isSafe(a) || !isSafe(b)) return otherwise(frame, [a, b]);
    frame.charge(1);
    const result = compute(a, b);
    return typeof result === "number" ? result : result instanceof CelError ? result.placed(node) : result;
  };
}

function isSafe(value: Result): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

/** Numbers of all kinds are on one line; comparing with NaN is never true. */
function order(less: boolean, equal: boolean): PlanNumbers {
  return (_node, left, right, otherwise) => (frame) => {
    const a = readOperand(frame, left);
    const b = readOperand(frame, right);
    if (typeof a === "number" && typeof b === "number") {
      frame.charge(1);
      return less ? a < b || (equal && a === b) : a > b || (equal && a === b);
    }
    const comparison = compare(a, b, frame);
    if (comparison === undefined) return otherwise(frame, [a, b]);
    frame.charge(1);
    return less ? comparison < 0 || (equal && comparison === 0) : comparison > 0 || (equal && comparison === 0);
  };
}

function compare(a: Result, b: Result, frame: Frame): number | undefined {
  if (typeof a === "string") return typeof b === "string" ? compareStrings(a, b, frame) : undefined;
  return isNumber(a) && isNumber(b) ? compareNumbers(a, b) : undefined;
}
