// What of the input could not be read, so that nobody can say what a Placement would lose? Something that is not read looks
// as if it were gone.

import type { ClusterObjects, RejectedObject } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { Place } from "../../model/place.ts";
import { placementKey } from "../../render/placement/shown.ts";
import { didYouMean } from "../../text/did-you-mean.ts";

const FLEET_KINDS: readonly string[] = [
  "AddOnPlacementScore",
  "ManagedCluster",
  "ManagedClusterSet",
  "ManagedClusterSetBinding",
  "Placement",
  "PlacementDecision",
];

/** The objects that placement is about, and the files, that could not be read or not to their end; each once. */
export function unreadOf(
  { rejected }: Pick<ClusterObjects, "rejected">,
  findings: readonly Finding[],
): readonly string[] {
  const others = new Set(rejected.filter((object) => !mayCount(object)).map(({ place }) => startOf(place)));
  // Of an object it is known what it is; a document that is none may be anything.
  const documents = findings.filter(
    (found) => isUnread(found) && found.code !== "PL007" && !(isAboutObject(found) && others.has(startOf(found.place))),
  );
  const objects = rejected.filter(mayCount);
  const known = new Set(objects.map(({ place }) => startOf(place)));
  return [
    ...new Set([
      ...objects.map(objectText),
      ...documents
        .filter(({ place }) => !known.has(startOf(place)))
        .map(({ place, dropped }) => `${dropped === "file" ? "" : "a part of "}${place.source}`),
    ]),
  ];
}

/** Is something left out because of it: an object, a document, the rest of a file? */
export function isUnread({ code, dropped }: Finding): boolean {
  return code === "PL001" || dropped === "document" || dropped === "file";
}

/** Does it tell of an object, and not of the text that it stands in? */
function isAboutObject({ code }: Finding): boolean {
  return code === "PL008" || code === "PL009";
}

/** Is it of a kind that placement reads, or does it not say its kind, or not rightly? */
function mayCount({ kind }: RejectedObject): boolean {
  return kind === "" || FLEET_KINDS.includes(kind) || didYouMean(kind, FLEET_KINDS) !== undefined;
}

function objectText({ kind, namespace, name, place }: RejectedObject): string {
  if (name === undefined || kind === "") return `${kind === "" ? "an object" : `a ${kind}`} of ${place.source}`;
  return `${kind} ${namespace === undefined ? name : placementKey({ namespace, name })}`;
}

function startOf({ source, line, column }: Place): string {
  return JSON.stringify([source, line, column]);
}
