// Where in the source is a character of a string, considering quotes, escapes, folded lines and indentation?
import { SCALAR_STYLE, type ScalarEvent } from "js-yaml";

/** Finds the position in the source of a character of a text, both counted in UTF-16 units. */
export type CharacterFinder = (offset: number) => number;

/** The position of a character of a JSON string whose opening quote is at `start`; its end if the string is shorter. */
export function characterInJson(source: string, start: number, offset: number): number {
  let at = start + 1;
  for (let left = offset; left > 0 && at < source.length && source[at] !== '"'; left--) {
    at += source[at] !== "\\" ? 1 : source[at + 1] === "u" ? 6 : 2;
  }
  return at;
}

/** The position of a character of a YAML scalar; its end if the text is shorter. */
export function characterInYaml(source: string, scalar: ScalarEvent, offset: number): number {
  const { valueStart, valueEnd, style } = scalar;
  if (scalar.fast) return Math.min(valueEnd, valueStart + offset);
  return style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK
    ? characterInBlock(source, scalar, offset)
    : characterInFlow(source, scalar, offset);
}

/** A piece of a scalar: its end, and the number of characters it represents. */
interface Piece {
  readonly end: number;
  readonly characters: number;
  /** Does each of its characters represent itself? */
  readonly literal: boolean;
}

function characterInFlow(source: string, { valueStart, valueEnd, style }: ScalarEvent, offset: number): number {
  let before = 0;
  for (let at = valueStart; at < valueEnd; ) {
    const piece = pieceAt(source, at, valueEnd, style);
    if (before + piece.characters > offset) return piece.literal ? at + offset - before : at;
    before += piece.characters;
    at = piece.end;
  }
  return valueEnd;
}

function pieceAt(source: string, at: number, end: number, style: number): Piece {
  const unit = source[at];
  if (unit === "'" && style === SCALAR_STYLE.SINGLE_QUOTED) return { end: at + 2, characters: 1, literal: false };
  if (unit === "\\" && style === SCALAR_STYLE.DOUBLE_QUOTED) return escapeAt(source, at, end);
  let word = at;
  while (word < end && isBlank(source[word])) word++;
  // Spaces before a line end, and all those after it, are one space; each empty line is a line end.
  if (isLineEnd(source[word]) && word < end) return foldAt(source, word, end);
  return { end: Math.max(word, at + 1), characters: Math.max(word - at, 1), literal: true };
}

function escapeAt(source: string, at: number, end: number): Piece {
  const escaped = source[at + 1] as string;
  // A line end after a backslash is not part of the text.
  if (isLineEnd(escaped)) return { ...foldAt(source, at + 1, end), characters: 0 };
  const digits = escaped === "x" ? 2 : escaped === "u" ? 4 : escaped === "U" ? 8 : 0;
  const code = Number.parseInt(source.slice(at + 2, at + 2 + digits), 16);
  return { end: at + 2 + digits, characters: code > 0xffff ? 2 : 1, literal: false };
}

function foldAt(source: string, at: number, end: number): Piece {
  let breaks = 0;
  let after = at;
  for (; after < end && (isBlank(source[after]) || isLineEnd(source[after])); after++) {
    if (source[after] === "\n" || (source[after] === "\r" && source[after + 1] !== "\n")) breaks++;
  }
  return { end: after, characters: breaks === 1 ? 1 : breaks - 1, literal: false };
}

function isBlank(unit: string | undefined): boolean {
  return unit === " " || unit === "\t";
}

function isLineEnd(unit: string | undefined): boolean {
  return unit === "\n" || unit === "\r";
}

function characterInBlock(
  source: string,
  { valueStart, valueEnd, style, indent }: ScalarEvent,
  offset: number,
): number {
  const folded = style === SCALAR_STYLE.FOLDED_BLOCK;
  let before = 0;
  let emptyLines = 0;
  /** The end of the last line that is not empty. */
  let lastEnd: number | undefined;
  let deeper = false;
  for (let start = valueStart; start < valueEnd; ) {
    const { end, next } = lineAt(source, start, valueEnd);
    const content = start + Math.max(0, indent);
    const isEmpty = indent < 0 || spacesEnd(source, start, Math.min(content, end)) >= end;
    if (isEmpty) emptyLines++;
    else {
      const wasDeeper = deeper;
      deeper = folded && isBlank(source[content]);
      const isFirst = lastEnd === undefined;
      if (!folded || deeper) before += emptyLines + (isFirst ? 0 : 1);
      else if (wasDeeper) before += emptyLines + 1;
      else before += emptyLines === 0 && !isFirst ? 1 : emptyLines;
      if (before > offset) return lastEnd ?? content;
      if (before + end - content > offset) return content + offset - before;
      before += end - content;
      lastEnd = end;
      emptyLines = 0;
    }
    start = next;
  }
  return lastEnd ?? valueStart;
}

function lineAt(source: string, start: number, limit: number): { readonly end: number; readonly next: number } {
  let end = start;
  while (end < limit && !isLineEnd(source[end])) end++;
  return { end, next: end + (source[end] === "\r" && source[end + 1] === "\n" ? 2 : 1) };
}

/** The end of the spaces that begin at a position; at most `end`. */
function spacesEnd(source: string, start: number, end: number): number {
  let at = start;
  while (at < end && source[at] === " ") at++;
  return at;
}
