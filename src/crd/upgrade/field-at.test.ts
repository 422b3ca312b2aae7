import { expect, test } from "vitest";
import { fieldAt, fieldOf, valueBelow } from "./field-at.ts";

test.each([
  [[], "."],
  [["type"], "."],
  [["properties", "spec", "properties", "size", "maximum"], ".spec.size"],
  [["properties", "ports", "items", "properties", "name"], ".ports[*].name"],
  [["properties", "labels", "additionalProperties", "maxLength"], ".labels[*]"],
  [["properties", "spec", "allOf", 1, "properties", "size"], ".spec.size"],
  [["properties", "spec", "not", "properties", "size"], ".spec.size"],
  [["properties", "items", "properties", "properties", "type"], ".items.properties"],
  [["properties", "spec", "required", 0], ".spec"],
  [["properties", "spec", "default", "items"], ".spec"],
  [["properties", "a/b"], '["a/b"]'],
] as const)("the schema at %j is about %s", (at, field) => {
  expect(fieldAt(at)).toBe(field);
});

test("a way into an object", () => {
  expect(fieldOf([])).toBe(".");
  expect(fieldOf(["spec", "ports", 2, "name"])).toBe(".spec.ports[2].name");
});

test("a value is found by its own keys only", () => {
  expect(valueBelow({ a: 1 }, "a")).toBe(1);
  expect(valueBelow({}, "constructor")).toBeUndefined();
  expect(valueBelow([1, 2], 1)).toBe(2);
  expect(valueBelow([1], "length")).toBeUndefined();
  expect(valueBelow("text", 0)).toBeUndefined();
});
