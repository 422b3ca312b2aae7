// Values and costs were made with cel-go v0.29.2 and OLM's semver_compare (bench/peers/cel-go, environment `bundle`).
import { describe, expect, test } from "vitest";
import { CelError } from "../cel/value/value.ts";
import type { Property } from "../model/catalog.ts";
import { bundleBindings, bundleRule } from "./bundle-environment.ts";

const PROPERTIES: readonly Property[] = [
  { type: "olm.test", value: "1.0.0" },
  { type: "n", value: 5 },
  { type: "m", value: { a: [1, 2.5] } },
];

function evaluate(text: string, properties: readonly Property[] = PROPERTIES) {
  const { program, errors } = bundleRule(text);
  expect(errors).toEqual([]);
  const result = program?.evaluate(bundleBindings(properties));
  return { result: result instanceof CelError ? result.message : result, cost: program?.cost };
}

describe("rules about a bundle", () => {
  test.each<[string, unknown, number]>([
    ["properties.exists(p, p.type == 'olm.test' && semver_compare(p.value, '1.0.0') == 0)", true, 16],
    ["properties.exists(p, p.type == 'olm.test' && semver_compare(p.value, '1.0.1') == 0)", false, 27],
    ["properties.exists(p, p.type == 'olm.test' && semver_compare(p.value, '1.0.0') > 0)", false, 27],
    ["properties.exists(p, p.type == 'n' && p.value == 5)", true, 22],
    ["properties.exists(p, p.type == 'n' && p.value > 4)", true, 22],
    ["properties.exists(p, p.type == 'n' && type(p.value) == double)", true, 23],
    ["properties.exists(p, p.type == 'n' && semver_compare(p.value, '5.0.0') == 0)", true, 23],
    ["properties.exists(p, p.type == 'm' && p.value.a[0] == 1 && type(p.value.a[0]) == double)", true, 34],
    ["properties.exists(p, p.value == {'a': [1.0, 2.5]})", true, 143],
    [
      "properties.exists(p, semver_compare(p.value, '7.0.0') == 0)",
      'semver_compare: {"a": [1, 2.5]} is not a version',
      26,
    ],
    ["semver_compare(1.5, '1.5') == 0", true, 2],
    ["semver_compare('v1', '1.0.0-rc.1') == 1", true, 2],
    ["semver_compare(true, '1.5') == 0", "semver_compare: true is not a version", 2],
  ])("%s", (text, result, cost) => {
    expect(evaluate(text)).toEqual({ result, cost });
  });

  test("a property with a broken value is an empty map, and absorbed where another matches", () => {
    const broken = { type: "olm.test", value: undefined } as unknown as Property;
    expect(evaluate("properties.exists(p, p.type == 'n')", [broken, ...PROPERTIES]).result).toBe(true);
    expect(evaluate("properties[0] == {}", [broken]).result).toBe(true);
    expect(evaluate("properties.all(p, p.type == 'n')", [broken]).result).toBe("no such key: type");
  });

  test("properties are not copied", () => {
    expect(bundleBindings(PROPERTIES).properties).toBe(PROPERTIES);
  });

  test.each([
    ["properties.exists(p, doesnt_exist(p.value, '1.0.0') == 0)", "no such function `doesnt_exist`"],
    ["1", "the expression must give bool and gives int"],
    ["properties[0].value", "the expression must give bool and gives dyn"],
    ["propertes.exists(p, true)", "no such variable `propertes`"],
  ])("%s does not compile", (text, message) => {
    expect(bundleRule(text).errors.map((error) => error.message)).toContain(message);
  });

  test("a misspelt field of a property is doubtful", () => {
    expect(bundleRule("properties.exists(p, p.typ == 'x')").warnings).toMatchObject([
      { message: "a property has no field `typ`", hint: "did you mean `type`?" },
    ]);
    expect(bundleRule("properties.exists(p, p.value.anything == 'x')").warnings).toEqual([]);
  });

  test("OLM has only the standard library", () => {
    expect(evaluate("'a'.charAt(0) == 'a' && semver('1.0.0').major() == 1").result).toBe(true);
    expect(bundleRule("'a'.charAt(0) == 'a'", { compat: true }).errors).toHaveLength(1);
    expect(bundleRule("semver('1.0.0').major() == 1", { compat: true }).errors).not.toEqual([]);
    expect(bundleRule("properties.exists(p, semver_compare(p.value, '1') > 0)", { compat: true }).errors).toEqual([]);
  });
});
