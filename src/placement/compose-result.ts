// What is the answer to a Placement, made of what was worked out?
import type { Timestamp } from "../cel/value/timestamp.ts";
import { inside } from "../model/place.ts";
import { checksOf } from "./cluster-checks.ts";
import { conditionsOf } from "./conditions.ts";
import type { Eligibility } from "./eligibility.ts";
import type { FleetCluster } from "./fleet.ts";
import { GOT } from "./judge.ts";
import type { MatchState } from "./match-state.ts";
import type { PlacementMode } from "./placement-mode.ts";
import type { Mistake, PlacementResult, PlacementState, Tally } from "./placement-result.ts";
import { decisionsOf } from "./result-decisions.ts";
import { quoted, shortened } from "./selector.ts";
import type { Situation } from "./situation.ts";
import { earlier } from "./tolerance.ts";
import { type UnreadCluster, unreadText } from "./unread.ts";

/** So many clusters that could not be judged, or not be read, are named in a condition. */
const MOST_FAILURES = 3;
/** So many clusters that could not be read are named in warnings. */
const MOST_UNREAD = 100;
/** So many scores that have expired are named in a warning. */
const MOST_EXPIRED = 10;

/** The answer. Long lists are made when they are asked for, and are those of the moment of the answer. */
export function composeResult(situation: Situation): PlacementResult {
  const { placement, world, worked, isIgnored } = situation;
  const { prepared, eligibility, match } = worked;
  const { mode } = world;
  const mistakes = isIgnored ? [] : mistakesOf(situation);
  const state: PlacementState = isIgnored
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
  const decisions = decisionsOf(situation, state, isUngrouped, isCounted);
  const selected = decisions.count;
  const count = placement.numberOfClusters ?? 0;
  const unscheduled = state === "placed" || state === "kept" || isCounted ? Math.max(0, count - selected) : 0;
  const eligibleSets = eligibility.sets.map(({ set }) => set.name);
  const failed = match.counts[GOT.failed] ?? 0;
  return {
    placement,
    state,
    mistakes,
    brokenSets: eligibility.brokenSets,
    warnings: [
      ...prepared.warnings,
      ...(isIgnored ? [] : unusableSets(situation)),
      ...unreadWarnings(situation, state),
      ...(state === "placed" || isCounted ? [...expiredScores(situation), ...limitedClusters(situation)] : []),
    ],
    eligibleSets,
    unusableSets: eligibility.unusable,
    get selected() {
      return decisions.selected();
    },
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
      tainted: state === "placed" ? (match.counts[GOT.tainted] ?? 0) : 0,
      failed: state === "placed" ? failed : 0,
      failures: state === "placed" && mode.tellsMore && failed > 0 ? failuresOf(situation) : [],
      unread: state === "placed" ? (match.counts[GOT.unread] ?? 0) : 0,
      unreadNames: unreadClusters(situation, MOST_FAILURES).map(({ cluster }) => cluster.name),
    }),
    get groups() {
      return decisions.groups();
    },
    get slices() {
      return decisions.slices();
    },
    wakeAt: mistakes.every(({ isLimit }) => isLimit === true) && !isIgnored ? wakeAt(situation) : undefined,
  };
}

/** Does a set that cannot be read stop the Placement, as in OCM? */
export function isStopped({ brokenSets }: Eligibility, mode: PlacementMode): boolean {
  return brokenSets.length > 0 && !mode.isolatesBrokenSets;
}

/** Why nothing can be decided. OCM meets one mistake at a time, and only as far as clusters have got. */
function mistakesOf({ placement, world, worked }: Situation): readonly Mistake[] {
  const { prepared, eligibility, match, selection } = worked;
  const { mode, placementCostLimit } = world;
  if (isStopped(eligibility, mode)) return eligibility.brokenSets.slice(0, 1);
  if (eligibility.unreadable.length > 0) return eligibility.unreadable;
  const limit = (message: string, path: string, hint: string): Mistake => ({
    message,
    hint,
    place: inside(placement.place, "spec", path),
    plugin: "Predicate",
    isLimit: true,
  });
  const limits: Mistake[] = [];
  if (match.isTooDear)
    limits.push(
      limit(
        match.isLate
          ? "the time was over before all clusters were judged"
          : `the expressions cost more than ${placementCostLimit} for all clusters together`,
        "predicates",
        match.isLate ? "give it more time" : "make them cheaper, or raise the limit",
      ),
    );
  else if (selection.isCutOff)
    limits.push(
      limit(
        "it takes too long to spread so many clusters over so many values",
        "spreadPolicy",
        "use fewer spreadConstraints, a topologyKey with fewer values, or a higher weight for Spread",
      ),
    );
  if (mode.judgesWithoutClusters) return [...prepared.mistakes, ...limits];
  const { counts } = match;
  const survivors = (counts[GOT.tainted] ?? 0) + (counts[GOT.lastResort] ?? 0) + (counts[GOT.through] ?? 0);
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

function wakeAt({ world, worked, decided }: Situation): Timestamp | undefined {
  const { mode, fleet } = world;
  const { tolerationEnds, scoreEnds } = worked.match;
  if (mode.tellsMore) return earlier(tolerationEnds.earliest, scoreEnds.earliest);
  return tolerationEnds.earliestOf((slot) => decided.has(fleet.nameOf(slot)));
}

function failuresOf({ world, worked }: Situation): readonly string[] {
  const { judging, match, eligibility } = worked;
  const failures: string[] = [];
  for (const slot of world.fleet.order) {
    if (match.got[slot] !== GOT.failed) continue;
    const entry = world.fleet.at(slot) as FleetCluster;
    const error = checksOf(entry, judging, eligibility, { isBrief: true }).find(
      ({ outcome, predicate }) => outcome === "error" && predicate !== undefined,
    );
    const where = `predicates[${error?.predicate}].celExpressions[${error?.index}]`;
    failures.push(`${entry.cluster.name}: ${shortened(error?.detail ?? "", 300)} (${where})`);
    if (failures.length === MOST_FAILURES) break;
  }
  return failures;
}

/** Sets that are asked for in vain. */
function unusableSets({ placement, worked }: Situation): readonly Mistake[] {
  return worked.eligibility.unusable.map(({ name, why, meant }) => {
    const set = `the ManagedClusterSet ${quoted(name)}`;
    return {
      message:
        why === "missing" ? `${set} does not exist` : `${set} is not bound to the namespace ${placement.namespace}`,
      hint: meant === undefined ? undefined : `did you mean ${meant}?`,
      place: inside(placement.place, "spec", "clusterSets", placement.clusterSets.indexOf(name)),
      plugin: "",
    };
  });
}

/** Clusters that were selected before and that nobody can read now, by name. */
function unreadClusters({ world: { fleet }, worked: { match } }: Situation, most: number): readonly FleetCluster[] {
  if ((match.counts[GOT.unread] ?? 0) === 0) return [];
  return fleet.order
    .filter((slot) => match.got[slot] === GOT.unread)
    .slice(0, most)
    .map((slot) => fleet.at(slot) as FleetCluster);
}

/** Which of them stay; where everything is taken back or left alone, it does not matter what could be read. */
function unreadWarnings(situation: Situation, state: PlacementState): readonly Mistake[] {
  if (state === "ignored" || state === "emptied") return [];
  const { selection } = situation.worked;
  return unreadClusters(situation, MOST_UNREAD).map(({ slot, unread }): Mistake => {
    const { name, place, isSupposed } = unread as UnreadCluster;
    const stays = state === "kept" || selection.isChosen(slot);
    const message = `the ManagedCluster ${quoted(name)}, which ${stays ? "is" : "was"} selected, ${unreadText(unread as UnreadCluster)}; ${
      stays ? "it keeps its place" : "there is no room for it within numberOfClusters"
    }`;
    const hint = isSupposed ? "correct what could not be read" : "correct it";
    return { message, hint, place, plugin: "", isUnread: true };
  });
}

function limitedClusters({ placement, worked }: Situation): readonly Mistake[] {
  const { size } = worked.match.limited;
  if (size === 0) return [];
  const message = `expressions were stopped at their cost limit for ${size} ${size === 1 ? "cluster" : "clusters"}`;
  const hint = "make them cheaper, or raise the limit";
  return [{ message, hint, place: inside(placement.place, "spec", "predicates"), plugin: "Predicate", isLimit: true }];
}

function expiredScores({ placement, world, worked }: Situation): readonly Mistake[] {
  const { fleet } = world;
  const { match, scoring } = worked;
  if (match.expired.size === 0) return [];
  const slots = [...match.expired].sort((a, b) => (fleet.rank[a] as number) - (fleet.rank[b] as number));
  const names = slots.slice(0, MOST_EXPIRED).flatMap((slot) => {
    const entry = fleet.at(slot) as FleetCluster;
    return scoring.expired(entry).map((resource) => `${entry.cluster.name}/${resource}`);
  });
  const first = worked.prepared.prioritizers.find(({ kind }) => kind === "AddOn");
  const message = `AddOnPlacementScores ${names.join(" ")}${slots.length > MOST_EXPIRED ? " …" : ""} expired`;
  return [{ message, hint: "they count as 0", place: first?.place ?? placement.place, plugin: "" }];
}

function tallyOf(match: MatchState, state: PlacementState, selected: number): Tally {
  const { counts } = match;
  const of = (got: number): number => counts[got] ?? 0;
  if (state === "placed") {
    return {
      terminating: of(GOT.terminating),
      unmatched: of(GOT.unmatched),
      failed: of(GOT.failed),
      tainted: of(GOT.tainted),
      left: match.throughCount - selected,
      selected,
    };
  }
  const members = counts.reduce((sum, count) => sum + count, 0);
  const left = Math.max(0, members - of(GOT.terminating) - selected);
  return { terminating: of(GOT.terminating), unmatched: 0, failed: 0, tainted: 0, left, selected };
}
