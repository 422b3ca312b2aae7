// Which entries are skipped on the way to the head, and by which entries? Every skipped entry belongs to the first entry of
// the chain that skips it, directly or through other skipped entries.

import type { Channel, ChannelEntry } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import { entriesNewestFirst } from "./order.ts";

/** An entry that another one skips. */
export interface Skip {
  readonly skipper: ChannelEntry;
  readonly skipped: ChannelEntry;
}

/** Which entry skips which in a channel; every skipped entry is in exactly one list. */
export interface ChainSkips {
  /** The skips that belong to an entry of the chain. */
  readonly of: ReadonlyMap<ChannelEntry, readonly Skip[]>;
  /** Skips of entries that only skip each other. */
  readonly apart: readonly Skip[];
  /** Other names that an entry skips: listed elsewhere, or not in the channel. */
  readonly also: ReadonlyMap<ChannelEntry, readonly string[]>;
}

/** Finds the place of every skipped entry. */
export function chainSkips(channel: Channel): ChainSkips {
  const listed = new Set<ChannelEntry>(channel.chain);
  const also = new Map<ChannelEntry, string[]>();
  const follow = (first: ChannelEntry): Skip[] => {
    const skips: Skip[] = [];
    const skippers = [first];
    for (const skipper of skippers) {
      const names = [...new Set(skipper.skips)];
      const entries = entriesNewestFirst(names.flatMap((name) => channel.entries.get(name) ?? []));
      const news = entries.filter((entry) => !listed.has(entry));
      for (const skipped of news) {
        listed.add(skipped);
        skips.push({ skipper, skipped });
        skippers.push(skipped);
      }
      const isNew = new Set(news.map(({ name }) => name));
      const rest = names.filter((name) => !isNew.has(name)).sort(compareText);
      if (rest.length > 0) also.set(skipper, rest);
    }
    return skips;
  };
  const of = new Map(channel.chain.map((entry) => [entry, follow(entry)]));
  const apart: Skip[] = [];
  for (const entry of entriesNewestFirst(channel.entries.values()))
    if (!listed.has(entry)) for (const skip of follow(entry)) apart.push(skip);
  return { of, apart, also };
}
