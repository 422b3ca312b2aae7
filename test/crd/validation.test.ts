// Do we validate objects as an independent validator does? Generated schemas and values, for the keywords that Kubernetes
// and JSON Schema both define; nothing is dropped and no default is put in. What Kubernetes does in its own way is
// translated: null is asked nothing but the type and the enum, exclusive bounds are flags.

import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readSchema } from "../../src/crd/schema/read-schema.ts";
import { validatorFor } from "../../src/crd/validate/validator-for.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";

const RUNS = process.env.PLIMSOLL_LONG ? 10_000 : 600;
const VALUES_PER_SCHEMA = 8;

const KEYS = ["a", "b", "c"];
/** Patterns that mean the same in RE2 and in JavaScript. */
const PATTERNS = ["^a", "b$", "^[a-c]*$", "a|b", "c{2}", "^(ab|ba)+$"];

const key = fc.constantFrom(...KEYS);
const keys = fc.uniqueArray(key, { maxLength: 3 });
const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "😀"), maxLength: 4 });
const whole = fc.integer({ min: -6, max: 6 });
const half = whole.map((number) => number + 0.5);
const size = fc.nat(3);

/**
 * Any value. Fractions and integers of an enum are not in one case: Kubernetes cuts the fraction off a number that it
 * compares with an integer of an enum (see keywords.test.ts).
 */
function values(numbers: fc.Arbitrary<number>): fc.Arbitrary<Json> {
  return fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 3, arbitrary: text },
      { weight: 3, arbitrary: numbers },
      { weight: 1, arbitrary: fc.boolean() },
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 3, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
      { weight: 3, arbitrary: fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }) },
    ),
  })).value;
}

const type = fc.constantFrom("object", "array", "string", "integer", "number", "boolean");

/** One keyword, or two that belong together. */
function keyword(schema: fc.Arbitrary<JsonObject>, member: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  const some = fc.array(schema, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    type.map((type) => ({ type })),
    fc.record({ type, nullable: fc.boolean() }),
    fc.record({ enum: fc.array(member, { minLength: 1, maxLength: 4 }) }),
    fc.record({ minimum: whole, exclusiveMinimum: fc.boolean() }),
    fc.record({ maximum: whole, exclusiveMaximum: fc.boolean() }),
    fc.record({ multipleOf: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ minLength: size }),
    fc.record({ maxLength: size }),
    fc.record({ pattern: fc.constantFrom(...PATTERNS) }),
    fc.record({ properties: fc.dictionary(key, schema, { minKeys: 1, noNullPrototype: true }) }),
    fc.record({
      properties: fc.dictionary(key, schema, { noNullPrototype: true }),
      additionalProperties: fc.oneof(fc.boolean(), schema),
    }),
    fc.record({ required: keys }),
    fc.record({ minProperties: size }),
    fc.record({ maxProperties: size }),
    fc.record({ items: schema }),
    fc.record({ minItems: size }),
    fc.record({ maxItems: size }),
    fc.record({ uniqueItems: fc.boolean() }),
    fc.record({ allOf: some }),
    fc.record({ anyOf: some }),
    fc.record({ oneOf: some }),
    fc.record({ not: schema }),
  );
}

function schemas(member: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, depthSize: "small", withCrossShrink: true },
      type.map((type) => ({ type })),
      fc
        .array(keyword(tie("schema"), member), { minLength: 1, maxLength: 3 })
        .map((parts) => Object.assign({}, ...parts)),
    ),
  })).schema;
}

/** The same schema in the words of JSON Schema draft 7. */
function translated(schema: JsonObject): JsonObject {
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const result: Record<string, Json> = { ...rest };
  if (exclusiveMinimum === true) result.exclusiveMinimum = result.minimum as Json;
  if (exclusiveMaximum === true) result.exclusiveMaximum = result.maximum as Json;
  for (const name of ["items", "not", "additionalProperties"]) {
    if (typeof result[name] === "object") result[name] = translated(result[name] as JsonObject);
  }
  for (const name of ["allOf", "anyOf", "oneOf"]) {
    if (result[name] !== undefined) result[name] = (result[name] as readonly JsonObject[]).map(translated);
  }
  if (result.properties !== undefined) {
    const fields = Object.entries(result.properties as JsonObject);
    result.properties = Object.fromEntries(fields.map(([name, field]) => [name, translated(field as JsonObject)]));
  }
  const takesNull = result.enum === undefined && (result.type === undefined || nullable === true);
  const nothing = { type: "null" };
  return takesNull ? { anyOf: [nothing, result] } : { allOf: [{ not: nothing }, result] };
}

/** A value that has good chances under a schema, made from a text of numbers. */
function likely(schema: JsonObject, chance: () => number, other: Json): Json {
  const { enum: chosen, type, properties = {}, required = [], items, minimum, maximum, anyOf, oneOf, allOf } = schema;
  if (Array.isArray(chosen)) return chosen[chance() % chosen.length] as Json;
  const inner = (anyOf ?? oneOf ?? allOf) as readonly JsonObject[] | undefined;
  if (inner !== undefined && chance() % 3 > 0) {
    return likely(inner[chance() % inner.length] as JsonObject, chance, other);
  }
  if (type === "object" || (type === undefined && schema.properties !== undefined)) {
    const names = new Set([
      ...(required as string[]),
      ...Object.keys(properties as JsonObject).filter(() => chance() % 2),
    ]);
    return Object.fromEntries(
      [...names].map((name) => [name, likely(((properties as JsonObject)[name] ?? {}) as JsonObject, chance, other)]),
    );
  }
  if (type === "array" || (type === undefined && items !== undefined)) {
    return Array.from({ length: chance() % 4 }, () => likely((items ?? {}) as JsonObject, chance, other));
  }
  if (type === "string" || schema.pattern !== undefined) return ["a", "ab", "b", "abc", "cc", ""][chance() % 6] as Json;
  if (type === "integer" || type === "number" || minimum !== undefined || maximum !== undefined) {
    return Number(minimum ?? Number(maximum ?? 0) - 4) + (chance() % 5);
  }
  return type === "boolean" ? chance() % 2 === 0 : other;
}

interface Case {
  readonly schema: JsonObject;
  readonly values: readonly Json[];
}

function cases(numbers: fc.Arbitrary<number>, inEnums: fc.Arbitrary<number>): fc.Arbitrary<Case> {
  const chances = fc.array(fc.nat(999), { minLength: 30, maxLength: 30 });
  const tries = fc.array(fc.tuple(values(numbers), chances), {
    minLength: VALUES_PER_SCHEMA,
    maxLength: VALUES_PER_SCHEMA,
  });
  return fc.tuple(schemas(values(inEnums).filter((value) => value !== null)), tries).map(([schema, tried]) => ({
    schema,
    values: tried.map(([any, chance], index) => {
      let at = 0;
      return index % 4 === 0 ? any : likely(schema, () => chance[at++ % chance.length] as number, any);
    }),
  }));
}

test("objects are validated as another validator validates them", () => {
  const counts = { valid: 0, invalid: 0 };
  const anyCase = fc.oneof(cases(whole, whole), cases(fc.oneof(whole, half), half));
  fc.assert(
    fc.property(anyCase, ({ schema, values }) => {
      const theirs = new Ajv({ strict: false, validateSchema: false }).compile(translated(schema));
      const root = { type: "object", properties: { v: schema } };
      const ours = validatorFor(readSchema(root).schema, { preserveUnknownFields: true, celCostLimit: 1_000_000 });
      for (const value of values) {
        const verdict = ours.validate({ v: value });
        const isValid = theirs(value);
        counts[isValid ? "valid" : "invalid"]++;
        expect({ value, isValid: verdict.faults.length === 0 }).toEqual({ value, isValid });
        expect(verdict).toMatchObject({ object: { v: value }, dropped: [], undecided: undefined });
      }
    }),
    { numRuns: RUNS },
  );
  const least = (RUNS * VALUES_PER_SCHEMA) / 4;
  expect(counts.valid).toBeGreaterThan(least);
  expect(counts.invalid).toBeGreaterThan(least);
});
