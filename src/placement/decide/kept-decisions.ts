// What stays of the last decisions when nothing new can be decided? All of it, without the clusters that are gone or going.

import { compareText } from "../../model/json.ts";
import type { Group, Slice } from "../placement-result.ts";
import type { DecidedSlices } from "./decided-slices.ts";

/** Decisions that stay. */
export interface KeptDecisions {
  /** By name. */
  readonly selected: readonly string[];
  readonly groups: readonly Group[];
  readonly slices: readonly Slice[];
}

/** The decisions with the clusters that stay, in their order and in their slices. */
export function keptDecisions(decided: DecidedSlices, stays: (cluster: string) => boolean): KeptDecisions {
  const slices = decided.slices.map((slice) => ({
    name: slice.name,
    groupIndex: slice.groupIndex ?? 0,
    groupName: slice.groupName ?? "",
    clusters: slice.clusters.filter(stays),
  }));
  const groups = new Map<number, { readonly name: string; readonly clusters: string[] }>();
  for (const { groupIndex, groupName, clusters } of slices) {
    const group = groups.get(groupIndex) ?? { name: groupName, clusters: [] };
    for (const cluster of clusters) group.clusters.push(cluster);
    groups.set(groupIndex, group);
  }
  return {
    selected: decided.clusters.filter(stays),
    groups: [...groups]
      .sort(([a], [b]) => a - b)
      .map(([index, { name, clusters }]) => ({ index, name, clusters: clusters.sort(compareText) })),
    slices,
  };
}
