// What can a person type to do what nobody else does? Commands for kubectl, where every name in them is one that Kubernetes
// allows: anything else could mean something to a shell.

import { canonicalText } from "../../model/json.ts";

const MAX_NAME_LENGTH = 253;

function isPlain(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(name);
}

/** Writes every object of a kind again; a CustomResourceDefinition is named after the plural and the group of its kind. */
export function rewriteCommand(definition: string): string | undefined {
  return isPlain(definition) ? `kubectl get ${definition} -A -o json | kubectl replace -f -` : undefined;
}

/** Tells the cluster in which versions objects are stored. */
export function patchCommand(definition: string, storedVersions: readonly string[]): string | undefined {
  if (![definition, ...storedVersions].every(isPlain)) return undefined;
  const patch = canonicalText({ status: { storedVersions } });
  return `kubectl patch customresourcedefinitions.apiextensions.k8s.io ${definition} --subresource=status --type=merge -p '${patch}'`;
}

/** What is removed with an operator. */
export type RemovedKind = keyof typeof RESOURCES;

/** As kubectl calls them: other systems have Subscriptions, too. */
const RESOURCES = {
  Subscription: "subscriptions.operators.coreos.com",
  ClusterServiceVersion: "clusterserviceversions.operators.coreos.com",
} as const;

/** Removes an object. */
export function removalCommand(kind: RemovedKind, name: string, namespace: string): string | undefined {
  return [name, namespace].every(isPlain) ? `kubectl delete ${RESOURCES[kind]} ${name} -n ${namespace}` : undefined;
}
