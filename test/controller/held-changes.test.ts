// What the watch delivers of the objects of a plan that is under way waits for the answers: is the last change of each object the one that
// counts in the end?

import { expect, test } from "vitest";
import { own, partOf } from "../../src/model/json.ts";
import { OCM, PATHS, Story } from "./hub-story.ts";

test("a PlacementDecision goes to another Placement and is deleted while its own one is written: the deletion counts", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  const select = (tier: string) => ({
    predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { tier } } } }],
  });
  story.putPlacement("a", select("a"));
  story.putPlacement("b", select("b"));
  story.putCluster("c1", { tier: "a" });
  story.putCluster("c2", { tier: "b" });
  story.start();
  await clock.pass(60_000);
  api.delayOf = () => 1000;
  const decision = PATHS.decision("a-decision-1");
  story.putCluster("c3", { tier: "a" });
  await clock.pass(500);
  api.patch(decision, { metadata: { labels: { [`${OCM}/placement`]: "b" } } });
  await clock.pass(50);
  api.remove(decision);
  await clock.pass(10_000);
  expect(story.decided("a-decision-1")).toEqual(["c1", "c3"]);
  const labels = partOf(partOf(api.object(decision) ?? {}, "metadata"), "labels");
  expect(own(labels, `${OCM}/placement`)).toBe("a");
  // What b has is what the hub has.
  story.putCluster("c4", { tier: "b" });
  await clock.pass(10_000);
  expect(story.decided("b-decision-1")).toEqual(["c2", "c4"]);
  expect(story.logged.filter(({ level }) => level === "error")).toEqual([]);
  await story.stop();
});
