// Which properties does a bundle have? Those of all its documents, without duplicates and sorted, and the manifests
// themselves.

import type { Property } from "../../model/catalog.ts";
import { canonicalText, compareText, type JsonObject } from "../../model/json.ts";

/** The properties by type and value, without duplicates. */
export function sortedProperties(properties: readonly Property[]): readonly Property[] {
  const byText = new Map<string, Property>();
  for (const property of properties)
    byText.set(JSON.stringify(property.type) + canonicalText(property.value), property);
  return [...byText]
    .sort(([textA, a], [textB, b]) => compareText(a.type, b.type) || compareText(textA, textB))
    .map(([, property]) => property);
}

/** The property that holds a manifest: its compact JSON with sorted keys, in UTF-8, in base64. */
export function manifestProperty(manifest: JsonObject): Property {
  return { type: "olm.bundle.object", value: { data: base64(new TextEncoder().encode(canonicalText(manifest))) } };
}

/** Number of bytes decoded in one call. */
const CHUNK = 8192;

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
