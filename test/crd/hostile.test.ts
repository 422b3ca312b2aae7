// Does `crd check` handle every definition and object, also large and hostile ones? What is too much is named, the
// rest is still checked, and the number of findings is limited. Sizes are generated, because no repository wants
// them; the small ones are cases of test/cases/crd-hostile.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_DIFFERENCES } from "../../src/crd/check-upgrade.ts";
import { type Circumstances, NOTHING_KNOWN } from "../../src/crd/upgrade/circumstances.ts";
import type { CustomResource, CustomResourceDefinition } from "../../src/model/custom-resource.ts";
import { definitionOf } from "../../src/model/definition-of.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Place } from "../../src/model/place.ts";
import { runCommand } from "../cli/run-command.ts";
import { checkUpgrade, type FindingInWords } from "./in-words.ts";

const PLACE: Place = { source: "new.yaml", line: 1, column: 1 };
/** Beside the differences of schemas, a few hundred mistakes and a few thousand objects can be reported. */
const MAX_FINDINGS = MAX_DIFFERENCES + 10_000;
/** No finding may be longer: its values come from outside. */
const MAX_LENGTH = 4000;

function definition(schema: JsonObject): CustomResourceDefinition {
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const names = { kind: "Winch", plural: "winches" };
  const spec = { group: "example.com", names, scope: "Namespaced", versions };
  return definitionOf({ metadata: { name: "winches.example.com" }, spec }, "v1", PLACE);
}

function winch(spec: Json, name = "odd"): CustomResource {
  const object = { apiVersion: "example.com/v1", kind: "Winch", metadata: { name, namespace: "quay" }, spec };
  const type = { apiVersion: "example.com/v1", group: "example.com", version: "v1", kind: "Winch" };
  return { place: PLACE, ...type, namespace: "quay", name, object };
}

const TEXT: JsonObject = { type: "string" };

/** A schema of `spec`, beside which a known difference is to be found all the same: `crew` was a number. */
function schemaOf(spec: JsonObject, crew = "string", more: JsonObject = {}): JsonObject {
  return { type: "object", properties: { crew: { type: crew }, spec }, ...more };
}

/** Checks a change and what holds for every answer: bounded, and the difference beside the trap is found. */
function check(before: JsonObject, after: JsonObject, known: Partial<Circumstances> = {}): readonly FindingInWords[] {
  const found = checkUpgrade(definition(before), definition(after), { ...NOTHING_KNOWN, ...known });
  expect(found.length).toBeLessThanOrEqual(MAX_FINDINGS);
  expect(found.filter(({ message, help }) => Math.max(message.length, help.length) > MAX_LENGTH)).toEqual([]);
  expect(codes(found)).toContain("CRD201");
  expect(found.filter(({ code, path }) => code === "CRD201" && path === ".crew")).toHaveLength(1);
  return found;
}

function codes(found: readonly FindingInWords[]): string[] {
  return [...new Set(found.map(({ code }) => code))].sort();
}

function nested(depth: number, inner: JsonObject): JsonObject {
  let schema = inner;
  for (let level = 0; level < depth; level++) schema = { type: "object", properties: { a: schema } };
  return schema;
}

describe("schemas", () => {
  test("references in a circle are named, and not followed", () => {
    const tree = { type: "object", properties: { child: { $ref: "#/definitions/tree" }, self: { $ref: "#" } } };
    const found = check(schemaOf(tree, "integer"), schemaOf(tree, "string", { definitions: { tree } }));
    expect(codes(found)).toContain("CRD007");
  });

  test.each([200, 240, 5000])("%i levels", (depth) => {
    const found = check(schemaOf(nested(9, TEXT), "integer"), schemaOf(nested(depth, TEXT)));
    expect(codes(found)).toContain("CRD007");
  });

  test("10 MB of fields", () => {
    const fields = (type: string, length: number): JsonObject =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`field${index}`, { type, maxLength: index }]));
    const [old, now] = [fields("string", 100_000), fields("boolean", 300_000)];
    expect(JSON.stringify(now).length).toBeGreaterThan(10_000_000);
    const found = check(
      schemaOf({ type: "object", properties: old }, "integer"),
      schemaOf({ type: "object", properties: now }),
    );
    expect(codes(found)).toContain("CRD007");
  });

  test("a choice of a million values", () => {
    const values = (from: number): JsonObject => ({
      ...TEXT,
      enum: Array.from({ length: 1_000_000 }, (_, index) => `value ${index + from}`),
    });
    const found = check(schemaOf(values(0), "integer"), schemaOf(values(500_000)));
    expect(found.filter(({ path }) => path === ".spec").map(({ code }) => code)).toContain("CRD203");
  });

  test("alternatives in alternatives", () => {
    const choices = (depth: number): JsonObject =>
      depth === 0 ? { required: ["never"] } : { anyOf: Array.from({ length: 6 }, () => choices(depth - 1)) };
    const old = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const found = check(schemaOf(old, "integer"), schemaOf({ ...old, ...choices(6) }), { objects: [winch({ a: 1 })] });
    expect(codes(found)).toContain("CRD210");
    expect(codes(found).some((code) => code === "CRD301" || code === "CRD304")).toBe(true);
  });

  test("fields that objects of the language have", () => {
    const names = ["__proto__", "constructor", "hasOwnProperty", "toString"];
    const fields = (keep: boolean): JsonObject => {
      const properties = Object.create(null) as Record<string, Json>;
      if (keep) for (const name of names) properties[name] = TEXT;
      return { type: "object", properties };
    };
    const object = winch(JSON.parse('{ "__proto__": "a", "constructor": "b" }') as Json);
    const found = check(schemaOf(fields(true), "integer"), schemaOf(fields(false)), { objects: [object] });
    expect(found.filter(({ code }) => code === "CRD209")).toHaveLength(names.length);
    expect(codes(found)).toContain("CRD302");
    expect(codes(check(schemaOf(fields(false), "integer"), schemaOf(fields(true))))).toEqual(["CRD201"]);
  });
});

describe("objects", () => {
  test("a list of a million, of which none is valid", () => {
    const list = (more: JsonObject): JsonObject => ({ type: "array", items: { ...TEXT, ...more } });
    const items = Array.from({ length: 1_000_000 }, (_, index) => `item ${index}`);
    const found = check(schemaOf(list({}), "integer"), schemaOf(list({ maxLength: 3 })), { objects: [winch(items)] });
    expect(found.filter(({ code }) => code === "CRD301")).toHaveLength(1);
  });

  test("a million keys of a set, the last one twice", () => {
    const list = { type: "array", items: TEXT };
    const items = Array.from({ length: 1_000_000 }, (_, index) => `item ${Math.min(index, 999_998)}`);
    const found = check(schemaOf(list, "integer"), schemaOf({ ...list, "x-kubernetes-list-type": "set" }), {
      objects: [winch(items)],
    });
    expect(codes(found)).toContain("CRD301");
  });

  test("20,000 of them, each of which is wrong", () => {
    const objects = Array.from({ length: 20_000 }, (_, index) => winch("far too long", `winch-${index}`));
    const found = check(schemaOf(TEXT, "integer"), schemaOf({ ...TEXT, maxLength: 3 }), { objects });
    expect(codes(found)).toContain("CRD301");
  });
});

describe("patterns", () => {
  test.each(["^(a+)+$", "^(a|aa)+$", "^(a*)*b$", "(.*.*)*x$"])("%s takes no time that grows", (pattern) => {
    const objects = [winch(`${"a".repeat(50_000)}!`)];
    const found = check(schemaOf(TEXT, "integer"), schemaOf({ ...TEXT, pattern }), { objects });
    expect(codes(found)).toContain("CRD301");
  });

  test.each(["((((a{99}){99}){99}){99}){99}", `(?:${"a?".repeat(100_000)})`, "(?=a)b", "("])(
    "one that cannot be used is named",
    (pattern) => {
      const found = check(schemaOf(TEXT, "integer"), schemaOf({ ...TEXT, pattern }), { objects: [winch("x")] });
      expect(codes(found)).toContain("CRD008");
    },
  );
});

describe("rules", () => {
  const LIST = { type: "array", items: TEXT };
  const withRule = (rule: string): JsonObject => ({ ...LIST, "x-kubernetes-validations": [{ rule }] });
  const CUBE = "self.all(a, self.all(b, self.all(c, a + b + c != '')))";

  test("one that may cost too much is named, and objects are left undecided", () => {
    const objects = [winch(Array.from({ length: 500 }, (_, index) => `item ${index}`))];
    const found = check(schemaOf(LIST, "integer"), schemaOf(withRule(CUBE)), { objects, celCostLimit: 10_000 });
    expect(codes(found)).toContain("CRD010");
    expect(codes(found)).toContain("CRD304");
  });

  test("one that does not compile is named, and the others are asked", () => {
    const rules = [{ rule: "self.size( > 1" }, { rule: "self.size() > 1" }, { rule: `${"(".repeat(5000)}1` }];
    const found = check(schemaOf(LIST, "integer"), schemaOf({ ...LIST, "x-kubernetes-validations": rules }), {
      objects: [winch(["one"])],
    });
    const broken = found.filter(({ code }) => code === "CRD009").map(({ place }) => place.path?.at(-2));
    expect([...new Set(broken)]).toEqual([0, 2]);
    expect(codes(found)).toContain("CRD301");
  });

  test("ten thousand of them", () => {
    const rules = Array.from({ length: 10_000 }, (_, index) => ({ rule: `self.size() != ${index}` }));
    const found = check(schemaOf(LIST, "integer"), schemaOf({ ...LIST, "x-kubernetes-validations": rules }), {
      objects: [winch(["one"])],
    });
    expect(codes(found)).toContain("CRD218");
  });
});

test("of very many differences the command lists 10,000, after what is more serious, and counts the others", () => {
  const fields = (type: string): JsonObject => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 10_020 }, (_, index) => [`field${index}`, { type }])),
  });
  const directory = mkdtempSync(join(tmpdir(), "plimsoll-crd-"));
  try {
    const write = (name: string, type: string, scope: string): void => {
      const { object } = definition(fields(type));
      const spec = { ...(object.spec as JsonObject), scope };
      const whole = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", ...object, spec };
      writeFileSync(join(directory, name), JSON.stringify(whole));
    };
    write("old.json", "string", "Namespaced");
    write("new.json", "boolean", "Cluster");
    const settings = { severities: { "type-changed": "info", "scope-changed": "warning" } };
    writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
    const run = (...form: string[]): string =>
      runCommand(["crd", "check", "old.json", "new.json", "--crd-settings", "settings.json", ...form], directory).out;
    const report = JSON.parse(run("-o", "json")) as { findings: { code: string }[]; notListed: number };
    expect(report.findings).toHaveLength(10_000);
    expect(report.notListed).toBe(2);
    expect(report.findings[0]).toMatchObject({ code: "CRD104", severity: "warning" });
    expect(run().split("\n").length).toBeLessThan(30);
    expect(run()).toContain("unsafe: 1 warning and 10001 remarks (the first 10000 are listed)");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
