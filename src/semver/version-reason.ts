/**
 * Why is this text not a version, and what should be written instead?
 * Only used after parsing has failed; nothing here decides what is accepted.
 */
import { quoted } from "../text/words.ts";
import { digitsEnd, HYPHEN, isAllDigits, isDigit, isIdentifierCharacter, MAX_LENGTH, trimSpace } from "./characters.ts";
import { withoutLeadingZeros } from "./identifier.ts";
import { LARGEST } from "./whole-number.ts";

const CORE_NAMES = ["major", "minor", "patch"] as const;

/** May the text be shown as it is: one line of ASCII? */
export function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** Why a text of this length is not parsed, or undefined if it is short enough. */
export function whyTooLong(what: string, text: string, limit: number = MAX_LENGTH): string | undefined {
  if (text.length <= limit) return undefined;
  return `the ${what} has ${text.length} characters: at most ${limit} are read`;
}

/**
 * Why a text is not a strict version.
 * Only texts that `isVersion` accepts are proposed.
 */
export function whyNotVersion(text: string, isVersion: (text: string) => boolean): string {
  const tooLong = whyTooLong("version", text);
  if (tooLong !== undefined) return tooLong;
  const trimmed = trimSpace(text);
  if (trimmed === "") return "the version is empty: write three numbers, such as 1.0.0";
  if (isVersion(trimmed)) return `the version ${quoted(text)} has spaces around it: write ${trimmed}`;

  const plus = trimmed.indexOf("+");
  const beforeBuild = plus < 0 ? trimmed : trimmed.slice(0, plus);
  const hyphen = beforeBuild.indexOf("-");
  const core = hyphen < 0 ? beforeBuild : beforeBuild.slice(0, hyphen);
  const suffix = trimmed.slice(core.length);
  if (/^[vV][0-9]/.test(core)) {
    const withoutV = filled(core.slice(1)) + suffix;
    if (isVersion(withoutV)) return `the version ${quoted(text)} begins with ${core[0]}: write ${withoutV}`;
    return whyNotVersion(trimmed.slice(1), isVersion);
  }
  return (
    whyNotCore(trimmed, core, (instead) => (isVersion(instead + suffix) ? `: write ${instead}${suffix}` : "")) ??
    (hyphen < 0 ? undefined : whyNotIdentifiers("pre-release", beforeBuild.slice(hyphen + 1))) ??
    (plus < 0 ? undefined : whyNotIdentifiers("build metadata", trimmed.slice(plus + 1))) ??
    `${quoted(text)} is not a version: write three numbers, such as 1.0.0`
  );
}

/** Numbers padded with zeros to three. */
function filled(core: string): string {
  const missing = 3 - core.split(".").length;
  return missing > 0 ? core + ".0".repeat(missing) : core;
}

function whyNotCore(text: string, core: string, advice: (instead: string) => string): string | undefined {
  const parts = core.split(".");
  for (const [i, part] of parts.slice(0, 3).entries()) {
    const reason = whyNotNumber(`${CORE_NAMES[i]} number`, part);
    if (reason !== undefined) return reason;
  }
  if (parts.length === 3) return undefined;
  if (parts.length > 3) {
    return `the version ${quoted(text)} has more than three numbers${advice(parts.slice(0, 3).join("."))}`;
  }
  const missing = parts.length === 1 ? "minor and patch numbers" : "patch number";
  return `the version ${quoted(text)} lacks its ${missing}${advice(filled(core))}`;
}

function whyNotNumber(name: string, part: string): string | undefined {
  if (part === "") return `the ${name} is missing: write 0 when there is none`;
  if (!isAllDigits(part)) return whyNotDigits(name, part);
  if (part.length > 1 && part[0] === "0") {
    return `the ${name} ${quoted(part)} has a leading zero: write ${withoutLeadingZeros(part) || "0"}`;
  }
  if (part.length >= 20 && BigInt(part) > LARGEST) return `the ${name} ${quoted(part)} is larger than ${LARGEST}`;
  return undefined;
}

function whyNotDigits(name: string, part: string): string {
  if (part === "*" || part === "x" || part === "X") {
    return `the ${name} ${quoted(part)} is a wildcard, which only a range may have`;
  }
  const digits = digitsEnd(part, 0);
  if (name === "patch number" && digits > 0 && isLetter(part.charCodeAt(digits))) {
    return `the ${name} ${quoted(part)} is not a number: write a hyphen after the ${part.slice(0, digits)} if a pre-release follows`;
  }
  return `the ${name} ${quoted(part)} is not a number`;
}

function isLetter(code: number): boolean {
  return isIdentifierCharacter(code) && !isDigit(code) && code !== HYPHEN;
}

function whyNotIdentifiers(what: string, text: string): string | undefined {
  for (const part of text.split(".")) {
    if (part === "") {
      return text === ""
        ? `the ${what} is empty: write something or leave its sign out`
        : `the ${what} ${quoted(text)} has an empty part: remove a dot`;
    }
    for (const character of part) {
      if (!isIdentifierCharacter(character.codePointAt(0) ?? 0)) {
        return `the ${what} ${quoted(text)} contains the character ${quoted(character)}: only letters, digits and hyphens are allowed`;
      }
    }
    if (what === "pre-release" && isAllDigits(part)) {
      const reason = whyNotNumber("pre-release number", part);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}
