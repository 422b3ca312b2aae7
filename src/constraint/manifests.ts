// Which manifests does a bundle have inside its properties? JSON in base64, one property each.

import { decodeBase64 } from "../cel/library/extension/base64.ts";
import type { Property } from "../model/catalog.ts";
import { heldText } from "../model/held-manifest.ts";
import { isObject, type Json, type JsonObject, own } from "../model/json.ts";
import { nestsDeeper } from "../model/json-depth.ts";

/** Manifests of real bundles are much less nested. */
const MAX_DEPTH = 512;

/** The type of properties that contain manifests. */
export const MANIFEST = "olm.bundle.object";

/** Does a property contain a manifest? */
export function isManifest({ type }: Property): boolean {
  return type === MANIFEST;
}

/**
 * The manifest of a property if it is of one of these kinds; `unreadable` if it cannot be decoded. Integers beyond
 * 2^53 lose their last digits.
 */
export function manifestOf(property: Property, kinds: readonly string[]): JsonObject | "unreadable" | undefined {
  const text = textOf(property);
  if (text === undefined) return "unreadable";
  // Most manifests are of other kinds, and large: they are not parsed.
  if (!kinds.some((kind) => text.includes(kind))) return undefined;
  const manifest = objectIn(text);
  if (manifest === undefined) return "unreadable";
  const kind = own(manifest, "kind");
  return typeof kind === "string" && kinds.includes(kind) ? manifest : undefined;
}

/** The manifest of a property, of any kind; undefined if it cannot be decoded. Integers as with {@link manifestOf}. */
export function anyManifestOf(property: Property): JsonObject | undefined {
  const text = textOf(property);
  return text === undefined ? undefined : objectIn(text);
}

function textOf({ value }: Property): string | undefined {
  const held = isObject(value) ? heldText(value) : undefined;
  if (held !== undefined) return held;
  const data = isObject(value) ? own(value, "data") : undefined;
  const bytes = typeof data === "string" ? decodeBase64(data) : undefined;
  return bytes && new TextDecoder().decode(bytes);
}

function objectIn(text: string): JsonObject | undefined {
  const manifest = nestsDeeper(text, MAX_DEPTH) ? undefined : parsed(text);
  return isObject(manifest) ? manifest : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
