// Which clusters are rolled out together? The selected clusters, cut into decision groups.

import type { PlacementMode } from "../placement-mode.ts";
import type { Group } from "../placement-result.ts";

/** A decision group of the Placement, and the clusters that match it. */
export interface NamedGroup {
  readonly name: string;
  readonly matches: (cluster: string) => boolean;
}

/** A percentage such as `25%`. The API accepts integers; OCM's code any number. */
const SHARE = /^([0-9]{1,9})(?:\.([0-9]{1,9}))?%$/;

/** How many of `total` selected clusters a group has at most; undefined for a text that is not a percentage. */
export function groupLength(size: number | string, total: number, mode: PlacementMode): number | undefined {
  const length = typeof size === "number" ? size : shareOf(size, total, mode);
  if (length === undefined) return undefined;
  return length <= 0 || length > total ? total : length;
}

function shareOf(size: string, total: number, mode: PlacementMode): number | undefined {
  const found = SHARE.exec(size);
  if (found === null) return undefined;
  const [, whole = "", fraction = ""] = found;
  // OCM divides first: 7 % of 100 are 7.000000000000001 clusters, so 8.
  if (!mode.exactRatios) return Math.ceil((Number(`${whole}.${fraction}`) / 100) * total);
  const one = 100n * 10n ** BigInt(fraction.length);
  return Number((BigInt(whole + fraction) * BigInt(total) + one - 1n) / one);
}

/**
 * Step 7: the decision groups. Each cluster goes to the first named group that matches; the rest come last. The order of the
 * clusters stays. There is always at least one group, possibly empty.
 */
export function cutGroups(selected: readonly string[], named: readonly NamedGroup[], length: number): readonly Group[] {
  const groups: Group[] = [];
  const add = (name: string, clusters: readonly string[]): void => {
    const step = Math.max(1, length);
    for (let start = 0; start < clusters.length; start += step) {
      const part = step < clusters.length ? clusters.slice(start, start + step) : clusters;
      groups.push({ index: groups.length, name, clusters: part });
    }
  };
  const taken = named.map((): string[] => []);
  const rest = selected.filter((cluster) => {
    const first = named.findIndex((group) => group.matches(cluster));
    taken[first]?.push(cluster);
    return first < 0;
  });
  for (const [position, group] of named.entries()) add(group.name, taken[position] as string[]);
  add("", rest);
  if (groups.length === 0) groups.push({ index: 0, name: "", clusters: [] });
  return groups;
}
