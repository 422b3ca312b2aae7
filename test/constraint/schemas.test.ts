// Do the published schemas agree with the reader of constraints? What a schema cannot express is left out of the
// generated cases: ranges, rules, depth, scopes that contradict each other.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConstraintOptions, ConstraintReader } from "../../src/constraint/read-requirements.ts";
import { isConstraintType, readRuntimeConstraint } from "../../src/constraint/read-runtime-constraint.ts";
import { readRuntimeList } from "../../src/input/objects/runtime-constraints.ts";
import { isList, isObject, type Json, type JsonObject, own } from "../../src/model/json.ts";

const SCHEMAS: ReadonlyMap<string, JsonObject> = new Map(
  ["constraint.schema.json", "runtime-constraints.schema.json"].map((name) => [
    name,
    JSON.parse(readFileSync(`schemas/${name}`, "utf8")) as JsonObject,
  ]),
);

/** The keywords that the validator below knows; a schema with any other would be judged wrongly. */
const KEYWORDS = new Set(
  "$schema $id title description $defs $ref type properties required additionalProperties items maxItems enum const minLength pattern oneOf allOf not dependentSchemas".split(
    " ",
  ),
);

/** Is a value valid under a schema of a file? As JSON Schema 2020-12 has it, as far as our schemas go. */
function isValid(value: Json, schema: Json, file: string): boolean {
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema)) throw new Error("a schema must be an object");
  for (const key of Object.keys(schema)) if (!KEYWORDS.has(key)) throw new Error(`unknown keyword ${key}`);
  return (
    referenceHolds(value, schema, file) &&
    typeHolds(value, schema) &&
    objectHolds(value, schema, file) &&
    combinationHolds(value, schema, file)
  );
}

function referenceHolds(value: Json, { $ref }: JsonObject, file: string): boolean {
  if (typeof $ref !== "string") return true;
  const [name, pointer] = $ref.split("#") as [string, string];
  const target = name === "" ? file : name;
  let schema: Json = SCHEMAS.get(target) as JsonObject;
  for (const step of pointer.split("/").slice(1)) schema = own(schema as JsonObject, step) as Json;
  return isValid(value, schema, target);
}

function typeHolds(value: Json, schema: JsonObject): boolean {
  const { type, minLength, pattern, enum: values, const: only } = schema;
  const actual = isList(value) ? "array" : value === null ? "null" : typeof value;
  if (type !== undefined && type !== actual) return false;
  if (typeof value === "string" && typeof minLength === "number" && value.length < minLength) return false;
  if (typeof value === "string" && typeof pattern === "string" && !new RegExp(pattern, "u").test(value)) return false;
  if (isList(values) && !values.includes(value)) return false;
  return only === undefined || only === value;
}

function objectHolds(value: Json, schema: JsonObject, file: string): boolean {
  const { properties, required, additionalProperties, items, maxItems, dependentSchemas } = schema;
  if (isList(value)) {
    if (typeof maxItems === "number" && value.length > maxItems) return false;
    return items === undefined || value.every((item) => isValid(item, items, file));
  }
  if (!isObject(value)) return true;
  const known = isObject(properties) ? properties : {};
  return (
    (!isList(required) || required.every((key) => Object.hasOwn(value, key as string))) &&
    (additionalProperties !== false || Object.keys(value).every((key) => Object.hasOwn(known, key))) &&
    Object.entries(known).every(
      ([key, part]) => !Object.hasOwn(value, key) || isValid(value[key] as Json, part, file),
    ) &&
    Object.entries(isObject(dependentSchemas) ? dependentSchemas : {}).every(
      ([key, part]) => !Object.hasOwn(value, key) || isValid(value, part, file),
    )
  );
}

function combinationHolds(value: Json, { oneOf, allOf, not }: JsonObject, file: string): boolean {
  if (isList(oneOf) && oneOf.filter((part) => isValid(value, part, file)).length !== 1) return false;
  if (isList(allOf) && !allOf.every((part) => isValid(value, part, file))) return false;
  return not === undefined || !isValid(value, not, file);
}

const validate = (value: Json, file: string): boolean => isValid(value, SCHEMAS.get(file) as JsonObject, file);

const OPTIONS: ConstraintOptions = { compat: false, maxBytes: 1e6, maxDepth: 100, celCostLimit: 1_000_000 };
const reader = new ConstraintReader(OPTIONS);

/** Can it be read, apart from what a schema cannot express? */
function isReadable(value: Json): boolean {
  const { problems } = reader.of([{ type: "olm.constraint", value }]);
  return problems.every(({ message }) => message.startsWith("the scope cannot be solution"));
}

const oneIn = (most: number): fc.Arbitrary<boolean> => fc.nat(most - 1).map((number) => number === 0);

/** Something else than what is right, now and then. */
function mostly(right: fc.Arbitrary<Json>, wrong: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return oneIn(25).chain((isWrong) => (isWrong ? wrong : right));
}

const wrong = fc.constantFrom<Json[]>(1, "", true, "x", [], {}, ["x"]);
const text = mostly(fc.constantFrom("a", "b c"), wrong);
const part = mostly(fc.constantFrom("v1", "K"), fc.constantFrom<Json[]>("", "a/b", "a b", 1, {}));
const rule = mostly(fc.constant("true"), fc.constantFrom<Json[]>("", 1, [], {}));

/** An object of some fields, of which one is missing or too much now and then. */
function fields(model: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> {
  return fc
    .tuple(fc.record(model), oneIn(25), oneIn(25), fc.constantFrom(...Object.keys(model)))
    .map(([object, isLess, isMore, key]): Json => {
      const { [key]: _left, ...rest } = object;
      return { ...(isLess ? rest : object), ...(isMore && { extra: 1 }) };
    });
}

const gvk = mostly(fields({ group: part, version: part, kind: part }), wrong);
const range = fc.constantFrom(">=1.0.0", "1.x");
const name = mostly(fc.constantFrom("p", "q"), fc.constantFrom<Json[]>("", 1, {}));
const packaged = mostly(
  fc.oneof(fields({ packageName: name, versionRange: range }), fields({ name, versionRange: range })),
  wrong,
);
const evaluator = mostly(fields({ id: mostly(fc.constant("cel"), fc.constantFrom<Json[]>("rego", 1)) }), wrong);

function compound(nested: fc.Arbitrary<Json>, withScope: boolean): fc.Arbitrary<Json> {
  const constraints = mostly(fc.array(nested, { maxLength: 3 }) as fc.Arbitrary<Json>, wrong);
  const scope = mostly(fc.constantFrom("solution", "bundle"), wrong);
  return fc.oneof(
    { arbitrary: fields({ constraints }), weight: 3 },
    ...(withScope ? [{ arbitrary: fields({ constraints, scope }), weight: 2 }] : []),
  );
}

function kind(nested: fc.Arbitrary<Json>, withScope: boolean): fc.Arbitrary<JsonObject> {
  return fc.oneof(
    { maxDepth: 3 },
    gvk.map((value) => ({ gvk: value })),
    packaged.map((value) => ({ package: value })),
    mostly(fields({ rule }), wrong).map((value) => ({ cel: value })),
    fields({ name: text, value: fc.jsonValue() as fc.Arbitrary<Json> }).map((value) => ({ propertyEquals: value })),
    fc.record({ evaluator, rule }),
    fc.record({ evaluator, source: rule }),
    fc
      .tuple(fc.constantFrom("all", "any", "none", "not"), compound(nested, withScope))
      .map(([key, value]) => ({ [key]: value })),
  );
}

const message = fc.oneof(
  fc.constant({}),
  text.map((value) => ({ message: value })),
  text.map((value) => ({ failureMessage: value })),
) as fc.Arbitrary<JsonObject>;
const action = mostly(
  fc.record(
    {
      id: mostly(fc.constantFrom("require", "conflict"), fc.constantFrom<Json[]>("forbid", 1)),
      optional: mostly(fc.boolean(), fc.constantFrom<Json[]>("true", 1)),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Json>,
  fc.constantFrom<Json[]>(1, "require", { ID2: 1 }),
);

const SLIPS: readonly JsonObject[] = [
  { extra: 1 },
  { gvk: { group: "g", version: "v", kind: "k" } },
  { evaluator: { id: "cel" } },
  { rule: "true" },
  { scope: "bundle" },
  { action: { id: "require" } },
];
const slip = oneIn(15).chain((isWrong) => (isWrong ? fc.constantFrom(...SLIPS) : fc.constant({})));

function outermost(withScope: boolean): fc.Arbitrary<Json> {
  const { nested } = fc.letrec<{ nested: Json }>((tie) => ({
    nested: mostly(
      fc.tuple(kind(tie("nested"), withScope), message, slip).map(([a, b, c]) => ({ ...c, ...a, ...b })),
      wrong,
    ),
  }));
  return mostly(
    fc
      .tuple(kind(nested, withScope), message, fc.option(action, { nil: undefined }), slip)
      .map(([a, b, c, d]) => ({ ...d, ...a, ...b, ...(c !== undefined && { action: c }) })),
    wrong,
  );
}

const RUNS = process.env.PLIMSOLL_LONG ? 50_000 : 2000;

/** Checks that two judges agree, and that both answers are frequent. */
function agree(cases: fc.Arbitrary<Json>, one: (value: Json) => boolean, other: (value: Json) => boolean): void {
  let accepted = 0;
  fc.assert(
    fc.property(cases, (value) => {
      const answer = one(value);
      if (answer) accepted++;
      expect(other(value)).toBe(answer);
    }),
    { numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(RUNS / 5);
  expect(accepted).toBeLessThan((RUNS * 4) / 5);
}

describe("constraint.schema.json", () => {
  test("agrees with the reader", () => {
    agree(outermost(true), (value) => validate(value, "constraint.schema.json"), isReadable);
  });
});

const property: fc.Arbitrary<Json> = fc
  .tuple(
    fc.oneof(
      outermost(false).map((value): JsonObject => ({ type: "olm.constraint", value })),
      outermost(true).map((value): JsonObject => ({ type: "olm.constraint", value })),
      fc
        .tuple(fields({ rule }), message)
        .map(([a, b]): JsonObject => ({ type: "olm.constraint.cel", value: { ...(a as JsonObject), ...b } })),
      gvk.map((value): JsonObject => ({ type: "olm.gvk.required", value })),
      packaged.map((value): JsonObject => ({ type: "olm.package.required", value })),
      fields({ label: text }).map((value): JsonObject => ({ type: "olm.label.required", value })),
      fc.jsonValue().map((value): JsonObject => ({ type: "kubernetes.version", value: value as Json })),
    ),
    mostly(fc.constant("none"), fc.constantFrom("type", "value", "extra")),
  )
  .map(([entry, fault]): Json => {
    if (fault === "extra") return { ...entry, extra: 1 };
    const { [fault as string]: _left, ...rest } = entry;
    return rest;
  });

function isReadableList(list: Json): boolean {
  const { items, problems } = readRuntimeList(JSON.stringify(list), { source: "list", line: 1, column: 1 });
  return (
    problems.length === 0 &&
    items.every(
      (item) =>
        !isConstraintType(item.property.type) || readRuntimeConstraint(item.property, reader).problems.length === 0,
    )
  );
}

describe("runtime-constraints.schema.json", () => {
  test("agrees with the reader", () => {
    const lists = mostly(
      fc.array(property, { maxLength: 2 }) as fc.Arbitrary<Json>,
      fc.constantFrom<Json[]>({}, [1], ["x"], [[]]),
    );
    agree(lists, (value) => validate(value, "runtime-constraints.schema.json"), isReadableList);
  });
});
