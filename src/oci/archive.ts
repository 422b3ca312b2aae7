// Which image of an archive does a reference name? Archives of `docker save`, and those of OCI layouts.
//
// An archive of Docker has no manifest as a registry has it: one is made of its configuration and its layers. The layers are
// identified by the digests of their tars, which the configuration lists.

import { NetFailure } from "../net/failure.ts";
import { field, listField, textField, textsField } from "../net/json-fields.ts";
import { quoted } from "../text/words.ts";
import { archiveFiles } from "./archive-files.ts";
import { decompressed } from "./decompress.ts";
import { digestOf, isDigest } from "./digest.ts";
import type { ImageSource, Manifest } from "./image-source.ts";
import { LAYOUT_MARK, layoutSource, noSuchTag, severalImages, smallBytes } from "./layout.ts";
import { jsonOf, MAX_CONFIG, OCI_CONFIG, OCI_LAYER } from "./manifest.ts";
import { OCI_MANIFEST } from "./manifest-type.ts";
import type { StoredFile, StoredFiles } from "./stored-files.ts";
import type { ImageChoice } from "./stored-place.ts";
import { verified } from "./verified.ts";

const LIST = "manifest.json";
const SAVE_AGAIN = "the archive is incomplete or damaged: save the image again";

/** An image of an archive, which is read once for the places of its files. */
export async function openArchive(path: string, choice: ImageChoice, signal: AbortSignal): Promise<ImageSource> {
  const files = await archiveFiles(path, signal);
  if ((await files.find(LAYOUT_MARK)) !== undefined) return layoutSource(files, choice);
  const list = await files.find(LIST);
  if (list !== undefined) return dockerSource(files, list, choice, signal);
  if ((await files.find("repositories")) !== undefined)
    throw new NetFailure("malformed", `${files.name} is of Docker before 1.10, which Plimsoll does not read`, {
      help: "load it and save it again with a current Docker or Podman",
    });
  throw new NetFailure("malformed", `${files.name} contains no image: it has neither ${LIST} nor ${LAYOUT_MARK}`, {
    help: "make one with `docker save`, `podman save` or `skopeo copy docker://IMAGE oci-archive:FILE`",
  });
}

async function dockerSource(
  files: StoredFiles,
  list: StoredFile,
  choice: ImageChoice,
  signal: AbortSignal,
): Promise<ImageSource> {
  const { name } = files;
  const what = `the file ${LIST} of ${name}`;
  const images = jsonOf(await smallBytes(list.chunks(signal), what));
  if (!Array.isArray(images)) throw damaged(`${what} is not a list of images`);
  const image = chosen(images, choice, name);
  const config = await memberBytes(files, textField(image, "Config"), what, signal);
  const { manifest, layers } = await madeManifest(files, image, config, what);
  return {
    name,
    manifest: async () => manifest,
    manifestOf: async ({ digest }) => {
      throw new NetFailure("not-found", `${name} does not contain ${digest}`, { help: SAVE_AGAIN });
    },
    blob: async function* (descriptor, reading) {
      const { digest } = descriptor;
      if (digest === digestOf(config)) {
        yield config;
        return;
      }
      const layer = layers.get(digest);
      if (layer === undefined)
        throw new NetFailure("not-found", `${name} does not contain ${digest}`, { help: SAVE_AGAIN });
      // Some tools save compressed layers; the digest is that of the tar.
      yield* verified(decompressed(layer.chunks(reading), `the layer ${digest}`), { digest }, name);
    },
  };
}

/** The image of the list that has the tag; without one, the only image. */
function chosen(images: readonly unknown[], { tag, digest }: ImageChoice, name: string): unknown {
  if (digest !== undefined)
    throw new NetFailure("config", `${name} has no digests of manifests, as archives of Docker do not`, {
      help: "name the image by its tag",
    });
  const tags = images.flatMap((image) => textsField(image, "RepoTags"));
  if (tag === undefined) {
    if (images.length > 1) throw severalImages(name, tags);
    if (images.length === 0) throw new NetFailure("not-found", `${name} contains no image`, { help: SAVE_AGAIN });
    return images[0];
  }
  const having = (isIt: (one: string) => boolean): readonly unknown[] =>
    images.filter((image) => textsField(image, "RepoTags").some(isIt));
  const exact = having((one) => one === tag);
  const found = exact.length > 0 ? exact : having((one) => one.endsWith(`:${tag}`));
  if (found.length > 1) throw severalImages(name, tags);
  if (found.length === 0) throw noSuchTag(name, tag, tags);
  return found[0];
}

interface MadeManifest {
  readonly manifest: Manifest;
  /** By the digest of the tar. */
  readonly layers: ReadonlyMap<string, StoredFile>;
}

/** The manifest of the image as it would be if its layers were not compressed. The same image always has the same. */
async function madeManifest(
  files: StoredFiles,
  image: unknown,
  config: Uint8Array,
  what: string,
): Promise<MadeManifest> {
  const value = jsonOf(config);
  if (typeof value !== "object" || value === null)
    throw damaged(`the configuration that ${what} names is not a JSON object`);
  const digests = listField(field(value, "rootfs"), "diff_ids");
  const paths = listField(image, "Layers");
  if (digests.length !== paths.length)
    throw damaged(`${what} names ${paths.length} layers, but the configuration of the image ${digests.length}`);
  const layers = new Map<string, StoredFile>();
  const descriptors: object[] = [];
  for (const [index, path] of paths.entries()) {
    const digest = digests[index];
    if (typeof digest !== "string" || !isDigest(digest))
      throw damaged(`the configuration that ${what} names has no digest of layer ${index + 1}`);
    const file = await memberFile(files, path, what);
    if (!layers.has(digest)) layers.set(digest, file);
    descriptors.push({ mediaType: OCI_LAYER, digest, size: layers.get(digest)?.size });
  }
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      config: { mediaType: OCI_CONFIG, digest: digestOf(config), size: config.length },
      layers: descriptors,
    }),
  );
  return { manifest: { mediaType: OCI_MANIFEST, digest: digestOf(bytes), bytes }, layers };
}

async function memberBytes(files: StoredFiles, path: unknown, what: string, signal: AbortSignal): Promise<Uint8Array> {
  const file = await memberFile(files, path, what);
  return smallBytes(file.chunks(signal), `the configuration in ${files.name}`, MAX_CONFIG);
}

async function memberFile(files: StoredFiles, path: unknown, what: string): Promise<StoredFile> {
  if (typeof path !== "string") throw damaged(`${what} does not name the files of the image`);
  const file = await files.find(path);
  if (file === undefined) throw damaged(`${what} names a file that is not there: ${quoted(path)}`);
  return file;
}

function damaged(message: string): NetFailure {
  return new NetFailure("malformed", message, { help: SAVE_AGAIN });
}
