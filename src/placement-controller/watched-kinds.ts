// Which kinds does the placement controller watch, and what does it keep of an object?

import type { Versioned } from "../controller/store.ts";
import { KINDS } from "../input/objects/kind-table.ts";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import type { SharedTexts } from "../input/shared-texts.ts";
import type { ServedApi } from "../kube/discovery.ts";
import { clusterItem } from "../live/cluster-item.ts";
import type { FLEET_LISTS, KnownObjects } from "../model/cluster-objects.ts";
import { type Finding, FindingList } from "../model/finding.ts";
import { isObject, type JsonObject, own, partOf } from "../model/json.ts";
import type { Place } from "../model/place.ts";

/** A list of the model that is watched. */
export type WatchedList = (typeof FLEET_LISTS)[number];

/** The name of each kind in paths. */
const PLURALS: Readonly<Record<WatchedList, string>> = {
  managedClusters: "managedclusters",
  managedClusterSets: "managedclustersets",
  managedClusterSetBindings: "managedclustersetbindings",
  placements: "placements",
  placementDecisions: "placementdecisions",
  addOnPlacementScores: "addonplacementscores",
};

/** The API of a watched kind. */
export function apiOf(list: WatchedList): ServedApi {
  const { group, kind, versions, namespaced } = KINDS[list];
  return { group, version: versions[0] as string, kind, plural: PLURALS[list], namespaced, verbs: [] };
}

/** An object on the server: its identity, and what it says if that can be read. */
export interface WatchedItem<List extends WatchedList = WatchedList> extends Versioned {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly place: Place;
  /** Undefined if the object cannot be read. */
  readonly model: KnownObjects[List][number] | undefined;
  /** What is wrong with it. */
  readonly findings: readonly Finding[];
  /** Of what the controller writes itself, the parts as they are on the server. */
  readonly written: WrittenParts | undefined;
}

/** The parts of Placements and PlacementDecisions that the controller compares with what they should be, or sends back. */
export interface WrittenParts {
  /** Of a PlacementDecision, all but managedFields: an update sends them back. Empty for a Placement, whose status is patched. */
  readonly metadata: JsonObject;
  readonly labels: JsonObject;
  readonly ownerReferences: readonly JsonObject[];
  readonly generation: number | undefined;
  /** Of a PlacementDecision without the decisions, which are in the model: what is left belongs to others, and an update sends it back. */
  readonly status: JsonObject;
}

const WRITTEN: ReadonlySet<WatchedList> = new Set<WatchedList>(["placements", "placementDecisions"]);

/** Reads an object from its JSON text; a string says why it is none. */
export function watchedItem<List extends WatchedList>(
  list: List,
  text: string,
  shared: SharedTexts,
): WatchedItem<List> | string {
  const read = clusterItem(text, apiOf(list));
  if (typeof read === "string") return read;
  const { object, place } = read;
  const metadata = partOf(object, "metadata");
  const [name, namespace, uid, resourceVersion] = ["name", "namespace", "uid", "resourceVersion"].map((field) =>
    textOf(own(metadata, field)),
  ) as [string, string, string, string];
  if (resourceVersion === "") return "an item has no resourceVersion";
  shared.share(object);
  const findings = new FindingList();
  const reader = new ObjectsReader(findings.report);
  reader.add(object, place);
  const [model] = reader.finish()[list] as readonly KnownObjects[List][number][];
  return {
    key: namespace === "" ? name : `${namespace}/${name}`,
    ...{ resourceVersion, uid, namespace, name, place, model },
    findings: findings.kept.filter(({ severity }) => severity === "error"),
    written: WRITTEN.has(list) ? writtenParts(list, object) : undefined,
  };
}

function withoutDecisions({ decisions: _, ...others }: JsonObject): JsonObject {
  return others;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function writtenParts(list: WatchedList, object: JsonObject): WrittenParts {
  const metadata = partOf(object, "metadata");
  const references = own(metadata, "ownerReferences");
  const generation = own(metadata, "generation");
  return {
    metadata: list === "placementDecisions" ? metadata : {},
    generation: typeof generation === "number" ? generation : undefined,
    labels: partOf(metadata, "labels"),
    ownerReferences: Array.isArray(references) ? references.filter(isObject) : [],
    status: list === "placements" ? partOf(object, "status") : withoutDecisions(partOf(object, "status")),
  };
}
