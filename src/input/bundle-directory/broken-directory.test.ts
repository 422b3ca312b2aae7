// Does a fault of a bundle directory cost that bundle, and nothing else?

import { describe, expect, it } from "vitest";
import type { Catalog } from "../../model/catalog.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { CatalogBuilder } from "../catalog/catalog-builder.ts";
import { BundleDirectories } from "./bundle-directories.ts";
import { DirectoryDocuments } from "./directory-documents.ts";

const PREFIX = "operators.operatorframework.io.bundle.";

function annotations(more: JsonObject = {}): JsonObject {
  return { annotations: { [`${PREFIX}package.v1`]: "winch", [`${PREFIX}channels.v1`]: "stable", ...more } };
}

function csv(version: string, spec: JsonObject = {}, csvAnnotations: JsonObject = {}): JsonObject {
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name: `winch.v${version}`, annotations: csvAnnotations },
    spec: { version, ...spec },
  };
}

/** Loads a sound bundle 1.0.0 that 1.1.0 replaces, 2.0.0 that replaces 1.1.0, and 1.1.0 as it is given. */
function load(manifests: readonly Json[], metadata: readonly Json[], unreadable = false): Catalog {
  const builder = new CatalogBuilder({ name: "workshop", priority: 0 });
  const directories = new BundleDirectories(builder);
  const add = (name: string, objects: readonly Json[], others: readonly Json[], isUnreadable = false) => {
    const directory = new DirectoryDocuments(name, builder.report);
    const place = (half: string, index: number) => ({ source: `${name}/${half}`, line: index + 1, column: 1 });
    for (const [index, value] of objects.entries())
      directory.addManifest({ value: value as JsonObject, place: place("manifests", index) });
    for (const [index, value] of others.entries())
      directory.addMetadata({ value: value as JsonObject, place: place("metadata", index) });
    if (isUnreadable) directory.addUnreadable();
    directories.add(name, directory.derive());
  };
  add("1.0.0", [csv("1.0.0")], [annotations()]);
  add("1.1.0", manifests, metadata, unreadable);
  add("2.0.0", [csv("2.0.0", { replaces: "winch.v1.1.0" })], [annotations()]);
  directories.finish();
  return builder.finish();
}

const MIDDLE = csv("1.1.0", { replaces: "winch.v1.0.0" });

function findingLines(catalog: Catalog): readonly string[] {
  return catalog.findings.map(({ code, message, place }) => `${code} ${place.source} ${message}`);
}

describe("an error drops the bundle, while its entry connects the channel", () => {
  const crd = (spec: JsonObject) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "as.g" },
    spec,
  });
  const names = { kind: "A", plural: "as" };
  const required = (name: string) => ({
    customresourcedefinitions: { required: [{ name, version: "v1", kind: "A" }] },
  });
  const edges = { replaces: "winch.v1.0.0" };
  const NOT_JSON = "PL052 1.1.0/manifests the annotation olm.properties is not JSON: ";

  it.each<[string, readonly Json[], readonly Json[], string]>([
    ["dependency", [MIDDLE], [annotations(), { dependencies: [{ type: "olm.gvk" }] }], "PL082 1.1.0/metadata "],
    ["property", [MIDDLE], [annotations(), { properties: [7] }], "PL082 1.1.0/metadata properties[0] cannot be read"],
    ["media type", [MIDDLE], [annotations({ [`${PREFIX}mediatype.v1`]: "helm" })], "PL080 1.1.0/metadata "],
    ["default", [MIDDLE], [annotations({ [`${PREFIX}channel.default.v1`]: "" })], "PL080 1.1.0/metadata "],
    ["CRD", [MIDDLE, crd({ group: "g" })], [annotations()], "PL009 1.1.0/manifests spec.names is missing"],
    [
      "version of a CRD",
      [MIDDLE, crd({ group: "g", names, versions: [{ name: "v/1", served: true, storage: true }] })],
      [annotations()],
      'PL009 1.1.0/manifests the API "g/v/1/A" is invalid',
    ],
    ["JSON", [csv("1.1.0", edges, { "olm.properties": "[" })], [annotations()], NOT_JSON],
    [
      "annotated list",
      [csv("1.1.0", edges, { "olm.properties": "{}" })],
      [annotations()],
      "PL052 1.1.0/manifests the annotation olm.properties must be a list of properties, but is an object",
    ],
    [
      "annotated property",
      [csv("1.1.0", edges, { "olm.properties": '[{"type":"a"}]' })],
      [annotations()],
      "PL052 1.1.0/manifests the annotation olm.properties cannot be used: item 0: it has no value",
    ],
    [
      "annotated value",
      [csv("1.1.0", edges, { "olm.properties": '[{"type":"olm.label","value":1}]' })],
      [annotations()],
      "PL053 1.1.0/manifests the annotation olm.properties cannot be used: item 0, of type olm.label: ",
    ],
    [
      "required CRD",
      [csv("1.1.0", { ...edges, ...required("anchors") })],
      [annotations()],
      'PL009 1.1.0/manifests a CustomResourceDefinition cannot be called "anchors"',
    ],
    [
      "number",
      [csv("1.1.0", { ...edges, version: 1.1 })],
      [annotations()],
      "PL009 1.1.0/manifests spec.version must be text",
    ],
    [
      "version",
      [csv("1.1.0", { ...edges, version: "1.1" })],
      [annotations()],
      'PL056 1.1.0/manifests the version "1.1" ',
    ],
    [
      "no version",
      [csv("1.1.0", { ...edges, version: "" })],
      [annotations()],
      "PL056 1.1.0/manifests spec.version is missing",
    ],
    [
      "package",
      [MIDDLE],
      [annotations(), { properties: [{ type: "olm.package", value: { packageName: "x", version: "1.1.0" } }] }],
      "PL055 1.1.0/metadata ",
    ],
  ])("%s", (_, manifests, metadata, start) => {
    const catalog = load(manifests, metadata);
    expect(findingLines(catalog)).toEqual([expect.stringContaining(start)]);
    expect(catalog.findings[0]).toMatchObject({ package: "winch", bundle: "winch.v1.1.0", dropped: "bundle" });
    const winches = catalog.packages.get("winch");
    expect([...(winches?.bundles.keys() ?? [])]).toEqual(["winch.v1.0.0", "winch.v2.0.0"]);
    const chain = winches?.channels.get("stable")?.chain.map(({ name }) => name);
    expect(chain).toEqual(["winch.v2.0.0", "winch.v1.1.0", "winch.v1.0.0"]);
    expect(catalog.dropped).toEqual({ packages: 0, channels: 0, bundles: 1 });
  });

  it("for a file that could not be read, which the reader has reported", () => {
    expect(findingLines(load([MIDDLE], [annotations()], true))).toEqual([]);
    expect([...(load([MIDDLE], [annotations()], true).packages.get("winch")?.bundles.keys() ?? [])]).toHaveLength(2);
    expect(findingLines(load([], [annotations()], true)).filter((text) => /PL08/.test(text))).toEqual([]);
    expect(findingLines(load([MIDDLE], [], true)).filter((text) => /PL08/.test(text))).toEqual([]);
  });
});

describe("a directory that is not a bundle", () => {
  const first = (manifests: readonly Json[], metadata: readonly Json[]) =>
    load(manifests, metadata).findings.find(({ code }) => code === "PL080" || code === "PL081");

  it("has not one ClusterServiceVersion", () => {
    expect(first([{ apiVersion: "v1", kind: "Secret" }], [annotations()])).toMatchObject({
      code: "PL081",
      message: "the bundle directory 1.1.0 has no ClusterServiceVersion; it must have one",
      dropped: "bundle",
    });
    expect(first([MIDDLE, csv("1.1.1")], [annotations()])).toMatchObject({
      code: "PL081",
      message: "the bundle directory 1.1.0 has 2 ClusterServiceVersions; it must have one",
      place: { source: "1.1.0/manifests", line: 2 },
    });
    // Its bundles are known to be broken, so that replacing them is not reported.
    expect(
      findingLines(load([MIDDLE, csv("1.1.1")], [annotations()])).filter((text) => text.startsWith("PL041")),
    ).toEqual([]);
  });

  it("has no manifests, or nothing that names its package", () => {
    expect(first([], [annotations()])?.message).toBe("the bundle directory 1.1.0 has no manifests");
    expect(first([MIDDLE], [])?.message).toBe("the bundle directory 1.1.0 has no annotations");
  });
});

describe("a stray document", () => {
  it("under manifests/ is reported", () => {
    const catalog = load([MIDDLE, { a: 1 }], [annotations()]);
    expect(findingLines(catalog)).toEqual(["PL007 1.1.0/manifests this manifest has no kind"]);
    expect(catalog.packages.get("winch")?.bundles.size).toBe(3);
  });

  it("under metadata/ is ignored, but a misspelt field is reported", () => {
    const catalog = load([MIDDLE], [annotations(), { stages: [] }, { dependancies: [] }]);
    expect(findingLines(catalog)).toEqual(['PL010 1.1.0/metadata unknown field "dependancies"']);
    expect(catalog.packages.get("winch")?.bundles.size).toBe(3);
  });
});

describe("hostile documents", () => {
  it("are refused when aliases make them huge", () => {
    let value: Json = "x".repeat(1000);
    for (let level = 0; level < 20; level++) value = [value, value, value, value];
    const map = { apiVersion: "v1", kind: "ConfigMap", data: value };
    expect(findingLines(load([MIDDLE, map], [annotations()]))).toEqual([
      "PL004 1.1.0/manifests the documents of the bundle directory 1.1.0 are larger than 32 MiB",
    ]);
    expect(findingLines(load([MIDDLE], [annotations(), { properties: [{ type: "a", value }] }]))).toHaveLength(1);
  });

  it("do not flood the findings", () => {
    const catalog = load([MIDDLE], [annotations(), { dependencies: Array.from({ length: 5000 }, () => null) }]);
    expect(catalog.findings).toHaveLength(100);
    expect(findingLines(catalog).at(-1)).toBe(
      "PL082 1.1.0/metadata much more is wrong with the bundle directory 1.1.0",
    );
  });

  it("cannot reach a prototype", () => {
    const entries = '[{"__proto__": {"type": "a", "value": 1}}, {"type": "__proto__", "value": {"__proto__": 1}}]';
    const [first] = load([MIDDLE], [annotations(), { properties: JSON.parse(entries) as Json }]).findings;
    expect(first?.message).toBe("properties[0] cannot be read: it has no type");
    const kept = load([MIDDLE], [annotations(), { properties: (JSON.parse(entries) as Json[]).slice(1) }]);
    const properties = kept.packages.get("winch")?.bundles.get("winch.v1.1.0")?.properties;
    expect(JSON.stringify(properties?.[0])).toBe('{"type":"__proto__","value":{"__proto__":1}}');
  });
});
