// What was found in a bundle directory? The documents of `manifests/` and `metadata/`, sorted by place.

import { finding, type Report } from "../../model/finding.ts";
import { isList, type Json, type JsonObject } from "../../model/json.ts";
import { comparePlaces } from "../../model/place.ts";
import type { PlacedDocument } from "../document.ts";
import { printBytes } from "../limits.ts";

/** A directory with `manifests/` and `metadata/`. */
export interface GivenDirectory {
  readonly name: string;
  readonly manifests: readonly PlacedDocument[];
  readonly metadata: readonly PlacedDocument[];
  /** Some files could not be read, which was reported already: nothing can be reported as missing. */
  readonly hasUnreadable: boolean;
}

/** The order in which documents are read. */
export function compareDocuments(a: PlacedDocument, b: PlacedDocument): number {
  return comparePlaces(a.place, b.place);
}

/**
 * Size limit of the documents of one bundle as JSON. OLM itself accepts about 1 MiB; the limit is needed because YAML
 * aliases can expand a small file into a large text.
 */
export const MAX_BUNDLE_SIZE: number = 32 * 1024 * 1024;

/** Equal files of several versions have one value, which is measured once. */
const knownSizes = new WeakMap<JsonObject, number>();

/** Reports a directory whose documents are too large. */
export function checkSize({ name, manifests, metadata }: GivenDirectory, report: Report): void {
  let size = 0;
  for (const { value, place } of [...manifests, ...metadata]) {
    const own = knownSizes.get(value) ?? sizeOf(value, MAX_BUNDLE_SIZE - size);
    size += own;
    if (size <= MAX_BUNDLE_SIZE) {
      knownSizes.set(value, own);
      continue;
    }
    const message = `the documents of the bundle directory ${name} are larger than ${printBytes(MAX_BUNDLE_SIZE)}`;
    report(finding("PL004", place, { message, help: "look for YAML aliases that repeat large values" }));
    return;
  }
}

/** The approximate length of a value's JSON text; stops once it exceeds `most`. */
function sizeOf(value: Json, most: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value === "bigint") return 20;
  if (typeof value !== "object" || value === null) return 4;
  let size = 2;
  if (isList(value)) {
    for (const item of value) {
      if (size > most) break;
      size += 1 + sizeOf(item, most - size);
    }
    return size;
  }
  const object = value as JsonObject;
  for (const key in object) {
    if (size > most) break;
    size += key.length + 4 + sizeOf(object[key] as Json, most - size);
  }
  return size;
}
