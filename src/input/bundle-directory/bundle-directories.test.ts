// Do bundle directories become the catalog that their author meant, in any order of their documents?

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bundle, Catalog } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { canonicalText, type Json, type JsonObject } from "../../model/json.ts";
import { CatalogBuilder } from "../catalog/catalog-builder.ts";
import { BundleDirectories } from "./bundle-directories.ts";
import { DirectoryDocuments } from "./directory-documents.ts";

interface Document {
  readonly half: "manifests" | "metadata";
  readonly directory: string;
  readonly file: string;
  readonly value: JsonObject;
}

function load(documents: readonly Document[], unreadable: readonly string[] = []): Catalog {
  const builder = new CatalogBuilder({ name: "workshop", priority: 0 });
  const collected = new Map<string, DirectoryDocuments>();
  const directoryOf = (name: string) => getOrAdd(collected, name, () => new DirectoryDocuments(name, builder.report));
  for (const directory of unreadable) directoryOf(directory).addUnreadable();
  for (const { half, directory, file, value } of documents) {
    const place = { source: `${directory}/${half}/${file}`, line: 1, column: 1 };
    if (half === "manifests") directoryOf(directory).addManifest({ value, place });
    else directoryOf(directory).addMetadata({ value, place });
  }
  const directories = new BundleDirectories(builder);
  for (const [name, one] of collected) directories.add(name, one.derive());
  directories.finish();
  return builder.finish();
}

const PREFIX = "operators.operatorframework.io.bundle.";

interface Parts {
  readonly version?: string;
  readonly annotations?: JsonObject;
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
  readonly csvAnnotations?: JsonObject;
  readonly manifests?: readonly JsonObject[];
}

/** The documents of a bundle `winch`, well-formed but for what is given. */
function winch(parts: Parts = {}): readonly Document[] {
  const version = parts.version ?? "1.0.0";
  const directory = `winch/${version}`;
  const csv = {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name: `winch.v${version}`, annotations: parts.csvAnnotations ?? {} },
    spec: { version, displayName: `Winch ${version}`, ...parts.spec },
  };
  const annotations = {
    [`${PREFIX}package.v1`]: "winch",
    [`${PREFIX}channels.v1`]: "stable",
    ...Object.fromEntries(Object.entries(parts.annotations ?? {}).map(([key, value]) => [PREFIX + key, value])),
  };
  return [
    { half: "manifests", directory, file: "csv.yaml", value: csv },
    ...(parts.manifests ?? []).map(
      (value, n): Document => ({ half: "manifests", directory, file: `${n}.yaml`, value }),
    ),
    { half: "metadata", directory, file: "annotations.yaml", value: { annotations } },
    ...(parts.metadata ? [{ half: "metadata", directory, file: "more.yaml", value: parts.metadata } as const] : []),
  ];
}

function crd(group: string, kind: string, spec: JsonObject, version = "v1"): JsonObject {
  return {
    apiVersion: `apiextensions.k8s.io/${version}`,
    kind: "CustomResourceDefinition",
    metadata: { name: `${kind.toLowerCase()}s.${group}` },
    spec: { group, names: { kind, plural: `${kind.toLowerCase()}s` }, ...spec },
  };
}

function versions(...names: readonly string[]): JsonObject {
  return { versions: names.map((name, index) => ({ name, served: index > 0, storage: index === 0 })) };
}

function findingLines(catalog: Catalog): readonly string[] {
  return catalog.findings.map(({ code, message }) => `${code} ${message}`);
}

function bundle(catalog: Catalog, name = "winch.v1.0.0"): Bundle {
  const found = catalog.packages.get("winch")?.bundles.get(name);
  if (found === undefined) throw new Error(findingLines(catalog).join("\n"));
  return found;
}

function values(catalog: Catalog, type: string): readonly Json[] {
  return bundle(catalog)
    .properties.filter((property) => property.type === type)
    .map(({ value }) => value);
}

const APIS = {
  customresourcedefinitions: {
    owned: [{ name: "other.example.com", version: "v9", kind: "Unlisted" }],
    required: [{ name: "anchors.deck.example.com", version: "v1", kind: "Anchor" }],
  },
  apiservicedefinitions: {
    owned: [{ group: "water.example.com", version: "v1", kind: "Tide", name: "tides" }],
    required: [{ group: "sky.example.com", version: "v1", kind: "Star" }],
  },
};

describe("the properties of a bundle", () => {
  it("an owned CRD whose name has no group is reported, and the bundle is used", () => {
    const owned = [{ name: "winches", version: "v1", kind: "Winch" }];
    const catalog = load(winch({ spec: { customresourcedefinitions: { owned } } }));
    expect(findingLines(catalog)).toEqual(['PL012 a CustomResourceDefinition cannot be called "winches"']);
    expect(bundle(catalog).name).toBe("winch.v1.0.0");
  });

  it("are derived from all documents, each once, in one order", () => {
    const catalog = load(
      winch({
        spec: APIS,
        csvAnnotations: { "olm.properties": '[{"type": "b", "value": 1}, {"type": "a", "value": [2]}]' },
        manifests: [crd("deck.example.com", "Winch", versions("v1alpha1", "v1"))],
        metadata: {
          properties: [
            { type: "b", value: 1 },
            { type: "olm.gvk", value: { kind: "Winch", version: "v1", group: "deck.example.com" } },
          ],
          dependencies: [{ type: "olm.gvk", value: { group: "sky.example.com", version: "v1", kind: "Star" } }],
        },
      }),
    );
    expect(findingLines(catalog)).toEqual([]);
    const properties = bundle(catalog).properties.filter(({ type }) => type !== "olm.bundle.object");
    expect(properties.map(({ type, value }) => `${type} ${canonicalText(value)}`)).toEqual([
      "a [2]",
      "b 1",
      'olm.gvk {"group":"deck.example.com","kind":"Winch","version":"v1"}',
      'olm.gvk {"group":"deck.example.com","kind":"Winch","version":"v1alpha1"}',
      'olm.gvk {"group":"water.example.com","kind":"Tide","version":"v1"}',
      'olm.gvk.required {"group":"deck.example.com","kind":"Anchor","version":"v1"}',
      'olm.gvk.required {"group":"sky.example.com","kind":"Star","version":"v1"}',
      'olm.package {"packageName":"winch","version":"1.0.0"}',
    ]);
    expect(bundle(catalog)).toMatchObject({ image: "", place: { source: "winch/1.0.0/manifests/csv.yaml" } });
  });

  it("hold every manifest as base64 of its compact JSON", () => {
    const map = { kind: "ConfigMap", apiVersion: "v1", data: { ü: "☸ 2^64", n: 18446744073709551616n } };
    const objects = values(load(winch({ manifests: [map] })), "olm.bundle.object") as readonly { data: string }[];
    const texts = objects.map(({ data }) => Buffer.from(data, "base64").toString("utf8"));
    expect(texts).toContain('{"apiVersion":"v1","data":{"n":18446744073709551616,"ü":"☸ 2^64"},"kind":"ConfigMap"}');
    expect(texts).toHaveLength(2);
  });

  it("have the versions of a CRD in its older form", () => {
    const both = { version: "v1", ...versions("v1", "v2") };
    const manifests = [
      crd("a.example.com", "A", { version: "v1" }, "v1beta1"),
      crd("b.example.com", "B", both, "v1beta1"),
    ];
    expect(values(load(winch({ manifests })), "olm.gvk")).toEqual([
      { group: "a.example.com", version: "v1", kind: "A" },
      { group: "b.example.com", version: "v1", kind: "B" },
      { group: "b.example.com", version: "v2", kind: "B" },
    ]);
  });

  it("have the package of properties.yaml, if it has one", () => {
    const identity = { packageName: "winch", version: "1.0.0+4" };
    const catalog = load(winch({ metadata: { properties: [{ type: "olm.package", value: identity }] } }));
    expect(values(catalog, "olm.package")).toEqual([identity]);
  });

  it("have the release of the ClusterServiceVersion", () => {
    const [csv, ...others] = winch({ spec: { release: "2" } }) as readonly [Document, Document];
    const named = { ...csv, value: { ...csv.value, metadata: { name: "winch-v1.0.0-2" } } };
    expect(bundle(load([named, ...others]), "winch-v1.0.0-2").release).toBe("2");
  });
});

describe("packages and channels", () => {
  const older = winch({
    version: "1.9.0",
    annotations: { "channels.v1": "fast,stable", "channel.default.v1": "fast" },
  });
  const newer = winch({
    version: "1.10.0",
    spec: { replaces: "winch.v1.9.0", skips: ["winch.v1.9.5"] },
    csvAnnotations: { "olm.skipRange": "<1.9.0" },
  });

  it("are those of the annotations, with the edges of the ClusterServiceVersions", () => {
    const catalog = load([...older, ...newer]);
    expect(findingLines(catalog)).toEqual([]);
    const winches = catalog.packages.get("winch");
    expect(winches).toMatchObject({ defaultChannel: "fast", description: "Winch 1.10.0" });
    expect([...(winches?.channels.get("fast")?.entries.keys() ?? [])]).toEqual(["winch.v1.9.0"]);
    const head = winches?.channels.get("stable")?.head;
    expect(head).toMatchObject({ name: "winch.v1.10.0", replaces: "winch.v1.9.0", skips: ["winch.v1.9.5"] });
    expect(head?.skipRange?.text).toBe("<1.9.0");
  });

  it("have the default channel of the highest version that has one", () => {
    const newest = winch({ version: "2.0.0", spec: { replaces: "winch.v1.10.0" } });
    const other = winch({
      version: "1.10.0",
      annotations: { "channel.default.v1": "stable" },
      spec: { replaces: "winch.v1.9.0" },
    });
    expect(load([...newest, ...older, ...other]).packages.get("winch")?.defaultChannel).toBe("stable");
    expect(load(winch()).packages.get("winch")?.defaultChannel).toBe("stable");
  });

  it("need a default channel if there are several", () => {
    const catalog = load(winch({ annotations: { "channels.v1": "a,b" } }));
    expect(findingLines(catalog)).toEqual(["PL022 package winch has no default channel"]);
    expect(catalog.findings[0]?.help).toBe(`add \`${PREFIX}channel.default.v1:\` with one of: a, b`);
    expect(catalog.findings[0]?.place.source).toBe("winch/1.0.0/metadata/annotations.yaml");
  });

  it("may begin with a bundle that replaces one from elsewhere", () => {
    const catalog = load(winch({ spec: { replaces: "oakum.v1.0.0" } }));
    expect(bundle(catalog).name).toBe("winch.v1.0.0");
    const place = { source: "winch/1.0.0/manifests/csv.yaml", path: ["spec", "replaces"] };
    expect(catalog.findings).toMatchObject([{ code: "PL041", severity: "info", place }]);
  });

  it("show their faults in the ClusterServiceVersion", () => {
    const spec = { skips: ["winch.v0.9.0"] };
    const newest = winch({ version: "1.1.0", spec, csvAnnotations: { "olm.skipRange": "~1" } });
    const catalog = load([...winch({ spec }), ...newest]);
    expect(catalog.findings.map(({ code, place }) => [code, place.source, ...(place.path ?? [])])).toEqual([
      ["PL040", "winch/1.1.0/manifests/csv.yaml", "metadata", "annotations", "olm.skipRange"],
      ["PL036", "winch/1.1.0/manifests/csv.yaml", "metadata", "name"],
      ["PL023", "winch/1.1.0/metadata/annotations.yaml", "annotations", `${PREFIX}channel.default.v1`],
    ]);
  });

  it("take a bundle once that is in two directories", () => {
    const again = winch().map((document) => ({ ...document, directory: "copy" }));
    const catalog = load([...winch(), ...again]);
    expect(findingLines(catalog)).toEqual(["PL051 two bundles of package winch are called winch.v1.0.0"]);
    expect(bundle(catalog).place.source).toBe("copy/manifests/csv.yaml");
  });

  it("are the same in any order of the documents", () => {
    const broken = winch({ version: "1.5.0", metadata: { dependencies: [{}, { type: "olm.gvk" }] } });
    const copy = winch({ spec: { replaces: "x" } }).map((document) => ({ ...document, directory: "copy" }));
    const documents = [...older, ...newer, ...winch({ spec: APIS }), ...broken, ...copy];
    const expected = load(documents);
    fc.assert(
      fc.property(fc.shuffledSubarray(documents, { minLength: documents.length }), (shuffled) => {
        expect(load(shuffled)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});
