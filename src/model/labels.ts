// What words are attached to a thing? Labels and annotations: text under names that come from outside, so they are only
// ever read as own keys.

/** Labels or annotations of an object: part of the document itself, not a copy. */
export interface TextMap {
  readonly [key: string]: string;
}

/** The text under a key, never one that the map inherits. */
export function textUnder(map: TextMap, key: string): string | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
