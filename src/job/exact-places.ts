// Where exactly is everything that an answer names? Places of an answer say in which document and under which path a value is;
// here they get the line and column of the value itself.

import type { SourcePosition } from "../input/locate.ts";
import type { Finding } from "../model/finding.ts";
import type { Place } from "../model/place.ts";

/** A finding about the input, with the line that it is on if its text is known. */
export interface InputFinding extends Finding {
  readonly position?: SourcePosition | undefined;
}

/** Fields of answers that quote the input, in which anything may look like a place. */
const FOREIGN: ReadonlySet<string> = new Set(["manifest", "properties", "value", "old", "new", "json"]);

/** All places in an answer, each once. */
export function placesIn(answer: unknown): readonly Place[] {
  const places = new Set<Place>();
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) for (const item of value) visit(item);
    else
      for (const [key, part] of Object.entries(value)) {
        if (isPlace(key, part)) places.add(part);
        else if (!FOREIGN.has(key)) visit(part);
      }
  };
  visit(answer);
  return [...places];
}

/** What is known of places: the positions of those in texts, and the places of values. */
export interface KnownPlaces {
  readonly positions: ReadonlyMap<Place, SourcePosition>;
  readonly placeOfValue?: ((place: Place) => Place | undefined) | undefined;
}

/** The same answer with exact places; what is at no known place stays as it is. */
export function withExactPlaces<Answer>(answer: Answer, known: KnownPlaces): Answer {
  const replaced = new Map<object, unknown>();
  const visit = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (!replaced.has(value)) replaced.set(value, Array.isArray(value) ? items(value) : fields(value));
    return replaced.get(value);
  };
  // Parts are replaced only where something in them is.
  const items = (list: readonly unknown[]): readonly unknown[] => {
    const parts = list.map(visit);
    return parts.some((part, index) => part !== list[index]) ? parts : list;
  };
  const fields = (value: object): object => {
    const entries = Object.entries(value);
    const parts = entries.map(([key, part]) => {
      if (isPlace(key, part)) return [key, exactPlace(part, known)] as const;
      return [key, FOREIGN.has(key) ? part : visit(part)] as const;
    });
    return parts.some(([, part], index) => part !== entries[index]?.[1]) ? Object.fromEntries(parts) : value;
  };
  return visit(answer) as Answer;
}

function exactPlace(place: Place, { positions, placeOfValue }: KnownPlaces): Place {
  const ofValue = placeOfValue?.(place);
  if (ofValue !== undefined) return ofValue;
  const position = positions.get(place);
  if (position === undefined || place.exact) return place;
  const { source, path } = place;
  return { source, line: position.line, column: position.column, ...(path !== undefined && { path }), exact: true };
}

/** Findings with exact places and the lines that they are on. */
export function locatedFindings(findings: readonly Finding[], known: KnownPlaces): readonly InputFinding[] {
  return findings.map((finding) => {
    const position = known.positions.get(finding.place);
    return { ...finding, place: exactPlace(finding.place, known), ...(position && { position }) };
  });
}

/** Every place of an answer is in a field `place`. */
function isPlace(key: string, value: unknown): value is Place {
  return key === "place" && typeof value === "object" && value !== null && "source" in value && "line" in value;
}
