// What is an image? Its manifest (that of one platform, if there are several), the labels of its configuration, and its layers.

import { NetFailure } from "../net/failure.ts";
import { field } from "../net/json-fields.ts";
import type { Descriptor, ImageSource, Manifest } from "./image-source.ts";
import { type IndexMember, jsonObject, MAX_CONFIG, manifestContent } from "./manifest.ts";
import { sizeText } from "./size-text.ts";
import { collected } from "./verified.ts";

/** Indexes inside each other. */
const MAX_DEPTH = 4;
const PREFERRED = "linux/amd64";
/** Manifests of an index that are tried if others are not there. */
const MAX_TRIED = 10;

export interface Image {
  /** Of the manifest of the platform. */
  readonly digest: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly layers: readonly Descriptor[];
}

/**
 * Reads the manifest and the configuration. A catalog is the same for every platform, so any one does. `known` is what the
 * reference names, if that was read already.
 */
export async function openImage(source: ImageSource, signal: AbortSignal, known?: Manifest): Promise<Image> {
  let manifest = known ?? (await source.manifest(signal));
  for (let depth = 0; ; depth++) {
    const content = manifestContent(manifest, source.name);
    if (content.kind === "image")
      return {
        digest: manifest.digest,
        labels: await labelsOf(source, content.config, signal),
        layers: content.layers,
      };
    if (depth === MAX_DEPTH)
      throw new NetFailure("malformed", `${source.name} has indexes in more than ${MAX_DEPTH} levels`, {
        help: "name the image of one platform by its digest",
      });
    manifest = await memberManifest(source, content.members, manifest.digest, signal);
  }
}

/** The manifest for the preferred platform, or the first. A copy of an image may lack those of some platforms. */
async function memberManifest(
  source: ImageSource,
  members: readonly IndexMember[],
  digest: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const preferred = members.filter(({ platform }) => platform === PREFERRED);
  const inOrder = [...new Set([...preferred, ...members])].slice(0, MAX_TRIED);
  let absent: unknown = new NetFailure(
    "malformed",
    `the index ${digest} of ${source.name} names no image of a platform`,
    {
      help: "build the image again, and push or save it again",
    },
  );
  for (const [index, member] of inOrder.entries()) {
    try {
      return await source.manifestOf(member, signal);
    } catch (error) {
      if (!(error instanceof NetFailure) || error.kind !== "not-found") throw error;
      if (index === 0) absent = error;
    }
  }
  throw absent;
}

async function labelsOf(
  source: ImageSource,
  descriptor: Descriptor,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const what = `the configuration ${descriptor.digest} of ${source.name}`;
  const tooLarge = (): NetFailure =>
    new NetFailure("malformed", `${what} has more than ${sizeText(MAX_CONFIG)}, which is the limit`, {
      help: "build the image with fewer labels and a shorter history",
    });
  if (descriptor.size > MAX_CONFIG) throw tooLarge();
  const config = jsonObject(await collected(source.blob(descriptor, signal), MAX_CONFIG, tooLarge));
  if (config === undefined)
    throw new NetFailure("malformed", `${what} is not a JSON object`, {
      help: "build the image again, and push or save it again",
    });
  const labels = field(field(config, "config"), "Labels");
  const entries = typeof labels === "object" && labels !== null ? Object.entries(labels) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
