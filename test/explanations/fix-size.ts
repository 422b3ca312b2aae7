// Are fixes as small as possible, and there where something helps?

import { fixText } from "../../src/render/sentence/fix.ts";
import type { Change } from "../../src/resolve/what-if.ts";
import type { Explained } from "./explained.ts";
import { helpfulSets, isMeant } from "./help.ts";

/** The sets of `size` changes that help, and that a reader of the explanation could think of. */
export function meantSets(explained: Explained, size: 1 | 2): readonly (readonly Change[])[] {
  return helpfulSets(explained, size).filter((changes) => changes.every((change) => isMeant(change, explained)));
}

/** Fixes that are larger than needed, or that are missing. */
export function sizeFaults(explained: Explained): readonly string[] {
  const { explanation, causes } = explained;
  if (causes.length === 0) return [];
  // What was not read has to be given, which is no change that could be smaller than another.
  const fixes = explanation.fixes.filter(({ changes }) => changes.length > 0);
  const size = Math.min(...fixes.map(({ changes }) => changes.length));
  const faults = fixes
    .filter(({ changes }) => changes.length > size)
    .map((fix) => `larger than another: ${fixText(fix)}`);
  const smaller = size > 1 ? meantSets(explained, 1) : [];
  if (smaller.length > 0) return [...faults, `a single change helps: ${JSON.stringify(smaller[0])}`];
  const pairs = size > 2 && size < Number.POSITIVE_INFINITY ? meantSets(explained, 2) : [];
  return pairs.length > 0 ? [...faults, `two changes help: ${JSON.stringify(pairs[0])}`] : faults;
}
