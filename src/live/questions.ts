// What does each question need from a cluster, and what does its answer not know if something cannot be read?

import { type Catalog, gvkOf, kindKey } from "../model/catalog.ts";
import { type ClusterObjects, FLEET_LISTS } from "../model/cluster-objects.ts";
import { RUNTIME_CONFIG_MAP } from "../model/config-map.ts";
import type { ClusterQuestion } from "./read-cluster.ts";
import { OPERATOR_KINDS } from "./wanted-kinds.ts";

/** About placements. */
export const FLEET_QUESTION: ClusterQuestion = { kinds: FLEET_LISTS, wantsFacts: false };

/** About the clusters on which an expression is evaluated. */
export const CLUSTERS_QUESTION: ClusterQuestion = {
  kinds: ["managedClusters", "addOnPlacementScores"],
  wantsFacts: false,
};

/** About the catalogs of a cluster. */
export const CATALOGS_QUESTION: ClusterQuestion = {
  kinds: ["catalogSources", "clusterCatalogs"],
  wantsFacts: false,
};

/** About the expressions in a cluster. */
export const EXPRESSIONS_QUESTION: ClusterQuestion = {
  kinds: ["installedOperators", "placements"],
  configMap: RUNTIME_CONFIG_MAP,
  wantsFacts: false,
  unknown: {
    installedOperators: "the expressions of installed operators are not checked",
    placements: "the expressions of Placements are not checked",
    runtimeConstraints: "their expressions are not checked",
  },
};

/** About the mistakes in a cluster. */
export const MISTAKES_QUESTION: ClusterQuestion = {
  kinds: [...OPERATOR_KINDS, ...FLEET_LISTS],
  configMap: RUNTIME_CONFIG_MAP,
  wantsFacts: false,
  unknown: { runtimeConstraints: "they are not checked" },
};

/** About definitions that are to be replaced, by name, and the objects of their kinds. */
export function definitionQuestion(names: ReadonlySet<string>, withInstances: boolean): ClusterQuestion {
  const instancesOf = ({ customResourceDefinitions }: ClusterObjects): ReadonlySet<string> =>
    new Set(customResourceDefinitions.filter(({ name }) => names.has(name)).map(kindKey));
  return {
    kinds: ["customResourceDefinitions", "installedOperators"],
    wantsFacts: false,
    unknown: {
      customResourceDefinitions: "the old definitions are unknown",
      installedOperators: "the number of owners is unknown and counts as 1",
    },
    ...(withInstances && { instancesOf }),
  };
}

/** The catalogs that an answer uses: those that were given, or those of the cluster with these objects. */
export type CatalogsOf = (objects: ClusterObjects) => Promise<readonly Catalog[]>;

/** About operators; `configMap` has the runtime constraints, unless they are given otherwise. */
export function operatorQuestion(
  catalogsOf: CatalogsOf,
  configMap: ClusterQuestion["configMap"],
  withInstances: boolean,
): ClusterQuestion {
  return {
    kinds: OPERATOR_KINDS,
    configMap,
    wantsFacts: true,
    ...(withInstances && {
      instancesOf: async (objects: ClusterObjects) => changeableKinds(objects, await catalogsOf(objects)),
    }),
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
