// Does --fetch-bundles find what a catalog leaves out? The catalog has no manifests, the images of its bundles have: a CRD that
// may not be replaced holds an update back, and only the images that an answer needs are asked for.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { catalogFiles, writeFiles } from "./catalog-files.ts";
import { type Ran, runCommand, testFolder } from "./command.ts";
import { type GrpcRegistry, startOpm } from "./opm.ts";
import { pushBundleImage } from "./push-image.ts";
import { type SecureRegistry, startSecureRegistry } from "./secure-registry.ts";

const folder = testFolder("fetch");
/** It records every request, and gives a token to everyone. */
let registry: SecureRegistry;
let opm: GrpcRegistry | undefined;
let catalog: string;
let objects: string;
let homes = 0;
let home: string;

const GROUP = "tides.example.com";
/** The versions of the CRD that each version of the operator has, the stored one last. */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  "1.0.0": ["v1alpha1"],
  "1.1.0": ["v1alpha1", "v1"],
  "2.0.0": ["v1"],
};
/** What each version of the other operator demands of the cluster. */
const MIN_KUBE: Readonly<Record<string, string>> = { "1.0.0": "1.20.0", "1.1.0": "1.99.0" };

function definition(versions: readonly string[]): JsonObject {
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `gauges.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { kind: "Gauge", listKind: "GaugeList", plural: "gauges", singular: "gauge" },
      versions: versions.map((name) => ({ name, served: true, storage: name === versions.at(-1), schema })),
    },
  };
}

function csv(name: string, version: string, spec: JsonObject = {}): JsonObject {
  const installModes = ["OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"];
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name: `${name}.v${version}` },
    spec: { version, installModes: installModes.map((type) => ({ type, supported: true })), ...spec },
  };
}

const owned = (version: string): JsonObject => ({
  owned: (VERSIONS[version] ?? []).map((name) => ({ kind: "Gauge", name: `gauges.${GROUP}`, version: name })),
});

async function pushBundle(name: string, version: string, manifests: readonly JsonObject[]): Promise<void> {
  const annotations = {
    "operators.operatorframework.io.bundle.mediatype.v1": "registry+v1",
    "operators.operatorframework.io.bundle.manifests.v1": "manifests/",
    "operators.operatorframework.io.bundle.metadata.v1": "metadata/",
    "operators.operatorframework.io.bundle.package.v1": name,
    "operators.operatorframework.io.bundle.channels.v1": "stable",
  };
  const files = manifests.map((manifest, index) => [`manifests/${index}.yaml`, JSON.stringify(manifest)] as const);
  await pushBundleImage(
    registry.backend,
    `bundles/${name}:v${version}`,
    new Map([...files, ["metadata/annotations.yaml", JSON.stringify({ annotations })]]),
  );
}

/** A package whose newest version can be reached from every other one. */
function packageOf(name: string, versions: readonly string[], apis: (version: string) => readonly string[]) {
  const entries = versions.map((version, index) => ({
    name: `${name}.v${version}`,
    ...(index > 0 && { replaces: `${name}.v${versions[index - 1]}`, skipRange: `<${version}` }),
  }));
  return [
    { schema: "olm.package", name, defaultChannel: "stable" },
    { schema: "olm.channel", package: name, name: "stable", entries },
    ...versions.map((version) => ({
      schema: "olm.bundle",
      name: `${name}.v${version}`,
      package: name,
      image: `${registry.address}/bundles/${name}:v${version}`,
      properties: [
        { type: "olm.package", value: { packageName: name, version } },
        ...apis(version).map((api) => ({ type: "olm.gvk", value: { group: GROUP, version: api, kind: "Gauge" } })),
      ],
    })),
  ];
}

beforeAll(async () => {
  registry = await startSecureRegistry({ user: "keeper", password: "lamp-oil-7", by: "token", isPublic: true });
  for (const [version, apis] of Object.entries(VERSIONS))
    await pushBundle("gauge", version, [
      csv("gauge", version, { customresourcedefinitions: owned(version) }),
      definition(apis),
    ]);
  for (const [version, minKubeVersion] of Object.entries(MIN_KUBE))
    await pushBundle("horn", version, [csv("horn", version, { minKubeVersion })]);
  const documents: readonly JsonObject[] = [
    ...packageOf("gauge", Object.keys(VERSIONS), (version) => VERSIONS[version] ?? []),
    ...packageOf("horn", Object.keys(MIN_KUBE), () => []),
    ...packageOf("lost", ["1.0.0"], () => []),
  ];
  catalog = writeFiles(join(folder, "catalog"), catalogFiles(documents));
  objects = join(folder, "objects.json");
  const namespace = "pier";
  const items = [
    {
      apiVersion: "operators.coreos.com/v1",
      kind: "OperatorGroup",
      metadata: { namespace, name: "all" },
      spec: {},
      status: { namespaces: [""] },
    },
    {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "Subscription",
      metadata: { namespace, name: "gauge" },
      spec: { name: "gauge", channel: "stable", source: "hub", sourceNamespace: "olm" },
      status: { installedCSV: "gauge.v1.0.0", currentCSV: "gauge.v1.0.0", state: "AtLatestKnown" },
    },
    {
      ...csv("gauge", "1.0.0", { customresourcedefinitions: owned("1.0.0") }),
      metadata: { namespace, name: "gauge.v1.0.0" },
      status: { phase: "Succeeded" },
    },
    { ...definition(VERSIONS["1.0.0"] ?? []), status: { storedVersions: ["v1alpha1"] } },
  ];
  writeFileSync(objects, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
});
afterAll(async () => {
  await opm?.stop();
  await registry?.stop();
});
beforeEach(() => {
  home = join(folder, `home-${++homes}`);
});

function run(line: string, flags: readonly string[] = [], source = catalog, version = "1.31.0"): Promise<Ran> {
  const args = [...line.split(" "), "--catalog", `olm/hub=${source}`, "--kube-version", version, ...flags];
  return runCommand(args, home);
}

/** The manifests of bundles that were asked for since a request, by name and tag. */
function askedSince(count: number): readonly string[] {
  const names = registry.seen.slice(count).flatMap(({ url }) => {
    const [, name, tag] = /^\/v2\/bundles\/([^/]+)\/manifests\/(v[^/]+)$/.exec(url) ?? [];
    return name === undefined ? [] : [`${name}:${tag}`];
  });
  return [...new Set(names)].sort();
}

describe("an update whose CRD loses a stored version", () => {
  const IN = ["-n", "pier"];

  test("is proposed without the flag, and no image is asked for", async () => {
    const before = registry.seen.length;
    const { out } = await run("resolve", [...IN, "-f", objects]);
    expect(out).toContain("update  gauge    1.0.0 → 2.0.0");
    expect(registry.seen.length).toBe(before);
  });

  test("is held back with it, with the reason, and the next best is chosen", async () => {
    const before = registry.seen.length;
    const { code, out, err } = await run("resolve", [...IN, "-f", objects, "--fetch-bundles"]);
    expect(out).toContain("update  gauge    1.0.0 → 1.1.0");
    expect(out).toContain("gauge at 1.1.0; available: 2.0.0");
    expect(out).toMatch(/would change the CRD gauges\.tides\.example\.com: objects may be stored in v1alpha1/);
    expect([code, err]).toEqual([0, ""]);
    expect(askedSince(before)).toEqual(["gauge:v1.1.0", "gauge:v2.0.0"]);
  });

  test("is explained, and planned", async () => {
    const explained = await run("explain gauge", [...IN, "-f", objects, "--fetch-bundles"]);
    expect(explained.out).toMatch(/objects may be stored in v1alpha1/);
    const planned = await run("plan", [...IN, "-f", objects, "--fetch-bundles"]);
    expect(planned.out).toContain("1.0.0 → 1.1.0");
    const without = await run("plan", [...IN, "-f", objects]);
    expect(without.out).toContain("1.0.0 → 2.0.0");
  });

  test("a second run asks for no layer again", async () => {
    const flags = [...IN, "-f", objects, "--fetch-bundles"];
    const first = await run("resolve", flags);
    const before = registry.seen.length;
    expect(await run("resolve", flags)).toEqual(first);
    expect(registry.seen.slice(before).filter(({ url }) => url.includes("/blobs/"))).toEqual([]);
  });
});

test("only the images of the answer are asked for", async () => {
  const before = registry.seen.length;
  const { out } = await run("resolve horn", ["--fetch-bundles"], catalog, "1.99.1");
  expect(out).toContain("install  horn     1.1.0");
  expect(askedSince(before)).toEqual(["horn:v1.1.0"]);
});

test("an image that is missing is a finding, with exit code 4, and the answer is there", async () => {
  const { code, out, err } = await run("resolve lost", ["--fetch-bundles"]);
  expect(out).toContain("install  lost     1.0.0");
  expect(code).toBe(4);
  expect(err).toContain(
    `warning[PL017]: the manifests of lost.v1.0.0 could not be fetched from ${registry.address}/bundles/lost:v1.0.0, so changes of its CRDs are not checked: `,
  );
});

test("of a gRPC registry, the minKubeVersion of bundles counts", async () => {
  opm = await startOpm(catalog);
  const source = `grpc://${opm.address}`;
  expect((await run("resolve horn", [], source)).out).toContain("install  horn     1.1.0");
  const fetched = await run("resolve horn", ["--fetch-bundles"], source);
  expect(fetched.out).toContain("install  horn     1.0.0");
  const explained = await run("explain horn", ["--fetch-bundles"], source);
  expect(explained.out).toContain("ask for horn; that brings horn 1.0.0");
});
