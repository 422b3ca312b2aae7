// Which files are below a directory? In byte order, links followed but never in a circle, `.indexignore` obeyed.

import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { type IgnoreRule, isIgnored, parseIgnoreFile } from "../input/ignore-file.ts";
import { finding, type Report } from "../model/finding.ts";
import { compareText } from "../model/json.ts";
import { wholeSource } from "../model/place.ts";
import { reasonOf } from "./file-chunks.ts";

/** The file that names what a catalog directory wants ignored. */
const IGNORE_FILE = ".indexignore";

/** Which files of a directory are meant. */
export interface WalkRules {
  /** `.indexignore` files count, as in a catalog. */
  readonly ignoreFiles: boolean;
  /** Whether a file of this name is wanted. */
  readonly wanted: (name: string) => boolean;
}

/** All wanted files below a directory. What cannot be read is reported and left out. */
export function filesBelow(directory: string, rules: WalkRules, report: Report): string[] {
  const files: string[] = [];
  const seen = new Set<string>();
  const visit = (
    path: string,
    segments: readonly string[],
    ignored: readonly (readonly IgnoreRule[])[],
    above: readonly string[],
  ): void => {
    const names = attempt(path, report, () => readdirSync(path).sort(compareText));
    const real = attempt(path, report, () => realpathSync(path));
    if (names === undefined || real === undefined) return;
    if (above.includes(real)) {
      const message = "symbolic links lead back to a directory above";
      report(finding("PL001", wholeSource(path), { message, help: "remove the link", dropped: "file" }));
      return;
    }
    if (seen.has(real)) return; // two links lead here: once is enough
    seen.add(real);
    const ignoring = [...ignored, rules.ignoreFiles && names.includes(IGNORE_FILE) ? readIgnoreFile(path, report) : []];
    for (const name of names) {
      // Names that begin with two dots are the inner workings of mounted ConfigMaps.
      if (name === IGNORE_FILE || name === ".git" || name.startsWith("..")) continue;
      const child = join(path, name);
      const stats = attempt(child, report, () => statSync(child));
      if (stats === undefined) continue;
      const isDirectory = stats.isDirectory();
      const childSegments = [...segments, name];
      if (rules.ignoreFiles && isIgnored(ignoring, childSegments, isDirectory)) continue;
      if (isDirectory) visit(child, childSegments, ignoring, [...above, real]);
      else if (stats.isFile() && rules.wanted(name)) files.push(child);
    }
  };
  visit(directory, [], [], []);
  return files;
}

function readIgnoreFile(directory: string, report: Report): readonly IgnoreRule[] {
  const path = join(directory, IGNORE_FILE);
  return parseIgnoreFile(attempt(path, report, () => readFileSync(path, "utf8")) ?? "");
}

function attempt<Value>(path: string, report: Report, read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    report(finding("PL001", wholeSource(path), { message: reasonOf(error), dropped: "file" }));
    return undefined;
  }
}
