// Do the operators of other namespaces, and the CRDs, that are left out make no difference?

import { expect, test } from "vitest";
import { type Gvk, gvkKey } from "../../src/model/catalog.ts";
import type { ClusterDefinition, Problem } from "../../src/model/problem.ts";
import { affectingParts, answerReach, askedPackages } from "../../src/plan/affecting-operators.ts";
import { makePlan } from "../../src/plan/make-plan.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { explainedAnswer } from "../explanations/explained-answer.ts";
import {
  apiOf,
  generateCrdWorld,
  type KindDraft,
  manifestOf,
  manifestProperty,
  onCluster,
} from "../worlds/definitions.ts";
import { Dice } from "../worlds/dice.ts";
import { generateWorld } from "../worlds/generate.ts";
import { constraint, needs, needsPackage, provides, request, running, scene, stocked } from "../worlds/scene.ts";

const WORLDS = process.env.PLIMSOLL_LONG === undefined ? 400 : 20_000;
/** These take ten times as long. */
const CRD_WORLDS = WORLDS / 5;

function affecting(problem: Problem): Problem {
  return affectingParts(problem, answerReach(problem, askedPackages(problem))).problem;
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

const KINDS = ["Lamp", "Rope", "Sail", "Tide", "Wake", "Yard", "Zinc"];

function draftOf(kind: string): KindDraft {
  const versions = [
    { name: "v1", served: true, storage: true },
    { name: "v1beta1", served: true, storage: false },
  ];
  const plural = `${kind.toLowerCase()}s`;
  return { kind, plural, scope: "Namespaced", versions, colours: ["red", "blue"], needsColour: false };
}

/** A world with CRDs of any kinds, some of which no operator owns. */
function worldWithCrds(seed: number): Problem {
  const world = generateCrdWorld(seed);
  const dice = new Dice(3 * seed + 2);
  const { definitions: given = [] } = world;
  const others = KINDS.filter((kind) => !given.some(({ definition }) => definition.kind === kind));
  const more = dice.some(others, 0.5).map((kind): ClusterDefinition => {
    const objects = [{ version: "v1", colour: dice.pick(["red", "mauve"]) }];
    return onCluster(draftOf(kind), dice.some(["v1", "v1beta1"], 0.7), dice.chance(0.5) ? objects : undefined);
  });
  const definitions = [...given, ...more].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
  const apis = KINDS.flatMap((kind) => ["v1", "v1beta1", "v1alpha1"].map((version) => apiOf(draftOf(kind), version)));
  const orphans = dice.some(apis, 0.7).map((api) => gvkKey(api as unknown as Gvk));
  return { ...world, definitions, orphans };
}

test(`in ${CRD_WORLDS} random worlds with CRDs the answer, its explanations and the plan are the same without the others`, () => {
  let left = 0;
  for (let seed = 0; seed < CRD_WORLDS; seed++) {
    const world = worldWithCrds(seed);
    const without = affecting(world);
    const { elsewhere } = without;
    const [whole, narrow] = [{ ...world, elsewhere }, without];
    const count = ({ definitions = [], orphans = [] }: Problem): number => definitions.length + orphans.length;
    left += count(whole) - count(narrow);
    if (count(narrow) === count(whole)) continue;
    const answers = [whole, narrow].map((problem) => ({
      answer: explainedAnswer(problem),
      plan: makePlan([problem], { maxGenerations: 3, prune: false }),
    }));
    expect({ seed, ...answers[1] }).toEqual({ seed, ...answers[0] });
  }
  expect(left).toBeGreaterThan(CRD_WORLDS);
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

const BETA = {
  type: "olm.constraint",
  value: { all: { constraints: [{ gvk: apiOf(draftOf("Rope"), "v1beta1") }, { cel: { rule: "true" } }] } },
};

test.each([
  ["of a kind that is provided here", "Lamp", draftOf("Lamp"), true],
  ["of a kind that is required inside of a compound", "Rope", draftOf("Rope"), true],
  [
    "of another kind with the name of one that a bundle brings",
    "Torch",
    { ...draftOf("Torch"), plural: "sails" },
    true,
  ],
  ["of a kind that has nothing to do with it", "Zinc", draftOf("Zinc"), false],
])("a CRD %s", (_, kind, draft, isAffecting) => {
  const brought = manifestProperty(manifestOf(draftOf("Sail")));
  const catalogs = [stocked({ a: { "1.0.0": [provides("Lamp"), brought, BETA] }, z: { "1.0.0": [provides("Zinc")] } })];
  const orphans = [gvkKey({ group: "example.com", version: "v1", kind })];
  const problem = scene({
    catalogs,
    requests: [request("a")],
    definitions: [onCluster(draft, ["v1"], undefined)],
    orphans,
  });
  const { definitions = [] } = affecting(problem);
  expect(definitions.length > 0).toBe(isAffecting);
});
