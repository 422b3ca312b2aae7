// Does every kind come out as the model it is? One realistic object of each, and what is read from it.

import { describe, expect, it } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { ObjectsReader } from "./read-objects.ts";

const OLM = "operators.coreos.com";
const OCM = "cluster.open-cluster-management.io";
const PLACE = { source: "input.yaml", line: 1, column: 1 };

function read(...objects: readonly JsonObject[]): ClusterObjects & { readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((finding) => findings.push(finding));
  for (const object of objects) reader.add(object, PLACE);
  return { ...reader.finish(), findings };
}

const condition = { type: "Upgradeable", status: "False", reason: "Migration", message: "a migration runs" };

interface Case {
  readonly apiVersion: string;
  readonly kind: string;
  readonly list: keyof ClusterObjects;
  readonly metadata?: JsonObject;
  readonly body?: JsonObject;
  readonly expected: object;
}

const CASES: readonly Case[] = [
  {
    apiVersion: `${OLM}/v1alpha1`,
    kind: "Subscription",
    list: "subscriptions",
    metadata: { name: "etcd", namespace: "operators", annotations: { "plimsoll.dev/priority": "-3" } },
    body: {
      spec: {
        name: "etcd-operator",
        channel: "stable",
        source: "operatorhub",
        sourceNamespace: "olm",
        startingCSV: "etcd.v0.9.2",
        installPlanApproval: "Manual",
        config: { env: [] },
      },
      status: { installedCSV: "etcd.v0.9.2", currentCSV: "etcd.v0.9.4", state: "UpgradePending", conditions: [] },
    },
    expected: {
      namespace: "operators",
      name: "etcd",
      annotations: { "plimsoll.dev/priority": "-3" },
      priority: -3,
      package: "etcd-operator",
      channel: "stable",
      source: "operatorhub",
      sourceNamespace: "olm",
      startingCSV: "etcd.v0.9.2",
      approval: "Manual",
      installedCSV: "etcd.v0.9.2",
      currentCSV: "etcd.v0.9.4",
      state: "UpgradePending",
    },
  },
  {
    apiVersion: `${OLM}/v1alpha1`,
    kind: "CatalogSource",
    list: "catalogSources",
    body: {
      spec: { sourceType: "grpc", image: "quay.io/operatorhub/catalog:latest", priority: -100 },
      status: { message: "slow", connectionState: { lastObservedState: "READY", address: "a:50051" } },
    },
    expected: {
      namespace: "default",
      name: "model",
      priority: -100,
      sourceType: "grpc",
      image: "quay.io/operatorhub/catalog:latest",
      connectionState: "READY",
      message: "slow",
    },
  },
  {
    apiVersion: `${OLM}/v1alpha1`,
    kind: "ClusterServiceVersion",
    list: "installedOperators",
    metadata: {
      name: "etcd.v0.9.4",
      namespace: "operators",
      labels: { "olm.copiedFrom": "elsewhere" },
      annotations: { "olm.skipRange": "<0.9.4" },
      deletionTimestamp: "2026-01-01T00:00:00Z",
    },
    body: {
      spec: {
        version: "0.9.4",
        replaces: "etcd.v0.9.2",
        skips: ["etcd.v0.9.3"],
        minKubeVersion: "v1.20.0",
        installModes: [{ type: "AllNamespaces", supported: false }],
        customresourcedefinitions: {
          owned: [{ name: "etcdclusters.etcd.database.coreos.com", version: "v1beta2", kind: "EtcdCluster" }],
          required: null,
        },
        apiservicedefinitions: { required: [{ group: "g.io", name: "models", version: "v1", kind: "Model" }] },
      },
      status: { phase: "Replacing", reason: "BeingReplaced" },
    },
    expected: {
      namespace: "operators",
      name: "etcd.v0.9.4",
      labels: { "olm.copiedFrom": "elsewhere" },
      annotations: { "olm.skipRange": "<0.9.4" },
      version: "0.9.4",
      replaces: "etcd.v0.9.2",
      skips: ["etcd.v0.9.3"],
      minKubeVersion: "v1.20.0",
      installModes: [{ type: "AllNamespaces", supported: false }],
      customResourceDefinitions: {
        owned: [{ group: "etcd.database.coreos.com", version: "v1beta2", kind: "EtcdCluster", plural: "etcdclusters" }],
        required: [],
      },
      apiServices: { owned: [], required: [{ group: "g.io", version: "v1", kind: "Model", plural: "models" }] },
      phase: "Replacing",
      reason: "BeingReplaced",
      copied: true,
      terminating: true,
    },
  },
  {
    apiVersion: `${OLM}/v1`,
    kind: "OperatorGroup",
    list: "operatorGroups",
    body: {
      spec: { targetNamespaces: ["a"], selector: { matchLabels: { x: "y" } }, upgradeStrategy: "Default" },
      status: { namespaces: ["a"] },
    },
    expected: {
      namespace: "default",
      name: "model",
      annotations: {},
      targetNamespaces: ["a"],
      selector: { matchLabels: { x: "y" }, matchExpressions: [] },
      namespaces: ["a"],
      upgradeStrategy: "Default",
    },
  },
  {
    apiVersion: `${OLM}/v2`,
    kind: "OperatorCondition",
    list: "operatorConditions",
    metadata: { name: "etcd.v0.9.4", namespace: "operators", generation: 4 },
    body: {
      spec: { conditions: [{ ...condition, status: "True", lastTransitionTime: null }], overrides: [] },
      status: { conditions: [condition] },
    },
    expected: {
      namespace: "operators",
      name: "etcd.v0.9.4",
      generation: 4,
      overrides: [],
      conditions: [{ ...condition, status: "True" }],
      statusConditions: [condition],
      upgradeable: condition,
    },
  },
  {
    apiVersion: `${OLM}/v1alpha1`,
    kind: "InstallPlan",
    list: "installPlans",
    body: {
      spec: { generation: 2, approval: "Manual", approved: true, clusterServiceVersionNames: ["etcd.v0.9.4"] },
      status: {
        phase: "Installing",
        plan: [
          {
            resolving: "etcd.v0.9.4",
            status: "Created",
            resource: { group: "g", version: "v1", kind: "K", name: "n", manifest: "{}" },
          },
        ],
      },
    },
    expected: {
      namespace: "default",
      name: "model",
      generation: 2,
      approval: "Manual",
      approved: true,
      phase: "Installing",
      clusterServiceVersionNames: ["etcd.v0.9.4"],
      steps: [{ resolving: "etcd.v0.9.4", group: "g", version: "v1", kind: "K", name: "n", status: "Created" }],
    },
  },
  {
    apiVersion: "olm.operatorframework.io/v1",
    kind: "ClusterExtension",
    list: "clusterExtensions",
    body: {
      spec: {
        namespace: "argocd",
        serviceAccount: { name: "installer" },
        source: {
          sourceType: "Catalog",
          catalog: { packageName: "argocd", version: "0.6.x", channels: ["alpha"], selector: {} },
        },
        install: { preflight: { crdUpgradeSafety: { enforcement: "None" } } },
      },
      status: { install: { bundle: { name: "argocd.v0.6.0", version: "0.6.0" } } },
    },
    expected: {
      name: "model",
      installNamespace: "argocd",
      priority: 0,
      packageName: "argocd",
      version: "0.6.x",
      channels: ["alpha"],
      catalogSelector: { matchLabels: {}, matchExpressions: [] },
      upgradeConstraintPolicy: "CatalogProvided",
      crdUpgradeSafety: "None",
      installed: { name: "argocd.v0.6.0", version: "0.6.0" },
      terminating: false,
    },
  },
  {
    apiVersion: "olm.operatorframework.io/v1",
    kind: "ClusterCatalog",
    list: "clusterCatalogs",
    metadata: { name: "operatorhub", labels: { tier: "gold" } },
    body: {
      spec: { priority: 7, source: { type: "Image", image: { ref: "quay.io/c:latest" } } },
      status: { resolvedSource: { image: { ref: "quay.io/c@sha256:1" } }, conditions: null },
    },
    expected: {
      name: "operatorhub",
      labels: { tier: "gold" },
      priority: 7,
      image: "quay.io/c:latest",
      resolvedImage: "quay.io/c@sha256:1",
      availabilityMode: "Available",
      conditions: [],
    },
  },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    list: "configMaps",
    metadata: { name: "olm-runtime-constraints", namespace: "olm" },
    body: { data: { properties: "[]" } },
    expected: { namespace: "olm", name: "olm-runtime-constraints", data: { properties: "[]" } },
  },
  {
    apiVersion: `${OCM}/v1beta2`,
    kind: "ManagedClusterSet",
    list: "managedClusterSets",
    body: { spec: { clusterSelector: { selectorType: "LabelSelector", labelSelector: {} } } },
    expected: {
      name: "model",
      selectorType: "LabelSelector",
      labelSelector: { matchLabels: {}, matchExpressions: [] },
    },
  },
  {
    apiVersion: `${OCM}/v1beta2`,
    kind: "ManagedClusterSetBinding",
    list: "managedClusterSetBindings",
    metadata: { name: "model", namespace: "default" },
    body: { spec: { clusterSet: "model" } },
    expected: { namespace: "default", name: "model", clusterSet: "model" },
  },
  {
    apiVersion: `${OCM}/v1beta1`,
    kind: "PlacementDecision",
    list: "placementDecisions",
    metadata: { name: "model", namespace: "default" },
    body: { status: { decisions: [{ clusterName: "c1", reason: "", score: 80 }, { clusterName: "c2" }] } },
    expected: {
      namespace: "default",
      name: "model",
      labels: {},
      decisions: [
        { clusterName: "c1", reason: "", score: 80 },
        { clusterName: "c2", reason: "" },
      ],
    },
  },
  {
    apiVersion: `${OCM}/v1alpha1`,
    kind: "AddOnPlacementScore",
    list: "addOnPlacementScores",
    metadata: { name: "usage", namespace: "cluster1" },
    body: { status: { scores: [{ name: "cpu", value: -66 }], validUntil: "2026-01-01T00:00:00Z" } },
    expected: {
      namespace: "cluster1",
      name: "usage",
      scores: [{ name: "cpu", value: -66 }],
      validUntil: "2026-01-01T00:00:00Z",
    },
  },
];

describe("each kind", () => {
  it.each(CASES)("$kind", ({ apiVersion, kind, list, metadata = { name: "model" }, body, expected }) => {
    const objects = read({ apiVersion, kind, metadata, ...body });
    expect(objects.findings).toEqual([]);
    expect(objects[list]).toEqual([{ place: PLACE, ...expected }]);
  });
});

describe("defaults", () => {
  it("a Subscription is Automatic, of priority 0, and takes any channel", () => {
    const spec = { name: "p", source: "s", sourceNamespace: "olm", channel: "", installPlanApproval: "" };
    const [subscription] = read({
      apiVersion: `${OLM}/v1alpha1`,
      kind: "Subscription",
      metadata: { name: "p" },
      spec,
    }).subscriptions;
    expect(subscription).toMatchObject({ approval: "Automatic", priority: 0, namespace: "default" });
    expect(subscription?.channel).toBeUndefined();
  });

  it("an empty Placement has what the API fills in", () => {
    const [placement] = read({
      apiVersion: `${OCM}/v1beta1`,
      kind: "Placement",
      metadata: { name: "p" },
      spec: null,
    }).placements;
    expect(placement).toMatchObject({
      clusterSets: [],
      predicates: [],
      prioritizerPolicy: { mode: "Additive", configurations: [] },
      spreadConstraints: [],
      tolerations: [],
      groupStrategy: { decisionGroups: [], clustersPerDecisionGroup: "100%" },
      sortBy: "ClusterName",
      scoreRateLimit: "1m",
      generation: 0,
    });
    expect(placement?.numberOfClusters).toBeUndefined();
  });

  it("an override of an OperatorCondition takes precedence over the operator's own value", () => {
    const override = { ...condition, status: "True" };
    const [read1] = read({
      apiVersion: `${OLM}/v2`,
      kind: "OperatorCondition",
      metadata: { name: "o" },
      spec: { overrides: [override], conditions: [condition] },
    }).operatorConditions;
    expect(read1?.upgradeable).toEqual(override);
  });
});
