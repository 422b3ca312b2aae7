// Is a rule written as a property only if it requires nothing but that property?

import { expect, test } from "vitest";
import type { CelConstraint } from "./constraint.ts";
import { type RequiredProperty, requiredProperty } from "./plain-rule.ts";
import { ConstraintReader } from "./read-requirements.ts";

const reader = new ConstraintReader({ compat: false, maxBytes: 65_536, maxDepth: 10, celCostLimit: 1_000_000 });

function askedBy(rule: string): RequiredProperty | undefined {
  const { requirements } = reader.of([{ type: "olm.constraint", value: { cel: { rule } } }]);
  return requiredProperty(requirements[0]?.constraint as CelConstraint);
}

test.each<[string, RequiredProperty]>([
  ['properties.exists(p, p.type == "certified")', { type: "certified", value: undefined }],
  ['properties.exists(p, p.type == "tier" && p.value == "gold")', { type: "tier", value: '"gold"' }],
  ["properties.exists(one, 7 == one.value && 'n' == one['type'])", { type: "n", value: "7" }],
  ['properties.exists(p, p.type == "on" && p.value == true)', { type: "on", value: "true" }],
  ['properties.exists(p, p.type == "gone" && p.value == null)', { type: "gone", value: "null" }],
])("%s", (rule, property) => {
  expect(askedBy(rule)).toEqual(property);
});

test.each([
  "true",
  'properties.all(p, p.type == "x")',
  'properties.exists_one(p, p.type == "x")',
  '!properties.exists(p, p.type == "x")',
  'properties.exists(p, p.type != "x")',
  'properties.exists(p, p.type == "x" || p.value == "y")',
  'properties.exists(p, p.type == "x" && p.value != "y")',
  'properties.exists(p, p.type == "x" && p.value.kind == "y")',
  'properties.exists(p, p.type == "x" && p.value == p.type)',
  'properties.exists(p, p.type == "x" && p.type == "y")',
  'properties.exists(p, p.type == "x" && p.value == "y" && p.value == "z")',
  'properties.exists(p, p.value == "y")',
  'properties.exists(p, p.type == "x") && true',
  'properties.exists(p, properties.exists(q, q.type == "x" && p.value == "y"))',
])("not written as a property: %s", (rule) => {
  expect(askedBy(rule)).toBeUndefined();
});
