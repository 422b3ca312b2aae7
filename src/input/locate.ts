// On which line and column does a thing stand, and how does that line look? Asked only when somebody has to be told, with
// the text of the document read again.

import type { Place } from "../model/place.ts";
import { positionsIn } from "./document.ts";
import { locateInJson } from "./json-text.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { foundPosition, wantedPaths } from "./wanted-paths.ts";
import { locateInYaml } from "./yaml-text.ts";

/** A position in a source and the line that it is on. */
export interface Spot {
  readonly line: number;
  readonly column: number;
  /** The line, or the part of a long one around the column. */
  readonly excerpt: string;
  /** Where the column is in the excerpt, from 0. */
  readonly caret: number;
}

/** Finds places that all have the same line and column in the text that begins with that line. */
export function locate(places: readonly Place[], textFromLine: string): readonly Spot[] {
  const [first] = places;
  if (first === undefined) return [];
  if (!places.some(hasPath)) return places.map((place) => spotAt(textFromLine, place.line, place.column, 0));
  const document = documentText(textFromLine, first.column - 1);
  const found = positionsIn(document, pathPositions(places, document));
  return places.map((place, index) => {
    const { line, column } = found[index] as { line: number; column: number };
    if (!hasPath(place)) return spotAt(textFromLine, place.line, place.column, 0);
    return spotAt(textFromLine, place.line + line, line === 0 ? place.column + column : column + 1, line);
  });
}

function hasPath(place: Place): boolean {
  return place.exact !== true && place.path !== undefined;
}

/** Where the paths of places are in a document; 0 for all if the document cannot be read. */
function pathPositions(places: readonly Place[], document: string): readonly number[] {
  const wanted = wantedPaths(places.map((place) => place.path ?? []));
  const positions = (original: (position: number) => number): number[] =>
    places.map(({ path, ofKey }) => original(foundPosition(wanted, path ?? [], ofKey === true)));
  if (/^\s*[[{]/.test(document)) {
    try {
      locateInJson(document, wanted, DEFAULT_LIMITS.maxDepth);
      return positions((position) => position);
    } catch {
      // YAML may begin with a brace as well.
    }
  }
  try {
    return positions(locateInYaml(document, wanted, DEFAULT_LIMITS));
  } catch {
    return places.map(() => 0); // the text has changed since it was read: the beginning of the document must do
  }
}

/** The first document of a text. */
function documentText(text: string, from: number): string {
  if (text.startsWith("---") || !/^\s*[[{]/.test(text.slice(from, from + 200))) {
    const next = text.indexOf("\n---", 3);
    return next < 0 ? text : text.slice(0, next + 1);
  }
  // JSON: a whole line nearly always; otherwise the reader stops at the end of what it looks for.
  return text.slice(from);
}

const WIDEST_EXCERPT = 100;
const BEFORE_CARET = 60;

function spotAt(text: string, line: number, column: number, linesBelow: number): Spot {
  let start = 0;
  for (let skipped = 0; skipped < linesBelow; skipped++) start = text.indexOf("\n", start) + 1;
  const end = text.indexOf("\n", start);
  const whole = [...text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "")];
  if (whole.length <= WIDEST_EXCERPT) return { line, column, excerpt: whole.join(""), caret: column - 1 };
  const first = Math.max(0, Math.min(column - 1 - BEFORE_CARET, whole.length - WIDEST_EXCERPT));
  const last = first + WIDEST_EXCERPT;
  const before = first > 0 ? "…" : "";
  const after = last < whole.length ? "…" : "";
  return {
    line,
    column,
    excerpt: before + whole.slice(first, last).join("") + after,
    caret: column - 1 - first + before.length,
  };
}
