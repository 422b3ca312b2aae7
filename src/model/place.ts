// Where is a value of the input? A document in a named source, and a path inside it. Line and column of the path are
// not stored: they are looked up in the text when a message needs them (see input/locate.ts), which keeps a place
// small enough for every bundle of a large catalog.

/** The path from the root of a document to a value: keys and list indexes. */
export type Path = readonly (string | number)[];

/** A document of a source, or a value inside it. Line and column count from 1; columns count code points. */
export interface Place {
  /** The name of the input: a file name, or `<stdin>`. */
  readonly source: string;
  /** Where the document begins; with `exact`, where the value itself is. */
  readonly line: number;
  readonly column: number;
  /** The value, if it is not the whole document. */
  readonly path?: Path;
  /** For a string: the character, in UTF-16 units from 0. */
  readonly offset?: number;
  /** The place is the key, not the value. */
  readonly ofKey?: true;
  /** Line and column are those of the value itself: there is nothing to look up. */
  readonly exact?: true;
  /** For a document assembled from several: the real places of the elements of its lists, by {@link elementKey}. */
  readonly elsewhere?: ReadonlyMap<string, Place>;
}

/** The place as an answer holds it, without the places inside it. */
export function plainPlace(place: Place): Place {
  const { elsewhere: _, ...plain } = place;
  return plain;
}

/** The field of a place in an answer; none if it is unknown. */
export function at(place: Place | undefined): { readonly place?: Place } {
  return place === undefined ? {} : { place: plainPlace(place) };
}

/** A source as a whole: a file that cannot be read has no lines. */
export function wholeSource(source: string): Place {
  return { source, line: 0, column: 0, exact: true };
}

/** The key of an element of a top-level list in {@link Place.elsewhere}. */
export function elementKey(list: string, index: number): string {
  return `${list}[${index}]`;
}

/** The place of a value below another place. */
export function inside(place: Place, ...steps: readonly (string | number)[]): Place {
  if (place.exact) return place;
  const [list, index, ...rest] = steps;
  const real = typeof index === "number" ? place.elsewhere?.get(elementKey(String(list), index)) : undefined;
  if (real !== undefined) return inside(real, ...rest);
  return { source: place.source, line: place.line, column: place.column, path: [...(place.path ?? []), ...steps] };
}

/** The place of a key of the object at another place. */
export function keyOf(place: Place, key: string): Place {
  return place.exact ? place : { ...inside(place, key), ofKey: true };
}

/** The place of a character of the text at another place. */
export function characterOf(place: Place, offset: number): Place {
  return place.exact ? place : { ...place, offset };
}

/** A path for display: `spec.entries[3].name`; keys that are not plain words are quoted. */
export function printPath(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** An object of a live cluster: it has no lines, only a path inside. */
export function clusterPlace(kind: string, namespace: string | undefined, name: string): Place {
  const parts = ["cluster", ...(namespace === undefined || namespace === "" ? [] : [namespace]), kind, name];
  return { source: parts.join("/"), line: 0, column: 0 };
}

/** `file:line:column`, as editors understand it; `cluster/NAMESPACE/KIND/NAME:path` without lines; only the source if it is meant as a whole. */
export function printPlace({
  source,
  line,
  column,
  path = [],
  exact,
}: Pick<Place, "source" | "line" | "column" | "path" | "exact">): string {
  if (line > 0) return `${source}:${line}:${column}`;
  return path.length === 0 || exact ? source : `${source}:${printPath(path)}`;
}

/** Where a value is shown: its line and column, in its source or, for an object without lines, in the text at its path. */
export interface Shown {
  readonly line: number;
  readonly column: number;
  readonly isInText?: true;
}

/** The place as it is shown; as it is if nothing more is known. */
export function printShown(place: Place, shown: Shown | undefined): string {
  if (shown === undefined) return printPlace(place);
  const source = shown.isInText ? printPlace(place) : place.source;
  return printPlace({ source, line: shown.line, column: shown.column });
}

/** The order of places: by source, then by position, then by path. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return (
    a.line - b.line ||
    a.column - b.column ||
    comparePaths(a.path ?? [], b.path ?? []) ||
    (a.offset ?? 0) - (b.offset ?? 0)
  );
}

/** Keys by their bytes, list indexes by number, a path before those below it. */
export function comparePaths(a: Path, b: Path): number {
  for (const [index, step] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (step === other) continue;
    if (typeof step === "number" && typeof other === "number") return step - other;
    return String(step) < String(other) ? -1 : 1;
  }
  return a.length - b.length;
}
