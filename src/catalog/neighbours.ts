// Which entries of a channel lead to a bundle, and to which does it lead?

import type { Bundle, Channel, ChannelEntry, Package } from "../model/catalog.ts";
import { inRange } from "../semver/blang-range.ts";
import { entriesInOrder } from "./order.ts";

/** The entry of a bundle (its own edges lead to it), and the entries that it can be upgraded to. */
export interface Neighbours {
  readonly entry: ChannelEntry;
  readonly replacedBy: readonly ChannelEntry[];
  readonly skippedBy: readonly ChannelEntry[];
  /** Entries whose skipRange holds the version of the bundle. */
  readonly inSkipRangeOf: readonly ChannelEntry[];
}

/** The neighbours of a bundle in a channel that lists it. */
export function neighboursOf(channel: Channel, bundle: Bundle): Neighbours {
  const entries = entriesInOrder(channel).filter(({ name }) => name !== bundle.name);
  return {
    entry: channel.entries.get(bundle.name) as ChannelEntry,
    replacedBy: entries.filter(({ replaces }) => replaces === bundle.name),
    skippedBy: entries.filter(({ skips }) => skips.includes(bundle.name)),
    inSkipRangeOf: entries.filter(({ skipRange }) => skipRange !== undefined && inRange(skipRange, bundle.version)),
  };
}

/** The channels of a package that list a bundle. */
export function channelsWith(owner: Package, bundle: Bundle): Channel[] {
  return [...owner.channels.values()].filter((channel) => channel.entries.get(bundle.name)?.bundle === bundle);
}
