// Is the selection used, or do the last decisions stay, or are they removed?
import { inside } from "../../model/place.ts";
import { type Eligibility, isEligible, isStopped } from "../eligible/eligibility.ts";
import type { Evaluation, EvaluationInput } from "../evaluation.ts";
import type { Fault } from "../fault.ts";
import { STAGE } from "../filter/filter-cluster.ts";
import type { Mistake, PlacementOutcome } from "../placement-result.ts";
import { isIgnored } from "../prepare/prepare.ts";

/** What becomes of a Placement, and why. */
export interface Outcome {
  readonly state: PlacementOutcome;
  readonly mistakes: readonly Mistake[];
  /** OCM: the decision groups are invalid, so that the selection cannot be cut. */
  readonly isUngrouped: boolean;
  /** OCM: nothing else is wrong, so that the selection is still counted. */
  readonly isCounted: boolean;
}

/** Step 6: is the selection used, do the last decisions stay, or are they removed? */
export function outcomeOf(evaluation: Evaluation): Outcome {
  const { input, eligibility } = evaluation;
  const { mode } = input.hub;
  if (isIgnored(input.placement)) return { state: "ignored", mistakes: [], isUngrouped: false, isCounted: false };
  const mistakes = mistakesOf(evaluation);
  if (mistakes.length === 0) return { state: "placed", mistakes, isUngrouped: false, isCounted: false };
  const isKept =
    mode.keepsLastDecisions ||
    isStopped(eligibility, mode) ||
    losesByBrokenSets(input, eligibility) ||
    eligibility.unreadable.length > 0 ||
    mistakes.some(({ isLimit }) => isLimit);
  const isUngrouped = !isKept && mistakes[0]?.plugin === "DecisionGroup";
  return { state: isKept ? "kept" : "emptied", mistakes, isUngrouped, isCounted: isUngrouped && mistakes.length === 1 };
}

/** Why nothing can be decided. OCM reports one mistake, and only of the plugins that it gets to. */
function mistakesOf({ input, prepared, eligibility, match, selection }: Evaluation): readonly Mistake[] {
  const { placement, hub } = input;
  const { mode, placementCostLimit } = hub;
  if (isStopped(eligibility, mode)) return eligibility.brokenSets.slice(0, 1);
  if (losesByBrokenSets(input, eligibility)) return eligibility.brokenSets;
  if (eligibility.unreadable.length > 0) return eligibility.unreadable;
  const limit = (fault: Fault, field: string): Mistake => ({
    fault,
    place: inside(placement.place, "spec", field),
    plugin: "Predicate",
    isLimit: true,
  });
  const limits: Mistake[] = [];
  if (match.exceedsCostLimit)
    limits.push(
      limit(match.isLate ? { kind: "time-over" } : { kind: "cost-limit", limit: placementCostLimit }, "predicates"),
    );
  else if (selection.isCutOff) limits.push(limit({ kind: "spread-too-long" }, "spreadPolicy"));
  if (mode.validatesWithoutClusters) return [...prepared.mistakes, ...limits];
  const { counts } = match;
  const passed = (counts[STAGE.tainted] ?? 0) + (counts[STAGE.softTainted] ?? 0) + (counts[STAGE.feasible] ?? 0);
  // Those with an unread score have passed the predicates that can be evaluated.
  const survivors = passed + match.unreadScores.size;
  const isMet = {
    Predicate: match.candidates > 0,
    TaintToleration: survivors > 0,
    "": true,
    DecisionGroup: true,
  };
  const met = prepared.mistakes.filter(({ plugin }) => isMet[plugin]);
  // Groups are cut in any case, their size first, and their mistakes are reported first.
  const ofGroups = met.filter(({ plugin }) => plugin === "DecisionGroup");
  const others = met.filter(({ plugin }) => plugin !== "DecisionGroup");
  return [...ofGroups.slice(0, 1), ...others.slice(0, 1), ...limits];
}

/**
 * Is a cluster selected that is in none of the sets that can be used, and may be in one that cannot? Nothing is decided then: a typo in a
 * set must not remove its clusters.
 */
function losesByBrokenSets({ hub, decided }: EvaluationInput, eligibility: Eligibility): boolean {
  if (eligibility.brokenSets.length === 0) return false;
  return decided.clusters.some((name) => {
    const cluster = hub.fleet.get(name)?.cluster;
    return cluster !== undefined && !cluster.terminating && !isEligible(eligibility, cluster);
  });
}
