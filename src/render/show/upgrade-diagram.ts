// How does an upgrade graph look as a diagram? Arrows run the way an upgrade goes: solid from what an entry replaces,
// dashed from what it skips, dotted from any version in its skipRange.

import { deprecationOf } from "../../catalog/deprecation.ts";
import type { FoundBundle, FoundChannel, FoundPackage } from "../../catalog/find.ts";
import { channelsWith } from "../../catalog/neighbours.ts";
import type { Channel, ChannelEntry, Package } from "../../model/catalog.ts";
import type { BoxForm, Diagram, DiagramArrow, DiagramBox, DiagramGroup } from "../kit/diagram.ts";
import { marksText } from "../kit/look.ts";
import { entryTitle } from "./statement-text.ts";

/** The channel, every channel of the package, or what is next to the bundle in each of its channels. */
export function upgradeDiagram(found: FoundChannel | FoundPackage | FoundBundle): Diagram {
  const { package: owner } = found;
  switch (found.kind) {
    case "channel":
      return diagramOf(owner, [found.channel]);
    case "package":
      return diagramOf(owner, [...owner.channels.values()]);
    case "bundle":
      return diagramOf(owner, channelsWith(owner, found.bundle), found.bundle.name);
  }
}

/** A box by what it represents: an entry, a name without an entry, or the skipRange of an entry. */
type Key = `entry ${string}` | `range ${string}`;

interface Edge {
  readonly from: Key;
  readonly to: Key;
  readonly line: DiagramArrow["line"];
  readonly label?: string;
}

/** Ids are given in the order of channels and names. `only` keeps the arrows of one entry and what they touch. */
function diagramOf(owner: Package, channels: readonly Channel[], only?: string): Diagram {
  const groups: DiagramGroup[] = [];
  const arrows: DiagramArrow[] = [];
  let count = 0;
  for (const channel of channels) {
    const edges = edgesOf(channel).filter(
      ({ from, to }) => only === undefined || from === `entry ${only}` || to === `entry ${only}`,
    );
    const keys = new Set<Key>(edges.flatMap(({ from, to }) => [from, to]));
    for (const name of only === undefined ? channel.entries.keys() : [only]) keys.add(`entry ${name}`);
    const chain = new Set(channel.chain);
    const ids = new Map<Key, string>();
    for (const key of [...keys].sort()) ids.set(key, `n${count++}`);
    groups.push({
      label: `${owner.name}/${channel.name}${channel.name === owner.defaultChannel ? " (default)" : ""}`,
      boxes: [...ids].map(([key, id]) => ({ id, ...boxOf(key, channel, chain, owner) })),
    });
    for (const { from, to, ...rest } of edges)
      arrows.push({ from: ids.get(from) as string, to: ids.get(to) as string, ...rest });
  }
  return { groups, arrows };
}

/** In the order of entry names. */
function edgesOf(channel: Channel): Edge[] {
  return [...channel.entries.values()].flatMap(({ name, replaces, skips, skipRange }): Edge[] => {
    const to: Key = `entry ${name}`;
    return [
      ...(replaces === undefined ? [] : [{ from: `entry ${replaces}`, to, line: "solid" } as const]),
      ...[...new Set(skips)].sort().map((skip) => ({ from: `entry ${skip}`, to, line: "dashed" }) as const),
      ...(skipRange === undefined
        ? []
        : [{ from: `range ${name}`, to, line: "dotted", label: skipRange.text } as const]),
    ];
  });
}

function boxOf(key: Key, channel: Channel, chain: ReadonlySet<ChannelEntry>, owner: Package): Omit<DiagramBox, "id"> {
  if (key.startsWith("range ")) return { label: "any version", form: "absent" };
  const name = key.slice("entry ".length);
  const entry = channel.entries.get(name);
  if (entry === undefined) return { label: `${name} (not in this channel)`, form: "absent" };
  const marks = [
    ...(entry === channel.head ? ["head"] : []),
    ...(entry.bundle !== undefined && deprecationOf(owner, entry.bundle) !== undefined ? ["deprecated"] : []),
    ...(entry.bundle === undefined ? ["no bundle"] : []),
  ];
  const form: BoxForm =
    entry === channel.head ? "strong" : entry.bundle === undefined ? "absent" : chain.has(entry) ? "plain" : "weak";
  return { label: `${entryTitle(entry)}${marksText(marks)}`, form };
}
