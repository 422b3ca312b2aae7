// How large can an argument be, before the expression runs?
import type { ArgumentEstimate, CallEstimate, SizeEstimate } from "../../library.ts";
import { isInt } from "../../value/number.ts";

/** At most how large the argument is. */
export function largest(args: readonly ArgumentEstimate[], index: number): number {
  return args[index]?.size.max ?? Number.POSITIVE_INFINITY;
}

/** The value of an int that is written in the expression; undefined when it is computed. */
export function literalInt(args: readonly ArgumentEstimate[], index: number): number | undefined {
  const literal = args[index]?.literal;
  return literal !== undefined && isInt(literal) ? Number(literal) : undefined;
}

/** Zero times anything is zero, also times infinity. */
export function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** From a cost that every call has up to one that is only known at most, with the size of the result. */
export function upTo(cost: number, size?: number): CallEstimate {
  const range: SizeEstimate = { min: Math.min(1, cost), max: cost };
  return size === undefined ? { cost: range } : { cost: range, size: { min: 0, max: size } };
}
