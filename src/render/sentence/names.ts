// How is an operator called in a sentence?

import type { OperatorRef } from "../../model/operator-ref.ts";
import { CLUSTER_SCOPE } from "../../model/problem.ts";

export type Naming = (operator: OperatorRef) => string;

/** For programs: the name of the bundle or ClusterServiceVersion. */
export const byName: Naming = ({ name }) => name;

/** For people: package and version, or the name if these are unknown. */
export const byVersion: Naming = ({ name, package: owner, version }) =>
  owner === undefined || version === undefined ? name : `${owner} ${version}`;

/** `namespace/name`; the name alone for what belongs to no namespace, or if the namespace goes without saying. */
export function qualified(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === CLUSTER_SCOPE ? name : `${namespace}/${name}`;
}

/** An operator that runs elsewhere: "lamp 1.0.0 in quay", "lamp 1.0.0 of a ClusterExtension". */
export function nameWith(name: string, namespace: string): string {
  return namespace === CLUSTER_SCOPE ? `${name} of a ClusterExtension` : `${name} in ${namespace}`;
}

/** Where operators run: "namespace bridge", or "the cluster scope" for those of ClusterExtensions. */
export function scopeText(namespace: string, paint: (name: string) => string = (name) => name): string {
  return namespace === CLUSTER_SCOPE ? paint("the cluster scope") : `namespace ${paint(namespace)}`;
}

/** A namespace in a list of them. */
export function scopeName(namespace: string): string {
  return namespace === CLUSTER_SCOPE ? "cluster scope" : namespace;
}

/** All of them: "namespace bridge", "namespaces bridge, quay and the cluster scope". */
export function scopesText(namespaces: readonly string[]): string {
  const names = namespaces.filter((one) => one !== CLUSTER_SCOPE);
  const text = `${names.length === 1 ? "namespace" : "namespaces"} ${names.join(", ")}`;
  if (names.length === namespaces.length) return text;
  return names.length === 0 ? scopeText(CLUSTER_SCOPE) : `${text} and ${scopeText(CLUSTER_SCOPE)}`;
}
