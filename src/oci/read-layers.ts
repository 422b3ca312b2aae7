// Which files do some directories of an image have? Its layers are read several at a time, each once, or taken from a cache.

import { NetFailure } from "../net/failure.ts";
import { inParallel } from "../net/in-parallel.ts";
import { quoted } from "../text/words.ts";
import { imagePath } from "./image-path.ts";
import type { Descriptor, ImageSource } from "./image-source.ts";
import type { KeptLayer } from "./kept-layer.ts";
import { type LayerReading, layerFiles, roomOf, takeRoom } from "./layer.ts";
import { type ImageFile, mergedLayers, type SkippedPath } from "./merge-layers.ts";
import type { Image } from "./read-image.ts";

const AT_ONCE = 3;
const MAX_KEPT = 1024 ** 3;
/** How often the layers are read because a directory is a link to one that was not wanted before. */
const MAX_ROUNDS = 4;

export interface ReadLayersOptions {
  readonly signal: AbortSignal;
  /**
   * What is kept of a layer: from a cache, or made now. A layer is the same for the same digest and the same directories
   * (`wanted`, in order); one that was kept for other directories is made again. `signal` also ends when another layer fails.
   */
  readonly cachedLayer?: (
    layer: Descriptor,
    make: () => Promise<KeptLayer>,
    wanted: readonly string[],
    signal: AbortSignal,
  ) => Promise<KeptLayer>;
  /** Bytes that arrived, for a progress line. */
  readonly onBytes?: (bytes: number) => void;
  /** Bytes that may be kept of the image; 1 GiB by default. */
  readonly limit?: number;
}

export interface ImageFiles {
  /** In the order of the bytes of their paths. */
  readonly files: readonly ImageFile[];
  /** What is below the directories and is no file, with the reason. */
  readonly skipped: readonly SkippedPath[];
}

/** The files below the wanted directories: `configs`, `/configs/`, `/a/b`. A directory that does not exist has none. */
export async function readLayers(
  source: ImageSource,
  image: Image,
  wanted: readonly string[],
  options: ReadLayersOptions,
): Promise<ImageFiles> {
  const directories = wanted.map(wantedPath);
  let asked: readonly string[] = [...new Set(directories)].sort();
  for (let round = 1; ; round++) {
    const room = roomOf(options.limit ?? MAX_KEPT);
    const layers = await keptLayers(source, image, { ...options, wanted: asked, room });
    const { files, skipped, elsewhere } = mergedLayers(layers, directories, asked);
    if (elsewhere.length === 0) {
      // Links make several files of one.
      const all = roomOf(room.limit);
      for (const { bytes } of files) takeRoom(all, bytes.length, directories);
      return { files, skipped };
    }
    if (round === MAX_ROUNDS)
      throw new NetFailure("malformed", `${quoted(wanted[0] ?? "/")} leads through too many symbolic links`, {
        help: "build the image with the catalog in a directory that is no link",
      });
    asked = [...new Set([...asked, ...elsewhere])].sort();
  }
}

/** What is kept of each layer, in order. */
async function keptLayers(
  source: ImageSource,
  image: Image,
  { wanted, room, signal, cachedLayer, onBytes }: ReadLayersOptions & Pick<LayerReading, "wanted" | "room">,
): Promise<readonly KeptLayer[]> {
  const different = new Map(image.layers.map((layer) => [layer.digest, layer]));
  // One layer that fails ends the others.
  const others = new AbortController();
  const either = AbortSignal.any([signal, others.signal]);
  const read = async (layer: Descriptor): Promise<readonly [string, KeptLayer]> => {
    let isMade = false;
    const make = (): Promise<KeptLayer> => {
      isMade = true;
      return layerFiles(counting(source.blob(layer, either), onBytes), layer, { wanted, room, signal: either });
    };
    const kept = await (cachedLayer?.(layer, make, wanted, either) ?? make());
    if (!isFor(kept, wanted)) return [layer.digest, await make()];
    if (!isMade) takeRoom(room, keptBytes(kept), wanted);
    return [layer.digest, kept];
  };
  try {
    const kept = new Map(await inParallel([...different.values()], AT_ONCE, read));
    return image.layers.map(({ digest }) => kept.get(digest) as KeptLayer);
  } catch (error) {
    others.abort();
    throw error;
  }
}

function isFor(layer: KeptLayer, wanted: readonly string[]): boolean {
  return layer.wanted.length === wanted.length && wanted.every((path, index) => layer.wanted[index] === path);
}

function keptBytes({ entries }: KeptLayer): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === "file" ? entry.bytes.length : 0), 0);
}

async function* counting(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: ((bytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes?.(chunk.length);
    yield chunk;
  }
}

function wantedPath(written: string): string {
  const path = imagePath(written);
  if (path !== undefined) return path;
  throw new NetFailure("malformed", `${quoted(written)} is not a directory of an image: it leads out of it`, {
    help: "correct the label of the image that names the directory of the catalog",
  });
}
