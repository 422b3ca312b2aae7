// What does a PlacementDecision say of a selected cluster?
import type { ClusterDecision } from "../../model/placement-decision.ts";
import type { Evaluation } from "../evaluation.ts";
import { STAGE } from "../filter/filter-cluster.ts";
import type { PlacementOutcome } from "../placement-result.ts";

/** The decision of each cluster that is selected or kept. */
export function decisionEntries(
  { input, prepared, match, selection }: Evaluation,
  state: PlacementOutcome,
): (cluster: string) => ClusterDecision {
  const { hub, decided, placement } = input;
  // OCM writes neither reason nor score.
  if (!hub.mode.writesScores) return (clusterName) => ({ clusterName, reason: "" });
  const hasScore = hub.writesScoresOf(placement);
  const lastDecision = (clusterName: string): ClusterDecision => {
    const { reason = "", score } = decided.decisionOf(clusterName) ?? {};
    return { clusterName, reason, ...(hasScore && score !== undefined && { score }) };
  };
  if (state !== "placed") return lastDecision;
  const hasPredicates = prepared.predicates.length > 0;
  return (clusterName) => {
    const slot = hub.fleet.slotOf(clusterName) as number;
    if (match.stage[slot] === STAGE.unread) return lastDecision(clusterName);
    const reason = hasPredicates
      ? `predicates[${match.matchedBy(slot)}] holds`
      : "every cluster of the eligible sets is wanted";
    return { clusterName, reason, ...(hasScore && { score: selection.total(slot) }) };
  };
}
