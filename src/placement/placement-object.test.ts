import { expect, test } from "vitest";
import { placement } from "../../test/placement/sample-fleet.ts";
import type { Placement } from "../model/placement.ts";
import { placementObject } from "./placement-object.ts";

const place = { source: "placement.yaml", line: 1, column: 1 };

const EMPTY: Placement = placement("placement1", {
  place,
  namespace: "ns1",
  generation: 3,
  lastScoreUpdateTime: "2026-01-01T00:00:00Z",
});

test("an empty spec has its defaults, and nothing of the status", () => {
  expect(placementObject(EMPTY)).toEqual({
    apiVersion: "cluster.open-cluster-management.io/v1beta1",
    kind: "Placement",
    metadata: { name: "placement1", namespace: "ns1" },
    spec: {
      prioritizerPolicy: { mode: "Additive" },
      decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: "100%" } },
      sortBy: "ClusterName",
      scoreRateLimit: "1m",
    },
  });
});

test("has all fields of a Placement", () => {
  const requirement = { key: "region", operator: "In", values: ["eu"] };
  const exists = { key: "gpu", operator: "Exists", values: [] };
  const constraint = { topologyKey: "zone", topologyKeyType: "Label", maxSkew: 2, whenUnsatisfiable: "DoNotSchedule" };
  const labelSelector = { matchLabels: JSON.parse('{"__proto__":"a","env":"prod"}'), matchExpressions: [requirement] };
  const full: Placement = {
    ...EMPTY,
    annotations: { note: "n" },
    clusterSets: ["set1"],
    numberOfClusters: 0,
    predicates: [
      { place, requiredClusterSelector: { labelSelector, claimRequirements: [exists], celExpressions: ["true"] } },
      { place, requiredClusterSelector: { claimRequirements: [], celExpressions: [] } },
    ],
    prioritizerPolicy: {
      mode: "Exact",
      configurations: [
        { place, scoreCoordinate: { type: "BuiltIn", builtIn: "Steady" }, weight: 3 },
        {
          place,
          scoreCoordinate: { type: "AddOn", addOn: { resourceName: "usage", scoreName: "cpu" } },
          weight: -1,
        },
        { place, weight: 1 },
      ],
    },
    spreadConstraints: [{ place, ...constraint }],
    tolerations: [
      { place, key: "k", operator: "Equal", value: "v", effect: "NoSelect", tolerationSeconds: 0 },
      { place, key: "", operator: "Exists", value: "", effect: "" },
    ],
    groupStrategy: {
      clustersPerDecisionGroup: 5,
      decisionGroups: [{ place, groupName: "canary", labelSelector, claimRequirements: [requirement] }],
    },
    sortBy: "Score",
    scoreRateLimit: "30s",
  };
  const labels = { matchLabels: labelSelector.matchLabels, matchExpressions: [requirement] };
  expect(placementObject(full)).toEqual({
    apiVersion: "cluster.open-cluster-management.io/v1beta1",
    kind: "Placement",
    metadata: { name: "placement1", namespace: "ns1", annotations: { note: "n" } },
    spec: {
      clusterSets: ["set1"],
      numberOfClusters: 0,
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: labels,
            claimSelector: { matchExpressions: [{ key: "gpu", operator: "Exists" }] },
            celSelector: { celExpressions: ["true"] },
          },
        },
        { requiredClusterSelector: {} },
      ],
      prioritizerPolicy: {
        mode: "Exact",
        configurations: [
          { scoreCoordinate: { type: "BuiltIn", builtIn: "Steady" }, weight: 3 },
          { scoreCoordinate: { type: "AddOn", addOn: { resourceName: "usage", scoreName: "cpu" } }, weight: -1 },
          { weight: 1 },
        ],
      },
      spreadPolicy: { spreadConstraints: [constraint] },
      tolerations: [
        { key: "k", operator: "Equal", value: "v", effect: "NoSelect", tolerationSeconds: 0 },
        { operator: "Exists" },
      ],
      decisionStrategy: {
        groupStrategy: {
          clustersPerDecisionGroup: 5,
          decisionGroups: [
            {
              groupName: "canary",
              groupClusterSelector: { labelSelector: labels, claimSelector: { matchExpressions: [requirement] } },
            },
          ],
        },
      },
      sortBy: "Score",
      scoreRateLimit: "30s",
    },
  });
});
