// On which line and column is a value, and what does that line look like? Computed only for messages, from the text
// of the document read again.

import type { Json, JsonObject } from "../model/json.ts";
import type { Path, Place } from "../model/place.ts";
import { positionsIn, type TextPosition } from "./document.ts";
import { locateInJson } from "./json-text.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { type FoundPosition, foundPosition, type WantedPlace, wantedPaths } from "./wanted-paths.ts";
import { locateInYaml } from "./yaml-text.ts";

/** A position in a source and the line that it is on. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
  /** The line, or the part of a long one around the column. */
  readonly excerpt: string;
  /** Where the column is in the excerpt, from 0. */
  readonly caret: number;
  /** True if it is the exact character of the place, and not only its value or a parent. */
  readonly isCharacter?: true;
  /** Line and column count in the text of an object that has no lines itself. */
  readonly isInText?: true;
}

/** Finds places that all have the same line and column in the text that begins with that line. */
export function locate(places: readonly Place[], textFromLine: string): readonly SourcePosition[] {
  const [first] = places;
  if (first === undefined) return [];
  if (!places.some(hasPath)) return places.map((place) => exactSpot(place, textFromLine));
  const { document, offset } = firstDocument(textFromLine, first.column - 1);
  const wanted = pathPositions(places, document);
  const found = positionsIn(
    document,
    wanted.map(({ position }) => position),
  );
  return places.map((place, index) => {
    if (!hasPath(place)) return exactSpot(place, textFromLine);
    const { line, column, lineStart } = found[index] as TextPosition;
    const start = line === 0 ? 0 : lineStart + offset;
    const { position, isCharacter } = wanted[index] as FoundPosition;
    return {
      line: place.line + line,
      column: line === 0 ? place.column + column : column + 1,
      ...excerpt(textFromLine, start, position + offset),
      ...(isCharacter && { isCharacter }),
    };
  });
}

/** The position of a character of a text in an object that was not read from a file; undefined if it is not about a text. */
export function locateInObject({ path = [], offset }: Place, object: JsonObject): SourcePosition | undefined {
  const text = valueAt(object, path);
  if (typeof text !== "string" || offset === undefined) return undefined;
  const [found] = positionsIn(text, [Math.min(offset, text.length)]) as [TextPosition];
  const { line, column, lineStart } = found;
  const shown = excerpt(text, lineStart, Math.min(offset, text.length));
  return { line: line + 1, column: column + 1, ...shown, isCharacter: true, isInText: true };
}

function valueAt(object: JsonObject, path: Path): Json | undefined {
  let value: Json | undefined = object;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, Json>)[step];
  }
  return value;
}

function hasPath(place: Place): boolean {
  return place.exact !== true && place.path !== undefined;
}

/** The positions of places in a document; 0 for all if the document cannot be read. */
export function pathPositions(places: readonly WantedPlace[], document: string): readonly FoundPosition[] {
  if (/^\s*[[{]/.test(document)) {
    const wanted = wantedPaths(places);
    try {
      locateInJson(document, wanted, DEFAULT_LIMITS.maxDepth);
      return places.map((place) => foundPosition(wanted, place));
    } catch {
      // YAML may begin with a brace as well.
    }
  }
  const wanted = wantedPaths(places);
  try {
    const original = locateInYaml(document, wanted, DEFAULT_LIMITS);
    return places.map((place) => {
      const { position, isCharacter } = foundPosition(wanted, place);
      return { position: original(position), isCharacter };
    });
  } catch {
    // The text has changed since it was read: the beginning of the document is used.
    return places.map(() => ({ position: 0, isCharacter: false }));
  }
}

/** The position of a character of a string in its document, in UTF-16 units; undefined if the path has no string. */
export function positionInDocument(document: string, path: Path, offset: number): number | undefined {
  const [found] = pathPositions([{ path, offset }], document);
  return found?.isCharacter === true ? found.position : undefined;
}

/** The first document of a text, and its start: JSON anywhere in a line, YAML at the beginning of a line. */
function firstDocument(text: string, from: number): { readonly document: string; readonly offset: number } {
  if (!text.startsWith("---") && /^\s*[[{]/.test(text.slice(from, from + 200)))
    return { document: text.slice(from), offset: from };
  if (from === 2 && text.startsWith("- ")) {
    // An item of a long list, which was read as a separate document.
    const end = /\n(?=\S)/.exec(text)?.index ?? text.length;
    return { document: `  ${text.slice(2, end)}`, offset: 0 };
  }
  const next = text.indexOf("\n---", 3);
  return { document: next < 0 ? text : text.slice(0, next + 1), offset: 0 };
}

const MAX_EXCERPT_WIDTH = 100;
const BEFORE_CARET = 60;

/** A place whose line and column are known, at the beginning of the text. */
function exactSpot({ line, column }: Place, text: string): SourcePosition {
  let position = 0;
  for (let left = column - 1; left > 0 && position < text.length; left--)
    position += (text.codePointAt(position) as number) > 0xffff ? 2 : 1;
  return { line, column, ...excerpt(text, 0, position) };
}

/** The part of a line around a position, and where the position is in it. */
function excerpt(text: string, lineStart: number, position: number): Pick<SourcePosition, "excerpt" | "caret"> {
  const isLong = untilLineEnd(text, lineStart, MAX_EXCERPT_WIDTH + 1).length > MAX_EXCERPT_WIDTH;
  let start = lineStart;
  if (isLong && position - lineStart > BEFORE_CARET) {
    const rest = untilLineEnd(text, position, MAX_EXCERPT_WIDTH).length;
    start = Math.max(lineStart, position - Math.max(BEFORE_CARET, MAX_EXCERPT_WIDTH - rest));
    if (isLowSurrogate(text, start)) start++;
  }
  const shown = untilLineEnd(text, start, MAX_EXCERPT_WIDTH + 1);
  const isCut = shown.length > MAX_EXCERPT_WIDTH;
  const before = start > lineStart ? "…" : "";
  return {
    excerpt: `${before}${(isCut ? shown.slice(0, MAX_EXCERPT_WIDTH) : shown).replace(/\r$/, "")}${isCut ? "…" : ""}`,
    caret: [...text.slice(start, position)].length + before.length,
  };
}

/** The text from a position to the end of its line, limited in length. */
function untilLineEnd(text: string, start: number, most: number): string {
  let end = Math.min(text.length, start + most);
  if (isLowSurrogate(text, end)) end++;
  const part = text.slice(start, end);
  const newline = part.indexOf("\n");
  return newline < 0 ? part : part.slice(0, newline);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
}
