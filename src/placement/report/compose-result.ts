// What is the result of a Placement, made of its evaluation?
import type { Timestamp } from "../../cel/value/timestamp.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { inside, type Place, plainPlace } from "../../model/place.ts";
import type { Placement } from "../../model/placement.ts";
import type { Outcome } from "../decide/outcome.ts";
import type { UnreadCluster } from "../eligible/unread.ts";
import { type Evaluation, scoresFor } from "../evaluation.ts";
import type { Fault } from "../fault.ts";
import { STAGE } from "../filter/filter-cluster.ts";
import type { MatchState } from "../filter/match-state.ts";
import { earlier } from "../filter/taint-toleration.ts";
import type { Fleet, FleetCluster } from "../fleet.ts";
import type {
  CelCheck,
  Failure,
  Mistake,
  PlacementOutcome,
  PlacementResult,
  Tally,
  UnreadScoresFound,
} from "../placement-result.ts";
import { identityOf } from "../score/unread-scores.ts";
import { checksOf } from "./cluster-checks.ts";
import { conditionsOf } from "./conditions.ts";

/** How many clusters that could not be evaluated, or not be read, a condition names. */
const MAX_FAILURES = 3;
/** How many clusters that could not be read are named in warnings. */
const MAX_UNREAD = 100;
/** How many clusters with expired scores a warning names. */
const MAX_EXPIRED = 10;

/** Step 9: the result, of which `selected` clusters are in the decisions. */
export function composeResult(evaluation: Evaluation, outcome: Outcome, selected: number): PlacementResult {
  const { input, prepared, eligibility, match } = evaluation;
  const { placement, hub } = input;
  const { state, mistakes, isCounted } = outcome;
  const count = placement.numberOfClusters ?? 0;
  const unscheduled = state === "placed" || state === "kept" || isCounted ? Math.max(0, count - selected) : 0;
  const isIgnored = state === "ignored";
  const wakesAt = mistakes.every(({ isLimit }) => isLimit === true) && !isIgnored ? wakeAt(evaluation) : undefined;
  const unreadSlots = unreadSlotsOf(evaluation);
  const result = {
    placement: plainPlacement(placement),
    state,
    mistakes,
    brokenSets: eligibility.brokenSets,
    warnings: [
      ...prepared.warnings,
      ...(isIgnored ? [] : unusableSets(evaluation)),
      ...unreadWarnings(evaluation, unreadSlots, state),
      ...(state === "placed" || isCounted ? [...expiredScores(evaluation), ...limitedClusters(evaluation)] : []),
    ],
    eligibleSets: eligibility.sets.map(({ set }) => set.name),
    unusableSets: eligibility.unusable,
    unscheduled,
    tally: tallyOf(match, state, selected),
  };
  const failures = hub.mode.extendedStatus && result.tally.failed > 0 ? failuresOf(evaluation) : [];
  const unread = unreadSlots.flatMap((slot) => hub.fleet.at(slot)?.unread?.name ?? []);
  const unreadScores = unreadScoresOf(match, unreadSlots);
  return {
    ...result,
    conditions: conditionsOf({
      ...result,
      ...{ evaluation, failures, unread: unread.slice(0, MAX_FAILURES), unreadScores },
    }),
    ...(wakesAt !== undefined && { wakeAt: wakesAt.toString() }),
  };
}

const PLAIN_PLACEMENTS = new WeakMap<Placement, Placement>();

/** The Placement as an answer carries it: without keys that have no value. Made once, however often it is answered. */
function plainPlacement(placement: Placement): Placement {
  const make = (): Placement => plainData({ ...placement, place: plainPlace(placement.place) }) as Placement;
  return getOrAdd(PLAIN_PLACEMENTS, placement, make);
}

function plainData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainData);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, plainData(one)]])),
  );
}

function wakeAt({ input: { hub, decided }, match }: Evaluation): Timestamp | undefined {
  const { mode, fleet } = hub;
  const { tolerationEnds, scoreEnds } = match;
  if (mode.extendedStatus) return earlier(tolerationEnds.earliest, scoreEnds.earliest);
  return tolerationEnds.earliestOf((slot) => decided.has(fleet.nameOf(slot)));
}

function failuresOf(evaluation: Evaluation): readonly Failure[] {
  const { fleet } = evaluation.input.hub;
  const failures: Failure[] = [];
  for (const slot of fleet.order) {
    if (evaluation.match.stage[slot] !== STAGE.failed) continue;
    const entry = fleet.at(slot) as FleetCluster;
    const error = checksOf(entry, evaluation, { isBrief: true }).find(
      (check): check is CelCheck => check.kind === "cel" && check.outcome === "error",
    );
    if (error?.detail === undefined) continue;
    const { predicate = 0, index, detail } = error;
    failures.push({ cluster: entry.cluster.name, predicate, index, detail });
    if (failures.length === MAX_FAILURES) break;
  }
  return failures;
}

/** Sets that are asked for and cannot be used. */
function unusableSets({ input, eligibility }: Evaluation): readonly Mistake[] {
  const { namespace, clusterSets, place } = input.placement;
  return eligibility.unusable.map((set) => ({
    fault: { kind: "unusable-set", set, namespace },
    place: inside(place, "spec", "clusterSets", clusterSets.indexOf(set.name)),
    plugin: "",
  }));
}

/** Clusters that were selected before and cannot be read now, and those with a score that cannot be read, by name. */
function unreadSlotsOf({ input, match }: Evaluation): readonly number[] {
  if ((match.counts[STAGE.unread] ?? 0) + match.unreadScores.size === 0) return [];
  return input.hub.fleet.order.filter((slot) => match.stage[slot] === STAGE.unread || match.unreadScores.has(slot));
}

function unreadScoresOf({ unreadScores }: MatchState, slots: readonly number[]): UnreadScoresFound {
  const scores = [...new Set(slots.flatMap((slot) => unreadScores.get(slot) ?? []))];
  const first = scores.slice(0, MAX_FAILURES).map(identityOf);
  return { clusters: unreadScores.size, first, more: scores.length > first.length };
}

/**
 * Which of them stay; where everything is taken back or left alone, it does not matter what could be read. If no cluster at
 * all could be read, that is why nothing is decided.
 */
function unreadWarnings(evaluation: Evaluation, slots: readonly number[], state: PlacementOutcome): readonly Mistake[] {
  if (state === "ignored" || state === "emptied") return [];
  const { selection, input, match } = evaluation;
  const { hub, decided } = input;
  if (hub.isFleetUnread) return [];
  return slots.slice(0, MAX_UNREAD).map((slot): Mistake => {
    const cluster = hub.fleet.nameOf(slot);
    const stays = decided.has(cluster) && (state === "kept" || selection.isSelected(slot));
    const score = match.unreadScores.get(slot);
    if (score !== undefined) {
      const then = stays ? "stays" : decided.has(cluster) ? "no-room" : "withheld";
      return unreadMistake({ kind: "unread-score", score: identityOf(score), cluster, then }, score.place);
    }
    const { name, place, isSupposed } = (hub.fleet.at(slot) as FleetCluster).unread as UnreadCluster;
    return unreadMistake({ kind: "unread-cluster", name, isSupposed, stays }, place);
  });
}

function unreadMistake(fault: Fault, place: Place): Mistake {
  return { fault, place: plainPlace(place), plugin: "", isUnread: true };
}

function limitedClusters({ input: { placement }, match }: Evaluation): readonly Mistake[] {
  const { size } = match.limited;
  if (size === 0) return [];
  const fault: Fault = { kind: "stopped-expressions", clusters: size };
  return [{ fault, place: inside(placement.place, "spec", "predicates"), plugin: "Predicate", isLimit: true }];
}

function expiredScores({ input, prepared, match }: Evaluation): readonly Mistake[] {
  const { placement, hub } = input;
  if (match.expired.size === 0) return [];
  const addOns = prepared.prioritizers.filter((one) => one.kind === "AddOn");
  const scores: string[] = [];
  for (const slot of firstByName(match.expired, hub.fleet)) {
    const name = hub.fleet.nameOf(slot);
    for (const { resourceName } of addOns)
      if (scoresFor(input, name).isOver(name, resourceName)) scores.push(`${name}/${resourceName}`);
  }
  const fault: Fault = { kind: "expired-scores", scores, more: match.expired.size > MAX_EXPIRED };
  return [{ fault, place: addOns[0]?.place ?? plainPlace(placement.place), plugin: "" }];
}

/** The first clusters by name: there may be very many, so they are not sorted. */
function firstByName(slots: ReadonlySet<number>, { rank }: Fleet): readonly number[] {
  const first: number[] = [];
  for (const slot of slots) {
    const isFull = first.length === MAX_EXPIRED;
    if (isFull && (rank[slot] as number) > (rank[first.at(-1) as number] as number)) continue;
    if (isFull) first.pop();
    first.push(slot);
    first.sort((a, b) => (rank[a] as number) - (rank[b] as number));
  }
  return first;
}

function tallyOf(match: MatchState, state: PlacementOutcome, selected: number): Tally {
  const { counts, feasibleCount } = match;
  const of = (stage: number): number => counts[stage] ?? 0;
  const [terminating, unmatched, failed] = [of(STAGE.terminating), of(STAGE.unmatched), of(STAGE.failed)];
  if (state === "placed") {
    const left = feasibleCount + of(STAGE.withheld) - selected;
    return { terminating, unmatched, failed, tainted: of(STAGE.tainted), left, selected };
  }
  const members = counts.reduce((sum, count) => sum + count, 0);
  const left = Math.max(0, members - terminating - selected);
  return { terminating, unmatched: 0, failed: 0, tainted: 0, left, selected };
}
