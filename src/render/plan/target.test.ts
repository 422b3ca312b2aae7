import { describe, expect, test } from "vitest";
import { generationsOf, plan, run, shownPlans } from "../../../test/plan/sample-plan.ts";
import { PLAIN, RICH, ref, request } from "../../../test/resolve/sample-resolution.ts";
import type { Plan } from "../../plan/plan.ts";
import type { RangeOutline } from "../../semver/blang-range.ts";
import { makeStyle } from "../kit/style.ts";
import { renderPlans } from "./render-plan.ts";

function text(one: Plan): string {
  return renderPlans(shownPlans([one]), { output: "text", style: makeStyle(false), width: undefined });
}

describe("a target", () => {
  const range: RangeOutline = { text: ">=2.0.0", only: undefined };
  const asked = { package: "lantern", range };
  const [held] = RICH.heldBack;

  test("the way there, and nothing about others", () => {
    const target = { request: asked, isReached: true, explanation: undefined };
    const orphans = [{ package: "gaff", name: "gaff.v0.4.0", requests: [], inUse: [], neededBy: undefined }];
    const answer = text(
      plan(generationsOf(run("lantern", ["1.2.0", "2.0.0"])), {
        target,
        orphans,
        last: { ...PLAIN, heldBack: RICH.heldBack },
      }),
    );
    expect(answer).toBe(`Path to lantern@>=2.0.0 in namespace bridge, 1 generation: 1 operator to update

Independent of everything else
  lantern  1.2.0 → 2.0.0  generation 1
`);
    expect(text(plan([], { target }))).toBe("Already at lantern@>=2.0.0 in namespace bridge\n");
    const long = plan(generationsOf(run("lantern", ["1.2.0", "2.0.0"])), { target, proven: false });
    expect(text(long).trim().split("\n").at(-1)).toMatch(/^A safe path, but not proven to be the shortest/);
  });

  test("why there is none, and what would help", () => {
    const target = { request: asked, isReached: false, explanation: held?.explanation };
    expect(text(plan([], { target, end: "no-way", last: RICH }))).toContain(
      "No safe path to lantern@>=2.0.0 in namespace bridge; nothing is planned, but 1 requirement breaks\n",
    );
    expect(
      text(plan([], { target, end: "no-way" })),
    ).toBe(`No safe path to lantern@>=2.0.0 in namespace bridge; nothing is planned

Why
  Subscription bridge/keeper requires approval (installPlanApproval: Manual).
  Subscription bridge/shards requires approval (installPlanApproval: Manual).
  What would help
    take compass from channel old
      plimsoll resolve --instead compass:old

Every plimsoll command is a dry run; no cluster is changed.
`);
    const newest = { ...target, request: { package: "lantern" } };
    expect(text(plan([], { target: newest, end: "no-way" }))).toMatch(
      /^No safe path to lantern \(newest in its channel\) in namespace bridge; nothing is planned\n/,
    );
  });

  test("only approvals that block it are shown", () => {
    const changes = [{ package: "lantern", from: ref("lantern", "1.2.0"), to: ref("lantern", "2.0.0") }];
    const waiting = { requests: [request("lantern")], changes, awaiting: [] };
    const last = { ...PLAIN, pendingApproval: [...RICH.pendingApproval, waiting] };
    const planText = (isReached: boolean): string =>
      text(
        plan([], {
          target: { request: asked, isReached, explanation: undefined },
          last,
          end: isReached ? "done" : "no-way",
        }),
      );
    expect(planText(false)).toBe(`No safe path to lantern@>=2.0.0 in namespace bridge; nothing is planned

Waiting for approval
  Subscription bridge/lantern
    lantern: 1.2.0 → 2.0.0
`);
    expect(planText(true)).toBe("Already at lantern@>=2.0.0 in namespace bridge\n");
  });

  test("what was not read may have one", () => {
    const target = { request: asked, isReached: false, explanation: undefined };
    expect(text(plan(generationsOf(), { target, end: "unread" }))).toMatch(
      /^No safe path found to lantern@>=2.0.0 in namespace bridge; nothing is planned\n\nNot found: not everything could be read/,
    );
  });

  test("the search was stopped", () => {
    const target = { request: asked, isReached: false, explanation: undefined };
    const answer = text(plan(generationsOf(), { target, end: "search" }));
    expect(answer).toMatch(
      /^No safe path found to lantern@>=2.0.0 in namespace bridge; nothing is planned\n\nNot found: the search was stopped/,
    );
  });
});
