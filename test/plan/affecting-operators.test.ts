// Do the operators of other namespaces that are left out make no difference?

import { expect, test } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import { affectingOperators, answerReach, askedPackages } from "../../src/plan/affecting-operators.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { generateWorld } from "../worlds/generate.ts";
import { constraint, needs, needsPackage, provides, request, running, scene, stocked } from "../worlds/scene.ts";

const WORLDS = process.env.PLIMSOLL_LONG === undefined ? 400 : 20_000;

function affecting(problem: Problem): Problem {
  return { ...problem, elsewhere: affectingOperators(problem, answerReach(problem, askedPackages(problem))) };
}

/** What an answer decides. */
function decided(problem: Problem) {
  const { outcome, operators, heldBack, unsatisfied, pendingApproval } = resolve(problem);
  return {
    outcome,
    operators: operators.map(({ name, action, from }) => [name, action, from]),
    heldBack: heldBack.map(({ name, available }) => [name, available.map((one) => one.name)]),
    unsatisfied: unsatisfied.map(({ request: { id }, undecided, kept }) => [id, undecided, kept]),
    pendingApproval: pendingApproval.map(({ changes }) => changes.map(({ to }) => to.name)),
  };
}

test(`in ${WORLDS} random worlds the answer is the same without them`, () => {
  let left = 0;
  for (let seed = 0; seed < WORLDS; seed++) {
    const problem = generateWorld(seed);
    const without = affecting(problem);
    left += problem.elsewhere.length - without.elsewhere.length;
    if (without.elsewhere.length < problem.elsewhere.length)
      expect({ seed, ...decided(without) }).toEqual({ seed, ...decided(problem) });
  }
  expect(left).toBeGreaterThan(WORLDS / 40);
});

test.each([
  ["shares a package", [running("a.v0.9.0")], true],
  ["provides what is provided here", [running("z.v1.0.0", [provides("X")])], true],
  ["needs what is provided here", [running("z.v1.0.0", [needs("X")])], true],
  ["needs a package that may be installed here", [running("z.v1.0.0", [needsPackage("b", ">=1.0.0")])], true],
  ["provides what a dependency needs", [running("z.v1.0.0", [provides("Deep")])], true],
  [
    "excludes everything of some kind",
    [
      running("z.v1.0.0", [
        constraint({ none: { constraints: [{ cel: { rule: "properties.exists(p, p.type == 'olm.package')" } }] } }),
      ]),
    ],
    true,
  ],
  ["misses something that could be installed here", [running("z.v1.0.0", [needs("Spare")])], true],
  ["has nothing to do with it", [running("z.v1.0.0", [provides("Z"), needs("Z")])], false],
])("an operator that %s", (_, elsewhere, isAffecting) => {
  const catalogs = [
    stocked({
      a: { "1.0.0": [needs("X")] },
      b: { "1.0.0": [provides("X"), needs("Deep")] },
      c: { "1.0.0": [provides("Spare")] },
    }),
  ];
  const there = elsewhere.map((one) => ({ ...one, namespace: "there" }));
  const problem = scene({ catalogs, requests: [request("a")], elsewhere: there });
  expect(affecting(problem).elsewhere.length > 0).toBe(isAffecting);
});

test("what meets the requirement of one that counts is kept, too", () => {
  const catalogs = [stocked({ a: { "1.0.0": [provides("X")] }, c: { "1.0.0": [provides("Q")] } })];
  const elsewhere = [
    running("y.v1.0.0", [needs("X"), needs("Q"), provides("X")]),
    running("q.v1.0.0", [provides("Q")]),
    running("z.v1.0.0", [provides("Z")]),
  ].map((one) => ({ ...one, namespace: "there" }));
  const problem = scene({ catalogs, requests: [request("a")], elsewhere });
  expect(affecting(problem).elsewhere.map(({ name }) => name)).toEqual(["y.v1.0.0", "q.v1.0.0"]);
});
