import { describe, expect, test } from "vitest";
import { bodyOf, constraintsMap, type ReviewParts, review } from "../../test/webhook/review-body.ts";
import { type AdmissionRequest, readReview } from "./admission-review.ts";
import { type ConstraintsVerdict, reviewConstraints } from "./constraints-review.ts";

const HOME = { namespace: "olm", name: "olm-runtime-constraints" };

function verdictOn(parts: ReviewParts, wanted = HOME): ConstraintsVerdict {
  return reviewConstraints(readReview(bodyOf(review(parts))) as AdmissionRequest, wanted);
}

function denialOf(text: string | undefined): string | undefined {
  return verdictOn({ object: constraintsMap(text) }).verdict.denial;
}

const GOOD = `- type: olm.constraint
  value:
    message: only certified operators
    propertyEquals: { name: example.com/certified, value: true }
- type: example.com/storage
  value: fast
`;
const BROKEN = `- type: olm.constraint
  value:
    message: from our list only
    cel:
      rule: properties.exists(p, p.type == "olm.package" && p.value.packageName in ["a"]
- type: olm.constraint
  valu: 3
`;
const MISTAKES = [
  'data.properties:5:30: the rule cannot be compiled: "(" is never closed () is missing)',
  'data.properties:6:3: entry 2, of type olm.constraint, has no value (write a list of entries such as {"type": "olm.constraint", "value": {…}})',
  'data.properties:7:3: entry 2 has an unknown field "valu" (did you mean "value"?)',
];
const ALLOWED = { verdict: { warnings: [] } };

describe("a list with mistakes is denied, with all of them by line and column", () => {
  test("in YAML", () => {
    expect(denialOf(BROKEN)?.split("\n  ")).toEqual([
      "the runtime constraints have 3 mistakes; until they are fixed, nothing is installed or updated:",
      ...MISTAKES,
    ]);
  });

  test("in JSON on several lines", () => {
    const denial = denialOf(
      '[\n  {"type": "olm.constraint",\n   "value": {"cel": {"rule": "propertie.size() > 0"}}}\n]',
    );
    expect(denial).toContain("\n  data.properties:3:31: the rule cannot be compiled: ");
  });

  test.each<readonly [string, string | undefined, string]>([
    ["no list", "a: b", "data.properties:1:1: the runtime constraints must be a list, but are an object"],
    [
      "an empty text",
      "",
      "data.properties:1:1: the runtime constraints must be a list, but are empty (write [] if there are none)",
    ],
    ["no YAML", "- a: [", "data.properties:"],
    [
      "a duplicate key",
      "- type: a\n  type: b\n  value: 1",
      'data.properties:2:3: the key "type" appears twice in one object',
    ],
    ["no text", undefined, "the ConfigMap olm/olm-runtime-constraints has no data.properties"],
    [
      "a scope",
      "- {type: olm.constraint, value: {all: {scope: bundle, constraints: [{label: {label: a}}]}}}",
      "data.properties:1:",
    ],
  ])("%s", (_, text, line) => {
    expect(denialOf(text)).toContain(`:\n  ${line}`);
  });

  test("more than can be shown", () => {
    const denial = denialOf("- {type: olm.constraint, value: {cel: {rule: nothing}}}\n".repeat(120)) ?? "";
    expect(denial).toMatch(/^the runtime constraints have 100 mistakes; until they are fixed/);
    expect(denial.length).toBeLessThan(17 * 1024);
  });

  test("a name in the list cannot begin a line", () => {
    const denial = denialOf(JSON.stringify([{ "value\n  data.properties:1:1: forged": 1 }])) ?? "";
    expect(denial.split("\n").filter((line) => line.includes("forged"))).toHaveLength(1);
    expect(denial).not.toMatch(/^ {2}data\.properties:1:1: forged/m);
  });
});

describe("a list without mistakes is allowed", () => {
  test.each(["[]", GOOD])("%s", (text) => {
    expect(verdictOn({ object: constraintsMap(text) })).toEqual({ ...ALLOWED, proposed: { text } });
  });

  test("an update that changes it is a change, another one is not", () => {
    const object = constraintsMap(GOOD, { labels: { a: "b" } });
    const update = (oldObject: ReturnType<typeof constraintsMap>) =>
      verdictOn({ operation: "UPDATE", object, oldObject });
    expect(update(constraintsMap("[]"))).toEqual({ ...ALLOWED, proposed: { text: GOOD } });
    expect(update(constraintsMap(BROKEN))).toEqual({ ...ALLOWED, proposed: { text: GOOD } });
    expect(update(constraintsMap(GOOD))).toEqual(ALLOWED);
  });

  test("with warnings about what is probably not meant", () => {
    const rule = 'properties.exists(p, p.typ == "olm.package")';
    const { verdict } = verdictOn({
      object: constraintsMap(`- type: olm.constraint\n  value: {cel: {rule: '${rule}'}}`),
    });
    expect(verdict).toEqual({
      warnings: ["data.properties:2:47: a property has no field `typ` (did you mean `type`?)"],
    });
  });
});

describe("an update of a list with mistakes", () => {
  const broken = constraintsMap(BROKEN);

  test("that leaves the list as it is only warns: labels and finalizers can be changed", () => {
    const object = constraintsMap(BROKEN, { labels: { a: "b" }, finalizers: [] });
    expect(verdictOn({ operation: "UPDATE", object, oldObject: broken })).toEqual({ verdict: { warnings: MISTAKES } });
  });

  test("that leaves one of them is denied: the list still has no effect", () => {
    const object = constraintsMap(BROKEN.replace("valu:", "value:"));
    const { denial } = verdictOn({ operation: "UPDATE", object, oldObject: broken }).verdict;
    expect(denial).toContain(`\n  ${MISTAKES[0]}`);
    expect(denial).not.toContain(MISTAKES[2]);
  });
});

test("a deletion is allowed, and is a change", () => {
  for (const text of [GOOD, BROKEN])
    expect(verdictOn({ operation: "DELETE", oldObject: constraintsMap(text) })).toEqual({ ...ALLOWED, proposed: {} });
});

test("a deletion together with others has no name: that of the object counts", () => {
  const deletion = { operation: "DELETE", name: "" };
  expect(verdictOn({ ...deletion, oldObject: constraintsMap(GOOD) })).toEqual({ ...ALLOWED, proposed: {} });
  expect(verdictOn({ ...deletion, oldObject: constraintsMap(GOOD, { name: "other" }) })).toEqual(ALLOWED);
  expect(verdictOn({ operation: "DELETE", oldObject: null })).toEqual({ ...ALLOWED, proposed: {} });
});

describe("another ConfigMap", () => {
  test("of another name is nothing to us", () => {
    const object = constraintsMap(BROKEN, { name: "other" });
    expect(verdictOn({ name: "other", object })).toEqual(ALLOWED);
    expect(
      verdictOn({ name: "", object: constraintsMap(BROKEN, { generateName: "olm-runtime-constraints" }) }),
    ).toEqual(ALLOWED);
  });

  test("of this name in another namespace is allowed, with a warning", () => {
    const object = constraintsMap(BROKEN, { namespace: "shop" });
    const warning =
      "the ConfigMap shop/olm-runtime-constraints has no effect: runtime constraints are read from olm/olm-runtime-constraints";
    expect(verdictOn({ namespace: "shop", object })).toEqual({ verdict: { warnings: [warning] } });
    expect(verdictOn({ namespace: "shop", operation: "DELETE", oldObject: object })).toEqual(ALLOWED);
  });

  test("can be the one that is configured", () => {
    const wanted = { namespace: "shop", name: "rules" };
    const object = constraintsMap(undefined, wanted);
    expect(verdictOn({ ...wanted, object }, wanted).verdict.denial).toContain(
      "the ConfigMap shop/rules has no data.properties",
    );
    expect(verdictOn({ object: constraintsMap(BROKEN) }, wanted)).toEqual(ALLOWED);
  });
});

test("objects that no API server sends are no surprise", () => {
  for (const object of [
    {},
    { kind: 7 },
    { kind: "Foo", apiVersion: "v1" },
    { kind: "ConfigMap" },
    { kind: "List", items: [] },
  ])
    expect(verdictOn({ object }).proposed).toBeUndefined();
  for (const data of [null, [], "text", { properties: 7 }, { properties: null }])
    expect(verdictOn({ object: { ...constraintsMap(undefined), data } }).verdict.denial).toContain("1 mistake");
  expect(verdictOn({ operation: "CONNECT" })).toEqual(ALLOWED);
});
