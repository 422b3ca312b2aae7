// Is a status never larger than it may be, and does it say what is missing?

import { expect, test } from "vitest";
import type { ResolutionStatus } from "../../model/resolution-object.ts";
import { cutStatus, MAX_STATUS_BYTES } from "./cut-status.ts";

/** A status with many refusals, each with long lines. */
function large(refusals: number, lineLength: number): ResolutionStatus {
  const line = "x".repeat(lineLength);
  return {
    outcome: "Unsatisfiable",
    summary: `${refusals} requests refused`,
    counts: { operators: 0, updates: 0, heldBack: 0, unsatisfied: refusals, pendingApproval: 0 },
    unsatisfied: Array.from({ length: refusals }, (_, index) => ({
      package: `p${index}`,
      subscription: `ns/p${index}`,
      undecided: false,
      summary: `p${index}: it cannot be installed`,
      why: [line, line],
      whatWouldHelp: [line],
    })),
    plan: { generations: 1, next: [] },
  };
}

const sizeOf = (status: ResolutionStatus): number => Buffer.byteLength(JSON.stringify(status));

test("a small status stays as it is", () => {
  const status = large(10, 100);
  expect(cutStatus(status)).toBe(status);
});

test.each([
  ["what would help goes first", large(1000, 200), ["what would help"]],
  ["then the reasons", large(1000, 1000), ["what would help", "the reasons, but for their first line"]],
  [
    "a list has no more items than the schema allows",
    large(20_000, 10),
    ["requests that are not satisfied: only the first 1000 of 20000 are listed"],
  ],
])("%s", (_, status, cut) => {
  const shorter = cutStatus(status);
  expect(sizeOf(shorter)).toBeLessThanOrEqual(MAX_STATUS_BYTES);
  expect(shorter.cut).toEqual(cut);
  // What is counted is counted whole, and each item that is left has its summary.
  expect(shorter.counts).toEqual(status.counts);
  expect(shorter.unsatisfied?.every(({ summary }) => summary !== "")).toBe(true);
});

test("in the end the plan and most items go", () => {
  const shorter = cutStatus(large(20_000, 10), 100_000);
  expect(shorter.unsatisfied).toHaveLength(100);
  expect(shorter).not.toHaveProperty("plan");
  expect(shorter.cut).toContain("the plan");
});

test("the size counts bytes, not characters", () => {
  const status = { summary: "é".repeat(MAX_STATUS_BYTES / 2), warnings: [{ code: "PL001", message: "x" }] };
  expect(sizeOf(status)).toBeGreaterThan(MAX_STATUS_BYTES);
  expect(cutStatus(status).cut).toBeDefined();
});

test("no list and no text is longer than the schema of a Resolution allows", () => {
  const long = "x".repeat(5000);
  const status = { summary: long, unsatisfied: large(1001, 5).unsatisfied ?? [] };
  const shorter = cutStatus(status);
  expect(shorter.summary).toHaveLength(4096);
  expect(shorter.unsatisfied).toHaveLength(1000);
  expect(shorter.cut).toEqual(["requests that are not satisfied: only the first 1000 of 1001 are listed"]);
});

test("conditions have bounds of their own", () => {
  const conditions = [{ type: "ConstraintsValid", status: "False", message: "x".repeat(30_000) }];
  expect(cutStatus({ summary: "fine", conditions })).toEqual({ summary: "fine", conditions });
});
