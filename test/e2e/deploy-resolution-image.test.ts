// Does the resolution controller run in the pod of its manifests? With its service account and its flags, where nothing but the volume of
// the cache can be written, it leads, makes the Resolution of a namespace, and answers the probes.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { testFolder } from "./command.ts";
import { inEffect, rulesOf } from "./controller/account.ts";
import { accountFiles, copied, freeFlagsOf, probesOf, startImage, urlOf } from "./image.ts";
import { loadObjects } from "./load-objects.ts";
import { charted, kustomized, NAMESPACE, podOf, RESOLUTION, RESOLUTION_BASE } from "./manifests.ts";

const ACCOUNT = "plimsoll-resolution";
const SUBSCRIPTION: JsonObject = {
  apiVersion: "operators.coreos.com/v1alpha1",
  kind: "Subscription",
  metadata: { namespace: "cargo", name: "lading" },
  spec: { name: "lading", channel: "stable", source: "missing", sourceNamespace: "olm" },
};
/** Where the volume of the cache is mounted here. */
const VOLUME = "/srv";
const folder = testFolder("resolution-image");
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
  const files = ["crd", "service-account", "cluster-role", "lease-role"];
  const objects = files.flatMap((name) => documentsOf(`deploy/resolution/${name}.yaml`));
  await loadObjects(cluster.admin, [...documentsOf("test/e2e/crds.yaml"), ...objects, SUBSCRIPTION]);
  const call = async (method: string, path: string, body?: JsonObject) =>
    (await cluster.admin.call(method, path, body)).body;
  for (const role of objects.filter(({ rules }) => rules !== undefined))
    await inEffect({ call }, role, rulesOf(role), ACCOUNT);
});
afterAll(() => cluster?.stop());

/** The variables of a container, with the volume where it is here. */
function environmentOf({ env }: JsonObject): readonly string[] {
  return (env as readonly JsonObject[]).map(
    ({ name, value }) => `${name}=${`${value}`.replace("/cache/", `${VOLUME}/`)}`,
  );
}

test("leads and advises there with the service account of its pod, and answers the probes of the manifests", async () => {
  const kubectl = { servers: cluster.servers, kubeconfig: join(folder, "none"), home: folder };
  const { container } = podOf(await kustomized(kubectl, RESOLUTION_BASE), "resolution");
  const { container: ofChart } = podOf(await charted(folder, RESOLUTION), "resolution");
  const { hostname, port } = new URL(cluster.server);
  const server = [`KUBERNETES_SERVICE_HOST=${hostname}`, `KUBERNETES_SERVICE_PORT=${port}`];
  const account = await accountFiles(cluster, ACCOUNT, join(folder, "account"));
  const image = copied(1, join(folder, "image"));
  const surroundings = {
    input: account,
    account,
    environment: [...environmentOf(container), ...server],
    volume: VOLUME,
  };
  const running = startImage(image, surroundings, folder, freeFlagsOf(container));
  let log = "";
  running.process.stderr.on("data", (text: string) => {
    log += text;
  });
  try {
    await running.says('"message":"leading"');
    const resolution = "/apis/plimsoll.dev/v1alpha1/namespaces/cargo/resolutions/plimsoll";
    await vi.waitFor(
      async () =>
        expect(await cluster.admin.get(resolution)).toMatchObject({
          metadata: { labels: { "app.kubernetes.io/managed-by": "plimsoll" } },
          spec: { mode: "Advise" },
          status: { outcome: expect.any(String), counts: { unsatisfied: 1 } },
        }),
      { timeout: 60_000, interval: 100 },
    );
    for (const probes of [probesOf(container), probesOf(ofChart)]) {
      expect(probes.map(({ probe }) => probe)).toEqual(["livenessProbe", "readinessProbe"]);
      for (const { probe, path, server: named } of probes) {
        const answer = await fetch(`${urlOf(log, named)}${path}`);
        expect([probe, answer.status, await answer.text()]).toEqual([probe, 200, "ok\n"]);
      }
    }
  } finally {
    running.process.kill("SIGTERM");
  }
  const { code, out, err } = await running.ended;
  expect([code, out]).toEqual([0, ""]);
  expect(err).not.toContain("PLIMSOLL_CACHE");
  const lease = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/${ACCOUNT}`;
  expect((await cluster.admin.get(lease)).kind).toBe("Lease");
});

test("the volume of the cache is one that the command uses", async () => {
  const image = copied(1, join(folder, "listed"));
  const environment = [`PLIMSOLL_CACHE_DIR=${VOLUME}/plimsoll`];
  const input = join(folder, "input");
  mkdirSync(input);
  const { code, out, err } = await startImage(image, { input, environment, volume: VOLUME }, folder, [
    ...["cache", "list", "-o", "json"],
  ]).ended;
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ directory: `${VOLUME}/plimsoll` });
});
