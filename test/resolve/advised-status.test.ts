// Does a status say what the answer says? With every reason, and with what would help.

import { expect, test } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import { makePlan } from "../../src/plan/make-plan.ts";
import { advisedStatus } from "../../src/render/advice/advised-status.ts";
import { explainAnswer } from "../../src/resolve/explain/explain-answer.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { needs, provides, request, running, scene, stocked } from "../worlds/scene.ts";

function statusOf(parts: Partial<Problem>) {
  const problem = scene(parts);
  const resolution = explainAnswer({ problem, answer: resolve(problem) });
  const [plan] = makePlan([problem], { maxGenerations: 10, prune: false });
  const command = ({ changes }: { readonly changes: readonly unknown[] }): string =>
    changes.length === 0 ? "" : "plimsoll resolve --live";
  return advisedStatus({ resolution, plan, command });
}

const catalogs = [
  stocked({
    lamp: { "1.0.0": [provides("Lamp")], "1.1.0": [provides("Lamp"), needs("Oil")] },
    oil: { "1.0.0": [provides("Oil")] },
    crane: { "1.0.0": [needs("Hook")] },
  }),
];

test("an update, and what comes with it", () => {
  const status = statusOf({
    catalogs,
    installed: [running("lamp.v1.0.0", [provides("Lamp")])],
    requests: [request("lamp", { installed: "lamp.v1.0.0" })],
  });
  expect(status).toMatchObject({
    outcome: "Resolved",
    summary: "1 to install, 1 to update",
    counts: { operators: 2, updates: 2, heldBack: 0, unsatisfied: 0, pendingApproval: 0 },
    operators: [
      { package: "lamp", bundle: "lamp.v1.1.0", action: "update", replaces: "lamp.v1.0.0", subscription: "here/lamp" },
      { package: "oil", bundle: "oil.v1.0.0", action: "install", requiredBy: ["lamp.v1.1.0"] },
    ],
    plan: { generations: 1 },
  });
  expect(status).not.toHaveProperty("reason");
  expect(status).not.toHaveProperty("heldBack");
});

test("an operator that is held back: its first reason in one line, the rest line by line", () => {
  const withoutOil = [stocked({ lamp: { "1.0.0": [provides("Lamp")], "1.1.0": [provides("Lamp"), needs("Oil")] } })];
  const status = statusOf({
    catalogs: withoutOil,
    installed: [running("lamp.v1.0.0", [provides("Lamp")])],
    requests: [request("lamp", { installed: "lamp.v1.0.0" })],
  });
  const [held] = status.heldBack ?? [];
  expect(held).toMatchObject({ package: "lamp", bundle: "lamp.v1.0.0", available: ["lamp.v1.1.0"] });
  expect(held?.summary).toMatch(/^lamp is held back at 1\.0\.0, 1\.1\.0 is available: .*Oil/);
  expect(held?.why.length).toBeGreaterThan(0);
  expect(held?.why.every((line) => !line.includes("\n"))).toBe(true);
  expect(status.reason).toBe(held?.summary);
});

test("a request that cannot be met, with what would help and the note that commands change nothing", () => {
  const status = statusOf({ catalogs, requests: [request("crane"), request("lamp")] });
  expect(status.outcome).toBe("Partial");
  const [refused] = status.unsatisfied ?? [];
  expect(refused).toMatchObject({ package: "crane", subscription: "here/crane", undecided: false });
  expect(refused?.summary).toMatch(/^crane cannot be installed: .*Hook/);
  expect(refused?.whatWouldHelp?.at(-1)).toMatch(/dry run/);
});

test("what waits for approval", () => {
  const status = statusOf({ catalogs, requests: [request("oil", { approval: "Manual" })] });
  expect(status).toMatchObject({
    counts: { pendingApproval: 1 },
    pendingApproval: [{ subscriptions: ["here/oil"], changes: [{ package: "oil", to: "oil.v1.0.0" }] }],
    reason: "oil.v1.0.0 waits for the approval of here/oil",
  });
});
