// Where are many paths of one document? The paths are put into a tree, a reader of the text walks the document once and
// notes positions in the tree, and every path then finds its own.

import type { Path } from "../model/place.ts";

/** A step of some wanted paths, with the positions that were found for it. */
export interface WantedStep {
  readonly inside: Map<string | number, WantedStep>;
  /** Where the value begins; -1 as long as it was not met. */
  position: number;
  /** Where its key begins, if it has one. */
  keyPosition: number;
}

/** A tree of paths, with nothing found yet. */
export function wantedPaths(paths: Iterable<Path>): WantedStep {
  const root = newStep();
  for (const path of paths) {
    let step = root;
    for (const key of path) {
      let next = step.inside.get(key);
      if (next === undefined) {
        next = newStep();
        step.inside.set(key, next);
      }
      step = next;
    }
  }
  return root;
}

/** The position that was found for a path, for its key if that is meant, or for the nearest value above it. */
export function foundPosition(root: WantedStep, path: Path, ofKey: boolean): number {
  let step = root;
  for (const [depth, key] of path.entries()) {
    const next = step.inside.get(key);
    if (next === undefined || next.position < 0) break;
    if (ofKey && depth === path.length - 1 && next.keyPosition >= 0) return next.keyPosition;
    step = next;
  }
  return Math.max(0, step.position);
}

function newStep(): WantedStep {
  return { inside: new Map(), position: -1, keyPosition: -1 };
}
