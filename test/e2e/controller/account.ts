// Whose rights does a controller have in a test? Those of its service account in deploy/, as kustomize renders it, and no others: every
// test shows that they are enough.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isList, isObject, type JsonObject, partOf } from "../../../src/model/json.ts";
import { loadObjects } from "../load-objects.ts";
import { type Controller, kustomized, NAMESPACE } from "../manifests.ts";
import type { Hub } from "./hub.ts";
import { until } from "./until.ts";

/** The namespace of the placement controller, and its Lease there. */
export const HOME: { readonly namespace: string; readonly leaseName: string } = {
  namespace: NAMESPACE,
  leaseName: "plimsoll-placement",
};
/** What says who may do what. Nothing else of the manifests is needed: no pod runs here. */
const KINDS = ["ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];

/** The service account on a hub. */
export interface Account {
  /** A token as that of a pod; audit logs name the pod. */
  tokenOf(pod: string): Promise<string>;
}

/** The name of the service account of a controller, of its roles, and of its Lease. */
export function accountOf(controller: Controller): string {
  return `plimsoll-${controller}`;
}

/** Installs the service account with its roles, and waits until they are in effect. */
export async function installAccount(
  hub: Pick<Hub, "admin" | "call" | "servers">,
  controller: Controller = "placement",
): Promise<Account> {
  const home = mkdtempSync(join(tmpdir(), "plimsoll-account-"));
  const kubectl = { servers: hub.servers, kubeconfig: join(home, "none"), home };
  const folder = `deploy/${controller}`;
  const objects = Object.values(await kustomized(kubectl, folder)).filter(({ kind }) => KINDS.includes(`${kind}`));
  if (objects.length !== KINDS.length) throw new Error(`${folder} has other roles than expected`);
  await loadObjects(hub.admin, objects);
  const account = accountOf(controller);
  for (const role of objects.filter(({ rules }) => rules !== undefined))
    await inEffect(hub, role, rulesOf(role), account);
  const tokens = new Map<string, Promise<string>>();
  return {
    tokenOf(pod) {
      const token = tokens.get(pod) ?? tokenFor(hub, account, pod);
      tokens.set(pod, token);
      return token;
    },
  };
}

async function tokenFor(hub: Pick<Hub, "call">, account: string, pod: string): Promise<string> {
  const pods = `/api/v1/namespaces/${HOME.namespace}/pods`;
  await hub.call("POST", pods, {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: pod } },
    spec: { serviceAccountName: account, containers: [{ name: "controller", image: "plimsoll" }] },
  });
  const path = `/api/v1/namespaces/${HOME.namespace}/serviceaccounts/${account}/token`;
  const spec = { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: pod } };
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
  return `${partOf(await hub.call("POST", path, request), "status").token}`;
}

/**
 * Waits until the service account may do just what the rules of a role say, of all that the role of the manifests says. The API server
 * notices a change of a role a little later.
 */
export async function inEffect(
  hub: Pick<Hub, "call">,
  role: JsonObject,
  rules: readonly JsonObject[] = rulesOf(role),
  account: string = accountOf("placement"),
): Promise<void> {
  const namespace = role.kind === "Role" ? HOME.namespace : undefined;
  const expected = new Set(rules.flatMap(rightsOf));
  for (const right of rulesOf(role).flatMap(rightsOf))
    await until(`the role is in effect: ${right}`, async () => {
      return (await may(hub, account, right, namespace)) === expected.has(right) || undefined;
    });
}

/** The rules of a role. */
export function rulesOf(role: JsonObject): readonly JsonObject[] {
  return isList(role.rules) ? role.rules.filter(isObject) : [];
}

/** `GROUP RESOURCE/SUBRESOURCE NAME VERB` each; or `PATH VERB`, for paths without a wildcard. */
function rightsOf(rule: JsonObject): readonly string[] {
  const {
    apiGroups = [],
    resources = [],
    resourceNames = [""],
    nonResourceURLs = [],
    verbs = [],
  } = rule as Record<string, readonly string[]>;
  const objects = apiGroups.flatMap((group) =>
    resources.flatMap((resource) => resourceNames.map((name) => `${group} ${resource} ${name}`)),
  );
  const paths = nonResourceURLs.filter((path) => !path.includes("*"));
  return [...objects, ...paths].flatMap((what) => verbs.map((verb) => `${what} ${verb}`));
}

async function may(
  hub: Pick<Hub, "call">,
  account: string,
  right: string,
  namespace: string | undefined,
): Promise<boolean> {
  const { status } = await hub.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    ...{ apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview" },
    spec: {
      user: `system:serviceaccount:${HOME.namespace}:${account}`,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${HOME.namespace}`, "system:authenticated"],
      ...attributesOf(right, namespace),
    },
  });
  return isObject(status) && status.allowed === true;
}

function attributesOf(right: string, namespace: string | undefined): JsonObject {
  const words = right.split(" ");
  if (right.startsWith("/")) return { nonResourceAttributes: { path: words[0] ?? "", verb: words[1] ?? "" } };
  const [group = "", resources = "", name = "", verb = ""] = words;
  const [resource = "", subresource = ""] = resources.split("/");
  const of = namespace === undefined ? {} : { namespace };
  return { resourceAttributes: { group, resource, subresource, name, verb, ...of } };
}
