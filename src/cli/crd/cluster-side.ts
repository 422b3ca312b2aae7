// What does the cluster have of the definitions that a new side has? They are the old side, with the objects of their kinds.

import { definitionSide } from "../../crd/pair-definitions.ts";
import { ObjectsReader } from "../../input/objects/read-objects.ts";
import { kindKey } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { CustomResourceDefinition } from "../../model/custom-resource.ts";
import { groupedBy } from "../../model/grouped.ts";
import type { Terminal } from "../terminal.ts";
import type { LoadedInstances } from "./objects.ts";
import type { CrdOptions } from "./options.ts";
import type { Side } from "./side.ts";

/** The old side, and the objects if they are read from the cluster. */
export interface ClusterSide {
  readonly old: Side;
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
      kinds: ["customResourceDefinitions"],
      wantsFacts: false,
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
