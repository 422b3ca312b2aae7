// Which definitions of a cluster would be replaced, how many operators own each of them, and which objects of their kinds exist?

import { kindKey } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import type { Finding } from "../model/finding.ts";
import { groupedBy } from "../model/grouped.ts";
import { type InstalledOperator, isLeaving } from "../model/installed-operator.ts";
import type { GivenObjects } from "./check-definitions.ts";
import { type DefinitionSide, definitionSide } from "./pair-definitions.ts";

/** A cluster as the old side of a comparison. */
export interface ClusterDefinitions {
  readonly side: DefinitionSide;
  /** The number of operators that own a definition, by its name; at least 1. */
  readonly owners: ReadonlyMap<string, number>;
  /** The objects of the compared kinds, as far as they were read. */
  readonly objects: GivenObjects;
}

/** The definitions of these names, and what the cluster knows about them. */
export function clusterDefinitions(
  names: ReadonlySet<string>,
  objects: ClusterObjects,
  findings: readonly Finding[],
): ClusterDefinitions {
  const definitions = objects.customResourceDefinitions.filter(({ name }) => names.has(name));
  const source = { path: "the cluster", kind: "cluster", source: "cluster" } as const;
  return {
    side: definitionSide(source, { ...objects, customResourceDefinitions: definitions }, findings),
    owners: new Map(definitions.map((one) => [one.name, Math.max(1, ownersOf(one, objects.installedOperators))])),
    objects: {
      byKind: groupedBy(objects.customResources, kindKey),
      isDamaged: !definitions.every((one) => objects.wholeKinds?.has(kindKey(one))),
    },
  };
}

/** How many operators own a definition; copies do not count, nor does a version that is being replaced or removed. */
function ownersOf({ group, kind }: CustomResourceDefinition, operators: readonly InstalledOperator[]): number {
  const owns = ({ customResourceDefinitions: { owned } }: InstalledOperator): boolean =>
    owned.some((api) => api.group === group && api.kind === kind);
  return operators.filter((one) => !one.copied && !isLeaving(one) && owns(one)).length;
}
