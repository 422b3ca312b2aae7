// What does an API server say about its cluster? Its version, that of OpenShift, and the APIs that no operator provides.

import type { ServedApi } from "../kube/discovery.ts";
import { type Gvk, kindKey, type Property } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { compareText, isList, isObject, type Json, own, partOf } from "../model/json.ts";

/** The property of a version as servers write it; none if there is no version. */
export function versionProperty(type: string, version: string | undefined): readonly Property[] {
  const plain = version?.trim().replace(/^v/, "");
  return plain === undefined || plain === "" ? [] : [{ type, value: plain }];
}

/** The version of OpenShift: the last update that was completed, or else the desired one. */
export function openshiftVersion(clusterVersion: Json): string | undefined {
  if (!isObject(clusterVersion)) return undefined;
  const status = partOf(clusterVersion, "status");
  const history = own(status, "history");
  const updates = isList(history) ? history.filter(isObject) : [];
  const done = updates.find((update) => own(update, "state") === "Completed");
  const version = own(done ?? partOf(status, "desired"), "version");
  return typeof version === "string" ? version : undefined;
}

/**
 * The APIs of the server itself, and of APIServices that no operator owns: the cluster provides them. A CRD without an operator
 * provides nothing, so kinds that have a definition are left out; if the definitions are unknown, all but Kubernetes' own groups.
 */
export function servedProperties(apis: readonly ServedApi[], objects: ClusterObjects): readonly Property[] {
  const defined = new Set(objects.customResourceDefinitions.map(kindKey));
  for (const { apiServices } of objects.installedOperators)
    for (const api of apiServices.owned) defined.add(kindKey(api));
  const areUnknown = objects.lost.kinds?.has("CustomResourceDefinition") === true;
  return apis
    .filter((api) => !defined.has(kindKey(api)) && !(areUnknown && !isOfKubernetes(api.group)))
    .map(({ group, version, kind }): Gvk => ({ group, version, kind }))
    .sort((a, b) => compareText(a.group, b.group) || compareText(a.kind, b.kind) || compareText(a.version, b.version))
    .map((value) => ({ type: "olm.gvk", value: { ...value } }));
}

/** Groups that only Kubernetes defines: those without a dot, and those of k8s.io. */
function isOfKubernetes(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}
