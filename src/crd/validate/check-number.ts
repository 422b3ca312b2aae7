// Is a number valid? Facts: kube-openapi's number validator as apiextensions-apiserver v0.37 has it. To the API server a
// number is a 64-bit integer if it is written like one, and a double otherwise; the bounds of a schema are doubles.

import type { Bound, Schema } from "../schema/schema.ts";
import { expectedTypes, hasFormat, typeKeyword, typeMismatch } from "./expectation.ts";
import type { CheckOf } from "./search.ts";
import { shown } from "./shown.ts";

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
      const why = misfit(value);
      return why === undefined || search.fault(schema, "format", () => `must be ${why}, but is ${shown(value)}`);
    });
  }
  const unusable = (bound: Bound): string | undefined => {
    if (types[0] === "integer" && types.length === 1 && !isWholeBound(Number(bound))) return "an integer of 64 bits";
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
    const actual = typeof value === "number" && !Number.isInteger(value) ? shown(value) : `${shown(value)}, too large`;
    return search.fault(schema, "type", () => typeMismatch(schema, actual), [], typeKeyword(schema));
  };
}

/** What a number of the format ought to be, where one is not; undefined where the format says nothing more than the type. */
function rangeOf(schema: Schema, types: readonly string[]): ((value: Bound) => string | undefined) | undefined {
  if (types.length !== 1 || !hasFormat(schema)) return undefined;
  if (schema.format === "int32") {
    return (value) => (value >= -MAX_INT32 - 1 && value <= MAX_INT32 ? undefined : "an integer of 32 bits");
  }
  if (schema.format === "float") {
    return (value) => (Number.isFinite(Math.fround(Number(value))) ? undefined : "a number of 32 bits");
  }
  return undefined;
}

function isWholeBound(bound: number): boolean {
  return Number.isInteger(bound) && bound >= -(2 ** 63) && bound < 2 ** 63;
}

/** API servers from v0.36 on refuse every number where the schema has a bound that its own format does not allow. */
function unusableBound(schema: Schema, keyword: string, bound: Bound, why: string): NumberCheck {
  return (_value, search) =>
    search.fault(
      schema,
      keyword,
      () =>
        `no number is valid, because the ${keyword} ${shown(bound)} of the schema is not ${why}; correct the schema`,
    );
}

function boundCheck(
  schema: Schema,
  keyword: "minimum" | "maximum",
  bound: Bound,
  unusable: (bound: Bound) => string | undefined,
): NumberCheck {
  const why = unusable(bound);
  if (why !== undefined) return unusableBound(schema, keyword, bound, why);
  const exact = Number(bound);
  // The API server cuts the fraction off a bound when it compares an integer with it.
  const whole = Math.trunc(exact);
  const sign = keyword === "minimum" ? 1 : -1;
  const isExclusive = keyword === "minimum" ? schema.exclusiveMinimum : schema.exclusiveMaximum;
  return (value, search) => {
    const limit = isWhole(value) ? whole : exact;
    const order = value < limit ? -sign : value > limit ? sign : 0;
    if (order > 0 || (order === 0 && !isExclusive)) return true;
    const relation = isExclusive ? (sign > 0 ? "more than" : "less than") : sign > 0 ? "at least" : "at most";
    return search.fault(schema, keyword, () => `must be ${relation} ${shown(limit)}, but is ${shown(value)}`);
  };
}

function multipleCheck(schema: Schema, factor: Bound, unusable: (bound: Bound) => string | undefined): NumberCheck {
  const why = unusable(factor);
  if (why !== undefined) return unusableBound(schema, "multipleOf", factor, why);
  const exact = Number(factor);
  const whole = Math.trunc(exact);
  return (value, search) => {
    const used = isWhole(value) ? whole : exact;
    if (used > 0 && isMultiple(value, used)) return true;
    return search.fault(schema, "multipleOf", () =>
      used > 0
        ? `must be a multiple of ${shown(used)}, but is ${shown(value)}`
        : `the API server cannot divide ${shown(value)} by ${shown(exact)}; give multipleOf of 1 or more for integers`,
    );
  };
}

/** Integers are divided as such; doubles with the arithmetic of doubles, so that 0.3 is a multiple of 0.1. */
function isMultiple(value: number | bigint, factor: number): boolean {
  if (isWhole(value)) return typeof value === "bigint" ? value % BigInt(factor) === 0n : value % factor === 0;
  const double = Number(value);
  return isNearlyWhole(factor < 1 ? (1 / factor) * double : double / factor);
}
