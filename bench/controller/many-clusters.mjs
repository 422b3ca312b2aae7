// How do very many clusters get into a hub in seconds? One is created through the API server, with its status; the others are written
// to etcd as the API server would have stored them. It sees them by its own watch.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { PATHS } from "./objects.mjs";

/** etcd allows 128 in one transaction. */
const AT_ONCE = 100;
const PREFIX = "/registry/cluster.open-cluster-management.io/managedclusters/";

/** Writes all clusters but the first one, which exists already; `etcd` is the process id. */
export async function storeClusters(api, etcd, { count, make }) {
  const address = addressOf(etcd);
  const { metadata } = JSON.parse(await api.call("GET", `${PATHS.clusters}/${make(0).metadata.name}`));
  const { resourceVersion: _, ...written } = metadata;
  const put = (index) => {
    const cluster = make(index);
    const stored = { ...cluster, metadata: { ...written, ...cluster.metadata, uid: randomUUID() } };
    return { requestPut: { key: base64(PREFIX + cluster.metadata.name), value: base64(JSON.stringify(stored)) } };
  };
  for (let from = 1; from < count; from += AT_ONCE) {
    const success = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => put(from + index));
    const answer = await fetch(`${address}/v3/kv/txn`, { method: "POST", body: JSON.stringify({ success }) });
    if (!answer.ok) throw new Error(`etcd answers ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  await visible(api, count, metadata.name);
}

/** Waits until the API server has all of them in its cache, at a version that it gave out itself. */
async function visible(api, count, first) {
  await api.call("PATCH", `${PATHS.clusters}/${first}`, {
    metadata: { annotations: { "bench.example.com/loaded": "yes" } },
  });
  for (let listed = 0; listed !== count; ) {
    listed = 0;
    await api.list(PATHS.clusters, () => listed++);
  }
}

/** Where an etcd of the tests listens. */
function addressOf(pid) {
  const flag = readFileSync(`/proc/${pid}/cmdline`, "utf8")
    .split("\0")
    .find((text) => text.startsWith("--listen-client-urls="));
  return flag.slice(flag.indexOf("=") + 1);
}

const base64 = (text) => Buffer.from(text).toString("base64");
