import { describe, expect, test } from "vitest";
import type { Mistake } from "../../placement/placement-result.ts";
import { worstOf } from "../exit-code.ts";
import { codesOf, codesOfChange } from "./place.ts";

const WRONG: Mistake = { fault: { kind: "no-add-on" }, place: { source: "", line: 1, column: 1 }, plugin: "" };
const LIMIT: Mistake = { ...WRONG, isLimit: true };

describe("the exit code of a Placement", () => {
  test.each<[string, readonly Mistake[], number, number]>([
    ["it has what it asks for", [], 0, 0],
    ["clusters are missing", [], 2, 1],
    ["it is misconfigured", [WRONG], 0, 1],
    ["it hits a limit", [LIMIT], 0, 5],
    ["it hits a limit, and so clusters are missing", [LIMIT], 3, 5],
    ["it is misconfigured, and hits a limit", [WRONG, LIMIT], 0, 1],
  ])("%s", (_, mistakes, unscheduled, code) => {
    expect(worstOf(codesOf({ mistakes, warnings: [], unscheduled }))).toBe(code);
  });
});

test("to lose too much is a no", () => {
  expect(worstOf(codesOfChange({}))).toBe(0);
  expect(worstOf(codesOfChange({ exceeded: { text: "1", amount: 1, isShare: false } }))).toBe(1);
});
