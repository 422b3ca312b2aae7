import { describe, expect, test } from "vitest";
import { constraint, gvk, needsPackage, provides, scene } from "../../test/worlds/scene.ts";
import { readerFor } from "../../test/worlds/table.ts";
import type { Property } from "../model/catalog.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { Matcher } from "./match.ts";

const PACKAGE: Property = { type: "olm.package", value: { packageName: "oil", version: "1.2.0" } };

/** The result of a constraint for these properties. */
function match(demand: Property, ...properties: readonly Property[]) {
  const { requirements, problems } = readerFor(scene({})).of([demand]);
  expect(problems).toEqual([]);
  return new Matcher().match((requirements[0] as (typeof requirements)[number]).constraint, properties);
}

function inOne(kind: string, ...constraints: readonly JsonObject[]): Property {
  return constraint({ [kind]: { scope: "bundle", constraints } });
}

function cel(rule: string): JsonObject {
  return { cel: { rule } };
}

const TRUE = cel("properties.size() >= 0");
const FALSE = cel("properties.size() < 0");
const FAILS = cel('properties[9].type == "x"');

describe("leaves", () => {
  test("an API", () => {
    expect(match(constraint(gvk("Oil")), provides("Oil"))).toBe(true);
    expect(match(constraint(gvk("Oil")), provides("Gas"))).toBe(false);
    const otherGroup = { type: "olm.gvk", value: { group: "other.com", version: "v1", kind: "Oil" } };
    expect(match(constraint(gvk("Oil")), otherGroup)).toBe(false);
    expect(match(constraint(gvk("Oil")), { ...provides("Oil"), type: "olm.gvk.required" })).toBe(false);
  });

  test("a package in a range", () => {
    expect(match(needsPackage("oil", ">=1.0.0"), PACKAGE)).toBe(true);
    expect(match(needsPackage("oil", ">=2.0.0"), PACKAGE)).toBe(false);
    expect(match(needsPackage("gas"), PACKAGE)).toBe(false);
    const loose = { type: "olm.package", value: { packageName: "oil", version: "1.2" } };
    expect(match(needsPackage("oil", ">=1.0.0"), loose)).toBe(false);
  });

  test("a label", () => {
    const required = { type: "olm.label.required", value: { label: "red" } };
    expect(match(required, { type: "olm.label", value: { label: "red" } })).toBe(true);
    expect(match(required, { type: "olm.label", value: { label: "blue" } })).toBe(false);
  });

  test("a rule", () => {
    expect(match(constraint(TRUE))).toBe(true);
    expect(match(constraint(FALSE))).toBe(false);
    expect(match(constraint(FAILS))).toBe("error");
  });

  test.each<[Json, Json, boolean]>([
    [1, 1, true],
    [1, 2, false],
    ["4.9", 4.9, true],
    [4.9, "4.9", true],
    ["4.90", 4.9, false],
    [true, "true", false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [null, null, true],
  ])("a property %j equals %j: %j", (value, wanted, equal) => {
    const demand = constraint({ propertyEquals: { name: "tier", value: wanted } });
    expect(match(demand, { type: "tier", value })).toBe(equal);
    expect(match(demand, { type: "other", value })).toBe(false);
  });
});

describe("trees about one member", () => {
  test.each<[string, readonly JsonObject[], boolean | "error"]>([
    ["all", [TRUE, TRUE], true],
    ["all", [TRUE, FALSE], false],
    ["all", [], true],
    ["all", [FALSE, FAILS], "error"],
    ["any", [FALSE, TRUE], true],
    ["any", [FALSE, FALSE], false],
    ["any", [], false],
    ["any", [TRUE, FAILS], "error"],
    ["none", [FALSE, FALSE], true],
    ["none", [FALSE, TRUE], false],
    ["none", [], true],
    ["none", [FAILS], "error"],
  ])("%s of %j is %j", (kind, children, expected) => {
    expect(match(inOne(kind, ...children))).toBe(expected);
    expect(match(inOne("all", { any: { constraints: [{ [kind]: { constraints: children } }] } }))).toBe(expected);
  });
});
