// What is the catalog in an image? Opens the image where it is, finds its directories, and reads their files from the layers.
// Layers are kept in the cache by their digest, so that a new version of an image brings only what has changed.

import { finding } from "../model/finding.ts";
import { wholeSource } from "../model/place.ts";
import { NetFailure } from "../net/failure.ts";
import { openArchive } from "../oci/archive.ts";
import type { ImageSource, Manifest } from "../oci/image-source.ts";
import { packImage, unpackImage } from "../oci/kept-image.ts";
import { packLayer, unpackLayer } from "../oci/kept-layer.ts";
import { openLayout } from "../oci/layout.ts";
import type { ImageFile } from "../oci/merge-layers.ts";
import { mirroredImage } from "../oci/mirrored.ts";
import { type Image, openImage } from "../oci/read-image.ts";
import { type ImageFiles, readLayers } from "../oci/read-layers.ts";
import { readImageReference, referenceText } from "../oci/reference.ts";
import { storedPlace } from "../oci/stored-place.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import { catalogFiles } from "./catalog-files.ts";
import { once, type RemoteContent, type RemoteParts } from "./content.ts";
import { contentOf } from "./image-content.ts";
import { type RemoteSetting, waitedFor } from "./setting.ts";
import type { Way } from "./way.ts";

type ImageWay = Extract<Way, { kind: "image" | "layout" | "archive" }>;

const KIND = "layer";
const IMAGE_KIND = "image";

/** An image that is open: where it is, and how it is called. */
interface OpenedImage {
  readonly source: ImageSource;
  /** For messages and names. */
  readonly name: string;
  /** The digest that its reference states. */
  readonly digest: string | undefined;
  /** The mirror that it came from. */
  readonly mirror: () => string | undefined;
  /** Closes its connections. */
  readonly close: () => void;
}

/** The catalog, or the bundle, in an image. */
export async function openImageContent(way: ImageWay, setting: RemoteSetting): Promise<RemoteContent> {
  const opened = await openedImage(way, setting);
  const { source, name, mirror } = opened;
  const root = await rootOf(opened, setting);
  const { digest } = root;
  const about = name.includes("@") ? name : `${name}@${digest}`;
  const parts = once(async () => {
    return partsOf(opened, await knownImage(source, root, about, setting), setting);
  });
  return { prefix: prefixOf(opened), digest, about, parts, mirror };
}

/** What a reference names: its digest, and the manifest if the digest is known from that. */
type Root = Pick<Manifest, "digest"> & { readonly manifest?: Manifest };

async function rootOf({ source, digest }: OpenedImage, { signal }: RemoteSetting): Promise<Root> {
  if (digest !== undefined) return { digest };
  const manifest = await source.manifest(signal);
  return { digest: manifest.digest, manifest };
}

/** The image of a digest: what an earlier run knew of it, or what its source says now. */
async function knownImage(
  source: ImageSource,
  { digest, manifest }: Root,
  about: string,
  { cache, signal }: RemoteSetting,
): Promise<Image> {
  const hit = await cache.get(IMAGE_KIND, digest);
  const known = hit && unpackImage(hit.payload);
  if (known !== undefined) return known;
  // A tag may have moved meanwhile: the manifest is the one that has the digest.
  const image = await openImage(source, signal, manifest);
  await cache.put({ kind: IMAGE_KIND, key: digest, about }, packImage(image));
  return image;
}

/** The manifests of a bundle's image, by their paths in it. */
export async function bundleManifests(image: string, setting: RemoteSetting): Promise<readonly ImageFile[]> {
  const opened = await openedImage({ kind: "image", image }, setting);
  const { source, name, close } = opened;
  try {
    const known = await knownImage(source, await rootOf(opened, setting), name, setting);
    const content = contentOf(known, plainName(name));
    if (content.kind !== "bundle")
      throw new NetFailure("malformed", `the image ${plainName(name)} is a catalog, not a bundle`, {
        help: "ask the publisher of the catalog which image its bundle has",
      });
    const [manifests] = content.directories;
    return (await layerFiles(source, known, [manifests], setting)).files;
  } finally {
    // There may be hundreds of them.
    close();
  }
}

/** A stored image has neither connections nor mirrors. */
const STORED = { digest: undefined, mirror: () => undefined, close: () => {} };

async function openedImage(way: ImageWay, { registry, mirrors, signal }: RemoteSetting): Promise<OpenedImage> {
  if (way.kind !== "image") {
    const { path, choice } = storedPlace(way.path);
    const isLayout = way.kind === "layout";
    const source = isLayout ? await openLayout(path, choice) : await openArchive(path, choice, signal);
    return { source, name: `${isLayout ? "oci-layout:" : ""}${way.path}`, ...STORED };
  }
  const reference = readImageReference(way.image);
  if ("fault" in reference) {
    const { fault, hint } = reference;
    throw new NetFailure("config", `${withoutUrlSecrets(way.image)} is not the name of an image: ${fault}`, {
      ...(hint !== undefined && { help: hint }),
    });
  }
  const source = mirroredImage(reference, mirrors, registry);
  const shown = referenceText(reference);
  const mirror = (): string | undefined => (source.usedLocation === shown ? undefined : source.usedLocation);
  return { source, name: `oci://${shown}`, digest: reference.digest, mirror, close: () => source.close() };
}

function plainName(name: string): string {
  return name.replace(/^oci:\/\//, "");
}

/** What the names of the files of an image begin with. */
function prefixOf({ name }: OpenedImage): string {
  return `${name}/`;
}

async function partsOf(opened: OpenedImage, image: Image, setting: RemoteSetting): Promise<RemoteParts> {
  const { source, name } = opened;
  const prefix = prefixOf(opened);
  const content = contentOf(image, plainName(name));
  const { files, skipped } = await layerFiles(source, image, content.directories, setting);
  const bytes = new Map<string, Uint8Array>();
  const findings = skipped.map(({ path, reason }) =>
    finding("PL001", wholeSource(`${prefix}${path}`), {
      message: `not a file that can be read: ${reason}`,
      help: "put a file in its place, and build the image anew",
      dropped: "file",
    }),
  );
  if (content.kind === "catalog") {
    const [directory] = content.directories;
    const below = new Map(files.map((file) => [file.path.slice(directory.length + 1), file.bytes]));
    for (const path of catalogFiles(below)) bytes.set(`${prefix}${directory}/${path}`, below.get(path) as Uint8Array);
  } else {
    // A bundle directory is recognised by the names of its halves.
    for (const [index, half] of ["manifests", "metadata"].entries()) {
      const directory = `${content.directories[index]}/`;
      for (const file of files)
        if (file.path.startsWith(directory))
          bytes.set(`${prefix}${half}/${file.path.slice(directory.length)}`, file.bytes);
    }
  }
  return { names: [...bytes.keys()], bytesOf: (name) => bytes.get(name), findings };
}

/** Who is waited for if the lock of an entry of the cache is taken. */
const OTHER_PROCESS = "another process that reads the same layer";

async function layerFiles(
  source: ImageSource,
  image: Image,
  directories: readonly string[],
  setting: RemoteSetting,
): Promise<ImageFiles> {
  const { cache, signal, onProgress } = setting;
  const total = image.layers.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  return readLayers(source, image, directories, {
    signal,
    onBytes: (length) => {
      bytes += length;
      onProgress({ bytes, total });
    },
    cachedLayer: async ({ digest }, make, wanted, either) => {
      const key = JSON.stringify([digest, ...wanted]);
      const about = `${wanted.join(", ")} of layer ${digest} of ${source.name}`;
      const entry = { kind: KIND, key, about };
      const packed = await waitedFor(OTHER_PROCESS, setting, (endWait) => {
        const makeNow = async (): Promise<Uint8Array> => {
          endWait();
          return packLayer(await make());
        };
        return cache.once(entry, makeNow, either);
      });
      const known = unpackLayer(packed);
      if (known !== undefined) return known;
      // It was kept in another form, and would be read again in every run.
      const made = await make();
      await cache.put(entry, packLayer(made));
      return made;
    },
  });
}
