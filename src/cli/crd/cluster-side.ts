// What does the cluster have of the definitions that a new side has? They are the old side, with the objects of their kinds.

import { clusterDefinitions } from "../../crd/cluster-definitions.ts";
import { ObjectsReader } from "../../input/objects/read-objects.ts";
import { definitionQuestion } from "../../live/questions.ts";
import type { Terminal } from "../terminal.ts";
import type { LoadedInstances } from "./objects.ts";
import type { CrdOptions } from "./options.ts";
import type { Side } from "./side.ts";

/** The old side, how many operators own each definition of it, and the objects if they are read from the cluster. */
export interface ClusterSide {
  readonly old: Side;
  readonly owners: ReadonlyMap<string, number>;
  readonly instances: LoadedInstances | undefined;
}

/** Reads the cluster that the flags name. */
export async function loadClusterSide(now: Side, options: CrdOptions, terminal: Terminal): Promise<ClusterSide> {
  const { loadCluster } = await import("../live/load-cluster.ts");
  const names = new Set(now.definitions.map(({ name }) => name));
  const withInstances = options.instances !== false && options.instances.length === 0;
  const { parts, findings, codes } = await loadCluster(definitionQuestion(names, withInstances), options, terminal);
  const reader = new ObjectsReader(() => {});
  reader.addBelow(parts);
  const { side, owners, objects } = clusterDefinitions(names, reader.finish(), findings);
  return {
    old: { ...side, findings, isUnreachable: codes.length > 0 },
    owners,
    instances: withInstances ? { ...objects, findings: [], isUnreachable: false } : undefined,
  };
}
