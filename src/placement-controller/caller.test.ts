import { expect, test } from "vitest";
import type { WriteRequest } from "../kube/api-server.ts";
import type { JsonObject } from "../model/json.ts";
import { NetFailure } from "../net/failure.ts";
import { callerOf, isAllowed } from "./caller.ts";

/** A server that answers reviews with a status, and remembers them. */
function reviewing(status: JsonObject | NetFailure) {
  const requests: WriteRequest[] = [];
  const write = async (request: WriteRequest): Promise<string> => {
    requests.push(request);
    if (status instanceof NetFailure) throw status;
    return JSON.stringify({ kind: "Review", status });
  };
  return { server: { write }, requests };
}

const USER = {
  username: "system:serviceaccount:apps:reader",
  uid: "7d1f",
  groups: ["system:serviceaccounts", "system:authenticated"],
  extra: { "authentication.kubernetes.io/pod-name": ["reader-0"], "example.com/scopes": ["a", "b"] },
};
const RESOURCE = {
  verb: "get",
  group: "cluster.open-cluster-management.io",
  resource: "placements",
  namespace: "apps",
  name: "p",
} as const;

test("K9: a SubjectAccessReview has the user with groups, uid and extra fields, as the TokenReview says", async () => {
  const authentication = reviewing({ authenticated: true, user: USER });
  const user = await callerOf(authentication.server, "Bearer abc.def");
  expect(authentication.requests).toMatchObject([
    {
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/tokenreviews",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "abc.def" } },
    },
  ]);
  if (user === undefined) throw new Error("the user is known");
  const authorization = reviewing({ allowed: true });
  expect(await isAllowed(authorization.server, { ...RESOURCE, user })).toBe(true);
  const { username, ...rest } = USER;
  expect(authorization.requests).toMatchObject([
    { method: "POST", path: "/apis/authorization.k8s.io/v1/subjectaccessreviews" },
  ]);
  expect(authorization.requests[0]?.body).toEqual({
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: { user: username, ...rest, resourceAttributes: RESOURCE },
  });
});

test("K9: a user with a name alone", async () => {
  const { server } = reviewing({ authenticated: true, user: { username: "ann" } });
  const user = await callerOf(server, "bearer token");
  expect(user).toEqual({ name: "ann", groups: [], extra: {} });
  const authorization = reviewing({ allowed: false });
  expect(await isAllowed(authorization.server, { ...RESOURCE, user: { name: "ann" } })).toBe(false);
  expect(authorization.requests[0]?.body).toMatchObject({ spec: { user: "ann", groups: [], extra: {} } });
  expect(authorization.requests[0]?.body).not.toHaveProperty("spec.uid");
});

test("a caller is unknown without a token, and if the API server does not know it", async () => {
  const known = reviewing({ authenticated: true, user: USER });
  for (const header of [undefined, "", "Bearer", "Bearer  ", "Basic abc", "Bearer a b", "Bearer a\nb"])
    expect(await callerOf(known.server, header)).toBeUndefined();
  expect(known.requests).toEqual([]);
  for (const status of [
    {},
    { authenticated: false, user: USER },
    { authenticated: "true", user: USER },
    { user: USER },
    { authenticated: true },
    { authenticated: true, user: { username: "" } },
  ])
    expect(await callerOf(reviewing(status).server, "Bearer token")).toBeUndefined();
});

test("only an answer that says so is a permission", async () => {
  const user = { name: "ann" };
  for (const status of [{}, { allowed: "true" }, { allowed: 1 }, { allowed: false }])
    expect(await isAllowed(reviewing(status).server, { ...RESOURCE, user })).toBe(false);
});

test("a review that fails is no answer", async () => {
  const failure = new NetFailure("forbidden", "not allowed to create tokenreviews");
  const { server } = reviewing(failure);
  await expect(callerOf(server, "Bearer token")).rejects.toBe(failure);
  await expect(isAllowed(server, { ...RESOURCE, user: { name: "ann" } })).rejects.toBe(failure);
});
