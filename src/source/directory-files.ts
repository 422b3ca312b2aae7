// Which files are below a directory? In byte order; links are followed, but never in a cycle and never out of the
// directory; `.indexignore` applies. Special files, such as named pipes, are not opened.

import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import {
  IGNORE_FILE,
  type IgnoreRule,
  isIgnored,
  isInternalName,
  MAX_IGNORE_FILE_LENGTH,
  parseIgnoreFile,
} from "../input/ignore-file.ts";
import { printBytes } from "../input/limits.ts";
import { UnreadableError } from "../input/read-documents.ts";
import { finding, type Report } from "../model/finding.ts";
import { compareText } from "../model/json.ts";
import { wholeSource } from "../model/place.ts";
import { reasonOf } from "./file-chunks.ts";

/** Which files of a directory are wanted. */
export interface WalkRules {
  /** `.indexignore` files apply, as in a catalog. */
  readonly ignoreFiles: boolean;
  /** Is a file of this name wanted? */
  readonly wanted: (name: string) => boolean;
}

/** All wanted files below a directory. What cannot be read is reported and left out. */
export function filesBelow(directory: string, rules: WalkRules, report: Report): string[] {
  const files: string[] = [];
  const seen = new Set<string>();
  /** `knownReal` is the path without links, if it is known. */
  const visit = (
    path: string,
    knownReal: string | undefined,
    segments: readonly string[],
    ignored: readonly (readonly IgnoreRule[])[],
    above: readonly string[],
  ): void => {
    const entries = attempt(path, report, () => entriesOf(path));
    const real = knownReal ?? attempt(path, report, () => realpathSync(path));
    if (entries === undefined || real === undefined) return;
    if (above.includes(real)) {
      leaveOut(path, "symbolic links lead back to a directory above", "remove the link", report);
      return;
    }
    if (seen.has(real)) return; // a second link to the same target
    seen.add(real);
    const hasRules = rules.ignoreFiles && entries.some(({ name }) => name === IGNORE_FILE);
    const ignoring = [...ignored, hasRules ? readIgnoreFile(directory, path, report) : []];
    const isAnyIgnored = rules.ignoreFiles && ignoring.some((level) => level.length > 0);
    for (const entry of entries) {
      const { name } = entry;
      if (isInternalName(name)) continue;
      const child = join(path, name);
      // The directory says what its plain files and directories are; only links and special files are looked at.
      const isPlain = entry.isFile() || entry.isDirectory();
      const stats = isPlain ? entry : attempt(child, report, () => statSync(child));
      if (stats === undefined) continue;
      const isDirectory = stats.isDirectory();
      const childSegments = [...segments, name];
      if (isAnyIgnored && isIgnored(ignoring, childSegments, isDirectory)) continue;
      if (!isDirectory && !rules.wanted(name)) continue;
      if (!isPlain && !mayBeOpened(directory, child, stats, report)) continue;
      if (isDirectory) visit(child, isPlain ? join(real, name) : undefined, childSegments, ignoring, [...above, real]);
      else files.push(child);
    }
  };
  visit(directory, undefined, [], [], []);
  return files;
}

/** What is in a directory, in byte order. */
function entriesOf(path: string): readonly Dirent[] {
  return readdirSync(path, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
}

/** Is something below a directory a symbolic link that leads out of it? */
export function leadsOutside(directory: string, path: string): boolean {
  if (!lstatSync(path).isSymbolicLink()) return false;
  const root = realpathSync(directory);
  const real = realpathSync(path);
  return real !== root && !real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

/** What something is; a link that was followed is what it leads to. */
type FileKind = Pick<Dirent, "isFile" | "isDirectory" | "isFIFO" | "isSocket">;

/** Is something found below a directory a file or directory of it? If not, that is reported. */
function mayBeOpened(directory: string, path: string, stats: FileKind, report: Report): boolean {
  const isOutside = attempt(path, report, () => leadsOutside(directory, path));
  if (isOutside === undefined) return false;
  if (isOutside)
    leaveOut(
      path,
      "this symbolic link leads out of the directory that was given, and is not followed",
      "put a copy in its place, or give the target file as a separate argument",
      report,
    );
  else if (!stats.isFile() && !stats.isDirectory())
    leaveOut(path, `this is ${kindOf(stats)}, not a file`, "remove it from the directory", report);
  else return true;
  return false;
}

function kindOf(stats: FileKind): string {
  return stats.isFIFO() ? "a named pipe" : stats.isSocket() ? "a socket" : "a device";
}

function readIgnoreFile(root: string, directory: string, report: Report): readonly IgnoreRule[] {
  const path = join(directory, IGNORE_FILE);
  const stats = attempt(path, report, () => statSync(path));
  if (stats === undefined || !mayBeOpened(root, path, stats, report)) return [];
  const text = attempt(path, report, () => {
    if (stats.size > MAX_IGNORE_FILE_LENGTH)
      throw new UnreadableError(`it is longer than ${printBytes(MAX_IGNORE_FILE_LENGTH)}`);
    return readFileSync(path, "utf8");
  });
  return parseIgnoreFile(text ?? "");
}

function attempt<Value>(path: string, report: Report, read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    const message = error instanceof UnreadableError ? error.message : reasonOf(error);
    report(finding("PL001", wholeSource(path), { message, dropped: "file" }));
    return undefined;
  }
}

function leaveOut(path: string, message: string, help: string, report: Report): void {
  report(finding("PL001", wholeSource(path), { message, help, dropped: "file" }));
}
