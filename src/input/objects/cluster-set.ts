// How are ManagedClusterSet and ManagedClusterSetBinding read?

import type { ManagedClusterSet, ManagedClusterSetBinding } from "../../model/cluster-set.ts";
import { partOf } from "../../model/json.ts";
import { anything, hinting, object, text } from "../shape.ts";
import { selectorOf, textOf } from "./fields.ts";
import { identityOf, LABEL_SELECTOR, type ObjectKind, objectShape, specOf } from "./object-kind.ts";
import { warn } from "./probable-mistakes.ts";

/** OCM's ManagedClusterSet. */
export const MANAGED_CLUSTER_SET: ObjectKind<ManagedClusterSet> = {
  kind: "ManagedClusterSet",
  group: "cluster.open-cluster-management.io",
  versions: ["v1beta2"],
  namespaced: false,
  naming: "DNS subdomain",
  shape: objectShape({
    spec: object({
      clusterSelector: hinting(object({ selectorType: text, labelSelector: LABEL_SELECTOR }), {
        matchLabels: "write it below labelSelector",
        matchExpressions: "write it below labelSelector",
      }),
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
  missingNamespace: "reported",
  naming: "DNS subdomain",
  shape: objectShape({ spec: object({ clusterSet: text }), status: anything }),
  build(given) {
    const clusterSet = textOf(specOf(given), "clusterSet");
    if (clusterSet !== undefined && clusterSet !== given.name)
      warn(
        given,
        ["spec", "clusterSet"],
        `is ${JSON.stringify(clusterSet)}, but the binding has the name ${JSON.stringify(given.name)}`,
        "OCM refuses it; the name counts, so give the binding the name of its set",
      );
    return { ...identityOf(given), clusterSet };
  },
};
