// What happens to objects as they come: lists, doubles, unknown kinds, any order, hostile keys?

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { type Place, printPlace } from "../../model/place.ts";
import { ObjectsReader } from "./read-objects.ts";

const OCM = "cluster.open-cluster-management.io";
type Given = readonly [object: JsonObject, place: Place];

function at(source: string, line = 1): Place {
  return { source, line, column: 1 };
}

function readAll(given: readonly Given[]): ClusterObjects & { readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((finding) => findings.push(finding));
  for (const [object, place] of given) reader.add(object, place);
  return { ...reader.finish(), findings };
}

function read(...objects: readonly JsonObject[]): ReturnType<typeof readAll> {
  return readAll(objects.map((object, index) => [object, at("input.yaml", index + 1)]));
}

function configMap(name: string, data: JsonObject = {}, namespace = "default"): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}

describe("lists", () => {
  const item = { metadata: { name: "a" } };
  const cluster = { apiVersion: `${OCM}/v1`, kind: "ManagedCluster", metadata: { name: "b" } };

  it.each<[string, JsonObject]>([
    ["List", { apiVersion: "v1", kind: "List", items: [cluster] }],
    [
      "a list of one kind",
      { apiVersion: `${OCM}/v1`, kind: "ManagedClusterList", items: [{ metadata: { name: "b" } }] },
    ],
    [
      "a list of one kind whose items repeat it",
      { apiVersion: `${OCM}/v1`, kind: "ManagedClusterList", items: [cluster] },
    ],
  ])("%s", (_, list) => {
    const { managedClusters, findings } = read(list);
    expect(findings).toEqual([]);
    expect(managedClusters).toMatchObject([
      { name: "b", place: { source: "input.yaml", line: 1, path: ["items", 0] } },
    ]);
  });

  it("mistakes are reported at the item", () => {
    const list = { apiVersion: `${OCM}/v1`, kind: "ManagedClusterList", items: [item, { metadata: {} }, 7] };
    const { managedClusters, findings } = read(list);
    expect(managedClusters).toHaveLength(1);
    expect(findings.map(({ message, place }) => [message, place.path])).toEqual([
      ["items[1].metadata.name is missing", ["items", 1, "metadata"]],
      ["items[2] must be an object, but is a number", ["items", 2]],
    ]);
  });

  it("items of a List must have a kind", () => {
    const { findings } = read({ apiVersion: "v1", kind: "List", items: [item] });
    expect(findings).toMatchObject([{ code: "PL009", message: "kind is missing", place: { path: ["items", 0] } }]);
  });

  it("lists in lists", () => {
    const list = { apiVersion: "v1", kind: "List", items: [cluster] };
    const { managedClusters } = read({ apiVersion: "v1", kind: "List", items: [list] });
    expect(managedClusters[0]?.place.path).toEqual(["items", 0, "items", 0]);
  });

  it.each([[null], [[]]])("%j items are none", (items) => {
    expect(read({ apiVersion: "v1", kind: "List", items }).findings).toEqual([]);
    expect(read({ apiVersion: `${OCM}/v1beta1`, kind: "PlacementList", items }).findings).toEqual([]);
  });

  it("items that are no list", () => {
    const { findings } = read({ apiVersion: "v1", kind: "List", items: {} });
    expect(findings).toMatchObject([{ code: "PL009", message: "items must be a list, but is an object" }]);
  });

  it("a kind may end in List and be none", () => {
    const { customResources } = read({ apiVersion: "g.io/v1", kind: "AllowList", metadata: { name: "x" }, items: [1] });
    expect(customResources).toMatchObject([{ kind: "AllowList", name: "x" }]);
  });
});

describe("kinds and groups", () => {
  const named = { metadata: { name: "x" } };

  it.each<[JsonObject, string, string, string | undefined]>([
    [
      { apiVersion: `${OCM}/v1beta1`, kind: "Placment" },
      "PL008",
      'has no kind "Placment" that is known',
      'did you mean "Placement"?',
    ],
    [
      { apiVersion: `${OCM}/v1beta1`, kind: "placement" },
      "PL008",
      'has no kind "placement"',
      'did you mean "Placement"?',
    ],
    [
      { apiVersion: "operators.coreos.com/v1alpha1", kind: "Subcription" },
      "PL008",
      "Subcription",
      'did you mean "Subscription"?',
    ],
    [{ apiVersion: "operators.coreos.com/v1alpha1", kind: "Zebra" }, "PL008", "Zebra", undefined],
    [{ apiVersion: "v1", kind: "Configmap" }, "PL008", "Configmap", 'did you mean "ConfigMap"?'],
    [{ kind: "Placement" }, "PL009", "apiVersion is missing", `the apiVersion of a Placement is ${OCM}/v1beta1`],
    [{ kind: "Zebra" }, "PL009", "apiVersion is missing", undefined],
    [{ apiVersion: 1, kind: "ConfigMap" }, "PL009", "apiVersion must be text", "the apiVersion of a ConfigMap is v1"],
    [
      { apiVersion: "v1beta1", kind: "Placement" },
      "PL009",
      `must have the apiVersion ${OCM}/v1beta1, but has "v1beta1"`,
      undefined,
    ],
    [{ apiVersion: OCM, kind: "Placement" }, "PL009", `must have the apiVersion ${OCM}/v1beta1`, undefined],
    [
      { apiVersion: "open-cluster-management.io/v1", kind: "ManagedCluster" },
      "PL009",
      `must have the apiVersion ${OCM}/v1`,
      undefined,
    ],
    [
      { apiVersion: "operator.coreos.com/v1alpha1", kind: "Subscription" },
      "PL009",
      "operators.coreos.com/v1alpha1",
      undefined,
    ],
    [{ apiVersion: "core/v1", kind: "ConfigMap" }, "PL009", 'the apiVersion v1, but has "core/v1"', undefined],
    [{ apiVersion: "v1" }, "PL009", "kind is missing", undefined],
    [{ apiVersion: "v1", kind: 7 }, "PL009", "kind must be text", undefined],
    [{ apiVersion: "g.io/v1", kind: "K", metadata: {} }, "PL009", "metadata.name is missing", undefined],
    [{ apiVersion: "g.io/v1", kind: "K", metadata: null }, "PL009", "metadata is missing", undefined],
  ])("%j", (object, code, message, help) => {
    const { findings, rejected, lost: _, ...lists } = read({ ...named, ...object });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ code, dropped: "document" });
    expect(findings[0]?.message).toContain(message);
    expect(findings[0]?.help).toBe(help);
    expect(rejected).toHaveLength(1);
    expect(Object.values(lists).flat()).toEqual([]);
  });

  it("a version that is not known is read all the same", () => {
    const { placements, findings } = read({
      apiVersion: `${OCM}/v1beta3`,
      kind: "Placement",
      metadata: { name: "x", namespace: "n" },
    });
    expect(placements).toHaveLength(1);
    expect(findings).toMatchObject([{ code: "PL008", severity: "warning", place: { path: ["apiVersion"] } }]);
    expect(findings[0]?.dropped).toBeUndefined();
  });

  it.each<[string, string]>([
    [`${OCM}/v1alpha1`, "ClusterClaim"],
    ["operators.coreos.com/v1", "OLMConfig"],
    ["kustomize.config.k8s.io/v1beta1", "Kustomization"],
  ])("%s %s is of no use and no mistake", (apiVersion, kind) => {
    const { findings, lost, ...lists } = read({ apiVersion, kind });
    expect([...findings, ...Object.values(lists).flat(), ...lost.words.keys()]).toEqual([]);
  });

  it("objects without a namespace get the one that is asked for", () => {
    const reader = new ObjectsReader(() => undefined, "operators");
    reader.add({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } }, at("a"));
    expect(reader.finish().configMaps[0]?.namespace).toBe("operators");
  });
});

describe("the same object more than once", () => {
  it("is one if it is the same, with keys in any order", () => {
    const { configMaps, findings, rejected } = readAll([
      [
        { kind: "ConfigMap", metadata: { namespace: "n", name: "a" }, data: { x: "1", y: "2" }, apiVersion: "v1" },
        at("b.yaml"),
      ],
      [
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n" }, data: { y: "2", x: "1" } },
        at("a.yaml"),
      ],
    ]);
    expect(findings).toEqual([]);
    expect(rejected).toEqual([]);
    expect(configMaps.map(({ place }) => printPlace(place))).toEqual(["a.yaml:1:1"]);
  });

  it("is none if they differ, and all places are named", () => {
    const list = { apiVersion: "v1", kind: "List", items: [configMap("a", { x: "3" })] };
    const { configMaps, findings, rejected } = readAll([
      [configMap("a", { x: "1" }), at("b.yaml", 7)],
      [list, at("c.yaml")],
      [configMap("a", { x: "2" }), at("a.yaml", 3)],
      [configMap("b"), at("a.yaml", 9)],
    ]);
    expect(configMaps.map(({ name }) => name)).toEqual(["b"]);
    expect(findings).toMatchObject([
      {
        code: "PL009",
        message:
          "ConfigMap default/a is given more than once, with different content: also in b.yaml:7:1, c.yaml:1:1 (items[0])",
        place: at("a.yaml", 3),
        dropped: "document",
      },
    ]);
    expect(rejected.map(({ name, place }) => [name, place.source])).toEqual([
      ["a", "a.yaml"],
      ["a", "b.yaml"],
      ["a", "c.yaml"],
    ]);
  });

  it("objects of other kinds differ by group, version and kind", () => {
    const model = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: "x" } });
    const { customResources, findings } = read(
      model("g.io/v1", "K"),
      model("g.io/v2", "K"),
      model("h.io/v1", "K"),
      model("g.io/v1", "L"),
      model("g.io/v1", "K"),
    );
    expect(findings).toEqual([]);
    expect(customResources.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      "g.io/v1 K",
      "g.io/v2 K",
      "g.io/v1 L",
      "h.io/v1 K",
    ]);
  });
});

describe("an object that cannot be used", () => {
  it.each<[string, JsonObject, object]>([
    ["named", { metadata: { name: "a", namespace: "olm" }, data: [] }, { namespace: "olm", name: "a" }],
    ["of the default namespace", { metadata: { name: "a" }, data: 1 }, { namespace: "default", name: "a" }],
    ["without a readable name", { metadata: { name: 7, namespace: {} } }, { namespace: undefined, name: undefined }],
    ["without metadata", { metadata: [] }, { namespace: "default", name: undefined }],
  ])("is remembered: %s", (_, object, expected) => {
    const { rejected } = read({ apiVersion: "v1", kind: "ConfigMap", ...object });
    expect(rejected).toEqual([{ place: at("input.yaml"), kind: "ConfigMap", ...expected }]);
  });
});

describe("the order of the input", () => {
  it("changes nothing", () => {
    const name = fc.constantFrom("a", "b", "B", "a-1", "é", "10", "9");
    const data: fc.Arbitrary<Json> = fc.constantFrom<Json>({}, { x: "1" }, { x: 1 }, []);
    const object = fc.oneof(
      fc.record({ kind: fc.constant("ConfigMap"), apiVersion: fc.constantFrom("v1", "v2"), name, data }),
      fc.record({ kind: fc.constantFrom("K", "L"), apiVersion: fc.constantFrom("g.io/v1", "h.io/v1"), name, data }),
      fc.record({
        kind: fc.constantFrom("ManagedCluster", "Placmnt"),
        apiVersion: fc.constant(`${OCM}/v1`),
        name,
        data,
      }),
    );
    const given = fc.array(fc.tuple(object, fc.constantFrom("n", "m", null), fc.constantFrom("a.yaml", "b.yaml")));
    const property = fc.property(
      given.chain((objects) => {
        const placed = objects.map(([{ name: called, ...rest }, namespace, source], index): Given => {
          const metadata = { name: called, namespace };
          return [{ ...rest, metadata }, at(source, index + 1)];
        });
        return fc.tuple(fc.constant(placed), fc.shuffledSubarray(placed, { minLength: placed.length }));
      }),
      ([placed, shuffled]) => {
        const { findings: first, ...expected } = readAll(placed);
        const { findings: second, ...actual } = readAll(shuffled);
        expect(actual).toEqual(expected);
        expect(findingLines(second)).toEqual(findingLines(first));
      },
    );
    fc.assert(property, { seed: 20_261_115, numRuns: 300 });
  });

  it("sorts by namespace, then name, by bytes", () => {
    const { configMaps } = read(
      configMap("b", {}, "n"),
      configMap("a", {}, "z"),
      configMap("B", {}, "n"),
      configMap("a10", {}, "n"),
      configMap("a9", {}, "n"),
    );
    expect(configMaps.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual([
      "n/B",
      "n/a10",
      "n/a9",
      "n/b",
      "z/a",
    ]);
  });
});

describe("hostile keys", () => {
  it("are ordinary data", () => {
    const text = `{ "apiVersion": "v1", "kind": "ConfigMap",
      "__proto__": { "data": { "polluted": "yes" } }, "constructor": 1, "toString": [], "hasOwnProperty": null,
      "metadata": { "name": "a", "__proto__": { "namespace": "evil" }, "labels": { "__proto__": "x", "constructor": "y" } },
      "data": { "__proto__": "p", "constructor": "c" } }`;
    const { configMaps, findings } = read(JSON.parse(text) as JsonObject);
    expect(findings).toEqual([]);
    expect(configMaps).toHaveLength(1);
    const [read1] = configMaps;
    expect(read1?.namespace).toBe("default");
    expect(Object.entries(read1?.data ?? {})).toEqual([
      ["__proto__", "p"],
      ["constructor", "c"],
    ]);
    expect(({} as JsonObject).polluted).toBeUndefined();
  });

  it.each(["__proto__", "constructor", "toString"])("as a kind or group: %s", (word) => {
    const { customResources, findings } = read({ apiVersion: `${word}/v1`, kind: word, metadata: { name: word } });
    expect(findings).toEqual([]);
    expect(customResources).toMatchObject([{ group: word, kind: word, name: word }]);
  });

  it("inherited fields do not count", () => {
    const heir = Object.create({ metadata: { name: "a" } }) as Record<string, Json>;
    heir.apiVersion = "v1";
    heir.kind = "ConfigMap";
    expect(read(heir).findings).toMatchObject([{ message: "metadata is missing" }]);
  });
});

function findingLines(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ code, message, place }) => `${printPlace(place)} ${code} ${message}`).sort();
}
