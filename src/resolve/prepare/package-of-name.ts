// To which package does an operator belong that does not say it? To the only one of the given catalogs that has a channel
// entry of its name.

import type { Catalog } from "../../model/catalog.ts";
import type { PackageOfName } from "./installed.ts";

/** Looks names up in all channels of all catalogs; nothing is done before the first name is asked for. */
export function packageOfName(catalogs: readonly Catalog[]): PackageOfName {
  let owners: ReadonlyMap<string, string | undefined> | undefined;
  return (name) => {
    owners ??= ownersOfEntries(catalogs);
    return owners.get(name);
  };
}

/** The package of each entry; nothing where there are several. */
function ownersOfEntries(catalogs: readonly Catalog[]): ReadonlyMap<string, string | undefined> {
  const owners = new Map<string, string | undefined>();
  for (const catalog of catalogs)
    for (const one of catalog.packages.values())
      for (const channel of one.channels.values())
        for (const name of channel.entries.keys())
          owners.set(name, !owners.has(name) || owners.get(name) === one.name ? one.name : undefined);
  return owners;
}
