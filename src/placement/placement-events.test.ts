import { describe, expect, test } from "vitest";
import { eventNote } from "../render/sentence/placement-status.ts";
import { type EventsQuestion, eventsOf } from "./placement-events.ts";
import type { SliceWrite } from "./write/safe-write-order.ts";

const SLICE = "placement1-decision-1";

function update(name: string, clusters: readonly string[], score = 0): SliceWrite {
  return { call: "update", name, decisions: clusters.map((clusterName) => ({ clusterName, reason: "", score })) };
}

/** The events of writes to the slices of ns1/placement1, the first of which had cluster1. */
function events(writes: readonly SliceWrite[], more: Partial<EventsQuestion> = {}) {
  return eventsOf({
    placement: { namespace: "ns1", name: "placement1" },
    writes,
    before: (slice) => (slice === SLICE ? ["cluster1"] : undefined),
    scores: new Map([
      ["cluster2", 92],
      ["cluster1", 85],
    ]),
    ...more,
  }).map(({ note, ...event }) => ({ ...event, note: eventNote(note) }));
}

const REFERENCE = { apiVersion: "cluster.open-cluster-management.io/v1beta1", namespace: "ns1" };
const regarding = { ...REFERENCE, kind: "Placement", name: "placement1" };
const related = { ...REFERENCE, kind: "PlacementDecision", name: SLICE };
const reportingController = "placement-controller";

describe("events (OCM cases J)", () => {
  // In OCM's own test a fake client keeps the clusters of a creation; a real server ignores them (H21).
  test("J1: a new decision is created, and that is all", () => {
    const writes: SliceWrite[] = [{ call: "create", name: SLICE, labels: {} }];
    expect(events(writes, { before: () => undefined })).toEqual([
      {
        type: "Normal",
        reason: "DecisionCreate",
        action: "DecisionCreated",
        regarding,
        related,
        note: "created decision placement1-decision-1 of placement ns1/placement1",
        reportingController,
      },
    ]);
  });

  test("without scores: no event about them", () => {
    const writes = [update(SLICE, ["cluster1", "cluster2"])];
    expect(events(writes).map(({ reason }) => reason)).toEqual(["DecisionUpdate", "ScoreUpdate"]);
    expect(events(writes, { scores: undefined }).map(({ reason }) => reason)).toEqual(["DecisionUpdate"]);
  });

  test("H21: a new decision is created, and then gets its clusters", () => {
    const writes: SliceWrite[] = [{ call: "create", name: SLICE, labels: {} }, update(SLICE, ["cluster1"])];
    expect(events(writes, { before: () => undefined }).map(({ reason }) => reason)).toEqual([
      "DecisionCreate",
      "DecisionUpdate",
      "ScoreUpdate",
    ]);
  });

  test("J2: other clusters are an update, followed by all scores by name", () => {
    expect(events([update(SLICE, ["cluster1", "cluster2"])])).toEqual([
      {
        type: "Normal",
        reason: "DecisionUpdate",
        action: "DecisionUpdated",
        regarding,
        related,
        note: "updated decision placement1-decision-1 of placement ns1/placement1",
        reportingController,
      },
      {
        type: "Normal",
        reason: "ScoreUpdate",
        action: "ScoreUpdated",
        regarding,
        related,
        note: "cluster1:85 cluster2:92 ",
        reportingController,
      },
    ]);
  });

  test("a slice that goes is a deletion", () => {
    expect(events([{ call: "delete", name: SLICE }])).toEqual([
      {
        type: "Normal",
        reason: "DecisionDelete",
        action: "DecisionDeleted",
        regarding,
        related,
        note: "deleted decision placement1-decision-1 of placement ns1/placement1",
        reportingController,
      },
    ]);
  });

  test("J4: no change is no event, nor are labels, nor scores alone", () => {
    expect(events([])).toEqual([]);
    expect(events([{ call: "label", name: SLICE, labels: { a: "b" } }])).toEqual([]);
    expect(events([update(SLICE, ["cluster1"], 7)])).toEqual([]);
    const before = () => ["cluster1", "cluster2"];
    expect(events([update(SLICE, ["cluster2", "cluster1"], 7)], { before })).toEqual([]);
  });

  test("J5: a warning names its plugin", () => {
    const warning = { plugin: "TestPlugin", message: " test warning" };
    const found = events([update(SLICE, ["cluster1", "cluster2"])], { warning });
    expect(found.map(({ type, reason, note }) => [type, reason, note])).toEqual([
      [
        "Warning",
        "DecisionUpdate",
        "updated decision placement1-decision-1 of placement ns1/placement1; TestPlugin warns: test warning",
      ],
      ["Normal", "ScoreUpdate", "cluster1:85 cluster2:92 "],
    ]);
    const long = events([update(SLICE, [])], { warning: { plugin: "P", message: "x".repeat(5000) } });
    expect(long[0]?.note).toMatch(/^.{1000}\.{6}$/);
  });

  test("J6: many scores are cut", () => {
    const scores = new Map(Array.from({ length: 1000 }, (_, index) => [`cluster${index}`, index] as const));
    const [, { note } = { note: "" }] = events([update(SLICE, [])], { scores });
    expect(note.endsWith(" ......")).toBe(true);
    expect(note.length).toBeLessThanOrEqual(1006);
    expect(note.length).toBeGreaterThan(980);
    expect(note.startsWith("cluster0:0 cluster1:1 cluster10:10 ")).toBe(true);
    // 100 pairs of ten characters are exactly 1000: nothing is left out.
    const fitting = new Map(Array.from({ length: 100 }, (_, index) => [`name${100 + index}`, 5] as const));
    expect(events([update(SLICE, [])], { scores: fitting })[1]?.note).toHaveLength(1000);
  });

  test("each write is compared with the one before it", () => {
    const writes = [
      update(SLICE, ["cluster1", "cluster2"]),
      update(SLICE, ["cluster2", "cluster1"]),
      update(SLICE, ["cluster2"]),
      { call: "create", name: "b", labels: {} } as const,
      update("b", ["cluster1"]),
      update("b", []),
      { call: "delete", name: SLICE } as const,
    ];
    expect(events(writes).map(({ reason, related: { name } }) => `${reason} ${name}`)).toEqual([
      `DecisionUpdate ${SLICE}`,
      `ScoreUpdate ${SLICE}`,
      `DecisionUpdate ${SLICE}`,
      `ScoreUpdate ${SLICE}`,
      "DecisionCreate b",
      "DecisionUpdate b",
      "ScoreUpdate b",
      "DecisionUpdate b",
      "ScoreUpdate b",
      `DecisionDelete ${SLICE}`,
    ]);
  });
});
