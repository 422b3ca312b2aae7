// Is a constraint read as OLM reads it, or better? Each case has the id of the behaviour; OLM's answer is noted where ours is
// another.

import { expect, test } from "vitest";
import type { Property } from "../model/catalog.ts";
import type { Json } from "../model/json.ts";
import type { Constraint, Requirements } from "./constraint.ts";
import { matches } from "./predicate.ts";
import { type ConstraintOptions, readRequirements } from "./read-requirements.ts";

const OPTIONS: ConstraintOptions = { compat: false, maxBytes: 65_536, maxDepth: 10, celCostLimit: 1_000_000 };

const read = (value: Json, compat = false): Requirements =>
  readRequirements([{ type: "olm.constraint", value }], { ...OPTIONS, compat });

function constraintOf(value: Json, compat = false): Constraint {
  const { requirements, problems } = read(value, compat);
  expect(problems).toEqual([]);
  return requirements[0]?.constraint as Constraint;
}

function messagesOf(value: Json): readonly string[] {
  const { requirements, problems } = read(value);
  expect(requirements).toEqual([]);
  return problems.map(({ message }) => message);
}

const gvk = (version = "v1"): { readonly gvk: Json } => ({ gvk: { group: "g", version, kind: "K" } });
const packaged = (packageName: string, versionRange = ">=1.0.0"): { readonly package: Json } => ({
  package: { packageName, versionRange },
});

test("B01 and B02: an API, a package, each with a failureMessage", () => {
  expect(constraintOf({ failureMessage: "m", ...gvk() })).toMatchObject({
    kind: "gvk",
    gvk: { group: "g", version: "v1", kind: "K" },
    message: "m",
  });
  expect(constraintOf({ failureMessage: "m", ...packaged("p") })).toMatchObject({
    kind: "package",
    name: "p",
    range: { text: ">=1.0.0" },
    message: "m",
  });
});

test("B06: a tree keeps its form and its messages of both levels", () => {
  const value: Json = {
    failureMessage: "one",
    all: {
      constraints: [
        { failureMessage: "two", ...packaged("a") },
        { failureMessage: "three", ...gvk() },
        { failureMessage: "four", all: { constraints: [packaged("b"), packaged("c"), gvk()] } },
        { failureMessage: "five", any: { constraints: [gvk("v1"), gvk("v2"), gvk("v3")] } },
        { failureMessage: "six", not: { constraints: [gvk("v4")] } },
      ],
    },
  };
  expect(constraintOf(value)).toMatchObject({
    kind: "all",
    message: "one",
    constraints: [
      { kind: "package", message: "two" },
      { kind: "gvk", message: "three" },
      { kind: "all", message: "four", constraints: [{ name: "b" }, { name: "c" }, { kind: "gvk" }] },
      { kind: "any", message: "five", constraints: [{}, {}, { gvk: { version: "v3" } }] },
      { kind: "none", message: "six", constraints: [{ gvk: { version: "v4" } }] },
    ],
  });
});

test("B08: an unknown key", () => {
  expect(messagesOf({ failureMessage: "m", arbitrary: { key: "value" } })).toContain(
    'a constraint has no field "arbitrary"',
  );
});

test("B09 and B10: message and none, which OLM does not have", () => {
  expect(constraintOf({ message: "m", ...gvk() })).toMatchObject({ message: "m" });
  expect(constraintOf({ none: { constraints: [gvk()] } })).toMatchObject({ kind: "none" });
});

test.each<[Json]>([[{}], [{ failureMessage: "m" }]])("B12: %j is empty", (value) => {
  expect(messagesOf(value)).toEqual(["the constraint is empty: it does not require anything"]);
});

test("B13: two kinds, of which OLM takes one in silence", () => {
  expect(messagesOf({ ...gvk(), ...packaged("p") })).toEqual([
    "the constraint has several kinds at once: gvk, package",
  ]);
});

test("B14: keys in another case", () => {
  expect(constraintOf({ GVK: { Group: "g", Version: "v1", KIND: "K" } })).toMatchObject({ kind: "gvk" });
});

test("B17: 3000 levels, which OLM accepts", () => {
  let value: Json = gvk();
  for (let level = 1; level < 3000; level++) value = { all: { constraints: [value] } };
  expect(
    readRequirements([{ type: "olm.constraint", value }], { ...OPTIONS, maxBytes: 131_072 }).problems,
  ).toMatchObject([{ message: "the constraint is nested deeper than 10 levels" }]);
});

test("B18: an empty range", () => {
  expect(messagesOf(packaged("p", ""))).toEqual([expect.stringContaining('"" is not a version range')]);
});

const A: readonly Property[] = [{ type: "olm.package", value: { packageName: "a", version: "1.0.0" } }];
const B: readonly Property[] = [
  { type: "olm.package", value: { packageName: "b", version: "1.0.0" } },
  { type: "olm.gvk", value: { group: "g", version: "v1", kind: "K" } },
];

test("B20: two packages can be met by two bundles; by OLM's reading never", () => {
  const value: Json = { all: { constraints: [packaged("a"), packaged("b")] } };
  expect(constraintOf(value)).toMatchObject({ scope: "solution" });
  const compat = constraintOf(value, true);
  expect(compat).toMatchObject({ scope: "bundle" });
  expect([matches(compat, A), matches(compat, B)]).toEqual([false, false]);
});

test("B21: not excludes; by OLM's reading any bundle without the API is enough", () => {
  const value: Json = { not: { constraints: [gvk()] } };
  expect(constraintOf(value)).toMatchObject({ kind: "none", scope: "solution" });
  const compat = constraintOf(value, true);
  expect([matches(compat, A), matches(compat, B)]).toEqual([true, false]);
});

test.each<[Json, string]>([
  [null, "a constraint must be an object, but is null"],
  [[], "a constraint must be an object, but is a list"],
  ["x", "a constraint must be an object, but is text"],
])("B21b: %j is no constraint", (value, message) => {
  expect(messagesOf(value)).toEqual([message]);
});

test.each<[string, string, boolean]>([
  [">=1.0.0", "1.0.0-rc1", false],
  [">=1.0.0", "2.0.0-rc1", true],
  ["1.x", "2.0.0-rc1", true],
  ["<2.0.0", "2.0.0-rc1", true],
  [">=1.0.0 <2.0.0-0", "2.0.0-rc1", false],
  [">=1.0.0 <2.0.0-0", "1.9.9", true],
])("B21c: range %s and version %s: %s", (range, version, expected) => {
  const properties = [{ type: "olm.package", value: { packageName: "p", version } }];
  expect(matches(constraintOf(packaged("p", range)), properties)).toBe(expected);
});

test.each([">=1.0.0,<2.0.0", "1"])("B21c: %s is no range", (range) => {
  expect(messagesOf(packaged("p", range))).toHaveLength(1);
});

test("B22: a package without an API that it has", () => {
  const value: Json = { all: { constraints: [packaged("b"), { not: { constraints: [gvk()] } }] } };
  expect(matches(constraintOf(value, true), B)).toBe(false);
  expect(matches(constraintOf(value, true), B.slice(0, 1))).toBe(true);
  expect(constraintOf(value)).toMatchObject({ scope: "solution", constraints: [{}, { scope: "solution" }] });
});

test("C12, C12b, C14 and C17: rules about properties", () => {
  const rule = (text: string): Constraint => constraintOf({ cel: { rule: text } }, true);
  const api = rule("properties.exists(p, p.type == 'olm.gvk' && p.value == {'group':'g','version':'v1','kind':'K'})");
  expect([matches(api, A), matches(api, B)]).toEqual([false, true]);
  const mixed = rule("properties.exists(p, semver_compare(p.value, '1.0.0') == 0)");
  const text = { type: "olm.test", value: "1.0.0" };
  expect(matches(mixed, [...B, text])).toBe(true);
  expect(matches(mixed, B)).toMatchObject({ limit: false });
  const broken = { type: "olm.broken", value: undefined } as unknown as Property;
  expect(matches(rule("properties.exists(p, p.type == 'olm.test')"), [broken, text])).toBe(true);
});
