// What should come of a Placement? An answer made in the plainest way, from the description of OCM alone; it shares nothing
// with the engine but the evaluation of expressions.

import { parseTimestamp, type Timestamp } from "../../src/cel/value/timestamp.ts";
import { CelError } from "../../src/cel/value/value.ts";
import { compareText } from "../../src/model/json.ts";
import type { ManagedCluster } from "../../src/model/managed-cluster.ts";
import type { Placement } from "../../src/model/placement.ts";
import type { Group, PlacementOutcome, Verdict } from "../../src/placement/placement-result.ts";
import {
  boundSets,
  decidedBefore,
  eligibleSets,
  isBrokenSet,
  isDecisionOf,
  isSoftTainted,
  isTolerated,
  membersOf,
  momentOf,
  nanosOf,
  type Situation,
  stayOrMoveOf,
  tolerationEnd,
} from "./placement-brute-force-filters.ts";
import { groupsOf } from "./placement-brute-force-groups.ts";
import { hasBrokenGroups, isMisconfigured } from "./placement-brute-force-mistakes.ts";
import { type Part, partsOf, prioritizersOf } from "./placement-brute-force-scores.ts";
import { isHard, type Picked, type Ranked, spreadOut } from "./placement-brute-force-spread.ts";

/** What is expected of one member of the eligible sets. */
export interface ExpectedCluster {
  readonly name: string;
  readonly verdict: Verdict;
  /** Without Spread. */
  readonly parts: readonly Part[];
  /** The part of Spread in the moment in which the cluster was picked. */
  readonly spread: number | undefined;
  readonly isSoftTainted: boolean;
}

/** What is expected of a Placement. */
export interface Expected {
  readonly state: PlacementOutcome;
  readonly selected: readonly string[];
  /** Nothing where OCM stops before it counts. */
  readonly unscheduled: number | undefined;
  readonly eligibleSets: readonly string[];
  /** Type, status and reason; nothing where OCM stops before it writes any. */
  readonly conditions: readonly (readonly [string, string, string])[] | undefined;
  /** Nothing where they are not made anew. */
  readonly groups: readonly Group[] | undefined;
  /** Nothing where no cluster is judged. */
  readonly clusters: readonly ExpectedCluster[] | undefined;
}

/** The answer to a Placement, whose turn comes when all those before it have decided and their decisions are written. */
export function bruteForce(situation: Situation, placement: Placement): Expected {
  return decide(whenItsTurnComes(situation, placement), placement);
}

/** The hub after the Placements with smaller keys have been decided, one after the other. */
function whenItsTurnComes(situation: Situation, placement: Placement): Situation {
  const keyOf = ({ namespace, name }: Placement): string => `${namespace}/${name}`;
  return situation.objects.placements
    .filter((other) => compareText(keyOf(other), keyOf(placement)) < 0)
    .sort((a, b) => compareText(keyOf(a), keyOf(b)))
    .reduce((hub, other) => withDecisionsOf(hub, other), situation);
}

/** The hub with the decisions of a Placement as it decides now. */
function withDecisionsOf(situation: Situation, placement: Placement): Situation {
  const { state, selected, groups } = decide(situation, placement);
  if (state === "ignored") return situation;
  const chosen =
    state === "kept"
      ? decidedBefore(situation, placement).filter((name) => selected.includes(name))
      : state === "placed"
        ? selected
        : (groups ?? []).flatMap(({ clusters }) => clusters);
  const { namespace, name, place } = placement;
  const labels = { "cluster.open-cluster-management.io/placement": name };
  const decisions = chosen.map((clusterName) => ({ clusterName, reason: "" }));
  const others = situation.objects.placementDecisions.filter((decision) => !isDecisionOf(decision, placement));
  const written = { place, namespace, name: "written", labels, decisions };
  return { ...situation, objects: { ...situation.objects, placementDecisions: [...others, written] } };
}

/** The answer to a Placement while the decisions of all others are what they are. */
function decide(situation: Situation, placement: Placement): Expected {
  const { mode } = situation;
  const sets = eligibleSets(situation, placement);
  const names = sets.map(({ name }) => name);
  if (isLeftAlone(placement)) {
    const selected = [...new Set(decidedBefore(situation, placement))].sort(compareText);
    return { ...NOTHING, state: "ignored", eligibleSets: names, selected };
  }
  const members = membersOf(situation, placement);
  const isLosing = lastGood(situation, placement).some((name) => !members.some((cluster) => cluster.name === name));
  if (sets.some(isBrokenSet) && (!mode.isolatesBrokenSets || isLosing)) {
    const selected = lastGood(situation, placement);
    return { ...NOTHING, state: "kept", eligibleSets: names, selected, unscheduled: undefined, conditions: undefined };
  }
  if (isMisconfigured(situation, placement)) {
    const selected = mode.keepsLastDecisions ? lastGood(situation, placement) : [];
    const state = mode.keepsLastDecisions ? "kept" : "emptied";
    const { numberOfClusters = 0 } = placement;
    const unscheduled = mode.keepsLastDecisions ? Math.max(0, numberOfClusters - selected.length) : 0;
    const conditions = conditionsOf(situation, placement, selected.length, unscheduled, true);
    return { ...NOTHING, state, eligibleSets: names, selected, unscheduled, conditions };
  }
  const choice = choose(situation, placement, members);
  const selected = choice.picked.map(({ name }) => name).sort(compareText);
  const unscheduled = (placement.numberOfClusters ?? selected.length) - selected.length;
  const isCut = !hasBrokenGroups(placement);
  return {
    state: isCut ? "placed" : "emptied",
    selected,
    unscheduled,
    eligibleSets: names,
    conditions: conditionsOf(situation, placement, selected.length, unscheduled, !isCut),
    groups: groupsOf(situation, placement, inOrder(situation, placement, choice, selected)),
    clusters: isCut ? members.map((cluster) => expectedOf(situation, placement, choice, cluster)) : undefined,
  };
}

const NOTHING = { selected: [], unscheduled: 0, conditions: [], groups: undefined, clusters: undefined };

/** Is scheduling disabled, or is it being deleted? */
function isLeftAlone({ terminating, annotations }: Placement): boolean {
  const annotation = "cluster.open-cluster-management.io/experimental-scheduling-disable";
  return terminating || new Map(Object.entries(annotations)).get(annotation) === "true";
}

/** What was decided before, without what is gone or going. */
function lastGood(situation: Situation, placement: Placement): readonly string[] {
  const decided = decidedBefore(situation, placement);
  return situation.objects.managedClusters
    .filter(({ name, terminating }) => !terminating && decided.includes(name))
    .map(({ name }) => name)
    .sort(compareText);
}

interface Choice {
  readonly feasible: readonly ManagedCluster[];
  readonly ranked: readonly Ranked[];
  readonly picked: readonly Picked[];
  readonly hasSpread: boolean;
}

function choose(situation: Situation, placement: Placement, members: readonly ManagedCluster[]): Choice {
  const feasible = members.filter((cluster) => stayOrMoveOf(situation, placement, cluster) === "feasible");
  const ranked = feasible
    .map((cluster) => ({
      cluster,
      score: sum(partsOf(situation, placement, cluster, feasible)),
      isSoftTainted: isSoftTainted(situation, placement, cluster),
    }))
    .sort(
      (a, b) =>
        Number(a.isSoftTainted) - Number(b.isSoftTainted) ||
        b.score - a.score ||
        compareText(a.cluster.name, b.cluster.name),
    );
  const number = Math.min(placement.numberOfClusters ?? ranked.length, ranked.length);
  const terms = situation.mode.spreads ? placement.spreadConstraints : [];
  const hasSpread = terms.length > 0 && (number < ranked.length || terms.some(isHard));
  const picked = hasSpread
    ? spreadOut(ranked, placement, spreadWeight(situation, placement), number)
    : ranked.slice(0, number).map(({ cluster }) => ({ name: cluster.name, spread: 0 }));
  return { feasible, ranked, picked, hasSpread };
}

function spreadWeight(situation: Situation, placement: Placement): number {
  return prioritizersOf(situation, placement).find(({ name }) => name === "Spread")?.weight ?? 0;
}

function sum(parts: readonly Part[]): number {
  return parts.reduce((total, { score, weight }) => total + score * weight, 0);
}

function expectedOf(
  situation: Situation,
  placement: Placement,
  { feasible, ranked, picked, hasSpread }: Choice,
  cluster: ManagedCluster,
): ExpectedCluster {
  const { name } = cluster;
  const one = ranked.find((other) => other.cluster === cluster);
  const pick = picked.find((other) => other.name === name);
  const fate = stayOrMoveOf(situation, placement, cluster);
  return {
    name,
    verdict: fate !== "feasible" ? fate : pick === undefined ? "left" : "selected",
    parts: one === undefined ? [] : partsOf(situation, placement, cluster, feasible),
    spread: hasSpread ? pick?.spread : undefined,
    isSoftTainted: one?.isSoftTainted ?? false,
  };
}

/** The selected clusters as they are to be decided: by name, or the highest score first. */
function inOrder(
  situation: Situation,
  placement: Placement,
  { ranked, picked, hasSpread }: Choice,
  selected: readonly string[],
): readonly string[] {
  if (!situation.mode.writesScores || placement.sortBy !== "Score") return selected;
  const weight = hasSpread ? spreadWeight(situation, placement) : 0;
  const scoreOf = (name: string): number =>
    (ranked.find(({ cluster }) => cluster.name === name)?.score ?? 0) +
    weight * (picked.find((one) => one.name === name)?.spread ?? 0);
  return [...selected].sort((a, b) => scoreOf(b) - scoreOf(a) || compareText(a, b));
}

/** Type, status and reason of both conditions (ocm.md §1.2): the first row that fits. */
function conditionsOf(
  situation: Situation,
  placement: Placement,
  selected: number,
  unscheduled: number,
  isWrong: boolean,
): Expected["conditions"] {
  const alive = membersOf(situation, placement).filter(({ terminating }) => !terminating);
  let reason = "AllDecisionsScheduled";
  if (boundSets(situation, placement).length === 0) reason = "NoManagedClusterSetBindings";
  else if (eligibleSets(situation, placement).length === 0) reason = "NoIntersection";
  else if (isWrong && situation.mode.keepsLastDecisions) reason = "Misconfigured";
  else if (alive.length === 0) reason = "AllManagedClusterSetsEmpty";
  else if (selected === 0) reason = "NoManagedClusterMatched";
  else if (unscheduled > 0) reason = "NotAllDecisionsScheduled";
  return [
    ["PlacementMisconfigured", isWrong ? "True" : "False", isWrong ? "Misconfigured" : "Succeedconfigured"],
    ["PlacementSatisfied", reason === "AllDecisionsScheduled" ? "True" : "False", reason],
  ];
}

/**
 * The first moment after now at which the answer is another one though those before it have decided as now, found by trying every
 * moment at which something ends.
 */
export function nextChange(situation: Situation, placement: Placement): Timestamp | undefined {
  const hub = whenItsTurnComes(situation, placement);
  const before = JSON.stringify(decide(hub, placement));
  return endsAfter(hub, placement)
    .map(momentOf)
    .find((moment) => JSON.stringify(decide({ ...hub, now: moment }, placement)) !== before);
}

/** The moments after now at which a taint is tolerated for the last time, or a score has expired, the first first. */
export function endsAfter(situation: Situation, placement: Placement): readonly bigint[] {
  const { objects, mode, now } = situation;
  const ends = new Set<bigint>();
  for (const taint of objects.managedClusters.flatMap(({ taints }) => taints)) {
    for (const toleration of placement.tolerations) {
      const end = tolerationEnd(mode, toleration, taint);
      const at = (moment: bigint) => isTolerated({ ...situation, now: momentOf(moment) }, placement, taint);
      if (end !== undefined && at(end - 1n) && !at(end)) ends.add(end);
    }
  }
  for (const { validUntil } of objects.addOnPlacementScores) {
    const end = validUntil === undefined ? undefined : parseTimestamp(validUntil);
    if (end !== undefined && !(end instanceof CelError)) ends.add(nanosOf(end) + 1n);
  }
  return [...ends].filter((end) => end > nanosOf(now)).sort((a, b) => (a < b ? -1 : 1));
}
