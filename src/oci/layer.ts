// Which files of some directories does a layer have, and what does it remove there? The layer is streamed; everything else of it
// is skipped. Nothing is written.

import { NetFailure } from "../net/failure.ts";
import { enumerated, quoted } from "../text/words.ts";
import { decompressed, unknownCompression } from "./decompress.ts";
import { imagePath, isWithin, joined, partsOf, splitPath } from "./image-path.ts";
import type { Descriptor } from "./image-source.ts";
import type { KeptEntry, KeptLayer } from "./kept-layer.ts";
import { sizeText } from "./size-text.ts";
import { type TarEntry, type TarLimits, tarEntries } from "./tar.ts";

const MAX_DEPTH = 100;
/** What an entry without content takes. */
const ENTRY_COST = 1024;
const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";
/** Names that were used by aufs and have no meaning. */
const WHITEOUT_OF_AUFS = ".wh..wh.";

/** What may still be kept in memory: of one image, for all of its layers. */
export interface Room {
  bytes: number;
  /** What it was at first, for messages. */
  readonly limit: number;
}

export function roomOf(limit: number): Room {
  return { bytes: limit, limit };
}

/** Takes bytes of the room; throws if there are not so many. */
export function takeRoom(room: Room, bytes: number, wanted: readonly string[]): void {
  room.bytes -= bytes;
  if (room.bytes >= 0) return;
  const where = enumerated(wanted.map((path) => quoted(`/${path}`)));
  throw new NetFailure(
    "malformed",
    `the image has more than ${sizeText(room.limit)} below ${where}, which is the limit`,
    {
      help: "split the catalog into several images",
    },
  );
}

export const LAYER_LIMITS: TarLimits = { entries: 200_000, bytes: 16 * 1024 ** 3 };

export interface LayerReading {
  /** The directories of which everything is kept. */
  readonly wanted: readonly string[];
  readonly room: Room;
  readonly signal: AbortSignal;
  readonly limits?: TarLimits;
}

/** What is kept of a layer, whose bytes are `blob`. */
export async function layerFiles(
  blob: AsyncIterable<Uint8Array>,
  { digest, mediaType }: Pick<Descriptor, "digest" | "mediaType">,
  { wanted, room, signal, limits = LAYER_LIMITS }: LayerReading,
): Promise<KeptLayer> {
  const name = `the layer ${digest}`;
  if (mediaType.endsWith("zstd")) throw unknownCompression(name, "zstd");
  const removed: string[] = [];
  const emptied: string[] = [];
  const entries: KeptEntry[] = [];
  const matters = (path: string): boolean => wanted.some((one) => isWithin(path, one) || isWithin(one, path));
  for await (const entry of tarEntries(decompressed(blob, name), name, limits, signal)) {
    const path = pathIn(entry.path, name);
    const whiteout = whiteoutOf(path, name);
    const target = whiteout?.path ?? path;
    if (whiteout?.kind === "nothing" || !matters(target)) continue;
    if (partsOf(target).length > MAX_DEPTH) throw tooDeep(name, path);
    takeRoom(room, ENTRY_COST + 2 * path.length + 2 * (entry.link?.length ?? 0), wanted);
    if (whiteout?.kind === "removed") removed.push(target);
    else if (whiteout?.kind === "emptied") emptied.push(target);
    else if (path !== "") entries.push(await keptEntry(entry, path, { name, wanted, room }));
  }
  return { wanted, removed, emptied, entries };
}

interface Keeping extends Pick<LayerReading, "wanted" | "room"> {
  readonly name: string;
}

async function keptEntry(entry: TarEntry, path: string, { name, wanted, room }: Keeping): Promise<KeptEntry> {
  switch (entry.type) {
    case "file": {
      // A file in place of a directory that leads to a wanted one hides it; its content is not wanted.
      if (!wanted.some((one) => isWithin(path, one))) return { kind: "other", path, what: "a file" };
      takeRoom(room, entry.size, wanted);
      return { kind: "file", path, bytes: await contentOf(entry) };
    }
    case "link":
      return { kind: "link", path, target: pathIn(entry.link ?? "", name) };
    case "symlink":
      return { kind: "symlink", path, target: entry.link ?? "" };
    case "directory":
      return { kind: "directory", path };
    case "device":
      return { kind: "other", path, what: "a device" };
    case "pipe":
      return { kind: "other", path, what: "a named pipe" };
    case "other":
      return { kind: "other", path, what: "neither a file nor a link" };
  }
}

async function contentOf(entry: TarEntry): Promise<Uint8Array> {
  // The pages of a large array exist when they are written: a header that lies costs nothing.
  const bytes = new Uint8Array(entry.size);
  let at = 0;
  for await (const piece of entry.content()) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

type Whiteout = { readonly kind: "removed" | "emptied" | "nothing"; readonly path: string };

/** What an entry removes; undefined if it is no whiteout. */
function whiteoutOf(path: string, name: string): Whiteout | undefined {
  const { directory, name: last } = splitPath(path);
  if (!last.startsWith(WHITEOUT)) return undefined;
  if (last === OPAQUE) return { kind: "emptied", path: directory };
  if (last.startsWith(WHITEOUT_OF_AUFS)) return { kind: "nothing", path };
  const gone = last.slice(WHITEOUT.length);
  if (gone === "" || gone === "." || gone === "..")
    throw new NetFailure("malformed", `${name} has a whiteout of nothing: ${quoted(path)}`, { help: BUILD_AGAIN });
  return { kind: "removed", path: joined(directory, gone) };
}

const BUILD_AGAIN = "build the image again; no container engine makes such a layer";

function pathIn(written: string, name: string): string {
  const path = imagePath(written);
  if (path !== undefined) return path;
  throw new NetFailure("malformed", `${name} has a path that leaves the image: ${quoted(written)}`, {
    help: `${BUILD_AGAIN}; do not use an image from an unknown origin`,
  });
}

function tooDeep(name: string, path: string): NetFailure {
  return new NetFailure("malformed", `${name} has a path of more than ${MAX_DEPTH} directories: ${quoted(path)}`, {
    help: "build an image whose catalog has fewer directories inside each other",
  });
}
