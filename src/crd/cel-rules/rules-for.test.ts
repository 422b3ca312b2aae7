// Which rules does an object break? The behaviours are those of apiextensions-apiserver v0.36.3 (schema/cel, with ratcheting);
// most of the cases were run there, the others were read from its source.

import { describe, expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import { faultText } from "../../render/sentence/object-fault.ts";
import { readSchema } from "../schema/read-schema.ts";
import { type ObjectRules, rulesFor } from "./rules-for.ts";

const INT: JsonObject = { type: "integer" };
const TEXT: JsonObject = { type: "string" };

/** A schema with rules; a text is a rule without anything else. */
function ruled(schema: JsonObject, ...rules: readonly (string | JsonObject)[]): JsonObject {
  return { ...schema, "x-kubernetes-validations": rules.map((rule) => (isObject(rule) ? rule : { rule })) };
}

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

/** A resource with this `spec`. */
function resource(spec: Json | undefined): JsonObject {
  const names = { apiVersion: "b.io/v1", kind: "A", metadata: { name: "x" } };
  return spec === undefined ? names : { ...names, spec };
}

function rulesOfSchema(schema: JsonObject, celCostLimit = 10_000_000): ObjectRules {
  const rules = rulesFor(readSchema(schema).schema, { celCostLimit });
  if (rules === undefined) throw new Error("the schema has no rules");
  return rules;
}

/** The faults of a resource whose `spec` has this schema. */
function faultLines(spec: JsonObject, value: Json, old?: Json, most = 100): readonly string[] {
  const rules = rulesOfSchema(object({ spec }));
  const { faults, undecided } = rules.check(resource(value), old === undefined ? undefined : resource(old), most);
  expect(undecided).toBeUndefined();
  return faults.map(({ path, detail }) => `${printPath(path)}: ${faultText(detail)}`);
}

interface Case {
  readonly name: string;
  readonly spec: JsonObject;
  readonly value: Json;
  readonly old?: Json;
  readonly faults?: readonly string[];
}

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    test.for(cases)("$name", ({ spec, value, old, faults }) => {
      expect(faultLines(spec, value, old)).toEqual(faults ?? []);
    });
  });
}

const GROWS = ruled(INT, "self >= oldSelf");
const ITEM = object({ k: TEXT, v: GROWS }, { required: ["k"] });
const KEYED = { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], maxItems: 5 };
const failed = (path: string, rule: string): string => `${path}: does not keep a rule: ${rule}`;

table("transition rules", [
  { name: "a new object", spec: GROWS, value: 1 },
  { name: "keeps it", spec: GROWS, value: 2, old: 1 },
  { name: "breaks it", spec: GROWS, value: 1, old: 2, faults: [failed("spec", "self >= oldSelf")] },
  {
    name: "an unchanged value that breaks it",
    spec: ruled(INT, "self > oldSelf"),
    value: 1,
    old: 1,
    faults: [failed("spec", "self > oldSelf")],
  },
  { name: "no old value", spec: object({ a: GROWS }), value: { a: 1 }, old: {} },
  { name: "an old value that is null", spec: { ...GROWS, nullable: true }, value: 1, old: null },
  {
    name: "items of a list of type map, by key",
    spec: { ...KEYED, items: ITEM },
    value: [
      { k: "b", v: 1 },
      { k: "a", v: 5 },
      { k: "c", v: 0 },
    ],
    old: [
      { k: "a", v: 6 },
      { k: "b", v: 1 },
    ],
    faults: [failed("spec[1].v", "self >= oldSelf")],
  },
  {
    name: "items by two keys",
    spec: {
      ...KEYED,
      "x-kubernetes-list-map-keys": ["k", "n"],
      items: object({ k: TEXT, n: INT, v: GROWS }),
    },
    value: [
      { k: "a", n: 1, v: 1 },
      { k: "a", n: 2, v: 1 },
    ],
    old: [
      { k: "a", n: 1, v: 2 },
      { k: "a", n: 2, v: 1 },
    ],
    faults: [failed("spec[0].v", "self >= oldSelf")],
  },
  {
    name: "the first of two old items with the same key",
    spec: { ...KEYED, items: ITEM },
    value: [{ k: "a", v: 1 }],
    old: [
      { k: "a", v: 2 },
      { k: "a", v: 0 },
    ],
    faults: [failed("spec[0].v", "self >= oldSelf")],
  },
  { name: "items of other lists", spec: { type: "array", items: ITEM }, value: [{ v: 1 }], old: [{ v: 2 }] },
  {
    name: "items of sets",
    spec: { type: "array", "x-kubernetes-list-type": "set", items: GROWS },
    value: [1],
    old: [2],
  },
  {
    name: "values of maps, in the order of their keys",
    spec: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: GROWS },
    value: { b: 1, a: 1, c: 0 },
    old: { a: 2, b: 2 },
    faults: [failed("spec.a", "self >= oldSelf"), failed("spec.b", "self >= oldSelf")],
  },
]);

const ONCE = ruled(INT, { rule: "oldSelf.hasValue() || self == 1", optionalOldSelf: true });

table("optionalOldSelf", [
  { name: "asked of new objects", spec: ONCE, value: 2, faults: [failed("spec", "oldSelf.hasValue() || self == 1")] },
  { name: "an old value", spec: ONCE, value: 2, old: 1 },
  {
    name: "its value",
    spec: ruled(INT, { rule: "oldSelf.orValue(9) == 1 && self == 2", optionalOldSelf: true }),
    value: 2,
    old: 1,
  },
]);

/** The message of a rule that 1 violates. */
function message(more: JsonObject): JsonObject {
  return ruled(INT, { rule: " self > 1 ", ...more });
}

table("messages", [
  { name: "none", spec: message({}), value: 1, faults: [failed("spec", "self > 1")] },
  { name: "as written", spec: message({ message: " too small " }), value: 1, faults: ["spec: too small"] },
  {
    name: "an expression",
    spec: message({ message: "m", messageExpression: "' is ' + string(self)" }),
    value: 1,
    faults: ["spec: is 1"],
  },
  { name: "blank", spec: message({ message: "m", messageExpression: "' '" }), value: 1, faults: ["spec: m"] },
  {
    name: "a line break inside",
    spec: message({ message: "m", messageExpression: "'a\\nb'" }),
    value: 1,
    faults: ["spec: m"],
  },
  { name: "a line break at its end", spec: message({ messageExpression: "'a\\n'" }), value: 1, faults: ["spec: a"] },
  {
    name: "an error",
    spec: message({ messageExpression: "string(1 / (self - 1))" }),
    value: 1,
    faults: [failed("spec", "self > 1")],
  },
  {
    name: "too long",
    spec: message({
      message: "m",
      messageExpression:
        "'aaaaaaaaaaa'.replace('a', string(self * 1000)).replace('0', 'b'.replace('b', '%s'.format(['cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc'])))",
    }),
    value: 1,
    faults: ["spec: m"],
  },
  { name: "not a text", spec: message({ messageExpression: "self" }), value: 1, faults: [failed("spec", "self > 1")] },
  {
    name: "an old value that no rule of the node looks at",
    spec: message({ message: "m", messageExpression: "string(oldSelf)" }),
    value: 1,
    old: 5,
    faults: ["spec: m"],
  },
]);

const TWO = object({ a: INT, "b.c": INT, m: { type: "object", additionalProperties: INT } });

table("places", [
  {
    name: "fieldPath",
    spec: ruled(
      TWO,
      { rule: "self.a > 1", fieldPath: ".a" },
      { rule: "self.a > 2", fieldPath: "['b.c']" },
      { rule: "self.a > 3", fieldPath: ".m.x" },
      { rule: "self.a > 4", fieldPath: ".m['y\\'z']" },
      { rule: "self.a > 5", fieldPath: ".nowhere" },
    ),
    value: { a: 1 },
    faults: [
      failed("spec.a", "self.a > 1"),
      failed('spec["b.c"]', "self.a > 2"),
      failed("spec.m.x", "self.a > 3"),
      failed(`spec.m["y'z"]`, "self.a > 4"),
      failed("spec", "self.a > 5"),
    ],
  },
  {
    name: "the rules of a value before those of what is in it",
    spec: ruled(
      object({
        a: ruled(INT, "self > 3"),
        l: ruled({ type: "array", items: ruled(TEXT, "self != 'x'") }, "self.size() < 2"),
      }),
      "self.a > 5",
      "self.a > 0",
      "self.a > 4",
    ),
    value: { l: ["x", "y"], a: 1 },
    faults: [
      failed("spec", "self.a > 5"),
      failed("spec", "self.a > 4"),
      failed("spec.a", "self > 3"),
      failed("spec.l", "self.size() < 2"),
      failed("spec.l[0]", "self != 'x'"),
    ],
  },
  {
    name: "below a name that rules cannot write",
    spec: ruled(
      object({ "a b": ruled(object({ c: ruled({ type: "number" }, "self > 1.0") }), "self.c > 2.0") }),
      "true",
    ),
    value: { "a b": { c: 1 } },
    faults: [failed('spec["a b"]', "self.c > 2.0"), failed('spec["a b"].c', "self > 1.0")],
  },
]);

table("what is asked", [
  { name: "null is not", spec: { ...ruled(INT, "self > 1"), nullable: true }, value: null },
  {
    name: "an error is a fault",
    spec: ruled(object({ a: INT, b: INT }), "self.b > 1"),
    value: { a: 1 },
    faults: ["spec: the rule `self.b > 1` cannot be evaluated: no such key: b"],
  },
  {
    name: "an error that is absorbed",
    spec: ruled(object({ a: INT, b: INT }), "self.b > 1 || self.a == 1"),
    value: { a: 1 },
  },
  { name: "a rule that does not compile is not", spec: ruled(INT, "self.a", "self > 0"), value: 1 },
  { name: "an empty rule is not", spec: ruled(INT, " "), value: 1 },
  {
    name: "values that rules cannot see are not",
    spec: ruled({ "x-kubernetes-preserve-unknown-fields": true }, "false"),
    value: 1,
  },
]);

const SMALL = ruled(INT, "self > 1");
const PAIR = ruled(object({ a: INT, b: INT }), "self.a > 1");
const ENTRIES = { ...KEYED, items: ruled(object({ k: TEXT, v: SMALL }), "self.v > 1") };

table("values that were wrong before", [
  { name: "stay", spec: SMALL, value: 1, old: 1 },
  { name: "change", spec: SMALL, value: 1, old: 0, faults: [failed("spec", "self > 1")] },
  { name: "an object stays", spec: PAIR, value: { a: 1, b: 1 }, old: { b: 1, a: 1 } },
  {
    name: "an object changes",
    spec: PAIR,
    value: { a: 1, b: 1 },
    old: { b: 2, a: 1 },
    faults: [failed("spec", "self.a > 1")],
  },
  {
    name: "an object loses a field",
    spec: PAIR,
    value: { a: 1 },
    old: { a: 1, b: 1 },
    faults: [failed("spec", "self.a > 1")],
  },
  { name: "an item of a list that stays", spec: { type: "array", items: SMALL }, value: [1], old: [1] },
  {
    name: "an item of a list that changes",
    spec: { type: "array", items: SMALL },
    value: [1, 2],
    old: [1],
    faults: [failed("spec[0]", "self > 1")],
  },
  {
    name: "items of a list of type map",
    spec: ENTRIES,
    value: [
      { k: "b", v: 1 },
      { k: "a", v: 1 },
      { k: "c", v: 1 },
    ],
    old: [
      { k: "a", v: 1 },
      { k: "b", v: 0 },
    ],
    faults: [
      failed("spec[0]", "self.v > 1"),
      failed("spec[0].v", "self > 1"),
      failed("spec[2]", "self.v > 1"),
      failed("spec[2].v", "self > 1"),
    ],
  },
  {
    name: "a list of type map in another order",
    spec: ruled(ENTRIES, "self.all(e, e.v > 1)"),
    value: [
      { k: "b", v: 1 },
      { k: "a", v: 1 },
    ],
    old: [
      { k: "a", v: 1 },
      { k: "b", v: 1 },
    ],
  },
  {
    name: "an error",
    spec: PAIR,
    value: {},
    old: {},
    faults: ["spec: the rule `self.a > 1` cannot be evaluated: no such key: a"],
  },
  {
    name: "a field that the schema has not",
    spec: { ...PAIR, "x-kubernetes-preserve-unknown-fields": true },
    value: { a: 1, z: 1 },
    old: { a: 1, z: 1 },
    faults: [failed("spec", "self.a > 1")],
  },
]);

test("kind and apiVersion are never taken for unchanged", () => {
  const rules = rulesOfSchema(object({ kind: ruled(TEXT, "self == 'B'") }));
  expect(rules.check(resource(1), resource(1), 10).faults).toHaveLength(1);
});

test("a fault has its rule", () => {
  const { faults } = rulesOfSchema(object({ spec: { type: "array", items: ruled(INT, "true", "self > 1") } })).check(
    resource([2, 1]),
    undefined,
    10,
  );
  expect(faults).toEqual([
    {
      path: ["spec", 1],
      keyword: "x-kubernetes-validations",
      detail: { kind: "rule-broken", rule: "self > 1" },
      at: ["properties", "spec", "items", "x-kubernetes-validations", 1],
    },
  ]);
});

test("a schema without rules has none; rules in allOf are not allowed and do not count", () => {
  const schema = object({ spec: { ...INT, allOf: [ruled({}, "self > 1")] } });
  expect(rulesFor(readSchema(schema).schema, { celCostLimit: 1 })).toBeUndefined();
});
