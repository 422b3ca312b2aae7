// What may have been in input that could not be read? Its objects are unknown, but some of its words are known: an
// object whose name is not among them was not in it.

import type { Place } from "./place.ts";

/** Text that could not be read as objects, and files that could not be opened. */
export interface LostText {
  /** The words of the text, each with the place of the first text that contains it. */
  readonly words: ReadonlyMap<string, Place>;
  /** The place of something whose text is not completely known: it may contain anything. */
  readonly unseen: Place | undefined;
  /** The kinds of which a cluster returned no objects, or not all: an object of such a kind may exist, whatever its name. */
  readonly kinds?: ReadonlyMap<string, Place> | undefined;
  /** Those of them of which it returned none. */
  readonly wholeKinds?: ReadonlySet<string> | undefined;
}

/** Is everything known? */
export function isNothingLost({ words, unseen, kinds }: LostText): boolean {
  return words.size === 0 && unseen === undefined && (kinds?.size ?? 0) === 0;
}

/** The place where an object of this name, and of this kind if it is known, may be lost; undefined if it cannot be. */
export function placeOfLost({ words, unseen, kinds }: LostText, name: string, kind?: string): Place | undefined {
  return words.get(name) ?? (kind === undefined ? undefined : kinds?.get(kind)) ?? unseen;
}

/** The place where an object of this kind may be lost: any, or one of this name. */
export function placeOfLostKind({ words, unseen, kinds }: LostText, kind: string, name?: string): Place | undefined {
  const isNamed = name === undefined || words.has(name);
  const ofText = isNamed ? (words.get(kind) ?? words.get(`${kind}List`)) : undefined;
  return ofText ?? kinds?.get(kind) ?? unseen;
}
