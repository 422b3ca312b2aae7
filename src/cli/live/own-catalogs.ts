// What do the catalogs of a cluster contain? Each is read in the first way that leads to it, and standard error says which.

import type { CatalogIdentity } from "../../input/catalog/catalog-builder.ts";
import type { ApiServer } from "../../kube/api-server.ts";
import type { Connection } from "../../kube/connection.ts";
import { type ServedApi, servedApis } from "../../kube/discovery.ts";
import { type OwnCatalog, ownCatalogs } from "../../live/cluster-catalogs.ts";
import { clusterMirrors } from "../../live/mirror-sets.ts";
import { proxiedCatalogd } from "../../live/proxied-catalogd.ts";
import { OPENSHIFT_SECRET, type PullSecrets, pullSecrets, secretsFor } from "../../live/pull-secrets.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { printPlace } from "../../model/place.ts";
import { failureOfOne, type NetFailure } from "../../net/failure.ts";
import { type Credentials, combinedCredentials } from "../../oci/login.ts";
import { type LoadedCatalogs, loadByWays, type Reading, remoteSources, sayWay } from "../catalogs/load-catalogs.ts";
import type { RunSetting } from "../catalogs/remote-setting.ts";
import { note } from "../question/usage-error.ts";

/** What is known of the cluster whose catalogs are read. */
interface Cluster {
  readonly connection: Connection;
  readonly server: ApiServer;
  readonly reading: Reading;
  readonly loaded: LoadedCatalogs;
  readonly namespace: string | undefined;
  readonly isOfClusterScope: boolean;
}

/** Which catalogs were to be read, and how images of the cluster are read. */
export interface OwnCatalogs {
  readonly references: readonly CatalogIdentity[];
  readonly setting: RunSetting | undefined;
}

/** Reads the catalogs into those that are loaded. */
export async function loadOwnCatalogs(
  objects: ClusterObjects,
  { connection, server, reading, loaded, namespace, isOfClusterScope }: Cluster,
): Promise<OwnCatalogs> {
  const own = ownCatalogs(objects, {
    isInside: connection.context === undefined,
    namespace,
    isOfClusterScope,
    server: connection.server,
    proxied: (service, path) => proxiedCatalogd(server, connection.server, service, path),
  });
  if (own.length === 0) return { references: [], setting: undefined };
  const sources = await remoteSources(reading);
  const settings = await clusterSetting(own, sources.setting, { server, reading });
  for (const one of own) {
    const { ways, place, help, secrets, ...identity } = one;
    const reference = { ...identity, path: printPlace(place) };
    const helpFor = (wantsCredentials: boolean): string =>
      wantsCredentials && reading.flags.pullSecrets !== true ? `${secretsHelp(secrets)}; or ${help}` : help;
    const setting = settings.ofCatalog(one);
    const way = await loadByWays(loaded, { reference, ways, help: helpFor }, { ...sources, setting }, reading);
    if (way !== undefined) sayWay(nameOf(one), way, reading);
  }
  return { references: own, setting: settings.ofBundles };
}

/** How the images of a cluster are read: those of catalogs, and those of the bundles of any of them. */
interface ClusterSettings {
  readonly ofCatalog: (one: OwnCatalog) => RunSetting;
  readonly ofBundles: RunSetting;
}

async function apisOf(server: ApiServer, onUnread: (failure: NetFailure) => void): Promise<readonly ServedApi[]> {
  try {
    return (await servedApis(server)).apis;
  } catch (error) {
    onUnread(failureOfOne(error));
    return [];
  }
}

/** The setting for each catalog: with the mirrors that the cluster declares, and, if asked for, with its own pull secrets. */
async function clusterSetting(
  own: readonly OwnCatalog[],
  setting: RunSetting,
  { server, reading: { flags, terminal } }: Pick<Cluster, "server" | "reading">,
): Promise<ClusterSettings> {
  if (!own.some(({ ways }) => ways.some(({ kind }) => kind === "image")))
    return { ofCatalog: () => setting, ofBundles: setting };
  const say = (what: string, { message }: NetFailure): void => {
    if (!flags.quiet) note(`${what} could not be read: ${message}`, terminal);
  };
  const apis = await apisOf(server, (failure) => say("the mirrors of the cluster", failure));
  const mirrors = await clusterMirrors(server, apis, (kind, failure) => say(`the mirrors of kind ${kind}`, failure));
  const isOpenshift = apis.some(({ group }) => group === "config.openshift.io");
  const names = own.flatMap(({ namespace, secrets }) =>
    namespace === undefined ? [] : secrets.map((name) => ({ namespace, name })),
  );
  const secrets: PullSecrets = flags.pullSecrets
    ? await pullSecrets(server, [...names, ...(isOpenshift ? [OPENSHIFT_SECRET] : [])], (secret, failure) => {
        // Few clusters of OpenShift have none, and no catalog names it.
        if (secret === OPENSHIFT_SECRET && failure.kind === "not-found") return;
        say(`the pull secret ${secret.namespace}/${secret.name}`, failure);
      })
    : new Map();
  const { registry } = setting;
  const all = [...setting.mirrors, ...mirrors];
  const withCredentials = (more: readonly Credentials[]): RunSetting => {
    const credentials = combinedCredentials([registry.credentials, ...more]);
    return { ...setting, mirrors: all, registry: { ...registry, credentials } };
  };
  return {
    ofCatalog: (one) => withCredentials(secretsFor(one, secrets)),
    ofBundles: withCredentials([...secrets.values()]),
  };
}

/** How the credentials of the cluster are used. */
function secretsHelp(secrets: readonly string[]): string {
  const which = secrets.length === 0 ? "the pull secrets of the cluster" : `its pull secret ${secrets.join(", ")}`;
  return `add --pull-secrets, which reads ${which}`;
}

function nameOf({ name, namespace }: OwnCatalog): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
