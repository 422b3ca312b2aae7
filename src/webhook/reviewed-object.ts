// What does an object say that is to be written? It is read as all input is. Its mistakes are named by their paths, and inside of a text by
// line and column.

import { locateInObject } from "../input/locate.ts";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { type Finding, FindingList } from "../model/finding.ts";
import type { JsonObject } from "../model/json.ts";
import { type Place, printPath } from "../model/place.ts";
import type { AdmissionRequest } from "./admission-review.ts";

/** An object as a model, and what is wrong with it. */
export interface ReviewedObject {
  readonly object: JsonObject;
  readonly objects: ClusterObjects;
  readonly findings: readonly Finding[];
}

/** Places in the object have no lines. */
const PLACE: Place = { source: "object", line: 0, column: 0 };

/** Reads an object of a request. */
export function reviewedObject(object: JsonObject, { namespace }: Pick<AdmissionRequest, "namespace">): ReviewedObject {
  const { kept, report } = new FindingList();
  const reader = new ObjectsReader(report, namespace);
  reader.add(object, PLACE);
  return { object, objects: reader.finish(), findings: kept };
}

/** What is wrong, and what to do about it. */
export interface Said {
  readonly message: string;
  readonly help?: string | undefined;
}

/** `data.properties:3:9: what is wrong (what to do)`. */
export function placedLine({ message, help }: Said, place: Place, object: JsonObject): string {
  const { path = [] } = place;
  const spot = locateInObject(place, object);
  const at = spot === undefined ? "" : `:${spot.line}:${spot.column}`;
  const where = path.length === 0 ? "" : `${printPath(path)}${at}: `;
  return `${where}${message}${help === undefined ? "" : ` (${help})`}`;
}
