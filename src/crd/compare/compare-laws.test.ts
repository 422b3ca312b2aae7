// What holds of the differences of any schemas?

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalText, isList, isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { SchemaCode } from "../finding-codes.ts";
import { readSchema } from "../schema/read-schema.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { SchemaDifference } from "./difference.ts";
import { eachPath, fieldPath } from "./value-text.ts";

const RUNS = { numRuns: process.env.PLIMSOLL_LONG ? 20_000 : 500 };

function compare(before: JsonObject, after: JsonObject): readonly SchemaDifference[] {
  return compareSchemas(readSchema(before).schema, readSchema(after).schema);
}

const NAMES = ["spec", "a", "b", "a.b", "__proto__", "x-kubernetes-map-type", "type", ""];
const name = fc.constantFrom(...NAMES);
const small = fc.nat({ max: 9 });
const value: fc.Arbitrary<Json> = fc.oneof(small, fc.constantFrom("x", "y", true, null, [1], { k: 1 }));

function some(keywords: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> {
  return fc.record(keywords, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

const anywhere = some({
  nullable: fc.boolean(),
  default: value,
  enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: (item) => JSON.stringify(item) }),
  description: fc.constant("words"),
  not: some({ maximum: small, required: fc.array(name) }),
  oneOf: fc.array(some({ minimum: small, required: fc.array(name) }), { maxLength: 3 }),
  "x-mine": value,
});

const { node } = fc.letrec<{ node: JsonObject }>((tie) => {
  const mix = (type: string, keywords: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> =>
    fc.tuple(anywhere, some(keywords)).map(([common, own]) => ({ type, ...common, ...own }));
  const properties = fc
    .uniqueArray(fc.tuple(name, tie("node")), { maxLength: 4, selector: ([key]) => key })
    .map((entries): JsonObject => Object.fromEntries(entries));
  return {
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      mix("string", {
        minLength: small,
        maxLength: small,
        pattern: fc.constantFrom("^a", "b$"),
        format: fc.constant("date"),
      }),
      mix("integer", {
        minimum: small,
        maximum: small,
        exclusiveMinimum: fc.boolean(),
        multipleOf: fc.constantFrom(2, 3),
      }),
      mix("object", {
        properties,
        required: fc.uniqueArray(name, { maxLength: 3 }),
        minProperties: small,
        "x-kubernetes-validations": fc.constantFrom([{ rule: "true" }], [{ rule: "self.a == 1" }, { rule: "true" }]),
      }),
      mix("object", { additionalProperties: tie("node"), maxProperties: small }),
      mix("array", { items: tie("node"), minItems: small, "x-kubernetes-list-type": fc.constantFrom("set", "atomic") }),
    ),
  };
});

describe("laws", () => {
  test("nothing differs from itself", () => {
    fc.assert(
      fc.property(node, (schema) => {
        expect(compare(schema, schema)).toEqual([]);
      }),
      RUNS,
    );
  });

  test("the order of keys, of choices, of required fields and of branches does not matter", () => {
    fc.assert(
      fc.property(node, (schema) => {
        expect(compare(schema, reversed(schema))).toEqual([]);
      }),
      RUNS,
    );
  });

  test("documentation does not matter", () => {
    fc.assert(
      fc.property(node, (schema) => {
        expect(compare(schema, documented(schema))).toEqual([]);
        expect(compare(documented(schema), schema)).toEqual([]);
      }),
      RUNS,
    );
  });

  test("differences come in the order of fields and codes, and none twice", () => {
    fc.assert(
      fc.property(node, node, (before, after) => {
        const keys = compare(before, after).map(
          ({ code, path, detail }) => `${path}\0${code}\0${canonicalText(detail as unknown as Json)}`,
        );
        expect(keys).toEqual([...new Set(keys)].sort((a, b) => (a < b ? -1 : 1)));
      }),
      RUNS,
    );
  });

  test("a place is that of a keyword that is there", () => {
    fc.assert(
      fc.property(node, node, (before, after) => {
        for (const { at, gone } of compare(before, after)) {
          const found = at.reduce<Json | undefined>(
            (json, step) => (isObject(json) || isList(json) ? (json as JsonObject)[step] : undefined),
            gone ? before : after,
          );
          expect(found).toBeDefined();
        }
      }),
      RUNS,
    );
  });

  test("one change is reported once, at its field, with its code", () => {
    fc.assert(
      fc.property(node, fc.nat(), fc.constantFrom(...CHANGES), (schema, chosen, change) => {
        const nodes = nodesOf(schema, [], ".");
        const { steps, path } = nodes[chosen % nodes.length] as Found;
        const below = change.below === undefined ? path : fieldPath(path, change.below);
        const before = changed(schema, steps, change.before);
        const after = changed(before, steps, change.after);
        const differences = compare(before, after).map(({ code, path: at }) => `${code} ${at}`);
        expect(differences).toEqual([`${change.code} ${below}`]);
      }),
      RUNS,
    );
  });
});

/** A change of a node: how it must be before, and how it is after. */
interface InjectedChange {
  readonly code: SchemaCode;
  readonly before: (node: JsonObject) => JsonObject;
  readonly after: (node: JsonObject) => JsonObject;
  /** The field that the change is reported for, if not the node itself. */
  readonly below?: string;
}

const set =
  (keywords: JsonObject) =>
  (json: JsonObject): JsonObject => ({ ...json, ...keywords });

function from(code: SchemaCode, before: JsonObject, after: JsonObject): InjectedChange {
  return { code, before: set(before), after: set(after) };
}

const CHANGES: readonly InjectedChange[] = [
  from("CRD201", { type: "string" }, { type: "boolean" }),
  { ...from("CRD202", { required: ["a"] }, { required: ["a", "new"] }), below: "new" },
  from("CRD203", { enum: [1, 2] }, { enum: [2, 3] }),
  from("CRD204", { minLength: 4 }, { minLength: 5 }),
  from("CRD204", { minimum: 4, exclusiveMinimum: false }, { exclusiveMinimum: true }),
  from("CRD205", { maxItems: 4 }, { maxItems: 3 }),
  from("CRD206", { pattern: "^c" }, { pattern: "^d" }),
  from("CRD207", { default: 1 }, { default: 2 }),
  from("CRD208", { nullable: true }, { nullable: false }),
  {
    code: "CRD209",
    before: (json) => ({ ...json, properties: { ...(json.properties as JsonObject), gone: { type: "object" } } }),
    after: (json) => ({
      ...json,
      properties: Object.fromEntries(Object.entries(json.properties as JsonObject).filter(([key]) => key !== "gone")),
    }),
    below: "gone",
  },
  from("CRD210", { anyOf: [{ type: "string" }] }, { anyOf: [{ type: "object" }] }),
  from("CRD211", { additionalProperties: false }, { additionalProperties: true }),
  from("CRD212", { "x-kubernetes-list-type": "set" }, { "x-kubernetes-list-type": "atomic" }),
  from("CRD213", { "x-kubernetes-map-type": "atomic" }, { "x-kubernetes-map-type": "granular" }),
  from("CRD214", { format: "date" }, { format: "uri" }),
  from("CRD215", {}, { "x-kubernetes-preserve-unknown-fields": true }),
  from("CRD216", {}, { "x-kubernetes-embedded-resource": true }),
  from("CRD217", { type: "integer" }, { type: null, "x-kubernetes-int-or-string": true }),
  from("CRD218", { "x-kubernetes-validations": [] }, { "x-kubernetes-validations": [{ rule: "self.z" }] }),
  from("CRD219", { multipleOf: 2 }, { multipleOf: 7 }),
  from("CRD220", {}, { uniqueItems: true }),
  from("CRD299", { "x-mine": 1 }, { "x-mine": 2 }),
];

interface Found {
  readonly steps: readonly string[];
  readonly path: string;
}

/** Every node that is compared, with the way to it and its field. */
function nodesOf(json: JsonObject, steps: readonly string[], path: string): readonly Found[] {
  const { properties = {}, items, additionalProperties } = json;
  const children = Object.entries(properties as JsonObject).flatMap(([key, child]) =>
    nodesOf(child as JsonObject, [...steps, "properties", key], fieldPath(path, key)),
  );
  const each = [["items", items] as const, ["additionalProperties", additionalProperties] as const].flatMap(
    ([key, child]) => (isObject(child) ? nodesOf(child, [...steps, key], eachPath(path)) : []),
  );
  return [{ steps, path }, ...children, ...each];
}

/** A copy with one node changed. */
function changed(json: JsonObject, steps: readonly string[], change: (node: JsonObject) => JsonObject): JsonObject {
  const [step, ...rest] = steps;
  if (step === undefined) return change(json);
  return Object.fromEntries(
    Object.entries(json).map(([key, child]) => [
      key,
      key === step ? changed(child as JsonObject, rest, change) : child,
    ]),
  );
}

const UNORDERED = new Set(["enum", "required", "oneOf", "x-kubernetes-validations"]);

/** The same with all keys, and all lists that have no order, the other way round. */
function reversed(json: Json, key = ""): JsonObject {
  const turn = (part: Json, at: string): Json => {
    if (isList(part)) return UNORDERED.has(at) ? part.map((item) => turn(item, "")).reverse() : part;
    return isObject(part) ? reversed(part, at) : part;
  };
  return Object.fromEntries(
    Object.entries(json as JsonObject)
      .reverse()
      // Under properties, a key is a name.
      .map(([name, part]) => [name, turn(part, key === "properties" ? "" : name)]),
  );
}

/** The same with other words in every node. */
function documented(json: JsonObject): JsonObject {
  const nodes = nodesOf(json, [], ".");
  return nodes.reduce(
    (schema, { steps }) =>
      changed(schema, steps, set({ description: "other", title: "t", example: [1], $comment: "c" })),
    json,
  );
}
