// Into which decision groups are the chosen clusters cut? ocm.md §3.6 in its plainest form. Where a group has a broken
// selector, OCM makes those before it and no others.

import type { Placement } from "../../src/model/placement.ts";
import type { Group } from "../../src/placement/placement-result.ts";
import { type Situation, selects } from "./placement-brute-force-filters.ts";
import { isBrokenGroup, isBrokenSize } from "./placement-brute-force-mistakes.ts";

/** The groups of clusters that are given in the order in which they are to be decided. */
export function groupsOf(
  { mode, objects }: Situation,
  { groupStrategy }: Placement,
  ordered: readonly string[],
): readonly Group[] {
  if (isBrokenSize(groupStrategy)) return [];
  const length = groupLength(groupStrategy.clustersPerDecisionGroup, ordered.length, mode.exactRatios);
  const groups: Group[] = [];
  const cut = (name: string, clusters: readonly string[]): void => {
    for (let from = 0; from < clusters.length; from += length) {
      groups.push({ index: groups.length, name, clusters: clusters.slice(from, from + length) });
    }
  };
  let rest = ordered;
  for (const group of groupStrategy.decisionGroups) {
    if (isBrokenGroup(group)) return groups;
    const { groupName, labelSelector, claimRequirements } = group;
    const chosen = rest.filter((name) =>
      objects.managedClusters.some(
        (cluster) => cluster.name === name && selects(labelSelector, claimRequirements, cluster),
      ),
    );
    rest = rest.filter((name) => !chosen.includes(name));
    cut(groupName, chosen);
  }
  cut("", rest);
  return groups.length > 0 ? groups : [{ index: 0, name: "", clusters: [] }];
}

function groupLength(given: number | string, total: number, isExact: boolean): number {
  const length = typeof given === "number" ? given : share(Number(given.slice(0, -1)), total, isExact);
  return length <= 0 || length > total ? total : length;
}

function share(percent: number, total: number, isExact: boolean): number {
  if (!isExact) return Math.ceil((percent / 100) * total);
  let length = 0;
  while (length * 100 < percent * total) length++;
  return length;
}
