// How do operators compute with small numbers, the common case?
import type { Call } from "../ast.ts";
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
import { CelError, type Result } from "../value/value.ts";
import type { Frame, Step } from "./frame.ts";
import { type Operand, readOperand } from "./operand.ts";
import type { Application } from "./plan-call.ts";

/** Makes the closure of an operator; `otherwise` applies it to operands of less common kinds. */
type PlanNumbers = (node: Call, left: Operand, right: Operand, otherwise: Application) => Step;

/** The closures of arithmetic and order, by the names of the operators. Each costs 1. */
export const NUMBERS: Readonly<Record<string, PlanNumbers>> = {
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
