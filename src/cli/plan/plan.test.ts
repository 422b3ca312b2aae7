import { describe, expect, test } from "vitest";
import { explanationWith } from "../../../test/explanations/explanation-text.ts";
import { PLAIN, ref, request, requires } from "../../../test/resolve/sample-resolution.ts";
import type { Plan, Target } from "../../plan/plan.ts";
import type { Resolution } from "../../resolve/resolution.ts";
import { worstOf } from "../exit-code.ts";
import { codesOf } from "./plan.ts";

const NOTHING = explanationWith({ kind: "stuck" });
const REFUSED = { request: request("a"), undecided: false, explanation: NOTHING };
const OPEN = { ...REFUSED, undecided: true };
const HELD = { package: "a", name: "a.v1.0.0", available: [{ name: "a.v2.0.0" }], explanation: NOTHING };
const FAIL = { failOn: "held-back" } as const;
const TARGET: Target = { request: { package: "b" }, isReached: true, explanation: undefined };

function planned(more: Partial<Plan>, last: Partial<Resolution> = {}): Plan {
  return {
    namespace: PLAIN.namespace,
    generations: [],
    end: "done",
    prune: false,
    last: { ...PLAIN, ...last },
    orphans: [],
    warnings: [],
    target: undefined,
    proven: true,
    before: [],
    after: [],
    gone: [],
    installPlans: 0,
    ...more,
  };
}

describe("the exit code", () => {
  test.each<[string, Plan, Parameters<typeof codesOf>[1], number]>([
    ["everything has come as far as it can", planned({}), {}, 0],
    ["something is refused", planned({}, { unsatisfied: [REFUSED] }), {}, 1],
    ["something is undecided", planned({}, { unsatisfied: [OPEN, REFUSED] }), {}, 5],
    ["something is broken by a removal", planned({}, { broken: [requires(ref("a", "1.0.0"), "b")] }), {}, 1],
    ["something is held back", planned({}, { heldBack: [HELD] }), {}, 0],
    ["something is held back, and that is a no", planned({}, { heldBack: [HELD] }), FAIL, 1],
    ["there are too many generations", planned({ end: "generations" }), {}, 5],
    ["the time was over", planned({ end: "search" }), {}, 5],
    ["a way may be in what was not read", planned({ end: "unread", target: { ...TARGET, isReached: false } }), {}, 5],
    ["no way leads to the target", planned({ end: "no-way", target: { ...TARGET, isReached: false } }), {}, 1],
    ["a generation is not proven", planned({ proven: false }), {}, 0],
    ["a generation is not proven, and has to be", planned({ proven: false }), { requireProof: true }, 5],
    ["the target is reached", planned({ target: TARGET }), {}, 0],
    ["the target is reached, and others are refused", planned({ target: TARGET }, { unsatisfied: [REFUSED] }), {}, 1],
    ["the target is reached, and others stay", planned({ target: TARGET }, { heldBack: [HELD] }), FAIL, 0],
  ])("%s", (_, plan, flags, code) => {
    expect(worstOf(codesOf(plan, flags))).toBe(code);
  });
});
