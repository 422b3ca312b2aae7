// Is no cluster that stays selected ever missing, after any of the writes, and none ever in a foreign group? Random selections one after another, from any
// state of the PlacementDecisions, in both modes.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Timestamp } from "../../cel/value/timestamp.ts";
import type { TextMap } from "../../model/labels.ts";
import type { ClusterDecision, PlacementDecision } from "../../model/placement-decision.ts";
import { DecidedSlices, GROUP_INDEX_LABEL, GROUP_NAME_LABEL, sliceLabels } from "../decide/decided-slices.ts";
import { cutGroups } from "../decide/decision-groups.ts";
import { cutSlices } from "../decide/slices.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../placement-mode.ts";
import type { Group, Slice } from "../placement-result.ts";
import type { SliceWrite } from "./safe-write-order.ts";
import { writesOf } from "./writes.ts";

/** The PlacementDecisions of a cluster, by name. */
type State = ReadonlyMap<string, Pick<PlacementDecision, "labels" | "decisions" | "terminating">>;

/** One selection of a sequence. */
interface Round {
  readonly groups: readonly Group[];
  readonly entry: (cluster: string) => ClusterDecision;
  /** How many of the writes succeed; the others are lost in a crash. */
  readonly succeeding: number;
}

/** Numbers from 0 up to a limit, the same for the same seed (a linear congruential generator). */
function diceOf(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function shuffled<Item>(items: readonly Item[], dice: (limit: number) => number): readonly Item[] {
  return items
    .map((item) => [dice(1_000_000), item] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, item]) => item);
}

/**
 * Any state: duplicates, clusters that are gone, too many of them, foreign names and labels; and, where slices are stable, slices that are
 * being deleted.
 */
function anyState(pool: readonly string[], { stableSlices }: PlacementMode, dice: (limit: number) => number): State {
  const state = new Map<string, { labels: TextMap; decisions: readonly ClusterDecision[]; terminating: boolean }>();
  for (let count = dice(7); count > 0; count--) {
    const name = dice(8) === 0 ? `odd-${dice(3)}` : `p-decision-${dice(9) + 1}`;
    const labels = dice(3) === 0 ? { "decision-group": "?" } : sliceLabels("p", dice(2) === 0 ? "" : "n0", dice(4));
    const from = dice(pool.length);
    const members = dice(4) === 0 ? shuffled(pool, dice).slice(0, dice(130)) : pool.slice(from, from + dice(110));
    const repeated = dice(4) === 0 ? [...members, ...members.slice(0, 3), "gone"] : members;
    const decisions = repeated.map((clusterName) => ({ clusterName, reason: "" }));
    state.set(name, { labels, decisions, terminating: stableSlices && dice(6) === 0 });
  }
  return state;
}

function anyRound(pool: readonly string[], named: number, dice: (limit: number) => number): Round {
  const size = dice(3) === 0 ? pool.length : dice(pool.length + 1);
  const chosen = shuffled(pool, dice).slice(0, size);
  const selected = dice(3) === 0 ? chosen : [...chosen].sort();
  const salt = dice(1000);
  const kind = new Map(pool.map((cluster) => [cluster, dice(4)]));
  const rules = Array.from({ length: dice(named + 1) }, (_, at) => ({
    name: `n${at}`,
    matches: (cluster: string) => kind.get(cluster) === at,
  }));
  const length = named === 0 || dice(3) === 0 ? size : Math.max(1 + dice(size + 1), Math.ceil(size / 12));
  return {
    groups: cutGroups(selected, rules, length),
    entry: (clusterName) => ({ clusterName, reason: "chosen", score: salt }),
    succeeding: dice(2) === 0 ? Number.MAX_SAFE_INTEGER : dice(12),
  };
}

/** What the API server makes of a write; undefined if it refuses. */
function apply(state: State, write: SliceWrite): State | undefined {
  const next = new Map(state);
  const there = state.get(write.name);
  if ((there === undefined) !== (write.call === "create")) return undefined;
  if (write.call === "delete" && there?.terminating === true) return undefined;
  if (write.call === "delete") next.delete(write.name);
  else if (write.call === "create") next.set(write.name, { labels: write.labels, decisions: [] });
  else next.set(write.name, { labels: {}, decisions: [], ...there, ...write });
  return next;
}

function decidedOf(state: State): DecidedSlices {
  const place = { source: "x", line: 1, column: 1 };
  const decisions = [...state].map(([name, slice]) => ({ place, namespace: "n", name, ...slice }));
  return new DecidedSlices("p", decisions);
}

function namesIn(state: State): Set<string> {
  return new Set([...state.values()].flatMap(({ decisions }) => decisions.map(({ clusterName }) => clusterName)));
}

function answer(state: State, { groups, entry }: Round, mode: PlacementMode) {
  const decided = decidedOf(state);
  const slices = cutSlices("p", groups, decided, mode);
  const placement = { name: "p", scoreRateLimit: "1m" };
  const now = new Timestamp(0, 0);
  return {
    decided,
    slices,
    writes: writesOf({ placement, slices, decided, entry, hasScores: mode.writesScores, now }).writes,
  };
}

function checkUpdate(name: string, decisions: readonly ClusterDecision[]): void {
  if (decisions.length > 100) throw new Error(`${name} is too long`);
  const names = new Set(decisions.map(({ clusterName }) => clusterName));
  if (names.size < decisions.length) throw new Error(`${name} has a cluster twice`);
}

/** The groups of each cluster: of the slices that it is in, by their labels. */
function groupsIn(state: State): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { labels, decisions } of state.values())
    for (const { clusterName } of decisions)
      groups.set(clusterName, (groups.get(clusterName) ?? new Set()).add(groupOf(labels)));
  return groups;
}

/** The group that labels name; slices without one get the first group when they are moved through a temporary slice. */
function groupOf(labels: TextMap): string {
  const { [GROUP_NAME_LABEL]: name = "", [GROUP_INDEX_LABEL]: index = "0" } = labels;
  return `${index} ${name}`;
}

/** Runs the writes of a round as far as they succeed, with a look at every state between them. */
function run(
  state: State,
  round: Round,
  mode: PlacementMode,
): { readonly state: State; readonly slices: readonly Slice[] } {
  const { slices, writes } = answer(state, round, mode);
  const before = namesIn(state);
  const staying = slices.flatMap(({ clusters }) => clusters).filter((cluster) => before.has(cluster));
  const allowed = groupsIn(state);
  for (const { clusters, groupIndex, groupName } of slices)
    for (const cluster of clusters)
      allowed.set(cluster, (allowed.get(cluster) ?? new Set()).add(`${groupIndex} ${groupName}`));
  let current = state;
  for (const write of writes.slice(0, round.succeeding)) {
    const next = apply(current, write);
    if (next === undefined) throw new Error(`${write.call} ${write.name} is refused`);
    current = next;
    if (write.call === "update") checkUpdate(write.name, write.decisions);
    const names = namesIn(current);
    const missing = staying.filter((cluster) => !names.has(cluster));
    if (missing.length > 0) throw new Error(`${missing.join(" ")} missing after ${write.call} ${write.name}`);
    for (const [cluster, groups] of groupsIn(current))
      for (const group of groups)
        if (!allowed.get(cluster)?.has(group))
          throw new Error(`${cluster} is in group ${group} after ${write.call} ${write.name}`);
  }
  return { state: current, slices };
}

/** The state in which the slices are just what they are to be. */
function wantedState(slices: readonly Slice[], { entry }: Round): State {
  return new Map(
    slices.map(({ name, groupName, groupIndex, clusters }) => [
      name,
      { labels: sliceLabels("p", groupName, groupIndex), decisions: clusters.map(entry) },
    ]),
  );
}

/** Only what a PlacementDecision has, in the order of names; without those that are being deleted and have no clusters. */
function plain(state: State) {
  return [...state]
    .filter(([, { terminating, decisions }]) => terminating !== true || decisions.length > 0)
    .map(([name, { labels, decisions }]) => ({ name, labels, decisions }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every selected cluster is in one slice of its group; no slice is empty without need. */
function checkSlices(slices: readonly Slice[], groups: readonly Group[]): void {
  for (const { index, name, clusters } of groups) {
    const own = slices.filter(({ groupIndex }) => groupIndex === index);
    expect(own.every(({ groupName }) => groupName === name)).toBe(true);
    expect(own.flatMap((slice) => slice.clusters).sort()).toEqual([...clusters].sort());
    const rank = new Map(clusters.map((cluster, at) => [cluster, at]));
    for (const slice of own) {
      const ranks = slice.clusters.map((cluster) => rank.get(cluster) as number);
      expect(ranks.every((value, at) => at === 0 || value > (ranks[at - 1] as number))).toBe(true);
    }
  }
  expect(slices.every(({ clusters }) => clusters.length <= 100)).toBe(true);
  expect(slices.length === 1 || slices.every(({ clusters }) => clusters.length > 0)).toBe(true);
}

/** The clusters that left a slice which belongs to their group; in a single group, those that left their slice. */
function movedWithoutNeed(
  decided: DecidedSlices,
  slices: readonly Slice[],
  groups: readonly Group[],
): readonly string[] {
  const owners = new Map(slices.map(({ name, groupIndex }) => [name, groupIndex]));
  const homes = new Map(slices.flatMap(({ name, clusters }) => clusters.map((cluster) => [cluster, name])));
  const hasMoved = (cluster: string, index: number): boolean => {
    const was = decided.sliceOf(cluster);
    if (was === undefined || was.terminating || was.clusters.length > 100 || homes.get(cluster) === was.name)
      return false;
    return groups.length === 1 || owners.get(was.name) === index;
  };
  return groups.flatMap(({ index, clusters }) => clusters.filter((cluster) => hasMoved(cluster, index)));
}

const SEQUENCES = process.env.PLIMSOLL_LONG ? 5_000 : 100;

describe.each([
  { mode: DEFAULT_MODE, named: 0 },
  { mode: DEFAULT_MODE, named: 3 },
  { mode: OCM_MODE, named: 0 },
  { mode: OCM_MODE, named: 3 },
])("mode $mode.name, up to $named named groups", ({ mode, named }) => {
  it("a cluster that stays is never missing, and everything ends as it should", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = diceOf(seed);
        const sizes = [5, 40, 99, 100, 101, 130, 199, 200, 201, 260];
        const count = sizes[dice(sizes.length)] as number;
        const pool = Array.from({ length: count }, (_, at) => `c${String(at).padStart(3, "0")}`);
        let state = anyState(pool, mode, dice);
        for (let rounds = 1 + dice(4); rounds > 0; rounds--) {
          const round = anyRound(pool, named, dice);
          const { decided, slices } = answer(state, round, mode);
          checkSlices(slices, round.groups);
          if (mode.stableSlices) expect(movedWithoutNeed(decided, slices, round.groups)).toEqual([]);
          state = run(state, round, mode).state;
          // After a crash, the next attempt may have to do something else, but ends well too.
          const again = dice(2) === 0 ? { ...round, succeeding: Number.MAX_SAFE_INTEGER } : undefined;
          if (again === undefined && round.succeeding !== Number.MAX_SAFE_INTEGER) continue;
          const end = run(state, again ?? round, mode);
          state = end.state;
          expect(plain(state)).toEqual(plain(wantedState(end.slices, round)));
          const rest = answer(state, round, mode);
          expect(rest.writes).toEqual([]);
          expect(rest.slices).toEqual(end.slices);
        }
      }),
      { numRuns: SEQUENCES },
    );
  }, 300_000);
});
