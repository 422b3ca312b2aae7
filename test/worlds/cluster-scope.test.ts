// Is the answer for ClusterExtensions the best one? Every small world is solved twice: by the resolver, and by trying
// everything. And is it plain data, the same after it was saved?

import { expect, test } from "vitest";
import { readProblem } from "../../src/input/read-problem.ts";
import { Encoding } from "../../src/resolve/encoding.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import type { Resolution } from "../../src/resolve/resolution.ts";
import { solve } from "../../src/resolve/solution.ts";
import { explainedAnswer } from "../explanations/explained-answer.ts";
import { bruteForce } from "./brute-force.ts";
import { generateClusterScope } from "./cluster-scope.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 6_000 : 600;
/** Providers that are on no chain were once in the order of requests there, not of their ids. */
const FOUND = [3_209];
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 2) * 1_000_000 + 700_000;

test("equal brute force, objective by objective", () => {
  const seen = { moved: 0, older: 0, unsatisfied: 0, kept: 0 };
  for (const number of new Set([...Array(WORLDS).keys(), ...FOUND])) {
    const problem = generateClusterScope(FIRST + number);
    const { kept, chosen, objectives, unsatisfied } = solve(new Encoding(problem), problem);
    const best = bruteForce(problem);
    expect({
      world: number,
      kept: kept.map(({ name }) => name),
      chosen: chosen.map(({ id }) => id),
      objectives: objectives.map(({ name, value }) => ({ name, value })),
    }).toEqual({ world: number, kept: best?.kept, chosen: best?.chosen, objectives: best?.objectives });
    seen.moved += problem.installed.length - kept.length;
    seen.kept += kept.length;
    seen.unsatisfied += unsatisfied.length;
    seen.older += unsatisfied.filter(({ mustMove }) => mustMove).length;
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
}, 3_600_000);

test("an answer with its explanations survives JSON, and a saved problem has the same", () => {
  for (let number = 0; number < WORLDS / 10; number++) {
    const world = FIRST + number;
    const problem = generateClusterScope(world);
    const resolution = explainedAnswer(problem);
    const travelled = JSON.parse(JSON.stringify(resolution)) as Resolution;
    expect({ world, resolution: travelled }).toStrictEqual({ world, resolution });
    const { problem: read, findings } = readProblem(saveProblem(problem), "problem.json");
    expect({ world, findings }).toEqual({ world, findings: [] });
    expect({ world, saved: saveProblem(read ?? problem) }).toEqual({ world, saved: saveProblem(problem) });
    const { statistics: _, ...answer } = explainedAnswer(read ?? problem);
    const { statistics: __, ...expected } = resolution;
    expect({ world, answer }).toEqual({ world, answer: expected });
  }
}, 3_600_000);
