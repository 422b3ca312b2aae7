import { describe, expect, test } from "vitest";
import { spec } from "../../../test/crd/winches.ts";
import type { JsonObject } from "../../model/json.ts";
import { ruleFaultText } from "../../render/sentence/schema-fault.ts";
import { readSchema } from "../schema/read-schema.ts";
import { checkRules } from "./check-rules.ts";
import { knownRules } from "./known-rules.ts";

const RULE = { rule: "self != ''" };
const ruled: JsonObject = { type: "string", "x-kubernetes-validations": [RULE] };
const list = (more: JsonObject, items: JsonObject = ruled): JsonObject =>
  spec({ brakes: { type: "array", items, ...more } });
const OBJECT_RULE = { "x-kubernetes-validations": [{ rule: "self.a != ''" }] };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject =>
  spec(properties, { ...OBJECT_RULE, ...more });
const A: JsonObject = { type: "string", maxLength: 9 };

/** How many rules of the new schema are known from the old one. */
function known(before: JsonObject, after: JsonObject): number {
  return knownRules(readSchema(after).schema, readSchema(before).schema).size;
}

describe("a rule is known from the old schema where", () => {
  test.each<readonly [string, JsonObject, JsonObject]>([
    ["something else changes", spec({ a: ruled }), spec({ a: ruled, b: {} })],
    ["a description changes", spec({ a: ruled }), spec({ a: { ...ruled, description: "b" } })],
    ["a bound changes that costs nothing", list({ maxItems: 3 }), list({ maxItems: 3, minItems: 1 })],
    ["another rule is gone", spec({ a: ruled, b: ruled }), spec({ a: ruled })],
    [
      "another rule is new",
      spec({ a: ruled }),
      spec({ a: { ...ruled, "x-kubernetes-validations": [RULE, { rule: "true" }] } }),
    ],
    ["the values may be shorter", spec({ a: ruled }), spec({ a: { ...ruled, maxLength: 2 } })],
    ["the list around it may be shorter", list({ maxItems: 30 }), list({ maxItems: 3 })],
    ["the object has one more field", object({ a: A }), object({ a: A, b: A })],
    ["one more field is required", object({ a: A, b: A }), object({ a: A, b: A }, { required: ["b"] })],
    [
      "a choice is gone",
      object({ a: { type: "string", enum: ["x", "y"] } }),
      object({ a: { type: "string", enum: ["x"] } }),
    ],
  ])("%s", (_, before, after) => {
    expect(known(before, after)).toBe(1);
  });
});

describe("a rule has to be checked where", () => {
  test.each<readonly [string, JsonObject, JsonObject]>([
    ["it is new", spec({ a: A }), spec({ a: ruled })],
    [
      "it is asked of new objects, too",
      spec({ a: ruled }),
      spec({ a: { ...ruled, "x-kubernetes-validations": [{ ...RULE, optionalOldSelf: true }] } }),
    ],
    [
      "its message changes",
      spec({ a: ruled }),
      spec({ a: { ...ruled, "x-kubernetes-validations": [{ ...RULE, message: " " }] } }),
    ],
    ["the values may be longer", spec({ a: { ...ruled, maxLength: 2 } }), spec({ a: { ...ruled, maxLength: 3 } })],
    ["nothing bounds them any more", spec({ a: { ...ruled, maxLength: 2 } }), spec({ a: ruled })],
    ["the list around it may be longer", list({ maxItems: 3 }), list({ maxItems: 30 })],
    ["the list around it has no end any more", list({ maxItems: 3 }), list({})],
    ["the list around it is another one", list({}), list({ "x-kubernetes-list-type": "map" })],
    ["what is around it has another type", list({}), spec({ brakes: { type: "object", items: ruled } })],
    ["a map of them is new", spec({ a: {} }), spec({ a: { additionalProperties: ruled } })],
    ["a field is gone", object({ a: A, b: A }), object({ a: A })],
    ["a field below has another type", object({ a: A }), object({ a: { type: "integer" } })],
    ["a field below has another format", object({ a: A }), object({ a: { ...A, format: "byte" } })],
    ["a field below may be longer", object({ a: A }), object({ a: { ...A, maxLength: 10 } })],
    ["a field need no longer be there", object({ a: A, b: A }, { required: ["b"] }), object({ a: A, b: A })],
    [
      "a field that must be there is filled in",
      object({ a: A }, { required: ["a"] }),
      object({ a: { ...A, default: "x" } }, { required: ["a"] }),
    ],
    [
      "a longer choice is new",
      object({ a: { type: "string", enum: ["x"] } }),
      object({ a: { type: "string", enum: ["x", "yz"] } }),
    ],
  ])("%s", (_, before, after) => {
    expect(known(before, after)).toBe(0);
  });
});

describe("a rule that is known", () => {
  test("is not checked; the others are", () => {
    const { schema } = readSchema(
      spec({ a: { type: "integer", "x-kubernetes-validations": [{ rule: "self" }, { rule: "sel" }] } }),
    );
    const rules = [...(schema.properties.get("spec")?.properties.get("a")?.validations ?? [])];
    expect(checkRules(schema, new Set(rules))).toEqual([]);
    expect(checkRules(schema, new Set(rules.slice(0, 1))).map(({ detail }) => ruleFaultText(detail))).toEqual([
      expect.stringContaining('the rule "sel" does not compile'),
    ]);
  });

  test("still counts for what all rules may cost together", () => {
    // Each costs a little less than a rule may.
    const costly = (index: number) => ({ rule: `self.all(x, self.all(y, x == y || x > ${index}))` });
    const values: JsonObject = { type: "array", maxItems: 1190, items: { type: "integer" } };
    const withRules = (count: number): JsonObject =>
      spec({
        l: { ...values, "x-kubernetes-validations": Array.from({ length: count }, (_, index) => costly(index)) },
      });
    const [before, after] = [readSchema(withRules(12)).schema, readSchema(withRules(13)).schema];
    const all = checkRules(after).filter(({ at }) => at.length === 0);
    expect(all).toHaveLength(1);
    expect(checkRules(after, knownRules(after, before))).toEqual(all);
    expect(checkRules(after).length).toBe(1);
  });
});
