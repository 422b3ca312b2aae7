/**
 * Which version is meant by a text that is not strictly one?
 * Two answers: what blang/semver v4 `ParseTolerant` accepts (bundles, semver_compare), and what a cluster means when
 * it reports its own version (docs/compatibility.md).
 */
import { quoted } from "../text/words.ts";
import { DOT, digitsEnd, isDigit, trimSpace } from "./characters.ts";
import { withoutLeadingZeros } from "./identifier.ts";
import { parseVersion, readVersion, type Version } from "./version.ts";
import { whyTooLong } from "./version-reason.ts";

/** The version of a text for blang: spaces, one leading v, leading zeros and missing numbers are accepted. */
export function parseTolerant(text: string): Version | string {
  const tooLong = whyTooLong("version", text);
  if (tooLong !== undefined) return tooLong;
  const trimmed = withoutV(trimSpace(text));
  if (trimmed === "") return "the version is empty: write a number at least, such as 1";
  const written = splitInThree(trimmed);
  const last = written[written.length - 1] as string;
  if (written.length < 3 && (last.includes("+") || last.includes("-"))) {
    return `the short version ${quoted(trimmed)} has a pre-release or build metadata: write all three numbers before it`;
  }
  while (written.length < 3) written.push("0");
  const parts = written.map(withoutNeedlessZeros);
  return readVersion(parts.join(".")) ?? whyNotTolerant(written, parts);
}

/** The reason is about the written text, not about a 0 that was inserted. */
function whyNotTolerant(written: readonly string[], parts: readonly string[]): string {
  const reason = parseVersion(parts.map((part, i) => (written[i]?.startsWith("0") ? part : written[i])).join("."));
  return typeof reason === "string" ? reason : `${quoted(written.join("."))} is not a version`;
}

function withoutV(text: string): string {
  return text.startsWith("v") ? text.slice(1) : text;
}

/** Major, minor and all the rest, as far as present. */
function splitInThree(text: string): string[] {
  const first = text.indexOf(".");
  if (first < 0) return [text];
  const second = text.indexOf(".", first + 1);
  if (second < 0) return [text.slice(0, first), text.slice(first + 1)];
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}

/** Leading zeros are dropped before a digit only: 007 is 7, but 00-alpha is 0-alpha. */
function withoutNeedlessZeros(part: string): string {
  if (part.length < 2) return part;
  const rest = withoutLeadingZeros(part);
  return isDigit(rest.charCodeAt(0)) ? rest : `0${rest}`;
}

/** A suffix that begins with one of these is a pre-release. */
const PRERELEASE_WORDS = ["alpha", "beta", "rc", "pre", "dev", "snapshot"] as const;

/**
 * The version of a cluster: such as v1.31.2, 1.31 or 1.31+, where a vendor's suffix (-gke.100, -eks-036c24b, +k3s1)
 * is build metadata, and only a suffix such as -rc.1 a pre-release, so that v1.31.2-gke.100 is not below 1.31.2.
 */
export function parseClusterVersion(text: string): Version | string {
  const tooLong = whyTooLong("version", text);
  if (tooLong !== undefined) return tooLong;
  const trimmed = withoutV(trimSpace(text));
  const coreEnd = numbersEnd(trimmed);
  const numbers = trimmed.slice(0, coreEnd).split(".").map(withoutNeedlessZeros);
  if (coreEnd === 0) return `${quoted(text)} is not a version: it has to begin with a number`;
  while (numbers.length < 3) numbers.push("0");

  const suffix = trimmed.slice(coreEnd);
  if (suffix !== "" && suffix[0] !== "-" && suffix[0] !== "+") {
    return `cannot read ${quoted(suffix)} in the version ${quoted(text)}: a suffix begins with - or +`;
  }
  const { pre, build } = splitSuffix(suffix);
  return parseVersion(numbers.join(".") + signed("-", pre.map(withoutNumericZeros)) + signed("+", build));
}

/** The end of up to three dotted numbers. */
function numbersEnd(text: string): number {
  let end = digitsEnd(text, 0);
  for (let more = 0; more < 2 && end > 0; more++) {
    const next = text.charCodeAt(end) === DOT ? digitsEnd(text, end + 1) : end;
    if (next <= end + 1) break;
    end = next;
  }
  return end;
}

interface Suffix {
  readonly pre: readonly string[];
  readonly build: readonly string[];
}

/** Splits a suffix, which is empty or begins with its sign, into pre-release and build metadata. */
function splitSuffix(suffix: string): Suffix {
  const plus = suffix.indexOf("+");
  const afterPlus = plus < 0 || plus === suffix.length - 1 ? [] : suffix.slice(plus + 1).split(".");
  const hyphenated = plus < 0 ? suffix : suffix.slice(0, plus);
  if (hyphenated === "") return { pre: [], build: afterPlus };
  const body = hyphenated.slice(1);
  if (!announcesRelease(body)) return { pre: [], build: [...body.split("."), ...afterPlus] };
  const vendor = vendorStart(body);
  if (vendor < 0) return { pre: body.split("."), build: afterPlus };
  return { pre: body.slice(0, vendor).split("."), build: [...body.slice(vendor + 1).split("."), ...afterPlus] };
}

function announcesRelease(body: string): boolean {
  const lower = body.toLowerCase();
  return PRERELEASE_WORDS.some((word) => lower.startsWith(word));
}

/** The hyphen before a vendor's suffix after a numbered pre-release, as in rc.1-gke.2; -1 if there is none. */
function vendorStart(body: string): number {
  for (let at = body.indexOf("-"); at > 0; at = body.indexOf("-", at + 1)) {
    if (isDigit(body.charCodeAt(at - 1)) && at + 1 < body.length && !isDigit(body.charCodeAt(at + 1))) return at;
  }
  return -1;
}

function withoutNumericZeros(identifier: string): string {
  return digitsEnd(identifier, 0) === identifier.length ? withoutNeedlessZeros(identifier) : identifier;
}

function signed(sign: string, identifiers: readonly string[]): string {
  return identifiers.length === 0 ? "" : sign + identifiers.join(".");
}
