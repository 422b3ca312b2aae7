// Which image of an OCI layout does a reference name? The layout is a directory, or an archive of one.

import { NetFailure } from "../net/failure.ts";
import { field, listField, textField } from "../net/json-fields.ts";
import { listed, quoted } from "../text/words.ts";
import { digestOf, digestParts, isDigest } from "./digest.ts";
import type { Descriptor, ImageSource, Manifest } from "./image-source.ts";
import { descriptorOf, isAttestation, jsonOf, MAX_MANIFEST } from "./manifest.ts";
import { OCI_INDEX } from "./manifest-type.ts";
import { sizeText } from "./size-text.ts";
import { directoryFiles, type StoredFile, type StoredFiles } from "./stored-files.ts";
import type { ImageChoice } from "./stored-place.ts";
import { collected, requireDigest, verified } from "./verified.ts";

/** The file that says that a directory is a layout. */
export const LAYOUT_MARK = "oci-layout";
const INDEX = "index.json";
const REF_NAME = "org.opencontainers.image.ref.name";
/** What containerd and Docker call the whole reference. */
const IMAGE_NAME = "io.containerd.image.name";
const COPY_AGAIN = "the copy of the image is incomplete or damaged: copy it again";

/** An image of the layout in a directory. */
export async function openLayout(directory: string, choice: ImageChoice): Promise<ImageSource> {
  return layoutSource(await directoryFiles(directory), choice);
}

/** An image of a layout. */
export function layoutSource(files: StoredFiles, choice: ImageChoice): ImageSource {
  const { name } = files;
  const manifestOf = async ({ mediaType, digest, size }: Descriptor, signal: AbortSignal): Promise<Manifest> => {
    const file = await blobFile(files, digest);
    const bytes = await smallBytes(
      verified(file.chunks(signal), { digest, size }, name),
      `the manifest ${digest} of ${name}`,
    );
    return { mediaType, digest, bytes };
  };
  return {
    name,
    manifestOf,
    manifest: async (signal) => {
      await requireLayout(files, signal);
      const named = await namedImage(files, choice, signal);
      return "bytes" in named ? named : manifestOf(named, signal);
    },
    blob: async function* (descriptor, signal) {
      const file = await blobFile(files, descriptor.digest);
      yield* verified(file.chunks(signal), descriptor, name);
    },
  };
}

async function requireLayout(files: StoredFiles, signal: AbortSignal): Promise<void> {
  const mark = await files.find(LAYOUT_MARK);
  if (mark === undefined)
    throw new NetFailure("malformed", `${files.name} is not an OCI layout: it has no file ${LAYOUT_MARK}`, {
      help: "make one with `skopeo copy docker://IMAGE oci:DIR` or `crane pull --format=oci IMAGE DIR`",
    });
  const what = `the file ${LAYOUT_MARK} of ${files.name}`;
  const version = textField(jsonOf(await smallBytes(mark.chunks(signal), what)), "imageLayoutVersion");
  if (version === undefined || !version.startsWith("1."))
    throw new NetFailure("malformed", `${what} does not say version 1 of the format`, { help: COPY_AGAIN });
}

interface LayoutMember extends Descriptor {
  readonly names: readonly string[];
  readonly hasPlatform: boolean;
}

/** The manifest that is chosen, or the whole index if it is one image for several platforms. */
async function namedImage(
  files: StoredFiles,
  choice: ImageChoice,
  signal: AbortSignal,
): Promise<Descriptor | Manifest> {
  const file = await files.find(INDEX);
  if (file === undefined) throw new NetFailure("malformed", `${files.name} has no file ${INDEX}`, { help: COPY_AGAIN });
  const what = `the file ${INDEX} of ${files.name}`;
  const bytes = await smallBytes(file.chunks(signal), what);
  const value = jsonOf(bytes);
  if (!Array.isArray(field(value, "manifests")))
    throw new NetFailure("malformed", `${what} does not list manifests`, { help: COPY_AGAIN });
  const members = listField(value, "manifests").flatMap((item, index) => memberOf(item, index, what));
  if (choice.digest !== undefined) return byDigest(files, members, choice.digest);
  if (choice.tag !== undefined) return byTag(files.name, members, choice.tag);
  const digests = new Set(members.map(({ digest }) => digest));
  if (members[0] === undefined)
    throw new NetFailure("not-found", `${files.name} contains no image`, { help: COPY_AGAIN });
  if (digests.size === 1) return members[0];
  if (members.every(({ names, hasPlatform }) => names.length === 0 && hasPlatform))
    return { mediaType: OCI_INDEX, digest: digestOf(bytes), bytes };
  throw severalImages(files.name, tagsOf(members), [...digests]);
}

function memberOf(item: unknown, index: number, what: string): readonly LayoutMember[] {
  const descriptor = descriptorOf(item);
  if (descriptor === undefined)
    throw new NetFailure("malformed", `member ${index + 1} of ${what} has no digest and size`, { help: COPY_AGAIN });
  if (isAttestation(item)) return [];
  const annotations = field(item, "annotations");
  const names = [textField(annotations, REF_NAME), textField(annotations, IMAGE_NAME)];
  return [
    {
      ...descriptor,
      names: names.filter((name) => name !== undefined),
      hasPlatform: textField(field(item, "platform"), "os") !== undefined,
    },
  ];
}

async function byDigest(files: StoredFiles, members: readonly LayoutMember[], digest: string): Promise<Descriptor> {
  requireChoice(digest);
  const member = members.find((one) => one.digest === digest);
  if (member !== undefined) return member;
  // A manifest of a platform is in an index, and not listed here.
  const { size } = await blobFile(files, digest);
  return { mediaType: "", digest, size };
}

function requireChoice(digest: string): void {
  if (isDigest(digest)) return;
  throw new NetFailure("config", `${quoted(digest)} is not a digest`, {
    help: "a digest is sha256: and 64 hexadecimal digits",
  });
}

function byTag(name: string, members: readonly LayoutMember[], tag: string): Descriptor {
  const exact = members.filter(({ names }) => names.includes(tag));
  const found = exact.length > 0 ? exact : members.filter(({ names }) => names.some((one) => one.endsWith(`:${tag}`)));
  const digests = new Set(found.map(({ digest }) => digest));
  if (digests.size > 1) throw severalImages(name, tagsOf(found), [...digests]);
  const [member] = found;
  if (member !== undefined) return member;
  throw noSuchTag(name, tag, tagsOf(members));
}

function tagsOf(members: readonly LayoutMember[]): readonly string[] {
  return members.flatMap(({ names }) => names.slice(0, 1));
}

const MAX_TAGS = 10;

export function noSuchTag(name: string, tag: string, tags: readonly string[]): NetFailure {
  const known = tags.length === 0 ? "its images have no tags" : `its tags are ${tagList(tags)}`;
  return new NetFailure("not-found", `${name} has no image with the tag ${quoted(tag)}: ${known}`, {
    help: tags.length === 0 ? "leave out the tag, or name a digest" : "name one of these tags",
  });
}

/** Several images, and nothing that says which: digests are named if there are no tags. */
export function severalImages(name: string, tags: readonly string[], digests: readonly string[] = []): NetFailure {
  let known = `they have no tags${digests.length > 0 ? `: ${listed(digests, MAX_TAGS)}` : ""}`;
  let help = digests.length > 0 ? "add @ and one of the digests" : "save one image only";
  if (tags.length > 0) {
    known = `their tags are ${tagList(tags)}`;
    help = "add : and one of the tags";
  }
  return new NetFailure("config", `${name} contains several images, and the reference does not choose one: ${known}`, {
    help,
  });
}

function tagList(tags: readonly string[]): string {
  return listed(
    tags.map((tag) => quoted(tag)),
    MAX_TAGS,
  );
}

/** The file of a blob. Only a digest becomes a part of a path. */
async function blobFile(files: StoredFiles, digest: string): Promise<StoredFile> {
  requireDigest(digest, files.name);
  const { algorithm, hex } = digestParts(digest);
  const file = await files.find(`blobs/${algorithm}/${hex}`);
  if (file !== undefined) return file;
  throw new NetFailure("not-found", `${files.name} does not contain ${digest}`, { help: COPY_AGAIN });
}

/** The bytes of a manifest or an index. */
export function smallBytes(
  chunks: AsyncIterable<Uint8Array>,
  what: string,
  limit: number = MAX_MANIFEST,
): Promise<Uint8Array> {
  return collected(
    chunks,
    limit,
    () =>
      new NetFailure("malformed", `${what} has more than ${sizeText(limit)}, which is the limit`, { help: COPY_AGAIN }),
  );
}
