/** How does a test call an overload, and which of its answers can be compared with a table? */
import { expect } from "vitest";
import type { Library } from "../../../src/cel/library.ts";
import { Optional } from "../../../src/cel/value/boxes.ts";
import { doubleOf, isDouble, isInt } from "../../../src/cel/value/number.ts";
import { CelError, type Result, type Value } from "../../../src/cel/value/value.ts";
import { countingRun, kubernetesCostOfOverload, overloadOf } from "../../cel/call-overload.ts";

/** What the overload answers to these arguments; an error among them is the answer itself. */
export function call(library: Library, id: string, ...args: readonly Result[]): Result {
  const error = args.find((arg) => arg instanceof CelError);
  return error ?? overloadOf(library, id).call(...args, countingRun());
}

/** What the call costs where Kubernetes' estimator is wanted. */
export function kubernetesCost(library: Library, id: string, ...args: readonly Value[]): number {
  const found = overloadOf(library, id);
  const running = countingRun();
  const cost = kubernetesCostOfOverload(found)?.(args, call(library, id, ...args), running);
  return cost ?? found.cost?.(args, running) ?? 1;
}

/** The answer as the tables have it: integers and boxed values as text, null for an error and for nothing. */
export function plain(result: Result): unknown {
  if (result instanceof CelError) return null;
  if (result instanceof Optional) return result.content === undefined ? null : plain(result.content);
  if (Array.isArray(result)) return result.map(plain);
  if (isInt(result)) return String(result);
  if (isDouble(result)) return float(doubleOf(result));
  return typeof result === "object" ? String(result) : result;
}

/** A double as JSON can hold it. */
function float(value: number): unknown {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

/** Expects that every row of a table is what our code answers for it. */
export function expectRows<Row>(rows: readonly Row[], answer: (row: Row) => unknown): void {
  const differences = rows.map((row) => ({ row, ours: answer(row) })).filter(({ row, ours }) => !same(row, ours));
  expect(differences.slice(0, 20)).toEqual([]);
}

function same(row: unknown, ours: unknown): boolean {
  return JSON.stringify(sorted(row)) === JSON.stringify(sorted(ours));
}

/** The same with sorted keys and without those that are undefined. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
