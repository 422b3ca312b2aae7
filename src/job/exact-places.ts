// Where exactly is everything that an answer names? Places of an answer say in which document and under which path a value is;
// here they get the line and column of the value itself.

import type { SourcePosition } from "../input/locate.ts";
import type { Finding } from "../model/finding.ts";
import type { Place } from "../model/place.ts";

/** A finding about the input, with the line that it is on if its text is known. */
export interface InputFinding extends Finding {
  readonly position?: SourcePosition | undefined;
}

/** All places in an answer, each once. */
export function placesIn(answer: unknown): readonly Place[] {
  const places = new Set<Place>();
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (isPlace(value)) places.add(value);
    else for (const part of Array.isArray(value) ? value : Object.values(value)) visit(part);
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
    if (replaced.has(value)) return replaced.get(value);
    const exact = isPlace(value) ? exactPlace(value, known) : rebuilt(value, visit);
    replaced.set(value, exact);
    return exact;
  };
  return visit(answer) as Answer;
}

/** Parts are replaced only where something in them is. */
function rebuilt(value: object, visit: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const parts = value.map(visit);
    return parts.some((part, index) => part !== value[index]) ? parts : value;
  }
  const entries = Object.entries(value);
  const parts = entries.map(([key, part]) => [key, visit(part)] as const);
  return parts.some(([, part], index) => part !== entries[index]?.[1]) ? Object.fromEntries(parts) : value;
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

function isPlace(value: object): value is Place {
  const { source, line, column } = value as Partial<Place>;
  return typeof source === "string" && typeof line === "number" && typeof column === "number";
}
