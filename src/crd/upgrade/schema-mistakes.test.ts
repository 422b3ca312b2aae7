import { describe, expect, test } from "vitest";
import { checkUpgrade, type FindingInWords } from "../../../test/crd/in-words.ts";
import { definition, spec } from "../../../test/crd/winches.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { NOTHING_KNOWN } from "./circumstances.ts";

function found(before: JsonObject, after: JsonObject): readonly FindingInWords[] {
  const one = (schema: JsonObject) => definition({ versions: { v1: { flags: "served storage", schema } } });
  return checkUpgrade(one(before), one(after), NOTHING_KNOWN);
}

function messages(before: JsonObject, after: JsonObject): readonly string[] {
  return found(before, after).map(({ code, message }) => `${code} ${message}`);
}

const TEXT: JsonObject = { type: "string" };

function nested(depth: number, inner: JsonObject): JsonObject {
  let schema = inner;
  for (let level = 0; level < depth; level++) schema = { type: "object", properties: { a: schema } };
  return schema;
}

function deepValue(depth: number, inner: Json): Json {
  let value = inner;
  for (let level = 0; level < depth; level++) value = { a: [value] };
  return value;
}

/** A schema beside the part in question, which is not the same before and after. */
const beside = (schema: JsonObject, isNew: boolean): JsonObject => spec({ a: schema, ...(isNew && { b: TEXT }) });

describe("a part that is not read, before nor after", () => {
  const CHANGED = ", and it is not what it was before";

  test.each<readonly [string, JsonObject, JsonObject]>([
    ["schemas that are too deep", nested(150, { maxLength: 1 }), nested(150, { maxLength: 2 })],
    ["a default that is too deep", { default: deepValue(80, 1) }, { default: deepValue(80, 2) }],
    ["a choice that is too deep", { enum: [deepValue(80, 1)] }, { enum: [deepValue(80, 2)] }],
    ["an unknown keyword that is too deep", { "x-odd": deepValue(80, 1) }, { "x-odd": deepValue(80, 2) }],
    ["a list of types", { type: ["string"] }, { type: ["integer"] }],
    ["a schema for each position", { type: "array", items: [TEXT] }, { type: "array", items: [{ type: "integer" }] }],
    [
      "a rule without a text",
      { ...TEXT, "x-kubernetes-validations": [{ rule: 1 }] },
      { ...TEXT, "x-kubernetes-validations": [{ rule: 2 }] },
    ],
  ])("is reported only if it changes: %s", (_, before, after) => {
    const findings = found(beside(before, false), beside(after, true));
    expect(findings.map(({ code }) => code)).toEqual(["CRD007"]);
    expect(findings[0]?.message).toMatch(/^\.spec\.a.*: /);
    expect(findings[0]?.message.endsWith(CHANGED)).toBe(true);
    expect(found(beside(before, false), beside(before, true))).toEqual([]);
    expect(messages(beside(TEXT, false), beside(after, true)).filter((text) => text.endsWith(CHANGED))).toEqual([]);
  });

  test("is reported if the schema is too large and something changes", () => {
    const fields = (more: JsonObject): JsonObject => ({
      type: "object",
      properties: {
        ...Object.fromEntries(Array.from({ length: 200_001 }, (_, index) => [`f${index}`, {}])),
        last: more,
      },
    });
    const [old, now] = [fields({ type: "integer" }), fields(TEXT)];
    const expected = `CRD007 .f199999: the schema has more than 200,000 parts; the others were not read${CHANGED}`;
    expect(messages(old, now)).toEqual([expected]);
    expect(messages(old, { ...old })).toEqual([]);
  });
});

test("a keyword that is not allowed is compared: its change is reported only as that", () => {
  const odd = (value: number): JsonObject => spec({ a: { ...TEXT, dependencies: { value } } });
  expect(found(odd(1), odd(2)).map(({ code }) => code)).toEqual(["CRD299"]);
});

describe("definitions that nest thousands of levels", () => {
  const DEPTH = 20_000;

  test.each<readonly [string, JsonObject]>([
    ["schemas", nested(DEPTH, TEXT)],
    ["a default", spec({ a: { default: deepValue(DEPTH, 1) } })],
    ["a choice", spec({ a: { enum: [deepValue(DEPTH, 1), 1] } })],
    ["an unknown keyword", spec({ a: { "x-odd": deepValue(DEPTH, 1) } })],
    ["alternatives", spec({ a: { anyOf: [{ default: deepValue(DEPTH, 1) }] } })],
  ])("do no harm, and what was not read is named: %s", (_, deep) => {
    for (const [before, after] of [
      [spec({}), deep],
      [deep, { ...deep, description: "other", maxProperties: 5 }],
    ] as const)
      expect(found(before, after).length).toBeGreaterThan(0);
    expect(found(spec({}), deep).map(({ code }) => code)).toContain("CRD007");
  });

  test("outside of schemas", () => {
    const odd = (inner: Json) =>
      definition({ versions: { v1: "served storage" }, spec: { odd: deepValue(DEPTH, inner) } });
    expect(checkUpgrade(odd(1), odd(1), NOTHING_KNOWN)).toEqual([]);
    const [finding, ...others] = checkUpgrade(odd(1), odd(2), NOTHING_KNOWN);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: "CRD299", message: "odd of the definition is another one" });
    expect(isObject(finding?.old)).toBe(false);
  });
});

describe("wording", () => {
  const ruled = (...rules: readonly JsonObject[]): JsonObject => spec({}, { "x-kubernetes-validations": rules });

  test("a rule that does not compile is shown, with the field", () => {
    const [first] = found(spec({}), ruled({ rule: "self.sise > 1" }));
    expect(first).toMatchObject({
      code: "CRD009",
      path: ".spec",
      message: '.spec: the rule "self.sise > 1" does not compile: .spec has no field `sise` (column 6)',
    });
    expect(messages(spec({}), ruled({ rule: "true", messageExpression: "1" }))).toContain(
      'CRD009 .spec: the messageExpression "1" does not compile: the expression must give string and gives int (column 1)',
    );
    expect(messages(spec({}), ruled({ rule: "true", reason: "" }))).toContain(
      "CRD009 .spec: the reason must be one of FieldValueRequired, FieldValueInvalid, FieldValueForbidden, FieldValueDuplicate",
    );
  });

  test("the cost of a rule is reported once, with what to do as help", () => {
    const list = (rules: readonly JsonObject[]): JsonObject =>
      spec({ l: { type: "array", maxItems: 2000, items: { type: "integer" }, "x-kubernetes-validations": rules } });
    const finding = found(list([]), list([{ rule: "self.all(x, self.all(y, x == y))" }])).find(
      ({ code }) => code === "CRD010",
    );
    expect(finding).toMatchObject({
      code: "CRD010",
      message: '.spec.l: the rule "self.all(x, self.all(y, x == y))" may cost 2.0 times the limit of 10,000,000',
    });
    expect(finding?.help).toContain("maxItems");
  });

  test("of all rules together, no field is named but that of the most expensive", () => {
    const text = {
      type: "string",
      "x-kubernetes-validations": [{ rule: "self.contains('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')" }],
    };
    const lines = messages(spec({}), spec({ l: { type: "array", items: text } }));
    expect(lines.at(0)).toMatch(
      /^CRD010 all rules together may cost .* the limit of 100,000,000; the most expensive is on \.spec\.l\[\*\]$/,
    );
  });
});
