// Which package is an operator of that does not state it? The only one in the given catalogs with a channel entry of
// its name.

import type { Catalog } from "../../model/catalog.ts";
import type { PackageOfName } from "./installed.ts";

/** Looks names up in all channels of all catalogs; the index is built on first use. */
export function packageOfName(catalogs: readonly Catalog[]): PackageOfName {
  let owners: ReadonlyMap<string, string | undefined> | undefined;
  return (name) => {
    owners ??= ownersOfEntries(catalogs);
    return owners.get(name);
  };
}

/** The package of each entry name; undefined if there are several. */
function ownersOfEntries(catalogs: readonly Catalog[]): ReadonlyMap<string, string | undefined> {
  const owners = new Map<string, string | undefined>();
  for (const catalog of catalogs)
    for (const one of catalog.packages.values())
      for (const channel of one.channels.values())
        for (const name of channel.entries.keys())
          owners.set(name, !owners.has(name) || owners.get(name) === one.name ? one.name : undefined);
  return owners;
}
