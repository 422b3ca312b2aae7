// What is the answer to a Placement, made of what was worked out?
import type { Timestamp } from "../../cel/value/timestamp.ts";
import { inside, plainPlace } from "../../model/place.ts";
import type { Placement } from "../../model/placement.ts";
import { type Decisions, decisionsOf } from "../decide/result-decisions.ts";
import type { Eligibility } from "../eligible/eligibility.ts";
import type { UnreadCluster } from "../eligible/unread.ts";
import type { EvaluationInput } from "../evaluation.ts";
import type { Fault } from "../fault.ts";
import { checksOf } from "../filter/cluster-checks.ts";
import { STAGE } from "../filter/judge.ts";
import type { MatchState } from "../filter/match-state.ts";
import { earlier } from "../filter/taint-toleration.ts";
import type { FleetCluster } from "../fleet.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { CelCheck, Failure, Mistake, PlacementOutcome, PlacementResult, Tally } from "../placement-result.ts";
import { conditionsOf } from "./conditions.ts";

/** How many clusters that could not be judged, or not be read, a condition names. */
const MAX_FAILURES = 3;
/** How many clusters that could not be read are named in warnings. */
const MAX_UNREAD = 100;
/** How many clusters with expired scores a warning names. */
const MAX_EXPIRED = 10;

/** An answer, and its clusters: long lists, which are made when they are asked for, as they were at the moment of the answer. */
export interface Answer {
  readonly result: PlacementResult;
  readonly decisions: Decisions;
}

/** The answer to a Placement. */
export function composeAnswer(input: EvaluationInput): Answer {
  const { placement, world, evaluation, isIgnored } = input;
  const { prepared, eligibility, match } = evaluation;
  const { mode } = world;
  const mistakes = isIgnored ? [] : mistakesOf(input);
  const state: PlacementOutcome = isIgnored
    ? "ignored"
    : mistakes.length === 0
      ? "placed"
      : mode.keepsLastDecisions ||
          isStopped(eligibility, mode) ||
          eligibility.unreadable.length > 0 ||
          mistakes.some(({ isLimit }) => isLimit)
        ? "kept"
        : "emptied";
  const isUngrouped = state === "emptied" && mistakes[0]?.plugin === "DecisionGroup";
  // With nothing else wrong, OCM still counts the selection that it cannot group.
  const isCounted = isUngrouped && mistakes.length === 1;
  const decisions = decisionsOf(input, state, isUngrouped, isCounted);
  const selected = decisions.count;
  const count = placement.numberOfClusters ?? 0;
  const unscheduled = state === "placed" || state === "kept" || isCounted ? Math.max(0, count - selected) : 0;
  const eligibleSets = eligibility.sets.map(({ set }) => set.name);
  const failed = match.counts[STAGE.failed] ?? 0;
  const wakesAt = mistakes.every(({ isLimit }) => isLimit === true) && !isIgnored ? wakeAt(input) : undefined;
  const result: PlacementResult = {
    placement: plainPlacement(placement),
    state,
    mistakes,
    brokenSets: eligibility.brokenSets,
    warnings: [
      ...prepared.warnings,
      ...(isIgnored ? [] : unusableSets(input)),
      ...unreadWarnings(input, state),
      ...(state === "placed" || isCounted ? [...expiredScores(input), ...limitedClusters(input)] : []),
    ],
    eligibleSets,
    unusableSets: eligibility.unusable,
    unscheduled,
    tally: tallyOf(match, state, selected),
    conditions: conditionsOf({
      placement,
      mode,
      state,
      mistakes,
      brokenSets: eligibility.brokenSets,
      bound: eligibility.bound.length,
      eligibleSets,
      candidates: match.candidates,
      selected,
      unscheduled,
      tainted: state === "placed" ? (match.counts[STAGE.tainted] ?? 0) : 0,
      failed: state === "placed" ? failed : 0,
      failures: state === "placed" && mode.extendedStatus && failed > 0 ? failuresOf(input) : [],
      unread: state === "placed" ? (match.counts[STAGE.unread] ?? 0) : 0,
      unreadNames: unreadClusters(input, MAX_FAILURES).map(({ cluster }) => cluster.name),
    }),
    ...(wakesAt !== undefined && { wakeAt: wakesAt.toString() }),
  };
  return { result, decisions };
}

const PLAIN_PLACEMENTS = new WeakMap<Placement, Placement>();

/** The Placement as an answer carries it: without keys that have no value. Made once, however often it is answered. */
function plainPlacement(placement: Placement): Placement {
  let plain = PLAIN_PLACEMENTS.get(placement);
  if (plain === undefined) {
    plain = plainData({ ...placement, place: plainPlace(placement.place) }) as Placement;
    PLAIN_PLACEMENTS.set(placement, plain);
  }
  return plain;
}

function plainData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainData);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, plainData(one)]])),
  );
}

/** Does a set that cannot be read stop the Placement, as in OCM? */
export function isStopped({ brokenSets }: Eligibility, mode: PlacementMode): boolean {
  return brokenSets.length > 0 && !mode.isolatesBrokenSets;
}

/** Why nothing can be decided. OCM meets one mistake at a time, and only as far as clusters have got. */
function mistakesOf({ placement, world, evaluation }: EvaluationInput): readonly Mistake[] {
  const { prepared, eligibility, match, selection } = evaluation;
  const { mode, placementCostLimit } = world;
  if (isStopped(eligibility, mode)) return eligibility.brokenSets.slice(0, 1);
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
  if (mode.judgesWithoutClusters) return [...prepared.mistakes, ...limits];
  const { counts } = match;
  const survivors = (counts[STAGE.tainted] ?? 0) + (counts[STAGE.softTainted] ?? 0) + (counts[STAGE.feasible] ?? 0);
  const isMet = {
    Predicate: match.candidates > 0,
    TaintToleration: survivors > 0,
    "": true,
    DecisionGroup: true,
  };
  const met = prepared.mistakes.filter(({ plugin }) => isMet[plugin]);
  // Groups are cut in any case, their size first, and what is wrong with them is what is told.
  const ofGroups = met.filter(({ plugin }) => plugin === "DecisionGroup");
  const others = met.filter(({ plugin }) => plugin !== "DecisionGroup");
  return [...ofGroups.slice(0, 1), ...others.slice(0, 1), ...limits];
}

function wakeAt({ world, evaluation, decided }: EvaluationInput): Timestamp | undefined {
  const { mode, fleet } = world;
  const { tolerationEnds, scoreEnds } = evaluation.match;
  if (mode.extendedStatus) return earlier(tolerationEnds.earliest, scoreEnds.earliest);
  return tolerationEnds.earliestOf((slot) => decided.has(fleet.nameOf(slot)));
}

function failuresOf({ world, evaluation }: EvaluationInput): readonly Failure[] {
  const { judging, match, eligibility } = evaluation;
  const failures: Failure[] = [];
  for (const slot of world.fleet.order) {
    if (match.stage[slot] !== STAGE.failed) continue;
    const entry = world.fleet.at(slot) as FleetCluster;
    const error = checksOf(entry, judging, eligibility, { isBrief: true }).find(
      (check): check is CelCheck => check.kind === "cel" && check.outcome === "error",
    );
    if (error?.detail === undefined) continue;
    const { predicate = 0, index, detail } = error;
    failures.push({ cluster: entry.cluster.name, predicate, index, detail });
    if (failures.length === MAX_FAILURES) break;
  }
  return failures;
}

/** Sets that are asked for in vain. */
function unusableSets({ placement, evaluation }: EvaluationInput): readonly Mistake[] {
  const { namespace, clusterSets, place } = placement;
  return evaluation.eligibility.unusable.map((set) => ({
    fault: { kind: "unusable-set", set, namespace },
    place: inside(place, "spec", "clusterSets", clusterSets.indexOf(set.name)),
    plugin: "",
  }));
}

/** Clusters that were selected before and cannot be read now, by name. */
function unreadClusters(
  { world: { fleet }, evaluation: { match } }: EvaluationInput,
  most: number,
): readonly FleetCluster[] {
  if ((match.counts[STAGE.unread] ?? 0) === 0) return [];
  return fleet.order
    .filter((slot) => match.stage[slot] === STAGE.unread)
    .slice(0, most)
    .map((slot) => fleet.at(slot) as FleetCluster);
}

/** Which of them stay; where everything is taken back or left alone, it does not matter what could be read. */
function unreadWarnings(input: EvaluationInput, state: PlacementOutcome): readonly Mistake[] {
  if (state === "ignored" || state === "emptied") return [];
  const { selection } = input.evaluation;
  return unreadClusters(input, MAX_UNREAD).map(({ slot, unread }): Mistake => {
    const { name, place, isSupposed } = unread as UnreadCluster;
    const stays = state === "kept" || selection.isChosen(slot);
    const fault: Fault = { kind: "unread-cluster", name, isSupposed, stays };
    return { fault, place: plainPlace(place), plugin: "", isUnread: true };
  });
}

function limitedClusters({ placement, evaluation }: EvaluationInput): readonly Mistake[] {
  const { size } = evaluation.match.limited;
  if (size === 0) return [];
  const fault: Fault = { kind: "stopped-expressions", clusters: size };
  return [{ fault, place: inside(placement.place, "spec", "predicates"), plugin: "Predicate", isLimit: true }];
}

function expiredScores({ placement, world, evaluation }: EvaluationInput): readonly Mistake[] {
  const { fleet } = world;
  const { match, scoring } = evaluation;
  if (match.expired.size === 0) return [];
  const slots = [...match.expired].sort((a, b) => (fleet.rank[a] as number) - (fleet.rank[b] as number));
  const names = slots.slice(0, MAX_EXPIRED).flatMap((slot) => {
    const entry = fleet.at(slot) as FleetCluster;
    return scoring.expired(entry).map((resource) => `${entry.cluster.name}/${resource}`);
  });
  const first = evaluation.prepared.prioritizers.find(({ kind }) => kind === "AddOn");
  const fault: Fault = { kind: "expired-scores", scores: names, more: slots.length > MAX_EXPIRED };
  return [{ fault, place: first?.place ?? plainPlace(placement.place), plugin: "" }];
}

function tallyOf(match: MatchState, state: PlacementOutcome, selected: number): Tally {
  const { counts } = match;
  const of = (got: number): number => counts[got] ?? 0;
  if (state === "placed") {
    return {
      terminating: of(STAGE.terminating),
      unmatched: of(STAGE.unmatched),
      failed: of(STAGE.failed),
      tainted: of(STAGE.tainted),
      left: match.feasibleCount - selected,
      selected,
    };
  }
  const members = counts.reduce((sum, count) => sum + count, 0);
  const left = Math.max(0, members - of(STAGE.terminating) - selected);
  return { terminating: of(STAGE.terminating), unmatched: 0, failed: 0, tainted: 0, left, selected };
}
