// How is a ManagedCluster read? There may be very many: parts of the document are reused where possible.

import { type JsonObject, partOf } from "../../model/json.ts";
import type { ClusterClaim, ManagedCluster, Quantities, Taint } from "../../model/managed-cluster.ts";
import type { Path } from "../../model/place.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { anything, boolean, list, map, object, objectWith, quantity, text } from "../shape.ts";
import { conditionsOf, partsOf, textMapOf, textOf } from "./fields.ts";
import {
  CONDITIONS,
  type GivenObject,
  isTerminating,
  type ObjectKind,
  objectShape,
  specOf,
  statusOf,
} from "./object-kind.ts";
import { isTime, MAX_REPORTED, warn, warnDuplicates, warnTime } from "./probable-mistakes.ts";

/** OCM's ManagedCluster. */
export const MANAGED_CLUSTER: ObjectKind<ManagedCluster> = {
  kind: "ManagedCluster",
  group: "cluster.open-cluster-management.io",
  versions: ["v1"],
  namespaced: false,
  naming: "DNS label", // there is a namespace of its name
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
      clusterClaims: list(objectWith(["name"], { name: text, value: text })),
      conditions: CONDITIONS,
      version: object({ kubernetes: text }),
      managedNamespaces: anything,
    }),
  }),
  build(given) {
    const status = statusOf(given);
    const claims = partsOf(status, "clusterClaims");
    warnDuplicates(given, CLAIMS, claims);
    const taints = partsOf(specOf(given), "taints").map(readTaint);
    warnTaints(given, taints);
    return {
      place: given.place,
      name: given.name,
      labels: textMapOf(given.metadata, "labels"),
      claims: claimsOf(claims),
      taints,
      allocatable: partOf(status, "allocatable") as Quantities,
      capacity: partOf(status, "capacity") as Quantities,
      kubernetesVersion: textOf(partOf(status, "version"), "kubernetes"),
      conditions: conditionsOf(status, "conditions"),
      terminating: isTerminating(given),
      object: given.object,
    };
  },
};

const CLAIMS: Path = ["status", "clusterClaims"];
const TAINTS: Path = ["spec", "taints"];

/** Other spellings of taint effects (Kubernetes has different ones from OCM), and the intended effect. */
const EFFECTS: ReadonlyMap<string, string> = new Map([
  ["NoSelect", "NoSelect"],
  ["PreferNoSelect", "PreferNoSelect"],
  ["NoSelectIfNew", "NoSelectIfNew"],
  ["NoSchedule", "NoSelect"],
  ["NoExecute", "NoSelect"],
  ["PreferNoSchedule", "PreferNoSelect"],
]);

/** Reports unknown effects and invalid times. */
function warnTaints(given: GivenObject, taints: readonly Taint[]): void {
  for (let index = 0; index < taints.length && index < MAX_REPORTED; index++) {
    const { effect, timeAdded } = taints[index] as Taint;
    if (timeAdded !== undefined && !isTime(timeAdded))
      warnTime(given, [...TAINTS, index, "timeAdded"], timeAdded, "no tolerationSeconds lasts for this taint");
    if (effect !== "NoSelect" && effect !== "PreferNoSelect" && effect !== "NoSelectIfNew")
      warnEffect(given, [...TAINTS, index], effect);
  }
}

function warnEffect(given: GivenObject, path: Path, effect: string): void {
  const asItIs = "as it is, it keeps the cluster from every Placement that does not tolerate it";
  if (effect === "") {
    warn(given, path, "does not state its effect", `write effect: NoSelect; ${asItIs}`);
    return;
  }
  const meant = EFFECTS.get(didYouMean(effect, [...EFFECTS.keys()]) ?? "");
  const wrong = `is ${JSON.stringify(effect)}, which is not one of NoSelect, PreferNoSelect, NoSelectIfNew`;
  warn(
    given,
    [...path, "effect"],
    wrong,
    meant === undefined ? asItIs : `did you mean ${JSON.stringify(meant)}? A${asItIs.slice(1)}`,
  );
}

/** The claims of the document if each has a value, otherwise copies. */
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
