// How are the files of a layer or an archive written as one? As tar, with the directories above them and without times: the same
// files give the same bytes.

import { posix } from "node:path";

/** Files by path, without a leading slash. */
export type Files = ReadonlyMap<string, string | Uint8Array>;

const BLOCK = 512;
const NAME_LENGTH = 100;
/** Where the numbers of a header are, how wide they are, and what they are in every header. */
const NO_OWNER = [
  { at: 108, width: 8, value: 0 },
  { at: 116, width: 8, value: 0 },
  { at: 136, width: 12, value: 0 },
] as const;

/** The bytes of a tar. Files keep their order. */
export function packTar(files: Files): Buffer {
  const blocks: Uint8Array[] = [];
  const directories = new Set<string>();
  for (const [path, content] of files) {
    for (const directory of parentsOf(path)) {
      if (directories.has(directory)) continue;
      directories.add(directory);
      addEntry(blocks, { path: `${directory}/`, type: "5", mode: 0o755, content: Buffer.alloc(0) });
    }
    addEntry(blocks, { path, type: "0", mode: 0o644, content: Buffer.from(content) });
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** The directories above a path, the outermost first. */
function parentsOf(path: string): readonly string[] {
  const parent = posix.dirname(path);
  return parent === "." ? [] : [...parentsOf(parent), parent];
}

interface Entry {
  readonly path: string;
  /** As a header has it: `0` a file, `5` a directory, `x` the path of the next entry. */
  readonly type: "0" | "5" | "x";
  readonly mode: number;
  readonly content: Buffer;
}

function addEntry(blocks: Uint8Array[], { path, type, mode, content }: Entry): void {
  if (Buffer.byteLength(path) > NAME_LENGTH)
    addEntry(blocks, { path: "long-path", type: "x", mode, content: pathRecord(path) });
  const header = Buffer.alloc(BLOCK);
  header.write(path.slice(0, NAME_LENGTH), 0);
  for (const { at, width, value } of [
    ...NO_OWNER,
    { at: 100, width: 8, value: mode },
    { at: 124, width: 12, value: content.length },
  ])
    header.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at);
  header.write(`        ${type}`, 148);
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  blocks.push(header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK));
}

/** A path that is too long for a header: a record that begins with its own length. */
function pathRecord(path: string): Buffer {
  const rest = ` path=${path}\n`;
  let length = Buffer.byteLength(rest);
  while (Buffer.byteLength(`${length}${rest}`) !== length) length = Buffer.byteLength(`${length}${rest}`);
  return Buffer.from(`${length}${rest}`);
}
