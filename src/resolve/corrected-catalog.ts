// What if a bundle had other properties? A copy of the catalog with the properties of one bundle replaced.

import type { Bundle, Catalog, Channel, ChannelEntry, Package, Property } from "../model/catalog.ts";

/** The catalog with the properties of one bundle replaced; the bundle provides and states the same as before. */
export function correctedCatalog(catalog: Catalog, bundle: Bundle, properties: readonly Property[]): Catalog {
  const fresh: Bundle = { ...bundle, properties };
  const replaced = (one: Bundle): Bundle => (one === bundle ? fresh : one);
  const lists = (index: ReadonlyMap<string, readonly Bundle[]>): ReadonlyMap<string, readonly Bundle[]> =>
    new Map([...index].map(([key, list]) => [key, list.includes(bundle) ? list.map(replaced) : list]));
  const packages = new Map(
    [...catalog.packages].map(([name, owner]) => [name, name === bundle.package ? withBundle(owner, fresh) : owner]),
  );
  return { ...catalog, packages, providers: lists(catalog.providers), byPropertyType: lists(catalog.byPropertyType) };
}

function withBundle(owner: Package, fresh: Bundle): Package {
  const channels = [...owner.channels].map(([name, channel]): readonly [string, Channel] => {
    const entries = new Map(
      [...channel.entries].map(([key, entry]) => [key, key === fresh.name ? { ...entry, bundle: fresh } : entry]),
    );
    const now = (entry: ChannelEntry): ChannelEntry => entries.get(entry.name) ?? entry;
    return [name, { ...channel, entries, head: now(channel.head), chain: channel.chain.map(now) }];
  });
  const bundles = [...owner.bundles].map(([name, one]) => [name, name === fresh.name ? fresh : one] as const);
  return { ...owner, channels: new Map(channels), bundles: new Map(bundles) };
}
