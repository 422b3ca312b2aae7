import { describe, expect, test } from "vitest";
import type { Condition } from "../model/condition.ts";
import type { JsonObject } from "../model/json.ts";
import type { PlacementDecisions } from "../placement/placement-result.ts";
import { statusPatch, type WantedStatus } from "./placement-status.ts";
import { ALL_FIELDS, type StoredFields } from "./stored-fields.ts";

const NOW = "2026-03-01T12:00:00Z";
const BEFORE = "2026-01-01T00:00:00Z";

const DECISIONS: PlacementDecisions = {
  selected: ["c1", "c2", "c3"],
  groups: [
    { index: 0, name: "canary", clusters: ["c1"] },
    { index: 1, name: "", clusters: ["c2", "c3"] },
  ],
  slices: [
    { name: "p-decision-1", groupIndex: 0, groupName: "canary", clusters: ["c1"] },
    { name: "p-decision-2", groupIndex: 1, groupName: "", clusters: ["c2"] },
    { name: "p-decision-3", groupIndex: 1, groupName: "", clusters: ["c3"] },
  ],
};
const GROUPS = [
  { decisionGroupIndex: 0, decisionGroupName: "canary", decisions: ["p-decision-1"], clusterCount: 1 },
  { decisionGroupIndex: 1, decisionGroupName: "", decisions: ["p-decision-2", "p-decision-3"], clusterCount: 2 },
];
const SATISFIED: Condition = {
  type: "PlacementSatisfied",
  status: "True",
  reason: "AllDecisionsScheduled",
  message: "All",
  observedGeneration: 3,
};
const WRITTEN = { ...SATISFIED, lastTransitionTime: BEFORE } as unknown as JsonObject;
const CURRENT: JsonObject = { numberOfSelectedClusters: 3, decisionGroups: GROUPS, conditions: [WRITTEN] };

function patch(wanted: Partial<WantedStatus> = {}, current: JsonObject = CURRENT, stored: StoredFields = ALL_FIELDS) {
  return statusPatch({ decisions: DECISIONS, conditions: [SATISFIED], ...wanted }, current, stored, NOW);
}

test("a status that is right already needs no write (I12)", () => {
  expect(patch()).toBeUndefined();
});

test("a new status has everything, and the transition is now (I8)", () => {
  expect(patch({}, {})).toEqual({
    numberOfSelectedClusters: 3,
    decisionGroups: GROUPS,
    conditions: [{ ...SATISFIED, lastTransitionTime: NOW }],
  });
});

test("only what differs is written", () => {
  expect(patch({}, { ...CURRENT, numberOfSelectedClusters: 2 })).toEqual({ numberOfSelectedClusters: 3 });
});

describe("conditions", () => {
  const times = (found: JsonObject | undefined) =>
    ((found?.conditions ?? []) as readonly JsonObject[]).map(({ type, lastTransitionTime }) => [
      type,
      lastTransitionTime,
    ]);

  test("keep the time of their transition while the status is the same", () => {
    const found = patch({ conditions: [{ ...SATISFIED, message: "other", observedGeneration: 4 }] });
    expect(found?.conditions).toEqual([
      { ...SATISFIED, message: "other", observedGeneration: 4, lastTransitionTime: BEFORE },
    ]);
  });

  test("get a new one when it changes", () => {
    expect(times(patch({ conditions: [{ ...SATISFIED, status: "False" }] }))).toEqual([["PlacementSatisfied", NOW]]);
  });

  test("of others stay, own ones that are not wanted any more go (--compat ocm)", () => {
    const conditions = [{ type: "Other", status: "True" }, WRITTEN, { type: "PlacementEvaluated", status: "True" }];
    expect(times(patch({}, { ...CURRENT, conditions }))).toEqual([
      ["Other", undefined],
      ["PlacementSatisfied", BEFORE],
    ]);
    const keepsOthers = "all";
    expect(
      times(patch({ keepsOthers, conditions: [{ ...SATISFIED, status: "False" }] }, { ...CURRENT, conditions })),
    ).toEqual([
      ["Other", undefined],
      ["PlacementSatisfied", NOW],
      ["PlacementEvaluated", undefined],
    ]);
  });

  test("as OCM has them: those of others stay as they are, own ones without a generation", () => {
    const other = { type: "Other", status: "True", observedGeneration: 3 };
    const misconfigured = { type: "PlacementMisconfigured", status: "False", observedGeneration: 3 };
    const conditions = [other, misconfigured, { type: "PlacementEvaluated", status: "True", observedGeneration: 3 }];
    const { observedGeneration: _, ...satisfied } = SATISFIED;
    const found = patch({ keepsOthers: "ocm", conditions: [satisfied] }, { ...CURRENT, conditions });
    expect(found?.conditions).toEqual([
      other,
      { type: "PlacementMisconfigured", status: "False" },
      { ...satisfied, lastTransitionTime: NOW },
    ]);
  });

  test.each([["garbage"], [null], [[1, null, { type: 5 }]], [{}]])("that are %j do no harm", (conditions) => {
    expect(patch({}, { ...CURRENT, conditions })?.conditions).toContainEqual({ ...SATISFIED, lastTransitionTime: NOW });
  });

  test("a status condition without a time gets one", () => {
    const { lastTransitionTime: _, ...timeless } = WRITTEN;
    expect(times(patch({}, { ...CURRENT, conditions: [timeless] }))).toEqual([["PlacementSatisfied", NOW]]);
  });
});

test("fields that the CRD does not store are neither written nor compared", () => {
  const stored = { ...ALL_FIELDS, placementStatus: new Set(["conditions", "numberOfSelectedClusters"]) };
  const { decisionGroups: _, ...current } = CURRENT;
  expect(patch({ lastScoreUpdateTime: NOW }, current, stored)).toBeUndefined();
  expect(patch({ lastScoreUpdateTime: NOW }, current)).toEqual({ decisionGroups: GROUPS, lastScoreUpdateTime: NOW });
});

test("without scores, the time of their last update goes, and is not written where there is none", () => {
  expect(patch({ lastScoreUpdateTime: null })).toBeUndefined();
  expect(patch({ lastScoreUpdateTime: null }, { ...CURRENT, lastScoreUpdateTime: BEFORE })).toEqual({
    lastScoreUpdateTime: null,
  });
});

test("without decisions, what the status says of clusters stays", () => {
  expect(patch({ decisions: undefined, conditions: [{ ...SATISFIED, status: "False" }] }, {})).toEqual({
    conditions: [{ ...SATISFIED, status: "False", lastTransitionTime: NOW }],
  });
});
