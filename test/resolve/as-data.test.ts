// Is an answer plain data? With its explanations it is the same after a trip through JSON, and looks the same in every form.

import { expect, test } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import { makePlan } from "../../src/plan/make-plan.ts";
import { makeStyle } from "../../src/render/kit/style.ts";
import { FORMATS } from "../../src/render/output-formats.ts";
import { renderResolution } from "../../src/render/resolve/render-resolution.ts";
import { flagsOf } from "../../src/render/sentence/flags.ts";
import { explainAnswer } from "../../src/resolve/explain/explain-answer.ts";
import type { Resolution } from "../../src/resolve/resolution.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { changed } from "../../src/resolve/what-if.ts";
import { explainedAnswer } from "../explanations/explained-answer.ts";
import { generateWorld } from "../worlds/generate.ts";
import { constraint, needsPackage, request, running, scene, stocked } from "../worlds/scene.ts";

const WORLDS = process.env.PLIMSOLL_LONG ? 4_000 : 150;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 3) * 1_000_000 + 300_000;

function rendered(resolution: Resolution, { gone }: Problem, output: string): string {
  const at = ({ source, line, column }: { source: string; line: number; column: number }) =>
    `${source}:${line}:${column}`;
  const command = ({ changes }: { readonly changes: readonly unknown[] }) => JSON.stringify(changes);
  return renderResolution(
    { resolutions: [resolution], isList: false, warnings: [], gone, at, command },
    { output, style: makeStyle(false), width: 100 },
  );
}

test("an answer comes whole through JSON and a structured clone, and looks the same in every form", () => {
  const seen = new Set<string>();
  for (let number = 0; number < WORLDS; number++) {
    const world = FIRST + number;
    const problem = generateWorld(world);
    const resolution = explainedAnswer(problem);
    const text = JSON.stringify(resolution);
    const travelled = JSON.parse(text) as Resolution;
    expect({ world, resolution: travelled }).toStrictEqual({ world, resolution });
    expect({ world, text: JSON.stringify(structuredClone(resolution)) }).toEqual({ world, text });
    for (const output of FORMATS.resolve) {
      const before = rendered(resolution, problem, output);
      expect({ world, output, text: rendered(travelled, problem, output) }).toEqual({ world, output, text: before });
    }
    for (const { reason } of resolution.operators) seen.add(reason.kind);
    for (const { code } of resolution.warnings) seen.add(code);
    if (resolution.heldBack.length > 0) seen.add("held back");
    if (resolution.unsatisfied.length > 0) seen.add("unsatisfied");
    if (resolution.pendingApproval.length > 0) seen.add("pending");
  }
  const expected = ["first-choice", "update", "needed", "held back", "unsatisfied", "pending", "already-broken"];
  expect([...seen]).toEqual(expect.arrayContaining(expected));
}, 3_600_000);

test("an answer that came from elsewhere is explained as the one that was found", () => {
  for (let number = 0; number < WORLDS / 5; number++) {
    const problem = generateWorld(FIRST + number);
    const answer = resolve(problem);
    const travelled = JSON.parse(JSON.stringify(answer)) as Resolution;
    expect(explainAnswer({ problem, answer: travelled })).toEqual(explainAnswer({ problem, answer }));
  }
}, 3_600_000);

test("an operator that is held back takes a few kilobytes, with a catalog of any size", () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`other-${index}`, { "1.0.0": [] }]));
  const catalogs = [
    stocked({ ...many, lamp: { "1.0.0": [], "1.1.0": [] }, pin: { "1.0.0": [needsPackage("lamp", "1.0.0")] } }),
  ];
  const installed = [running("lamp.v1.0.0"), running("pin.v1.0.0", [needsPackage("lamp", "1.0.0")])];
  const requests = [{ ...request("lamp"), installed: "lamp.v1.0.0" }];
  const { heldBack } = explainedAnswer(scene({ catalogs, requests, installed }));
  expect(heldBack).toHaveLength(1);
  expect(JSON.stringify(heldBack).length).toBeLessThan(4_000);
});

test("a fix that declares an integer beyond 2^53 comes through JSON and still helps", () => {
  const demand = constraint({ propertyEquals: { name: "depth", value: 9_007_199_254_740_993n } });
  const problem = scene({ catalogs: [stocked({ lamp: { "1.0.0": [demand] } })], requests: [request("lamp")] });
  const answer = explainedAnswer(problem);
  const travelled = JSON.parse(JSON.stringify(answer)) as Resolution;
  expect(travelled).toEqual(answer);
  const fix = travelled.unsatisfied[0]?.explanation?.fixes.find(({ advice }) => advice[0]?.kind === "declare");
  expect(fix?.changes.map(flagsOf)).toEqual([["--property", "depth:=9007199254740993"]]);
  expect(resolve(fix?.changes.reduce(changed, problem) as Problem).unsatisfied).toEqual([]);
});

test("a hold that was read from a saved problem leaves no key without a value", () => {
  const hold = { by: "condition", text: "busy", package: undefined } as const;
  const installed = [running("lamp.v1.0.0", [], { hold })];
  const catalogs = [stocked({ lamp: { "1.0.0": [], "1.1.0": [] } })];
  const problem = scene({ catalogs, installed, requests: [request("lamp", { installed: "lamp.v1.0.0" })] });
  const resolution = explainedAnswer(problem);
  expect(resolution.heldBack).toHaveLength(1);
  expect(JSON.parse(JSON.stringify(resolution))).toStrictEqual(resolution);
});

test("an answer distinguishes catalogs with one name and namespace", () => {
  const identity = { name: "main", namespace: "olm" };
  const catalogs = [
    stocked({ lamp: { "1.0.0": [needsPackage("oil")] } }, identity),
    stocked({ lamp: { "1.0.0": [] }, mast: { "1.0.0": [needsPackage("lamp")] } }, identity),
  ];
  const problem = scene({ catalogs, requests: [request("mast")] });
  const [plan] = makePlan([problem], { maxGenerations: 5, prune: false });
  expect(plan?.end).toBe("done");
  expect(plan?.after.map(({ name }) => name)).toEqual(["lamp.v1.0.0", "mast.v1.0.0"]);
  const { unsatisfied } = explainedAnswer(
    scene({ catalogs, requests: [request("lamp", { priority: 1 }), request("oil")] }),
  );
  expect(unsatisfied.map(({ request: one }) => one.package)).toEqual(["oil"]);
});

test("a tab in the message of an operator is a space in its reason", () => {
  const installed = [running("lamp.v1.0.0", [], { hold: { by: "condition", text: "very\tbusy" } })];
  const catalogs = [stocked({ lamp: { "1.0.0": [], "1.1.0": [] } })];
  const problem = scene({ catalogs, installed, requests: [request("lamp", { installed: "lamp.v1.0.0" })] });
  const text = rendered(explainedAnswer(problem), problem, "text");
  expect(text).toContain("its OperatorCondition has Upgradeable=False (very  busy)");
});
