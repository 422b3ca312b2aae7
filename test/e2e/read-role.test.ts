// Is deploy/read-role.yaml, as it is, enough to read what Plimsoll reads, and not more?

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { KINDS } from "../../src/input/objects/kind-table.ts";
import { isList, type JsonObject, partOf } from "../../src/model/json.ts";
import { type ApiClient, openClient } from "./api-client.ts";
import { listPath, ServedKinds } from "./served-kinds.ts";

const { server, tokens } = inject("cluster");
const admin = openClient({ server, token: tokens.admin as string });
const kinds = new ServedKinds(admin);
let reader: ApiClient;

beforeAll(async () => {
  const path = "/api/v1/namespaces/plimsoll/serviceaccounts/plimsoll-reader/token";
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { status, body } = await admin.call("POST", path, request);
  expect(status).toBe(201);
  reader = openClient({ server, token: partOf(body, "status").token as string });
});
afterAll(() => {
  admin.close();
  reader.close();
});

/** The answer of the API server to `kubectl auth can-i`. */
async function canI(resourceAttributes: JsonObject): Promise<boolean> {
  const { body } = await reader.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes },
  });
  return partOf(body, "status").allowed === true;
}

/** What the reader lists: everything that the readers of files know, but ConfigMaps. */
const LISTED = Object.values(KINDS)
  .filter(({ kind }) => kind !== "ConfigMap")
  .map(({ group, versions, kind }) => ({ apiVersion: `${group}/${versions[0]}`, kind }));

test.each(LISTED)("it lists $kind in all namespaces, and sees what the administrator sees", async (wanted) => {
  const path = listPath(await kinds.of(wanted));
  const namesOf = ({ items }: JsonObject) =>
    isList(items) && items.map((item) => partOf(item as JsonObject, "metadata").name);
  expect(namesOf(await reader.get(path))).toEqual(namesOf(await admin.get(path)));
});

test("it reads the version, the groups and one ConfigMap", async () => {
  expect((await reader.get("/version")).gitVersion).toMatch(/^v1\./);
  expect((await reader.get("/apis")).kind).toBe("APIGroupList");
  expect((await reader.get("/api/v1/namespaces/olm/configmaps/olm-runtime-constraints")).kind).toBe("ConfigMap");
});

test("it may get the version of OpenShift", async () => {
  const clusterVersion = { group: "config.openshift.io", resource: "clusterversions", verb: "get" };
  expect(await canI({ ...clusterVersion, name: "version" })).toBe(true);
  expect(await canI(clusterVersion)).toBe(false);
});

test.each([
  ["config.openshift.io", "imagedigestmirrorsets"],
  ["config.openshift.io", "imagetagmirrorsets"],
  ["operator.openshift.io", "imagecontentsourcepolicies"],
])("it may list the mirrors of OpenShift: %s %s", async (group, resource) => {
  expect(await canI({ group, resource, verb: "list" })).toBe(true);
});

test("it may list and watch Resolutions, and change none", async () => {
  const resolutions = { group: "plimsoll.dev", resource: "resolutions" };
  for (const verb of ["get", "list", "watch"]) expect(await canI({ ...resolutions, verb }), verb).toBe(true);
  for (const verb of ["create", "update", "patch", "delete"])
    expect(await canI({ ...resolutions, verb }), verb).toBe(false);
});

test("it may read from catalogd through the API server, and from no other Service", async () => {
  const proxy = { resource: "services", subresource: "proxy", namespace: "olmv1-system" };
  expect(await canI({ ...proxy, verb: "get", name: "https:catalogd-service:443" })).toBe(true);
  expect(await canI({ ...proxy, verb: "get", name: "https:other:443" })).toBe(false);
  expect(await canI({ ...proxy, verb: "get" })).toBe(false);
  expect(await canI({ ...proxy, verb: "create", name: "https:catalogd-service:443" })).toBe(false);
});

describe("it may not", () => {
  test.each([
    ["list", { resource: "secrets" }],
    ["get", { resource: "secrets", namespace: "plimsoll", name: "any" }],
    ["watch", { resource: "secrets" }],
    ["list", { resource: "configmaps" }],
    ["list", { resource: "configmaps", namespace: "olm" }],
    ["get", { resource: "configmaps", namespace: "olm", name: "other" }],
    ["get", { resource: "configmaps", namespace: "default", name: "olm-runtime-constraints" }],
    ["list", { resource: "pods" }],
    ["list", { group: "machinery.harbour.example.com", resource: "winches" }],
    ["create", { resource: "serviceaccounts", subresource: "token", namespace: "plimsoll", name: "plimsoll-reader" }],
    ["impersonate", { resource: "users" }],
  ])("%s %o", async (verb, attributes) => {
    expect(await canI({ verb, ...attributes })).toBe(false);
  });

  test.each(LISTED)("change $kind, or watch it", async (wanted) => {
    const { plural: resource } = await kinds.of(wanted);
    const [group] = wanted.apiVersion.split("/");
    for (const verb of ["create", "update", "patch", "delete", "deletecollection", "watch"])
      expect(await canI({ verb, group: group as string, resource }), verb).toBe(false);
  });
});

test("the API server refuses to list Secrets", async () => {
  expect(await reader.status("/api/v1/secrets")).toBe(403);
  expect(await admin.status("/api/v1/secrets")).toBe(200);
});
