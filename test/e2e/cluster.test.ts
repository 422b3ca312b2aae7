// Do the servers of the tests behave as a cluster does: users without rights, certificates, an outage, a crash, expired tokens, a
// full etcd, controllers?

import { request } from "node:https";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { AUTHORITY, certificate } from "../certificates.ts";
import { openClient } from "./api-client.ts";
import { type Cluster, canRunControllers, startCluster } from "./cluster.ts";
import { quotaFlag } from "./etcd.ts";
import { loadObjects } from "./load-objects.ts";

const shared = inject("cluster");
/** Only a garbage collector that does not run takes this long. */
const WAIT = { timeout: 120_000, interval: 200 };
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

test("a user without rights is known, and may read nothing", async () => {
  const stranger = openClient({ server: shared.server, token: shared.tokens["without-rights"] as string });
  expect(await stranger.status("/version")).toBe(200);
  expect(await stranger.status("/apis/operators.coreos.com/v1alpha1/subscriptions")).toBe(403);
  stranger.close();
});

test("a wrong token is refused", async () => {
  const stranger = openClient({ server: shared.server, token: "wrong" });
  expect(await stranger.status("/version")).toBe(401);
  stranger.close();
});

test("a client certificate has a name and groups", async () => {
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
  const review = await new Promise<string>((done, failed) => {
    const sent = request(
      `${shared.server}${path}`,
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        ca: AUTHORITY,
        cert: certificate("client.crt"),
        key: certificate("client.key"),
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () => done(text));
      },
    );
    sent.on("error", failed).end(body);
  });
  const { username, groups } = partOf(partOf(JSON.parse(review), "status"), "userInfo");
  expect(username).toBe("cert-user");
  expect(groups).toContain("plimsoll-testers");
});

/** A ConfigMap with a number. */
function numbered(index: number): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `map-${index}`, namespace: "default" } };
}

test("an outage keeps the data, and compaction lets a continue token expire", async () => {
  await loadObjects(cluster.admin, [numbered(1), numbered(2), numbered(3)]);
  const { metadata } = await cluster.admin.get(`${CONFIG_MAPS}?limit=1`);
  const token = encodeURIComponent((metadata as JsonObject).continue as string);
  await cluster.restartApiServer();
  expect(await cluster.admin.status(`${CONFIG_MAPS}/map-3`)).toBe(200);
  expect(await cluster.admin.status(`${CONFIG_MAPS}?limit=1&continue=${token}`)).toBe(200);
  await loadObjects(cluster.admin, [numbered(4)]);
  await cluster.forgetHistory();
  const { status, body } = await cluster.admin.call("GET", `${CONFIG_MAPS}?limit=1&continue=${token}`);
  expect([status, body.reason]).toEqual([410, "Expired"]);
});

test("a crash keeps the data, and the address refuses connections until it is started again", async () => {
  await loadObjects(cluster.admin, [numbered(11)]);
  await cluster.killApiServer();
  expect(await cluster.admin.status("/readyz")).toBe(0);
  await cluster.startApiServer();
  expect(await cluster.admin.status(`${CONFIG_MAPS}/map-11`)).toBe(200);
});

test("a compaction lets old versions expire that the API server does not have in its cache", async () => {
  await loadObjects(cluster.admin, [numbered(21)]);
  const { resourceVersion } = partOf(await cluster.admin.get(CONFIG_MAPS), "metadata");
  await loadObjects(cluster.admin, [numbered(22)]);
  await cluster.restartApiServer();
  const old = `${CONFIG_MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
  expect(await cluster.admin.status(old)).toBe(200);
  await cluster.compact();
  expect(await cluster.admin.status(old)).toBe(410);
  expect(await cluster.admin.status(CONFIG_MAPS)).toBe(200);
});

test("a full etcd refuses writes until there is room", async () => {
  const small = await startCluster({ etcdFlags: [quotaFlag(8 * 1024 * 1024)] });
  try {
    const data = { filler: "x".repeat(900_000) };
    let refused: JsonObject | undefined;
    for (let index = 0; index < 20 && refused === undefined; index++) {
      const { status, body } = await small.admin.call("POST", CONFIG_MAPS, { ...numbered(index), data });
      if (status !== 201) refused = body;
    }
    expect(refused?.message).toContain("database space exceeded");
    expect(await small.admin.status(`${CONFIG_MAPS}/map-0`)).toBe(200);
    expect((await small.admin.call("POST", CONFIG_MAPS, numbered(30))).status).toBe(500);
    // While it is full, etcd also refuses to delete; the administrator first gives it room for that.
    await small.makeRoom();
    expect((await small.admin.call("DELETE", `${CONFIG_MAPS}/map-0`)).status).toBe(200);
    await small.makeRoom();
    expect((await small.admin.call("POST", CONFIG_MAPS, numbered(30))).status).toBe(201);
  } finally {
    await small.stop();
  }
});

test.skipIf(!canRunControllers())("exactly the wanted controllers run", async () => {
  const managed = await startCluster({ controllers: ["garbage-collector-controller"] });
  try {
    await loadObjects(managed.admin, [numbered(1)]);
    const { uid } = partOf(await managed.admin.get(`${CONFIG_MAPS}/map-1`), "metadata");
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "map-1", uid };
    await loadObjects(managed.admin, [
      { ...numbered(2), metadata: { name: "map-2", namespace: "default", ownerReferences: [owner] } } as JsonObject,
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "kept" } },
    ]);
    await managed.admin.call("DELETE", `${CONFIG_MAPS}/map-1`);
    await managed.admin.call("DELETE", "/api/v1/namespaces/kept");
    await vi.waitFor(async () => expect(await managed.admin.status(`${CONFIG_MAPS}/map-2`)).toBe(404), WAIT);
    // The controller that would remove the namespace does not run.
    expect(await managed.admin.status("/api/v1/namespaces/kept")).toBe(200);
  } finally {
    await managed.stop();
  }
});

test("what the API server refuses is named", async () => {
  const bad = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "Not A Name", namespace: "default" } };
  await expect(loadObjects(cluster.admin, [bad, numbered(5)])).rejects.toThrow(
    /refused 1 objects:\nConfigMap Not A Name: 422/,
  );
  expect(await cluster.admin.status(`${CONFIG_MAPS}/map-5`)).toBe(200);
});

test("the kinds of crds.yaml are served as soon as they are loaded", async () => {
  const definitions = documentsOf("test/e2e/crds.yaml");
  expect(definitions).toHaveLength(15);
  await loadObjects(cluster.admin, definitions);
  for (const definition of definitions) {
    const { group, names, versions } = partOf(definition, "spec");
    for (const { name } of versions as readonly JsonObject[])
      expect(await cluster.admin.status(`/apis/${group}/${name}/${(names as JsonObject).plural}`)).toBe(200);
  }
});
