// How does a bundle hold a manifest that was read from a file? As JSON text, in UTF-8. The base64 text that a catalog would
// have is made whenever it is asked: a tree has tens of thousands of manifests, and few are ever looked at.

import { compareText, type JsonObject } from "./json.ts";

const held = new WeakMap<JsonObject, Uint8Array>();

/** The value of an `olm.bundle.object` property: its `data` is the text in base64. */
export function heldManifest(text: string): JsonObject {
  const bytes = new TextEncoder().encode(text);
  const value: JsonObject = {
    get data(): string {
      return base64Of(bytes);
    },
  };
  held.set(value, bytes);
  return value;
}

/** The text of a held manifest; undefined for any other value. */
export function heldText(value: JsonObject): string | undefined {
  const bytes = held.get(value);
  return bytes && new TextDecoder().decode(bytes);
}

/** Compares the `data` of two held manifests, which is made only from their first difference on. */
export function compareHeld(valueA: JsonObject, valueB: JsonObject): number {
  const [a, b] = [held.get(valueA), held.get(valueB)];
  if (a === undefined || b === undefined) throw new TypeError("not a held manifest");
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  // Three bytes are four characters.
  const start = same - (same % 3);
  return compareText(base64Of(a.subarray(start, start + 3)), base64Of(b.subarray(start, start + 3)));
}

/** Number of bytes converted in one call. */
const CHUNK = 8192;

function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
