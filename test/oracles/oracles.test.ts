// Is the answer the best one in worlds that are too large to try everything? Two solvers that we did not write are asked
// the same question: a SAT solver with clauses, an answer set solver with a logic program.

import { describe, expect, test } from "vitest";
import { bestByAnswerSets } from "./by-answer-sets.ts";
import { bestByClauses } from "./by-clauses.ts";
import { generateLargeWorld, type Size } from "./large-world.ts";
import { resolverVerdict } from "./verdict.ts";

const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000;
/** How many times the counts below; every run has a part of them. */
const SLICE = process.env.PLIMSOLL_LONG ? 20 : 0.6;
const MEDIUM: Size = { packages: [30, 45], versions: [3, 6] };
const LARGE: Size = { packages: [60, 120], versions: [4, 10] };

/** The seeds of a part of the worlds. */
function seeds(part: number, count: number): readonly number[] {
  return Array.from({ length: Math.ceil(count * SLICE) }, (_, index) => FIRST + part * 100_000 + index);
}

describe.each([
  ["a SAT solver", bestByClauses, seeds(0, 110), seeds(1, 8)],
  ["an answer set solver", bestByAnswerSets, seeds(2, 45), seeds(3, 2)],
] as const)("%s finds nothing better, and nothing worse", (_, oracle, medium, large) => {
  test.each([
    ["medium", MEDIUM, medium],
    ["large", LARGE, large],
  ] as const)("%s worlds", async (__, size, worlds) => {
    for (const seed of worlds) {
      const problem = generateLargeWorld(seed, size);
      expect({ seed, size, best: resolverVerdict(problem) }).toEqual({ seed, size, best: await oracle(problem) });
    }
  });
});

test("the worlds have answers of every kind", () => {
  const verdicts = seeds(0, 40)
    .slice(0, 40)
    .map((seed) => {
      const problem = generateLargeWorld(seed, MEDIUM);
      return { wanted: problem.requests.length, verdict: resolverVerdict(problem) };
    });
  const some = (is: (one: (typeof verdicts)[number]) => boolean): boolean => verdicts.some(is);
  expect({
    all: some(({ wanted, verdict }) => verdict?.satisfied.length === wanted),
    notAll: some(({ wanted, verdict }) => (verdict?.satisfied.length ?? wanted) < wanted),
    broken: some(({ verdict }) => (verdict?.counts?.repaired ?? 0) > 0),
    moved: some(({ verdict }) => (verdict?.counts?.updates ?? 0) > 0),
    additional: some(({ verdict }) => (verdict?.counts?.additional ?? 0) > 2),
    optional: some(({ verdict }) => (verdict?.counts?.optional ?? 0) > 0),
    notTheFirst: some(({ verdict }) => verdict?.candidates.some((rank) => rank > 0) ?? false),
  }).toEqual({
    all: true,
    notAll: true,
    broken: true,
    moved: true,
    additional: true,
    optional: true,
    notTheFirst: true,
  });
});
