// How does a bundle hold a manifest that was read from a file? Not as the base64 text that a catalog would have: a tree has
// tens of thousands of manifests, and few are ever looked at. Its JSON text is made whenever it is asked.

import { canonicalBeginning, compareText, type JsonObject } from "./json.ts";

interface Held {
  /** How `data` begins: mostly enough to tell it from that of others. */
  readonly beginning: string;
  readonly text: () => string;
}

const held = new WeakMap<JsonObject, Held>();
/** In characters of the text: further than the names of most manifests. */
const BEGINNING = 600;

/**
 * The value of an `olm.bundle.object` property: its `data` is the canonical JSON text of a manifest, in UTF-8, in base64.
 * `text` makes that text, again and again.
 */
export function heldManifest(manifest: JsonObject, text: () => string): JsonObject {
  const value: JsonObject = {
    get data(): string {
      return base64Of(text());
    },
  };
  const first = canonicalBeginning(manifest, BEGINNING).slice(0, BEGINNING);
  // The last character may be one half of a pair, and the next ones belong to the same group of three bytes.
  held.set(value, { beginning: base64Of(first).slice(0, -8), text });
  return value;
}

/** Is a value a held manifest? */
export function isHeld(value: JsonObject): boolean {
  return held.has(value);
}

/** The text of a held manifest; undefined for any other value. */
export function heldText(value: JsonObject): string | undefined {
  return held.get(value)?.text();
}

/** Compares the `data` of two held manifests, of which no more is made than necessary. */
export function compareHeld(valueA: JsonObject, valueB: JsonObject): number {
  const [a, b] = [held.get(valueA), held.get(valueB)];
  if (a === undefined || b === undefined) throw new TypeError("not a held manifest");
  const isEnough = !a.beginning.startsWith(b.beginning) && !b.beginning.startsWith(a.beginning);
  return isEnough ? compareText(a.beginning, b.beginning) : compareText(base64Of(a.text()), base64Of(b.text()));
}

/** Number of bytes converted in one call. */
const CHUNK = 8192;

function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
