import { expect, test } from "vitest";
import { allowedAnswers } from "../../../test/worlds/brute-force.ts";
import { generateWorld } from "../../../test/worlds/generate.ts";
import { Judge } from "../../../test/worlds/judge.ts";
import { compareKeys, levels } from "../../../test/worlds/objectives.ts";
import { needs, needsPackage, provides, request, running, scene, stocked } from "../../../test/worlds/scene.ts";
import { type Mask, Table } from "../../../test/worlds/table.ts";
import type { Problem } from "../../model/problem.ts";
import { preferredText } from "../../render/sentence/preferred.ts";
import type { Candidate } from "../catalog-index.ts";
import { Encoding } from "../encoding.ts";
import type { ObjectiveName } from "../resolution.ts";
import { type Solution, solve } from "../solution.ts";
import { type Preferred, whyPreferred } from "./preferred.ts";
import { explainAbsent } from "./why.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 1_500 : 120;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 3) * 1_000_000;

function solved(problem: Problem): Solution {
  return solve(new Encoding(problem), problem);
}

/** The bundles that the answer does not have. */
function absentIn({ question, members }: Solution): readonly Candidate[] {
  const { world } = question.encoding;
  return world.catalogs
    .flatMap((catalog) => [...catalog.packages.keys()].flatMap((name) => world.indexOf(catalog).chainOf(name)))
    .filter((node) => !members.has(node));
}

/** By trying everything: the first level at which the best answer with a bundle is worse than the best of all. */
function worseAt(judge: Judge, node: Candidate): ObjectiveName | undefined {
  const { table } = judge;
  const bit = table.bundles([{ catalog: node.index.catalog, bundle: node.bundle }]);
  const everything = allowedAnswers(judge);
  let [all, some] = [everything, everything.filter((members) => (members & bit) !== 0)];
  for (const level of levels(judge)) {
    const [best, other] = [leastOf(all, level.key), leastOf(some, level.key)];
    if (compareKeys(best, other) !== 0) return level.name;
    all = all.filter((members) => compareKeys(level.key(members), best) === 0);
    some = some.filter((members) => compareKeys(level.key(members), other) === 0);
  }
  return undefined;
}

type Key = readonly (number | string)[];

function leastOf(masks: readonly Mask[], keyOf: (members: Mask) => Key): Key {
  return masks.map(keyOf).reduce((a, b) => (compareKeys(b, a) < 0 ? b : a));
}

test("the other answer is worse at the reported objective", () => {
  const seen = new Map<ObjectiveName | undefined, number>();
  for (let number = 0; number < WORLDS; number++) {
    const world = generateWorld(FIRST + number);
    const problem = { ...world, options: { ...world.options, allOrNothing: false } };
    const solution = solved(problem);
    if (solution.impossible) continue;
    const judge = new Judge(new Table(problem));
    for (const node of absentIn(solution).slice(0, 8)) {
      if (explainAbsent(solution, [node]) !== undefined) continue;
      const { objective } = whyPreferred(solution, [node]);
      expect({ number, id: node.id, objective }).toEqual({ number, id: node.id, objective: worseAt(judge, node) });
      seen.set(objective, (seen.get(objective) ?? 0) + 1);
    }
  }
  expect([...seen.keys()]).toEqual(expect.arrayContaining(["candidates", "additional", "providers"]));
});

/** Why another bundle was preferred to one that is not in the answer. */
function preferenceOver(problem: Problem, bundle: string): Preferred {
  const solution = solved(problem);
  const nodes = absentIn(solution).filter((node) => node.bundle.name === bundle);
  expect(explainAbsent(solution, nodes)).toBeUndefined();
  return whyPreferred(solution, nodes);
}

function preferenceText(
  problem: Problem,
  bundle: string,
): { readonly objective: string | undefined; readonly text: string } {
  const preferred = preferenceOver(problem, bundle);
  return { objective: preferred.objective, text: preferredText(preferred) };
}

test("one more operator than needed", () => {
  const catalogs = [stocked({ bell: { "1.0.0": [] }, rope: { "1.0.0": [] } })];
  expect(preferenceText(scene({ catalogs, requests: [request("bell")] }), "rope.v1.0.0")).toEqual({
    objective: "additional",
    text: "nothing needs it: rope 1.0.0 would be installed though no request asks for it",
  });
});

test("an update that would not happen", () => {
  const catalogs = [
    stocked({ bell: { "1.0.0": [], "1.1.0": [] }, rope: { "1.0.0": [needsPackage("bell", "1.0.0")] } }),
  ];
  const problem = scene({
    catalogs,
    installed: [running("bell.v1.0.0")],
    requests: [request("bell", { installed: "bell.v1.0.0" })],
  });
  expect(preferenceText(problem, "rope.v1.0.0")).toEqual({
    objective: "updates",
    text: "then bell 1.0.0 would stay as it is, and as much as possible is updated",
  });
});

test("something that would stay broken", () => {
  const catalogs = [
    stocked({
      oil: { "1.0.0": [provides("Fuel")] },
      water: { "1.0.0": [needsPackage("pump")] },
      pump: { "1.0.0": [provides("Fuel")] },
    }),
  ];
  const lamp = running("lamp.v1.0.0", [needs("Fuel"), needsPackage("oil")]);
  expect(preferenceOver(scene({ catalogs, installed: [lamp] }), "water.v1.0.0")).toMatchObject({
    objective: "repaired",
  });
});
