/**
 * What is a version, and which of two is greater?
 * Strict semver as parsed by blang/semver v4 `Parse`: three numbers of 64 bits, then -pre-release, then +build.
 */
import { DOT, digitsEnd, HYPHEN, MAX_LENGTH } from "./characters.ts";
import {
  compareBuilds,
  comparePrereleases,
  type Identifier,
  readBuild,
  readNumeric,
  readPrerelease,
} from "./identifier.ts";
import { whyNotVersion } from "./version-reason.ts";
import type { WholeNumber } from "./whole-number.ts";

/** A semantic version; numbers are bigint only where a number would not be exact. */
export interface Version {
  readonly major: WholeNumber;
  readonly minor: WholeNumber;
  readonly patch: WholeNumber;
  readonly pre: readonly Identifier[];
  readonly build: readonly string[];
}

const NONE: readonly never[] = Object.freeze([]);

/** The version of a text, or why it is invalid. */
export function parseVersion(text: string): Version | string {
  return readVersion(text) ?? whyNotVersion(text, (instead) => readVersion(instead) !== undefined);
}

/** The version of a text, without a reason if it is invalid. */
export function readVersion(text: string): Version | undefined {
  const end = text.length;
  if (end > MAX_LENGTH) return undefined;
  const majorEnd = digitsEnd(text, 0);
  if (text.charCodeAt(majorEnd) !== DOT) return undefined;
  const minorEnd = digitsEnd(text, majorEnd + 1);
  if (text.charCodeAt(minorEnd) !== DOT) return undefined;
  const patchEnd = digitsEnd(text, minorEnd + 1);
  const major = readNumeric(text, 0, majorEnd);
  const minor = readNumeric(text, majorEnd + 1, minorEnd);
  const patch = readNumeric(text, minorEnd + 1, patchEnd);
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  if (patchEnd === end) return { major, minor, patch, pre: NONE, build: NONE };

  const plus = text.indexOf("+", patchEnd);
  const preEnd = plus < 0 ? end : plus;
  let pre: readonly Identifier[] | undefined = NONE;
  if (preEnd > patchEnd) {
    if (text.charCodeAt(patchEnd) !== HYPHEN) return undefined;
    pre = readPrerelease(text, patchEnd + 1, preEnd);
  }
  const build = plus < 0 ? NONE : readBuild(text, plus + 1, end);
  if (pre === undefined || build === undefined) return undefined;
  return { major, minor, patch, pre, build };
}

/** The text of a version; parsing it gives the same version. */
export function printVersion(version: Version): string {
  let text = `${version.major}.${version.minor}.${version.patch}`;
  if (version.pre.length > 0) text += `-${version.pre.join(".")}`;
  if (version.build.length > 0) text += `+${version.build.join(".")}`;
  return text;
}

/** Precedence as semver defines it: a pre-release comes before its release, build metadata does not count. */
export function compareVersions(a: Version, b: Version): -1 | 0 | 1 {
  if (a.major !== b.major) return a.major < b.major ? -1 : 1;
  if (a.minor !== b.minor) return a.minor < b.minor ? -1 : 1;
  if (a.patch !== b.patch) return a.patch < b.patch ? -1 : 1;
  if (a.pre.length === 0) return b.pre.length === 0 ? 0 : 1;
  if (b.pre.length === 0) return -1;
  return comparePrereleases(a.pre, b.pre);
}

/** Precedence, then build metadata (none before any): equal only when the texts are equal, so that sorting is deterministic. */
export function compareWithBuild(a: Version, b: Version): -1 | 0 | 1 {
  return compareVersions(a, b) || compareBuilds(a.build, b.build);
}
