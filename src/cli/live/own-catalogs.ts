// What do the catalogs of a cluster contain? Each is read in the first way that leads to it, and standard error says which.

import type { CatalogIdentity } from "../../input/catalog/catalog-builder.ts";
import type { ApiServer } from "../../kube/api-server.ts";
import type { Connection } from "../../kube/connection.ts";
import { type OwnCatalog, ownCatalogs } from "../../live/cluster-catalogs.ts";
import { proxiedCatalogd } from "../../live/proxied-catalogd.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { printPlace } from "../../model/place.ts";
import { type LoadedCatalogs, loadByWays, type Reading, remoteSources, sayWay } from "../catalogs/load-catalogs.ts";

/** What is known of the cluster whose catalogs are read. */
interface Cluster {
  readonly connection: Connection;
  readonly server: ApiServer;
  readonly reading: Reading;
  readonly loaded: LoadedCatalogs;
  readonly namespace: string | undefined;
}

/** Reads the catalogs into those that are loaded; returns which were to be read. */
export async function loadOwnCatalogs(
  objects: ClusterObjects,
  { connection, server, reading, loaded, namespace }: Cluster,
): Promise<readonly CatalogIdentity[]> {
  const own = ownCatalogs(objects, {
    isInside: connection.context === undefined,
    namespace,
    proxied: (service, path) => proxiedCatalogd(server, service, path),
  });
  if (own.length === 0) return [];
  const sources = await remoteSources(reading);
  for (const one of own) {
    const { ways, place, help, secrets: _, ...identity } = one;
    const way = await loadByWays(loaded, { ...identity, path: printPlace(place) }, ways, sources, reading, help);
    if (way !== undefined) sayWay(nameOf(one), way, reading);
  }
  return own;
}

function nameOf({ name, namespace }: OwnCatalog): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
