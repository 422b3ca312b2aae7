// What kind of manifest is this: an image, or an index of several images? Its media type and its fields must agree: otherwise two
// readers would see two images.

import { NetFailure } from "../net/failure.ts";
import { field, textField } from "../net/json-fields.ts";
import { quoted } from "../text/words.ts";

export const OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
export const OCI_INDEX = "application/vnd.oci.image.index.v1+json";
const DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
const DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json";

const INDEXES: readonly string[] = [OCI_INDEX, DOCKER_LIST];
/** The media types that are read. */
export const MANIFEST_TYPES: readonly string[] = [OCI_INDEX, OCI_MANIFEST, DOCKER_LIST, DOCKER_MANIFEST];
const SCHEMA_1 = /^application\/vnd\.docker\.distribution\.manifest\.v1\+(?:json|prettyjws)$/;

export type ManifestKind = "index" | "image";

/**
 * The kind of a manifest. `given` is the media type by which its source names it, empty if it does not. `what` is the manifest, for
 * messages. Throws unless there is exactly one answer.
 */
export function manifestKind(value: object, given: string, what: string): ManifestKind {
  const own = textField(value, "mediaType");
  if (given !== "" && own !== undefined && given !== own)
    throw refused(`${what} says that it is ${quoted(own)}, but it was given as ${quoted(given)}`, PUSH_AGAIN);
  const type = own ?? given;
  if (SCHEMA_1.test(type) || field(value, "schemaVersion") === 1)
    throw refused(`${what} has the format of Docker before 2016 (schema 1), which Plimsoll does not read`, PUSH_AGAIN);
  if (type !== "" && !MANIFEST_TYPES.includes(type))
    throw refused(`${what} is not a container image: it is of type ${quoted(type)}`, NO_IMAGE);
  const isIndex = Object.hasOwn(value, "manifests");
  const isImage = Object.hasOwn(value, "layers") || Object.hasOwn(value, "config");
  if (isIndex && isImage)
    throw refused(
      `${what} is both an index and an image`,
      "do not use this image: clients disagree about what is in it",
    );
  if (!isIndex && !isImage) throw refused(`${what} is neither an index nor an image`, NO_IMAGE);
  if (type !== "" && INDEXES.includes(type) !== isIndex)
    throw refused(`${what} has the fields of ${isIndex ? "an index" : "an image"}, but is ${quoted(type)}`, PUSH_AGAIN);
  return isIndex ? "index" : "image";
}

/**
 * The media type of a manifest in a response: what it says itself, otherwise what the header says, which no digest covers. Empty if
 * the header only says what a server calls any file.
 */
export function typeInResponse(value: object, header: string): string {
  const type = header.replace(/;.*$/s, "").trim().toLowerCase();
  return textField(value, "mediaType") ?? (MANIFEST_TYPES.includes(type) ? type : "");
}

export const PUSH_AGAIN = "build the image again, and push or save it again";
export const NO_IMAGE = "name a catalog image: one that `opm` or a Containerfile made";

/** The failure for an image that is not read. */
export function refused(message: string, help: string): NetFailure {
  return new NetFailure("malformed", message, { help });
}
