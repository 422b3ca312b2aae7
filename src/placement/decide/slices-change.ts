// Which PlacementDecisions are others when a few clusters come or go? With a hundred thousand clusters, looking at all of
// them would take longer than the change may.

import type { Group, Slice } from "../placement-result.ts";
import { compareSlices, type DecidedSlices, SLICE_SIZE } from "./decided-slices.ts";
import { SliceNames } from "./slices-names.ts";

/** In what the selected clusters differ from the decided ones. */
export interface SelectionChange {
  /** Selected and not decided, by name. */
  readonly added: readonly string[];
  /** Decided and not selected. */
  readonly removed: readonly string[];
}

/** A slice that may be another one. */
interface Part {
  readonly name: string;
  readonly number: number | undefined;
  clusters: readonly string[];
}

/** The slices of the only group, made from tidy slices. Those that the change does not touch keep their lists of clusters. */
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
  const names = new SliceNames(placement, decided);
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
    const part: Part = { ...names.next(), clusters: [] };
    fill(part);
    parts.push(part);
  }
  const filled = parts.filter(({ clusters }) => clusters.length > 0);
  const rest = filled.length > 0 ? filled.sort(compareSlices) : parts.slice(0, 1);
  return rest.map(({ name, clusters }) => ({ name, groupIndex: group.index, groupName: group.name, clusters }));
}
