// Which rights has the resolution controller? Exactly those of the table, among all kinds that the API server serves, all verbs, and
// namespaces; beyond what every service account may do.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { allResources, clientOf, may, type Rights, rightsIn, sorted } from "./account-rights.ts";
import type { ApiClient } from "./api-client.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { inEffect, rulesOf } from "./controller/account.ts";
import { loadObjects } from "./load-objects.ts";
import { mirrorDefinitions } from "./mirror-definitions.ts";

const NAMESPACE = "plimsoll-system";
const ACCOUNT = "plimsoll-resolution";
const OLM = "operators.coreos.com";
/** Every kind is listed and watched; no object is read by itself. */
const READ = ["list", "watch"];

/** In every namespace. */
const EVERYWHERE: Rights = {
  [`${OLM}/subscriptions`]: READ,
  [`${OLM}/catalogsources`]: READ,
  [`${OLM}/clusterserviceversions`]: READ,
  [`${OLM}/operatorgroups`]: READ,
  [`${OLM}/operatorconditions`]: READ,
  [`${OLM}/installplans`]: READ,
  "olm.operatorframework.io/clusterextensions": READ,
  "olm.operatorframework.io/clustercatalogs": READ,
  "apiextensions.k8s.io/customresourcedefinitions": READ,
  "config.openshift.io/imagedigestmirrorsets": ["list"],
  "config.openshift.io/imagetagmirrorsets": ["list"],
  "operator.openshift.io/imagecontentsourcepolicies": ["list"],
  "plimsoll.dev/resolutions": [...READ, "create", "delete"],
  "plimsoll.dev/resolutions/status": ["update"],
  "events.k8s.io/events": ["create", "patch"],
};
/** In its own namespace, besides. */
const AT_HOME: Rights = { "coordination.k8s.io/leases": ["create"] };

let cluster: Cluster;
let controller: ApiClient;
beforeAll(async () => {
  cluster = await startCluster();
  const files = ["crd", "service-account", "cluster-role", "lease-role"];
  const objects = files.flatMap((name) => documentsOf(`deploy/resolution/${name}.yaml`));
  await loadObjects(cluster.admin, [...documentsOf("test/e2e/crds.yaml"), ...mirrorDefinitions(), ...objects]);
  const call = async (method: string, path: string, body?: JsonObject) =>
    (await cluster.admin.call(method, path, body)).body;
  const roles = objects.filter(({ rules }) => rules !== undefined);
  expect(roles).toHaveLength(2);
  for (const role of roles) await inEffect({ call }, role, rulesOf(role), ACCOUNT);
  controller = await clientOf(cluster, ACCOUNT);
});
afterAll(async () => {
  controller?.close();
  await cluster?.stop();
});

describe("its rights are exactly those of the table", () => {
  test.each([
    ["with all namespaces", "", EVERYWHERE],
    ["in a namespace of users", "default", EVERYWHERE],
    ["in the namespace of OLM", "olm", EVERYWHERE],
    ["in its own namespace", NAMESPACE, { ...EVERYWHERE, ...AT_HOME }],
  ])("%s", async (_, namespace, rights) => {
    expect(await allResources(cluster)).toEqual(expect.arrayContaining(["/secrets", ...Object.keys(EVERYWHERE)]));
    expect(await rightsIn(cluster, ACCOUNT, namespace)).toEqual(sorted(rights));
  });
});

describe("single objects, by name", () => {
  const leases = { group: "coordination.k8s.io", resource: "leases" };
  const configMaps = { resource: "configmaps", namespace: "olm" };
  const versions = { group: "config.openshift.io", resource: "clusterversions" };
  const constraints = { ...configMaps, name: "olm-runtime-constraints" };
  test.each<readonly [boolean, JsonObject]>([
    [true, { ...leases, namespace: NAMESPACE, name: ACCOUNT, verb: "get" }],
    [true, { ...leases, namespace: NAMESPACE, name: ACCOUNT, verb: "update" }],
    [false, { ...leases, namespace: NAMESPACE, name: ACCOUNT, verb: "delete" }],
    [false, { ...leases, namespace: NAMESPACE, name: "plimsoll-placement", verb: "update" }],
    [false, { ...leases, namespace: "olm", name: ACCOUNT, verb: "get" }],
    [false, { ...constraints, verb: "get" }],
    [true, { ...constraints, verb: "list" }],
    [true, { ...constraints, verb: "watch" }],
    [false, { ...constraints, verb: "update" }],
    [false, { ...configMaps, name: "other", verb: "get" }],
    [false, { ...configMaps, verb: "list" }],
    [true, { ...versions, name: "version", verb: "get" }],
    [false, { ...versions, verb: "list" }],
  ])("%s: %o", async (allowed, attributes) => {
    expect(await may(cluster, ACCOUNT, attributes)).toBe(allowed);
  });
});

/** The status of an answer to a watch that ends after a second. */
const watched = (path: string): string => `${path}${path.includes("?") ? "&" : "?"}watch=true&timeoutSeconds=1`;

test("with its token one ConfigMap can be listed and watched, whether or not its namespace exists, and Secrets nowhere", async () => {
  const one = "fieldSelector=metadata.name%3Dolm-runtime-constraints";
  for (const namespace of ["olm", "missing"]) {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    expect(await controller.status(`${path}?${one}`), path).toBe(200);
    expect(await controller.status(watched(`${path}?${one}`)), path).toBe(200);
    expect(await controller.status(path), path).toBe(403);
    expect(await controller.status(`${path}?fieldSelector=metadata.name%3Dother`), path).toBe(403);
  }
  for (const path of ["/api/v1/secrets", `/api/v1/namespaces/${NAMESPACE}/secrets`])
    for (const one of [path, watched(path)]) expect(await controller.status(one), one).toBe(403);
});

test("its token reads and writes Resolutions, and nothing of OLM", async () => {
  const path = "/apis/plimsoll.dev/v1alpha1/namespaces/default/resolutions";
  const object = { apiVersion: "plimsoll.dev/v1alpha1", kind: "Resolution", metadata: { name: "plimsoll" } };
  const created = await controller.call("POST", path, object);
  expect(created.status).toBe(201);
  const status = { ...created.body, status: { outcome: "Resolved" } };
  expect((await controller.call("PUT", `${path}/plimsoll/status`, status)).status).toBe(200);
  expect((await controller.call("PATCH", `${path}/plimsoll/status`, {})).status).toBe(403);
  expect((await controller.call("PATCH", `${path}/plimsoll`, { spec: { mode: "Off" } })).status).toBe(403);
  expect((await controller.call("DELETE", `${path}/plimsoll`)).status).toBe(200);
  const subscriptions = `/apis/${OLM}/v1alpha1/namespaces/default/subscriptions`;
  expect((await controller.call("POST", subscriptions, {})).status).toBe(403);
});

test("what the server is and serves is readable also where system:discovery is bound to no user", async () => {
  const path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
  for (const name of ["system:discovery", "system:public-info-viewer"])
    expect((await cluster.admin.call("DELETE", `${path}/${name}`)).status).toBe(200);
  // Other paths that were readable are not any more; the API server takes a moment.
  await vi.waitFor(async () => expect(await controller.status("/healthz")).toBe(403), {
    timeout: 60_000,
    interval: 100,
  });
  for (const readable of ["/version", "/api", "/api/v1", "/apis", `/apis/${OLM}/v1alpha1`])
    expect(await controller.status(readable), readable).toBe(200);
});
