// Which clusters are selected in the end, and how are they cut into groups and slices?

import { cutGroups, groupLength } from "./decision-groups.ts";
import type { FleetCluster } from "./fleet.ts";
import { keptDecisions } from "./kept-decisions.ts";
import { once } from "./once.ts";
import type { Group, PlacementState, Slice } from "./placement-result.ts";
import type { PreparedGroup } from "./prepare.ts";
import { holdForCluster } from "./selector.ts";
import type { Situation } from "./situation.ts";
import { cutSlices } from "./slices.ts";

/** The decisions of a Placement; lists are made when somebody asks for them. */
export interface Decisions {
  readonly count: number;
  /** By name. */
  readonly selected: () => readonly string[];
  readonly groups: () => readonly Group[];
  readonly slices: () => readonly Slice[];
}

const EMPTY: readonly Group[] = [{ index: 0, name: "", clusters: [] }];

/** What is selected, and how it is cut. `isUngrouped`: OCM cannot cut it; `isCounted`: but still counts it. */
export function decisionsOf(
  situation: Situation,
  state: PlacementState,
  isUngrouped: boolean,
  isCounted: boolean,
): Decisions {
  const { placement, world, worked, decided } = situation;
  const { selection, delta, prepared } = worked;
  const { mode, fleet } = world;
  if (state === "kept" || state === "ignored") {
    const isThere = (name: string): boolean => fleet.get(name)?.cluster.terminating === false;
    const kept = keptDecisions(decided, (name) => state === "ignored" || isThere(name));
    return {
      count: kept.selected.length,
      selected: () => kept.selected,
      groups: () => kept.groups,
      slices: () => kept.slices,
    };
  }
  const isSelected = state === "placed" || isCounted;
  const selected = isSelected ? selection.names.snapshot() : () => [];
  const groups =
    state === "placed"
      ? groupsOf(situation, prepared.groups, selected)
      : always(isCounted ? firstGroups(situation, selected) : isUngrouped ? [] : EMPTY);
  const { version } = delta;
  const slices = once(() => {
    const isCurrent = state === "placed" && !sortsByScore(situation) && delta.version === version;
    return cutSlices(placement.name, groups(), decided, mode, isCurrent ? delta.sorted() : undefined);
  });
  return { count: isSelected ? selection.names.count : 0, selected, groups, slices };
}

function always<Value>(value: Value): () => Value {
  return () => value;
}

function sortsByScore({ placement, world }: Situation): boolean {
  return world.mode.tellsScores && placement.sortBy === "Score";
}

/** The groups. What needs more than the names is worked out at once, because clusters may be others later. */
function groupsOf(
  situation: Situation,
  groups: readonly PreparedGroup[],
  selected: () => readonly string[],
): () => readonly Group[] {
  const { fleet, mode } = situation.world;
  const { selection } = situation.worked;
  const { decided } = situation;
  const { clustersPerDecisionGroup } = situation.placement.groupStrategy;
  const { count } = selection.names;
  const length = groupLength(clustersPerDecisionGroup, count, mode) as number;
  if (groups.length === 0 && !sortsByScore(situation)) {
    if (length < count) return once(() => cutGroups(selected(), [], length));
    const whole: Group = {
      index: 0,
      name: "",
      get clusters() {
        return selected();
      },
    };
    return () => [whole];
  }
  const slotOf = (name: string): number => fleet.slotOf(name) as number;
  const inOrder = sortsByScore(situation)
    ? [...selected()].sort((a, b) => selection.total(slotOf(b)) - selection.total(slotOf(a)))
    : selected();
  // Every group is asked about one cluster before the next.
  let last = "";
  let cluster: FleetCluster | undefined;
  const named = groups.map((group) => ({
    name: group.name,
    matches: (name: string) => {
      if (name !== last) cluster = fleet.get(name);
      last = name;
      const { isUnread, cluster: known } = cluster as FleetCluster;
      // Of what could not be read it is known where it was.
      return isUnread ? decided.sliceOf(name)?.groupName === group.name : holdForCluster(group, known);
    },
  }));
  const cut = cutGroups(inOrder, named, length);
  return () => cut;
}

/** OCM makes the groups up to the first that it cannot read, and none if it cannot read their size. */
function firstGroups(situation: Situation, selected: () => readonly string[]): readonly Group[] {
  const { groups } = situation.worked.prepared;
  const broken = groups.findIndex(({ isBroken }) => isBroken);
  const { clustersPerDecisionGroup } = situation.placement.groupStrategy;
  if (broken <= 0 || groupLength(clustersPerDecisionGroup, 1, situation.world.mode) === undefined) return [];
  return groupsOf(situation, groups.slice(0, broken), selected)().filter(({ name }) => name !== "");
}
