// Is the answer the best one where the cluster has custom kinds? Small worlds with CustomResourceDefinitions, solved twice:
// by the resolver, and by trying everything under rules that were written a second time. What is explained is judged, too.

import { describe, expect, test } from "vitest";
import type { Chosen } from "../../src/check/answer.ts";
import { check } from "../../src/check/check.ts";
import { readProblem } from "../../src/input/read-problem.ts";
import type { Problem } from "../../src/model/problem.ts";
import type { Candidate } from "../../src/resolve/catalog-index.ts";
import { catalogWorld } from "../../src/resolve/catalog-world.ts";
import { Encoding } from "../../src/resolve/encoding.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import { Resolver, resolve } from "../../src/resolve/resolve.ts";
import { solve } from "../../src/resolve/solution.ts";
import { absentIn, explainedIn, subjectOf } from "../explanations/explained.ts";
import { faultsOf } from "../explanations/faults.ts";
import { sizeFaults } from "../explanations/fix-size.ts";
import { shortcomings } from "../explanations/help.ts";
import { possibleBundles } from "../explanations/possible-bundles.ts";
import { resolutionText } from "../oracles/resolution-text.ts";
import { shuffled } from "../oracles/shuffle.ts";
import { allowedAnswers, bruteForce } from "../worlds/brute-force.ts";
import { forbiddenChanges, missingApis } from "../worlds/crd-rules.ts";
import { generateCrdWorld } from "../worlds/definitions.ts";
import { Dice } from "../worlds/dice.ts";
import { Judge } from "../worlds/judge.ts";
import { readerFor, Table } from "../worlds/table.ts";

const MANY = process.env.PLIMSOLL_LONG ? 20 : 1;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 700_000;

/** The worlds of a part, in which the first requests may be served without the others. */
function* worlds(part: number, count: number): Iterable<{ readonly seed: number; readonly problem: Problem }> {
  for (let number = 0; number < count * MANY; number++) {
    const seed = FIRST + part * 50_000 + number;
    const { options, ...world } = generateCrdWorld(seed);
    yield { seed, problem: { ...world, options: { ...options, allOrNothing: false } } };
  }
}

/** The same world without definitions of the cluster. */
function withoutDefinitions({ definitions: _, ...problem }: Problem): Problem {
  return problem;
}

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

describe("small worlds with definitions", () => {
  test("equal brute force, objective by objective, and the checker agrees", () => {
    for (const { seed, problem } of worlds(0, 150)) {
      const best = bruteForce(problem);
      const expected = best && {
        kept: best.kept,
        chosen: best.chosen,
        objectives: best.objectives,
        proven: true,
      };
      expect({ seed, ...resolved(problem) }).toEqual({ seed, ...expected });
      const violations = best === undefined ? [] : check(problem, best.answer, readerFor(problem));
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  });

  test("every bundle and every pair is refused for the reasons of the judge", () => {
    const wrong: object[] = [];
    for (const { seed, problem } of worlds(8, 150)) {
      const world = catalogWorld(problem);
      const { crdChanges } = new Encoding(problem);
      const participants = new Table(problem).participants.filter(
        ({ role }) => role === "installed" || role === "bundle",
      );
      const nodeOf = ({ catalog, bundle }: Chosen): Candidate => world.indexOf(catalog).nodeOf(bundle);
      for (const { chosen } of participants) {
        if (chosen === undefined) continue;
        const node = nodeOf(chosen);
        const { name } = chosen.bundle;
        const errors = crdChanges.findingsOf(node).filter(({ severity }) => severity === "error");
        const codes = [...new Set(errors.map(({ code }) => code))].sort();
        const forbidden = forbiddenChanges(problem, chosen.bundle);
        if (codes.join() !== forbidden.join()) wrong.push({ seed, name, codes, forbidden });
        for (const { installed, properties, chosen: other } of participants) {
          const user = installed ?? nodeOf(other as Chosen);
          if (user === node) continue;
          const judged = missingApis(problem, { properties, running: installed }, chosen.bundle);
          const [missing, reported] = [judged, crdChanges.missing(user, node)].map((apis) =>
            [...new Set(apis)].sort().join(),
          );
          if (missing !== reported)
            wrong.push({ seed, name, user: installed?.name ?? other?.bundle.name, missing, reported });
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("any answer, right or wrong, is so to the checker as to the judge", () => {
    let wrong = 0;
    for (const { seed, problem } of worlds(1, 50)) {
      const table = new Table(problem);
      const judge = new Judge(table);
      // Bundles that nothing but their definitions forbids are the ones to try.
      const plain = new Judge(new Table(withoutDefinitions(problem))).choosable;
      const dice = new Dice(seed);
      for (let attempt = 0; attempt < 8; attempt++) {
        const chosen = dice.some(table.in(plain), dice.pick([0.1, 0.25])).reduce((sum, { bit }) => sum | bit, 0);
        const stays = table.in(table.installed).filter(({ bit }) => (table.targetsOf(bit) & chosen) === 0);
        const kept = stays.reduce((sum, { bit }) => sum | bit, 0);
        const violations = check(problem, table.answer(kept | chosen), readerFor(problem));
        const allowed = judge.allows(kept, chosen);
        expect({ seed, attempt, allowed, violations }).toMatchObject({ allowed: violations.length === 0 });
        if (violations.some(({ rule }) => rule === "crd-upgrade")) wrong++;
      }
    }
    expect(wrong).toBeGreaterThan(20);
  });

  test("have something of everything, and definitions often decide", () => {
    const codes = new Set<string>();
    const pairs = { running: 0, bundles: 0 };
    let decided = 0;
    for (const problem of Array.from({ length: 150 }, (_, seed) => generateCrdWorld(seed))) {
      const { participants } = new Table(problem);
      for (const { chosen } of participants)
        if (chosen !== undefined) {
          for (const code of forbiddenChanges(problem, chosen.bundle)) codes.add(code);
          const isEnded = (isRunning: boolean): boolean =>
            participants.some(
              ({ role, properties, installed, chosen: other }) =>
                role === (isRunning ? "installed" : "bundle") &&
                other !== chosen &&
                missingApis(problem, { properties, running: installed }, chosen.bundle).length > 0,
            );
          if (isEnded(true)) pairs.running++;
          if (isEnded(false)) pairs.bundles++;
        }
      const [best, plain] = [bruteForce(problem), bruteForce(withoutDefinitions(problem))];
      if (best?.chosen.join() !== plain?.chosen.join()) decided++;
    }
    const usual = ["CRD001", "CRD003", "CRD004", "CRD101", "CRD102", "CRD103", "CRD104", "CRD105", "CRD202", "CRD203"];
    expect([...codes]).toEqual(expect.arrayContaining([...usual, "CRD301"]));
    expect(pairs.running).toBeGreaterThan(5);
    expect(pairs.bundles).toBeGreaterThan(5);
    expect(decided).toBeGreaterThan(5);
  });
});

describe("explanations where there are definitions", () => {
  test("causes forbid it, all are needed, all are true, steps follow, and fixes help", async () => {
    const rules = new Set<string>();
    for (const { seed, problem } of worlds(2, 60))
      for (const explained of explainedIn(problem)) {
        const { causes } = explained;
        const { fixes } = explained.explanation;
        const faults = [
          ...(await faultsOf(explained)),
          // What was not read cannot be tried.
          ...fixes.flatMap(({ changes }) => (changes.length === 0 ? [] : shortcomings(explained, changes))),
        ];
        const about = { seed, about: subjectOf(explained) };
        expect({ ...about, faults }).toEqual({ ...about, faults: [] });
        for (const cause of causes)
          if (cause.kind === "refusal") rules.add(cause.refused[0]?.refusal.detail.rule ?? "");
      }
    expect([...rules]).toContain("crd-upgrade");
  });

  test("a bundle that is not there: a reason exactly if it is not possible", async () => {
    for (const { seed, problem: world } of worlds(3, 12)) {
      const requests = world.requests.map((request) => ({ ...request, approval: "Automatic" as const }));
      const problem = { ...world, requests };
      const table = new Table(problem);
      const allowed = allowedAnswers(new Judge(table));
      if (allowed.length === 0) continue;
      const all = absentIn(problem);
      const isPossible = possibleBundles(table, allowed, all);
      for (const absent of all) {
        const { bundle, explanation } = absent;
        const about = { seed, bundle: bundle.name };
        expect({ ...about, is: explanation === undefined }).toEqual({ ...about, is: isPossible(absent) });
        const faults = explanation === undefined ? [] : await faultsOf({ ...absent, explanation });
        expect({ ...about, faults }).toEqual({ ...about, faults: [] });
      }
    }
  });

  test("fixes are there where a change helps, and as small as possible", () => {
    for (const { seed, problem } of worlds(4, 8))
      for (const explained of explainedIn(problem)) {
        const about = { seed, about: subjectOf(explained) };
        expect({ ...about, faults: sizeFaults(explained) }).toEqual({ ...about, faults: [] });
      }
  });
});

describe("laws of definitions", () => {
  test("OLM chooses without looking at them", () => {
    for (const { seed, problem: world } of worlds(5, 20)) {
      const problem = { ...world, options: { ...world.options, compat: true } };
      expect({ seed, answer: resolutionText(resolve(problem)) }).toEqual({
        seed,
        answer: resolutionText(resolve(withoutDefinitions(problem))),
      });
    }
  });

  test("every request that has an operator with them has one without them", () => {
    for (const { seed, problem } of worlds(5, 20)) {
      const [bound, free] = [resolved(problem), resolved(withoutDefinitions(problem))];
      const served = (answer: typeof bound): number => Number(answer?.objectives[0]?.value ?? 0);
      expect({ seed, isMore: served(free) >= served(bound) }).toEqual({ seed, isMore: true });
    }
  });

  test("the order of definitions and objects does not matter", () => {
    for (const { seed, problem } of worlds(6, 20)) {
      const dice = new Dice(seed);
      const definitions = shuffled(dice, problem.definitions ?? []).map(({ definition, objects }) => ({
        definition,
        objects: objects && shuffled(dice, objects),
      }));
      expect({ seed, answer: resolutionText(resolve({ ...problem, definitions })) }).toEqual({
        seed,
        answer: resolutionText(resolve(problem)),
      });
    }
  });

  test("a saved problem has the same answer", () => {
    for (const { seed, problem } of worlds(6, 20)) {
      const text = saveProblem(problem);
      const { problem: again, findings } = readProblem(text, "saved.json");
      expect({ seed, findings }).toEqual({ seed, findings: [] });
      expect({ seed, text: saveProblem(again as Problem) }).toEqual({ seed, text });
      const answers = [problem, again as Problem].map((one) => JSON.parse(resolutionText(resolve(one))) as unknown);
      expect({ seed, answer: answers[1] }).toEqual({ seed, answer: answers[0] });
    }
  });

  test("a used resolver gives the same answer as a new one", () => {
    for (const { seed, problem: first } of worlds(7, 6)) {
      const dice = new Dice(seed);
      const resolver = new Resolver();
      for (let question = 0; question < 8; question++) {
        const problem = {
          ...first,
          requests: first.requests.filter(() => question === 0 || dice.chance(0.7)),
          ...(dice.chance(0.2) && { definitions: (first.definitions ?? []).slice(1) }),
          ...(dice.chance(0.2) && { options: { ...first.options, crdSeverities: { CRD103: "warning" as const } } }),
        };
        expect({ seed, question, answer: resolutionText(resolver.resolve(problem), ["statistics"]) }).toEqual({
          seed,
          question,
          answer: resolutionText(resolve(problem), ["statistics"]),
        });
      }
    }
  });
});
