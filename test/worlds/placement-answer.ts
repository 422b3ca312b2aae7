// What is the engine's answer to a Placement? Its answer in the form in which the brute force gives its own, so that the two can
// be compared.

import { compareText } from "../../src/model/json.ts";
import type { PlacementEngine } from "../../src/placement/engine.ts";
import type { ClusterReport, PlacementCondition } from "../../src/placement/placement-result.ts";
import { answerOf, type PlacementAnswer } from "../placement/answer-of.ts";
import type { Expected, ExpectedCluster } from "./placement-brute-force.ts";

/** The answer of the engine; what the brute force leaves open is left open here too. */
export function engineAnswer(engine: PlacementEngine, key: string, expected: Expected): Expected {
  const { state, selected, unscheduled, eligibleSets, conditions, groups } = answerOf(engine, key) as PlacementAnswer;
  return {
    state,
    selected,
    unscheduled: expected.unscheduled === undefined ? undefined : unscheduled,
    eligibleSets,
    conditions: expected.conditions && conditions.flatMap(ocmCondition).sort(([a], [b]) => compareText(a, b)),
    groups: expected.groups && groups,
    clusters: expected.clusters && engine.reports(key).map(clusterAnswer),
  };
}

/** OCM's two conditions; ours is not its business. */
function ocmCondition({ type, status, reason }: PlacementCondition): readonly (readonly [string, string, string])[] {
  return type === "PlacementMisconfigured" || type === "PlacementSatisfied" ? [[type, status, reason]] : [];
}

function clusterAnswer({ name, verdict, parts, isSoftTainted, selected }: ClusterReport): ExpectedCluster {
  const spread = parts.find((part) => part.name === "Spread")?.score;
  return {
    name,
    verdict,
    parts: parts
      .filter((part) => part.name !== "Spread")
      .map((part) => ({ name: part.name, score: part.score, weight: part.weight })),
    spread: selected ? spread : undefined,
    isSoftTainted,
  };
}
