// Which rights has the placement controller? Exactly those of the table, among all kinds that the API server serves, all verbs,
// and namespaces; beyond what every service account may do.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { allResources, clientOf, may, type Rights, rightsIn, sorted } from "./account-rights.ts";
import type { ApiClient } from "./api-client.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { inEffect } from "./controller/account.ts";
import { loadObjects } from "./load-objects.ts";
import { ocmDefinitions } from "./ocm.ts";

const NAMESPACE = "plimsoll-system";
const ACCOUNT = "plimsoll-placement";
const OCM = "cluster.open-cluster-management.io";
const READ = ["list", "watch"];

/** In every namespace. */
const EVERYWHERE: Rights = {
  [`${OCM}/managedclusters`]: READ,
  [`${OCM}/managedclustersets`]: READ,
  [`${OCM}/managedclustersetbindings`]: READ,
  [`${OCM}/addonplacementscores`]: READ,
  [`${OCM}/placements`]: READ,
  [`${OCM}/placements/status`]: ["patch"],
  [`${OCM}/placements/finalizers`]: ["update"],
  [`${OCM}/placementdecisions`]: [...READ, "create", "patch", "delete"],
  [`${OCM}/placementdecisions/status`]: ["update"],
  "events.k8s.io/events": ["create", "patch"],
  "authentication.k8s.io/tokenreviews": ["create"],
  "authorization.k8s.io/subjectaccessreviews": ["create"],
};
/** In its own namespace, besides. */
const AT_HOME: Rights = { "coordination.k8s.io/leases": ["create"] };

let cluster: Cluster;
let controller: ApiClient;
beforeAll(async () => {
  cluster = await startCluster();
  const roles = ["service-account", "cluster-role", "lease-role"].flatMap((name) =>
    documentsOf(`deploy/placement/${name}.yaml`),
  );
  await loadObjects(cluster.admin, [...ocmDefinitions(), ...roles]);
  const call = async (method: string, path: string, body?: JsonObject) =>
    (await cluster.admin.call(method, path, body)).body;
  for (const role of roles.filter(({ rules }) => rules !== undefined)) await inEffect({ call }, role);
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
    ["in its own namespace", NAMESPACE, { ...EVERYWHERE, ...AT_HOME }],
  ])("%s", async (_, namespace, rights) => {
    const names = await allResources(cluster);
    expect(names).toEqual(expect.arrayContaining(["/secrets", "/pods/exec", `${OCM}/placements/status`]));
    expect(await rightsIn(cluster, ACCOUNT, namespace)).toEqual(sorted(rights));
  });
});

describe("single objects, by name", () => {
  const leases = { group: "coordination.k8s.io", resource: "leases" };
  const deployments = { group: "apps", resource: "deployments" };
  const hub = "open-cluster-management-hub";
  test.each<readonly [boolean, JsonObject]>([
    [true, { ...leases, namespace: NAMESPACE, name: "plimsoll-placement", verb: "get" }],
    [true, { ...leases, namespace: NAMESPACE, name: "plimsoll-placement", verb: "update" }],
    [false, { ...leases, namespace: NAMESPACE, name: "plimsoll-placement", verb: "delete" }],
    [false, { ...leases, namespace: NAMESPACE, name: "other", verb: "get" }],
    [false, { ...leases, namespace: NAMESPACE, name: "other", verb: "update" }],
    [false, { ...leases, namespace: hub, name: "plimsoll-placement", verb: "get" }],
    [true, { ...leases, namespace: hub, name: "placement-lock", verb: "get" }],
    [false, { ...leases, namespace: hub, name: "placement-lock", verb: "update" }],
    [false, { ...leases, namespace: hub, name: "registration-lock", verb: "get" }],
    [true, { ...deployments, namespace: hub, name: "cluster-manager-placement-controller", verb: "get" }],
    [false, { ...deployments, namespace: hub, name: "cluster-manager-placement-controller", verb: "patch" }],
    [false, { ...deployments, namespace: hub, name: "cluster-manager-registration-controller", verb: "get" }],
  ])("%s: %o", async (allowed, attributes) => {
    expect(await may(cluster, ACCOUNT, attributes)).toBe(allowed);
  });
});

test("with its token Placements are readable, and Secrets nowhere", async () => {
  expect(await controller.status(`/apis/${OCM}/v1beta1/placements`)).toBe(200);
  await loadObjects(cluster.admin, [
    { apiVersion: "v1", kind: "Secret", metadata: { name: "secret", namespace: NAMESPACE } },
    { apiVersion: "v1", kind: "Secret", metadata: { name: "secret", namespace: "default" } },
  ]);
  for (const path of [
    "/api/v1/secrets",
    "/api/v1/secrets?watch=true&timeoutSeconds=1",
    ...[NAMESPACE, "default"].flatMap((namespace) => [
      `/api/v1/namespaces/${namespace}/secrets`,
      `/api/v1/namespaces/${namespace}/secrets?watch=true&timeoutSeconds=1`,
      `/api/v1/namespaces/${namespace}/secrets/secret`,
    ]),
  ]) {
    expect(await controller.status(path), path).toBe(403);
    expect(await cluster.admin.status(path), path).toBe(200);
  }
});

test("the schemas of the CRDs are readable also where system:discovery is bound to no user", async () => {
  const binding = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:discovery";
  expect((await cluster.admin.call("DELETE", binding)).status).toBe(200);
  // Other paths that were readable are not any more; the API server takes a moment.
  await vi.waitFor(async () => expect(await controller.status("/apis")).toBe(403), { timeout: 60_000, interval: 100 });
  expect(await controller.status("/openapi/v3")).toBe(200);
  expect(await controller.status(`/openapi/v3/apis/${OCM}/v1beta1`)).toBe(200);
  expect(await controller.status("/openapi/v2")).toBe(403);
});
