// Which CRDs does the cluster have, and which custom resources?

import { type Catalog, kindKey } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { CustomResource } from "../../model/custom-resource.ts";
import { groupedBy } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import type { ClusterDefinition, Installed } from "../../model/problem.ts";
import { assumedDefinitions } from "./assumed-definitions.ts";

/**
 * The definitions that were given, and those in the bundles of installed operators, each with the objects of its kind
 * in any version.
 */
export function clusterDefinitions(
  { customResourceDefinitions: given, customResources, rejected }: ClusterObjects,
  operators: readonly Installed[],
  catalogs: readonly Catalog[],
): readonly ClusterDefinition[] {
  const objects = groupedBy(customResources.toSorted(byName), (one) => kindKey(one));
  return [...given.map((definition) => ({ definition })), ...assumedDefinitions(given, operators, catalogs)]
    .map((one) => ({
      ...one,
      objects: objects.get(kindKey(one.definition)),
      ...(rejected.some(({ kind }) => kind === one.definition.kind) && { isPartial: true as const }),
    }))
    .sort((a, b) => compareText(a.definition.name, b.definition.name));
}

/** The order of the input has no meaning. */
function byName(a: CustomResource, b: CustomResource): number {
  return (
    compareText(a.namespace ?? "", b.namespace ?? "") ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion)
  );
}
