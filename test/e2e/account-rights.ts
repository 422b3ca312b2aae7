// Which rights has a service account of the manifests? Looked up for all kinds that the API server serves, all verbs, beyond what every
// service account may do.

import { isList, isObject, type JsonObject, partOf } from "../../src/model/json.ts";
import { type ApiClient, openClient } from "./api-client.ts";
import type { Cluster } from "./cluster.ts";

/** The namespace of the service account. */
const NAMESPACE = "plimsoll-system";

/** Verbs by resource, as GROUP/RESOURCE or GROUP/RESOURCE/SUBRESOURCE. */
export type Rights = Readonly<Record<string, readonly string[]>>;

const VERBS = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
  "impersonate",
  "bind",
  "escalate",
];

/** A client with a token of a service account. */
export async function clientOf({ admin, server }: Cluster, account: string): Promise<ApiClient> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${account}/token`;
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { body } = await admin.call("POST", path, request);
  return openClient({ server, token: partOf(body, "status").token as string });
}

/** The answer of the API server to `kubectl auth can-i` for a service account. */
export async function may({ admin }: Cluster, account: string, attributes: JsonObject): Promise<boolean> {
  const { status, body } = await admin.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: {
      user: `system:serviceaccount:${NAMESPACE}:${account}`,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${NAMESPACE}`, "system:authenticated"],
      resourceAttributes: attributes,
    },
  });
  if (status !== 201) throw new Error(`${status}: ${body.message}`);
  return partOf(body, "status").allowed === true;
}

/** The objects in a list of an object. */
function listOf(object: JsonObject, field: string): readonly JsonObject[] {
  const list = object[field];
  return isList(list) ? list.filter(isObject) : [];
}

/** Every resource and subresource of the API server. */
export async function allResources({ admin }: Cluster): Promise<readonly string[]> {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const answers = await Promise.all([admin.get("/api", accept), admin.get("/apis", accept)]);
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

/** What a service account may do in a namespace, or with all namespaces, beyond what every service account may do. */
export async function rightsIn(cluster: Cluster, account: string, namespace: string): Promise<Rights> {
  const found = await Promise.all(
    (await allResources(cluster)).map(async (name) => {
      const [group = "", resource = "", subresource] = name.split("/");
      const attributes = { group, resource, namespace, ...(subresource && { subresource }) };
      const allowed = await Promise.all(
        VERBS.map(
          async (verb) =>
            (await may(cluster, account, { ...attributes, verb })) &&
            !(await may(cluster, "default", { ...attributes, verb })),
        ),
      );
      return [name, VERBS.filter((_, index) => allowed[index])] as const;
    }),
  );
  return sorted(Object.fromEntries(found.filter(([, verbs]) => verbs.length > 0)));
}

/** Rights with their verbs in order. */
export function sorted(rights: Rights): Rights {
  return Object.fromEntries(Object.entries(rights).map(([name, verbs]) => [name, [...verbs].sort()]));
}
