// What is the verdict on each Subscription?

import { expect, test } from "vitest";
import type { AdvisedOperator } from "../../model/resolution-object.ts";
import { isSameVerdict, type Verdict, verdictsOf } from "./verdicts.ts";

function operator(more: Partial<AdvisedOperator>): AdvisedOperator {
  return { package: "p", bundle: "p.v1", action: "keep", reason: "it stays", subscription: "ns/p", ...more };
}

const explained = { summary: "p is held back", why: [] };

test.each([
  [{ operators: [operator({})] }, "UpToDate p.v1"],
  [{ operators: [operator({ action: "install" })] }, "InstallAdvised p.v1"],
  [{ operators: [operator({ action: "update", bundle: "p.v2", replaces: "p.v1" })] }, "UpdateAdvised p.v2"],
  [
    { operators: [operator({})], heldBack: [{ package: "p", bundle: "p.v1", available: ["p.v2"], ...explained }] },
    "HeldBack p.v1",
  ],
  [
    {
      operators: [operator({ action: "update", bundle: "p.v2", replaces: "p.v1" })],
      heldBack: [{ package: "p", bundle: "p.v2", available: ["p.v3"], ...explained }],
    },
    "HeldBack p.v2",
  ],
  [
    {
      operators: [operator({})],
      pendingApproval: [{ subscriptions: ["ns/p"], changes: [{ package: "p", from: "p.v1", to: "p.v2" }] }],
    },
    "ApprovalRequired p.v2",
  ],
  [
    { unsatisfied: [{ package: "p", subscription: "ns/p", undecided: false, summary: "no", why: [] }] },
    "NotPossible undefined",
  ],
  [
    { unsatisfied: [{ package: "p", subscription: "ns/p", undecided: true, summary: "?", why: [] }] },
    "Undecided undefined",
  ],
])("%#: %s", (status, expected) => {
  const { kind, bundle } = verdictsOf(status).get("ns/p") as Verdict;
  expect(`${kind} ${bundle}`).toBe(expected);
});

test("what is installed for others has no verdict", () => {
  expect(verdictsOf({ operators: [{ package: "q", bundle: "q.v1", action: "install", reason: "needed" }] }).size).toBe(
    0,
  );
});

test("another bundle is another verdict, another note is not", () => {
  const verdict: Verdict = { kind: "UpdateAdvised", bundle: "p.v2", note: "a" };
  expect(isSameVerdict(verdict, { ...verdict, note: "b" })).toBe(true);
  expect(isSameVerdict(verdict, { ...verdict, bundle: "p.v3" })).toBe(false);
});
