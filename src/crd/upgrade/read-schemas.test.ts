import { describe, expect, test } from "vitest";
import { spec } from "../../../test/crd/winches.ts";
import type { JsonObject } from "../../model/json.ts";
import { isSameSchema } from "./read-schemas.ts";

const text = (more: JsonObject = {}): JsonObject => spec({ brake: { type: "string", ...more } });

describe("the same schema", () => {
  test("has the same keywords, in any order", () => {
    expect(isSameSchema({ type: "string", maxLength: 1 }, { maxLength: 1, type: "string" })).toBe(true);
    expect(isSameSchema(text(), text())).toBe(true);
    expect(isSameSchema(undefined, undefined)).toBe(true);
    expect(isSameSchema(undefined, {})).toBe(false);
  });

  test("may be described in other words", () => {
    for (const [a, b] of [
      [text(), text({ description: "how it stops", title: "brake" })],
      [text({ description: "a" }), text({ description: "b" })],
      [
        { items: { description: "a" }, allOf: [{ description: "a" }], not: { title: "a" } },
        { items: { description: "b" }, allOf: [{ description: "b" }], not: {} },
      ],
      [{ additionalProperties: { description: "a" } }, { additionalProperties: { description: "b" } }],
    ] as const) {
      expect(isSameSchema(a, b)).toBe(true);
      expect(isSameSchema(b, a)).toBe(true);
    }
  });

  test.each([
    ["a keyword", text({ maxLength: 1 }), text({ maxLength: 2 })],
    ["one more keyword", text(), text({ maxLength: 2 })],
    ["another keyword", text({ maxLength: 1 }), text({ minLength: 1 })],
    ["a property", spec({ a: {} }), spec({ b: {} })],
    ["a property called description", spec({ description: { type: "string" } }), spec({})],
    ["a property called description", spec({ description: { maxLength: 1 } }), spec({ description: { maxLength: 2 } })],
    ["a default with a description", text({ default: { description: "a" } }), text({ default: { description: "b" } })],
    ["an order of values", text({ enum: ["a", "b"] }), text({ enum: ["b", "a"] })],
    ["the number of branches", { anyOf: [{}] }, { anyOf: [{}, {}] }],
    ["a list of types", { type: "string" }, { type: ["string"] }],
    ["a key that every object has", {}, { constructor: 1 }],
    ["a key that every object has", { toString: 1 }, { toStrong: 1 }],
  ] as const)("differs in %s", (_, a, b) => {
    expect(isSameSchema(a, b)).toBe(false);
    expect(isSameSchema(b, a)).toBe(false);
  });
});

test("schemas that nest thousands of levels deep are compared to their end", () => {
  const deep = (inner: JsonObject): JsonObject => {
    let schema = inner;
    for (let level = 0; level < 5000; level++) schema = { properties: { a: schema } };
    return schema;
  };
  expect(isSameSchema(deep({ maxLength: 1 }), deep({ maxLength: 1 }))).toBe(true);
  expect(isSameSchema(deep({ maxLength: 1 }), deep({ maxLength: 2 }))).toBe(false);
  expect(isSameSchema(text({ default: deep({}) }), text({ default: deep({ a: 1 }) }))).toBe(false);
});
