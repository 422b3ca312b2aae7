// Which objects give an operator its permissions? Its ClusterServiceVersion states them in its install strategy; OLM
// creates ServiceAccounts, Roles and bindings from them (OLM cases E40, E41).

import { isList, isObject, type Json, type JsonObject, own, partOf } from "../../model/json.ts";

const RBAC = "rbac.authorization.k8s.io";

/** Every namespace has a ServiceAccount of this name. */
const ALWAYS_THERE = "default";

/**
 * The objects that follow from `permissions` and `clusterPermissions`. Roles and bindings are named
 * `<ClusterServiceVersion>-<ServiceAccount>`; OLM creates one of each per entry, with a hash in the name.
 */
export function permissionObjects(csv: JsonObject, name: string, namespace: string): readonly JsonObject[] {
  const strategy = partOf(partOf(partOf(csv, "spec"), "install"), "spec");
  const ofNamespace = rulesByAccount(strategy, "permissions");
  const ofCluster = rulesByAccount(strategy, "clusterPermissions");
  const accounts = [...new Set([...ofNamespace.keys(), ...ofCluster.keys()])].filter(
    (account) => account !== ALWAYS_THERE,
  );
  return [
    ...accounts.map((account) => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: account, namespace },
    })),
    ...[...ofNamespace].flatMap(([account, rules]) => role("", { name, namespace, account, rules })),
    ...[...ofCluster].flatMap(([account, rules]) => role("Cluster", { name, namespace, account, rules })),
  ];
}

interface Grant {
  readonly name: string;
  readonly namespace: string;
  readonly account: string;
  readonly rules: readonly Json[];
}

/** A role, and the binding to its ServiceAccount. */
function role(scope: "" | "Cluster", { name, namespace, account, rules }: Grant): readonly JsonObject[] {
  const metadata = { name: `${name}-${account}`, ...(scope === "" && { namespace }) };
  const apiVersion = `${RBAC}/v1`;
  return [
    { apiVersion, kind: `${scope}Role`, metadata, rules },
    {
      apiVersion,
      kind: `${scope}RoleBinding`,
      metadata,
      roleRef: { apiGroup: RBAC, kind: `${scope}Role`, name: metadata.name },
      subjects: [{ kind: "ServiceAccount", name: account, namespace }],
    },
  ];
}

/** The rules of each ServiceAccount. */
function rulesByAccount(strategy: JsonObject, key: string): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>();
  for (const entry of items(strategy, key)) {
    const account = isObject(entry) ? own(entry, "serviceAccountName") : undefined;
    if (!isObject(entry) || typeof account !== "string" || account === "") continue;
    const rules = found.get(account) ?? [];
    for (const rule of items(entry, "rules")) rules.push(rule);
    found.set(account, rules);
  }
  return found;
}

function items(object: JsonObject, key: string): readonly Json[] {
  const value = own(object, key);
  return isList(value) ? value : [];
}
