// What does a finding have beside its code: why it matters here, who is affected, where it is, and how many more there
// are?

import { describe, expect, test } from "vitest";
import { checkUpgrade, type FindingInWords } from "../../test/crd/in-words.ts";
import { definition, GROUP, spec, user, winch } from "../../test/crd/winches.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import type { JsonObject } from "../model/json.ts";
import { MAX_DIFFERENCES } from "./check-upgrade.ts";
import { type Circumstances, NOTHING_KNOWN } from "./upgrade/circumstances.ts";

const single = (schema: JsonObject): CustomResourceDefinition =>
  definition({ versions: { v1: { flags: "served storage", schema } } });

function found(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition | undefined,
  more: Partial<Circumstances> = {},
): readonly FindingInWords[] {
  return checkUpgrade(before, after, { ...NOTHING_KNOWN, ...more });
}

/** The only finding about a field of the spec. */
function aboutField(before: JsonObject, after: JsonObject): FindingInWords | undefined {
  const [finding, ...others] = found(single(spec({ a: before })), single(spec({ a: after })));
  expect(others).toEqual([]);
  return finding;
}

describe("why it matters", () => {
  test.each<readonly [string, JsonObject, JsonObject, string]>([
    ["CRD203", { enum: ["x"] }, {}, "values that they did not before"],
    ["CRD206", { pattern: "x" }, {}, "values that they did not before"],
    ["CRD201", { type: "integer" }, { type: "number" }, "of a type that they do not expect"],
    ["CRD208", {}, { nullable: true }, "nulls"],
    ["CRD215", {}, { "x-kubernetes-preserve-unknown-fields": true }, "is kept"],
    ["CRD220", { uniqueItems: true }, { uniqueItems: false }, "the same item twice"],
  ])("%s: what only becomes looser does no harm to objects", (code, before, after, why) => {
    const finding = aboutField(before, after);
    expect(finding?.code).toBe(code);
    expect(finding?.why).toMatch(/^objects stay valid, but /);
    expect(finding?.why).toContain(why);
  });

  test("what becomes narrower is what the rule is about", () => {
    expect(aboutField({}, { pattern: "x" })).not.toHaveProperty("why");
  });

  test("between two versions it is about who reads what", () => {
    const versions = (schema: JsonObject): CustomResourceDefinition =>
      definition({
        versions: { v1: { flags: "served storage", schema: spec({}) }, v2: { flags: "served", schema } },
      });
    const [finding] = found(versions(spec({})), versions(spec({}, { maxProperties: 3 }))).filter(
      ({ version }) => version === "v1 -> v2",
    );
    expect(finding?.why).toMatch(/^without a webhook an object is the same in every version/);
  });

  test("an object of a version that there is not hits no limit", () => {
    const [finding] = found(single(spec({})), single(spec({})), { objects: [winch("odd", "v0", {})] });
    expect(finding).toMatchObject({ code: "CRD304" });
    expect(finding?.why).not.toContain("limit");
  });
});

test("affected operators are named as given, with any text", () => {
  const before = definition({ versions: { v0: "served", v1: "served storage" } });
  const after = definition({ versions: { v0: "", v1: "served storage" } });
  const requiredBy = [user("a who requires b", "v0")];
  const ownedBy = [user("c works with d", "v0")];
  expect(found(before, after, { requiredBy, ownedBy }).map(({ code, user: by }) => [code, by])).toEqual([
    ["CRD103", "a who requires b"],
    ["CRD106", "c works with d"],
    ["CRD116", undefined],
  ]);
  const gone = found(before, undefined, { requiredBy });
  expect(gone.map(({ code, user: by }) => [code, by])).toEqual([
    ["CRD107", undefined],
    ["CRD103", "a who requires b"],
  ]);
});

test("a removed version or field has no old value", () => {
  const before = definition({ versions: { v0: { flags: "served", schema: spec({}) }, v1: "served storage" } });
  const after = definition({ versions: { v1: { flags: "served storage", schema: spec({}) } } });
  const findings = found(before, after, { stored: ["v0", "v1"] });
  expect(findings.map(({ code }) => code).sort()).toEqual(["CRD101", "CRD102", "CRD209"]);
  for (const finding of findings) expect(finding).not.toHaveProperty("old");
  const field = findings.find(({ code }) => code === "CRD209");
  expect(field?.place).toMatchObject({ ofKey: true });
  expect(field?.place.path?.at(-1)).toBe("brake");
});

test("that an object is one is no news", () => {
  const [finding, ...others] = found(single({}), single({ type: "object" }), { owners: 2 });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ code: "CRD201", severity: "info", why: "nothing changes for objects" });
  expect(finding?.message).toBe("the object in v1: is now said to be an object, which every custom resource is");
});

test("a required field with a default does not break objects that omit it", () => {
  const field = { type: "string", default: "x" };
  const [finding] = found(single(spec({ a: field })), single(spec({ a: field }, { required: ["a"] })));
  expect(finding).toMatchObject({ code: "CRD202", why: "objects that do not say it get the default" });
  expect(finding?.help).toMatch(/^nothing, if its default is right/);
  expect(finding).not.toHaveProperty("new");
});

test("a keyword that is new has no old value to keep", () => {
  expect(aboutField({}, { maxLength: 3 })?.help).toMatch(/^leave the upper bound of \.spec\.a out/);
  expect(aboutField({ maxLength: 4 }, { maxLength: 3 })?.help).toMatch(/^keep the old upper bound of \.spec\.a/);
  expect(aboutField({}, { enum: ["x"] })?.help).toMatch(/^leave enum of \.spec\.a out/);
});

test("an object that is another type altogether is no custom resource", () => {
  const [finding] = found(single({ type: "object" }), single({ type: "array" }));
  expect(finding).toMatchObject({ code: "CRD201", path: "." });
  expect(finding?.help).toContain("write type: object again");
});

test("the message of a rule about an object is a separate sentence", () => {
  const ruled = (rule: JsonObject): CustomResourceDefinition =>
    single(spec({ a: { type: "integer" } }, { "x-kubernetes-validations": [rule] }));
  const ruleMessage = (rule: JsonObject) =>
    found(single(spec({ a: { type: "integer" } })), ruled(rule), { objects: [winch("odd", "v1", { a: 1 })] }).find(
      ({ code }) => code === "CRD301",
    )?.message;
  expect(ruleMessage({ rule: "self.a > 1", message: "a must be large" })).toBe(
    'winches "odd" in namespace quay-north: .spec: a must be large',
  );
  expect(ruleMessage({ rule: "self.a > 1" })).toBe(
    'winches "odd" in namespace quay-north: .spec: does not keep a rule: self.a > 1',
  );
});

describe("very much", () => {
  test("of too many differences, the most serious are reported, with the number of the others", () => {
    const count = MAX_DIFFERENCES + 20;
    const lists = (more: JsonObject, last: string): JsonObject =>
      spec({
        ...Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`field${index}`, { type: "array", ...more }]),
        ),
        zz: { type: last },
      });
    const findings = found(single(lists({ uniqueItems: true }, "string")), single(lists({}, "string")));
    expect(findings).toHaveLength(MAX_DIFFERENCES + 1);
    expect(findings.filter(({ message }) => message.startsWith("20 more differences are not listed"))).toHaveLength(1);
    const mixed = found(single(lists({ uniqueItems: true }, "string")), single(lists({}, "integer")));
    expect(mixed.filter(({ code }) => code === "CRD201").map(({ path }) => path)).toEqual([".spec.zz"]);
    expect(mixed.filter(({ message }) => message.startsWith("21 more differences are not listed"))).toHaveLength(1);
  });

  test("if there are too many and too large versions to compare all pairs, that is reported once", () => {
    const schema = (more: JsonObject): JsonObject =>
      spec(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`field${index}`, more])));
    const versions = (more: JsonObject): CustomResourceDefinition => {
      const names = Array.from({ length: 25 }, (_, index) => `v${index + 1}`);
      const [first, last] = [schema({}), schema(more)];
      return definition({
        versions: Object.fromEntries(
          names.map((name) => [
            name,
            { flags: name === "v1" ? "served storage" : "served", schema: name === "v25" ? last : first },
          ]),
        ),
      });
    };
    const findings = found(versions({}), versions({ description: "x", maxLength: 1 })).filter(
      ({ code }) => code === "CRD007",
    );
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toContain("the 25 versions that are served");
    expect(findings[0]?.crd).toBe(`winches.${GROUP}`);
  });
});
