import { describe, expect, test } from "vitest";
import { explanationWith } from "../../../test/explanations/explanation-text.ts";
import { PLAIN, PROBLEM, ref, request, requires } from "../../../test/resolve/sample-resolution.ts";
import { solve } from "../../resolve/cluster-state.ts";
import type { Resolution } from "../../resolve/resolution.ts";
import { worstOf } from "../exit-code.ts";
import { codesOf } from "./answer-parts.ts";

const NOTHING = explanationWith({ kind: "stuck" });
const REFUSED = { request: request("a"), undecided: false, explanation: NOTHING };
const OPEN = { ...REFUSED, undecided: true };
const HELD = { package: "a", name: "a.v1.0.0", available: [{ name: "a.v2.0.0" }], explanation: NOTHING };

describe("the exit code", () => {
  test.each<[string, Partial<Resolution>, Parameters<typeof codesOf>[1], number]>([
    ["resolved", {}, {}, 0],
    ["refused", { outcome: "Unsatisfiable", unsatisfied: [REFUSED] }, {}, 1],
    ["broken by a removal", { broken: [requires(ref("a", "1.0.0"), "b")] }, {}, 1],
    ["held back", { heldBack: [HELD] }, {}, 0],
    ["held back, and that is a no", { heldBack: [HELD] }, { failOn: "held-back" }, 1],
    ["undecided", { outcome: "Undecided" }, {}, 5],
    ["one of two is undecided", { outcome: "Partial", unsatisfied: [OPEN, REFUSED] }, {}, 5],
    ["not proven", { proven: false }, {}, 0],
    ["not proven, and that is not enough", { proven: false }, { requireProof: true }, 5],
  ])("%s", (_, more, flags, code) => {
    expect(worstOf(codesOf({ ...PLAIN, ...more }, flags))).toBe(code);
  });
});

test("any error thrown while solving is a bug", () => {
  const solved = solve(PROBLEM, () => {
    throw new Error("the answer breaks a rule");
  });
  expect(solved).toMatchObject({ kind: "bug", message: expect.stringContaining("the answer breaks a rule") });
});
