// How is a set of changes split into steps? Each step is a smallest set of changes after which all requirements are
// met; changes that are only possible together make one step.

import type { Because, Breach } from "./plan.ts";
import type { Move, StepRule, StepRules } from "./step-rules.ts";

/** Changes that are applied together. */
export interface Joint {
  readonly moves: readonly Move[];
  /** For a joint step: why each change cannot come before the others. */
  readonly because: readonly Because[];
}

/** Number of sets tried for one step; beyond that, all remaining changes are one step. */
const MAX_TRIED = 20_000;

/** The steps, in an order in which each is safe after those before it. All changes together must be safe. */
export function stepsIn(rules: StepRules): readonly Joint[] {
  const all = [...rules.changes.keys()];
  const free = all.filter((move) => rules.isFree(move));
  const steps: Joint[] = free.map((move) => ({ moves: [move], because: [] }));
  const made = new Set(free);
  let left = all.filter((move) => !made.has(move));
  while (left.length > 0) {
    const step = smallestStep(rules, made, left);
    steps.push(step);
    for (const move of step.moves) made.add(move);
    left = left.filter((move) => !made.has(move));
  }
  return steps;
}

/**
 * A rule that is broken by applying a set of changes on top of others; only rules that involve one of the set can be.
 */
export function brokenBy(rules: StepRules, made: ReadonlySet<Move>, set: readonly Move[]): StepRule | undefined {
  const all = new Set([...made, ...set]);
  const checked = new Set<StepRule>();
  for (const move of set)
    for (const rule of rules.rulesOf(move)) {
      if (checked.has(rule)) continue;
      checked.add(rule);
      if (!rule.holds(all)) return rule;
    }
  return undefined;
}

/**
 * The smallest set that can come next; the first one found. Sets grow by changes that could repair the broken rule:
 * every safe superset contains one of those changes.
 */
function smallestStep(rules: StepRules, made: ReadonlySet<Move>, left: readonly Move[]): Joint {
  const alone = new Map<Move, Breach>();
  const seen = new Set<string>();
  let sets: readonly (readonly Move[])[] = left.map((move) => [move]);
  while (sets.length > 0) {
    const larger: (readonly Move[])[] = [];
    for (const set of sets) {
      const broken = brokenBy(rules, made, set);
      if (broken === undefined) return { moves: set, because: set.length === 1 ? [] : reasons(rules, set, alone) };
      if (set.length === 1) alone.set(set[0] as Move, broken.breach());
      for (const move of broken.moves) {
        if (!made.has(move) && !set.includes(move)) larger.push(...grown(set, move, seen));
      }
    }
    if (seen.size > MAX_TRIED) break;
    sets = larger;
  }
  return { moves: left, because: reasons(rules, left, alone) };
}

/** A set with one more change; empty if that set was seen before. */
export function grown(set: readonly Move[], move: Move, seen: Set<string>): readonly (readonly Move[])[] {
  const larger = [...set, move].sort((a, b) => a - b);
  const { size } = seen;
  return seen.add(larger.join()).size > size ? [larger] : [];
}

function reasons({ changes }: StepRules, set: readonly Move[], alone: ReadonlyMap<Move, Breach>): readonly Because[] {
  return set.flatMap((move) => {
    const breach = alone.get(move);
    return breach === undefined ? [] : [{ package: changes[move]?.package ?? "", breach }];
  });
}
