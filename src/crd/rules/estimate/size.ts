// How large can a value be, before a rule runs?

/** At least and at most; infinite where nothing bounds it. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

/** The sizes of what is in a list or a map: of a list's indexes and elements, of a map's keys and values. */
export interface EntrySize {
  readonly container: "list" | "map";
  readonly key: Size;
  readonly value: Size;
}

export const UNKNOWN: Size = { min: 0, max: Number.POSITIVE_INFINITY };

/** One size, known exactly. */
export function exactly(size: number): Size {
  return { min: size, max: size };
}

/** Either of the two. */
export function either(a: Size, b: Size): Size {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Either of the two; nothing is known unless it is of both. */
export function eitherEntry(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { container: a.container, key: either(a.key, b.key), value: either(a.value, b.value) };
}

/** Both together. */
export function sum(a: Size, b: Size): Size {
  return { min: a.min + b.min, max: a.max + b.max };
}

/** One for each of the other. */
export function product(a: Size, b: Size): Size {
  return { min: times(a.min, b.min), max: times(a.max, b.max) };
}

/** Nothing, however often, is nothing. */
export function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** What it costs at most to go through something of this size: so much for each part, rounded up. */
export function costOf(size: Size, each: number): number {
  return Math.ceil(times(size.max, each));
}

/** What a character costs that is gone through. */
export const CHARACTER = 0.1;
/** What a character of a regular expression costs, for each character that it is matched with. */
export const PATTERN_CHARACTER = 0.25;
