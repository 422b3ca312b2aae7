// Follows crdify v0.6.0 (validations/property, checkUnhandled), OLM cases N04 to N14; Kubernetes' defaulting and pruning
// from apiextensions-apiserver v0.36.3.

import { describe, expect, test } from "vitest";
import { compareSchemas } from "../../../test/crd/in-words.ts";
import type { JsonObject } from "../../model/json.ts";
import { readSchema } from "../schema/read-schema.ts";

function compare(before: JsonObject, after: JsonObject): ReturnType<typeof compareSchemas> {
  return compareSchemas(readSchema(before).schema, readSchema(after).schema);
}

function differenceLines(before: JsonObject, after: JsonObject): readonly string[] {
  return compare(before, after).map(({ code, path, effect, message }) => `${code} ${path} ${effect}: ${message}`);
}

function fieldDifferences(before: JsonObject, after: JsonObject): readonly string[] {
  const inSpec = (field: JsonObject): JsonObject => ({ properties: { spec: { properties: { x: field } } } });
  return differenceLines(inSpec(before), inSpec(after)).map((line) => line.replace(" .spec.x ", " "));
}

describe("fields", () => {
  const spec = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
    type: "object",
    properties: { spec: { type: "object", properties, ...rest } },
  });

  test("N04: a new optional field", () => {
    expect(differenceLines(spec({}), spec({ a: { type: "string", enum: ["x"], default: "x" } }))).toEqual([]);
  });

  test("N05: required added and removed", () => {
    expect(
      differenceLines(spec({ a: {}, b: {} }, { required: ["a"] }), spec({ a: {}, b: {} }, { required: ["b"] })),
    ).toEqual(["CRD202 .spec.b tighter: must now be given"]);
  });

  test("a new required field is reported only as required", () => {
    expect(differenceLines(spec({}), spec({ a: { type: "string" } }, { required: ["a"] }))).toEqual([
      "CRD202 .spec.a tighter: must now be given",
    ]);
  });

  test("a required field with a default: defaults come before validation", () => {
    expect(differenceLines(spec({}), spec({ a: { default: 3 } }, { required: ["a"] }))).toEqual([
      "CRD202 .spec.a different: must now be given; where it is not, its default 3 fills it",
    ]);
  });

  test("a field that is removed with everything below it is reported once", () => {
    const a = { type: "object", required: ["b"], properties: { b: { type: "object", properties: { c: {} } } } };
    expect(differenceLines(spec({ a }, { required: ["a"] }), spec({}))).toEqual([
      "CRD209 .spec.a tighter: the field is no longer there",
    ]);
  });

  test("what becomes of the values of a field that goes depends on what is kept", () => {
    expect(differenceLines(spec({ a: {} }), spec({}, { additionalProperties: true }))).toContain(
      "CRD209 .spec.a different: the field is no longer there; its values are now those of any other key",
    );
    expect(differenceLines(spec({ a: {} }), spec({}, { additionalProperties: false }))).toContain(
      "CRD209 .spec.a tighter: the field is no longer there",
    );
    expect(differenceLines(spec({ a: {} }), spec({}, { "x-kubernetes-preserve-unknown-fields": true }))).toContain(
      "CRD209 .spec.a looser: the field is no longer there; its values are kept, but not checked",
    );
  });

  test("nothing else is reported for a field that gets an entirely different type", () => {
    const list = { type: "array", minItems: 1, items: { type: "string" } };
    const object = { type: "object", required: ["b"], properties: { b: {} }, nullable: true };
    expect(differenceLines(spec({ a: list }), spec({ a: object }))).toEqual([
      "CRD201 .spec.a tighter: must now be of type object (was array)",
    ]);
  });

  test("everything else is reported for a change between integer and number", () => {
    expect(differenceLines(spec({ a: { type: "integer" } }), spec({ a: { type: "number", minimum: 1 } }))).toEqual([
      "CRD201 .spec.a looser: may now be of type number (was integer)",
      "CRD204 .spec.a tighter: must now be at least 1",
    ]);
  });

  test("items without a schema, before or after", () => {
    expect(differenceLines(spec({ a: {} }), spec({ a: { items: { type: "string", enum: ["x"] } } }))).toEqual([
      'CRD201 .spec.a[*] tighter: the items must now be {"enum":["x"],"type":"string"} (was anything)',
    ]);
    expect(differenceLines(spec({ a: { items: { type: "string" } } }), spec({ a: {} }))).toEqual([
      "CRD209 .spec.a[*] tighter: nothing is said about the items any more",
    ]);
    const kept = { "x-kubernetes-preserve-unknown-fields": true };
    expect(differenceLines(spec({ a: { ...kept, items: { type: "string" } } }), spec({ a: kept }))).toEqual([
      "CRD209 .spec.a[*] looser: nothing is said about the items any more",
    ]);
  });

  test("paths: the root, items, values of maps, names that are no words", () => {
    const at = (change: JsonObject): JsonObject => ({
      ...change,
      properties: {
        "a.b": { properties: { "": change, "x-y": change } },
        list: { items: { properties: { name: change } } },
        map: { additionalProperties: { type: "string", ...change } },
        deep: { items: { items: { additionalProperties: { type: "string", ...change } } } },
      },
    });
    expect(compare(at({}), at({ nullable: true })).map(({ path }) => path)).toEqual([
      ".",
      ".deep[*][*][*]",
      ".list[*].name",
      ".map[*]",
      '["a.b"].x-y',
      '["a.b"][""]',
    ]);
  });

  test("places are in the new schema, or in the old one for what was removed", () => {
    const before = spec({ a: { maximum: 5 }, b: { pattern: "x" }, c: {} });
    const after = spec({ a: { maximum: 3 }, b: {} }, { required: ["z", "a"] });
    const places = compare(before, after).map(({ code, at, gone }) => [code, at.join("/"), gone]);
    expect(places).toEqual([
      ["CRD202", "properties/spec/required/1", false],
      ["CRD205", "properties/spec/properties/a/maximum", false],
      ["CRD206", "properties/spec/properties/b/pattern", true],
      ["CRD209", "properties/spec/properties/c", true],
      ["CRD202", "properties/spec/required/0", false],
    ]);
  });

  test("places of what may be an integer or a string, and of a rule that is there twice", () => {
    const either = { "x-kubernetes-int-or-string": true };
    expect(compare(either, {})[0]).toMatchObject({ at: ["x-kubernetes-int-or-string"], gone: true });
    expect(compare({ type: "string" }, either)[0]).toMatchObject({ at: ["x-kubernetes-int-or-string"], gone: false });
    expect(compare(either, { type: "string" })[0]).toMatchObject({ at: ["type"], gone: false });
    const twice = { "x-kubernetes-validations": [{ rule: "a" }, { rule: "a" }] };
    expect(compare({}, twice).map(({ at }) => at)).toEqual([["x-kubernetes-validations", 0]]);
  });

  test("old and new values", () => {
    expect(compare({ maximum: 5 }, { maximum: 3 })[0]).toMatchObject({ old: 5, new: 3 });
    expect(compare({}, { nullable: true })[0]).toMatchObject({ old: undefined, new: true });
    expect(compare({ properties: { a: { type: "object" } } }, {})[0]).toMatchObject({ old: undefined, new: undefined });
  });
});

describe("long values are cut", () => {
  test("a text, a list, an object", () => {
    const long = "y".repeat(1_000_000);
    expect(fieldDifferences({}, { pattern: long })[0]).toBe(`CRD206 tighter: must now match "${"y".repeat(79)}…"`);
    expect(fieldDifferences({}, { default: { a: long } })[0]?.length).toBeLessThan(160);
    const many = Array.from({ length: 1000 }, (_, index) => 1000 + index);
    expect(fieldDifferences({}, { enum: many })[0]).toBe(
      `CRD203 tighter: must now be one of ${many.slice(0, 14).join(", ")} and 986 more`,
    );
  });

  test("two that are the same at first are cut where they begin to differ", () => {
    const same = "s".repeat(200);
    expect(fieldDifferences({ pattern: `${same}a` }, { pattern: `${same}b` })).toEqual([
      `CRD206 different: must now match "…${"s".repeat(20)}b" (was "…${"s".repeat(20)}a")`,
    ]);
  });

  test("one value is shown even where it is long", () => {
    expect(fieldDifferences({}, { enum: ["z".repeat(200), "a"] })[0]).toBe(
      'CRD203 tighter: must now be one of "a" and 1 more',
    );
    expect(fieldDifferences({}, { enum: ["z".repeat(200)] })[0]).toBe(
      `CRD203 tighter: must now be one of "${"z".repeat(79)}…"`,
    );
  });

  test("no character is cut in two", () => {
    const faces = "😀".repeat(100);
    expect(fieldDifferences({}, { pattern: `a${faces}` })[0]).toContain(`"a${"😀".repeat(39)}…"`);
    expect(fieldDifferences({}, { pattern: faces })[0]).toContain(`"${"😀".repeat(39)}…"`);
    expect(fieldDifferences({ pattern: `${faces}x` }, { pattern: `${faces}xy` })[0]).toContain(
      `"…${"😀".repeat(9)}xy"`,
    );
  });
});
