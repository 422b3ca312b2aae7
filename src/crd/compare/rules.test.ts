// Which CEL rules are reported as new, removed or changed? crdify v0.6.0 has no check for rules and refuses every change.

import { expect, test } from "vitest";
import { compareSchemas } from "../../../test/crd/in-words.ts";
import type { JsonObject } from "../../model/json.ts";
import { readSchema } from "../schema/read-schema.ts";

function differenceLines(before: JsonObject, after: JsonObject): readonly string[] {
  const differences = compareSchemas(readSchema(before).schema, readSchema(after).schema);
  return differences.map(({ code, effect, message }) => `${code} ${effect}: ${message}`);
}

type Case = readonly [before: JsonObject, after: JsonObject, ...expected: readonly string[]];

const CASES: readonly Case[] = [
  [{}, { "x-kubernetes-validations": [{ rule: "self > 1" }] }, 'CRD218 tighter: must now keep the rule "self > 1"'],
  [
    { "x-kubernetes-validations": [{ rule: "a" }, { rule: "b" }] },
    { "x-kubernetes-validations": [{ rule: "b" }] },
    'CRD218 looser: need no longer keep the rule "a"',
  ],
  [
    { "x-kubernetes-validations": [{ rule: "a" }, { rule: "b" }] },
    { "x-kubernetes-validations": [{ rule: "b" }, { rule: "c" }] },
    'CRD218 tighter: must now keep the rule "c"',
    'CRD218 looser: need no longer keep the rule "a"',
  ],
  [
    { "x-kubernetes-validations": [{ rule: "a" }] },
    { "x-kubernetes-validations": [{ rule: "a", optionalOldSelf: true }] },
    'CRD218 tighter: must now keep the rule "a (optionalOldSelf)"',
    'CRD218 looser: need no longer keep the rule "a"',
  ],
  // A rule that looks like the one that is gone is what became of it.
  [
    { "x-kubernetes-validations": [{ rule: "self.a < 10" }, { rule: "size(self.b) > 1" }] },
    { "x-kubernetes-validations": [{ rule: "size(self.b) > 2" }, { rule: "self.a < 12" }] },
    'CRD218 different: must now keep the rule "self.a < 12" (was "self.a < 10")',
    'CRD218 different: must now keep the rule "size(self.b) > 2" (was "size(self.b) > 1")',
  ],
  // The most similar one; before that, one with the same message.
  [
    { "x-kubernetes-validations": [{ rule: "self.aaaa < 10" }] },
    { "x-kubernetes-validations": [{ rule: "self.aabb < 10" }, { rule: "self.aaaa < 11" }] },
    'CRD218 different: must now keep the rule "self.aaaa < 11" (was "self.aaaa < 10")',
    'CRD218 tighter: must now keep the rule "self.aabb < 10"',
  ],
  [
    { "x-kubernetes-validations": [{ rule: "self.a < 10", message: "small" }] },
    { "x-kubernetes-validations": [{ rule: "self.a < 11" }, { rule: "size(self) == 0", message: "small" }] },
    'CRD218 tighter: must now keep the rule "self.a < 11"',
    'CRD218 different: must now keep the rule "size(self) == 0" (was "self.a < 10")',
  ],
];

test.each(CASES.map(([before, after, ...expected]) => ({ before, after, expected })))(
  "$before to $after",
  ({ before, after, expected }) => {
    expect(differenceLines(before, after)).toEqual(expected);
  },
);

test("of very many rules it is not asked which became which", () => {
  const rules = (text: string): JsonObject => ({
    "x-kubernetes-validations": Array.from({ length: 101 }, (_, index) => ({ rule: `self.field${index} ${text}` })),
  });
  expect(differenceLines(rules("< 1"), rules("< 2"))).toHaveLength(202);
});
