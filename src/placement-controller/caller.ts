// Who asks, and may they? The API server knows: a TokenReview says whose token it is, a SubjectAccessReview what that user may do.

import type { ApiServer } from "../kube/api-server.ts";
import { isObject, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import { parsedJson } from "../net/json-fields.ts";
import type { AccessReview, DebugUser } from "../placement/ocm/debug-request.ts";

type Reviewing = Pick<ApiServer, "write">;

/** Milliseconds for a review. */
const TIMEOUT = 5000;

/** The user of an Authorization header; undefined if there is none, or the API server does not know the token. */
export async function callerOf(server: Reviewing, authorization: string | undefined): Promise<DebugUser | undefined> {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/=-]{1,16384})$/i.exec(authorization ?? "") ?? [];
  if (token === undefined) return undefined;
  const status = await review(server, "authentication.k8s.io", "TokenReview", { token });
  const user = partOf(status, "user");
  const name = own(user, "username");
  if (own(status, "authenticated") !== true || typeof name !== "string" || name === "") return undefined;
  const uid = own(user, "uid");
  return {
    name,
    ...(typeof uid === "string" && { uid }),
    groups: texts(own(user, "groups")),
    extra: Object.fromEntries(Object.entries(partOf(user, "extra")).map(([key, values]) => [key, texts(values)])),
  };
}

/** May the user do that? */
export async function isAllowed(server: Reviewing, { user, ...resource }: AccessReview): Promise<boolean> {
  const { name, uid, groups = [], extra = {} } = user;
  const status = await review(server, "authorization.k8s.io", "SubjectAccessReview", {
    user: name,
    ...(uid !== undefined && { uid }),
    groups,
    extra,
    resourceAttributes: resource,
  });
  return own(status, "allowed") === true;
}

/** The status of a review. */
async function review(server: Reviewing, group: string, kind: string, spec: JsonObject): Promise<JsonObject> {
  const text = await server.write({
    method: "POST",
    path: `/apis/${group}/v1/${kind.toLowerCase()}s`,
    body: { apiVersion: `${group}/v1`, kind, spec },
    timeout: TIMEOUT,
  });
  const answer = parsedJson(text) as Json;
  return isObject(answer) ? partOf(answer, "status") : {};
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
