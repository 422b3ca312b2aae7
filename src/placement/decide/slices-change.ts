// Which PlacementDecisions change when a few clusters become selected or unselected? Visiting all of 100,000 clusters would take
// longer than one change may.

import type { Group, Slice } from "../placement-result.ts";
import { compareSlices, type DecidedSlices, freeNames, SLICE_SIZE } from "./decided-slices.ts";

/** The difference between the decided and the selected clusters. */
export interface SelectionChange {
  /** Selected and not decided, by name. */
  readonly added: readonly string[];
  /** Decided and not selected. */
  readonly removed: readonly string[];
}

/** A slice that may change. */
interface Part {
  readonly name: string;
  readonly number: number | undefined;
  clusters: readonly string[];
}

/** The slices of the only group, made from tidy slices. Slices that the change does not affect keep their lists of clusters. */
export function changeSlices(
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
