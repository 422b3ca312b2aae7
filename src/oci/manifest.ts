// What does a manifest say? An index names manifests for platforms, an image its configuration and its layers. Whatever
// contradicts itself is refused, because two readers would see two images.

import { field, listField, parsedJson, textField } from "../net/json-fields.ts";
import { quoted } from "../text/words.ts";
import { isDigest } from "./digest.ts";
import type { Descriptor, Manifest } from "./image-source.ts";
import { MANIFEST_TYPES, manifestKind, NO_IMAGE, PUSH_AGAIN, refused } from "./manifest-type.ts";
import { sizeText } from "./size-text.ts";

export const MAX_MANIFEST: number = 4 * 1024 * 1024;
export const MAX_CONFIG: number = 8 * 1024 * 1024;
const MAX_LAYERS = 1000;

export const OCI_CONFIG = "application/vnd.oci.image.config.v1+json";
export const OCI_LAYER = "application/vnd.oci.image.layer.v1.tar";
const DOCKER_CONFIG = "application/vnd.docker.container.image.v1+json";

const CONFIGS = [OCI_CONFIG, DOCKER_CONFIG];

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
  const { mediaType, bytes, digest } = manifest;
  const what = `the manifest ${digest} of ${name}`;
  if (bytes.length > MAX_MANIFEST)
    throw refused(`${what} has more than ${sizeText(MAX_MANIFEST)}, which is the limit`, PUSH_AGAIN);
  const value = jsonObject(bytes);
  if (value === undefined) throw refused(`${what} is not a JSON object`, PUSH_AGAIN);
  return manifestKind(value, mediaType, what) === "index"
    ? { kind: "index", members: membersOf(value, what) }
    : imageContent(value, what);
}

/** The value of JSON that is UTF-8 and an object; undefined if it is something else. */
export function jsonObject(bytes: Uint8Array): object | undefined {
  const value = jsonOf(bytes);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

/** The value of JSON that is UTF-8; undefined if it is not. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return parsedJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
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
    if (!MANIFEST_TYPES.includes(member.mediaType) || isAttestation(item)) return [];
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
