// Which requests to the API server are the writes of the engine? PlacementDecisions with the labels and the owner reference that OCM's
// consumers expect.

import type { ObjectVersion, PlannedWrite } from "../controller/ordered-writes.ts";
import { listPath, objectPath } from "../kube/path.ts";
import { type JsonObject, own } from "../model/json.ts";
import type { ClusterDecision } from "../model/placement-decision.ts";
import type { SliceWrite } from "../placement/write/safe-write-order.ts";
import { apiOf, type WatchedItem } from "./watched-kinds.ts";

const PLACEMENTS = apiOf("placements");
const DECISIONS = apiOf("placementDecisions");
const TYPE = { apiVersion: `${DECISIONS.group}/${DECISIONS.version}`, kind: DECISIONS.kind };

type Placement = WatchedItem<"placements">;
type Decision = WatchedItem<"placementDecisions">;

/** A kind that is written. */
export type WrittenList = "placements" | "placementDecisions";

/** An object that a write is about. */
export interface WrittenObject {
  readonly list: WrittenList;
  readonly namespace: string;
  readonly name: string;
}

/** One step of a plan: a request, and what it is about. */
export interface PlanStep {
  readonly write: PlannedWrite;
  readonly object: WrittenObject;
  /** The write of the engine that it carries out. None for the status and for owner references. */
  readonly sliceWrite?: SliceWrite;
}

/** The steps, in the order of the writes. `decision` finds a PlacementDecision as it is on the server. */
export function decisionSteps(
  placement: Placement,
  writes: readonly SliceWrite[],
  decision: (name: string) => Decision | undefined,
): readonly PlanStep[] {
  return writes.map((sliceWrite) => ({
    write: plannedWrite(placement, sliceWrite, decision(sliceWrite.name)),
    object: { list: "placementDecisions", namespace: placement.namespace, name: sliceWrite.name },
    sliceWrite,
  }));
}

function plannedWrite(placement: Placement, write: SliceWrite, current: Decision | undefined): PlannedWrite {
  const { namespace } = placement;
  const { name } = write;
  const path = objectPath(DECISIONS, namespace, name);
  const base = current === undefined ? "created" : versionOf(current);
  switch (write.call) {
    case "create": {
      const metadata = { name, namespace, labels: { ...write.labels }, ownerReferences: [ownerReference(placement)] };
      const object = { ...TYPE, metadata };
      return { verb: "create", path: listPath(DECISIONS, namespace), name, object };
    }
    case "update": {
      const metadata = current?.written?.metadata ?? { name, namespace };
      const status = { ...current?.written?.status, decisions: write.decisions.map(decisionOf) };
      const object = { ...TYPE, metadata, status };
      return { verb: "update", path, subresource: "status", object, base };
    }
    case "label": {
      // A merge patch removes what is null: labels of others are replaced, too (H22).
      const removed = Object.keys(current?.written?.labels ?? {}).map((label) => [label, null] as const);
      const labels = { ...Object.fromEntries(removed), ...write.labels };
      return { verb: "patch", path, patch: { metadata: { labels } }, base };
    }
    case "delete":
      return { verb: "delete", path, base };
  }
}

/**
 * The patches for PlacementDecisions that do not belong to the Placement for the garbage collector: made by hand, or of an earlier
 * Placement of the same name. Other owners stay, and one that is the controller stays the only one.
 */
export function ownerSteps(placement: Placement, decisions: readonly Decision[]): readonly PlanStep[] {
  return decisions.flatMap((decision): readonly PlanStep[] => {
    const owners = decision.written?.ownerReferences ?? [];
    if (owners.some((owner) => own(owner, "uid") === placement.uid)) return [];
    const others = owners.filter(
      (owner) => own(owner, "kind") !== PLACEMENTS.kind || own(owner, "name") !== placement.name,
    );
    const { controller, ...reference } = ownerReference(placement);
    const isControlled = others.some((owner) => own(owner, "controller") === true);
    const ownerReferences = [...others, isControlled ? reference : { ...reference, controller }];
    const { namespace, name } = decision;
    const path = objectPath(DECISIONS, namespace, name);
    return [
      {
        write: { verb: "patch", path, patch: { metadata: { ownerReferences } }, base: versionOf(decision) },
        object: { list: "placementDecisions", namespace, name },
      },
    ];
  });
}

/** The patch of the status of a Placement. */
export function statusStep(placement: Placement, status: JsonObject): PlanStep {
  const { namespace, name } = placement;
  const path = objectPath(PLACEMENTS, namespace, name);
  return {
    write: { verb: "patch", path, subresource: "status", patch: { status }, base: versionOf(placement) },
    object: { list: "placements", namespace, name },
  };
}

function versionOf({ uid, resourceVersion }: WatchedItem): ObjectVersion {
  return { uid, resourceVersion };
}

/** A decision as an object of the API. */
function decisionOf({ clusterName, reason, score }: ClusterDecision): JsonObject {
  return { clusterName, reason, ...(score !== undefined && { score }) };
}

/** A controller reference, as OCM has it: the PlacementDecision goes with its Placement. */
function ownerReference({ name, uid }: Placement) {
  const { group, version, kind } = PLACEMENTS;
  return { apiVersion: `${group}/${version}`, kind, name, uid, controller: true, blockOwnerDeletion: true } as const;
}
