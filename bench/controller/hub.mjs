// How does the bench get a hub? etcd and kube-apiserver of the tests, with OCM's own CRDs, filled with objects; and how does every
// contestant start from nothing on it?
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ocmFolder, serversFolder } from "../../test/e2e/servers/servers.mjs";
import { ms } from "../measure.mjs";
import { testbed } from "../testbed.mjs";
import { forEachAtOnce, openApi } from "./api.mjs";
import { storeClusters } from "./many-clusters.mjs";
import { NAMESPACE, PATHS, SET, shardedCluster } from "./objects.mjs";
import { childrenOf, cpuOf } from "./process-figures.mjs";

/** Starts a cluster with a fleet in some shards, and objects; everything temporary is in `folder`. */
export async function startHub(folder, { clusters, shards, objects, memory = "3GiB" }) {
  process.env.KUBEBUILDER_ASSETS = await serversFolder();
  // API server and etcd share two cores with what is measured, and marking the memory of an API server takes a core for a second: their
  // garbage is collected only when there are gigabytes of it. No more than that: the first use of a page of memory is as
  // expensive. The same for every contestant.
  process.env.GOGC = "off";
  process.env.GOMEMLIMIT = memory;
  const { AUTHORITY, documentsOf, loadObjects, startCluster, writeKubeconfig } = await testbed(folder, [
    "case-documents",
    "certificates",
    "e2e/cluster",
    "e2e/load-objects",
    "e2e/kubeconfig",
  ]);
  const cluster = await startCluster();
  try {
    const { server } = cluster;
    const token = cluster.tokens.admin;
    const begun = performance.now();
    const crds = join(await ocmFolder(), "crds");
    for (const name of readdirSync(crds)) await loadObjects(cluster.admin, documentsOf(join(crds, name)));
    await loadObjects(cluster.admin, [...SET, ...objects, shardedCluster(0, shards)]);
    const api = openApi({ server, token, authority: AUTHORITY });
    const { etcd, "kube-apiserver": apiServer } = childrenOf();
    await storeClusters(api, etcd, { count: clusters, make: (index) => shardedCluster(index, shards) });
    console.error(`  loaded in ${ms(performance.now() - begun)}`);
    const kubeconfig = writeKubeconfig(folder, { server, name: "bench", user: { token }, namespace: NAMESPACE });
    return {
      ...{ api, kubeconfig },
      /** CPU time of the API server and of etcd together. */
      cpu: () => cpuOf(etcd) + cpuOf(apiServer),
      writes: () => writesOf(api),
      stop: async () => {
        api.close();
        await cluster.stop();
      },
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** A request that changes something, as the API server counts it. */
const COUNTED =
  /^apiserver_request_total\{code="(\d+)".*resource="(placements|placementdecisions|events)".*verb="(?:POST|PUT|PATCH|DELETE)".*\} (\d+)/;

/** How many requests changed Placements, PlacementDecisions and events, and how many were refused, since the API server started. */
async function writesOf(api) {
  const counts = { placements: 0, placementdecisions: 0, events: 0, refused: 0 };
  for (const line of (await api.call("GET", "/metrics")).split("\n")) {
    const [, code, resource, count] = COUNTED.exec(line) ?? [];
    if (resource !== undefined) counts[code < "400" ? resource : "refused"] += Number(count);
  }
  return counts;
}

/** How many requests were sent between two counts. */
export function writesBetween(before, after) {
  return Object.fromEntries(Object.entries(after).map(([resource, count]) => [resource, count - before[resource]]));
}

/** Takes away what a contestant wrote: decisions, statuses of Placements, events. */
export async function startFromNothing({ api }) {
  for (const path of [PATHS.decisions, PATHS.events]) {
    const names = [];
    await api.list(path, ({ metadata }) => names.push(metadata.name));
    await forEachAtOnce(names, (name) => api.call("DELETE", `${path}/${name}`));
  }
  const placements = [];
  await api.list(PATHS.placements, ({ metadata, status }) => status && placements.push(metadata.name));
  await forEachAtOnce(placements, (name) => api.call("PATCH", `${PATHS.placements}/${name}/status`, { status: null }));
}
