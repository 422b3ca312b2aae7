// Which properties does a bundle have in all? Whatever its documents said, each once and in one order, and the manifests
// themselves.

import type { Property } from "../../model/catalog.ts";
import { canonicalText, compareText, type JsonObject } from "../../model/json.ts";

/** The properties in the order of type and value, without repetitions. */
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

/** How many bytes become characters in one call. */
const CHUNK = 8192;

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
