// How does a ManagedCluster read? There may be very many: all that can be is a part of the document itself.

import type { JsonObject } from "../../model/json.ts";
import type { ClusterClaim, ManagedCluster, Quantities, Taint } from "../../model/managed-cluster.ts";
import { anything, boolean, list, map, object, quantity, text } from "../shape.ts";
import { conditionsOf, partOf, partsOf, textMapOf, textOf } from "./fields.ts";
import { CONDITIONS, isTerminating, type ObjectKind, objectShape, specOf, statusOf } from "./object-kind.ts";

/** OCM's ManagedCluster. */
export const MANAGED_CLUSTER: ObjectKind<ManagedCluster> = {
  kind: "ManagedCluster",
  group: "cluster.open-cluster-management.io",
  versions: ["v1"],
  namespaced: false,
  shape: objectShape({
    spec: object({
      hubAcceptsClient: boolean,
      taints: list(object({ key: text, value: text, effect: text, timeAdded: text })),
      leaseDurationSeconds: anything,
      managedClusterClientConfigs: anything,
    }),
    status: object({
      allocatable: map(quantity),
      capacity: map(quantity),
      clusterClaims: list(object({ name: text, value: text }, "name")),
      conditions: CONDITIONS,
      version: object({ kubernetes: text }),
      managedNamespaces: anything,
    }),
  }),
  build(given) {
    const status = statusOf(given);
    return {
      place: given.place,
      name: given.name,
      labels: textMapOf(given.metadata, "labels"),
      claims: claimsOf(partsOf(status, "clusterClaims")),
      taints: partsOf(specOf(given), "taints").map(readTaint),
      allocatable: partOf(status, "allocatable") as Quantities,
      capacity: partOf(status, "capacity") as Quantities,
      kubernetesVersion: textOf(partOf(status, "version"), "kubernetes"),
      conditions: conditionsOf(status, "conditions"),
      terminating: isTerminating(given),
      object: given.object,
    };
  },
};

/** The claims of the document where each has a value, else copies. */
function claimsOf(claims: readonly JsonObject[]): readonly ClusterClaim[] {
  const whole = claims.every((claim) => textOf(claim, "value") !== undefined);
  if (whole) return claims as unknown as readonly ClusterClaim[];
  return claims.map((claim) => ({ name: textOf(claim, "name") ?? "", value: textOf(claim, "value") ?? "" }));
}

function readTaint(taint: JsonObject): Taint {
  return {
    key: textOf(taint, "key") ?? "",
    value: textOf(taint, "value") ?? "",
    effect: textOf(taint, "effect") ?? "",
    timeAdded: textOf(taint, "timeAdded"),
  };
}
