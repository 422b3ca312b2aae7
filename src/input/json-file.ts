// What does a file contain that this program has written as one JSON document?

import { finding, type Report } from "../model/finding.ts";
import type { JsonObject } from "../model/json.ts";
import type { Place } from "../model/place.ts";
import { exactPlaces } from "./document.ts";
import { TextFault, valueOrFault } from "./json-text.ts";
import { fits, type Shape } from "./shape.ts";

/** A kind of such files. */
export interface JsonFile {
  readonly shape: Shape;
  readonly maxDepth: number;
  /** What it is called: "a lock file". */
  readonly name: string;
  /** What to give instead of another file. */
  readonly help: string;
}

/** Reads a document; undefined, with findings, if it is not JSON of the right shape. */
export function readJsonFile(text: string, place: Place, file: JsonFile, report: Report): JsonObject | undefined {
  const document = valueOrFault(text, file.maxDepth);
  if (document instanceof TextFault) {
    const [at] = exactPlaces(place, text, [document.position]) as [Place];
    const message = `this is not ${file.name}: ${document.message}`;
    report(finding(document.isLimit ? "PL004" : "PL003", at, { message, help: file.help }));
    return undefined;
  }
  return fits(document, file.shape, place, report) ? (document as JsonObject) : undefined;
}
