// What are the positions of many paths of one document? The paths form a tree, a reader of the text walks the
// document once and records positions in the tree, and every path then looks up its own.

import { getOrAdd } from "../model/grouped.ts";
import type { Place } from "../model/place.ts";
import type { CharacterFinder } from "./place-in-text.ts";

/** A step of some wanted paths, with the positions that were found for it. */
export interface WantedStep {
  readonly inside: Map<string | number, WantedStep>;
  /** Where the value begins; -1 if it was not found. */
  position: number;
  /** Where its key begins, if it has one. */
  keyPosition: number;
  /** Where its characters are, if it is a text. */
  character?: CharacterFinder;
}

/** What a position is searched for: a path, its key, or a character of its text. */
export type WantedPlace = Pick<Place, "path" | "ofKey" | "offset">;

/** A tree of the paths of places, without positions. */
export function wantedPaths(places: Iterable<Pick<Place, "path">>): WantedStep {
  const root = newStep();
  for (const { path = [] } of places) {
    let step = root;
    for (const key of path) step = getOrAdd(step.inside, key, newStep);
  }
  return root;
}

/** A position, and whether it is that of the wanted character. */
export interface FoundPosition {
  readonly position: number;
  readonly isCharacter: boolean;
}

/** The position of a path, of its key or a character if wanted, or of the nearest parent value. */
export function foundPosition(root: WantedStep, { path = [], ofKey, offset }: WantedPlace): FoundPosition {
  let step = root;
  let depth = 0;
  for (const key of path) {
    const next = step.inside.get(key);
    if (next === undefined || next.position < 0) break;
    depth++;
    if (ofKey === true && depth === path.length && next.keyPosition >= 0)
      return { position: next.keyPosition, isCharacter: false };
    step = next;
  }
  if (offset !== undefined && depth === path.length && step.character !== undefined)
    return { position: step.character(offset), isCharacter: true };
  return { position: Math.max(0, step.position), isCharacter: false };
}

function newStep(): WantedStep {
  return { inside: new Map(), position: -1, keyPosition: -1 };
}
