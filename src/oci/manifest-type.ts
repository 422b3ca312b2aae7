// What kind of manifest are these bytes? What they say themselves counts: the header of a response is covered by no digest.

import { field, parsedJson, textField } from "../net/json-fields.ts";
import { DOCKER_LIST, DOCKER_MANIFEST, OCI_INDEX, OCI_MANIFEST } from "./manifest.ts";

/** The kinds that are read: images, and indexes of several images. */
export const MANIFEST_TYPES: readonly string[] = [OCI_INDEX, OCI_MANIFEST, DOCKER_LIST, DOCKER_MANIFEST];

/** The media type of a manifest or an index; undefined if it is neither, or both. `written` is what the server says. */
export function manifestType(bytes: Uint8Array, written: string): string | undefined {
  const value = parsedJson(Buffer.from(bytes).toString());
  const isIndex = Array.isArray(field(value, "manifests"));
  const isImage = Array.isArray(field(value, "layers"));
  // One document that is read as two different images is an attack.
  if (isIndex === isImage) return undefined;
  const own = textField(value, "mediaType") ?? written.replace(/;.*$/s, "").trim().toLowerCase();
  const type = MANIFEST_TYPES.includes(own) ? own : isIndex ? OCI_INDEX : OCI_MANIFEST;
  return /index|list/.test(type) === isIndex ? type : undefined;
}
