// What does the status of a Placement say? OCM's two conditions, in its words (ocm.md §1.2), and one of ours.
import type { Condition } from "../../model/condition.ts";
import type { Placement } from "../../model/placement.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { Mistake, PlacementOutcome } from "../placement-result.ts";
import { shortened } from "../prepare/selector.ts";

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
  /** How many clusters the eligible sets have, without those that are on their way out. */
  readonly candidates: number;
  readonly selected: number;
  readonly unscheduled: number;
  /** How many clusters are kept away by taints. */
  readonly tainted: number;
  /** How many clusters could not be judged, and what was said of the first of them. */
  readonly failed: number;
  readonly failures: readonly string[];
  /** How many clusters that were selected could not be read, and the names of the first of them. */
  readonly unread: number;
  readonly unreadNames: readonly string[];
}

/** The conditions of a Placement. */
export function conditionsOf(facts: ConditionFacts): readonly Condition[] {
  if (facts.state === "ignored") return [];
  const conditions = [misconfigured(facts), satisfied(facts)];
  if (!facts.mode.extendedStatus) return conditions;
  const { generation } = facts.placement;
  return [...conditions, evaluated(facts)].map((condition) =>
    generation === 0 ? condition : { ...condition, observedGeneration: generation },
  );
}

function satisfied(facts: ConditionFacts): Condition {
  const type = "PlacementSatisfied";
  const no = (reason: string, message: string): Condition => ({ type, status: "False", reason, message });
  const { placement, eligibleSets, unscheduled, mistakes } = facts;
  if (facts.bound === 0)
    return no("NoManagedClusterSetBindings", "No valid ManagedClusterSetBindings found in placement namespace");
  if (eligibleSets.length === 0)
    return no(
      "NoIntersection",
      `None of ManagedClusterSets [${namesOf(placement.clusterSets)}] is bound to placement namespace`,
    );
  if (facts.state === "kept")
    return no(
      mistakes.some(({ isLimit }) => isLimit !== true) ? "Misconfigured" : "Undecided",
      `${facts.selected} cluster decisions are kept as they were: ${told(mistakes)}`,
    );
  if (facts.candidates === 0)
    return no(
      "AllManagedClusterSetsEmpty",
      `All ManagedClusterSets [${namesOf(eligibleSets)}] have no member ManagedCluster`,
    );
  if (facts.selected === 0) return no("NoManagedClusterMatched", whyNone(facts));
  if (unscheduled === 0)
    return { type, status: "True", reason: "AllDecisionsScheduled", message: "All cluster decisions scheduled" };
  const more = facts.mode.extendedStatus && facts.tainted > 0 ? `; ${taintedText(facts)}` : "";
  return no("NotAllDecisionsScheduled", `${unscheduled} cluster decisions unscheduled${more}`);
}

/** OCM says that no predicate matches, whatever the cause. */
function whyNone({ placement, mode, ...facts }: ConditionFacts): string {
  if (!mode.extendedStatus) return "No ManagedCluster matches any of the cluster predicate";
  if (placement.numberOfClusters === 0) return "No ManagedCluster is asked for";
  const isFree = placement.predicates.length === 0;
  const none = isFree ? "No ManagedCluster is left" : "No ManagedCluster matches any of the cluster predicate";
  return facts.tainted === 0 ? none : `${isFree ? none : "No ManagedCluster is left"}: ${taintedText(facts)}`;
}

function taintedText({ tainted, candidates }: Pick<ConditionFacts, "tainted" | "candidates">): string {
  return `${tainted} of ${candidates} ManagedClusters ${tainted === 1 ? "is" : "are"} rejected by taints`;
}

function misconfigured({ mistakes, mode }: ConditionFacts): Condition {
  const type = "PlacementMisconfigured";
  const wrong = mistakes.filter(({ isLimit }) => isLimit !== true);
  const [first] = wrong;
  if (first === undefined)
    return { type, status: "False", reason: "Succeedconfigured", message: "Placement configurations check pass" };
  const message = mode.extendedStatus
    ? told(wrong)
    : `${first.plugin === "DecisionGroup" ? "" : first.plugin}:${first.message}`;
  return { type, status: "True", reason: "Misconfigured", message };
}

/** Could every cluster be judged, and every set be read? */
function evaluated(facts: ConditionFacts): Condition {
  const { state, brokenSets, failed, failures, mistakes, unread, unreadNames } = facts;
  const type = "PlacementEvaluated";
  const limits = mistakes.filter(({ isLimit }) => isLimit === true);
  if (limits.length > 0) return { type, status: "False", reason: "CostLimit", message: told(limits) };
  if (state !== "placed") return { type, status: "False", reason: "Misconfigured", message: "no cluster was judged" };
  const some = (count: number, what: string, first: readonly string[]): readonly string[] =>
    count === 0
      ? []
      : [
          `${count} ${count === 1 ? "cluster" : "clusters"} ${what}: ${first.join("; ")}${count > first.length ? "; …" : ""}`,
        ];
  const errors = some(failed, "could not be judged", failures);
  const lost = some(unread, "could not be read", unreadNames);
  const no = (reason: string, parts: readonly string[]): Condition => {
    return { type, status: "False", reason, message: parts.join("; ") };
  };
  if (brokenSets.length > 0) return no("InvalidClusterSets", [told(brokenSets), ...errors, ...lost]);
  if (failed > 0) return no("ClusterErrors", [...errors, ...lost]);
  if (unread > 0) return no("UnreadClusters", lost);
  return { type, status: "True", reason: "EveryClusterJudged", message: "every cluster was judged without an error" };
}

/** So many names of sets are told. */
const MAX_NAMES = 100;

function namesOf(sets: readonly string[]): string {
  const first = sets.slice(0, MAX_NAMES).map((name) => shortened(name, 253));
  return [...first, ...(sets.length > MAX_NAMES ? ["…"] : [])].join(",");
}

/** A status has room for so many. */
const MAX_REPORTED = 5;

function told(mistakes: readonly Mistake[]): string {
  const more = mistakes.length > MAX_REPORTED ? [`and ${mistakes.length - MAX_REPORTED} more`] : [];
  const first = mistakes
    .slice(0, MAX_REPORTED)
    .map(({ message, hint }) => (hint === undefined ? message : `${message}: ${hint}`));
  return [...first, ...more].join("; ");
}
