// What is kept of a layer? The files below some directories, in their order, and what the layer removes of the layers below it.
// The same as one row of bytes, for a cache.

import { field, parsedJson, textField } from "../net/json-fields.ts";
import { imagePath } from "./image-path.ts";

export type KeptEntry =
  | { readonly kind: "file"; readonly path: string; readonly bytes: Uint8Array }
  /** `target` of a symbolic link is as written, that of a hard link is a path of the image. */
  | { readonly kind: "symlink" | "link"; readonly path: string; readonly target: string }
  | { readonly kind: "directory"; readonly path: string }
  /** Something that is no file: `a device`. */
  | { readonly kind: "other"; readonly path: string; readonly what: string };

export interface KeptLayer {
  /** The directories of which everything was kept. */
  readonly wanted: readonly string[];
  /** Paths of the layers below that do not exist any more. */
  readonly removed: readonly string[];
  /** Directories of which nothing of the layers below exists any more. */
  readonly emptied: readonly string[];
  readonly entries: readonly KeptEntry[];
}

/** Changed with the form, and with what is read of a layer. */
const MAGIC = Buffer.from("plimsoll-layer 2\n");
const LENGTH = 4;

/** The layer as bytes: a header, its length before it, and the files behind it. */
export function packLayer(layer: KeptLayer): Uint8Array {
  const files: Uint8Array[] = [];
  const entries = layer.entries.map((entry) => {
    if (entry.kind !== "file") return entry;
    files.push(entry.bytes);
    return { kind: entry.kind, path: entry.path, size: entry.bytes.length };
  });
  const { wanted, removed, emptied } = layer;
  const header = Buffer.from(JSON.stringify({ wanted, removed, emptied, entries }));
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(header.length);
  return Buffer.concat([MAGIC, length, header, ...files]);
}

/** The layer of such bytes, which its files share; undefined if they are damaged. */
export function unpackLayer(packed: Uint8Array): KeptLayer | undefined {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const start = MAGIC.length + LENGTH;
  if (bytes.length < start || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const end = start + bytes.readUInt32BE(MAGIC.length);
  if (end > bytes.length) return undefined;
  const header = parsedJson(bytes.toString("utf8", start, end));
  const wanted = pathsOf(header, "wanted");
  const removed = pathsOf(header, "removed");
  const emptied = pathsOf(header, "emptied");
  const items = field(header, "entries");
  if (!Array.isArray(items)) return undefined;
  const entries: KeptEntry[] = [];
  let at = end;
  for (const item of items) {
    const entry = entryOf(item, packed.subarray(at));
    if (entry === undefined) return undefined;
    if (entry.kind === "file") at += entry.bytes.length;
    entries.push(entry);
  }
  if (wanted === undefined || removed === undefined || emptied === undefined || at !== bytes.length) return undefined;
  return { wanted, removed, emptied, entries };
}

function entryOf(item: unknown, rest: Uint8Array): KeptEntry | undefined {
  const path = textField(item, "path");
  if (path === undefined || !isPath(path)) return undefined;
  const kind = textField(item, "kind");
  switch (kind) {
    case "file": {
      const size = field(item, "size");
      if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0 || size > rest.length) return undefined;
      return { kind, path, bytes: new Uint8Array(rest.buffer, rest.byteOffset, size) };
    }
    case "symlink":
    case "link": {
      const target = field(item, "target");
      if (typeof target !== "string" || (kind === "link" && !isPath(target))) return undefined;
      return { kind, path, target };
    }
    case "directory":
      return { kind, path };
    case "other": {
      const what = textField(item, "what");
      return what === undefined ? undefined : { kind, path, what };
    }
    default:
      return undefined;
  }
}

function pathsOf(header: unknown, key: string): readonly string[] | undefined {
  const list = field(header, key);
  if (!Array.isArray(list)) return undefined;
  return list.every((path): path is string => typeof path === "string" && isPath(path)) ? list : undefined;
}

function isPath(text: string): boolean {
  return imagePath(text) === text;
}
