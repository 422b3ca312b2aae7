// What may have been in input that could not be read? Its objects are unknown, but some of its words are known: an
// object whose name is not among them was not in it.

import type { Place } from "./place.ts";

/** Text that could not be read as objects, and files that could not be opened. */
export interface LostText {
  /** The words of the text, each with the place of the first text that contains it. */
  readonly words: ReadonlyMap<string, Place>;
  /** The place of something whose text is not completely known: it may contain anything. */
  readonly unseen: Place | undefined;
}

/** The place where an object of this name may be lost; undefined if it cannot be. */
export function placeOfLost({ words, unseen }: LostText, name: string): Place | undefined {
  return words.get(name) ?? unseen;
}

/** The place where an object of this kind may be lost: any, or one of this name. */
export function placeOfLostKind({ words, unseen }: LostText, kind: string, name?: string): Place | undefined {
  const isNamed = name === undefined || words.has(name);
  return (isNamed ? (words.get(kind) ?? words.get(`${kind}List`)) : undefined) ?? unseen;
}
