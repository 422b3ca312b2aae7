// When is the status of a Placement written? Decisions come first; numbers and messages follow, and a condition that changes does not wait.

import { expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { object, PATHS, Story } from "./hub-story.ts";

const ofPlacements = (writes: readonly string[]) => writes.filter((write) => write.includes("/placements/"));
const ofDecisions = (writes: readonly string[]) => writes.filter((write) => write.includes("/placementdecisions/"));

test("numbers in messages wait like those of fields", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putPlacement("p0", { numberOfClusters: 40 });
  story.putCluster("c0");
  story.start();
  await clock.pass(60_000);
  const { length } = api.writes;
  for (let count = 1; count <= 20; count++) {
    story.putCluster(`c${count}`);
    await clock.pass(500);
  }
  expect(ofDecisions(api.writes.slice(length))).toHaveLength(20);
  expect(ofPlacements(api.writes.slice(length)).length).toBeLessThanOrEqual(3);
  await clock.pass(5000);
  expect(JSON.stringify(story.status("p0"))).toContain("19 cluster decisions");
  // A condition that changes is written at once.
  story.putPlacement("p0", { numberOfClusters: 21 });
  await clock.pass(500);
  expect(JSON.stringify(story.status("p0"))).toContain("AllDecisionsScheduled");
  await story.stop();
});

test("changes of scores alone are limited also when numbers of the status have to wait", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  const score = (value: number): void => story.putScore("c0", "demo", [{ name: "cpu", value }]);
  const scoreCoordinate = { type: "AddOn", addOn: { resourceName: "demo", scoreName: "cpu" } };
  const prioritizerPolicy = { mode: "Exact", configurations: [{ scoreCoordinate, weight: 1 }] };
  story.putPlacement("p0", { prioritizerPolicy, scoreRateLimit: "2s" });
  story.putCluster("c0");
  score(1);
  story.start();
  await clock.pass(60_000);
  // The status is written, and then waits.
  story.putCluster("c1");
  await clock.pass(2500);
  const { length } = api.writes;
  for (let value = 2; value < 22; value++) {
    score(value);
    await clock.pass(100);
  }
  expect(ofDecisions(api.writes.slice(length)).length).toBeLessThanOrEqual(2);
  await story.stop();
});

test("a status that had to wait says when scores were written, and not when it was written itself", async () => {
  const story = new Story(0);
  const { clock } = story;
  story.putPlacement("p0");
  story.putCluster("c0");
  story.start();
  await clock.pass(60_000);
  story.putCluster("c1");
  // Longer than the limit of changes of scores alone.
  await clock.pass(200_000);
  // The status is written, and the next one waits.
  story.putCluster("c2");
  await clock.pass(1000);
  story.putCluster("c3");
  await clock.pass(1000);
  const written = clock.now();
  expect(story.decided("p0-decision-1")).toEqual(["c0", "c1", "c2", "c3"]);
  expect(story.status("p0").numberOfSelectedClusters).toBe(3);
  await clock.pass(10_000);
  const { numberOfSelectedClusters, lastScoreUpdateTime } = story.status("p0");
  expect(numberOfSelectedClusters).toBe(4);
  expect(written - Date.parse(`${lastScoreUpdateTime}`)).toBeLessThan(2000);
  expect(written - Date.parse(`${lastScoreUpdateTime}`)).toBeGreaterThanOrEqual(0);
  await story.stop();
});

test("a status that had to wait does not take back the time of another leader", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putPlacement("p0");
  story.putCluster("c0");
  story.start();
  await clock.pass(200_000);
  story.putCluster("c1");
  await clock.pass(1000);
  story.putCluster("c2");
  await clock.pass(1000);
  expect(story.status("p0").numberOfSelectedClusters).toBe(2);
  story.hub.lead(undefined);
  const later = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  api.patch(PATHS.placement("p0"), { status: { lastScoreUpdateTime: later } });
  await clock.pass(5000);
  story.hub.lead(2);
  await clock.pass(5000);
  const { numberOfSelectedClusters, lastScoreUpdateTime } = story.status("p0");
  expect([numberOfSelectedClusters, lastScoreUpdateTime]).toEqual([3, later]);
  await story.stop();
});

test("only a Placement that sorts by scores has them in its decisions, and their time in its status", async () => {
  const story = new Story(0);
  story.decisionScores = "sorted";
  const { api, clock } = story;
  story.putCluster("c0");
  story.putPlacement("p0");
  story.putPlacement("p1", { sortBy: "Score" });
  story.start();
  await clock.pass(60_000);
  const fieldsOf = (name: string): readonly string[] =>
    (partOf(api.object(PATHS.decision(name)) ?? {}, "status").decisions as readonly JsonObject[]).flatMap(Object.keys);
  expect(fieldsOf("p0-decision-1")).toEqual(["clusterName", "reason"]);
  expect(fieldsOf("p1-decision-1")).toEqual(["clusterName", "reason", "score"]);
  expect([story.status("p0"), story.status("p1")].map((status) => "lastScoreUpdateTime" in status)).toEqual([
    false,
    true,
  ]);
  // A mistake keeps the decisions, but not scores that were written for it.
  api.patch(PATHS.decision("p0-decision-1"), {
    status: { decisions: [{ clusterName: "c0", reason: "before", score: 5 }] },
  });
  story.putPlacement("p0", { prioritizerPolicy: { mode: "Wrong" } });
  await clock.pass(60_000);
  expect(fieldsOf("p0-decision-1")).toEqual(["clusterName", "reason"]);
  // It does not sort by them any more.
  story.putPlacement("p1");
  await clock.pass(60_000);
  expect(fieldsOf("p1-decision-1")).toEqual(["clusterName", "reason"]);
  expect(story.status("p1")).not.toHaveProperty("lastScoreUpdateTime");
  await story.stop();
});

test("a Placement that is to be left alone gets no status, even if a PlacementDecision of it cannot be read", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  const annotations = { "cluster.open-cluster-management.io/experimental-scheduling-disable": "true" };
  const { metadata, ...placement } = object("Placement", "v1beta1", "p0", { spec: {} });
  api.put(PATHS.placement("p0"), { ...placement, metadata: { ...(metadata as JsonObject), annotations } });
  api.put(
    PATHS.decision("p0-decision-1"),
    object("PlacementDecision", "v1beta1", "p0-decision-1", { status: { decisions: "x" } }),
  );
  story.putCluster("c0");
  story.start();
  await clock.pass(60_000);
  expect(api.writes).toEqual([]);
  await story.stop();
});
