// Which namespaces are to be resolved, and are the ClusterExtensions, too? Is anything requested or installed there?

import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { compareText } from "../../model/json.ts";
import { CLUSTER_SCOPE, type Problem } from "../../model/problem.ts";
import { didYouMean } from "../../text/did-you-mean.ts";

/** The namespaces with Subscriptions, sorted. */
export function namespacesWithSubscriptions({
  subscriptions,
}: Pick<ClusterObjects, "subscriptions">): readonly string[] {
  return [...new Set(subscriptions.map(({ namespace }) => namespace))].sort(compareText);
}

/**
 * The namespaces to resolve, with `CLUSTER_SCOPE` for the ClusterExtensions; or why they are unknown: there are no
 * Subscriptions, or there are several namespaces with Subscriptions, or one and ClusterExtensions.
 */
export type NamespaceChoice =
  | { readonly kind: "chosen"; readonly namespaces: readonly string[] }
  | { readonly kind: "no-subscriptions" }
  | { readonly kind: "several"; readonly namespaces: readonly string[]; readonly hasExtensions: boolean };

/** What a question says about where it is asked. */
export interface Asking {
  readonly namespace?: string | undefined;
  readonly scope?: "cluster" | undefined;
  readonly isAll: boolean;
  /** The namespace that is meant if it has Subscriptions: that of the user's context. */
  readonly preferred?: string | undefined;
}

/**
 * All namespaces with Subscriptions, and the ClusterExtensions; the named one; the preferred or the only one with
 * Subscriptions, or the ClusterExtensions; or `default` without any.
 */
export function chooseNamespaces(
  { namespace, scope, isAll, preferred }: Asking,
  objects: Pick<ClusterObjects, "subscriptions" | "clusterExtensions">,
): NamespaceChoice {
  const known = namespacesWithSubscriptions(objects);
  const hasExtensions = objects.clusterExtensions.length > 0;
  const all = hasExtensions ? [...known, CLUSTER_SCOPE] : known;
  if (scope === "cluster") return { kind: "chosen", namespaces: [CLUSTER_SCOPE] };
  if (isAll) return all.length > 0 ? { kind: "chosen", namespaces: all } : { kind: "no-subscriptions" };
  if (namespace !== undefined) return { kind: "chosen", namespaces: [namespace] };
  if (preferred !== undefined && known.includes(preferred)) return { kind: "chosen", namespaces: [preferred] };
  if (all.length > 1) return { kind: "several", namespaces: known, hasExtensions };
  return { kind: "chosen", namespaces: all.length === 1 ? all : ["default"] };
}

/** A named namespace without Subscriptions and operators; others have Subscriptions, and one may have been meant. */
export interface EmptyNamespace {
  readonly code: "empty-namespace";
  readonly in: string;
  readonly known: readonly string[];
  readonly meant?: string;
}

/** Why there is nothing to resolve: nothing is requested or installed, perhaps because the namespace is misspelt. */
export function nothingAsked(
  problems: readonly Problem[],
  namespace: string | undefined,
  objects: Pick<ClusterObjects, "subscriptions">,
): EmptyNamespace | { readonly code: "nothing-asked" } | undefined {
  if (problems.some(({ requests, installed, gone }) => requests.length + installed.length + gone.length > 0))
    return undefined;
  const known = namespacesWithSubscriptions(objects);
  if (namespace === undefined || known.length === 0) return { code: "nothing-asked" };
  const meant = didYouMean(namespace, known);
  return { code: "empty-namespace", in: namespace, known, ...(meant !== undefined && { meant }) };
}

/** Is a Subscription of these namespaces, or a ClusterExtension, invalid? It is a request without an answer. */
export function hasInvalidSubscription(
  { rejected }: Pick<ClusterObjects, "rejected">,
  namespaces: readonly string[],
): boolean {
  return rejected.some(({ kind, namespace }) =>
    kind === "ClusterExtension"
      ? namespaces.includes(CLUSTER_SCOPE)
      : kind === "Subscription" && (namespace === undefined || namespaces.includes(namespace)),
  );
}
