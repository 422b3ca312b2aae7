// How do versions compare, and what do ranges admit, as OLM reads them? On texts, for programs.

import { inRange as isInRange, parseRange } from "../semver/blang-range.ts";
import { satisfies as isSatisfied, parseConstraint } from "../semver/masterminds-range.ts";
import { compareVersions as compare, parseVersion, type Version } from "../semver/version.ts";
import { textOf, UsageError } from "./usage-error.ts";

/** The order of two versions as semver defines it: a pre-release comes before its release, build metadata does not count. */
export function compareVersions(a: string, b: string): -1 | 0 | 1 {
  return compare(versionOf(a), versionOf(b));
}

/** Is a version inside a range of OLM, such as `>=1.2.0 <2.0.0 || 3.x`? That is the syntax of blang/semver. */
export function inRange(version: string, range: string): boolean {
  return isInRange(orThrow("range", parseRange(textOf("range", range))), versionOf(version));
}

/** Does a version satisfy a constraint of OLM v1, such as `^1.2`? That is the syntax of Masterminds/semver. */
export function satisfies(version: string, constraint: string): boolean {
  return isSatisfied(orThrow("constraint", parseConstraint(textOf("constraint", constraint))), versionOf(version));
}

function versionOf(text: string): Version {
  return orThrow("version", parseVersion(textOf("version", text)));
}

function orThrow<Read>(what: string, read: Read | string): Read {
  if (typeof read === "string") throw new UsageError(`${what}: ${read}`);
  return read;
}
