// What does the cluster have of the definitions that a new side has? They are the old side, with the objects of their kinds.

import { definitionSide } from "../../crd/pair-definitions.ts";
import { ObjectsReader } from "../../input/objects/read-objects.ts";
import { kindKey } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { groupedBy } from "../../model/grouped.ts";
import type { InstalledOperator } from "../../model/installed-operator.ts";
import type { Terminal } from "../terminal.ts";
import type { LoadedInstances } from "./objects.ts";
import type { CrdOptions } from "./options.ts";
import type { Side } from "./side.ts";

/** The old side, how many operators own a definition of it, and the objects if they are read from the cluster. */
export interface ClusterSide {
  readonly old: Side;
  readonly owners: number;
  readonly instances: LoadedInstances | undefined;
}

/** Reads the cluster that the flags name. */
export async function loadClusterSide(now: Side, options: CrdOptions, terminal: Terminal): Promise<ClusterSide> {
  const { loadCluster } = await import("../live/load-cluster.ts");
  const isMeant = ({ name }: CustomResourceDefinition): boolean => now.definitions.some((one) => one.name === name);
  const kindsIn = ({ customResourceDefinitions }: ClusterObjects): ReadonlySet<string> =>
    new Set(customResourceDefinitions.filter(isMeant).map(kindKey));
  const withInstances = Array.isArray(options.instances) && options.instances.length === 0;
  const loaded = await loadCluster(
    {
      kinds: ["customResourceDefinitions", "installedOperators"],
      wantsFacts: false,
      unknown: {
        customResourceDefinitions: "the old definitions are unknown",
        installedOperators: "the number of owners is unknown and counts as 1",
      },
      ...(withInstances && { instancesOf: kindsIn }),
    },
    options,
    true,
    terminal,
  );
  const { parts = [], findings = [], codes = [] } = "missing" in loaded ? {} : loaded;
  const reader = new ObjectsReader(() => {});
  reader.addBelow(parts);
  const objects = reader.finish();
  const definitions = objects.customResourceDefinitions.filter(isMeant);
  const side = definitionSide(
    { path: "the cluster", kind: "cluster", source: "cluster" },
    { ...objects, customResourceDefinitions: definitions },
    findings,
  );
  const isWhole = definitions.every((one) => objects.wholeKinds?.has(kindKey(one)));
  return {
    owners: Math.max(1, ...definitions.map((one) => ownersOf(one, objects))),
    old: { ...side, findings, isUnreachable: codes.length > 0 },
    instances: withInstances
      ? {
          byKind: groupedBy(objects.customResources, kindKey),
          isDamaged: !isWhole,
          findings: [],
          isUnreachable: false,
        }
      : undefined,
  };
}

/** How many operators own a definition; a version that is being replaced or removed does not count. */
function ownersOf({ group, kind }: CustomResourceDefinition, { installedOperators }: ClusterObjects): number {
  const isOwner = ({ copied, phase, customResourceDefinitions: { owned } }: InstalledOperator): boolean =>
    !copied &&
    phase !== "Replacing" &&
    phase !== "Deleting" &&
    owned.some((api) => api.group === group && api.kind === kind);
  return installedOperators.filter(isOwner).length;
}
