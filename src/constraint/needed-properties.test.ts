import fc from "fast-check";
import { expect, test } from "vitest";
import { type Gvk, gvkKey, type Property } from "../model/catalog.ts";
import { isObject, type Json } from "../model/json.ts";
import type { Constraint } from "./constraint.ts";
import { type Need, neededBy } from "./needed-properties.ts";
import { matches } from "./predicate.ts";
import { ConstraintReader } from "./read-requirements.ts";

const reader = new ConstraintReader({
  compat: false,
  compoundScope: "bundle",
  maxBytes: 65_536,
  maxDepth: 10,
  celCostLimit: 1_000_000,
});

function constraint(value: Json, type = "olm.constraint"): Constraint {
  const { requirements, problems } = reader.of([{ type, value }]);
  expect(problems).toEqual([]);
  return requirements[0]?.constraint as Constraint;
}

const types = (...names: string[]): Need => ({ kind: "types", types: names });
const packages = (...names: string[]): Need => ({ kind: "packages", packages: names });
const GVK: Gvk = { group: "g", version: "v", kind: "k" };
const gvks = (...list: Gvk[]): Need => ({ kind: "gvks", gvks: list });

test.each<[string, Need | undefined]>([
  ["properties.exists(p, p.type == 'x')", types("x")],
  ["properties.exists(p, 'x' == p['type'])", types("x")],
  ["properties.exists(p, p.type in ['x', 'y'])", types("x", "y")],
  ["properties.exists(p, p.type == 'x' || p.type == 'y')", types("x", "y")],
  ["properties.exists(p, p.type == 'x' && p.value > 4)", types("x")],
  ["properties.exists(p, p.value > 4 && p.type == 'x')", types("x")],
  ["properties.exists_one(p, p.type == 'x')", types("x")],
  ["properties.exists(p, p.type == 'olm.package' && p.value.packageName == 'a')", packages("a")],
  ["properties.exists(p, p.type == 'olm.package' && p.value.packageName in ['a', 'b'])", packages("a", "b")],
  [
    "properties.exists(p, p.type == 'olm.package' && (p.value.packageName == 'a' || p.value.packageName == 'b'))",
    packages("a", "b"),
  ],
  ["properties.exists(p, p.value.packageName == 'a')", undefined],
  ["properties.exists(p, p.type == 'x' && p.value.packageName == 'a')", types("x")],
  ["properties.exists(p, p.type == 'olm.gvk' && p.value == {'group': 'g', 'version': 'v', 'kind': 'k'})", gvks(GVK)],
  ["properties.exists(p, p == {'type': 'olm.gvk', 'value': {'group': 'g', 'version': 'v', 'kind': 'k'}})", gvks(GVK)],
  [
    "properties.exists(p, p.type == 'olm.gvk' && p.value.group == 'g' && p.value.version == 'v' && p.value.kind == 'k')",
    gvks(GVK),
  ],
  ["properties.exists(p, p.type == 'olm.gvk' && p.value.group == 'g' && p.value.kind == 'k')", types("olm.gvk")],
  [
    "properties.exists(p, p.type == 'x') && properties.exists(p, p.type == 'olm.package' && p.value.packageName == 'a')",
    packages("a"),
  ],
  ["properties.exists(p, p.type == 'x') && size(properties) > 3", types("x")],
  ["properties.exists(p, p.type == 'x') || size(properties) > 3", undefined],
  ["properties.exists(p, p.type == 'x') || properties.exists(q, q.type == 'y')", types("x", "y")],
  ["!properties.exists(p, p.type == 'x')", undefined],
  ["properties.exists(p, p.type != 'x')", undefined],
  ["properties.exists(p, !(p.type == 'x'))", undefined],
  ["properties.all(p, p.type == 'x')", undefined],
  ["properties.exists(p, properties.exists(q, p.type == q.value && q.type == 'x'))", undefined],
  ["properties.exists(p, (p.type == 'x' || p.value == 'a') && p.value != 'b')", undefined],
  ["properties.exists(p, (p.type == 'x' || p.type == 'y') && p.value != 'b')", types("x", "y")],
  ["properties.exists(p, has(p.type))", undefined],
  ["['x'].exists(p, p == 'x')", undefined],
  ["properties.exists(p, p.type == 'x' ? true : false)", undefined],
  ["true", undefined],
])("%s", (rule, expected) => {
  expect(neededBy(constraint({ cel: { rule } }))).toEqual(expected);
});

const K: Json = { gvk: { ...GVK } };
const P: Json = { package: { name: "a", versionRange: ">=1.0.0" } };
const E: Json = { propertyEquals: { name: "x", value: 1 } };

test.each<[Json, Need | undefined]>([
  [K, gvks(GVK)],
  [P, packages("a")],
  [E, types("x")],
  [{ all: { constraints: [] } }, undefined],
  [{ all: { constraints: [E, K] } }, gvks(GVK)],
  [{ all: { constraints: [K, P, E] } }, packages("a")],
  [{ any: { constraints: [K, E] } }, types("olm.gvk", "x")],
  [{ any: { constraints: [P, E] } }, undefined],
  [{ any: { constraints: [P, P] } }, packages("a")],
  [{ any: { constraints: [K, { none: { constraints: [K] } }] } }, undefined],
  [{ none: { constraints: [K] } }, undefined],
  [{ any: { constraints: [] } }, packages()],
])("%j", (value, expected) => {
  expect(neededBy(constraint(value))).toEqual(expected);
});

test("a label", () => {
  expect(neededBy(constraint({ label: "lts" }, "olm.label.required"))).toEqual(types("olm.label"));
});

/** Does any participant have what is needed? */
function has(need: Need, properties: readonly Property[]): boolean {
  switch (need.kind) {
    case "types":
      return properties.some(({ type }) => need.types.includes(type));
    case "packages":
      return properties.some(
        ({ type, value }) =>
          type === "olm.package" && isObject(value) && need.packages.includes(value.packageName as string),
      );
    case "gvks": {
      const keys = need.gvks.map(gvkKey);
      return properties.some(({ type, value }) => type === "olm.gvk" && keys.includes(gvkKey(value as unknown as Gvk)));
    }
  }
}

const name = fc.constantFrom("a", "b");
const type = fc.constantFrom("x", "olm.package", "olm.gvk");

const property: fc.Arbitrary<Property> = fc.oneof(
  name.map((packageName) => ({ type: "olm.package", value: { packageName, version: "1.0.0" } })),
  fc.record({ group: name, version: name, kind: name }).map((value) => ({ type: "olm.gvk", value })),
  name.map((value) => ({ type: "x", value })),
  name.map((packageName) => ({ type: "x", value: { packageName } })),
);

/** Of one property `p`: the text of a condition. */
const condition: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    type.map((one) => `p.type == '${one}'`),
    fc
      .tuple(name, fc.constantFrom("packageName", "group", "kind", "version"))
      .map(([one, key]) => `p.value.${key} == '${one}'`),
    type.map((one) => `p['type'] in ['${one}', 'y']`),
    fc
      .record({ group: name, version: name, kind: name })
      .map((gvk) => `{${Object.entries(gvk).map(([key, one]) => `'${key}': '${one}'`)}} == p.value`),
    name.map((one) => `p.value != '${one}'`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `(${a} && ${b})`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `(${a} || ${b})`),
    type.map((one) => `p == {'type': '${one}', 'value': 'a'}`),
    tie("any").map((a) => `!(${a})`),
    tie("any").map((a) => `properties.exists(q, ${a})`),
    tie("any").map((a) => `properties.exists(p, ${a})`),
  ),
})).any;

const rule: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc
      .tuple(fc.constantFrom("exists", "exists_one", "all"), condition)
      .map(([macro, one]) => `properties.${macro}(p, ${one})`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `(${a} && ${b})`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `(${a} || ${b})`),
    tie("any").map((a) => `!(${a})`),
  ),
})).any;

const value: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    rule.map((text) => ({ cel: { rule: text } })),
    name.map((one) => ({ package: { name: one, versionRange: ">=1.0.0" } })),
    fc.record({ group: name, version: name, kind: name }).map((gvk) => ({ gvk })),
    name.map((one) => ({ propertyEquals: { name: "x", value: one } })),
    fc
      .tuple(fc.constantFrom("all", "any", "none"), fc.array(tie("any"), { maxLength: 3 }))
      .map(([kind, constraints]) => ({ [kind]: { constraints } })),
  ),
})).any;

const existing = condition.map((one): Json => ({ cel: { rule: `properties.exists(p, ${one})` } }));

test.each([
  ["constraints", value],
  ["conditions", existing],
])("every match has the needed properties: %s", (_name, values) => {
  let matched = 0;
  fc.assert(
    fc.property(
      values,
      fc.array(fc.array(property, { maxLength: 3 }), { minLength: 4, maxLength: 8 }),
      (one, members) => {
        const asked = constraint(one);
        const need = neededBy(asked);
        for (const properties of need === undefined ? [] : members) {
          if (matches(asked, properties) !== true) continue;
          matched++;
          expect(has(need as Need, properties)).toBe(true);
        }
      },
    ),
    { numRuns: process.env.PLIMSOLL_LONG ? 50_000 : 2000 },
  );
  expect(matched).toBeGreaterThan(100);
});
