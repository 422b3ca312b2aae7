// Which clusters are selected in the end, and how are they cut into groups and slices?

import type { EvaluationInput } from "../evaluation.ts";
import type { FleetCluster } from "../fleet.ts";
import { once } from "../once.ts";
import type { Group, PlacementOutcome, Slice } from "../placement-result.ts";
import type { PreparedGroup } from "../prepare/prepare.ts";
import { holdForCluster } from "../prepare/selector.ts";
import { cutGroups, groupLength } from "./decision-groups.ts";
import { keptDecisions } from "./kept-decisions.ts";
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
  input: EvaluationInput,
  state: PlacementOutcome,
  isUngrouped: boolean,
  isCounted: boolean,
): Decisions {
  const { placement, world, evaluation, decided } = input;
  const { selection, delta, prepared } = evaluation;
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
      ? groupsOf(input, prepared.groups, selected)
      : always(isCounted ? firstGroups(input, selected) : isUngrouped ? [] : EMPTY);
  const { version } = delta;
  const slices = once(() => {
    const isCurrent = state === "placed" && !sortsByScore(input) && delta.version === version;
    return cutSlices(placement.name, groups(), decided, mode, isCurrent ? delta.sorted() : undefined);
  });
  return { count: isSelected ? selection.names.count : 0, selected, groups, slices };
}

function always<Value>(value: Value): () => Value {
  return () => value;
}

function sortsByScore({ placement, world }: EvaluationInput): boolean {
  return world.mode.writesScores && placement.sortBy === "Score";
}

/** The groups. What needs more than the names is worked out at once, because clusters may be others later. */
function groupsOf(
  input: EvaluationInput,
  groups: readonly PreparedGroup[],
  selected: () => readonly string[],
): () => readonly Group[] {
  const { fleet, mode } = input.world;
  const { selection } = input.evaluation;
  const { decided } = input;
  const { clustersPerDecisionGroup } = input.placement.groupStrategy;
  const { count } = selection.names;
  const length = groupLength(clustersPerDecisionGroup, count, mode) as number;
  if (groups.length === 0 && !sortsByScore(input)) {
    if (length < count) return once(() => cutGroups(selected(), [], length));
    return once(() => [{ index: 0, name: "", clusters: selected() }]);
  }
  const slotOf = (name: string): number => fleet.slotOf(name) as number;
  const inOrder = sortsByScore(input)
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
function firstGroups(input: EvaluationInput, selected: () => readonly string[]): readonly Group[] {
  const { groups } = input.evaluation.prepared;
  const broken = groups.findIndex(({ isBroken }) => isBroken);
  const { clustersPerDecisionGroup } = input.placement.groupStrategy;
  if (broken <= 0 || groupLength(clustersPerDecisionGroup, 1, input.world.mode) === undefined) return [];
  return groupsOf(input, groups.slice(0, broken), selected)().filter(({ name }) => name !== "");
}
