import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { chosen, placed, placement, shown } from "../../../test/placement/sample-placement.ts";
import { eachDecision, eachManifest } from "./decisions.ts";
import type { ShownPlacements } from "./shown.ts";

const decision = (clusterName: string, score: number) => ({ clusterName, reason: "predicates[0] holds", score });
const CLUSTERS = [
  { ...chosen("bergen", 2, 80), decision: decision("bergen", 80) },
  { ...chosen("genoa", 1, 100), decision: decision("genoa", 100) },
];
const SLICES = [
  { name: "lights-decision-1", groupIndex: 0, groupName: "canary", clusters: ["genoa", "bergen"] },
  { name: "lights-decision-2", groupIndex: 1, groupName: "", clusters: [] },
];

function manifests(run: ShownPlacements): string {
  return [...eachManifest(run)].join("");
}

test("a PlacementDecision as other tools read it, in the order of its slice", () => {
  expect(manifests(shown([placed(CLUSTERS, {}, { slices: SLICES })]))).toBe(`\
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: PlacementDecision
metadata:
  name: lights-decision-1
  namespace: apps
  labels:
    cluster.open-cluster-management.io/placement: lights
    cluster.open-cluster-management.io/decision-group-name: canary
    cluster.open-cluster-management.io/decision-group-index: '0'
status:
  decisions:
    - clusterName: genoa
      reason: predicates[0] holds
      score: 100
    - clusterName: bergen
      reason: predicates[0] holds
      score: 80
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: PlacementDecision
metadata:
  name: lights-decision-2
  namespace: apps
  labels:
    cluster.open-cluster-management.io/placement: lights
    cluster.open-cluster-management.io/decision-group-name: ''
    cluster.open-cluster-management.io/decision-group-index: '1'
status:
  decisions: []
`);
});

test("a cluster without a decision has neither reason nor score, as every cluster in OCM (ocm.md §1.3)", () => {
  const clusters = [
    chosen("bergen", 2, 80),
    { ...chosen("genoa", 1, 100), decision: { clusterName: "genoa", reason: "" } },
  ];
  const [first] = eachDecision(shown([placed(clusters, {}, { slices: SLICES })]));
  expect(first?.status).toEqual({
    decisions: [
      { clusterName: "genoa", reason: "" },
      { clusterName: "bergen", reason: "" },
    ],
  });
});

test("the documents are the list, and a Placement without slices has none", () => {
  const run = shown([
    placed(CLUSTERS, { placement: placement({ name: "- 'x': y\n---\nkind: Secret" }) }, { slices: SLICES }),
    placed([], {}, { slices: [] }),
  ]);
  expect(loadAll(manifests(run))).toEqual([...eachDecision(run)]);
  expect(manifests(shown([]))).toBe("");
});
