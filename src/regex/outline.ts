// How large does a pattern become when its repetitions are written out, and which bracket has no partner?
//
// This is found out before the pattern is compiled, so that `(\pL{900}){900}` or ten thousand `a{1000}` cost nothing.

/** What a glance over a pattern shows. Offsets are in UTF-16 units. */
export interface Outline {
  /** At least as many instructions as the compiled pattern has, roughly. */
  readonly size: number;
  /** Where a `(` or `[` is that is not closed; the innermost one if there are several. */
  readonly unclosed: number | undefined;
  /** Where the first `)` is that closes nothing. */
  readonly unopened: number | undefined;
}

/** A class such as `\pL` has hundreds of ranges, which takes time to compile. */
const UNICODE_CLASS_SIZE = 20;

/** The alternatives and the sequence that are being read, inside one pair of parentheses. */
interface Group {
  readonly open: number;
  /** Size of all before the last item, which a repetition would multiply. */
  size: number;
  last: number;
}

/** Reads only what decides size and brackets; whether the pattern is right is for the compiler to say. */
export function outlineOf(pattern: string): Outline {
  const groups: Group[] = [];
  let group: Group = { open: -1, size: 0, last: 0 };
  let unclosed: number | undefined;
  let unopened: number | undefined;
  let at = 0;
  const item = (size: number, end: number): void => {
    group.size += group.last;
    group.last = size;
    at = end;
  };
  while (at < pattern.length) {
    switch (pattern[at]) {
      case "\\": {
        if (pattern[at + 1] === "Q") {
          const end = pattern.indexOf("\\E", at + 2);
          const literal = (end < 0 ? pattern.length : end) - at - 2;
          if (literal > 0) group.size += group.last + literal - 1;
          if (literal > 0) group.last = 1;
          at = end < 0 ? pattern.length : end + 2;
        } else {
          item(isUnicodeClass(pattern, at) ? UNICODE_CLASS_SIZE : 1, escapeEnd(pattern, at));
        }
        break;
      }
      case "[": {
        const read = readClass(pattern, at);
        if (read === undefined) unclosed ??= at;
        item(read?.size ?? 1, read?.end ?? pattern.length);
        break;
      }
      case "(":
        groups.push(group);
        group = { open: at, size: 2, last: 0 };
        at = groupStart(pattern, at);
        break;
      case ")": {
        const outer = groups.pop();
        if (outer === undefined) {
          unopened ??= at;
          at++;
          break;
        }
        const size = group.size + group.last;
        group = outer;
        item(size, at + 1);
        break;
      }
      case "|":
        group.size += group.last + 1;
        group.last = 0;
        at++;
        break;
      case "*":
      case "+":
      case "?":
        group.last += 2;
        at++;
        break;
      case "{": {
        const repeat = readRepeat(pattern, at);
        if (repeat === undefined) item(1, at + 1);
        else {
          group.last = Math.max(repeat.most, 1) * group.last + (repeat.most - repeat.least) + 1;
          at = repeat.end;
        }
        break;
      }
      default:
        item(1, at + 1);
    }
  }
  const innermost = groups.length > 0 ? group.open : undefined;
  let size = group.size + group.last;
  for (const outer of groups) size += outer.size + outer.last;
  return { size, unclosed: unclosed ?? innermost, unopened };
}

/** Where the inside of a group begins: after `(?i:`, `(?P<name>` and the like. Flags alone, `(?i)`, close themselves. */
function groupStart(pattern: string, open: number): number {
  let at = open + 1;
  if (pattern[at] !== "?") return at;
  while (at < pattern.length && pattern[at] !== ":" && pattern[at] !== ">" && pattern[at] !== ")") at++;
  return pattern[at] === ")" ? at : at + 1;
}

function isUnicodeClass(pattern: string, backslash: number): boolean {
  return pattern[backslash + 1] === "p" || pattern[backslash + 1] === "P";
}

/** After `\d`, `\pL`, `\p{Greek}`, `\x{41}`. */
function escapeEnd(pattern: string, backslash: number): number {
  const braces = pattern[backslash + 1] === "x" || isUnicodeClass(pattern, backslash);
  if (!braces || pattern[backslash + 2] !== "{") return Math.min(backslash + 2, pattern.length);
  const end = pattern.indexOf("}", backslash);
  return end < 0 ? pattern.length : end + 1;
}

function readClass(pattern: string, open: number): { readonly size: number; readonly end: number } | undefined {
  let size = 1;
  let at = open + 1;
  if (pattern[at] === "^") at++;
  if (pattern[at] === "]") at++; // directly after the opening it is an ordinary character
  while (at < pattern.length) {
    if (pattern[at] === "]") return { size, end: at + 1 };
    if (pattern[at] === "\\") {
      if (isUnicodeClass(pattern, at)) size += UNICODE_CLASS_SIZE;
      at = escapeEnd(pattern, at);
    } else if (pattern.startsWith("[:", at)) {
      const end = pattern.indexOf(":]", at + 2);
      at = end < 0 ? at + 1 : end + 2;
    } else at++;
  }
  return undefined;
}

/** `{3}`, `{3,}`, `{3,5}`; anything else in braces is ordinary text. */
function readRepeat(pattern: string, open: number): Repeat | undefined {
  const least = readDigits(pattern, open + 1);
  if (least === undefined) return undefined;
  let most = least;
  if (pattern[least.end] === ",") {
    // Without an upper bound the last one is a loop.
    most = readDigits(pattern, least.end + 1) ?? { number: least.number + 1, end: least.end + 1 };
  }
  if (pattern[most.end] !== "}") return undefined;
  return { least: Math.min(least.number, most.number), most: most.number, end: most.end + 1 };
}

interface Repeat {
  readonly least: number;
  readonly most: number;
  readonly end: number;
}

function readDigits(pattern: string, start: number): { readonly number: number; readonly end: number } | undefined {
  let end = start;
  let number = 0;
  for (let digit = digitAt(pattern, end); digit !== undefined; digit = digitAt(pattern, ++end)) {
    number = Math.min(10 * number + digit, 1_000_000);
  }
  return end === start ? undefined : { number, end };
}

function digitAt(pattern: string, at: number): number | undefined {
  const digit = pattern.charCodeAt(at) - 48;
  return digit >= 0 && digit <= 9 ? digit : undefined;
}
