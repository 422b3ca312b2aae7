// Which rights has the placement controller? Exactly those of the table, among all kinds that the API server serves, all verbs,
// and namespaces; beyond what every service account may do.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isList, isObject, type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { type ApiClient, openClient } from "./api-client.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { inEffect } from "./controller/account.ts";
import { loadObjects } from "./load-objects.ts";
import { ocmDefinitions } from "./ocm.ts";

const NAMESPACE = "plimsoll-system";
const OCM = "cluster.open-cluster-management.io";
const READ = ["list", "watch"];

/** In every namespace. */
const EVERYWHERE: Readonly<Record<string, readonly string[]>> = {
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
const AT_HOME: Readonly<Record<string, readonly string[]>> = { "coordination.k8s.io/leases": ["create"] };

const VERBS = [
  "get",
  ...READ,
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
  "impersonate",
  "bind",
  "escalate",
];

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
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/plimsoll-placement/token`;
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { body } = await cluster.admin.call("POST", path, request);
  controller = openClient({ server: cluster.server, token: partOf(body, "status").token as string });
});
afterAll(async () => {
  controller?.close();
  await cluster?.stop();
});

/** The answer of the API server to `kubectl auth can-i` for a service account. */
async function may(account: string, resourceAttributes: JsonObject): Promise<boolean> {
  const { status, body } = await cluster.admin.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: {
      user: `system:serviceaccount:${NAMESPACE}:${account}`,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${NAMESPACE}`, "system:authenticated"],
      resourceAttributes,
    },
  });
  expect(status).toBe(201);
  return partOf(body, "status").allowed === true;
}

/** The objects in a list of an object. */
function listOf(object: JsonObject, field: string): readonly JsonObject[] {
  const list = object[field];
  return isList(list) ? list.filter(isObject) : [];
}

/** Every resource and subresource of the API server, as GROUP/RESOURCE or GROUP/RESOURCE/SUBRESOURCE. */
async function allResources(): Promise<readonly string[]> {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const answers = await Promise.all([cluster.admin.get("/api", accept), cluster.admin.get("/apis", accept)]);
  const names = answers
    .flatMap((answer) => listOf(answer, "items"))
    .flatMap((group) =>
      listOf(group, "versions")
        .flatMap((version) => listOf(version, "resources"))
        .flatMap((resource) => {
          const name = `${partOf(group, "metadata").name ?? ""}/${resource.resource}`;
          // Finalizers are not served, but are a right.
          const parts = ["finalizers", ...listOf(resource, "subresources").map(({ subresource }) => subresource)];
          return [name, ...parts.map((part) => `${name}/${part}`)];
        }),
    );
  return [...new Set(names)];
}

/** What the controller may do in a namespace, or with all namespaces, beyond what every service account may do. */
async function rightsIn(namespace: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = await allResources();
  expect(names).toEqual(expect.arrayContaining(["/secrets", "/pods/exec", `${OCM}/placements/status`]));
  const found = await Promise.all(
    names.map(async (name) => {
      const [group = "", resource = "", subresource] = name.split("/");
      const attributes = { group, resource, namespace, ...(subresource && { subresource }) };
      const allowed = await Promise.all(
        VERBS.map(
          async (verb) =>
            (await may("plimsoll-placement", { ...attributes, verb })) &&
            !(await may("default", { ...attributes, verb })),
        ),
      );
      return [name, VERBS.filter((_, index) => allowed[index])] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, verbs]) => verbs.length > 0));
}

/** Rights with their verbs in order. */
function sorted(rights: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(rights).map(([name, verbs]) => [name, [...verbs].sort()]));
}

describe("its rights are exactly those of the table", () => {
  test.each([
    ["with all namespaces", "", EVERYWHERE],
    ["in a namespace of users", "default", EVERYWHERE],
    ["in its own namespace", NAMESPACE, { ...EVERYWHERE, ...AT_HOME }],
  ])("%s", async (_, namespace, rights) => {
    expect(sorted(await rightsIn(namespace))).toEqual(sorted(rights));
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
    expect(await may("plimsoll-placement", attributes)).toBe(allowed);
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
