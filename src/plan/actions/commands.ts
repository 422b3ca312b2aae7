// Which kubectl commands do what OLM does not? Every name in them is a valid Kubernetes name: anything else could be
// special to a shell.

import { canonicalText } from "../../model/json.ts";

const MAX_NAME_LENGTH = 253;

function isPlain(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(name);
}

/** Rewrites every object of a kind; the name of a CustomResourceDefinition is the plural and group of its kind. */
export function rewriteCommand(definition: string): string | undefined {
  return isPlain(definition) ? `kubectl get ${definition} -A -o json | kubectl replace -f -` : undefined;
}

/** Sets the stored versions. */
export function patchCommand(definition: string, storedVersions: readonly string[]): string | undefined {
  if (![definition, ...storedVersions].every(isPlain)) return undefined;
  const patch = canonicalText({ status: { storedVersions } });
  return `kubectl patch customresourcedefinitions.apiextensions.k8s.io ${definition} --subresource=status --type=merge -p '${patch}'`;
}

/** What is removed with an operator. */
export type RemovedKind = keyof typeof RESOURCES;

/** Full resource names: other systems have Subscriptions, too. */
const RESOURCES = {
  Subscription: "subscriptions.operators.coreos.com",
  ClusterServiceVersion: "clusterserviceversions.operators.coreos.com",
} as const;

/** Removes an object. */
export function removalCommand(kind: RemovedKind, name: string, namespace: string): string | undefined {
  return [name, namespace].every(isPlain) ? `kubectl delete ${RESOURCES[kind]} ${name} -n ${namespace}` : undefined;
}
