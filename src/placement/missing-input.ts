// Which input is missing, so that an answer may be wrong? An object that could not be read looks as if it were deleted.

import type { ClusterObjects, RejectedObject } from "../model/cluster-objects.ts";
import { type Finding, losesObjects } from "../model/finding.ts";
import { addTo } from "../model/grouped.ts";
import { distinct } from "../model/json.ts";
import type { Place } from "../model/place.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import type { FleetObjects } from "./engine.ts";

const FLEET_KINDS: readonly string[] = [
  "AddOnPlacementScore",
  "ManagedCluster",
  "ManagedClusterSet",
  "ManagedClusterSetBinding",
  "Placement",
  "PlacementDecision",
];

/** Input that could not be read: an object, an object without a usable name or kind, or a source or a part of one. */
export type UnreadInput =
  | { readonly type: "object"; readonly kind: string; readonly namespace?: string; readonly name: string }
  | { readonly type: "unnamed"; readonly kind?: string; readonly source: string }
  | { readonly type: "source"; readonly source: string; readonly isWhole: boolean };

/** The objects of a fleet, and the sources, that could not be read, or not completely; each once. */
export function unreadInput(
  { rejected }: Pick<ClusterObjects, "rejected">,
  findings: readonly Finding[],
): readonly UnreadInput[] {
  const others = new Set(rejected.filter((object) => !mayBeOfFleet(object)).map(({ place }) => startOf(place)));
  // The kind of an object is known; a document that is not an object may be anything.
  const documents = findings.filter(
    (found) => isUnread(found) && found.code !== "PL007" && !(isAboutObject(found) && others.has(startOf(found.place))),
  );
  const objects = rejected.filter(mayBeOfFleet);
  const known = new Set(objects.map(({ place }) => startOf(place)));
  const unread: readonly UnreadInput[] = [
    ...objects.map(unreadObject),
    ...documents
      .filter(({ place }) => !known.has(startOf(place)))
      .map(({ place, dropped }) => ({ type: "source", source: place.source, isWhole: dropped === "file" }) as const),
  ];
  return distinct(unread);
}

/** Does the finding mean that an object, a document or the rest of a file was left out? */
export function isUnread(found: Finding): boolean {
  return found.code === "PL001" || losesObjects(found);
}

/** Is the finding about an object, and not about the text that contains it? */
function isAboutObject({ code }: Finding): boolean {
  return code === "PL008" || code === "PL009";
}

/** Is the object of a kind that placement reads, or is its kind missing or misspelt? */
function mayBeOfFleet({ kind }: RejectedObject): boolean {
  return kind === "" || FLEET_KINDS.includes(kind) || didYouMean(kind, FLEET_KINDS) !== undefined;
}

function unreadObject({ kind, namespace, name, place: { source } }: RejectedObject): UnreadInput {
  if (kind === "") return { type: "unnamed", source };
  if (name === undefined) return { type: "unnamed", kind, source };
  return { type: "object", kind, ...(namespace !== undefined && { namespace }), name };
}

function startOf({ source, line, column }: Place): string {
  return JSON.stringify([source, line, column]);
}

/** The ManagedClusterSets that are bound but were not given, by the namespace of the binding. */
export function missingSets({ managedClusterSets, managedClusterSetBindings }: FleetObjects): Map<string, string[]> {
  const given = new Set(managedClusterSets.map(({ name }) => name));
  const missing = new Map<string, string[]>();
  for (const { namespace, name } of managedClusterSetBindings) if (!given.has(name)) addTo(missing, namespace, name);
  return missing;
}
