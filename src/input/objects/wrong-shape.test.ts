// Is every wrong field reported at its place, and is only its object left out?

import { describe, expect, it } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { type Path, printPath } from "../../model/place.ts";
import { ObjectsReader } from "./read-objects.ts";

const PLACE = { source: "input.yaml", line: 1, column: 1 };
const GOOD = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "good" } };

function read(...objects: readonly JsonObject[]): ClusterObjects & { readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((finding) => findings.push(finding));
  for (const object of objects) reader.add(object, PLACE);
  return { ...reader.finish(), findings };
}

const API_VERSIONS: Readonly<Record<string, string>> = {
  Subscription: "operators.coreos.com/v1alpha1",
  CatalogSource: "operators.coreos.com/v1alpha1",
  ClusterServiceVersion: "operators.coreos.com/v1alpha1",
  OperatorGroup: "operators.coreos.com/v1",
  OperatorCondition: "operators.coreos.com/v2",
  InstallPlan: "operators.coreos.com/v1alpha1",
  ClusterExtension: "olm.operatorframework.io/v1",
  ClusterCatalog: "olm.operatorframework.io/v1",
  ConfigMap: "v1",
  CustomResourceDefinition: "apiextensions.k8s.io/v1",
  ManagedCluster: "cluster.open-cluster-management.io/v1",
  ManagedClusterSet: "cluster.open-cluster-management.io/v1beta2",
  ManagedClusterSetBinding: "cluster.open-cluster-management.io/v1beta2",
  Placement: "cluster.open-cluster-management.io/v1beta1",
  PlacementDecision: "cluster.open-cluster-management.io/v1beta1",
  AddOnPlacementScore: "cluster.open-cluster-management.io/v1alpha1",
};

/** A minimal good body of the kinds that must have one. */
const BODIES: Readonly<Record<string, JsonObject>> = {
  Subscription: { spec: { name: "p", source: "s", sourceNamespace: "n" } },
  CatalogSource: { spec: {} },
  ClusterServiceVersion: { spec: {} },
  ClusterExtension: { spec: { source: { catalog: { packageName: "p" } } } },
  CustomResourceDefinition: { spec: { group: "g", names: { kind: "K", plural: "ks" } } },
};

/** A kind, a path, a wrong value, and the message (after the path). */
const WRONG: readonly (readonly [kind: string, path: Path, value: Json, message: string, at?: Path])[] = [
  ["Subscription", ["spec", "channel"], 4.18, "must be text, but is a number"],
  ["Subscription", ["spec", "name"], "", "is missing", ["spec"]],
  ["Subscription", ["spec", "source"], null, "is missing", ["spec"]],
  ["Subscription", ["spec"], null, "is missing", []],
  ["Subscription", ["status", "installedCSV"], [], "must be text, but is a list"],
  ["CatalogSource", ["spec", "priority"], "1", "must be a whole number, but is text"],
  ["CatalogSource", ["spec", "priority"], 1.5, "must be a whole number, but is 1.5"],
  ["CatalogSource", ["spec", "priority"], 3_000_000_000, "must be a whole number of 32 bits, but is 3000000000"],
  ["CatalogSource", ["spec", "priority"], 2n ** 64n, "must be a whole number, but is 18446744073709551616"],
  ["ClusterServiceVersion", ["spec", "version"], 1.2, "must be text, but is a number"],
  [
    "ClusterServiceVersion",
    ["spec", "installModes"],
    [{ type: "A", supported: "yes" }],
    "must be true or false, but is text",
    ["spec", "installModes", 0, "supported"],
  ],
  [
    "ClusterServiceVersion",
    ["spec", "customresourcedefinitions", "owned"],
    [{ name: "a.b", version: "v1" }],
    "is missing",
    ["spec", "customresourcedefinitions", "owned", 0],
  ],
  ["OperatorGroup", ["spec", "targetNamespaces"], "all", "must be a list, but is text"],
  ["OperatorCondition", ["spec", "overrides"], [{ type: "Upgradeable" }], "is missing", ["spec", "overrides", 0]],
  ["InstallPlan", ["spec", "approved"], "true", "must be true or false, but is text"],
  ["ClusterExtension", ["spec", "source", "catalog", "version"], 1, "must be text, but is a number"],
  ["ClusterExtension", ["spec", "source", "catalog", "packageName"], null, "is missing", ["spec", "source", "catalog"]],
  ["ClusterCatalog", ["spec", "source", "image"], "quay.io/x", "must be an object, but is text"],
  ["ConfigMap", ["data", "properties"], [], "must be text, but is a list"],
  [
    "CustomResourceDefinition",
    ["spec", "versions"],
    [{ name: "v1", served: true }],
    "is missing",
    ["spec", "versions", 0],
  ],
  ["CustomResourceDefinition", ["spec", "names", "kind"], 1, "must be text, but is a number"],
  ["ManagedCluster", ["metadata", "labels", "version"], 1.3, "must be text, but is a number"],
  ["ManagedCluster", ["metadata", "annotations", "a.io/b"], true, "must be text, but is true or false"],
  ["ManagedCluster", ["metadata", "generation"], "1", "must be a whole number, but is text"],
  ["ManagedCluster", ["status", "allocatable", "cpu"], {}, "must be a quantity such as 500m or 2Gi, but is an object"],
  ["ManagedCluster", ["status", "clusterClaims"], [{ value: "x" }], "is missing", ["status", "clusterClaims", 0]],
  ["ManagedCluster", ["spec", "taints"], { key: "gpu" }, "must be a list, but is an object"],
  ["ManagedClusterSet", ["spec", "clusterSelector", "selectorType"], 1, "must be text, but is a number"],
  ["ManagedClusterSetBinding", ["spec", "clusterSet"], ["a"], "must be text, but is a list"],
  ["Placement", ["spec", "numberOfClusters"], "three", "must be a whole number, but is text"],
  ["Placement", ["spec", "predicates"], [null], "must be an object, but is null", ["spec", "predicates", 0]],
  [
    "Placement",
    ["spec", "decisionStrategy", "groupStrategy", "clustersPerDecisionGroup"],
    2.5,
    "must be a whole number or text, but is 2.5",
  ],
  [
    "Placement",
    ["spec", "decisionStrategy", "groupStrategy", "decisionGroups"],
    [{ groupName: "a" }],
    "is missing",
    ["spec", "decisionStrategy", "groupStrategy", "decisionGroups", 0],
  ],
  [
    "Placement",
    ["spec", "tolerations"],
    [{ tolerationSeconds: "1m" }],
    "must be a whole number, but is text",
    ["spec", "tolerations", 0, "tolerationSeconds"],
  ],
  ["PlacementDecision", ["status", "decisions"], [{ reason: "" }], "is missing", ["status", "decisions", 0]],
  [
    "AddOnPlacementScore",
    ["status", "scores"],
    [{ name: "cpu", value: "high" }],
    "must be a whole number, but is text",
    ["status", "scores", 0, "value"],
  ],
];

describe("a field of the wrong type", () => {
  it.each(WRONG.map((row) => [row[0], printPath(row[1]), row] as const))("%s %s", (kind, _, row) => {
    const [, path, value, message, at = path] = row;
    const object = { apiVersion: API_VERSIONS[kind] as string, kind, metadata: { name: "x" }, ...BODIES[kind] };
    const objects = read(changed(object, path, value), GOOD);
    expect(objects.findings).toHaveLength(1);
    const [found] = objects.findings;
    expect(found).toMatchObject({ code: "PL009", severity: "error", dropped: "document" });
    expect(found?.message).toContain(message);
    expect(found?.place.path ?? []).toEqual(at);
    expect(objects.rejected).toMatchObject([{ place: PLACE, kind, name: "x" }]);
    expect(objects.configMaps.map(({ name }) => name)).toEqual(["good"]);
  });

  it("every kind reads without it", () => {
    for (const [kind, apiVersion] of Object.entries(API_VERSIONS)) {
      const { findings, rejected } = read({
        apiVersion,
        kind,
        metadata: { name: "x", namespace: "n" },
        ...BODIES[kind],
      });
      expect([kind, findings, rejected]).toEqual([kind, [], []]);
    }
  });

  it("each of them is reported", () => {
    const { findings } = read({
      apiVersion: "cluster.open-cluster-management.io/v1beta1",
      kind: "Placement",
      metadata: { name: "p", labels: [] },
      spec: { numberOfClusters: "3", clusterSets: [1, "b", 2] },
    });
    expect(findings.map(({ place }) => printPath(place.path ?? []))).toEqual([
      "metadata.labels",
      "spec.numberOfClusters",
      "spec.clusterSets[0]",
      "spec.clusterSets[2]",
    ]);
  });

  it("numbers and booleans where text belongs want quotes", () => {
    const { findings } = read({ ...GOOD, data: { a: 1, b: true, c: {} } });
    expect(findings.map(({ help }) => help)).toEqual(["put it in quotes", "put it in quotes", undefined]);
  });

  it("a limited number is reported", () => {
    const { findings } = read({ ...GOOD, data: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [i, i])) });
    expect(findings).toHaveLength(100);
    expect(findings.at(-1)?.message).toBe("more than 99 fields are wrong");
  });
});

describe("a field that is not known", () => {
  const placement = (spec: JsonObject) => ({
    apiVersion: "cluster.open-cluster-management.io/v1beta1",
    kind: "Placement",
    metadata: { name: "p", namespace: "n" },
    spec,
  });

  it("is a warning if it resembles a known one", () => {
    const { placements, findings } = read(placement({ numberOfCluster: 3, predicate: [] }));
    expect(placements).toHaveLength(1);
    expect(findings.map(({ code, message, help }) => `${code} ${message}; ${help}`)).toEqual([
      'PL010 unknown field spec.numberOfCluster; did you mean "numberOfClusters"? As it is, the field is ignored',
      'PL010 unknown field spec.predicate; did you mean "predicates"? As it is, the field is ignored',
    ]);
    expect(findings.some(({ dropped }) => dropped)).toBe(false);
  });

  it("is fine otherwise, and beside the known one", () => {
    const { findings } = read(placement({ somethingNew: {}, numberOfClusters: 3, numberOfCluster: 3 }));
    expect(findings).toEqual([]);
  });

  it("a flood of them is not searched for words", () => {
    const flood = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`numberOfCluster${i}`, 1]));
    expect(read(placement({ ...flood, numberOfCluster: 1 })).findings).toEqual([]);
  });
});

describe("a field that belongs elsewhere", () => {
  const matchLabels = { platform: "AWS" };
  const CLAIMS =
    "a claimSelector has matchExpressions only; write { key, operator: In, values: [...] }. As it is, the field is ignored";
  const required = (selector: JsonObject) => ({ predicates: [{ requiredClusterSelector: selector }] });
  const group = (groupClusterSelector: JsonObject) => ({
    decisionStrategy: { groupStrategy: { decisionGroups: [{ groupName: "g", groupClusterSelector }] } },
  });

  it.each<[string, JsonObject, string]>([
    ["claimSelector.matchLabels", required({ claimSelector: { matchLabels } }), CLAIMS],
    ["claimSelector.matchLabels", required({ claimSelector: { matchLabels, matchExpressions: [] } }), CLAIMS],
    ["claimSelector.matchLabels", group({ claimSelector: { matchLabels } }), CLAIMS],
    ["groupClusterSelector.celSelector", group({ celSelector: {} }), "decision groups have no expressions"],
    ["groupClusterSelector.matchLabels", group({ matchLabels }), "write it below labelSelector."],
    ["requiredClusterSelector.matchLabels", required({ matchLabels }), "write it below labelSelector."],
    ["requiredClusterSelector.celExpressions", required({ celExpressions: [] }), "write it below celSelector."],
    ["predicates[0].celSelector", { predicates: [{ celSelector: {} }] }, "write it below requiredClusterSelector."],
    ["spec.labelSelector", { labelSelector: { matchLabels } }, "write it in predicates, below"],
    ["spec.requiredClusterSelector", { requiredClusterSelector: {} }, "write it in predicates."],
  ])("%s", (path, spec, help) => {
    const metadata = { name: "p", namespace: "n" };
    const apiVersion = "cluster.open-cluster-management.io/v1beta1";
    const { placements, findings } = read({ apiVersion, kind: "Placement", metadata, spec });
    expect(placements).toHaveLength(1);
    expect(findings).toMatchObject([{ code: "PL010", severity: "warning", place: { ofKey: true } }]);
    expect(printPath(findings[0]?.place.path ?? []).endsWith(path)).toBe(true);
    expect(findings[0]?.help?.startsWith(help)).toBe(true);
  });

  it("a limited number is reported", () => {
    const predicates = Array.from({ length: 5000 }, () => ({ celSelector: {} }));
    const apiVersion = "cluster.open-cluster-management.io/v1beta1";
    const metadata = { name: "p", namespace: "n" };
    expect(read({ apiVersion, kind: "Placement", metadata, spec: { predicates } }).findings).toHaveLength(100);
  });

  it("of a set", () => {
    const { findings } = read({
      apiVersion: "cluster.open-cluster-management.io/v1beta2",
      kind: "ManagedClusterSet",
      metadata: { name: "s" },
      spec: { clusterSelector: { selectorType: "LabelSelector", matchLabels } },
    });
    expect(findings).toMatchObject([{ code: "PL010", place: { path: ["spec", "clusterSelector", "matchLabels"] } }]);
  });
});

describe("the priority of a Subscription", () => {
  const subscription = (priority: string) => ({
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name: "s", annotations: { "plimsoll.dev/priority": priority } },
    ...BODIES.Subscription,
  });

  it.each([
    ["7", 7],
    ["+7", 7],
    ["-12", -12],
    ["-0", 0],
    ["007", 7],
  ])("%s", (written, priority) => {
    const { subscriptions, findings } = read(subscription(written));
    expect(findings).toEqual([]);
    expect(subscriptions[0]?.priority).toBe(priority);
  });

  it.each(["", "high", "1.5", "1e3", " 1", "99999999999999999999"])("%j is reported, and counts as 0", (written) => {
    const { subscriptions, findings } = read(subscription(written));
    expect(subscriptions[0]?.priority).toBe(0);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      code: "PL009",
      place: { path: ["metadata", "annotations", "plimsoll.dev/priority"] },
    });
    expect(findings[0]?.dropped).toBeUndefined();
  });
});

/** The object with another value at a path. */
function changed(object: JsonObject, [step, ...rest]: Path, value: Json): JsonObject {
  const inner = object[step as string];
  const next = rest.length === 0 ? value : changed((inner ?? {}) as JsonObject, rest, value);
  return { ...object, [step as string]: next };
}
