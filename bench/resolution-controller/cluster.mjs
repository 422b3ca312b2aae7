// Where does the controller of the bench run? On etcd and kube-apiserver of the tests, with the kinds of OLM, a real catalog and namespaces.

import { openApi } from "../controller/api.mjs";
import { childrenOf, cpuOf } from "../controller/process-figures.mjs";
import { ms } from "../measure.mjs";
import { testbed } from "../testbed.mjs";
import { catalogSource, objectsOf, PATHS } from "./objects.mjs";
import { realDocuments, serveVersions, updatedDocuments } from "./registry.mjs";

const PARTS = ["case-documents", "certificates", "e2e/cluster", "e2e/load-objects", "e2e/kubeconfig", "e2e/opm"];

/** Starts everything but the controller; what is temporary is in `folder`. */
export async function startBed(folder, { data, namespaces, subscriptions }) {
  // As in the bench of the placement controller: API server and etcd share two cores with what is measured.
  process.env.GOGC = "off";
  process.env.GOMEMLIMIT = "3GiB";
  const parts = await testbed(folder, [...PARTS, "e2e/catalog-files"]);
  const cluster = await parts.startCluster();
  const stops = [() => cluster.stop()];
  const stop = async () => {
    for (const end of stops.toReversed()) await end();
  };
  try {
    const { etcd, "kube-apiserver": apiServer } = childrenOf();
    const begun = performance.now();
    const documents = realDocuments(data);
    const registry = await serveVersions(folder, [documents, updatedDocuments(documents)], parts);
    stops.push(() => registry.stop());
    console.error(`  two catalogs served after ${ms(performance.now() - begun)}`);
    const objects = objectsOf(documents, { namespaces, subscriptions });
    for (const path of ["test/e2e/crds.yaml", "deploy/resolution/crd.yaml"])
      await parts.loadObjects(cluster.admin, parts.documentsOf(path));
    await parts.loadObjects(cluster.admin, [catalogSource(registry.address), ...objects]);
    console.error(`  ${objects.length} objects loaded after ${ms(performance.now() - begun)}`);
    const { server } = cluster;
    const user = { token: cluster.tokens.admin };
    const api = openApi({ server, token: user.token, authority: parts.AUTHORITY });
    stops.push(() => api.close());
    return {
      ...{ api, objects, stop },
      kubeconfig: parts.writeKubeconfig(folder, { server, name: "bench", user, namespace: "default" }),
      /** CPU time of the API server and of etcd together. */
      cpu: () => cpuOf(etcd) + cpuOf(apiServer),
      writes: () => writesOf(api),
      turnTo: (version) => registry.turnTo(version),
      advices: () => followAdvices(api),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const COUNTED = /^apiserver_request_total\{code="\d+".*resource="(\w+)".*verb="(?:POST|PUT|PATCH|DELETE)".*\} (\d+)/;

/** How many requests wished to change objects, by resource, since the API server started. */
async function writesOf(api) {
  const counts = {};
  for (const line of (await api.call("GET", "/metrics")).split("\n")) {
    const [, resource, count] = COUNTED.exec(line) ?? [];
    if (resource !== undefined) counts[resource] = (counts[resource] ?? 0) + Number(count);
  }
  return counts;
}

/** Follows the inputs of the advice of each namespace. */
async function followAdvices(api) {
  const known = new Map();
  const waiting = new Set();
  const close = await api.follow(PATHS.resolutions, ({ metadata, status }, isDeleted, arrival) => {
    if (isDeleted || status?.outcome === undefined || status.observedInputs === undefined) return;
    const before = known.get(metadata.namespace);
    if (before?.inputs !== status.observedInputs)
      known.set(metadata.namespace, { inputs: status.observedInputs, arrival, status });
    for (const look of waiting) look();
  });
  const until = (isSo, limit) =>
    new Promise((done, failed) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        failed(new Error(`after ${limit / 1000} s: ${known.size} namespaces have advice`));
      }, limit);
      const look = () => {
        if (!isSo()) return;
        clearTimeout(timer);
        waiting.delete(look);
        done();
      };
      waiting.add(look);
      look();
    });
  return {
    close,
    /** The inputs by namespace, and when they came. */
    inputs: () => new Map(known),
    /** When a number of namespaces had advice that differs from what it was. */
    async renewed(before, count, limit) {
      const isNew = ([namespace, { inputs }]) => before.get(namespace)?.inputs !== inputs;
      await until(() => [...known].filter(isNew).length >= count, limit);
      return Math.max(...[...known].filter(isNew).map(([, { arrival }]) => arrival));
    },
  };
}
