// Do the examples of the proposals about constraints work, letter by letter? Their spelling mistakes are reported at their place.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readDependencies } from "../../../src/input/bundle-directory/declared-properties.ts";
import { CatalogBuilder } from "../../../src/input/catalog/catalog-builder.ts";
import { DEFAULT_LIMITS } from "../../../src/input/limits.ts";
import { ObjectsReader } from "../../../src/input/objects/read-objects.ts";
import { Documents } from "../../../src/input/read-documents.ts";
import type { Property } from "../../../src/model/catalog.ts";
import { type Finding, finding } from "../../../src/model/finding.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { ResolveOptions } from "../../../src/model/problem.ts";
import type { CaseAnswer } from "./answer.ts";
import type { BundleLine, Case } from "./notation.ts";
import { answerTo } from "./resolve-world.ts";
import { type World, worldOf } from "./world.ts";

const PAGE = readFileSync("test/resolve/olm-cases/seeds.md", "utf8");

/** The example under a heading. */
function example(heading: string): string {
  const from = PAGE.indexOf(`### ${heading}\n`);
  const [, text] = /^```[a-z=]*\n([\s\S]*?)^```$/m.exec(PAGE.slice(from)) ?? [];
  if (from < 0 || text === undefined) throw new Error(`there is no example ${heading}`);
  return text;
}

const used = new Set<string>();

/** The lines that come before an example make no part of it. */
interface Text {
  readonly text: string;
  /** The line of the text in which the example begins, from 1. */
  readonly from: number;
}

function around(before: string, heading: string, after: string): Text {
  used.add(heading);
  return { text: `${before}\n${example(heading)}${after}`, from: before.split("\n").length + 1 };
}

const HEAD =
  '{"schema": "olm.package", "name": "baz", "defaultChannel": "alpha"}\n' +
  '{"schema": "olm.channel", "package": "baz", "name": "alpha", "entries": [{"name": "baz.v1.0.0"}]}\n';
const BUNDLE = '{"schema": "olm.bundle", "package": "baz", "name": "baz.v1.0.0", "image": "example.com/baz:1.0.0",';
const PACKAGE = '{"type": "olm.package", "value": {"packageName": "baz", "version": "1.0.0"}}';

/** A catalog in JSON with a property that is the example. */
function jsonProperty(heading: string): Text {
  return around(`${HEAD}${BUNDLE} "properties": [${PACKAGE},`, heading, "]}\n");
}

/** A catalog in JSON with a constraint of which the example is a part. */
function jsonPart(heading: string, rest: string): Text {
  const before = `${HEAD}${BUNDLE} "properties": [${PACKAGE}, {"type": "olm.constraint", "value": {`;
  return around(before, heading, `${rest}}}]}\n`);
}

const YAML_HEAD = HEAD.replaceAll("}\n", "}\n---\n");

/** A catalog in YAML with a property that is the example, indented as an item of a list is. */
function yamlProperty(heading: string, indented = true): Text {
  const before = `${YAML_HEAD}schema: olm.bundle\npackage: baz\nname: baz.v1.0.0\nimage: example.com/baz:1.0.0\nproperties:`;
  const { text, from } = around(`${before}\n- ${PACKAGE}${indented ? "\n-" : ""}`, heading, "");
  const lines = text.split("\n");
  return { text: lines.map((line, at) => (indented && at >= from - 1 ? `  ${line}` : line)).join("\n"), from };
}

/** A catalog in YAML with a bundle that is the example, and the required fields of a bundle. */
function yamlBundle(heading: string, owner = "baz"): Text {
  const head = YAML_HEAD.replaceAll("baz", owner);
  const named = example(heading).includes("\npackage:") ? "" : `package: ${owner}\n`;
  const rest = `- ${PACKAGE.replace("baz", owner)}\n${named}image: example.com/baz:1.0.0\n`;
  return around(head.slice(0, example(heading).startsWith("---") ? -5 : -1), heading, rest);
}

/** The example's catalog beside one with other bundles, and a Subscription to baz. */
function world({ text }: Text, bundles: readonly BundleLine[], more: Partial<Case> = {}, owner = "baz"): World {
  const given = worldOf(
    {
      id: "",
      says: "",
      expect: {},
      bundles,
      subscriptions: [{ of: `${owner}/alpha`, from: "ns/seed" }, ...(more.subscriptions ?? [])],
    },
    false,
  );
  const builder = new CatalogBuilder({ namespace: "ns", name: "seed", priority: 0 });
  read(text, (value, place) => builder.add(value, place), builder.report);
  const catalog = builder.finish();
  return { ...given, catalogs: [...given.catalogs, catalog], findings: [...given.findings, ...catalog.findings] };
}

type Reading = ConstructorParameters<typeof Documents>[0];

function read(text: string, sink: Reading["sink"], report: Reading["report"]): void {
  const documents = new Documents({ source: "seed", limits: DEFAULT_LIMITS, report, sink });
  documents.push(new TextEncoder().encode(text));
  documents.end();
}

/** The names of what is installed. */
function installs(given: World, options?: Partial<ResolveOptions>): readonly string[] {
  const answer = answerTo(given, options);
  expect(answer.outcome).toBe("Resolved");
  expect(given.findings.filter(({ severity }) => severity === "error")).toEqual([]);
  return answer.installs.map((text) => text.split(" ")[0] as string).sort();
}

/** Why baz is not installed. */
function refusal(given: World, options?: Partial<ResolveOptions>): string {
  const { unsatisfied } = answerTo(given, options);
  return unsatisfied["baz-alpha"] ?? "";
}

function slip({ text, from }: Text): Pick<Finding, "code"> & { readonly at: string } {
  const found: Finding[] = [];
  read(
    text,
    () => undefined,
    (one) => found.push(one),
  );
  const [first] = found.filter(({ severity }) => severity === "error");
  const { code, place } = first ?? finding("PL011", { source: "", line: 0, column: 0 }, { message: "" });
  return { code, at: `${place.line - from + 1}:${place.column}` };
}

const carrier = (name: string, ...types: readonly string[]): BundleLine => ({
  bundle: `${name}.v1`,
  properties: types.map((type): Property => ({ type, value: true })),
});
const SINGLE = [carrier("b", "certified"), carrier("c", "stable"), carrier("d", "certified", "stable")];

describe("generic constraint (000)", () => {
  test("certified", () => {
    const text = jsonProperty("certified");
    expect(installs(world(text, SINGLE))).toEqual(["b.v1", "baz.v1.0.0"]);
    expect(refusal(world(text, [carrier("c", "stable")]))).toContain("require to have certified property");
  });

  test("lucky: an evaluator that does not exist", () => {
    const text = jsonPart("lucky", '"rule": "true"');
    expect(refusal(world(text, SINGLE))).toContain("lucky");
  });

  test("optional: a comma is missing", () => {
    expect(slip(jsonPart("optional", '"rule": "true"'))).toEqual({ code: "PL003", at: "3:5" });
  });

  test("certified and stable: commas and quotes are wrong", () => {
    expect(slip(jsonProperty("certified and stable"))).toEqual({ code: "PL003", at: "6:5" });
  });

  test("CEL as a struct", () => {
    const text = yamlProperty("CEL as a struct");
    expect(installs(world(text, SINGLE))).toEqual(["baz.v1.0.0"]);
    expect(installs(world(text, SINGLE), { installOptional: true })).toEqual(["baz.v1.0.0", "d.v1"]);
  });

  test.for(["4.9", 4.9])("propertyEquals %j", (value) => {
    const text = yamlProperty("propertyEquals");
    const provider = { bundle: "b.v1", properties: [{ type: "olm.maxOCPVersion", value }] };
    expect(installs(world(text, [provider]))).toEqual(["b.v1", "baz.v1.0.0"]);
  });

  test("propertyEquals without a match, and of the cluster", () => {
    const given = world(yamlProperty("propertyEquals"), SINGLE);
    expect(refusal(given)).toContain('require to have "certified" and "stable" properties');
    const { outcome, installs } = answerTo(given, {}, [{ type: "olm.maxOCPVersion", value: "4.9" }]);
    expect({ outcome, installs }).toEqual({ outcome: "Resolved", installs: ["baz.v1.0.0 ns/seed/alpha"] });
  });

  test("olm.constraint.cel: no JSON, but YAML", () => {
    expect(slip(jsonProperty("olm.constraint.cel"))).toEqual({ code: "PL003", at: "4:13" });
    expect(installs(world(yamlProperty("olm.constraint.cel"), SINGLE))).toEqual(["baz.v1.0.0", "d.v1"]);
  });
});

describe("cluster runtime constraint (001)", () => {
  const CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: olm-runtime-constraints, namespace: olm}\n";

  /** Subscriptions to b, which is certified, and c, which is not, under the list of a ConfigMap. */
  function under(configMap: string): CaseAnswer {
    const { catalogs, unavailable, objects, findings } = worldOf(
      { id: "", says: "", expect: {}, bundles: SINGLE, subscriptions: ["b/alpha", "c/alpha"] },
      false,
    );
    const reader = new ObjectsReader(() => undefined);
    read(
      configMap,
      (value, place) => reader.add(value, place),
      () => undefined,
    );
    const { configMaps } = reader.finish();
    expect(configMaps.length).toBe(1);
    return answerTo({ catalogs, unavailable, objects: { ...objects, configMaps }, findings });
  }

  test("the ConfigMap: the words in place of a list allow nothing", () => {
    const { text } = around("", "the ConfigMap", "");
    const answer = under(text);
    expect(answer.outcome).toBe("Undecided");
    expect(answer.installs).toEqual([]);
  });

  test("an entry, in the ConfigMap", () => {
    const { text } = around(`${CONFIG_MAP}data:\n  properties: |-\n    [`, "an entry", "]");
    const indented = text.split("\n").map((line, at) => (at > 5 ? `    ${line}` : line));
    const answer = under(indented.join("\n"));
    expect(answer.installs).toEqual(["b.v1 ns/cat/alpha"]);
    expect(Object.keys(answer.unsatisfied)).toEqual(["c-alpha"]);
  });

  test("an entry, in a bundle", () => {
    expect(installs(world(jsonProperty("an entry"), SINGLE))).toEqual(["b.v1", "baz.v1.0.0"]);
  });

  test("dependencies.yaml", () => {
    const given: JsonObject[] = [];
    used.add("dependencies.yaml");
    read(
      example("dependencies.yaml"),
      (value) => given.push(value),
      () => undefined,
    );
    const document = { value: given[0] as JsonObject, place: { source: "dependencies.yaml", line: 1, column: 1 } };
    const found: Finding[] = [];
    const properties = [...readDependencies([document], (one) => found.push(one)).keys()];
    expect(found).toEqual([]);
    const bundles = [{ bundle: "a.v1", properties }, ...SINGLE];
    const answer = answerTo(worldOf({ id: "", says: "", expect: {}, bundles, subscriptions: ["a/alpha"] }, false));
    expect(answer.installs).toEqual(["a.v1 ns/cat/alpha", "b.v1 ns/cat/alpha"]);
  });

  test("certified and new: commas and quotes are wrong", () => {
    expect(slip(jsonProperty("certified and new"))).toEqual({ code: "PL003", at: "6:5" });
    const { text } = around(`${CONFIG_MAP}data:\n  properties: |-\n    [`, "certified and new", "]");
    const indented = text.split("\n").map((line, at) => (at > 5 ? `    ${line}` : line));
    expect(under(indented.join("\n")).outcome).toBe("Undecided");
  });
});

describe("compound constraints (003)", () => {
  const BUF = { bundle: "buf.v1", gives: "bufs.example.com/v1/Buf" };
  const foo = (version: string): string => `foos.example.com/${version}/Foo`;

  test("the existing constraints", () => {
    const text = yamlBundle("the existing constraints", "foo");
    const backup = { bundle: "etcd.v1", gives: "etcd.database.coreos.com/v1beta2/EtcdBackup" };
    const both = [{ bundle: "bar.v1" }, backup];
    expect(installs(world(text, both, {}, "foo"))).toEqual(["bar.v1", "etcd.v1", "foo.v1.0.0"]);
    expect(answerTo(world(text, [{ bundle: "bar.v0.9" }, backup], {}, "foo")).outcome).toBe("Unsatisfiable");
  });

  test.for(["gvk and package", "all"])("%s", (heading) => {
    const text = yamlBundle(heading);
    expect(installs(world(text, [{ bundle: "bar.v2" }, BUF]))).toEqual(["bar.v2", "baz.v1.0.0", "buf.v1"]);
    expect(refusal(world(text, [{ bundle: "bar.v0.9" }, BUF]))).toMatch(/Package bar .*is needed for\.\.\./);
    expect(refusal(world(text, [{ bundle: "bar.v2" }]))).toContain("GVK Buf/v1 is needed for...");
  });

  test("all, by one bundle, if that is the scope", () => {
    const text = yamlBundle("all");
    const options = { compoundScope: "bundle" } as const;
    expect(refusal(world(text, [{ bundle: "bar.v2" }, BUF]), options)).toContain("All are required for Baz because...");
    expect(installs(world(text, [{ ...BUF, bundle: "bar.v2" }]), options)).toEqual(["bar.v2", "baz.v1.0.0"]);
  });

  test.for(["v1beta1", "v1beta2", "v1"])("any: %s will do", (version) => {
    const given = world(yamlBundle("any"), [{ bundle: "foo.v1", gives: foo(version) }]);
    expect(installs(given)).toEqual(["baz.v1.0.0", "foo.v1"]);
  });

  test("any: one is enough, the first", () => {
    const bundles = ["v1", "v1beta1", "v1beta2"].map((version, at) => ({
      bundle: `foo-${at}.v1`,
      gives: foo(version),
    }));
    expect(installs(world(yamlBundle("any"), bundles))).toEqual(["baz.v1.0.0", "foo-1.v1"]);
  });

  test("any: none of the three", () => {
    const given = world(yamlBundle("any"), [{ bundle: "foo.v1", gives: foo("v1alpha1") }]);
    expect(refusal(given)).toContain("Any are required for Baz because...");
  });

  test("any: not while the feature is off", () => {
    const given = world(yamlBundle("any"), [{ bundle: "foo.v1", gives: foo("v1") }]);
    expect(refusal(given, { compoundConstraints: false })).toContain("CompoundConstraintsV1Alpha1");
  });

  test("none", () => {
    const text = yamlBundle("none");
    expect(installs(world(text, [{ bundle: "foo.v1", gives: foo("v1alpha1") }]))).toEqual(["baz.v1.0.0"]);
    const beside = (version: string): World =>
      world(text, [{ bundle: "zoo.v1", gives: foo(version) }], { subscriptions: ["zoo/alpha"] });
    expect(installs(beside("v1"))).toEqual(["baz.v1.0.0", "zoo.v1"]);
    const { outcome, unsatisfied } = answerTo(beside("v1alpha1"));
    expect(outcome).toBe("Partial");
    expect(unsatisfied["zoo-alpha"]).toContain("Cannot be required for Baz because...");
  });

  test("nested", () => {
    const text = yamlBundle("nested");
    const old = { bundle: "foo.v0.9", gives: foo("v1beta1") };
    const fresh = { bundle: "foo.v1", replaces: "foo.v0.9", gives: foo("v1") };
    expect(installs(world(text, [old, fresh]))).toEqual(["baz.v1.0.0", "foo.v1"]);
    expect(installs(world(text, [old, { ...fresh, gives: [] }]))).toEqual(["baz.v1.0.0", "foo.v0.9"]);
    const wrong = [
      { ...old, gives: [] },
      { ...fresh, gives: foo("v1beta1") },
    ];
    expect(refusal(world(text, wrong))).toContain("Required for Baz because...");
  });

  test("as one CEL rule: these functions do not exist", () => {
    expect(refusal(world(yamlProperty("as one CEL rule", false), [{ bundle: "bar.v1" }]))).toContain("provides");
  });
});

test("no example is left out", () => {
  const headings = [...PAGE.matchAll(/^### (.*)$/gm)].map((match) => match[1]);
  expect(headings.filter((heading) => !used.has(heading as string))).toEqual([]);
});
