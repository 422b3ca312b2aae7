// What does the status of a Placement say? OCM's two conditions (ocm.md §1.2), and one of ours. The messages are made by
// render/sentence/placement-status.ts.
import type { Placement } from "../../model/placement.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type {
  ConditionMessage,
  Failure,
  FirstFaults,
  Mistake,
  PlacementCondition,
  PlacementOutcome,
} from "../placement-result.ts";

/** What the conditions are about. */
export interface ConditionFacts {
  readonly placement: Placement;
  readonly mode: PlacementMode;
  readonly state: PlacementOutcome;
  readonly mistakes: readonly Mistake[];
  readonly brokenSets: readonly Mistake[];
  /** How many sets are bound to the namespace. */
  readonly bound: number;
  readonly eligibleSets: readonly string[];
  /** How many clusters the eligible sets have, without those that are being deleted. */
  readonly candidates: number;
  readonly selected: number;
  readonly unscheduled: number;
  /** How many clusters are rejected by taints. */
  readonly tainted: number;
  /** How many clusters could not be judged, and the first of them. */
  readonly failed: number;
  readonly failures: readonly Failure[];
  /** How many selected clusters could not be read, and the names of the first of them. */
  readonly unread: number;
  readonly unreadNames: readonly string[];
}

/** The conditions of a Placement. */
export function conditionsOf(facts: ConditionFacts): readonly PlacementCondition[] {
  if (facts.state === "ignored") return [];
  const conditions = [misconfigured(facts), satisfied(facts)];
  if (!facts.mode.extendedStatus) return conditions;
  const { generation } = facts.placement;
  return [...conditions, evaluated(facts)].map((condition) =>
    generation === 0 ? condition : { ...condition, observedGeneration: generation },
  );
}

function satisfied(facts: ConditionFacts): PlacementCondition {
  const type = "PlacementSatisfied";
  const no = (reason: string, message: ConditionMessage): PlacementCondition => {
    return { type, status: "False", reason, message };
  };
  const { placement, eligibleSets, unscheduled, mistakes, selected, mode, tainted, candidates } = facts;
  if (facts.bound === 0) return no("NoManagedClusterSetBindings", { kind: "no-bindings" });
  if (eligibleSets.length === 0) return no("NoIntersection", { kind: "no-intersection", sets: placement.clusterSets });
  if (facts.state === "kept")
    return no(mistakes.some(({ isLimit }) => isLimit !== true) ? "Misconfigured" : "Undecided", {
      kind: "kept",
      count: selected,
      faults: firstFaults(mistakes),
    });
  if (candidates === 0) return no("AllManagedClusterSetsEmpty", { kind: "empty-sets", sets: eligibleSets });
  const taints = mode.extendedStatus && tainted > 0 ? { taints: { tainted, candidates } } : {};
  if (selected === 0) {
    if (mode.extendedStatus && placement.numberOfClusters === 0)
      return no("NoManagedClusterMatched", { kind: "none-asked-for" });
    // OCM says that no predicate matches, whatever the cause.
    const isLeft = mode.extendedStatus && (placement.predicates.length === 0 || tainted > 0);
    return no("NoManagedClusterMatched", { kind: "no-match", isLeft, ...taints });
  }
  if (unscheduled === 0)
    return { type, status: "True", reason: "AllDecisionsScheduled", message: { kind: "scheduled" } };
  return no("NotAllDecisionsScheduled", { kind: "unscheduled", count: unscheduled, ...taints });
}

function misconfigured({ mistakes, mode }: ConditionFacts): PlacementCondition {
  const type = "PlacementMisconfigured";
  const wrong = mistakes.filter(({ isLimit }) => isLimit !== true);
  const [first] = wrong;
  if (first === undefined)
    return { type, status: "False", reason: "Succeedconfigured", message: { kind: "configured" } };
  const message: ConditionMessage = mode.extendedStatus
    ? { kind: "faults", faults: firstFaults(wrong) }
    : { kind: "ocm-mistake", plugin: first.plugin, fault: first.fault };
  return { type, status: "True", reason: "Misconfigured", message };
}

/** Could every cluster be judged, and every set be read? */
function evaluated(facts: ConditionFacts): PlacementCondition {
  const { state, brokenSets, failed, failures, mistakes, unread, unreadNames } = facts;
  const type = "PlacementEvaluated";
  const no = (reason: string, message: ConditionMessage): PlacementCondition => {
    return { type, status: "False", reason, message };
  };
  const limits = mistakes.filter(({ isLimit }) => isLimit === true);
  if (limits.length > 0) return no("CostLimit", { kind: "faults", faults: firstFaults(limits) });
  if (state !== "placed") return no("Misconfigured", { kind: "not-evaluated" });
  if (brokenSets.length + failed + unread === 0)
    return { type, status: "True", reason: "EveryClusterJudged", message: { kind: "evaluated" } };
  return no(brokenSets.length > 0 ? "InvalidClusterSets" : failed > 0 ? "ClusterErrors" : "UnreadClusters", {
    kind: "problems",
    ...(brokenSets.length > 0 && { brokenSets: firstFaults(brokenSets) }),
    failed: { count: failed, first: failures },
    unread: { count: unread, first: unreadNames },
  });
}

/** How many faults a message lists. */
const MAX_REPORTED = 5;

function firstFaults(mistakes: readonly Mistake[]): FirstFaults {
  const first = mistakes.slice(0, MAX_REPORTED).map(({ fault }) => fault);
  return { first, more: mistakes.length - first.length };
}
