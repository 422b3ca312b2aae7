// Is an explanation true and minimal, and does it have the right fixes? Its causes are put to a solver that we did
// not write; its fixes are tried, by the library and as commands; and everything smaller is tried, too.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Package } from "../../src/model/catalog.ts";
import type { Problem } from "../../src/model/problem.ts";
import { fixText } from "../../src/render/sentence/fix.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import { type Change, changedByAll } from "../../src/resolve/what-if.ts";
import { generateLargeWorld, type Size } from "../oracles/large-world.ts";
import { allowedAnswers } from "../worlds/brute-force.ts";
import { generateWorld } from "../worlds/generate.ts";
import { Judge } from "../worlds/judge.ts";
import { Table } from "../worlds/table.ts";
import { commanded, Shell } from "./as-command.ts";
import { crowded } from "./crowded.ts";
import { absentIn, type Explained, explainedIn, subjectOf } from "./explained.ts";
import { faultsOf } from "./faults.ts";
import { meantSets, sizeFaults } from "./fix-size.ts";
import { shortcomings, vocabulary } from "./help.ts";
import { possibleBundles } from "./possible-bundles.ts";

const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 600_000;
const MANY = process.env.PLIMSOLL_LONG ? 20 : 1;
const MAX_PAIRS = 700;
const MEDIUM: Size = { packages: [30, 45], versions: [3, 6] };
const LARGE: Size = { packages: [60, 120], versions: [4, 10] };

/** How many times the counts below; every run has a part of them. */
const SLICE = MANY > 1 ? MANY : 0.6;

/** The seeds of a part of the worlds. */
function seeds(part: number, count: number): readonly number[] {
  return Array.from({ length: Math.ceil(count * SLICE) }, (_, index) => FIRST + part * 50_000 + index);
}

const medium = (seed: number): Problem => generateLargeWorld(seed, MEDIUM);
const large = (seed: number): Problem => generateLargeWorld(seed, LARGE);

/** The same world beside a catalog that cannot be read, and would have been asked first. */
const doubtful = (seed: number): Problem => {
  const problem = medium(seed);
  const unavailable = [{ name: "lost", priority: 9, reason: "it does not answer" }];
  return { ...problem, unavailable, options: { ...problem.options, ignoreUnavailable: false } };
};

test.each([
  ["small", generateWorld, seeds(0, 250)],
  ["crowded", crowded, seeds(10, 60)],
  ["doubtful", doubtful, seeds(9, 12)],
  ["medium", medium, seeds(1, 12)],
  ["large", large, seeds(2, 1)],
] as const)(
  "causes forbid it, all are needed, all are true, and steps follow: %s worlds",
  async (_, generate, worlds) => {
    for (const seed of worlds)
      for (const explained of explainedIn(generate(seed))) {
        const faults = await faultsOf(explained);
        expect({ seed, about: subjectOf(explained), faults }).toEqual({
          seed,
          about: subjectOf(explained),
          faults: [],
        });
      }
  },
);

test("a bundle that is not there: a reason exactly if it is not possible", async () => {
  for (const seed of seeds(7, 60)) {
    const generated = generateWorld(seed);
    const requests = generated.requests.map((request) => ({ ...request, approval: "Automatic" as const }));
    const problem = { ...generated, requests, options: { ...generated.options, allOrNothing: false } };
    const table = new Table(problem);
    const allowed = allowedAnswers(new Judge(table));
    // OLM does nothing at all where what runs violates a rule.
    if (allowed.length === 0) continue;
    const all = absentIn(problem);
    const isPossible = possibleBundles(table, allowed, all);
    for (const absent of all) {
      const { bundle, explanation } = absent;
      const about = { seed, bundle: bundle.name };
      expect({ ...about, isPossible: explanation === undefined }).toEqual({ ...about, isPossible: isPossible(absent) });
      if (explanation === undefined) continue;
      const faults = await faultsOf({ ...absent, explanation });
      expect({ ...about, faults }).toEqual({ ...about, faults: [] });
    }
  }
});

describe("fixes", () => {
  test.each([
    ["small", generateWorld, seeds(3, 120)],
    ["crowded", crowded, seeds(11, 40)],
    ["medium", medium, seeds(4, 3)],
  ] as const)("help: %s worlds", (_, generate, worlds) => {
    for (const seed of worlds)
      for (const explained of explainedIn(generate(seed)))
        for (const fix of explained.explanation.fixes) {
          const { changes } = fix;
          // What was not read cannot be tried: that it has to be given is mere advice.
          if (changes.length === 0) continue;
          const faults = shortcomings(explained, changes);
          expect({ seed, about: subjectOf(explained), text: fixText(fix), faults }).toMatchObject({ faults: [] });
        }
  });

  test.each([
    ["small", generateWorld, seeds(5, 40)],
    ["crowded", crowded, seeds(12, 15)],
  ] as const)("are there where a change helps, and as small as possible: %s worlds", (_, generate, worlds) => {
    for (const seed of worlds)
      for (const explained of explainedIn(generate(seed))) {
        const faults = sizeFaults(explained);
        expect({ seed, about: subjectOf(explained), faults }).toMatchObject({ faults: [] });
      }
  });

  test("are there where two changes help", () => {
    let pairs = 0;
    for (const seed of [...seeds(13, 40), ...seeds(5, 40)])
      for (const explained of explainedIn((seed % 2 === 0 ? crowded : generateWorld)(seed))) {
        const { explanation, causes } = explained;
        if (causes.length === 0 || explanation.fixes.some(({ changes }) => changes.length > 0)) continue;
        // Then all others would have to be helped as well.
        if (explained.problem.options.allOrNothing) continue;
        const size = vocabulary(explained.problem).length;
        // Few changes make few pairs, all of which can be tried.
        if (size > 14 || pairs > MAX_PAIRS * MANY) continue;
        pairs += (size * (size - 1)) / 2;
        const missing = meantSets(explained, 2);
        expect({ seed, about: subjectOf(explained), missing }).toMatchObject({ missing: [] });
      }
    expect(pairs).toBeGreaterThan(MAX_PAIRS / 2);
  });

  test("help as the commands that are printed", async () => {
    await inDirectory((directory) => {
      const shell = new Shell(directory);
      for (const seed of seeds(6, 40)) {
        if (shell.runs > 12 * MANY) break;
        const problem = generateWorld(seed);
        const all = explainedIn(problem).filter(({ explanation }) => explanation.fixes.length > 0);
        const faults = all.length === 0 ? [] : shell.faults(problem, all);
        expect({ seed, faults }).toEqual({ seed, faults: [] });
      }
      expect(shell.runs).toBeGreaterThan(10);
    });
  });
});

test("the command for any change asks about the changed problem", async () => {
  await inDirectory(async (directory) => {
    for (const seed of seeds(8, 12)) {
      const problem = generateWorld(seed);
      const single = vocabulary(problem);
      const pairs = single
        .slice(1)
        .map((change, index) => [single[index] as Change, change] as const)
        .filter(([one, other]) => matterOf(one) !== matterOf(other));
      for (const changes of [...single.map((change) => [change]), ...pairs]) {
        const asked = await commanded(problem, changes, directory);
        expect({ seed, changes, asked: plain(asked) }).toEqual({
          seed,
          changes,
          asked: plain(changedByAll(problem, changes)),
        });
      }
    }
  });
});

/** What a change is about; two about the same make no sense together, or it matters which comes first. */
function matterOf(change: Change): string {
  if (change.kind === "declare") return "the cluster";
  if (["hold", "release", "remove", "drop"].includes(change.kind)) return "who runs";
  if (change.kind === "instead") return change.request.package;
  return "package" in change ? change.package : JSON.stringify(change);
}

/** The whole problem, with keys in any order. */
function plain(problem: Problem | string): unknown {
  return typeof problem === "string" ? problem : JSON.parse(saveProblem(problem));
}

async function inDirectory(run: (directory: string) => void | Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "plimsoll-fixes-"));
  try {
    await run(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

test("the worlds need explanations of every kind", () => {
  const worlds = [
    ...seeds(0, 200).slice(0, 200).map(generateWorld),
    ...seeds(1, 4).slice(0, 4).map(medium),
    ...seeds(9, 12).slice(0, 12).map(doubtful),
  ];
  const all = worlds.flatMap(explainedIn);
  const found = all.flatMap(({ about, causes }) => causes.map(({ kind }) => `${about} ${kind}`));
  const usual = ["wanted", "stay-or-move", "stays", "demand", "refusal", "one-bundle", "one-provider"];
  expect(found).toEqual(
    expect.arrayContaining(["unsatisfied", "held-back"].flatMap((about) => usual.map((kind) => `${about} ${kind}`))),
  );
  expect(found.some((kind) => kind.endsWith(" unavailable"))).toBe(true);
});

test("in crowded worlds requests for one package exclude each other, and only a name gets a skipped bundle", () => {
  const worlds = seeds(10, 80).slice(0, 80).map(crowded);
  const found = worlds.flatMap(explainedIn);
  const isCrowded = ({ item, causes }: Explained): boolean =>
    "request" in item &&
    causes.some(
      (cause) =>
        cause.kind === "wanted" &&
        cause.request !== undefined &&
        cause.request.id !== item.request.id &&
        cause.request.package === item.request.package,
    );
  expect(found.filter(isCrowded).length).toBeGreaterThan(2);
  const skipped = seeds(10, 200)
    .map(crowded)
    .filter(({ catalogs, requests }) =>
      requests.some(({ package: owner, startingCSV = "" }) =>
        catalogs.some(({ packages }) => isSkipped(packages.get(owner), startingCSV)),
      ),
    );
  expect(skipped.length).toBeGreaterThan(10);
});

/** Does a package have a bundle that no chain has? */
function isSkipped(owner: Package | undefined, name: string): boolean {
  const channels = [...(owner?.channels.values() ?? [])];
  return owner?.bundles.has(name) === true && !channels.some(({ chain }) => chain.some((entry) => entry.name === name));
}
