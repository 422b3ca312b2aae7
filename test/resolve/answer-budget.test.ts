// Is an answer the same, whatever was asked before about the same catalogs?

import { expect, test } from "vitest";
import type { Catalog } from "../../src/model/catalog.ts";
import type { Problem } from "../../src/model/problem.ts";
import { affectingParts, answerReach, askedPackages } from "../../src/plan/affecting-operators.ts";
import { catalogWorld, forgetLargeWorlds } from "../../src/resolve/catalog-world.ts";
import { explainedAnswer } from "../explanations/explained-answer.ts";
import { constraint, request, running, scene, stocked, type Versions } from "../worlds/scene.ts";

const CERTIFIED = "properties.exists(p, p.type == 'certified')";

/** A rule that costs as much as one may over all bundles. */
function expensive(text: string): string {
  return `properties.exists(a, properties.exists(b, properties.exists(c, a.type + b.type + c.type == '${text}')))`;
}

function newCatalogs(): readonly Catalog[] {
  const many = Array.from({ length: 25 }, (_, number) => ({ type: `t${number}`, value: number }));
  const packages: Record<string, Versions> = { lamp: { "1.0.0": [{ type: "certified", value: true }] } };
  for (let number = 0; number < 60; number++) packages[`p${number}`] = { "1.0.0": many };
  return [stocked(packages), stocked({ wick: { "1.0.0": [] } }, { name: "other" })];
}

/** An operator runs that demands what the rules say; its properties can be edited by its tenant. */
function problemWith(catalogs: readonly Catalog[], rules: readonly string[]): Problem {
  const demands = rules.map((rule) => constraint({ cel: { rule } }));
  const installed = [running("tenant.v1.0.0", demands)];
  return scene({ catalogs, installed, requests: [request("p7")] }, { celCostLimit: 20_000 });
}

test("an answer is that of a fresh start, although others have used up their budgets", () => {
  const catalogs = newCatalogs();
  for (let number = 0; number < 7; number++) explainedAnswer(problemWith(catalogs, [expensive(`x${number}`)]));
  const [after, fresh] = [catalogs, newCatalogs()].map((one) => explainedAnswer(problemWith(one, [CERTIFIED])));
  expect(after).toEqual(fresh);
  expect(fresh?.operators.map(({ name }) => name)).toContain("lamp.v1.0.0");
});

test("an answer that uses up its budget is that of a fresh start, although others have paid for some of it", () => {
  const catalogs = newCatalogs();
  const rules = Array.from({ length: 8 }, (_, number) => expensive(`x${number}`));
  for (const rule of rules) explainedAnswer(problemWith(catalogs, [rule]));
  const all = [...rules, CERTIFIED];
  const [after, fresh] = [catalogs, newCatalogs()].map((one) => explainedAnswer(problemWith(one, all)));
  expect(after).toEqual(fresh);
});

test("what could be reached within the budget is not all: then everything counts", () => {
  const elsewhere = [running("crane.v1.0.0", [], { namespace: "there" })];
  const partsOf = (rules: readonly string[]): Problem => {
    const problem = { ...problemWith(newCatalogs(), rules), elsewhere };
    return affectingParts(problem, answerReach(problem, askedPackages(problem))).problem;
  };
  expect(partsOf([CERTIFIED]).elsewhere).toEqual([]);
  expect(partsOf(Array.from({ length: 8 }, (_, number) => expensive(`y${number}`))).elsewhere).toEqual(elsewhere);
});

test("what is known of many texts of operators and proposals is given up", () => {
  const catalogs = newCatalogs();
  const small = problemWith(catalogs, [CERTIFIED]);
  explainedAnswer(small);
  const world = catalogWorld(small);
  forgetLargeWorlds(small);
  expect(catalogWorld(small)).toBe(world);
  for (let number = 0; number < 80; number++)
    explainedAnswer(problemWith(catalogs, [`"${"x".repeat(60_000)}" == "${number}"`]));
  forgetLargeWorlds(small);
  expect(catalogWorld(small)).not.toBe(world);
  expect(explainedAnswer(small)).toEqual(explainedAnswer(problemWith(newCatalogs(), [CERTIFIED])));
});
