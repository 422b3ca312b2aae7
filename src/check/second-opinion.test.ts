import { describe, expect, test } from "vitest";
import { bruteForce } from "../../test/worlds/brute-force.ts";
import { Dice } from "../../test/worlds/dice.ts";
import { generateWorld } from "../../test/worlds/generate.ts";
import { Judge } from "../../test/worlds/judge.ts";
import { type Mask, readerFor, Table } from "../../test/worlds/table.ts";
import type { Installed, Problem } from "../model/problem.ts";
import type { Answer, Chosen } from "./answer.ts";
import { check } from "./check.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 20_000 : 300;

/** Is the answer right, as the judge sees it? */
function isRight(judge: Judge, { kept, chosen, satisfied }: Answer): boolean {
  const { table } = judge;
  const operators = table.operators(kept);
  const bundles = table.bundles(chosen);
  const count = (mask: Mask): number => table.in(mask).length;
  if (count(operators) !== kept.length || count(bundles) !== chosen.length) return false;
  const honest = table.answer(operators | bundles).satisfied;
  return judge.allows(operators, bundles) && honest.toSorted().join() === satisfied.toSorted().join();
}

/** A set with each of its elements as often as not. */
function someOf(dice: Dice, table: Table, mask: Mask, probability: number): Mask {
  return dice.some(table.in(mask), probability).reduce((sum, { bit }) => sum | bit, 0);
}

describe("the checker and the judge of small worlds", () => {
  test("agree on any answer, right or wrong", () => {
    let right = 0;
    let wrong = 0;
    const disagreements: unknown[] = [];
    for (let seed = 1; seed <= WORLDS; seed++) {
      const problem = generateWorld(seed);
      const table = new Table(problem);
      const judge = new Judge(table);
      const dice = new Dice(seed);
      const bundles = table.mask(({ role }) => role === "bundle");
      for (let attempt = 0; attempt < 12; attempt++) {
        const chosen = someOf(dice, table, dice.chance(0.8) ? judge.choosable : bundles, dice.pick([0.1, 0.25, 0.4]));
        const stays = table.in(table.installed).filter(({ bit }) => (table.targetsOf(bit) & chosen) === 0);
        const kept = dice.chance(0.85)
          ? stays.reduce((sum, { bit }) => sum | bit, 0)
          : someOf(dice, table, table.installed, 0.7);
        const answer = table.answer(kept | chosen);
        const violations = check(problem, answer, readerFor(problem));
        const allowed = judge.allows(kept, chosen);
        if (allowed !== (violations.length === 0)) disagreements.push({ seed, attempt, allowed, violations });
        if (allowed) right++;
        else wrong++;
      }
    }
    expect(disagreements).toEqual([]);
    expect(right).toBeGreaterThan(WORLDS);
    expect(wrong).toBeGreaterThan(WORLDS);
  });

  test("in a world that is not compat nothing need be done", () => {
    const broken: unknown[] = [];
    for (let seed = 1; seed <= WORLDS; seed++) {
      const problem = generateWorld(seed);
      if (problem.options.compat) continue;
      const table = new Table(problem);
      const violations = check(problem, table.answer(table.installed), readerFor(problem));
      if (violations.length > 0) broken.push({ seed, violations });
    }
    expect(broken).toEqual([]);
  });
});

/** Changes of an answer; nothing where one does not apply. */
const MUTATIONS: Readonly<
  Record<string, (dice: Dice, answer: Answer, problem: Problem) => Partial<Answer> | undefined>
> = {
  "drop a chosen bundle": (dice, { chosen }) =>
    chosen.length === 0 ? undefined : { chosen: without(chosen, dice.pick(chosen)) },
  "add a bundle": (dice, { chosen }, problem) => {
    const others = everyBundle(problem).filter((one) => !chosen.some(({ bundle }) => bundle === one.bundle));
    return others.length === 0 ? undefined : { chosen: [...chosen, dice.pick(others)] };
  },
  "swap a version": (dice, { chosen }, problem) => {
    if (chosen.length === 0) return undefined;
    const old = dice.pick(chosen);
    const others = everyBundle(problem).filter(
      ({ bundle }) => bundle.package === old.bundle.package && bundle !== old.bundle,
    );
    return others.length === 0 ? undefined : { chosen: [...without(chosen, old), dice.pick(others)] };
  },
  "let an operator go": (dice, { kept }) => (kept.length === 0 ? undefined : { kept: without(kept, dice.pick(kept)) }),
  "keep what has moved": (dice, { kept }, { installed }) => {
    const moved = installed.filter((one) => !kept.includes(one));
    return moved.length === 0 ? undefined : { kept: [...kept, dice.pick(moved)] };
  },
  "keep twice": (dice, { kept }) => (kept.length === 0 ? undefined : { kept: [...kept, dice.pick(kept)] }),
  "choose twice": (dice, { chosen }) => (chosen.length === 0 ? undefined : { chosen: [...chosen, dice.pick(chosen)] }),
  "choose a copy": (dice, { chosen }, problem) => {
    const all = everyBundle(problem);
    if (all.length === 0) return undefined;
    const { catalog, bundle } = dice.pick(all);
    return { chosen: [...chosen.filter((one) => one.bundle !== bundle), { catalog, bundle: { ...bundle } }] };
  },
  "keep an operator of another namespace": (dice, { kept }, { elsewhere }) =>
    elsewhere.length === 0 ? undefined : { kept: [...kept, dice.pick(elsewhere)] },
  "claim too little": (dice, { satisfied }) =>
    satisfied.length === 0 ? undefined : { satisfied: without(satisfied, dice.pick(satisfied)) },
  "claim too much": (dice, { satisfied }, { requests }) => {
    const others = requests.filter(({ id }) => !satisfied.includes(id)).map(({ id }) => id);
    return { satisfied: [...satisfied, dice.pick([...others, "here/nobody"])] };
  },
};

function without<Item>(items: readonly Item[], item: Item): readonly Item[] {
  return items.filter((one) => one !== item);
}

function everyBundle({ catalogs }: Problem): readonly Chosen[] {
  return catalogs.flatMap((catalog) =>
    [...catalog.packages.values()].flatMap(({ bundles }) =>
      [...bundles.values()].map((bundle) => ({ catalog, bundle })),
    ),
  );
}

describe("mutated answers", () => {
  test("every one that is wrong is rejected, the others are not", () => {
    const rejected = new Map<string, number>();
    const disagreements: unknown[] = [];
    let mutants = 0;
    for (let seed = 1; mutants < (process.env.PLIMSOLL_LONG ? 50_000 : 2_500); seed++) {
      const problem = generateWorld(seed);
      const best = bruteForce(problem);
      if (best === undefined) continue;
      const violations = check(problem, best.answer, readerFor(problem));
      if (violations.length > 0) disagreements.push({ seed, name: "the best", violations });
      const judge = new Judge(new Table(problem));
      const dice = new Dice(seed);
      for (const [name, mutate] of Object.entries(MUTATIONS)) {
        const changed = mutate(dice, best.answer, problem);
        if (changed === undefined) continue;
        // A change of members is mostly reported correctly, so that the claims are not all that is wrong.
        const mutant = { ...best.answer, ...changed };
        const answer = changed.satisfied === undefined && dice.chance(0.7) ? honest(judge.table, mutant) : mutant;
        const violations = check(problem, answer, readerFor(problem));
        const right = isRight(judge, answer);
        if (right !== (violations.length === 0)) disagreements.push({ seed, name, right, violations });
        mutants++;
        if (!right) rejected.set(name, (rejected.get(name) ?? 0) + 1);
      }
    }
    expect(disagreements).toEqual([]);
    expect([...rejected.keys()].sort()).toEqual(Object.keys(MUTATIONS).sort());
    expect([...rejected.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_000);
  });
});

function honest(table: Table, { kept, chosen }: { kept: readonly Installed[]; chosen: readonly Chosen[] }): Answer {
  const { satisfied } = table.answer(table.operators(kept) | table.bundles(chosen));
  return { kept, chosen, satisfied };
}
