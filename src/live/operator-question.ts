// What does a question about operators need from a cluster? Also the custom resources whose definitions the answer may change.

import { type Catalog, gvkOf, kindKey } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import type { ClusterQuestion } from "./read-cluster.ts";
import { OPERATOR_KINDS } from "./wanted-kinds.ts";

/** The question; `configMap` has the runtime constraints, unless they are given otherwise. */
export function operatorQuestion(
  catalogs: readonly Catalog[],
  configMap: ClusterQuestion["configMap"],
  withInstances: boolean,
): ClusterQuestion {
  return {
    kinds: OPERATOR_KINDS,
    configMap,
    wantsFacts: true,
    ...(withInstances && { instancesOf: (objects: ClusterObjects) => changeableKinds(objects, catalogs) }),
  };
}

/** The custom kinds of the cluster that an operator owns or a bundle provides: an update may change their definitions. */
export function changeableKinds(
  { customResourceDefinitions, installedOperators }: ClusterObjects,
  catalogs: readonly Catalog[],
): ReadonlySet<string> {
  const provided = new Set<string>();
  for (const { customResourceDefinitions: apis } of installedOperators)
    for (const api of apis.owned) provided.add(kindKey(api));
  for (const { providers } of catalogs) for (const key of providers.keys()) provided.add(kindKey(gvkOf(key)));
  return new Set(customResourceDefinitions.map(kindKey).filter((key) => provided.has(key)));
}
