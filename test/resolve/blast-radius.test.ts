// Is the blast radius of runtime constraints what it would be if everything were tried? On random worlds, beside an evaluation
// of every bundle by the checker, and beside both answers of the engine.

import { expect, test } from "vitest";
import { Matcher } from "../../src/check/match.ts";
import { ConstraintReader, constraintOptions } from "../../src/constraint/read-requirements.ts";
import { readRuntimeConstraint } from "../../src/constraint/read-runtime-constraint.ts";
import type { Bundle } from "../../src/model/catalog.ts";
import { finding } from "../../src/model/finding.ts";
import { wholeSource } from "../../src/model/place.ts";
import type { Problem, RuntimeConstraints, RuntimeEntry } from "../../src/model/problem.ts";
import { makeStyle } from "../../src/render/kit/style.ts";
import { FORMATS } from "../../src/render/output-formats.ts";
import { renderBlastRadius } from "../../src/render/resolve/blast-radius.ts";
import { summaryOf } from "../../src/resolve/blast-radius/answer-summary.ts";
import { type BlastRadius, blastRadius, proposedProblem } from "../../src/resolve/blast-radius/blast-radius.ts";
import { changedPackages } from "../../src/resolve/blast-radius/changed-packages.ts";
import type { ClusterDemands } from "../../src/resolve/prepare/runtime-constraints.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { runtimeDemand, type Vocabulary } from "../worlds/demands.ts";
import { Dice } from "../worlds/dice.ts";
import { generateWorld } from "../worlds/generate.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 8_000 : 400;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 5) * 1_000_000 + 700_000;

const WORDS: Vocabulary = {
  packages: ["anchor", "buoy", "cable", "davit", "ensign"],
  kinds: ["Lamp", "Rope", "Sail", "Tide", "Wake", "Yard"],
  style: "tame",
};

/** A world, with constraints in every second one, and what is proposed there: more of them, fewer, or others. */
function proposal(seed: number): { readonly problem: Problem; readonly demands: ClusterDemands } {
  const dice = new Dice(seed);
  const some = (least: number, most: number): readonly RuntimeEntry[] =>
    dice.times(least, most, () => ({ property: runtimeDemand(dice, WORDS), place: undefined }));
  const present = dice.chance(0.5) ? some(1, 2) : [];
  const world = generateWorld(seed);
  const problem = { ...world, runtime: { ...world.runtime, entries: present } };
  const kept = present.filter(() => dice.chance(0.7));
  const unreadable = finding("PL009", wholeSource("proposed.yaml"), { message: "the list is not a list" });
  const runtime: RuntimeConstraints = {
    entries: [...kept, ...(dice.chance(0.8) ? some(1, 2) : [])],
    problems: dice.chance(0.04) ? [unreadable] : [],
  };
  const facts = dice.chance(0.2) ? problem.node.properties.slice(1) : problem.node.properties;
  return { problem, demands: { runtime, node: { properties: facts } } };
}

function proposals(): readonly (ReturnType<typeof proposal> & { readonly seed: number })[] {
  return Array.from({ length: WORLDS }, (_, number) => ({ seed: FIRST + number, ...proposal(FIRST + number) }));
}

/** Does the checker refuse a bundle because of the constraints? */
function refuser(problem: Problem, { entries, problems }: RuntimeConstraints): (bundle: Bundle) => boolean {
  const reader = new ConstraintReader(constraintOptions(problem.options));
  const constraints = entries.map(({ property }) => readRuntimeConstraint(property, reader).constraint);
  const matcher = new Matcher();
  return ({ properties }) =>
    problems.length > 0 ||
    constraints.some(
      (one) => one === undefined || matcher.match(one.constraint, properties) !== (one.action === "require"),
    );
}

/** What is independent of the numbers and the order of constraints. */
function unordered({ hidden, changed, ...radius }: BlastRadius): unknown {
  const perConstraint = hidden.perConstraint.map(({ number: _, ...effect }) => JSON.stringify(effect));
  return { ...radius, hidden: { ...hidden, perConstraint: perConstraint.sort() }, changed };
}

test("bundles are hidden and revealed as the checker refuses them, one by one", () => {
  let [hiding, revealing] = [0, 0];
  for (const { seed, problem, demands } of proposals()) {
    const { hidden, revealed } = blastRadius({ problems: [problem], demands, isOver: undefined });
    const bundles = problem.catalogs.flatMap(({ packages }) =>
      [...packages.values()].flatMap((owner) => [...owner.bundles.values()]),
    );
    const [was, is] = [refuser(problem, problem.runtime), refuser(problem, demands.runtime)];
    const gone = bundles.filter((bundle) => is(bundle) && !was(bundle));
    const wholePackages = [...new Set(gone.map((bundle) => bundle.package))].filter((owner) =>
      bundles.every((bundle) => bundle.package !== owner || is(bundle)),
    );
    const counts = { bundles: hidden.bundles, ofBundles: hidden.ofBundles, packages: hidden.packages };
    expect({ seed, ...counts, revealed: revealed.bundles }).toEqual({
      seed,
      bundles: gone.length,
      ofBundles: bundles.length,
      packages: wholePackages.length,
      revealed: bundles.filter((bundle) => was(bundle) && !is(bundle)).length,
    });
    for (const { number, refuses, hides } of hidden.perConstraint) {
      const one = refuser(problem, { entries: [demands.runtime.entries[number - 1] as RuntimeEntry], problems: [] });
      const refused = bundles.filter(one);
      expect({ seed, number, refuses }).toEqual({ seed, number, refuses: refused.length });
      expect(hides.bundles).toBe(refused.filter((bundle) => !was(bundle)).length);
      expect(hides.packages.reduce((sum, share) => sum + share.bundles, 0)).toBe(hides.bundles);
    }
    if (gone.length > 0) hiding++;
    if (revealed.bundles > 0) revealing++;
  }
  expect(hiding).toBeGreaterThan(WORLDS / 5);
  expect(revealing).toBeGreaterThan(WORLDS / 20);
});

test("answers are compared as if both were always computed, with and without those that are known", () => {
  const effects = new Set<string>();
  let shortcuts = 0;
  for (const { seed, problem, demands } of proposals()) {
    const [before, after] = [resolve(problem), resolve(proposedProblem(problem, demands))];
    const expected = changedPackages(problem.namespace, summaryOf(before), summaryOf(after));
    const known = new Map([[problem.namespace, summaryOf(before)]]);
    const radius = blastRadius({ problems: [problem], demands, known });
    expect({ seed, changed: radius.changed }).toEqual({ seed, changed: expected });
    expect(blastRadius({ problems: [problem], demands })).toEqual(radius);
    expect(radius).toMatchObject({ namespaces: 1, compared: 1, isComplete: true, bugs: [] });
    for (const { effect } of expected) effects.add(effect);
    if (expected.length === 0 && radius.hidden.bundles > 0) shortcuts++;
  }
  expect([...effects].sort()).toEqual(["better", "held-back", "other", "refused", "undecided"]);
  expect(shortcuts).toBeGreaterThan(WORLDS / 20);
});

test("the same constraints change nothing, whatever their order and places", () => {
  for (const { seed, problem } of proposals()) {
    const entries = problem.runtime.entries.map(({ property }) => ({ property, place: wholeSource("again.yaml") }));
    const demands = { runtime: { ...problem.runtime, entries: entries.reverse() }, node: { ...problem.node } };
    const radius = blastRadius({ problems: [problem], demands });
    const { hidden, revealed, changed, violating } = radius;
    expect({ seed, hidden: hidden.bundles, revealed: revealed.bundles, changed, violating }).toEqual({
      seed,
      hidden: 0,
      revealed: 0,
      changed: [],
      violating: [],
    });
  }
});

test("the order of constraints is irrelevant", () => {
  for (const { seed, problem, demands } of proposals()) {
    const entries = [...demands.runtime.entries].reverse();
    const reversed = blastRadius({
      problems: [problem],
      demands: { ...demands, runtime: { ...demands.runtime, entries } },
    });
    const { violating: _, ...radius } = blastRadius({ problems: [problem], demands });
    const { violating: __, ...other } = reversed;
    expect({ seed, radius: unordered(other as BlastRadius) }).toEqual({
      seed,
      radius: unordered(radius as BlastRadius),
    });
  }
});

function rendered(radius: BlastRadius, output: string): string {
  const look = { output, style: makeStyle(false), width: 100 };
  return renderBlastRadius({ radius, warnings: [], at: ({ source, line }) => `${source}:${line}` }, look);
}

test("it comes whole through JSON, with explanations, and looks the same", () => {
  let explained = 0;
  for (const { problem, demands } of proposals().slice(0, WORLDS / 4)) {
    const radius = blastRadius({ problems: [problem], demands, isExplained: true });
    const travelled = JSON.parse(JSON.stringify(radius)) as BlastRadius;
    expect(travelled).toStrictEqual(radius);
    for (const output of FORMATS["resolve --what-if-constraints"])
      expect(rendered(travelled, output)).toBe(rendered(radius, output));
    for (const { effect, why } of radius.changed)
      if (effect === "refused" || effect === "held-back") {
        expect(why?.kind).toBe("not-possible");
        explained++;
      }
  }
  expect(explained).toBeGreaterThan(10);
});

test("what is not compared in time is left out, and the counts are no higher", () => {
  for (const { seed, problem, demands } of proposals().slice(0, WORLDS / 4)) {
    const whole = blastRadius({ problems: [problem, { ...problem, namespace: "there" }], demands });
    for (const polls of [0, 1, 5, 40, 200]) {
      let left = polls;
      const isOver = (): boolean => left-- <= 0;
      const cut = blastRadius({ problems: [problem, { ...problem, namespace: "there" }], demands, isOver });
      expect({ seed, polls, isComplete: cut.isComplete }).toEqual({ seed, polls, isComplete: left >= 0 });
      expect(cut.hidden.bundles).toBeLessThanOrEqual(whole.hidden.bundles);
      if (cut.hidden.isComplete) expect(cut.hidden).toEqual(whole.hidden);
      else expect(cut).toMatchObject({ isComplete: false, compared: 0 });
      expect(whole.changed.slice(0, cut.changed.length)).toEqual(cut.changed);
    }
  }
});
