// What waits for a person, and what waits with it? (semantics: Manual approval)

import { describe, expect, test } from "vitest";
import type { Problem, Request } from "../../src/model/problem.ts";
import { fixText } from "../../src/render/sentence/fix.ts";
import { changed } from "../../src/resolve/what-if.ts";
import { explainedAnswer as resolve } from "../explanations/explained-answer.ts";
import { explanationText } from "../explanations/explanation-text.ts";
import { needs, provides, request, running, scene, stocked } from "../worlds/scene.ts";

const CATALOG = stocked({
  lamp: { "1.0.0": [provides("Light"), needs("Oil")], "2.0.0": [provides("Light"), needs("Gas")] },
  works: { "1.0.0": [provides("Oil")], "2.0.0": [provides("Gas")] },
  clock: { "1.0.0": [], "2.0.0": [] },
  reader: { "1.0.0": [needs("Light")] },
});

function claim(name: string, approval: Request["approval"]): Request {
  return request(name, { approval, installed: `${name}.v1.0.0` });
}

function answer(requests: readonly Request[], installed: Problem["installed"]) {
  const { operators, pendingApproval, unsatisfied, outcome, objectives } = resolve(
    scene({ catalogs: [CATALOG], requests, installed }),
  );
  return {
    outcome,
    operators: operators.map(({ name }) => name),
    pending: pendingApproval.map(({ requests: waiting, changes, awaiting }) => ({
      requests: waiting.map(({ id }) => id),
      changes: changes.map(({ from, to }) => `${from?.name ?? "nothing"} → ${to.name}`),
      awaiting,
    })),
    unsatisfied: unsatisfied.map(({ request: { id } }) => id),
    subscriptions: objectives[0]?.value,
  };
}

const AUTOMATIC_READER = request("reader", { approval: "Automatic" });
const MANUAL_LAMP = request("lamp", { approval: "Manual" });

const LAMP = running("lamp.v1.0.0", [provides("Light"), needs("Oil")]);
const WORKS = running("works.v1.0.0", [provides("Oil")]);
const CLOCK = running("clock.v1.0.0");

describe("Manual approval", () => {
  test("an update waits; what is Automatic does not", () => {
    expect(answer([claim("clock", "Manual"), claim("works", "Automatic")], [CLOCK, WORKS])).toEqual({
      outcome: "Resolved",
      operators: ["clock.v1.0.0", "works.v2.0.0"],
      pending: [{ requests: ["here/clock"], changes: ["clock.v1.0.0 → clock.v2.0.0"], awaiting: [] }],
      unsatisfied: [],
      subscriptions: 2,
    });
  });

  test("what can only move with it awaits it, in the same group; unrelated changes are another group", () => {
    const requests = [claim("clock", "Manual"), claim("lamp", "Automatic"), claim("works", "Manual")];
    expect(answer(requests, [CLOCK, LAMP, WORKS])).toEqual({
      outcome: "Resolved",
      operators: ["clock.v1.0.0", "lamp.v1.0.0", "works.v1.0.0"],
      pending: [
        { requests: ["here/clock"], changes: ["clock.v1.0.0 → clock.v2.0.0"], awaiting: [] },
        {
          requests: ["here/works"],
          changes: ["lamp.v1.0.0 → lamp.v2.0.0", "works.v1.0.0 → works.v2.0.0"],
          awaiting: ["lamp"],
        },
      ],
      unsatisfied: [],
      subscriptions: 3,
    });
  });

  test("a new request counts as satisfied if it could be, with what it needs", () => {
    expect(answer([request("reader", { approval: "Manual" })], [])).toEqual({
      outcome: "Resolved",
      operators: [],
      pending: [
        {
          requests: ["here/reader"],
          changes: ["nothing → lamp.v2.0.0", "nothing → reader.v1.0.0", "nothing → works.v2.0.0"],
          awaiting: [],
        },
      ],
      unsatisfied: [],
      subscriptions: 1,
    });
  });

  test("one that cannot be satisfied is refused, approval or not", () => {
    const { outcome, unsatisfied, pending } = answer([request("ghost", { approval: "Manual" })], []);
    expect({ outcome, unsatisfied, pending }).toEqual({
      outcome: "Unsatisfiable",
      unsatisfied: ["here/ghost"],
      pending: [],
    });
  });

  test("a new Manual one is not installed as a dependency: what needs it awaits it", () => {
    expect(answer([AUTOMATIC_READER, MANUAL_LAMP], [])).toEqual({
      outcome: "Resolved",
      operators: [],
      pending: [
        {
          requests: ["here/lamp"],
          changes: ["nothing → lamp.v2.0.0", "nothing → reader.v1.0.0", "nothing → works.v2.0.0"],
          awaiting: ["reader"],
        },
      ],
      unsatisfied: [],
      subscriptions: 2,
    });
  });

  test("a new Manual one is not installed as a repair either", () => {
    const { operators, pending } = answer([MANUAL_LAMP], [running("reader.v1.0.0", [needs("Light")])]);
    expect({ operators, pending }).toEqual({
      operators: ["reader.v1.0.0"],
      pending: [
        {
          requests: ["here/lamp"],
          changes: ["nothing → lamp.v2.0.0", "nothing → works.v2.0.0"],
          awaiting: [],
        },
      ],
    });
  });

  test("once it is approved it comes, and what needs it, too", () => {
    const problem = scene({ catalogs: [CATALOG], requests: [AUTOMATIC_READER, MANUAL_LAMP] });
    const { operators, pendingApproval } = resolve(changed(problem, { kind: "approve", package: "lamp" }));
    expect(operators.map(({ name }) => name)).toEqual(["lamp.v2.0.0", "reader.v1.0.0", "works.v2.0.0"]);
    expect(pendingApproval).toEqual([]);
  });

  test("a package that an Automatic request asks for as well does not wait", () => {
    const requests = [AUTOMATIC_READER, MANUAL_LAMP, request("lamp", { id: "here/lamp-2", name: "lamp-2" })];
    expect(answer(requests, []).operators).toEqual(["lamp.v2.0.0", "reader.v1.0.0", "works.v2.0.0"]);
  });

  test("an Automatic one takes the version that needs no approval, and the reason names the Subscription", () => {
    const catalog = stocked({
      lamp: { "1.0.0": [provides("Light")] },
      desk: { "1.0.0": [], "2.0.0": [needs("Light")] },
    });
    const { operators, heldBack } = resolve(
      scene({ catalogs: [catalog], requests: [request("desk"), MANUAL_LAMP], installed: [] }),
    );
    expect(operators.map(({ name }) => name)).toEqual(["desk.v1.0.0"]);
    expect(heldBack.map(({ name, available }) => [name, available.map((one) => one.name)])).toEqual([
      ["desk.v1.0.0", ["desk.v2.0.0"]],
    ]);
    expect(explanationText(heldBack[0]?.explanation)).toContain("needs approval: its Subscription here/lamp is Manual");
    expect(heldBack[0]?.explanation.fixes.map(fixText)).toEqual(["approve the installation of lamp"]);
  });
});
