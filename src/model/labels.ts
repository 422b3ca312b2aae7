// What are labels and annotations? Strings under external names, so they are only read as own keys.

/** Labels or annotations of an object: part of the document itself, not a copy. */
export interface TextMap {
  readonly [key: string]: string;
}

/** The text under a key, never an inherited one. */
export function textUnder(map: TextMap, key: string): string | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
