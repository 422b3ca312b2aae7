// Can an installed operator be updated to an entry of a channel?

import type { ChannelEntry } from "../model/catalog.ts";
import type { Installed } from "../model/problem.ts";
import { inRange } from "../semver/blang-range.ts";

/** How an entry can be reached from an installed operator. */
export type EdgeKind = "replaces" | "skips" | "skipRange";

/** The edge that leads from an installed operator to an entry; nothing if none does, or if it is that operator. */
export function edgeFrom(installed: Pick<Installed, "name" | "version">, entry: ChannelEntry): EdgeKind | undefined {
  if (entry.name === installed.name) return undefined;
  if (entry.replaces === installed.name) return "replaces";
  if (entry.skips.includes(installed.name)) return "skips";
  const { skipRange } = entry;
  if (skipRange !== undefined && installed.version !== undefined && inRange(skipRange, installed.version))
    return "skipRange";
  return undefined;
}

/** Does an edge lead from an installed operator to an entry? */
export function hasEdge(installed: Pick<Installed, "name" | "version">, entry: ChannelEntry): boolean {
  return edgeFrom(installed, entry) !== undefined;
}
