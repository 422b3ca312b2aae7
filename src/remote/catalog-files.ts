// Which files of a catalog directory in an image are read, and in which order? The same as of a directory on disk:
// `.indexignore` applies, and names are in byte order.

import {
  IGNORE_FILE,
  type IgnoreRule,
  isIgnored,
  isInternalName,
  MAX_IGNORE_FILE_LENGTH,
  parseIgnoreFile,
} from "../input/ignore-file.ts";
import { compareText } from "../model/json.ts";

/** The wanted ones of the files below a directory; paths are relative to it. */
export function catalogFiles(files: ReadonlyMap<string, Uint8Array>): readonly string[] {
  const rules = new Map<string, readonly IgnoreRule[]>();
  for (const [path, bytes] of files) {
    const [name, folder] = [path.slice(path.lastIndexOf("/") + 1), folderOf(path)];
    if (name === IGNORE_FILE && bytes.length <= MAX_IGNORE_FILE_LENGTH)
      rules.set(folder, parseIgnoreFile(Buffer.from(bytes).toString()));
  }
  return [...files.keys()].filter((path) => isWanted(path, rules)).sort(comparePaths);
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

function isWanted(path: string, rules: ReadonlyMap<string, readonly IgnoreRule[]>): boolean {
  const segments = path.split("/");
  if (segments.some(isInternalName)) return false;
  const levels = segments.map((_, depth) => rules.get(segments.slice(0, depth).join("/")) ?? []);
  return !isIgnored(levels, segments, false);
}

/** As directories are walked: name by name. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareText(left[index] as string, right[index] as string);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
