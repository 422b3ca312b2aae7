// Which participants match, computed once? Hundreds of versions have the same requirement, and it is needed more than
// once.

import type { Matches, Matching } from "./cause.ts";

const known = new WeakMap<Matches, Matches>();

/** A cached matcher; requirers of the same catalog with the same requirement get the same result. */
export function remembered(matches: Matches): Matches {
  const before = known.get(matches);
  if (before !== undefined) return before;
  const answers = new Map<unknown, Map<string, Matching>>();
  const cached: Matches = (predicate, requirer) => {
    const from = "bundle" in requirer ? requirer.index : undefined;
    const own = answers.get(from) ?? new Map<string, Matching>();
    answers.set(from, own);
    const matching = own.get(predicate.key) ?? matches(predicate, requirer);
    own.set(predicate.key, matching);
    return matching;
  };
  known.set(matches, cached);
  known.set(cached, cached);
  return cached;
}
