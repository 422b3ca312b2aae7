// Does a Placement come out whole, whether or not it makes sense?

import { describe, expect, it } from "vitest";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { celExpressionPlace, type Predicate } from "../../model/placement.ts";
import { ObjectsReader } from "./read-objects.ts";

const PLACE = { source: "input.yaml", line: 1, column: 1 };

function read(object: JsonObject): ClusterObjects & { readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reader = new ObjectsReader((finding) => findings.push(finding));
  reader.add(object, PLACE);
  return { ...reader.finish(), findings };
}

describe("a Placement", () => {
  const requirement = { key: "region", operator: "Near", values: ["eu"] };
  const selector = { matchLabels: { env: "prod" }, matchExpressions: [requirement] };
  const placement = {
    apiVersion: "cluster.open-cluster-management.io/v1beta1",
    kind: "Placement",
    metadata: { name: "p", namespace: "team", generation: 3, annotations: { a: "b" } },
    spec: {
      clusterSets: ["prod"],
      numberOfClusters: -1,
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: selector,
            claimSelector: { matchExpressions: [requirement] },
            celSelector: { celExpressions: ["true", "1 <"] },
          },
        },
        {},
      ],
      prioritizerPolicy: {
        mode: "Sideways",
        configurations: [
          { scoreCoordinate: { builtIn: "Nonsense" }, weight: 0 },
          { scoreCoordinate: { type: "AddOn", addOn: { resourceName: "usage", scoreName: "cpu" } } },
          { weight: 99 },
        ],
      },
      spreadPolicy: { spreadConstraints: [{ topologyKey: "zone", topologyKeyType: "Label" }] },
      tolerations: [
        { operator: "Exists", value: "both" },
        { key: "gpu", effect: "NoSelect", tolerationSeconds: 90 },
      ],
      decisionStrategy: {
        groupStrategy: {
          clustersPerDecisionGroup: 5,
          decisionGroups: [{ groupName: "canary", groupClusterSelector: { labelSelector: selector } }],
        },
      },
      sortBy: "Score",
      scoreRateLimit: "30s",
    },
    status: { lastScoreUpdateTime: "2026-03-01T12:00:00Z", numberOfSelectedClusters: "free", conditions: 3 },
  };

  it("keeps everything as written, sense or not", () => {
    const { placements, findings } = read(placement);
    expect(findings).toEqual([]);
    const below = (...path: (string | number)[]) => ({ ...PLACE, path: ["spec", ...path] });
    const configuration = (index: number) => below("prioritizerPolicy", "configurations", index);
    expect(placements).toEqual([
      {
        place: PLACE,
        namespace: "team",
        name: "p",
        annotations: { a: "b" },
        generation: 3,
        clusterSets: ["prod"],
        numberOfClusters: -1,
        predicates: [
          {
            place: below("predicates", 0),
            requiredClusterSelector: {
              labelSelector: selector,
              claimRequirements: [requirement],
              celExpressions: ["true", "1 <"],
            },
          },
          {
            place: below("predicates", 1),
            requiredClusterSelector: { claimRequirements: [], celExpressions: [] },
          },
        ],
        prioritizerPolicy: {
          mode: "Sideways",
          configurations: [
            { place: configuration(0), scoreCoordinate: { type: "BuiltIn", builtIn: "Nonsense" }, weight: 0 },
            {
              place: configuration(1),
              scoreCoordinate: { type: "AddOn", addOn: { resourceName: "usage", scoreName: "cpu" } },
              weight: 1,
            },
            { place: configuration(2), weight: 99 },
          ],
        },
        spreadConstraints: [
          {
            place: below("spreadPolicy", "spreadConstraints", 0),
            topologyKey: "zone",
            topologyKeyType: "Label",
            maxSkew: 1,
            whenUnsatisfiable: "ScheduleAnyway",
          },
        ],
        tolerations: [
          { place: below("tolerations", 0), key: "", operator: "Exists", value: "both", effect: "" },
          {
            place: below("tolerations", 1),
            key: "gpu",
            operator: "Equal",
            value: "",
            effect: "NoSelect",
            tolerationSeconds: 90,
          },
        ],
        groupStrategy: {
          clustersPerDecisionGroup: 5,
          decisionGroups: [
            {
              place: below("decisionStrategy", "groupStrategy", "decisionGroups", 0),
              groupName: "canary",
              labelSelector: selector,
              claimRequirements: [],
            },
          ],
        },
        sortBy: "Score",
        scoreRateLimit: "30s",
        lastScoreUpdateTime: "2026-03-01T12:00:00Z",
        terminating: false,
      },
    ]);
  });

  it("has a lastScoreUpdateTime only if it is set, and then as text", () => {
    const withStatus = (status: Json) => read({ ...placement, status });
    for (const status of [null, {}, { lastScoreUpdateTime: null }, { lastScoreUpdateTime: "" }]) {
      const { placements, findings } = withStatus(status);
      expect(findings).toEqual([]);
      expect(placements[0]?.lastScoreUpdateTime).toBeUndefined();
    }
    const { placements, findings } = withStatus({ lastScoreUpdateTime: 5 });
    expect(placements).toEqual([]);
    expect(findings).toMatchObject([{ code: "PL009", place: { path: ["status", "lastScoreUpdateTime"] } }]);
  });

  it("knows the place of each expression", () => {
    const predicate = read(placement).placements[0]?.predicates[0] as Predicate;
    const path = ["spec", "predicates", 0, "requiredClusterSelector", "celSelector", "celExpressions", 1];
    expect(celExpressionPlace(predicate, 1)).toEqual({ ...PLACE, path });
  });
});
