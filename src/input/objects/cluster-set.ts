// How do ManagedClusterSet and ManagedClusterSetBinding read?

import type { ManagedClusterSet, ManagedClusterSetBinding } from "../../model/cluster-set.ts";
import { anything, object, text } from "../shape.ts";
import { partOf, selectorOf, textOf } from "./fields.ts";
import { LABEL_SELECTOR, type ObjectKind, objectShape, specOf } from "./object-kind.ts";

/** OCM's ManagedClusterSet. */
export const MANAGED_CLUSTER_SET: ObjectKind<ManagedClusterSet> = {
  kind: "ManagedClusterSet",
  group: "cluster.open-cluster-management.io",
  versions: ["v1beta2"],
  namespaced: false,
  shape: objectShape({
    spec: object({
      clusterSelector: object({ selectorType: text, labelSelector: LABEL_SELECTOR }),
      managedNamespaces: anything,
    }),
    status: anything,
  }),
  build(given) {
    const selector = partOf(specOf(given), "clusterSelector");
    return {
      place: given.place,
      name: given.name,
      selectorType: textOf(selector, "selectorType") ?? "ExclusiveClusterSetLabel",
      labelSelector: selectorOf(selector, "labelSelector"),
    };
  },
};

/** OCM's ManagedClusterSetBinding. */
export const MANAGED_CLUSTER_SET_BINDING: ObjectKind<ManagedClusterSetBinding> = {
  kind: "ManagedClusterSetBinding",
  group: "cluster.open-cluster-management.io",
  versions: ["v1beta2", "v1beta1"],
  namespaced: true,
  shape: objectShape({ spec: object({ clusterSet: text }), status: anything }),
  build(given) {
    return {
      place: given.place,
      namespace: given.namespace,
      name: given.name,
      clusterSet: textOf(specOf(given), "clusterSet"),
    };
  },
};
