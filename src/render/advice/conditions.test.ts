// Do the conditions say what the answer is, and what puts it in doubt?

import { expect, test } from "vitest";
import { doubtsOf, type ResolutionAdvice } from "../../model/resolution-advice.ts";
import { type AdviceState, adviceConditions, offConditions } from "./conditions.ts";

const NOTHING = { operators: 0, updates: 0, heldBack: 0, unsatisfied: 0, pendingApproval: 0 };
const WELL: AdviceState = {
  status: { outcome: "Resolved", summary: "nothing to change, 2 kept", counts: { ...NOTHING, operators: 2 } },
  constraintErrors: [],
  constraints: 0,
  doubtfulCatalogs: [],
  catalogs: 2,
  lostKinds: [],
  unreadGroups: [],
  configMap: { namespace: "olm", name: "rules" },
};

function said(state: Partial<AdviceState>): Readonly<Record<string, string>> {
  const conditions = adviceConditions({ ...WELL, ...state });
  return Object.fromEntries(
    conditions.map(({ type, status, reason, message }) => [type, `${status} ${reason}: ${message}`]),
  );
}

test("all is well", () => {
  expect(said({})).toEqual({
    Resolved: "True Resolved: nothing to change, 2 kept.",
    UpToDate: "True UpToDate: Nothing better is possible with the catalogs that were read.",
    Progressing: "False Advise: Mode Advise: Plimsoll changes nothing; OLM acts by its own rules.",
    Degraded: "False AllRead: Every kind of object that the answer depends on was read.",
    ConstraintsValid: "True None: There are no runtime constraints.",
    CatalogsReady: "True Ready: 2 catalogs read.",
  });
});

test.each([
  ["Partial", "False"],
  ["Unsatisfiable", "False"],
  ["Undecided", "Unknown"],
] as const)("%s is %s, with the reason", (outcome, status) => {
  const found = said({ status: { outcome, summary: "1 of 2 requests refused", reason: "etcd: no" } });
  expect(found.Resolved).toBe(`${status} ${outcome}: 1 of 2 requests refused: etcd: no`);
});

test("the most important open point is the reason, and all are listed", () => {
  const counts = { operators: 5, updates: 1, heldBack: 2, unsatisfied: 0, pendingApproval: 3 };
  expect(said({ status: { outcome: "Resolved", counts } }).UpToDate).toBe(
    "False HeldBack: 2 operators held back; 3 changes to be approved; 1 change advised.",
  );
});

test("what is broken already comes first", () => {
  const warnings = [{ code: "already-broken", message: "lamp 1.0.0 requires Oil" }];
  expect(said({ status: { ...WELL.status, warnings } }).UpToDate).toBe(
    "False Broken: 1 requirement of installed operators not met (see warnings).",
  );
});

test("a bug is said by its first line, and kinds by their reasons", () => {
  expect(said({ bug: "TypeError: x\n    at y" }).Degraded).toBe("True NoAnswer: Plimsoll has no answer: TypeError: x");
  expect(said({ lostKinds: [{ kind: "Subscription", why: "forbidden" }] }).Degraded).toBe(
    "True KindsNotRead: Subscription objects cannot be read: forbidden",
  );
});

test("the answer is degraded by constraints, and by catalogs that it needs", () => {
  const lost = { name: "b", why: "late", hasContent: false };
  expect(said({ constraintErrors: ["a: no"] }).Degraded).toMatch(/^True ConstraintsInvalid: /);
  expect(said({ doubtfulCatalogs: [lost] }).Degraded).toMatch(/^False AllRead/);
  const status = { ...WELL.status, outcome: "Undecided" as const };
  expect(said({ doubtfulCatalogs: [lost], status }).Degraded).toMatch(/^True CatalogsNotRead: /);
});

test("what no answer has looked at is unknown", () => {
  const found = said({ constraints: undefined, catalogs: undefined });
  expect([found.ConstraintsValid, found.CatalogsReady]).toEqual(
    Array(2).fill("Unknown NoAnswer: It is not known, because no answer was computed."),
  );
  const conditions = adviceConditions({ ...WELL, constraints: undefined, catalogs: undefined, bug: "late" });
  const status = { ...WELL.status, conditions } as unknown as ResolutionAdvice["status"];
  const doubts = doubtsOf({ mode: "Advise", unread: [], status } as unknown as ResolutionAdvice);
  expect(doubts).toMatchObject([{ kind: "condition", condition: { type: "Degraded" } }]);
});

test("every error of the runtime constraints is said", () => {
  expect(said({ constraintErrors: ["a:1:2: no", "a:3:4: nor this"] }).ConstraintsValid).toBe(
    "False Invalid: Nothing is newly installed or updated until this is repaired: a:1:2: no; a:3:4: nor this",
  );
  expect(said({ constraints: 3 }).ConstraintsValid).toBe("True Valid: 3 runtime constraints in ConfigMap olm/rules.");
});

test("catalogs that cannot be relied on are named; with content they are outdated", () => {
  const outdated = { name: "a", namespace: "olm", why: "refused", hasContent: true };
  expect(said({ doubtfulCatalogs: [outdated] }).CatalogsReady).toBe(
    "False Outdated: olm/a: refused (its last known content is used)",
  );
  expect(said({ doubtfulCatalogs: [outdated, { name: "b", why: "late", hasContent: false }] }).CatalogsReady).toBe(
    "False NotRead: olm/a: refused (its last known content is used), b: late",
  );
  expect(said({ catalogs: 0 }).CatalogsReady).toBe("True None: No catalog is available to this namespace.");
  expect(said({ catalogs: 0, isOfClusterScope: true }).CatalogsReady).toBe(
    "True None: No catalog is available to ClusterExtensions.",
  );
});

test("Off says nothing about the namespace, with the same types", () => {
  expect(offConditions().map(({ type }) => type)).toEqual(adviceConditions(WELL).map(({ type }) => type));
  expect(new Set(offConditions().map(({ reason }) => reason))).toEqual(new Set(["Off"]));
});
