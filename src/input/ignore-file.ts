// Is a file ignored? `.indexignore` files have the syntax of `.gitignore`. The matcher walks names and patterns with
// two pointers, in no more steps than the product of their lengths: no pattern is slow.
// test/differential/gitignore.json has the answers of git. Two deliberate differences: `?` and `[…]` match a
// character, where git matches a byte; and in `a**/b` the asterisks are ordinary ones, as git's manual states but git
// does not implement.

/** The file with the ignore patterns of a catalog directory. */
export const IGNORE_FILE = ".indexignore";
/** A longer ignore file is not read. */
export const MAX_IGNORE_FILE_LENGTH: number = 1024 * 1024;

/** Is a name never read in a directory? Those that begin with two dots are internals of mounted ConfigMaps. */
export function isInternalName(name: string): boolean {
  return name === IGNORE_FILE || name === ".git" || name.startsWith("..");
}

/** One pattern of an ignore file. */
export interface IgnoreRule {
  /** A match reverts an earlier rule. */
  readonly isNegated: boolean;
  readonly directoriesOnly: boolean;
  /** The whole path below the ignore file must match, not only its last name. */
  readonly isAnchored: boolean;
  readonly names: readonly NamePattern[];
}

/** Matches one name of a path, or, as `**`, any number of them. */
type NamePattern = readonly Part[] | typeof ANY_NAMES;
/** A character itself, or a wildcard. */
type Part = string | CharacterSet | typeof ANY_CHARACTER | typeof ANY_TEXT;

const ANY_NAMES = 0;
const ANY_CHARACTER = 1;
const ANY_TEXT = 2;

/** `[a-z]`, or `[!a-z]` if negated. */
interface CharacterSet {
  readonly isNegated: boolean;
  /** Pairs of a first and a last code point. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** Rules beyond this number are ignored. */
export const MAX_RULES = 2000;
/** A longer pattern, in characters, is ignored. */
export const MAX_PATTERN_LENGTH = 500;

/** Reads an ignore file. It cannot fail: an invalid pattern matches nothing. */
export function parseIgnoreFile(text: string): readonly IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  const lines = (text.startsWith("\ufeff") ? text.slice(1) : text).split("\n");
  for (const line of lines) {
    if (rules.length >= MAX_RULES) break;
    if (line.startsWith("#") || line.length > 4 * MAX_PATTERN_LENGTH) continue;
    const rule = parseRule(withoutTrailingSpaces(line.endsWith("\r") ? line.slice(0, -1) : line));
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

/**
 * Whether a file or directory is ignored. `levels` are the rules of its parent directories, top down, `path` its
 * names from the top. Everything below an ignored directory is ignored.
 */
export function isIgnored(
  levels: readonly (readonly IgnoreRule[])[],
  path: readonly string[],
  isDirectory: boolean,
): boolean {
  const names = path.map((name) => [...name]);
  for (let end = 1; end <= names.length; end++)
    if (lastWord(levels.slice(0, end), names.slice(0, end), isDirectory || end < names.length)) return true;
  return false;
}

type Name = readonly string[];

/** The result of the last matching rule; deeper ignore files come after upper ones. */
function lastWord(levels: readonly (readonly IgnoreRule[])[], path: readonly Name[], isDirectory: boolean): boolean {
  for (let depth = levels.length - 1; depth >= 0; depth--) {
    const rule = levels[depth]?.findLast((one) => matches(one, path, depth, isDirectory));
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
}

function matches(rule: IgnoreRule, path: readonly Name[], start: number, isDirectory: boolean): boolean {
  if (rule.directoriesOnly && !isDirectory) return false;
  return matchAll(rule.names, path, rule.isAnchored ? start : path.length - 1, ANY_NAMES, matchName);
}

/** Do patterns match all items from `start` on? After a failure, the last wildcard takes one item more. */
function matchAll<Pattern, Item>(
  patterns: readonly Pattern[],
  items: readonly Item[],
  start: number,
  wildcard: Pattern,
  matchOne: (pattern: Pattern, item: Item) => boolean,
): boolean {
  let at = 0;
  let item = start;
  let retryAt = -1;
  let retryItem = 0;
  while (item < items.length) {
    const pattern = patterns[at];
    if (pattern === wildcard) {
      retryAt = ++at;
      retryItem = item;
    } else if (pattern !== undefined && matchOne(pattern, items[item] as Item)) {
      at++;
      item++;
    } else if (retryAt >= 0) {
      at = retryAt;
      item = ++retryItem;
    } else return false;
  }
  while (patterns[at] === wildcard) at++;
  return at === patterns.length;
}

function matchName(pattern: NamePattern, name: Name): boolean {
  return pattern !== ANY_NAMES && matchAll<Part, string>(pattern, name, 0, ANY_TEXT, matchCharacter);
}

function matchCharacter(part: Part, character: string): boolean {
  if (typeof part === "string") return part === character;
  if (typeof part === "number") return part === ANY_CHARACTER;
  const code = character.codePointAt(0) as number;
  return part.ranges.some(([first, last]) => first <= code && code <= last) !== part.isNegated;
}

/** Trailing spaces do not count, unless escaped by a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") end = ++at + 1;
    else if (line[at] !== " ") end = at + 1;
  }
  return line.slice(0, end);
}

function parseRule(line: string): IgnoreRule | undefined {
  const isNegated = line.startsWith("!");
  let written = isNegated ? line.slice(1) : line;
  const directoriesOnly = written.endsWith("/");
  if (directoriesOnly) written = written.slice(0, -1);
  const isAnchored = written.includes("/");
  if (written.startsWith("/")) written = written.slice(1);
  const characters = [...written];
  if (characters.length === 0 || characters.length > MAX_PATTERN_LENGTH) return undefined;
  const names = parseNames(characters, isAnchored);
  return names && { isNegated, directoriesOnly, isAnchored, names };
}

/** The patterns between slashes; undefined if the text ends too early and so matches nothing. */
function parseNames(text: readonly string[], isAnchored: boolean): readonly NamePattern[] | undefined {
  const names: NamePattern[] = [];
  let parts: Part[] = [];
  let asterisks = 0;
  for (let at = 0; at <= text.length; at++) {
    let character = text[at];
    if (character === "*") {
      if (asterisks++ === 0) parts.push(ANY_TEXT);
      continue;
    }
    const isAnyNames = isAnchored && asterisks >= 2 && parts.length === 1;
    asterisks = 0;
    if (character === undefined || character === "/" || (character === "\\" && text[at + 1] === "/")) {
      if (isAnyNames) names.push(ANY_NAMES);
      // At the end, `**` matches what is below a directory, not the directory itself.
      if (!isAnyNames || character === undefined) names.push(parts);
      parts = [];
      if (character === "\\") at++;
    } else if (character === "[") {
      const set = parseSet(text, at + 1);
      if (set === undefined) return undefined;
      parts.push(set.set);
      at = set.end;
    } else if (character === "?") parts.push(ANY_CHARACTER);
    else {
      if (character === "\\") character = text[++at];
      if (character === undefined) return undefined;
      parts.push(character);
    }
  }
  return names;
}

/** Reads a set after its `[`; undefined if it has no end or names an unknown class. */
function parseSet(text: readonly string[], start: number): { set: CharacterSet; end: number } | undefined {
  let at = start;
  const isNegated = text[at] === "!" || text[at] === "^";
  if (isNegated) at++;
  const ranges: (readonly [number, number])[] = [];
  /** The previous character, at which a range may begin. */
  let before: number | undefined;
  for (let isFirst = true; isFirst || text[at] !== "]"; at++) {
    isFirst = false;
    const character = text[at];
    const close = character === "[" && text[at + 1] === ":" ? text.indexOf("]", at + 2) : -1;
    if (character === "[" && text[at + 1] === ":" && close < 0) return undefined;
    const next = text[at + 1];
    if (close > at + 2 && text[close - 1] === ":") {
      const named = CLASSES.get(text.slice(at + 2, close - 1).join(""));
      if (named === undefined) return undefined;
      ranges.push(...named);
      before = undefined;
      at = close;
    } else if (character === "-" && before !== undefined && next !== undefined && next !== "]") {
      at += next === "\\" ? 2 : 1;
      const last = text[at]?.codePointAt(0);
      if (last === undefined) return undefined;
      ranges.push([before, last]);
      before = undefined;
    } else {
      if (character === "\\") at++;
      before = text[at]?.codePointAt(0);
      if (before === undefined) return undefined;
      ranges.push([before, before]);
    }
  }
  return { set: { isNegated, ranges }, end: at };
}

/** The classes allowed in a set, such as `[[:digit:]]`; ASCII only. */
const CLASSES: ReadonlyMap<string, readonly (readonly [number, number])[]> = new Map(
  Object.entries({
    alnum: ["09", "AZ", "az"],
    alpha: ["AZ", "az"],
    blank: ["\t\t", "  "],
    cntrl: ["\0\x1f", "\x7f\x7f"],
    digit: ["09"],
    graph: ["!~"],
    lower: ["az"],
    print: [" ~"],
    punct: ["!/", ":@", "[`", "{~"],
    space: ["\t\n", "\r\r", "  "],
    upper: ["AZ"],
    xdigit: ["09", "AF", "af"],
  }).map(([name, ranges]) => [name, ranges.map((range) => [range.charCodeAt(0), range.charCodeAt(1)] as const)]),
);
