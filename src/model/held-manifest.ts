// How does a bundle hold a manifest that was read from a file? Not as the base64 text that a catalog would have: a tree has
// tens of thousands of manifests, and few are ever looked at. Its JSON text is made whenever it is asked.

import { canonicalBeginning, compareText, type JsonObject } from "./json.ts";

interface Held {
  /** How the text begins: mostly enough to tell it from others. */
  readonly beginning: string;
  readonly text: () => string;
}

const held = new WeakMap<JsonObject, Held>();
const BEGINNING = 400;

/**
 * The value of an `olm.bundle.object` property: its `data` is the canonical JSON text of a manifest, in UTF-8, in base64.
 * `text` makes that text, again and again.
 */
export function heldManifest(manifest: JsonObject, text: () => string): JsonObject {
  const value: JsonObject = {
    get data(): string {
      return base64Of(new TextEncoder().encode(text()));
    },
  };
  held.set(value, { beginning: canonicalBeginning(manifest, BEGINNING), text });
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
  const same = lengthOfSame(a.beginning, b.beginning);
  // Three bytes are four characters of base64: those after the difference count, too.
  const isEnough = same + 4 <= Math.min(a.beginning.length, b.beginning.length);
  return isEnough ? compareInBase64(a.beginning, b.beginning) : compareInBase64(a.text(), b.text());
}

function compareInBase64(a: string, b: string): number {
  const [bytesA, bytesB] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  const same = lengthOfSame(bytesA, bytesB);
  const start = same - (same % 3);
  return compareText(base64Of(bytesA.subarray(start, start + 3)), base64Of(bytesB.subarray(start, start + 3)));
}

/** The number of first elements that are the same. */
function lengthOfSame(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return same;
}

/** Number of bytes converted in one call. */
const CHUNK = 8192;

function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
