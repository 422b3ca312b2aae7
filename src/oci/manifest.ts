// What does a manifest say? An index names manifests for platforms, an image its configuration and its layers. Whatever
// contradicts itself is refused, because two readers would see two images.

import { NetFailure } from "../net/failure.ts";
import { field, listField, parsedJson, textField } from "../net/json-fields.ts";
import { quoted } from "../text/words.ts";
import { isDigest } from "./digest.ts";
import type { Descriptor, Manifest } from "./image-source.ts";
import { sizeText } from "./size-text.ts";

export const MAX_MANIFEST: number = 4 * 1024 * 1024;
export const MAX_CONFIG: number = 8 * 1024 * 1024;
const MAX_LAYERS = 1000;

export const OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
export const OCI_INDEX = "application/vnd.oci.image.index.v1+json";
export const OCI_CONFIG = "application/vnd.oci.image.config.v1+json";
export const OCI_LAYER = "application/vnd.oci.image.layer.v1.tar";
export const DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
export const DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json";
const DOCKER_CONFIG = "application/vnd.docker.container.image.v1+json";

const IMAGES = [OCI_MANIFEST, DOCKER_MANIFEST];
const INDEXES = [OCI_INDEX, DOCKER_LIST];
const CONFIGS = [OCI_CONFIG, DOCKER_CONFIG];
const SCHEMA_1 = /^application\/vnd\.docker\.distribution\.manifest\.v1\+(?:json|prettyjws)$/;
/** What a server calls a file that it knows nothing about. */
const VAGUE = ["", "application/json", "application/octet-stream", "text/plain"];

const LAYERS = [
  OCI_LAYER,
  `${OCI_LAYER}+gzip`,
  `${OCI_LAYER}+zstd`,
  "application/vnd.docker.image.rootfs.diff.tar",
  "application/vnd.docker.image.rootfs.diff.tar.gzip",
  "application/vnd.docker.image.rootfs.diff.tar.zstd",
];
const FOREIGN = /^application\/vnd\.(?:docker\.image\.rootfs\.foreign\.|oci\.image\.layer\.nondistributable\.)/;

export type ManifestContent =
  | { readonly kind: "index"; readonly members: readonly IndexMember[] }
  | { readonly kind: "image"; readonly config: Descriptor; readonly layers: readonly Descriptor[] };

export interface IndexMember extends Descriptor {
  /** `linux/amd64`, if the index says so. */
  readonly platform: string | undefined;
}

/** The content of a manifest. `name` is where it is from: `the registry quay.io`. */
export function manifestContent(manifest: Manifest, name: string): ManifestContent {
  const { bytes, digest } = manifest;
  const what = `the manifest ${digest} of ${name}`;
  if (bytes.length > MAX_MANIFEST)
    throw refused(`${what} has more than ${sizeText(MAX_MANIFEST)}, which is the limit`, PUSH_AGAIN);
  const value = jsonOf(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refused(`${what} is not a JSON object`, PUSH_AGAIN);
  const type = requireType(manifest, value, what);
  if (Object.hasOwn(value, "manifests") && (Object.hasOwn(value, "layers") || Object.hasOwn(value, "config")))
    throw refused(
      `${what} is both an index and an image`,
      "do not use this image: clients disagree about what is in it",
    );
  if (INDEXES.includes(type)) return { kind: "index", members: membersOf(value, what) };
  return imageContent(value, what);
}

/** The value of JSON that is UTF-8; undefined if it is not. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return parsedJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The media type of a manifest: what the source says and what it says itself must be the same. */
function requireType({ mediaType }: Manifest, value: object, what: string): string {
  const given = VAGUE.includes(mediaType) ? undefined : mediaType;
  const own = textField(value, "mediaType");
  if (given !== undefined && own !== undefined && given !== own)
    throw refused(`${what} says that it is ${quoted(own)}, but it was given as ${quoted(given)}`, PUSH_AGAIN);
  const type = own ?? given ?? (Object.hasOwn(value, "manifests") ? OCI_INDEX : OCI_MANIFEST);
  if (SCHEMA_1.test(type) || field(value, "schemaVersion") === 1)
    throw refused(`${what} has the format of Docker before 2016 (schema 1), which Plimsoll does not read`, PUSH_AGAIN);
  if (![...IMAGES, ...INDEXES].includes(type))
    throw refused(`${what} is not a container image: it is of type ${quoted(type)}`, NO_IMAGE);
  return type;
}

function imageContent(value: object, what: string): ManifestContent {
  const config = descriptorOf(field(value, "config"));
  if (config === undefined) throw refused(`${what} does not name a configuration with digest and size`, PUSH_AGAIN);
  if (!CONFIGS.includes(config.mediaType))
    throw refused(
      `${what} is not a container image: its configuration is of type ${quoted(config.mediaType)}`,
      NO_IMAGE,
    );
  const list = listField(value, "layers");
  if (list.length > MAX_LAYERS)
    throw refused(`${what} has ${list.length} layers; the limit is ${MAX_LAYERS}`, "build the image with fewer layers");
  const layers = list.map((item, index) => {
    const layer = descriptorOf(item);
    if (layer === undefined) throw refused(`layer ${index + 1} of ${what} has no digest and size`, PUSH_AGAIN);
    if (FOREIGN.test(layer.mediaType))
      throw refused(
        `layer ${index + 1} of ${what} is not stored with the image: it is of type ${quoted(layer.mediaType)}`,
        NO_IMAGE,
      );
    if (!LAYERS.includes(layer.mediaType))
      throw refused(
        `layer ${index + 1} of ${what} is of type ${quoted(layer.mediaType)}, which is no layer of files`,
        NO_IMAGE,
      );
    return layer;
  });
  return { kind: "image", config, layers };
}

/** The members that are manifests of platforms; attestations and signatures are not. */
function membersOf(value: object, what: string): readonly IndexMember[] {
  return listField(value, "manifests").flatMap((item, index) => {
    const member = descriptorOf(item);
    if (member === undefined) throw refused(`member ${index + 1} of ${what} has no digest and size`, PUSH_AGAIN);
    if (![...IMAGES, ...INDEXES].includes(member.mediaType) || isAttestation(item)) return [];
    const os = textField(field(item, "platform"), "os");
    const architecture = textField(field(item, "platform"), "architecture");
    if (os === "unknown" || architecture === "unknown") return [];
    return [{ ...member, platform: os === undefined ? undefined : `${os}/${architecture ?? ""}` }];
  });
}

/** Is a member of an index about another member, as those of BuildKit are? */
export function isAttestation(item: unknown): boolean {
  return field(field(item, "annotations"), "vnd.docker.reference.type") !== undefined;
}

/** A descriptor in JSON; undefined if it is none, or names bytes that cannot be verified. */
export function descriptorOf(value: unknown): Descriptor | undefined {
  const mediaType = textField(value, "mediaType");
  const digest = textField(value, "digest");
  const size = field(value, "size");
  if (mediaType === undefined || digest === undefined || !isDigest(digest)) return undefined;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return undefined;
  return { mediaType, digest, size };
}

const PUSH_AGAIN = "build the image again, and push or save it again";
const NO_IMAGE = "name a catalog image: one that `opm` or a Containerfile made";

function refused(message: string, help: string): NetFailure {
  return new NetFailure("malformed", message, { help });
}
