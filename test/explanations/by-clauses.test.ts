// Would the judges of explanations notice? Causes written by hand, right and wrong.

import { expect, test } from "vitest";
import type { Requirement } from "../../src/constraint/constraint.ts";
import type { Bundle, Catalog } from "../../src/model/catalog.ts";
import type { Problem, Request } from "../../src/model/problem.ts";
import type { Candidate } from "../../src/resolve/catalog-index.ts";
import { catalogWorld } from "../../src/resolve/catalog-world.ts";
import type { Cause } from "../../src/resolve/explain/cause.ts";
import { requestRef } from "../../src/resolve/member.ts";
import type { Unsatisfied } from "../../src/resolve/resolution.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { needsPackage, request, scene, stocked } from "../worlds/scene.ts";
import { readerFor } from "../worlds/table.ts";
import { explanationWith } from "./explanation-text.ts";
import { faultsOf } from "./faults.ts";
import type { Derivation } from "./meaning.ts";
import { Population } from "./population.ts";

const CATALOG: Catalog = stocked({
  lamp: { "1.0.0": [needsPackage("oil", ">=2.0.0")] },
  oil: { "1.0.0": [], "2.0.0": [], "3.0.0": [{ type: "olm.deprecated", value: {} }] },
});
const LAMP = request("lamp");
const OIL = request("oil", { startingCSV: "oil.v1.0.0", priority: 1 });
const WORLD: Problem = scene({ catalogs: [CATALOG], requests: [OIL, LAMP] });
const world = catalogWorld(WORLD);

function node(owner: string, version: string): Candidate {
  const bundle = CATALOG.packages.get(owner)?.bundles.get(`${owner}.v${version}`) as Bundle;
  return world.indexOf(CATALOG).nodeOf(bundle);
}

const lamp = node("lamp", "1.0.0");
const [one, two, three] = ["1.0.0", "2.0.0", "3.0.0"].map((version) => node("oil", version)) as [
  Candidate,
  Candidate,
  Candidate,
];
const wanted = (by: Request, ...members: readonly Candidate[]): Cause => ({
  kind: "wanted",
  why: "request",
  request: by,
  members,
});
const demand: Cause = {
  kind: "demand",
  owner: "lamp",
  demands: [{ member: lamp, requirement: readerFor(WORLD).of(lamp.bundle.properties).requirements[0] as Requirement }],
  isRepair: false,
};
const single: Cause = { kind: "one-bundle", of: "oil", members: [one, two], isRepair: false };
const refusal: Cause = {
  kind: "refusal",
  owner: "oil",
  refused: [{ member: three, refusal: { detail: { rule: "deprecation" } } }],
  isRepair: false,
};
const asked = wanted(LAMP, lamp);
const first = wanted(OIL, one);
const CAUSES: readonly Cause[] = [asked, first, demand, single, refusal];
const DERIVATION: Derivation = {
  steps: [
    { causes: [asked, demand, refusal], after: [], conclusion: { kind: "one-of", members: [two] } },
    { causes: [first, single], after: [], conclusion: { kind: "none-of", members: [two] } },
    { causes: [], after: [0, 1], conclusion: { kind: "impossible" } },
  ],
  cases: [],
};

function judged(causes: readonly Cause[], derivation: Derivation = DERIVATION): Promise<readonly string[]> {
  const resolution = resolve(WORLD);
  const explanation = explanationWith({ kind: "stuck" });
  const item: Unsatisfied = { request: requestRef(LAMP), undecided: false, explanation };
  const population = new Population(WORLD);
  return faultsOf({
    problem: WORLD,
    resolution,
    about: "unsatisfied",
    item,
    explanation,
    causes,
    derivation,
    population,
    answer: resolution,
  });
}

test("nothing is wrong with what is right", async () => {
  expect(resolve(WORLD).unsatisfied.map((item) => item.request.id)).toEqual(["here/lamp"]);
  expect(await judged(CAUSES)).toEqual([]);
});

test("too little, too much", async () => {
  expect(await judged(CAUSES.slice(0, -1))).toContain("the causes do not forbid it");
  const more: Cause = { kind: "one-bundle", of: "lamp", members: [lamp], isRepair: false };
  expect(await judged([...CAUSES, more])).toEqual(["cause 5, one-bundle, is superfluous"]);
  expect(await judged([])).toContain("it has no causes");
});

test("what is not true", async () => {
  const swapped = (index: number, cause: Cause): readonly Cause[] => CAUSES.with(index, cause);
  expect(await judged(swapped(1, wanted(OIL, two)))).toContain(
    "cause 1, wanted: here/oil has other candidates: [oil.v1.0.0], not [oil.v2.0.0]",
  );
  expect(
    await judged(swapped(4, { ...refusal, refused: [{ ...refusal.refused[0], member: two }] } as Cause)),
  ).toContain("cause 4, refusal: oil.v2.0.0 does not break deprecation");
  expect(await judged(swapped(3, { ...single, of: "lamp" } as Cause))).toContain(
    "cause 3, one-bundle: oil.v1.0.0 is not one of lamp",
  );
  expect(await judged(swapped(2, { ...demand, isRepair: true } as Cause))).toContain(
    "cause 2, demand: a demand of lamp.v1.0.0 was not broken before",
  );
  const detail = { rule: "crd-upgrade", crd: "oils.example.com", objections: [], more: 0 } as const;
  const changes = { member: two, refusal: { detail } };
  expect(await judged(swapped(4, { ...refusal, refused: [changes] } as Cause))).toContain(
    "cause 4, refusal: oil.v2.0.0 does not break crd-upgrade",
  );
  const end: Cause = { kind: "unserved", api: "example.com/v1/Lamp", users: [lamp], definers: [two] };
  expect(await judged(swapped(3, end))).toContain(
    "cause 3, unserved: oil.v2.0.0 does not end example.com/v1/Lamp for lamp.v1.0.0",
  );
  const stays: Cause = { kind: "unavailable", catalogs: [] };
  expect(await judged([...CAUSES, stays])).toContain("cause 5, unavailable: no such catalog is missing");
});

test("steps that do not follow", async () => {
  const [open, closed, end] = DERIVATION.steps as [
    Derivation["steps"][number],
    Derivation["steps"][number],
    Derivation["steps"][number],
  ];
  expect(await judged(CAUSES, { steps: [open, closed], cases: [] })).toEqual([
    "the last step does not conclude that it is impossible",
  ]);
  expect(await judged(CAUSES, { steps: [{ ...open, causes: [asked, demand] }, closed, end], cases: [] })).toEqual([
    "step 0 does not follow",
  ]);
  expect(await judged(CAUSES, { steps: [open, closed, { ...end, after: [0, 2] }], cases: [] })).toEqual([
    "step 2 rests on a step that is not before it",
    "step 2 does not follow",
  ]);
});

test("cases", async () => {
  const steps: Derivation["steps"] = [
    { causes: [asked, demand], after: [], conclusion: { kind: "one-of", members: [two, three] } },
  ];
  const isTwo: Derivation = {
    steps: [{ causes: [first, single], after: [0], conclusion: { kind: "impossible" } }],
    cases: [],
  };
  const isThree: Derivation = {
    steps: [{ causes: [refusal], after: [], conclusion: { kind: "impossible" } }],
    cases: [],
  };
  const [second, third] = [
    { members: [two], derivation: isTwo },
    { members: [three], derivation: isThree },
  ];
  expect(await judged(CAUSES, { steps, cases: [second, third] })).toEqual([]);
  expect(await judged(CAUSES, { steps, cases: [second] })).toEqual(["the cases leave something open"]);
  expect(await judged(CAUSES, { steps, cases: [second, { ...third, derivation: isTwo }] })).toEqual([
    "step 1 does not follow",
  ]);
});
