// Which clusters are in the decisions, and how are they divided into groups and slices?

import { getOrAdd } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import { holds } from "../../model/selector.ts";
import type { Evaluation } from "../evaluation.ts";
import type { FleetCluster } from "../fleet.ts";
import type { Group, Slice } from "../placement-result.ts";
import type { PreparedGroup } from "../prepare/prepare.ts";
import { valueUnder } from "../prepare/selector.ts";
import type { DecidedSlices } from "./decided-slices.ts";
import { cutGroups, groupLength } from "./decision-groups.ts";
import type { Outcome } from "./outcome.ts";
import { cutSlices } from "./slices.ts";

/** The decisions of a Placement. Lists are made when they are read, and are those of the time of the answer. */
export interface Decisions {
  readonly count: number;
  /** By name. */
  readonly selected: () => readonly string[];
  readonly groups: () => readonly Group[];
  readonly slices: () => readonly Slice[];
}

const EMPTY: readonly Group[] = [{ index: 0, name: "", clusters: [] }];

/** Steps 7 and 8: the selected or kept clusters, cut into decision groups and slices. */
export function decisionsOf(evaluation: Evaluation, outcome: Outcome): Decisions {
  const { input, selection, delta, prepared } = evaluation;
  const { placement, hub, decided } = input;
  const { state, isUngrouped, isCounted } = outcome;
  if (state === "kept" || state === "ignored") {
    const isThere = (name: string): boolean => hub.fleet.get(name)?.cluster.terminating === false;
    return keptDecisions(decided, (name) => state === "ignored" || hub.isFleetUnread || isThere(name));
  }
  const isSelected = state === "placed" || isCounted;
  const selected = isSelected ? selection.names.snapshot() : () => [];
  const cut = isCounted ? firstGroups(evaluation, selected) : isUngrouped ? [] : EMPTY;
  const groups = state === "placed" ? groupsOf(evaluation, prepared.groups, selected) : () => cut;
  const { version } = delta;
  const slices = once(() => {
    const isCurrent = state === "placed" && !hub.sortsByScore(placement) && delta.version === version;
    return cutSlices(placement.name, groups(), decided, hub.mode, isCurrent ? delta.sorted() : undefined);
  });
  return { count: isSelected ? selection.names.count : 0, selected, groups, slices };
}

/** Calls `make` at the first call, and remembers its value. */
function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The groups. What depends on more than names is computed now, because clusters may change later. */
function groupsOf(
  { input, selection }: Evaluation,
  groups: readonly PreparedGroup[],
  selected: () => readonly string[],
): () => readonly Group[] {
  const { hub, decided, placement } = input;
  const { fleet, mode } = hub;
  const { count } = selection.names;
  const length = groupLength(placement.groupStrategy.clustersPerDecisionGroup, count, mode) as number;
  const sortsByScore = hub.sortsByScore(placement);
  if (groups.length === 0 && !sortsByScore) {
    if (length < count) return once(() => cutGroups(selected(), [], length));
    return once(() => [{ index: 0, name: "", clusters: selected() }]);
  }
  const slotOf = (name: string): number => fleet.slotOf(name) as number;
  const inOrder = sortsByScore
    ? [...selected()].sort((a, b) => selection.total(slotOf(b)) - selection.total(slotOf(a)))
    : selected();
  // All groups are matched against one cluster before the next.
  let last = "";
  let cluster: FleetCluster | undefined;
  const named = groups.map((group) => ({
    name: group.name,
    matches: (name: string) => {
      if (name !== last) cluster = fleet.get(name);
      last = name;
      const { isUnread, cluster: known } = cluster as FleetCluster;
      // An unread cluster stays in its group.
      if (isUnread) return decided.sliceOf(name)?.groupName === group.name;
      return group.rules.every((rule) => holds(rule, valueUnder(rule, known)));
    },
  }));
  const cut = cutGroups(inOrder, named, length);
  return () => cut;
}

/** OCM cuts the groups before the first invalid one, and none if their size is invalid. */
function firstGroups(evaluation: Evaluation, selected: () => readonly string[]): readonly Group[] {
  const { input, prepared } = evaluation;
  const { groups } = prepared;
  const broken = groups.findIndex(({ isBroken }) => isBroken);
  const { clustersPerDecisionGroup } = input.placement.groupStrategy;
  if (broken <= 0 || groupLength(clustersPerDecisionGroup, 1, input.hub.mode) === undefined) return [];
  return groupsOf(evaluation, groups.slice(0, broken), selected)().filter(({ name }) => name !== "");
}

/** The last decisions without the clusters that are gone or terminating, in their order and in their slices. */
function keptDecisions(decided: DecidedSlices, stays: (cluster: string) => boolean): Decisions {
  const slices = decided.slices.map((slice) => ({
    name: slice.name,
    groupIndex: slice.groupIndex ?? 0,
    groupName: slice.groupName ?? "",
    clusters: slice.clusters.filter(stays),
  }));
  const groups = new Map<number, { readonly name: string; readonly clusters: string[] }>();
  for (const { groupIndex, groupName, clusters } of slices) {
    const group = getOrAdd(groups, groupIndex, () => ({ name: groupName, clusters: [] }));
    for (const cluster of clusters) group.clusters.push(cluster);
  }
  const selected = decided.clusters.filter(stays);
  const sorted = [...groups]
    .sort(([a], [b]) => a - b)
    .map(([index, { name, clusters }]) => ({ index, name, clusters: clusters.sort(compareText) }));
  return { count: selected.length, selected: () => selected, groups: () => sorted, slices: () => slices };
}
