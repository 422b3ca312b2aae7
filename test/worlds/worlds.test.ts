// Is the answer the best one? Every small world is solved twice: by the resolver, and by trying everything.

import { describe, expect, test } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import { Encoding } from "../../src/resolve/encoding.ts";
import { solve } from "../../src/resolve/solution.ts";
import { automaticProblem } from "../../src/resolve/without-approval.ts";
import { withoutApprovals } from "./approvals.ts";
import { bruteForce } from "./brute-force.ts";
import { generateWorld } from "./generate.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 10_000 : 1_500;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000;

function resolved(problem: Problem) {
  const { kept, chosen, objectives, impossible } = solve(new Encoding(problem), problem);
  if (impossible) return undefined;
  return {
    kept: kept.map(({ name }) => name),
    chosen: chosen.map(({ id }) => id),
    objectives: objectives.map(({ name, value }) => ({ name, value })),
    proven: objectives.every(({ proven }) => proven),
  };
}

function tried(problem: Problem) {
  const best = bruteForce(problem);
  return best && { kept: best.kept, chosen: best.chosen, objectives: best.objectives, proven: true };
}

describe("small worlds", () => {
  test("equal brute force where nothing may happen that needs approval", () => {
    let manual = 0;
    for (let number = 0; manual < WORLDS / 10; number++) {
      const world = generateWorld(FIRST + WORLDS + number);
      const problem = { ...world, options: { ...world.options, allOrNothing: false } };
      const automatic = automaticProblem(problem);
      if (automatic === problem) continue;
      manual++;
      expect({ world: number, ...resolved(automatic) }).toEqual({ world: number, ...tried(withoutApprovals(problem)) });
    }
  });

  test("with all or nothing, nothing happens if one request is not satisfied", () => {
    for (let number = 0; number < WORLDS / 5; number++) {
      const world = generateWorld(FIRST + number);
      const problem = { ...world, options: { ...world.options, allOrNothing: true } };
      const best = bruteForce(problem);
      const isWhole = best?.answer.satisfied.length === problem.requests.length;
      const { kept, chosen } = solve(new Encoding(problem), problem);
      expect({ number, kept: kept.map(({ name }) => name), chosen: chosen.map(({ id }) => id) }).toEqual(
        isWhole
          ? { number, kept: best?.kept, chosen: best?.chosen }
          : { number, kept: problem.installed.map(({ name }) => name), chosen: [] },
      );
    }
  });

  test.each([0, 1, 2, 3])("equal brute force, objective by objective (part %i of 4)", (part) => {
    for (let number = part; number < WORLDS; number += 4) {
      const world = generateWorld(FIRST + number);
      const problem = { ...world, options: { ...world.options, allOrNothing: false } };
      expect({ world: number, ...resolved(problem) }).toEqual({ world: number, ...tried(problem) });
    }
  });
});
