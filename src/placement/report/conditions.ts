// What does the status of a Placement say? OCM's two conditions (ocm.md §1.2), and one of ours. The messages are made by
// render/sentence/placement-status.ts.
import type { Evaluation } from "../evaluation.ts";
import { STAGE } from "../filter/filter-cluster.ts";
import type {
  ConditionMessage,
  Failure,
  FirstFaults,
  Mistake,
  PlacementCondition,
  PlacementResult,
  UnreadScoresFound,
} from "../placement-result.ts";

/** What the conditions are about. */
export interface ConditionFacts extends Omit<PlacementResult, "conditions" | "warnings" | "unusableSets" | "wakeAt"> {
  readonly evaluation: Evaluation;
  /** The first clusters that could not be evaluated. */
  readonly failures: readonly Failure[];
  /** The names of the first selected clusters that could not be read. */
  readonly unread: readonly string[];
  readonly unreadScores: UnreadScoresFound;
}

/** The conditions of a Placement. */
export function conditionsOf(facts: ConditionFacts): readonly PlacementCondition[] {
  if (facts.state === "ignored") return [];
  const conditions = [misconfigured(facts), satisfied(facts)];
  if (!facts.evaluation.input.hub.mode.extendedStatus) return conditions;
  const { generation } = facts.placement;
  return [...conditions, evaluated(facts)].map((condition) =>
    generation === 0 ? condition : { ...condition, observedGeneration: generation },
  );
}

/** A condition that is false. */
function isFalse(type: PlacementCondition["type"]): (reason: string, message: ConditionMessage) => PlacementCondition {
  return (reason, message) => ({ type, status: "False", reason, message });
}

function satisfied(facts: ConditionFacts): PlacementCondition {
  const type = "PlacementSatisfied";
  const no = isFalse(type);
  const { evaluation, placement, eligibleSets, unscheduled, mistakes } = facts;
  const { selected, tainted } = facts.tally;
  const { candidates } = evaluation.match;
  const { extendedStatus } = evaluation.input.hub.mode;
  const withheld = evaluation.match.counts[STAGE.withheld] ?? 0;
  const isUnread = evaluation.eligibility.unreadable.length > 0;
  if (!isUnread && evaluation.eligibility.bound.length === 0)
    return no("NoManagedClusterSetBindings", { kind: "no-bindings" });
  if (!isUnread && eligibleSets.length === 0)
    return no("NoIntersection", { kind: "no-intersection", sets: placement.clusterSets });
  if (facts.state === "kept")
    return no(mistakes.some(isMisconfiguration) ? "Misconfigured" : "Undecided", {
      kind: "kept",
      count: selected,
      faults: firstFaults(mistakes),
    });
  if (candidates === 0) return no("AllManagedClusterSetsEmpty", { kind: "empty-sets", sets: eligibleSets });
  const taints = extendedStatus && tainted > 0 ? { taints: { tainted, candidates } } : {};
  if (selected === 0) {
    if (extendedStatus && placement.numberOfClusters === 0)
      return no("NoManagedClusterMatched", { kind: "none-asked-for" });
    // OCM reports that no predicate matches, for any cause.
    const isLeft = extendedStatus && (placement.predicates.length === 0 || tainted + withheld > 0);
    return no("NoManagedClusterMatched", { kind: "no-match", isLeft, ...taints });
  }
  if (unscheduled === 0)
    return { type, status: "True", reason: "AllDecisionsScheduled", message: { kind: "scheduled" } };
  return no("NotAllDecisionsScheduled", { kind: "unscheduled", count: unscheduled, ...taints });
}

function misconfigured({ mistakes, evaluation }: ConditionFacts): PlacementCondition {
  const type = "PlacementMisconfigured";
  const wrong = mistakes.filter(isMisconfiguration);
  const [first] = wrong;
  if (first === undefined)
    return { type, status: "False", reason: "Succeedconfigured", message: { kind: "configured" } };
  const message: ConditionMessage = evaluation.input.hub.mode.extendedStatus
    ? { kind: "faults", faults: firstFaults(wrong) }
    : { kind: "ocm-mistake", plugin: first.plugin, fault: first.fault };
  return { type, status: "True", reason: "Misconfigured", message };
}

/** Is something wrong with the Placement or its sets, and not with a limit, or with what could be read? */
function isMisconfiguration({ isLimit, fault }: Mistake): boolean {
  return isLimit !== true && fault.kind !== "unread-set";
}

/** Could every cluster be evaluated, and every set be read? */
function evaluated(facts: ConditionFacts): PlacementCondition {
  const { evaluation, state, brokenSets, failures, mistakes } = facts;
  const { failed } = facts.tally;
  const { counts } = evaluation.match;
  const { unreadScores } = facts;
  const unread = (counts[STAGE.unread] ?? 0) + (counts[STAGE.withheld] ?? 0);
  const type = "PlacementEvaluated";
  const no = isFalse(type);
  const limits = mistakes.filter(({ isLimit }) => isLimit === true);
  if (limits.length > 0) return no("CostLimit", { kind: "faults", faults: firstFaults(limits) });
  if (state !== "placed") {
    const unread = mistakes.filter(({ fault }) => fault.kind === "unread-set");
    if (unread.length > 0) return no("UnreadInput", { kind: "faults", faults: firstFaults(unread) });
    const isOfSets = mistakes.length > 0 && mistakes.every(({ fault }) => fault.kind === "broken-set");
    return no(isOfSets ? "InvalidClusterSets" : "Misconfigured", { kind: "not-evaluated" });
  }
  if (brokenSets.length + failed + unread === 0)
    return { type, status: "True", reason: "AllClustersEvaluated", message: { kind: "evaluated" } };
  return no(brokenSets.length > 0 ? "InvalidClusterSets" : failed > 0 ? "ClusterErrors" : "UnreadClusters", {
    kind: "problems",
    ...(brokenSets.length > 0 && { brokenSets: firstFaults(brokenSets) }),
    failed: { count: failed, first: failures },
    unread: { count: unread - unreadScores.clusters, first: facts.unread },
    ...(unreadScores.clusters > 0 && { unreadScores }),
  });
}

/** How many faults a message lists. */
const MAX_REPORTED = 5;

function firstFaults(mistakes: readonly Mistake[]): FirstFaults {
  const first = mistakes.slice(0, MAX_REPORTED).map(({ fault }) => fault);
  return { first, more: mistakes.length - first.length };
}
