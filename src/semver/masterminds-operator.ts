/**
 * What does each operator of a Masterminds constraint mean?
 * Masterminds/semver v3, constraints.go, including oddities; most come from * being 0.0.0 with all numbers open.
 */
import { comparePrereleases } from "./identifier.ts";
import type { Pattern } from "./masterminds-pattern.ts";
import { compareVersions, type Version } from "./version.ts";

/** The meaning of an operator, which may have several spellings. */
export type ConstraintOperator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "^";

/** One comparison of a constraint. */
export interface ConstraintComparator extends Pattern {
  readonly operator: ConstraintOperator;
}

/** All spellings of operators, longest first. */
export const SPELLINGS: readonly (readonly [spelling: string, operator: ConstraintOperator])[] = [
  ["!=", "!="],
  [">=", ">="],
  ["=>", ">="],
  ["<=", "<="],
  ["=<", "<="],
  ["~>", "~"],
  ["=", "="],
  [">", ">"],
  ["<", "<"],
  ["~", "~"],
  ["^", "^"],
  ["", "="],
];

/** Does the version satisfy the comparison? Whether pre-releases are allowed at all is decided elsewhere. */
export function holds(comparator: ConstraintComparator, version: Version): boolean {
  return MEANINGS[comparator.operator](comparator, version);
}

const MEANINGS: Readonly<Record<ConstraintOperator, (pattern: Pattern, version: Version) => boolean>> = {
  "=": (pattern, version) =>
    pattern.open === "none" ? compareVersions(version, pattern.version) === 0 : isNear(pattern, version),
  "!=": isDifferent,
  ">": isAbove,
  ">=": (pattern, version) => compareVersions(version, pattern.version) >= 0,
  "<": (pattern, version) => compareVersions(version, pattern.version) < 0,
  "<=": isAtMost,
  "~": isNear,
  "^": isCompatible,
};

/**
 * `!=1.2` excludes all of 1.2. Oddities: `!=1.2-beta` compares the pre-release alone, and `!=*` excludes 0.0.0 only.
 */
function isDifferent({ version: bound, open }: Pattern, version: Version): boolean {
  switch (open) {
    case "minor":
      return version.major !== bound.major;
    case "patch":
      if (version.major !== bound.major || version.minor !== bound.minor) return true;
      return comparePrereleases(version.pre, bound.pre) !== 0;
    case "major":
    case "none":
      return compareVersions(version, bound) !== 0;
  }
}

/** `>1.2` begins with 1.3.0. Oddity: `>*` begins above 0.0.0. */
function isAbove({ version: bound, open }: Pattern, version: Version): boolean {
  switch (open) {
    case "minor":
      return version.major > bound.major;
    case "patch":
      return version.major > bound.major || (version.major === bound.major && version.minor > bound.minor);
    case "major":
    case "none":
      return compareVersions(version, bound) > 0;
  }
}

/** `<=1.2` includes every 1.2.x. Oddity: `<=*` is read like `<=0.0`. */
function isAtMost({ version: bound, open }: Pattern, version: Version): boolean {
  switch (open) {
    case "minor":
      return version.major <= bound.major;
    case "major":
    case "patch":
      return version.major < bound.major || (version.major === bound.major && version.minor <= bound.minor);
    case "none":
      return compareVersions(version, bound) <= 0;
  }
}

/** `~1.2.3` is the rest of 1.2, `~1` the rest of 1. Oddity: `~0.0.0` allows everything, like `*`. */
function isNear({ version: bound, open }: Pattern, version: Version): boolean {
  if (compareVersions(version, bound) < 0) return false;
  if (open === "major") return true;
  if (open === "none" && bound.major === 0 && bound.minor === 0 && bound.patch === 0) return true;
  return version.major === bound.major && (open === "minor" || version.minor === bound.minor);
}

/** `^1.2.3` ends where the first number that is not 0 changes. Oddity: `^*` is read like `^0.0.0`. */
function isCompatible({ version: bound, open }: Pattern, version: Version): boolean {
  if (compareVersions(version, bound) < 0 || version.major !== bound.major) return false;
  if (bound.major > 0 || open === "minor") return true;
  if (version.minor !== bound.minor) return false;
  return bound.minor > 0 || open === "patch" || version.patch === bound.patch;
}
