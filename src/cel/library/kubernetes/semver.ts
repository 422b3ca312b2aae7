// Which functions does Kubernetes provide for semantic versions?

import { trimSpace } from "../../../semver/characters.ts";
import { parseTolerant } from "../../../semver/tolerant.ts";
import { compareVersions, parseVersion, printVersion, type Version } from "../../../semver/version.ts";
import type { WholeNumber } from "../../../semver/whole-number.ts";
import { quoted } from "../../../text/words.ts";
import { globalFunction, type Library, memberFunction, type Overload } from "../../library.ts";
import { BOOL, INT, opaque, STRING, type Type } from "../../type.ts";
import { intOrOverflow } from "../../value/number.ts";
import { Boxed, CelError, type Result, type Value } from "../../value/value.ts";
import { readOnce } from "../literal-argument.ts";

const SEMVER: Type = opaque("kubernetes.Semver");

/** A semantic version as a value; build metadata does not count when it is compared. */
export class Semver extends Boxed {
  readonly version: Version;
  constructor(version: Version) {
    super();
    this.version = version;
  }
  get type(): Type {
    return SEMVER;
  }
  equals(other: Value): boolean {
    return other instanceof Semver && compareVersions(this.version, other.version) === 0;
  }
  toString(): string {
    return printVersion(this.version);
  }
}

function strict(text: string): Semver | CelError {
  return semver(parseVersion(text));
}

/** A leading v, leading zeros and missing numbers are accepted, surrounding spaces are not. */
function normalized(text: string): Semver | CelError {
  if (text !== trimSpace(text)) return new CelError(`the version ${quoted(text)} has spaces around it`);
  return semver(parseTolerant(text));
}

function semver(version: Version | string): Semver | CelError {
  return typeof version === "string" ? new CelError(version) : new Semver(version);
}

function chosen(text: string, normalize: boolean): Semver | CelError {
  return normalize ? normalized(text) : strict(text);
}

const isSemver = (text: string, normalize: boolean): boolean => !(chosen(text, normalize) instanceof CelError);

function part(name: "major" | "minor" | "patch"): Overload {
  const read = ({ version }: Semver): Result => {
    const value: WholeNumber = version[name];
    return typeof value === "number" ? value : intOrOverflow(value);
  };
  return memberFunction(name, `semver_${name}`, [SEMVER], INT, read);
}

function comparison(name: string, id: string, result: Type, answer: (order: -1 | 0 | 1) => Value): Overload {
  const compare = (a: Semver, b: Semver): Value => answer(compareVersions(a.version, b.version));
  return memberFunction(name, id, [SEMVER, SEMVER], result, compare);
}

const FUNCTIONS: readonly Overload[] = [
  globalFunction("semver", "string_to_semver", [STRING], SEMVER, strict, { prepare: readOnce(strict) }),
  globalFunction("semver", "string_bool_to_semver", [STRING, BOOL], SEMVER, chosen),
  globalFunction("isSemver", "is_semver_string", [STRING], BOOL, (text: string) => isSemver(text, false)),
  globalFunction("isSemver", "is_semver_string_bool", [STRING, BOOL], BOOL, isSemver),
  part("major"),
  part("minor"),
  part("patch"),
  comparison("compareTo", "semver_compare_to", INT, (order) => order),
  comparison("isGreaterThan", "semver_is_greater_than", BOOL, (order) => order > 0),
  comparison("isLessThan", "semver_is_less_than", BOOL, (order) => order < 0),
];

/** Kubernetes' library of semantic versions, in its second version, which can normalize. */
export const kubernetesSemverLibrary: Library = { name: "kubernetes.Semver", functions: FUNCTIONS };
