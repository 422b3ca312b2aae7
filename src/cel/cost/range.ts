// At least and at most: how are estimates of sizes and costs computed?
import type { ArgumentEstimate, CallEstimate } from "../library.ts";
import { isInt } from "../value/number.ts";
import { traversalCost } from "./size.ts";

/** At least and at most. The maximum is Infinity when nothing bounds it. */
export interface SizeEstimate {
  readonly min: number;
  readonly max: number;
}

export const FREE: SizeEstimate = { min: 0, max: 0 };
export const ONE: SizeEstimate = { min: 1, max: 1 };
export const UNKNOWN: SizeEstimate = { min: 0, max: Number.POSITIVE_INFINITY };

/** Known exactly. */
export function exactly(size: number): SizeEstimate {
  return { min: size, max: size };
}

export function plus(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: a.min + b.min, max: a.max + b.max };
}

export function times(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: product(a.min, b.min), max: product(a.max, b.max) };
}

/** The range that holds both. */
export function either(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** The cost of traversing a string of this size. */
export function traversal({ min, max }: SizeEstimate): SizeEstimate {
  return { min: traversalCost(min), max: traversalCost(max) };
}

/** Zero times anything is zero, also times infinity. */
export function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** The size of an argument; unknown if the call has no such argument. */
export function sizeAt(args: readonly ArgumentEstimate[], index: number): SizeEstimate {
  return args[index]?.size ?? UNKNOWN;
}

/** The maximum size of an argument. */
export function largest(args: readonly ArgumentEstimate[], index: number): number {
  return sizeAt(args, index).max;
}

/** The value of an int literal; undefined when the argument is computed. */
export function literalInt(args: readonly ArgumentEstimate[], index: number): number | undefined {
  const literal = args[index]?.literal;
  return literal !== undefined && isInt(literal) ? Number(literal) : undefined;
}

/** A call of which only the maximum cost is known, with the maximum size of its result. */
export function upTo(cost: number, size?: number): CallEstimate {
  const range: SizeEstimate = { min: Math.min(1, cost), max: cost };
  return size === undefined ? { cost: range } : { cost: range, size: { min: 0, max: size } };
}
