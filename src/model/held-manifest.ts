// How does a bundle hold a manifest that was read from a file? Not as the base64 text that a catalog would have: a tree has
// tens of thousands of manifests, and few are ever looked at. Its JSON text is made whenever it is asked.

import { canonicalBeginning, compareText, type JsonObject } from "./json.ts";

/** What is held of a manifest: plain data, which can be sent to another thread. */
export interface HeldManifest {
  /** How `data` begins: mostly enough to tell it from that of others. */
  readonly beginning: string;
  /** Its canonical JSON text, or the file that it was read from. */
  readonly form: "canonical" | "file";
  readonly bytes: Uint8Array;
}

/** Makes the canonical text of a manifest. */
export type TextOf = (held: HeldManifest) => string;

const values = new WeakMap<JsonObject, { readonly held: HeldManifest; readonly textOf: TextOf }>();
/** In characters of the text: further than the names of most manifests. */
const BEGINNING = 600;

/** How the `data` of a manifest begins. */
export function heldBeginning(manifest: JsonObject): string {
  const first = canonicalBeginning(manifest, BEGINNING).slice(0, BEGINNING);
  // The last character may be one half of a pair, and the next ones belong to the same group of three bytes.
  return base64Of(first).slice(0, -8);
}

/** The value of an `olm.bundle.object` property: its `data` is the canonical JSON text of a manifest, in UTF-8, in base64. */
export function heldValue(held: HeldManifest, textOf: TextOf): JsonObject {
  const value: JsonObject = {
    get data(): string {
      return base64Of(textOf(held));
    },
  };
  values.set(value, { held, textOf });
  return value;
}

/** What a value holds; undefined if it is not a held manifest. */
export function heldOf(value: JsonObject): HeldManifest | undefined {
  return values.get(value)?.held;
}

/** The text of a held manifest; undefined for any other value. */
export function heldText(value: JsonObject): string | undefined {
  const known = values.get(value);
  return known?.textOf(known.held);
}

/** Compares the `data` of two held manifests, of which no more is made than necessary. */
export function compareHeld(valueA: JsonObject, valueB: JsonObject): number {
  const [a, b] = [heldOf(valueA), heldOf(valueB)];
  if (a === undefined || b === undefined) throw new TypeError("not a held manifest");
  const isEnough = !a.beginning.startsWith(b.beginning) && !b.beginning.startsWith(a.beginning);
  if (isEnough) return compareText(a.beginning, b.beginning);
  return compareText(base64Of(heldText(valueA) as string), base64Of(heldText(valueB) as string));
}

/** Each character is one byte. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are bytes, too
const ASCII = /^[\u0000-\u007f]*$/;
/** Number of bytes converted in one call. */
const CHUNK = 8192;

function base64Of(text: string): string {
  if (ASCII.test(text)) return btoa(text);
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
