// What is a catalog if some of its bundles have more properties than it carries? The same catalog with these bundles, and
// everything that refers to them.

import type { Bundle, Catalog, Channel, ChannelEntry, Package, Property } from "../../model/catalog.ts";
import { indexBundles } from "./assemble.ts";

/** The catalog in which bundles have further properties; those of other bundles stay as they are. */
export function withProperties(catalog: Catalog, more: ReadonlyMap<Bundle, readonly Property[]>): Catalog {
  const changed = new Map<Bundle, Bundle>();
  for (const [bundle, properties] of more)
    changed.set(bundle, { ...bundle, properties: [...bundle.properties, ...properties] });
  const packages = new Map<string, Package>();
  let isChanged = false;
  for (const [name, one] of catalog.packages) {
    const isOwn = [...one.bundles.values()].some((bundle) => changed.has(bundle));
    isChanged ||= isOwn;
    packages.set(name, isOwn ? changedPackage(one, changed) : one);
  }
  return isChanged ? { ...catalog, packages, ...indexBundles(packages) } : catalog;
}

function changedPackage(one: Package, changed: ReadonlyMap<Bundle, Bundle>): Package {
  const bundles = new Map([...one.bundles].map(([name, bundle]) => [name, changed.get(bundle) ?? bundle]));
  const channels = new Map([...one.channels].map(([name, channel]) => [name, changedChannel(channel, changed)]));
  return { ...one, bundles, channels };
}

function changedChannel(channel: Channel, changed: ReadonlyMap<Bundle, Bundle>): Channel {
  const entries = new Map<string, ChannelEntry>();
  for (const [name, entry] of channel.entries) {
    const bundle = entry.bundle && changed.get(entry.bundle);
    entries.set(name, bundle === undefined ? entry : { ...entry, bundle });
  }
  const now = (entry: ChannelEntry): ChannelEntry => entries.get(entry.name) ?? entry;
  return { ...channel, entries, head: now(channel.head), chain: channel.chain.map(now) };
}
