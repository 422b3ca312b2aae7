// Into which steps does a set of changes fall apart? Each step is a smallest set of changes after which everybody who runs
// has what he needs; what can only move together moves in one step.

import type { Because } from "./plan.ts";
import type { Bond, Move, Rulebook } from "./rulebook.ts";

/** Changes that are made together. */
export interface Joint {
  readonly moves: readonly Move[];
  /** Why each of several cannot move before the others. */
  readonly because: readonly Because[];
}

/** So many sets of changes are tried for one step; beyond that, all that is left is one step. */
const MOST_TRIED = 20_000;

/** The steps, in an order in which each is safe after those before it. All changes together must be safe. */
export function stepsIn(book: Rulebook): readonly Joint[] {
  const all = [...book.changes.keys()];
  const free = all.filter((move) => book.isFree(move));
  const steps: Joint[] = free.map((move) => ({ moves: [move], because: [] }));
  const made = new Set(free);
  let left = all.filter((move) => !made.has(move));
  while (left.length > 0) {
    const step = smallestStep(book, made, left);
    steps.push(step);
    for (const move of step.moves) made.add(move);
    left = left.filter((move) => !made.has(move));
  }
  return steps;
}

/** A rule that is broken by making a set of changes on top of others; only rules that one of the set has a part in can be. */
export function brokenBy(book: Rulebook, made: ReadonlySet<Move>, set: readonly Move[]): Bond | undefined {
  const all = new Set([...made, ...set]);
  const asked = new Set<Bond>();
  for (const move of set)
    for (const bond of book.bondsOf(move)) {
      if (asked.has(bond)) continue;
      asked.add(bond);
      if (!bond.holds(all)) return bond;
    }
  return undefined;
}

/**
 * The smallest set that can be made next, of several the first. Sets grow by what could mend the rule that they break:
 * whatever set is safe and contains this one has one of those changes in it.
 */
function smallestStep(book: Rulebook, made: ReadonlySet<Move>, left: readonly Move[]): Joint {
  const alone = new Map<Move, string>();
  const seen = new Set<string>();
  let sets: readonly (readonly Move[])[] = left.map((move) => [move]);
  while (sets.length > 0) {
    const larger: (readonly Move[])[] = [];
    for (const set of sets) {
      const broken = brokenBy(book, made, set);
      if (broken === undefined) return { moves: set, because: set.length === 1 ? [] : reasons(book, set, alone) };
      if (set.length === 1) alone.set(set[0] as Move, broken.text);
      for (const move of broken.moves) {
        if (made.has(move) || set.includes(move)) continue;
        const grown = [...set, move].sort((a, b) => a - b);
        const key = grown.join();
        if (seen.has(key)) continue;
        seen.add(key);
        larger.push(grown);
      }
    }
    if (seen.size > MOST_TRIED) break;
    sets = larger;
  }
  return { moves: left, because: reasons(book, left, alone) };
}

function reasons({ changes }: Rulebook, set: readonly Move[], alone: ReadonlyMap<Move, string>): readonly Because[] {
  return set.flatMap((move) => {
    const text = alone.get(move);
    return text === undefined ? [] : [{ package: changes[move]?.package ?? "", text }];
  });
}
