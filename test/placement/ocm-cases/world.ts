// Which fleet does a case describe, and what changes from one moment to the next? Everything is written out as a person
// would write it, in YAML, and read again: cases exercise the reader as well.

import { Timestamp } from "../../../src/cel/value/timestamp.ts";
import { DEFAULT_LIMITS } from "../../../src/input/limits.ts";
import { ObjectsReader } from "../../../src/input/objects/read-objects.ts";
import { Documents } from "../../../src/input/read-documents.ts";
import type { ClusterObjects } from "../../../src/model/cluster-objects.ts";
import type { Finding } from "../../../src/model/finding.ts";
import { canonicalText, type JsonObject } from "../../../src/model/json.ts";
import type { FleetChange } from "../../../src/placement/engine.ts";
import type { SliceWrite } from "../../../src/placement/write/safe-write-order.ts";
import { printYaml } from "../../../src/render/kit/yaml.ts";
import { BEGINNING, GROUP, type Manifests, secondsOf } from "./manifests.ts";

/** The objects as the reader gives them; `reversed` writes every document in the opposite order. Throws at any finding. */
export function readManifests(manifests: Manifests, reversed = false): ClusterObjects {
  const documents = [...manifests.values()].filter((manifest) => manifest !== null);
  return readDocuments(reversed ? documents.toReversed() : documents);
}

/** The objects of documents in their order. Throws at any error. */
export function readDocuments(documents: readonly JsonObject[]): ClusterObjects {
  const report = ({ message, place, severity }: Finding): void => {
    if (severity === "error") throw new Error(`objects.yaml:${place.line}: ${message}`);
  };
  const reader = new ObjectsReader(report, "ns1");
  const stream = new Documents({
    source: "objects.yaml",
    limits: DEFAULT_LIMITS,
    report,
    sink: (value, place) => reader.add(value, place),
  });
  stream.push(new TextEncoder().encode(documents.map((document) => printYaml(document)).join("---\n")));
  stream.end();
  return reader.finish();
}

/** The moment that a case means. */
export function momentOf(text: string | undefined): Timestamp {
  return new Timestamp(text === undefined ? BEGINNING : secondsOf(text), 0);
}

const LISTS = {
  ManagedCluster: "managedClusters",
  ManagedClusterSet: "managedClusterSets",
  ManagedClusterSetBinding: "managedClusterSetBindings",
  Placement: "placements",
  PlacementDecision: "placementDecisions",
  AddOnPlacementScore: "addOnPlacementScores",
} as const;

/** Which objects are new, different or gone after a step. */
export function changesBetween(before: Manifests, after: Manifests, objects: ClusterObjects): readonly FleetChange[] {
  const changes: FleetChange[] = [];
  for (const [key, manifest] of after) {
    const old = before.get(key) ?? null;
    if (canonicalText(old) === canonicalText(manifest)) continue;
    const [kind = "", path = ""] = key.split(" ");
    const slash = path.indexOf("/");
    const [namespace, name] = slash < 0 ? [undefined, path] : [path.slice(0, slash), path.slice(slash + 1)];
    const list: readonly { readonly name: string; readonly namespace?: string }[] =
      objects[LISTS[kind as keyof typeof LISTS]];
    const object = list.find((found) => found.name === name && found.namespace === namespace);
    changes.push({ kind, name, ...(namespace !== undefined && { namespace }), object } as FleetChange);
  }
  return changes;
}

/** Objects after changes; what is gone stays in the map as null. A Placement keeps its status. */
export function changed(before: Manifests, changes: Manifests): Manifests {
  const after = new Map(before);
  for (const [key, manifest] of changes) {
    const status = before.get(key)?.status;
    const keepsStatus = manifest?.kind === "Placement" && status !== undefined;
    after.set(key, keepsStatus ? { ...manifest, status } : manifest);
  }
  return after;
}

/** Objects after the writes of a Placement, as an API server keeps them; its status has the time when scores were written. */
export function written(
  before: Manifests,
  placement: string,
  writes: readonly SliceWrite[],
  now: Timestamp,
): Manifests {
  const namespace = placement.slice(0, placement.indexOf("/"));
  const after = new Map(before);
  for (const write of writes) {
    const key = `PlacementDecision ${namespace}/${write.name}`;
    const { metadata, ...rest } = after.get(key) ?? { apiVersion: `${GROUP}/v1beta1`, kind: "PlacementDecision" };
    const labels = "labels" in write ? { ...write.labels } : ((metadata as JsonObject)?.labels ?? {});
    const decisions = "decisions" in write ? write.decisions.map((decision) => ({ ...decision })) : undefined;
    after.set(
      key,
      write.call === "delete"
        ? null
        : {
            ...rest,
            metadata: { namespace, name: write.name, labels },
            ...(decisions !== undefined && { status: { decisions } as unknown as JsonObject }),
          },
    );
  }
  if (writes.some(({ call }) => call === "update")) {
    const key = `Placement ${placement}`;
    after.set(key, { ...after.get(key), status: { lastScoreUpdateTime: String(now) } });
  }
  return after;
}
