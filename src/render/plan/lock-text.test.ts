import { describe, expect, test } from "vitest";
import type { LockDifference } from "../../model/lock.ts";
import { comparisonLines, withComparison } from "./lock-text.ts";

const OF_LAMP = { kind: "change", subject: "lamp", namespace: "ns", generation: 1 } as const;
const STEP = { package: "lamp", from: "lamp.v1", alsoFrom: [], to: "lamp.v2", subscriptions: [] };
const CHANGE: LockDifference = { ...OF_LAMP, was: STEP };
const CHANGED = "lamp takes another path in generation 1 of namespace ns: locked lamp.v1 → lamp.v2; now it stays";
const FACT: LockDifference = {
  kind: "fact",
  subject: "kubernetes.version",
  is: { kind: "fact", subject: "kubernetes.version", value: "1.31.0", digest: "" },
};

describe("text output", () => {
  test("the same", () => {
    expect(comparisonLines("plan.lock", { same: true, generation: 2, generations: 3, differences: [] })).toEqual([
      "plimsoll: this is what was locked in plan.lock (before generation 2 of 3).",
    ]);
  });

  test("when all has been done, or nothing was to be", () => {
    const same = { same: true, differences: [] };
    expect(comparisonLines("a", { ...same, generation: 4, generations: 3 })).toEqual([
      "plimsoll: this is what was locked in a (after its last generation).",
    ]);
    expect(comparisonLines("a", { ...same, generation: 1, generations: 0 })).toEqual([
      "plimsoll: this is what was locked in a (nothing was to be done).",
    ]);
  });

  test("the same, though something has changed", () => {
    expect(comparisonLines("plan.lock", { same: true, generation: 1, generations: 3, differences: [FACT] })).toEqual([
      "plimsoll: this is what was locked in plan.lock (before generation 1 of 3), though not everything is as it was:",
      "  - the cluster's kubernetes.version is new: 1.31.0",
    ]);
  });

  test("another answer, and why", () => {
    expect(
      comparisonLines("plan.lock", { same: false, generation: 1, generations: 3, differences: [CHANGE, FACT] }),
    ).toEqual([
      "plimsoll: this is not what was locked in plan.lock (before generation 1 of 3):",
      `  - ${CHANGED}`,
      "What has changed since:",
      "  - the cluster's kubernetes.version is new: 1.31.0",
    ]);
  });

  test("another answer, for an unknown reason", () => {
    expect(comparisonLines("plan.lock", { same: false, generation: 1, generations: 3, differences: [CHANGE] })).toEqual(
      [
        "plimsoll: this is not what was locked in plan.lock (before generation 1 of 3):",
        `  - ${CHANGED}`,
        "As far as the lock can tell, nothing else has changed.",
      ],
    );
  });

  test("nothing that would harm a terminal, and not too much", () => {
    const differences = Array.from({ length: 60 }, () => ({ ...FACT, subject: "\u001b[31mred" }));
    const lines = comparisonLines("\u001b.lock", { same: true, generation: 1, generations: 3, differences });
    expect(lines).toHaveLength(52);
    expect(lines.at(-1)).toBe("  and 10 more; -o json lists all of them");
    expect(lines.join("")).not.toContain("\u001b");
  });
});

test("a report has it in a separate field, if there is a lock", () => {
  const comparison = { same: false, generation: 3, generations: 3, differences: [CHANGE] };
  expect(withComparison({ kind: "Plan" }, comparison)).toEqual({
    kind: "Plan",
    lock: { ...comparison, differences: [{ kind: "change", subject: "lamp", text: CHANGED }] },
  });
  expect(withComparison({ kind: "Plan" }, undefined)).toEqual({ kind: "Plan" });
});
