// Which rights does a user of a test get? A role for objects of all namespaces, with nothing else than get and list.

import type { JsonObject } from "../../src/model/json.ts";

const RBAC = "rbac.authorization.k8s.io";

/** What users may read: for each the resources, by API group. */
export type UserRights = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The roles of the users, and their bindings. */
export function rolesOf(users: UserRights): readonly JsonObject[] {
  return Object.entries(users).flatMap(([name, groups]) => [
    {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRole",
      metadata: { name },
      rules: Object.entries(groups).map(([group, resources]) => ({
        apiGroups: [group],
        resources: [...resources],
        verbs: ["get", "list"],
      })),
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name },
      subjects: [{ apiGroup: RBAC, kind: "User", name }],
    },
  ]);
}

/** Users without a group, for the start of a cluster. */
export function namesOf(users: UserRights): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.keys(users).map((name) => [name, []]));
}
