// Which PlacementDecision does each selected cluster go into? A cluster keeps its PlacementDecision while it is selected and the
// slice belongs to its decision group; in OCM, all are cut from scratch in the order of names. When a few clusters become selected or
// unselected, only their slices are cut: visiting all of 100,000 clusters would take longer than one change may.

import type { PlacementMode } from "../placement-mode.ts";
import type { Group, Slice } from "../placement-result.ts";
import {
  compareSlices,
  type DecidedSlice,
  type DecidedSlices,
  freeNames,
  SLICE_SIZE,
  sliceName,
} from "./decided-slices.ts";

/** The difference between the decided and the selected clusters. */
export interface SelectionChange {
  /** Selected and not decided, by name. */
  readonly added: readonly string[];
  /** Decided and not selected. */
  readonly removed: readonly string[];
}

/**
 * Step 8: the slices of a Placement, by group and number. With a `change` from the decided to the selected clusters, only slices
 * that it affects are cut. It may only be given if the groups are in the order of names; it is not used with several groups or if
 * the slices on the hub are not tidy.
 */
export function cutSlices(
  placement: string,
  groups: readonly Group[],
  decided: DecidedSlices,
  mode: PlacementMode,
  change?: SelectionChange,
): readonly Slice[] {
  if (!mode.stableSlices) return cutFromScratch(placement, groups);
  const [group] = groups;
  if (change !== undefined && group !== undefined && groups.length === 1 && decided.isTidy) {
    return changeSlices(placement, group, decided, change);
  }
  return cutStable(placement, groups, decided);
}

/** OCM: one group after the other, 100 clusters in each slice. */
function cutFromScratch(placement: string, groups: readonly Group[]): readonly Slice[] {
  const slices: Slice[] = [];
  for (const { index, name, clusters } of groups) {
    for (let start = 0; start === 0 || start < clusters.length; start += SLICE_SIZE) {
      slices.push({
        name: sliceName(placement, slices.length + 1),
        groupIndex: index,
        groupName: name,
        clusters: clusters.slice(start, start + SLICE_SIZE),
      });
    }
  }
  return slices;
}

/** A slice that is being filled. */
interface Draft {
  readonly name: string;
  readonly number: number | undefined;
  /** The position of its group; undefined while no selected cluster is in it. */
  group: number | undefined;
  room: number;
  readonly clusters: string[];
}

function cutStable(placement: string, groups: readonly Group[], decided: DecidedSlices): readonly Slice[] {
  const owners = groupsOfSlices(groups, decided);
  const drafts = decided.slices.map(({ name, number, terminating }, position): Draft => {
    return { name, number, group: owners[position], room: terminating ? 0 : SLICE_SIZE, clusters: [] };
  });
  const kept = groups.map((group, position) =>
    group.clusters.map((cluster) => {
      const draft = drafts[decided.positionOf(cluster) ?? -1];
      if (draft === undefined || draft.group !== position || draft.room === 0) return undefined;
      draft.room--;
      return draft;
    }),
  );
  const open = groups.map((): Draft[] => []);
  const unused: Draft[] = [];
  for (const draft of drafts) {
    if (draft.room === 0) continue;
    if (draft.group === undefined) unused.push(draft);
    else open[draft.group]?.push(draft);
  }
  unused.reverse();
  const names = freeNames(placement, decided);
  const added: Draft[] = [];
  const fresh = (): Draft => {
    const draft: Draft = { ...names.next().value, group: undefined, room: SLICE_SIZE, clusters: [] };
    added.push(draft);
    return draft;
  };
  for (const [position, group] of groups.entries()) {
    const seats = kept[position] as readonly (Draft | undefined)[];
    const holes = (open[position] as Draft[]).reverse();
    let hole = holes.pop();
    for (const [at, cluster] of group.clusters.entries()) {
      let draft = seats[at];
      if (draft === undefined) {
        if (hole === undefined || hole.room === 0) hole = holes.pop() ?? unused.pop() ?? fresh();
        draft = hole;
        draft.group = position;
        draft.room--;
      }
      draft.clusters.push(cluster);
    }
  }
  const all = [...drafts, ...added].filter(({ clusters }) => clusters.length > 0);
  if (all.length === 0) all.push(drafts.find(({ room }) => room > 0) ?? fresh());
  all.sort((a, b) => (a.group ?? 0) - (b.group ?? 0) || compareSlices(a, b));
  return all.map(({ name, group, clusters }) => ({
    name,
    groupIndex: groups[group ?? 0]?.index ?? 0,
    groupName: groups[group ?? 0]?.name ?? "",
    clusters,
  }));
}

/**
 * For each slice on the hub, the position of its group; undefined if none of its clusters is selected. A slice stays with the group
 * of its name while that has clusters of it, and the other clusters move; otherwise it goes with most of its clusters.
 */
function groupsOfSlices(groups: readonly Group[], decided: DecidedSlices): readonly (number | undefined)[] {
  const counts = decided.slices.map(() => new Map<number, number>());
  for (const [position, group] of groups.entries()) {
    for (const cluster of group.clusters) {
      const count = counts[decided.positionOf(cluster) ?? -1];
      count?.set(position, (count.get(position) ?? 0) + 1);
    }
  }
  return counts.map((count, at) => {
    const { groupName, groupIndex } = decided.slices[at] as DecidedSlice;
    const all = [...count.keys()];
    const same = all.filter((position) => groups[position]?.name === groupName);
    let best: number | undefined;
    for (const position of same.length > 0 ? same : all) {
      const members = count.get(position) as number;
      const most = best === undefined ? 0 : (count.get(best) as number);
      if (members > most || (members === most && groups[position]?.index === groupIndex)) best = position;
    }
    return best;
  });
}

/** A slice that may change. */
interface Part {
  readonly name: string;
  readonly number: number | undefined;
  clusters: readonly string[];
}

/** The slices of the only group, made from tidy slices. Slices that the change does not affect keep their lists of clusters. */
function changeSlices(
  placement: string,
  group: Group,
  decided: DecidedSlices,
  change: SelectionChange,
): readonly Slice[] {
  const parts = decided.slices.map(({ name, number, clusters }): Part => ({ name, number, clusters }));
  const leaving = new Set(change.removed);
  for (const position of new Set(change.removed.map((cluster) => decided.positionOf(cluster)))) {
    const part = parts[position ?? -1];
    if (part !== undefined) part.clusters = part.clusters.filter((cluster) => !leaving.has(cluster));
  }
  const names = freeNames(placement, decided);
  let next = 0;
  const fill = (part: Part): void => {
    const end = next + SLICE_SIZE - part.clusters.length;
    part.clusters = [...part.clusters, ...change.added.slice(next, end)].sort();
    next = Math.min(end, change.added.length);
  };
  const isLeft = () => next < change.added.length;
  const empty = parts.filter(({ clusters }) => clusters.length === 0);
  for (const part of parts) {
    if (!isLeft()) break;
    if (part.clusters.length > 0 && part.clusters.length < SLICE_SIZE) fill(part);
  }
  for (const part of empty) if (isLeft()) fill(part);
  while (isLeft() || parts.length === 0) {
    const part: Part = { ...names.next().value, clusters: [] };
    fill(part);
    parts.push(part);
  }
  const filled = parts.filter(({ clusters }) => clusters.length > 0);
  const rest = filled.length > 0 ? filled.sort(compareSlices) : parts.slice(0, 1);
  return rest.map(({ name, clusters }) => ({ name, groupIndex: group.index, groupName: group.name, clusters }));
}
