// What may have been in the part of the input that could not be read? Nobody knows its objects, but some of its words are
// known: an object whose name is none of them was not in it.

import type { Place } from "./place.ts";

/** Text that could not be read as objects, and files that could not be opened. */
export interface LostText {
  /** The words of the text, each with the place at which the first text that has it begins. */
  readonly words: ReadonlyMap<string, Place>;
  /** Where something is whose text is not known, or not all of it: it may hold anything. */
  readonly unseen: Place | undefined;
}

/** Where an object of this name may be lost; nothing if it cannot be. */
export function placeOfLost({ words, unseen }: LostText, name: string): Place | undefined {
  return words.get(name) ?? unseen;
}

/** Where an object of this kind may be lost: any, or one of this name. */
export function placeOfLostKind({ words, unseen }: LostText, kind: string, name?: string): Place | undefined {
  const isNamed = name === undefined || words.has(name);
  return (isNamed ? (words.get(kind) ?? words.get(`${kind}List`)) : undefined) ?? unseen;
}
