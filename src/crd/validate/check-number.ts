// Is a number valid? Follows kube-openapi's number validator as apiextensions-apiserver v0.37 has it. To the API server a
// number is a 64-bit integer if it is written like one, and a double otherwise; the bounds of a schema are doubles.

import type { Bound, Schema } from "../schema/schema.ts";
import { expectedTypes, hasFormat, typeKeyword } from "./expectation.ts";
import type { NumberRange } from "./fault.ts";
import type { CheckOf } from "./validation-run.ts";
import { shownScalar } from "./value-text.ts";

type NumberCheck = CheckOf<number | bigint>;

const LEAST_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_INT32 = 2 ** 31 - 1;

/** Is it a 64-bit integer? Whole numbers beyond 2^53 come as bigint if they were written with all their digits. */
function isWhole(value: number | bigint): boolean {
  if (typeof value === "bigint") return value >= LEAST_INT64 && value <= MAX_INT64;
  return Number.isSafeInteger(value);
}

/** Is a double so close to an integer that the API server takes it for one? */
function isNearlyWhole(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false;
  const rounded = Math.round(value);
  return value === rounded || Math.abs(value - rounded) < 1e-9 * Math.abs(rounded);
}

/** The checks of a schema for numbers. */
export function numberChecks(schema: Schema): NumberCheck[] {
  const checks: NumberCheck[] = [];
  const types = expectedTypes(schema);
  if (types.includes("integer")) checks.push(integerCheck(schema, types.length === 1));
  const misfit = rangeOf(schema, types);
  if (misfit !== undefined) {
    checks.push((value, search) => {
      const range = misfit(value);
      if (range === undefined) return true;
      return search.fault(schema, "format", () => ({ kind: "range", range, actual: shownScalar(value) }));
    });
  }
  const unusable = (bound: Bound): NumberRange | undefined => {
    if (types[0] === "integer" && types.length === 1 && !isWholeBound(Number(bound))) return "int64";
    return misfit?.(bound);
  };
  if (schema.multipleOf !== undefined) checks.push(multipleCheck(schema, schema.multipleOf, unusable));
  if (schema.minimum !== undefined) checks.push(boundCheck(schema, "minimum", schema.minimum, unusable));
  if (schema.maximum !== undefined) checks.push(boundCheck(schema, "maximum", schema.maximum, unusable));
  return checks;
}

function integerCheck(schema: Schema, isStrict: boolean): NumberCheck {
  return (value, search) => {
    if (isWhole(value) || (!isStrict && isNearlyWhole(Number(value)))) return true;
    const isTooLarge = typeof value === "bigint" || Number.isInteger(value);
    const detail = {
      kind: "not-whole",
      expected: expectedTypes(schema),
      actual: shownScalar(value),
      isTooLarge,
    } as const;
    return search.fault(schema, "type", () => detail, [], typeKeyword(schema));
  };
}

/** The range that a number of the format does not fit into; undefined if the format means no more than the type. */
function rangeOf(schema: Schema, types: readonly string[]): ((value: Bound) => NumberRange | undefined) | undefined {
  if (types.length !== 1 || !hasFormat(schema)) return undefined;
  if (schema.format === "int32") {
    return (value) => (value >= -MAX_INT32 - 1 && value <= MAX_INT32 ? undefined : "int32");
  }
  if (schema.format === "float") {
    return (value) => (Number.isFinite(Math.fround(Number(value))) ? undefined : "float");
  }
  return undefined;
}

function isWholeBound(bound: number): boolean {
  return Number.isInteger(bound) && bound >= -(2 ** 63) && bound < 2 ** 63;
}

/** API servers from Kubernetes 1.36 on refuse every number where the schema has a bound that its own format does not allow. */
function unusableBound(schema: Schema, keyword: string, bound: Bound, range: NumberRange): NumberCheck {
  const detail = { kind: "unusable-bound", keyword, bound: shownScalar(bound), range } as const;
  return (_value, search) => search.fault(schema, keyword, () => detail);
}

function boundCheck(
  schema: Schema,
  keyword: "minimum" | "maximum",
  bound: Bound,
  unusable: (bound: Bound) => NumberRange | undefined,
): NumberCheck {
  const range = unusable(bound);
  if (range !== undefined) return unusableBound(schema, keyword, bound, range);
  const exact = Number(bound);
  // The API server cuts the fraction off a bound when it compares an integer with it.
  const whole = Math.trunc(exact);
  const sign = keyword === "minimum" ? 1 : -1;
  const isExclusive = keyword === "minimum" ? schema.exclusiveMinimum : schema.exclusiveMaximum;
  return (value, search) => {
    const limit = isWhole(value) ? whole : exact;
    const order = value < limit ? -sign : value > limit ? sign : 0;
    if (order > 0 || (order === 0 && !isExclusive)) return true;
    const numbers = { limit: shownScalar(limit), actual: shownScalar(value) };
    return search.fault(schema, keyword, () => ({ kind: "bound", keyword, isExclusive, ...numbers }));
  };
}

function multipleCheck(
  schema: Schema,
  factor: Bound,
  unusable: (bound: Bound) => NumberRange | undefined,
): NumberCheck {
  const range = unusable(factor);
  if (range !== undefined) return unusableBound(schema, "multipleOf", factor, range);
  const exact = Number(factor);
  const whole = Math.trunc(exact);
  return (value, search) => {
    const used = isWhole(value) ? whole : exact;
    if (used > 0 && isMultiple(value, used)) return true;
    const actual = shownScalar(value);
    return search.fault(schema, "multipleOf", () =>
      used > 0
        ? { kind: "multipleOf", factor: shownScalar(used), actual }
        : { kind: "not-divisible", factor: shownScalar(exact), actual },
    );
  };
}

/** Integers are divided as such; doubles with the arithmetic of doubles, so that 0.3 is a multiple of 0.1. */
function isMultiple(value: number | bigint, factor: number): boolean {
  if (isWhole(value)) return typeof value === "bigint" ? value % BigInt(factor) === 0n : value % factor === 0;
  const double = Number(value);
  return isNearlyWhole(factor < 1 ? (1 / factor) * double : double / factor);
}
