// What does a pattern say?
//
// RE2's syntax as Go's regexp reads it: what Perl has, without references to groups and without looking ahead or behind.
import {
  ANY_BUT_NEWLINE,
  ANY_CHARACTER,
  type CharacterSet,
  complementOf,
  setOfRanges,
  unionOf,
} from "./character-set.ts";
import { readEscape, readEscapedClass, readPosixClass } from "./escape.ts";
import { withOtherCases } from "./fold.ts";
import { MAX_COPIES, MAX_HEIGHT, MAX_PATTERN_SIZE } from "./limits.ts";
import { PatternFault } from "./mistake.ts";
import { character, choice, condition, group, type Node, repetition, sequence, type Times } from "./node.ts";
import { BEGIN_LINE, BEGIN_TEXT, END_LINE, END_TEXT, NO_WORD_BOUNDARY, WORD_BOUNDARY } from "./program.ts";
import { PatternReader } from "./reader.ts";

/** A pattern that was read. */
export interface Pattern {
  readonly root: Node;
  /** How many groups capture. */
  readonly groups: number;
}

/** The pattern, or the first mistake in it. */
export function parsePattern(pattern: string): Pattern | PatternFault {
  try {
    return new PatternParser(pattern).parse();
  } catch (fault) {
    if (fault instanceof PatternFault) return fault;
    throw fault;
  }
}

/** What `(?imsU)` set. */
interface Flags {
  /** `i` */
  readonly ignoresCase: boolean;
  /** `m`: ^ and $ also match at the ends of lines. */
  readonly lines: boolean;
  /** `s`: . also matches a newline. */
  readonly dotAll: boolean;
  /** `U`: repetitions prefer fewer; with a ? they prefer more. */
  readonly lazy: boolean;
}

const FLAGS: ReadonlyMap<string, keyof Flags> = new Map([
  ["i", "ignoresCase"],
  ["m", "lines"],
  ["s", "dotAll"],
  ["U", "lazy"],
]);

/** A group that is being read. The pattern as a whole is one without parentheses. */
interface OpenGroup {
  /** Where its parenthesis is. */
  readonly from: number;
  /** Absent if it does not capture. */
  readonly number: number | undefined;
  /** The flags outside, which hold again after it. */
  readonly flags: Flags;
  /** The size of all that was read before it. */
  readonly sizeBefore: number;
  /** The alternatives before the last |. */
  readonly alternatives: Node[];
  /** What was read after it. */
  parts: Node[];
}

/** Unicode's classes have hundreds of ranges, which takes time to compile. */
const UNICODE_CLASS_SIZE = 20;

const PLACES: ReadonlyMap<string, number> = new Map([
  ["\\A", BEGIN_TEXT],
  ["\\z", END_TEXT],
  ["\\b", WORD_BOUNDARY],
  ["\\B", NO_WORD_BOUNDARY],
]);

class PatternParser {
  readonly #reader: PatternReader;
  #flags: Flags = { ignoresCase: false, lines: false, dotAll: false, lazy: false };
  #groups = 0;
  readonly #names = new Set<string>();
  /** The groups around the one that is being read. */
  readonly #around: OpenGroup[] = [];
  #open: OpenGroup;
  #size = 0;
  /** Where the repetition begins that was read last, if nothing came after it. */
  #repeated: number | undefined;
  /** One node for each character, so that instructions share sets. */
  readonly #literals = new Map<number, Node>();

  constructor(pattern: string) {
    this.#reader = new PatternReader(pattern);
    this.#open = this.#openGroup(0, undefined);
  }

  parse(): Pattern {
    const reader = this.#reader;
    while (reader.more) {
      const repeated = this.#repeated;
      this.#repeated = undefined;
      this.#readNext(repeated);
    }
    if (this.#around.length > 0) throw reader.fault("unclosed parenthesis", this.#open.from);
    return { root: this.#measured(this.#finish(this.#open), this.#size), groups: this.#groups };
  }

  #readNext(repeated: number | undefined): void {
    const reader = this.#reader;
    const from = reader.at;
    const { dotAll, lines } = this.#flags;
    switch (reader.ahead) {
      case "(":
        this.#readOpening();
        return;
      case ")":
        this.#readClosing();
        return;
      case "|":
        reader.next();
        this.#open.alternatives.push(sequence(this.#open.parts));
        this.#open.parts = [];
        return;
      case "[":
        this.#readBrackets();
        return;
      case "\\":
        this.#readBackslash();
        return;
      case ".":
        reader.next();
        this.#add(character(dotAll ? ANY_CHARACTER : ANY_BUT_NEWLINE));
        return;
      case "^":
        reader.next();
        this.#add(condition(lines ? BEGIN_LINE : BEGIN_TEXT));
        return;
      case "$":
        reader.next();
        this.#add(condition(lines ? END_LINE : END_TEXT));
        return;
      case "*":
      case "+":
      case "?":
      case "{": {
        const times = this.#readTimes();
        if (times !== undefined) this.#repeat(times, from, repeated);
        else this.#addLiteral(reader.next());
        return;
      }
      default:
        this.#addLiteral(reader.next());
    }
  }

  /** The node, if it is within the limits. `replaced` is the size of what became part of it. */
  #measured(node: Node, replaced: number): Node {
    if (node.height > MAX_HEIGHT) throw this.#reader.fault("nesting", 0);
    this.#size += node.size - replaced;
    if (this.#size > MAX_PATTERN_SIZE) throw this.#reader.fault("size", 0);
    return node;
  }

  #add(node: Node, replaced = 0): void {
    this.#open.parts.push(this.#measured(node, replaced));
  }

  #addLiteral(codePoint: number): void {
    const { ignoresCase } = this.#flags;
    const key = ignoresCase ? -1 - codePoint : codePoint;
    let node = this.#literals.get(key);
    if (node === undefined) {
      const set = Int32Array.of(codePoint, codePoint);
      node = character(ignoresCase ? withOtherCases(set) : set);
      this.#literals.set(key, node);
    }
    this.#add(node);
  }

  // Groups

  #openGroup(from: number, number: number | undefined): OpenGroup {
    return { from, number, flags: this.#flags, sizeBefore: this.#size, alternatives: [], parts: [] };
  }

  #enter(from: number, number: number | undefined): void {
    this.#around.push(this.#open);
    this.#open = this.#openGroup(from, number);
  }

  #readOpening(): void {
    const reader = this.#reader;
    const from = reader.at;
    if (!reader.isAhead("(?")) {
      reader.next();
      this.#enter(from, ++this.#groups);
      return;
    }
    const look = reader.takeMatch(/\(\?<?[=!]/y);
    if (look !== null) throw reader.fault("look-around", from);
    if (reader.takeMatch(/\(\?P?</y) !== null) this.#readName(from);
    else this.#readFlags(from);
  }

  /** Reads the rest of `(?P<name>`. */
  #readName(from: number): void {
    const reader = this.#reader;
    const begin = reader.at;
    const end = reader.pattern.indexOf(">", begin);
    if (end < 0) throw reader.fault("name", from, reader.pattern.length);
    const name = reader.pattern.slice(begin, end);
    reader.at = end + 1;
    if (!/^[0-9A-Za-z_]+$/.test(name)) throw reader.fault("name", from);
    if (this.#names.has(name)) throw reader.fault("repeated name", begin, end);
    this.#names.add(name);
    this.#enter(from, ++this.#groups);
  }

  /** Reads `(?i)`, which holds to the end of the group around it, or `(?i-s:`, which opens a group of its own. */
  #readFlags(from: number): void {
    const reader = this.#reader;
    reader.take("(?");
    const flags = { ...this.#flags };
    let value = true;
    let named = true;
    while (reader.more) {
      const letter = String.fromCodePoint(reader.next());
      const flag = FLAGS.get(letter);
      if (flag !== undefined) {
        flags[flag] = value;
        named = true;
      } else if (letter === "-" && value) {
        value = false;
        named = false;
      } else if ((letter === ":" || letter === ")") && named) {
        if (letter === ":") this.#enter(from, undefined);
        this.#flags = flags;
        return;
      } else break;
    }
    throw reader.fault("after (?", from);
  }

  #readClosing(): void {
    const reader = this.#reader;
    const closed = this.#open;
    const around = this.#around.pop();
    const from = reader.at;
    reader.next();
    if (around === undefined) throw reader.fault("unopened parenthesis", from);
    const inner = this.#finish(closed);
    this.#flags = closed.flags;
    this.#open = around;
    this.#add(closed.number === undefined ? inner : group(closed.number, inner), this.#size - closed.sizeBefore);
  }

  #finish({ alternatives, parts }: OpenGroup): Node {
    return choice([...alternatives, sequence(parts)]);
  }

  // Repetitions

  /** Reads `*`, `+`, `?` or `{2,5}`; anything else in braces is ordinary text. */
  #readTimes(): Times | undefined {
    const reader = this.#reader;
    const from = reader.at;
    const match = reader.takeMatch(/([*+?])|\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y);
    if (match === null) return undefined;
    const [, sign, first, comma, second] = match;
    const least = sign === undefined ? Number(first) : sign === "+" ? 1 : 0;
    const greatest = sign === "?" ? 1 : Number(second ?? least);
    if (least > greatest || greatest > MAX_COPIES) throw reader.fault("number of repetitions", from);
    const isBounded = sign === "?" || second !== undefined || (sign === undefined && comma === undefined);
    const most = isBounded ? greatest : Number.POSITIVE_INFINITY;
    return { least, most, lazy: reader.take("?") !== this.#flags.lazy };
  }

  /** Repeats what was read last. */
  #repeat(times: Times, from: number, repeated: number | undefined): void {
    const reader = this.#reader;
    const inner = this.#open.parts.pop();
    if (inner === undefined) throw reader.fault("nothing to repeat", from);
    const node = repetition(inner, times);
    this.#add(node, inner.size);
    if (repeated !== undefined) throw reader.fault("repeated repetition", repeated);
    if (node.copies > MAX_COPIES) throw reader.fault("number of repetitions", from);
    this.#repeated = from;
  }

  // Characters and places

  #readBackslash(): void {
    const reader = this.#reader;
    const from = reader.at;
    const place = PLACES.get(reader.pattern.slice(from, from + 2));
    if (place !== undefined) {
      reader.at += 2;
      this.#add(condition(place));
      return;
    }
    if (reader.take("\\Q")) {
      this.#readQuoted();
      return;
    }
    const escaped = readEscapedClass(reader, this.#flags.ignoresCase);
    if (escaped === undefined) this.#addLiteral(readEscape(reader));
    else this.#add(character(escaped.set, escaped.isUnicode ? UNICODE_CLASS_SIZE : 1));
  }

  /** Reads up to `\E`, or to the end: nothing in it has a meaning. */
  #readQuoted(): void {
    const reader = this.#reader;
    const end = reader.pattern.indexOf("\\E", reader.at);
    const last = end < 0 ? reader.pattern.length : end;
    while (reader.at < last) this.#addLiteral(reader.next());
    reader.take("\\E");
  }

  /** Reads `[a-z]`, `[^\d_]`, `[[:alpha:]]`. */
  #readBrackets(): void {
    const reader = this.#reader;
    const { ignoresCase } = this.#flags;
    const from = reader.at;
    reader.take("[");
    const negated = reader.take("^");
    const ranges: number[] = [];
    const sets: CharacterSet[] = [];
    let size = 1;
    // Directly after the opening, ] is an ordinary character.
    for (let first = true; first || !reader.isAhead("]"); first = false) {
      const escaped = readPosixClass(reader, ignoresCase) ?? readEscapedClass(reader, ignoresCase);
      if (escaped === undefined) this.#readRange(from, ranges);
      else {
        sets.push(escaped.set);
        if (escaped.isUnicode) size += UNICODE_CLASS_SIZE;
        if (size > MAX_PATTERN_SIZE) throw reader.fault("size", 0);
      }
    }
    reader.take("]");
    const written = setOfRanges(ranges);
    const set = unionOf([ignoresCase ? withOtherCases(written) : written, ...sets]);
    this.#add(character(negated ? complementOf(set) : set, size));
  }

  /** Reads a character inside brackets, or all from one to another. */
  #readRange(brackets: number, ranges: number[]): void {
    const reader = this.#reader;
    const from = reader.at;
    const first = this.#readInBrackets(brackets);
    let last = first;
    if (reader.isAhead("-") && !reader.isAhead("-]")) {
      reader.take("-");
      last = this.#readInBrackets(brackets);
    }
    if (last < first) throw reader.fault("characters", from);
    ranges.push(first, last);
  }

  #readInBrackets(brackets: number): number {
    const reader = this.#reader;
    if (!reader.more) throw reader.fault("unclosed bracket", brackets);
    return reader.isAhead("\\") ? readEscape(reader) : reader.next();
  }
}
