// Are clusters, definitions of custom kinds, and the properties of installed operators read as they should be?

import { describe, expect, it } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { ObjectsReader } from "./read-objects.ts";

const PLACE = { source: "input.yaml", line: 1, column: 1 };

function read(...objects: readonly JsonObject[]): ClusterObjects & { readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((finding) => findings.push(finding));
  for (const object of objects) reader.add(object, PLACE);
  return { ...reader.finish(), findings };
}

describe("a ManagedCluster", () => {
  const cluster = (status: JsonObject, spec: JsonObject = {}) => ({
    apiVersion: "cluster.open-cluster-management.io/v1",
    kind: "ManagedCluster",
    metadata: { name: "c1", labels: { env: "prod" } },
    spec,
    status,
  });

  it("refers to the document instead of copying it", () => {
    const object = cluster({
      clusterClaims: [{ name: "region", value: "eu" }],
      conditions: [{ type: "ManagedClusterJoined", status: "True" }],
      allocatable: { cpu: "7500m", memory: 32 },
      capacity: { cpu: 8 },
      version: { kubernetes: "v1.31.0" },
    });
    const { managedClusters, findings } = read(object);
    expect(findings).toEqual([]);
    const [read1] = managedClusters;
    expect(read1).toMatchObject({ name: "c1", kubernetesVersion: "v1.31.0", terminating: false, taints: [] });
    expect(read1?.object).toBe(object);
    expect(read1?.labels).toBe(object.metadata.labels);
    expect(read1?.claims).toBe(object.status.clusterClaims);
    expect(read1?.conditions).toBe(object.status.conditions);
    expect(read1?.allocatable).toBe(object.status.allocatable);
    expect(read1?.capacity).toBe(object.status.capacity);
  });

  it("reads null as not given", () => {
    const { managedClusters, findings } = read(
      cluster(
        {
          clusterClaims: [{ name: "region", value: null }],
          conditions: [{ type: "T", status: "True", lastTransitionTime: null }],
          capacity: null,
          version: {},
        },
        { taints: [{ key: "gpu", effect: "NoSelect", timeAdded: null }] },
      ),
    );
    expect(findings).toEqual([]);
    expect(managedClusters[0]).toMatchObject({
      claims: [{ name: "region", value: "" }],
      conditions: [{ type: "T", status: "True", lastTransitionTime: undefined }],
      taints: [{ key: "gpu", value: "", effect: "NoSelect", timeAdded: undefined }],
      capacity: {},
    });
  });
});

describe("a CustomResourceDefinition", () => {
  const names = { kind: "Kafka", plural: "kafkas", singular: "kafka" };
  const definition = (version: string, spec: JsonObject, status: JsonObject = {}) => ({
    apiVersion: `apiextensions.k8s.io/${version}`,
    kind: "CustomResourceDefinition",
    metadata: { name: "kafkas.kafka.io", creationTimestamp: null },
    spec: { group: "kafka.io", names, ...spec },
    status,
  });
  const schema = { type: "object" };

  it("v1", () => {
    const object = definition(
      "v1",
      {
        scope: "Cluster",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            subresources: { status: {} },
          },
          { name: "v1beta1", served: false, storage: false },
        ],
        conversion: { strategy: "Webhook", webhook: {} },
      },
      { storedVersions: ["v1beta1", "v1"] },
    );
    const { customResourceDefinitions, findings } = read(object);
    expect(findings).toEqual([]);
    const schemaAt = (index: number) => ["spec", "versions", index, "schema", "openAPIV3Schema"];
    expect(customResourceDefinitions).toEqual([
      {
        place: PLACE,
        name: "kafkas.kafka.io",
        apiVersion: "v1",
        group: "kafka.io",
        kind: "Kafka",
        plural: "kafkas",
        scope: "Cluster",
        versions: [
          { name: "v1", served: true, storage: true, schema, schemaAt: schemaAt(0), subresources: ["status"] },
          { name: "v1beta1", served: false, storage: false, schemaAt: schemaAt(1), subresources: [] },
        ],
        storedVersions: ["v1beta1", "v1"],
        conversionStrategy: "Webhook",
        preserveUnknownFields: false,
        object,
      },
    ]);
  });

  const flags = { served: true, storage: true };
  it.each<[string, JsonObject, readonly object[]]>([
    ["a single version", { version: "v1beta1" }, [{ name: "v1beta1", ...flags, schema }]],
    ["one schema for all versions", { versions: [{ name: "v1", ...flags }] }, [{ name: "v1", ...flags, schema }]],
    [
      "a version and the same in the list",
      { version: "v1", versions: [{ name: "v1", ...flags }] },
      [{ name: "v1", ...flags, schema }],
    ],
  ])("v1beta1 with %s", (_, spec, versions) => {
    const { customResourceDefinitions, findings } = read(
      definition("v1beta1", { ...spec, validation: { openAPIV3Schema: schema } }),
    );
    expect(findings).toEqual([]);
    expect(customResourceDefinitions[0]).toMatchObject({
      versions,
      scope: "Namespaced",
      conversionStrategy: "None",
      preserveUnknownFields: true,
    });
    expect(customResourceDefinitions[0]?.specVersion).toBe(spec.version);
  });
});

describe("an object of any other kind", () => {
  it("is kept as it is", () => {
    const object = { apiVersion: "kafka.io/v1", kind: "Kafka", metadata: { name: "k", namespace: "n" }, spec: 7 };
    const { customResources, findings } = read(object);
    expect(findings).toEqual([]);
    expect(customResources).toEqual([
      {
        place: PLACE,
        apiVersion: "kafka.io/v1",
        group: "kafka.io",
        version: "v1",
        kind: "Kafka",
        namespace: "n",
        name: "k",
        object,
      },
    ]);
    expect(customResources[0]?.object).toBe(object);
  });

  it("may share the name of a known kind", () => {
    const { customResources, findings } = read(
      { apiVersion: "messaging.knative.dev/v1", kind: "Subscription", metadata: { name: "s" } },
      { apiVersion: "apps.open-cluster-management.io/v1", kind: "Subscription", metadata: { name: "s" } },
    );
    expect(findings).toEqual([]);
    expect(customResources.map(({ group }) => group)).toEqual([
      "apps.open-cluster-management.io",
      "messaging.knative.dev",
    ]);
  });
});

describe("the properties of an installed operator", () => {
  const withText = (text: Json): JsonObject => ({
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name: "a.v1", annotations: { "operatorframework.io/properties": text } },
    spec: {},
  });

  it.each<[string, readonly object[]]>([
    [
      '{"properties":[{"type":"olm.gvk","value":{"kind":"K"}},{"type":"x","value":null}]}',
      [
        { type: "olm.gvk", value: { kind: "K" } },
        { type: "x", value: null },
      ],
    ],
    ['{"properties":[{"type":"big","value":9007199254740993}]}', [{ type: "big", value: 9007199254740993n }]],
    ["{}", []],
    ['{"properties":null}', []],
  ])("%s", (text, expected) => {
    const { installedOperators, findings } = read(withText(text));
    expect(findings).toEqual([]);
    expect(installedOperators[0]?.properties).toEqual(expected);
    expect(installedOperators[0]?.propertiesText).toBe(text);
  });

  it.each([
    ["", "is not JSON"],
    ["{", "is not JSON"],
    ["[]", "must be an object with properties, but is a list"],
    ['{"properties":{}}', "must have a list of properties, but has an object"],
    ['{"properties":[{"value":1}]}', "has no type at properties[0]"],
    ['{"properties":[{"type":"a","value":1},{"type":"b"}]}', "has no value at properties[1]"],
    ['{"properties":[7]}', "has no type at properties[0]"],
    [`${"[".repeat(100_000)}`, "is not JSON"],
  ])("malformed: %.40s", (text, expected) => {
    const { installedOperators, findings } = read(withText(text));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      code: "PL052",
      place: { path: ["metadata", "annotations", "operatorframework.io/properties"] },
    });
    expect(findings[0]?.message).toContain(expected);
    expect(findings[0]?.dropped).toBeUndefined();
    expect(installedOperators[0]?.properties).toBeUndefined();
    expect(installedOperators[0]?.propertiesText).toBe(text);
  });
});

describe("a ClusterServiceVersion", () => {
  it("is used without CRDs whose names have no group, which are reported", () => {
    const crd = (name: string) => ({ name, version: "v1", kind: "Lamp" });
    const { installedOperators, findings } = read({
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "ClusterServiceVersion",
      metadata: { name: "lamp.v1.0.0", namespace: "here" },
      spec: { customresourcedefinitions: { owned: [crd("lamps"), crd("lamps.light.io")], required: [crd("oils")] } },
    });
    expect(findings.map(({ code, severity, place }) => [code, severity, place.path?.slice(-3)])).toEqual([
      ["PL009", "error", ["owned", 0, "name"]],
      ["PL009", "error", ["required", 0, "name"]],
    ]);
    expect(installedOperators[0]?.customResourceDefinitions).toEqual({
      owned: [{ group: "light.io", version: "v1", kind: "Lamp", plural: "lamps" }],
      required: [],
    });
  });
});
