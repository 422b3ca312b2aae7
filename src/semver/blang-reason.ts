/**
 * Why is this text not a blang range, and what should be written instead?
 * Only used after parsing has failed; nothing here decides what is accepted.
 */

import { quoted } from "../text/words.ts";
import { cutOperator, OPERATORS, splitElements } from "./blang-element.ts";
import { trimSpace } from "./characters.ts";
import { parseTolerant } from "./tolerant.ts";
import { parseVersion, printVersion, readVersion, type Version } from "./version.ts";
import { isPlain } from "./version-reason.ts";
import { increment, type WholeNumber } from "./whole-number.ts";

/** The rejected element, and its range. */
interface Refused {
  readonly element: string;
  readonly text: string;
  /** The proposal if it is a valid range, so that no wrong advice is given; otherwise the other advice. */
  readonly propose: (proposal: string | undefined, otherwise: string) => string;
}

/**
 * Why a text is not a range; parsing stopped at an element, or at none when comparisons are missing.
 * Only texts that `isRange` accepts are proposed.
 */
export function whyNotRange(text: string, element: string | undefined, isRange: (text: string) => boolean): string {
  if (element === undefined) return whyNotSequence(text);
  const propose = (proposal: string | undefined, otherwise: string): string =>
    isProposal(proposal, isRange) ? proposal : otherwise;
  for (const advise of ADVICE) {
    const advice = advise({ element, text, propose });
    if (advice !== undefined) return advice;
  }
  return (
    whyNotWith(element, cutOperator(element).rest) ?? `cannot read ${quoted(element)} in the range ${quoted(text)}`
  );
}

/** The replacement of the whole text that the reason proposes; undefined if none is certain. */
export function proposedRange(
  text: string,
  element: string | undefined,
  isRange: (text: string) => boolean,
): string | undefined {
  let meant: string | undefined;
  const propose = (proposal: string | undefined, otherwise: string): string => {
    if (!isProposal(proposal, isRange)) return otherwise;
    meant = proposal;
    return proposal;
  };
  const hasAdvice = element !== undefined && ADVICE.some((advise) => advise({ element, text, propose }) !== undefined);
  if (!hasAdvice || meant === undefined) return undefined;
  const proposal: string = meant;
  // Commas and hyphens concern the whole text, everything else the element.
  if (text.includes(",")) return proposal;
  const parts = splitElements(text);
  if (parts.includes("-")) return parts.length === 3 ? proposal : undefined;
  const whole = parts.map((part) => (part === element ? proposal : part)).join(" ");
  return isProposal(whole, isRange) ? whole : undefined;
}

function isProposal(proposal: string | undefined, isRange: (text: string) => boolean): proposal is string {
  return proposal !== undefined && isPlain(proposal) && !hasDropped(proposal) && isRange(proposal);
}

/** Would an element be dropped because it is a single character? */
function hasDropped(text: string): boolean {
  return text.split(" ").some((part) => part.length === 1);
}

/** The sequence of comparisons and || is invalid. */
function whyNotSequence(text: string): string {
  const elements = splitElements(text);
  const written = trimSpace(text);
  if (written === "") return "the range is empty: write >=0.0.0 to allow every release";
  if (elements.length === 0) {
    return (
      loneWildcard({ element: written }) ?? `the range ${quoted(text)} has no comparison: write one such as >=1.0.0`
    );
  }
  const place =
    elements[0] === "||"
      ? `there is nothing before the first || of ${quoted(text)}: remove it`
      : elements.at(-1) === "||"
        ? `there is nothing after the last || of ${quoted(text)}: remove it`
        : `two || of ${quoted(text)} have no comparison between them: remove one`;
  return `${place} or write a comparison there`;
}

/** What is wrong with the version of an element. */
function whyNotWith(element: string, version: string): string | undefined {
  const reason = parseVersion(version);
  return typeof reason === "string" ? `cannot read ${quoted(element)}: ${reason}` : undefined;
}

/** From the surest sign of the intention to the weakest. */
const ADVICE: readonly ((refused: Refused) => string | undefined)[] = [
  missingSpaces,
  comma,
  caretOrTilde,
  hyphenRange,
  whiteSpace,
  joiningWord,
  brackets,
  leadingV,
  loneWildcard,
  foreignWildcard,
  joined,
  noVersion,
  unknownOperator,
  misplacedX,
];

function missingSpaces({ element, propose }: Refused): string | undefined {
  if (!element.includes("||")) return undefined;
  const sides = element.split("||");
  const [first = ""] = sides;
  if (first !== "" && OPERATORS.has(first)) return noVersion({ element: first });
  const advice = propose(sides.join(" || "), "one space on each side of it");
  return `${quoted(element)} has no spaces around ||: write ${advice}`;
}

function comma({ text, propose }: Refused): string | undefined {
  if (!text.includes(",")) return undefined;
  const parts = text.split(/[ ,]/).filter((part) => part !== "");
  return `a comma cannot separate comparisons: write ${propose(parts.join(" "), "a space")}`;
}

function caretOrTilde({ element, propose }: Refused): string | undefined {
  const { operator, rest } = cutOperator(element);
  const kind = operator === "^" ? "^" : operator === "~" || operator === "~>" ? "~" : undefined;
  if (kind === undefined) return undefined;
  const advice = propose(bounds(kind, rest), "two comparisons, such as >=1.2.3 <2.0.0");
  return `the operator ${operator} is not known: write ${advice}`;
}

function hyphenRange({ text, propose }: Refused): string | undefined {
  const parts = text.split(" ").filter((part) => part !== "");
  const at = parts.indexOf("-");
  if (at < 1 || at === parts.length - 1) return undefined;
  const proposal = hyphenBounds(parts[at - 1] as string, parts[at + 1] as string);
  return `a hyphen does not make a range: write ${propose(proposal, "two comparisons, such as >=1.2.0 <1.5.0")}`;
}

function whiteSpace({ element, text }: Refused): string | undefined {
  if (![...element].some((character) => trimSpace(character) === "")) return undefined;
  return `the range ${quoted(text)} has white space that is not a space, such as a tab or a line end: write spaces`;
}

function joiningWord({ element }: Refused): string | undefined {
  const word = element.toLowerCase();
  if (word === "or") return `alternatives are separated by ||: write it instead of ${quoted(element)}`;
  if (word !== "and" && word !== "&&") return undefined;
  return `comparisons are joined by a space alone: remove ${quoted(element)}`;
}

function brackets({ element }: Refused): string | undefined {
  const sign = [...element].find((character) => "()[]{}'\"".includes(character));
  return sign === undefined ? undefined : `${quoted(element)} contains the character ${sign}: leave it out`;
}

function leadingV({ element, propose }: Refused): string | undefined {
  const { operator, rest } = cutOperator(element);
  const before = trimSpace(operator.slice(0, -1));
  if (!/[vV]$/.test(operator) || !OPERATORS.has(before)) return undefined;
  return `${quoted(element)} has a ${operator.at(-1)} before the version: write ${propose(before + rest, "the numbers alone")}`;
}

/** Only wildcards after the operator. */
function loneWildcard({ element }: Pick<Refused, "element">): string | undefined {
  if (!/^[<>=!~^]*[xX*]+(\.[xX*]+)*$/.test(element)) return undefined;
  return `the wildcard in ${quoted(element)} has no number before it: write >=0.0.0 to allow every release`;
}

/** Wildcards are written x, and one is enough. */
function foreignWildcard({ element, propose }: Refused): string | undefined {
  const parts = element.split(".");
  const wild = parts.findIndex((part) => part === "*" || part === "X");
  if (wild < 1) return undefined;
  const numbers = parts.slice(0, wild).filter((part) => part !== "x");
  return `the wildcard ${parts[wild]} is not known: write ${propose(`${numbers.join(".")}.x`, "x, as in 1.x")}`;
}

function joined({ element, propose }: Refused): string | undefined {
  const { operator, rest } = cutOperator(element);
  const at = rest.search(/[<>=!~^]/);
  if (at < 1) return undefined;
  const advice = propose(`${operator}${rest.slice(0, at)} ${rest.slice(at)}`, "a space between them");
  return `${quoted(element)} is two comparisons in one: write ${advice}`;
}

function noVersion({ element }: Pick<Refused, "element">): string | undefined {
  if (cutOperator(element).rest !== "") return undefined;
  if (!OPERATORS.has(element)) return `${quoted(element)} is not a comparison: write one such as >=1.0.0`;
  return `the operator ${element} has no version after it: write one, such as ${element}1.0.0`;
}

/** Operators of other languages, and their equivalents. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["=>", ">="],
  ["=<", "<="],
  ["<>", "!="],
  ["===", "="],
  ["!==", "!="],
]);

function unknownOperator({ element }: Refused): string | undefined {
  const { operator } = cutOperator(element);
  if (OPERATORS.has(operator)) return undefined;
  return `the operator ${quoted(operator)} is not known: write ${MEANT.get(operator) ?? "one of = != < <= > >="}`;
}

function misplacedX({ element }: Refused): string | undefined {
  if (!element.includes("x")) return undefined;
  const { rest } = cutOperator(element);
  if (readVersion(rest) !== undefined) {
    return `the letter x in ${quoted(element)} is read as a wildcard: only >= and < can be used before such a version`;
  }
  const wild = rest.indexOf(".x");
  if (wild < 0) return undefined;
  const numbers = rest.slice(0, wild).split(".");
  if (!/^(\.x)+$/.test(rest.slice(wild)) || numbers.length > 2) {
    return `the wildcard in ${quoted(element)} is not at the end of the version: write it as in 1.x or 1.2.x`;
  }
  const filled = [...numbers, "0", "0"].slice(0, 3).join(".");
  return whyNotWith(element, filled) ?? `a number before the wildcard in ${quoted(element)} is too large`;
}

/**
 * Which two comparisons are equivalent to ^, ~ and a hyphen of other range languages?
 * For advice only: what to write in a language without such operators.
 */

/** ^1.2.3 as >=1.2.3 <2.0.0, ~1.2.3 as >=1.2.3 <1.3.0; undefined when no version can be made out. */
function bounds(operator: "^" | "~", pattern: string): string | undefined {
  const written = read(pattern);
  if (written === undefined) return undefined;
  const { version, numbers } = written;
  const upper =
    operator === "~" ? raised(version, Math.min(numbers, 2)) : raised(version, caretPlace(version, numbers));
  return `>=${printVersion(version)} <${upper}`;
}

/** 1.2.3 - 2.0.0 as >=1.2.3 <=2.0.0, and 1.2 - 1.4 as >=1.2.0 <1.5.0; undefined when no versions can be made out. */
function hyphenBounds(from: string, to: string): string | undefined {
  const lower = read(from);
  const upper = read(to);
  if (lower === undefined || upper === undefined) return undefined;
  const end = upper.numbers === 3 ? `<=${printVersion(upper.version)}` : `<${raised(upper.version, upper.numbers)}`;
  return `>=${printVersion(lower.version)} ${end}`;
}

interface Written {
  readonly version: Version;
  /** The number of numbers written: 1.x has one. */
  readonly numbers: number;
}

function read(pattern: string): Written | undefined {
  const parts = pattern.split(".");
  const wild = parts.findIndex((part) => part === "x" || part === "X" || part === "*");
  const written = wild < 0 ? parts : parts.slice(0, wild);
  const version = parseTolerant(written.join("."));
  return typeof version === "string" ? undefined : { version, numbers: Math.min(written.length, 3) };
}

/** The first nonzero number must stay the same, as far as numbers are written. */
function caretPlace(version: Version, numbers: number): number {
  if (version.major > 0 || numbers === 1) return 1;
  return version.minor > 0 || numbers === 2 ? 2 : 3;
}

/** The next version whose first, second or third number differs. */
function raised(version: Version, place: number): string {
  const core: WholeNumber[] = [version.major, version.minor, version.patch];
  return core.map((number, i) => (i + 1 < place ? number : i + 1 === place ? increment(number) : 0)).join(".");
}
