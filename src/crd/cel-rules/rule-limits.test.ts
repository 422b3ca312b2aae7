// What bounds the rules of one object?

import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import { faultText, undecidedText } from "../../render/sentence/object-fault.ts";
import { readSchema } from "../schema/read-schema.ts";
import type { UndecidedReason } from "../validate/fault.ts";
import { type ObjectRules, rulesFor } from "./rules-for.ts";

const INT: JsonObject = { type: "integer" };

function ruled(schema: JsonObject, ...rules: readonly string[]): JsonObject {
  return { ...schema, "x-kubernetes-validations": rules.map((rule) => ({ rule })) };
}

function object(properties: JsonObject): JsonObject {
  return { type: "object", properties };
}

function resource(spec: Json): JsonObject {
  return { apiVersion: "b.io/v1", kind: "A", metadata: { name: "x" }, spec };
}

function rulesOfSchema(schema: JsonObject, celCostLimit = 10_000_000): ObjectRules {
  const rules = rulesFor(readSchema(schema).schema, { celCostLimit });
  if (rules === undefined) throw new Error("the schema has no rules");
  return rules;
}

function faultLines(spec: JsonObject, value: Json, most = 100): readonly string[] {
  const { faults, undecided } = rulesOfSchema(object({ spec })).check(resource(value), undefined, most);
  expect(undecided).toBeUndefined();
  return faults.map(({ path, detail }) => `${printPath(path)}: ${faultText(detail)}`);
}

function why(undecided: UndecidedReason | undefined): string | undefined {
  return undecided && undecidedText(undecided);
}

describe("limits", () => {
  const numbers = Array.from({ length: 2_000 }, (_, index) => index);
  const costly = ruled({ type: "array", items: ruled(INT, "self >= 1") }, "self.all(x, self.exists(y, x == y + 5000))");

  test("no more faults than asked for", () => {
    expect(faultLines({ type: "array", items: ruled(INT, "self < 0") }, numbers, 3)).toHaveLength(3);
  });

  test("a rule over the limit of a call is named, and the rest is asked", () => {
    const rule = "self.all(x, self.all(y, self.all(z, x + y + z >= 0)))";
    const spec = ruled({ type: "array", items: ruled(INT, "self > 0") }, rule, "self.size() == 3");
    const { faults, undecided } = rulesOfSchema(object({ spec })).check(resource(numbers), undefined, 10);
    expect(why(undecided)).toBe(
      `the rule \`${rule}\` on spec was not decided, because the evaluation was stopped: it costs more than the limit of 1000000`,
    );
    expect(faults.map(({ path }) => printPath(path))).toEqual(["spec", "spec[0]"]);
  });

  test("all rules of an object have one budget", () => {
    const { faults, undecided } = rulesOfSchema(object({ spec: costly }), 5_000).check(
      resource(numbers),
      undefined,
      10,
    );
    expect(faults).toEqual([]);
    expect(why(undecided)).toBe(
      "the rule `self.all(x, self.exists(y, x == y + 5000))` on spec was not decided, because the rules of the object cost more than 5,000; no further rules were evaluated",
    );
    const each = rulesOfSchema(object({ spec: { type: "array", items: ruled(INT, "self >= 0") } }), 3_000);
    expect(each.check(resource(numbers.slice(0, 1_500)), undefined, 10).undecided).toBeUndefined();
    expect(why(each.check(resource(numbers.slice(0, 1_501)), undefined, 10).undecided)).toContain(
      "on spec[1500] was not decided",
    );
  });

  test("work that the cost does not show is bounded, too", () => {
    const list = Array.from({ length: 40_000 }, (_, index) => ({ a: [index, [index, [index]]] }));
    const same = Array.from({ length: 1_000 }, () => "self.l == oldSelf.l");
    const below = {
      type: "array",
      items: object({ a: { type: "array", items: { "x-kubernetes-int-or-string": true } } }),
    };
    const { undecided } = rulesOfSchema(object({ spec: ruled(object({ l: below }), ...same) })).check(
      resource({ l: list }),
      resource({ l: structuredClone(list) }),
      10,
    );
    expect(why(undecided)).toContain("goes through more than the limit");
  });

  test("ten thousand rules are asked, more are named; one of a megabyte is left out", () => {
    const many = (count: number): JsonObject =>
      object({ spec: ruled(INT, ...Array.from({ length: count }, () => "true")) });
    expect(rulesOfSchema(many(10_000)).check(resource(1), undefined, 10).undecided).toBeUndefined();
    expect(why(rulesOfSchema(many(10_001)).check(resource(1), undefined, 10).undecided)).toContain(
      "1 validation rules were not evaluated",
    );
    const long = ruled(INT, `self > 0${" && self > 0".repeat(100_000)}`, "self > 1");
    expect(faultLines(long, 1)).toEqual(["spec: does not keep a rule: self > 1"]);
  });

  test("a long rule is shortened", () => {
    const [shown] = faultLines(ruled(INT, `self < 0${" && self < 0".repeat(100)}`), 1);
    expect(shown?.length).toBeLessThan(250);
  });
});
