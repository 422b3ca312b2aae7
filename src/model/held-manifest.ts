// How does a bundle hold a manifest that was read from a file? As JSON text. The base64 text that a catalog would have is
// made whenever it is asked: a tree has tens of thousands of manifests, and few are ever looked at.

import { compareText, type JsonObject } from "./json.ts";

const texts = new WeakMap<JsonObject, string>();

/** The value of an `olm.bundle.object` property: its `data` is the text, in UTF-8, in base64. */
export function heldManifest(text: string): JsonObject {
  const value: JsonObject = {
    get data(): string {
      return base64Of(text);
    },
  };
  texts.set(value, text);
  return value;
}

/** The text of a held manifest; undefined for any other value. */
export function heldText(value: object): string | undefined {
  return texts.get(value as JsonObject);
}

/** More characters than one group of three bytes takes, on both sides of a difference. */
const BEYOND = 8;

/** Compares two JSON texts by what they are in base64, which is made only up to the first difference. */
export function compareHeld(a: string, b: string): number {
  let same = 0;
  while (same < a.length && same < b.length && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  return compareText(beginningOf(a, same + BEYOND), beginningOf(b, same + BEYOND));
}

/** The base64 text of the first characters, without the last group of bytes, to which the next character may add. */
function beginningOf(text: string, length: number): string {
  if (length >= text.length) return base64Of(text);
  const last = text.charCodeAt(length - 1);
  const isHalf = last >= 0xd800 && last < 0xdc00;
  return base64Of(text.slice(0, isHalf ? length - 1 : length)).slice(0, -4);
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
