import { load } from "js-yaml";
import { expect, test } from "vitest";
import {
  change,
  generationsOf,
  plan,
  requires,
  runs,
  shownPlans,
  step,
  VOYAGE,
} from "../../../test/plan/sample-plan.ts";
import { RICH, request, warned } from "../../../test/resolve/sample-resolution.ts";
import type { Outline } from "../../constraint/outline.ts";
import type { JsonObject } from "../../model/json.ts";
import { requestRef } from "../../resolve/member.ts";
import { makeStyle } from "../kit/style.ts";
import { renderPlans } from "./render-plan.ts";
import { planReport } from "./report.ts";

const HEMP: Outline = { kind: "gvk", gvk: { group: "g", version: "v1", kind: "Hemp" } };

test("a plan has the shape of docs/cli.md", () => {
  const generatedSubscription = RICH.operators.find((one) => one.generatedSubscription)?.generatedSubscription;
  const changes = [
    change("bell 1.0.0", "bell 2.0.0", { request: requestRef(request("bell")), requiredBy: [runs("gong 1.0.0")] }),
    change(undefined, "oil 0.3.0", { generatedSubscription, alsoFrom: [runs("fat 0.1.0")] }),
  ];
  const removal = step([change("gaff 0.4.0", undefined)]);
  const steps = new Map([
    [1, step(changes, { because: [{ package: "bell", breach: requires("bell.v2.0.0", "oil") }] })],
    [2, removal],
  ]);
  const orphans = [
    {
      package: "gaff",
      name: "gaff.v0.4.0",
      requests: [requestRef(request("gaff"))],
      inUse: [{ group: "g", kind: "Gaff", count: 2 }],
    },
    {
      package: "hemp",
      name: "hemp.v1.0.0",
      requests: [],
      inUse: [],
      neededBy: { operator: runs("gaff 0.4.0"), demand: HEMP, isOptional: false },
    },
  ];
  const target = { request: { package: "bell" }, isReached: false, explanation: RICH.heldBack[0]?.explanation };
  const report = planReport(
    shownPlans([plan(generationsOf(steps), { last: RICH, orphans, target, end: "no-way", warnings: RICH.warnings })]),
  );
  expect(report).toMatchObject({
    apiVersion: "plimsoll.dev/v1alpha1",
    kind: "Plan",
    namespace: "bridge",
    outcome: "Partial",
    end: "no-way",
    proven: true,
    heldBack: [{ package: "lantern", bundle: "lantern.v1.2.0", available: ["lantern.v2.0.0", "lantern.v9.9.9"] }],
    unsatisfied: [{ subscription: "bridge/compass", undecided: false }, { undecided: true }],
    pendingApproval: [{ subscriptions: ["bridge/crane"], awaiting: ["winch"] }],
    broken: [{ subject: "mast.v1.0.0" }],
    optionalNotMet: [{ bundle: "radio.v1.0.0" }],
    orphans: [
      {
        package: "gaff",
        bundle: "gaff.v0.4.0",
        subscriptions: ["bridge/gaff"],
        objects: [{ group: "g", kind: "Gaff", count: 2 }],
      },
      {
        package: "hemp",
        neededBy: { bundle: "gaff.v0.4.0", through: "the API Hemp (g/v1)", optional: false },
      },
    ],
    warnings: [{ code: "already-broken", at: "installed.yaml:2:5" }, { at: null }],
    target: {
      wish: "bell",
      reached: false,
      explanation: {
        text: "Subscription bridge/keeper requires approval (installPlanApproval: Manual).\nSubscription bridge/shards requires approval (installPlanApproval: Manual).",
      },
    },
  });
  expect(report.generations).toEqual([
    {
      number: 1,
      steps: [
        {
          id: "1.1",
          packages: ["bell", "oil"],
          joint: true,
          changes: [
            {
              package: "bell",
              from: "bell.v1.0.0",
              to: "bell.v2.0.0",
              fromVersion: "1.0.0",
              toVersion: "2.0.0",
              channel: "stable",
              catalog: "harbour",
              subscription: "bridge/bell",
              generatedSubscription: null,
              requiredBy: ["gong.v1.0.0"],
              reason: "the path is not safe without it",
            },
            {
              package: "oil",
              from: null,
              to: "oil.v0.3.0",
              fromVersion: null,
              toVersion: "0.3.0",
              alsoFrom: ["fat.v0.1.0"],
              channel: "stable",
              catalog: "harbour",
              subscription: null,
              generatedSubscription: { ...generatedSubscription },
              requiredBy: [],
              reason: "the path is not safe without it",
            },
          ],
          because: [{ package: "bell", text: "bell.v2.0.0 requires oil" }],
          actions: [],
        },
      ],
    },
    {
      number: 2,
      steps: [
        {
          id: "2.1",
          packages: ["gaff"],
          joint: false,
          changes: [
            {
              package: "gaff",
              from: "gaff.v0.4.0",
              to: null,
              fromVersion: "0.4.0",
              toVersion: null,
              channel: null,
              catalog: null,
              subscription: null,
              generatedSubscription: null,
              requiredBy: [],
              reason: "the path is not safe without it",
            },
          ],
          because: [],
          actions: [],
        },
      ],
    },
  ]);
});

test("of actions, only a patch has its manifest, and some a command", () => {
  const steps = (planReport(shownPlans([VOYAGE])).generations as readonly JsonObject[])[2]?.steps;
  const actions = (steps as readonly JsonObject[]).flatMap((one) => one.actions as readonly JsonObject[]);
  expect(actions.map(({ verb, manifest, command }) => [verb, manifest, command])).toEqual([
    ["rewrite", undefined, undefined],
    ["patch", { storedVersions: ["v1"] }, "kubectl patch crd winches.example.com"],
    ["update", undefined, undefined],
  ]);
  expect((steps as readonly JsonObject[]).map(({ id }) => id)).toEqual(["3.1", "3.2", "3.3"]);
  expect(actions[0]).toEqual({
    verb: "rewrite",
    kind: "CustomResourceDefinition",
    name: "winches.example.com",
    namespace: null,
    bundle: "winch.v2.0.0",
    text: "write every object of winches.example.com again before winch.v2.0.0 comes, unchanged, so that it is stored in v1 and no longer in v1alpha1",
  });
});

test("all namespaces are a list of any length", () => {
  const report = planReport(shownPlans([VOYAGE], { isList: true, warnings: [warned("the tide is out")] }));
  expect(report).toMatchObject({
    kind: "PlanList",
    items: [{ kind: "Plan", target: null }],
    warnings: [{ code: "deprecated", message: "package tide is deprecated: the tide is out", at: null }],
  });
  expect(planReport(shownPlans([], { isList: true }))).toMatchObject({ kind: "PlanList", items: [] });
});

test("JSON and YAML are the same", () => {
  const [json, yaml] = ["json", "yaml"].map((output) =>
    renderPlans(shownPlans([VOYAGE]), { output, style: makeStyle(true), width: 20 }),
  );
  expect(load(yaml ?? "")).toEqual(JSON.parse(json ?? ""));
});
