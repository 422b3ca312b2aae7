// Does placement behave as OCM's does, or as docs/placement.md defines where that is different? Each document of
// test/placement/ocm-cases/*.yaml is a case with the id of the behaviour. It is placed in both modes, step by step, and once more
// with every document given in the opposite order; after each step a new engine must give the same answer.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sizeOf } from "../../src/cel/cost/size.ts";
import type { Value } from "../../src/cel/value/value.ts";
import type { ClusterObjects } from "../../src/model/cluster-objects.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { PlacementEngine, type PlacingOptions } from "../../src/placement/engine.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../../src/placement/placement-mode.ts";
import { countingRun } from "../cel/call-overload.ts";
import { type Answers, caseAnswers, differences } from "./ocm-cases/answer.ts";
import { evaluationDifferences } from "./ocm-cases/evaluation.ts";
import { firstManifests, type Manifests, manifestsOf } from "./ocm-cases/manifests.ts";
import { type Case, type Expected, readCases } from "./ocm-cases/notation.ts";
import { changed, changesBetween, momentOf, readDocuments, readManifests, written } from "./ocm-cases/world.ts";

const DIRECTORY = "test/placement/ocm-cases";
const sections = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith(".yaml"))
  .sort()
  .map((file) => ({ file, cases: readCases(file, readFileSync(join(DIRECTORY, file))) }));

for (const { file, cases } of sections)
  describe(file, () => {
    for (const given of cases) {
      if (given.evaluates !== undefined)
        test(`${given.id}: ${given.says} (by itself)`, () => {
          expect(evaluationDifferences(given)).toEqual([]);
        });
      if (given.expect === undefined) continue;
      test(`${given.id}: ${given.says}`, () => {
        const manifests = firstManifests(given);
        const first = { manifests, objects: readManifests(manifests), reversed: readManifests(manifests, true) };
        const compat = run(given, first, OCM_MODE, ({ expect, compat }) => compat ?? expect);
        expect([
          ...run(given, first, DEFAULT_MODE, ({ expect }) => expect),
          ...compat.map((text) => `with --compat=ocm: ${text}`),
        ]).toEqual([]);
      });
    }
  });

test("no id is given twice", () => {
  const ids = sections.flatMap(({ cases }) => cases.map(({ id }) => id));
  expect(ids).toEqual([...new Set(ids)]);
});

type Moment = Pick<Case, "expect" | "compat">;

/** The objects at the beginning, and once more read in the opposite order. */
interface Beginning {
  readonly manifests: Manifests;
  readonly objects: ClusterObjects;
  readonly reversed: ClusterObjects;
}

/** The differences from a case, at its beginning and after each of its steps. */
function run(
  given: Case,
  first: Beginning,
  mode: PlacementMode,
  expected: (moment: Moment) => Expected | undefined,
): readonly string[] {
  const options: PlacingOptions = { ...given.options, now: momentOf(given.now), mode };
  let now = options.now;
  let { manifests, objects } = first;
  const engine = new PlacementEngine(objects, options);
  /** Makes the objects what they are from now on; the Placements that this concerns. */
  const change = (next: Manifests): readonly string[] => {
    objects = readManifests(next);
    const affected = engine.apply(changesBetween(manifests, next, objects));
    manifests = next;
    return affected;
  };
  const answers = caseAnswers(engine);
  const found = [...differences(answers, expected(given) ?? {})];
  found.push(...unlikeNew(answers, first.reversed, options));
  for (const [index, step] of (given.steps ?? []).entries()) {
    if (given.live) {
      let next = manifests;
      for (const key of engine.keys()) next = written(next, key, engine.writes(key).writes, now);
      change(next);
      caseAnswers(engine);
    }
    const evaluations = engine.evaluations;
    const affected = new Set(change(changed(manifests, manifestsOf(step))));
    if (step.now !== undefined) {
      now = momentOf(step.now);
      for (const key of engine.advance(now)) affected.add(key);
    }
    const wanted = expected(step) ?? {};
    const answers = caseAnswers(engine);
    const differ = [...differences(answers, wanted)];
    if (wanted.affected !== undefined && [...affected].sort().join() !== wanted.affected.join())
      differ.push(`affected: ${[...affected].sort()} instead of ${wanted.affected}`);
    if (wanted.evaluations !== undefined && engine.evaluations - evaluations !== wanted.evaluations)
      differ.push(`evaluations: ${engine.evaluations - evaluations} instead of ${wanted.evaluations}`);
    differ.push(...unlikeNew(answers, objects, { ...options, now }));
    found.push(...differ.map((text) => `step ${index + 1}: ${text}`));
  }
  return found;
}

/** The differences from the answer of a new engine to the same objects. */
function unlikeNew(answers: Answers, objects: ClusterObjects, options: PlacingOptions): readonly string[] {
  const text = JSON.stringify(answers, undefined, 1).split("\n");
  const other = JSON.stringify(caseAnswers(new PlacementEngine(objects, options)), undefined, 1).split("\n");
  const at = other.findIndex((line, index) => line !== text[index]);
  return at < 0 && other.length === text.length ? [] : [`a new engine gives ${other[at]} instead of ${text[at]}`];
}

test("G22: the order of the input does not matter", () => {
  const given = sections.flatMap(({ cases }) => cases).find(({ id }) => id === "G14") as Case;
  const documents = [...firstManifests({ ...given, scores: { cluster1: { a: { b: 1 } } } }).values()] as JsonObject[];
  const text = JSON.stringify(caseAnswers(new PlacementEngine(readDocuments(documents), { now: momentOf(undefined) })));
  fc.assert(
    fc.property(fc.shuffledSubarray(documents, { minLength: documents.length }), (shuffled) => {
      const engine = new PlacementEngine(readDocuments(shuffled), { now: momentOf(undefined) });
      expect(JSON.stringify(caseAnswers(engine))).toBe(text);
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 1000 : 50 },
  );
});

test.each<[Value, number]>([
  ["test", 4],
  ["", 0],
  [[1, 2, 3], 3],
  [[], 0],
  [true, 1],
])("D9: for costs, %j counts as %i", (value, size) => {
  expect(sizeOf(value, countingRun())).toBe(size);
});
