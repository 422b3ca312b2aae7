// What becomes of a PlacementDecision whose label was removed by hand? Its owner references still name its Placement, and its clusters
// are still decided for those who find it by its name.

import { expect, test } from "vitest";
import { partOf } from "../../src/model/json.ts";
import { PLACEMENT_LABEL } from "../../src/placement/decide/decided-slices.ts";
import { DECISIONS, NAMESPACE, PATHS, Story } from "./hub-story.ts";

const FIRST = PATHS.decision("p0-decision-1");

test.each([undefined, "ocm"] as const)("compat %s: it gets its label back, and goes on", async (compat) => {
  const story = new Story(0, compat);
  const { api, clock } = story;
  for (const name of ["c1", "c2"]) story.putCluster(name);
  story.putPlacement("p0");
  story.start();
  await clock.pass(60_000);
  expect(story.judged(new Set())).toEqual([]);

  api.patch(FIRST, { metadata: { labels: { [PLACEMENT_LABEL]: null } } });
  await clock.pass(60_000);
  expect(partOf(partOf(api.object(FIRST) ?? {}, "metadata"), "labels")[PLACEMENT_LABEL]).toBe("p0");
  expect(api.collection(DECISIONS)).toHaveLength(1);
  expect(story.judged(new Set([`${NAMESPACE}/p0`]))).toEqual([]);

  api.remove(PATHS.cluster("c2"));
  story.putCluster("c3");
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c3"]);
  expect(story.judged(new Set())).toEqual([]);
  await story.stop();
});
