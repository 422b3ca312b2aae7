// What does the placement controller do after a write without an answer? It may have happened or not, and others may have written since.

import { expect, test } from "vitest";
import type { WatchEvent } from "../../src/kube/watch-events.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { DECISIONS, PATHS, Story } from "./hub-story.ts";
import type { MemoryApi } from "./memory-api.ts";

const FIRST = PATHS.decision("p0-decision-1");
const TIMEOUT = new NetFailure("timeout", "no answer in time");

/** A Placement with a decision group for each of two tiers: c1 and c2 stay, c3 begins in the second. */
async function twoGroups(server: (api: MemoryApi) => unknown = (api) => api): Promise<Story> {
  const story = new Story(0);
  const groups = ["t1", "t2"].map((tier) => ({
    groupName: tier,
    groupClusterSelector: { labelSelector: { matchLabels: { tier } } },
  }));
  story.putPlacement("p0", { decisionStrategy: { groupStrategy: { decisionGroups: groups } } });
  story.putCluster("c1", { tier: "t1" });
  story.putCluster("c2", { tier: "t2" });
  story.putCluster("c3", { tier: "t2" });
  story.start(server(story.api));
  await story.clock.pass(60_000);
  expect(story.judged(new Set())).toEqual([]);
  return story;
}

/** The next write of an object by a method is carried out, and its answer is lost. */
function loseOne({ api }: Story, method: string, path: string): void {
  let isLost = false;
  api.faultOf = (request) => {
    if (isLost || request.method !== method || !request.path.startsWith(path)) return undefined;
    isLost = true;
    return { lose: TIMEOUT };
  };
}

/** A server that keeps back what its watch of PlacementDecisions would bring, while `isHeld`. */
function heldBack(api: MemoryApi, isHeld: () => boolean, held: (() => void)[]): unknown {
  return {
    ...api,
    watch: (path: string, options: Parameters<MemoryApi["watch"]>[1], take: (event: WatchEvent) => void) =>
      api.watch(path, options, (event) => {
        if (isHeld() && path === DECISIONS) held.push(() => take(event));
        else take(event);
      }),
  };
}

/** The clusters of both slices. */
function slices(story: Story): readonly unknown[] {
  return ["p0-decision-1", "p0-decision-2"].map((name) => story.decided(name));
}

test("another client has written it since, and the watch is late: no cluster is missing from all slices", async () => {
  let isHeld = false;
  const held: (() => void)[] = [];
  const story = await twoGroups((api) => heldBack(api, () => isHeld, held));
  const { api, clock } = story;
  const move = async (tier: string): Promise<void> => {
    story.putCluster("c3", { tier });
    await clock.pass(3000);
  };
  loseOne(story, "PUT", FIRST);
  let reads = 0;
  api.faultOfRead = () => {
    if (reads++ === 0) api.patch(FIRST, { metadata: { annotations: { theirs: "x" } } });
    return undefined;
  };
  isHeld = true;
  await move("t1");
  await move("t2");
  // The write that has no answer, and nothing of what came after it.
  held.shift()?.();
  await move("t1");
  isHeld = false;
  for (const bring of held) bring();
  await clock.pass(60_000);
  expect(story.judged(new Set())).toEqual([]);
  expect(slices(story)).toEqual([["c1", "c3"], ["c2"]]);
  await story.stop();
});

test("as long as it cannot be read, nothing else is written; the status reports it, and what was lost is kept", async () => {
  const story = await twoGroups();
  const { api, clock } = story;
  loseOne(story, "PUT", FIRST);
  let reads = 0;
  api.faultOfRead = () => {
    reads++;
    return TIMEOUT;
  };
  const { length } = api.writes;
  story.putCluster("c3", { tier: "t1" });
  await clock.pass(4000);
  expect(api.writes.slice(length)).toEqual([`PUT ${FIRST}/status`]);
  expect(reads).toBeGreaterThan(2);
  api.faultOfRead = () => undefined;
  await clock.pass(60_000);
  expect(slices(story)).toEqual([["c1", "c3"], ["c2"]]);
  expect(story.judged(new Set())).toEqual([]);
  await story.stop();
});

test("while the watch is late, it is not read again at every change", async () => {
  let isHeld = false;
  const held: (() => void)[] = [];
  const story = await twoGroups((api) => heldBack(api, () => isHeld, held));
  const { api, clock } = story;
  loseOne(story, "PUT", FIRST);
  let reads = 0;
  api.faultOfRead = () => {
    reads++;
    return undefined;
  };
  isHeld = true;
  story.putCluster("c3", { tier: "t1" });
  for (let change = 0; change < 100; change++) {
    await clock.pass(40);
    story.putCluster("c4", { tier: change % 2 === 0 ? "t2" : "t1" });
  }
  expect(reads).toBeGreaterThan(2);
  expect(reads).toBeLessThan(25);
  isHeld = false;
  for (const bring of held) bring();
  await clock.pass(60_000);
  expect(slices(story)).toEqual([["c1", "c3", "c4"], ["c2"]]);
  await story.stop();
});

test("Retry-After of the read is respected", async () => {
  const story = await twoGroups();
  const { api, clock } = story;
  loseOne(story, "PUT", FIRST);
  let reads = 0;
  api.faultOfRead = () => (reads++ === 0 ? new NetFailure("throttled", "429", { retryAfter: 20_000 }) : undefined);
  story.putCluster("c3", { tier: "t1" });
  await clock.pass(15_000);
  expect(reads).toBe(1);
  await clock.pass(60_000);
  expect(slices(story)).toEqual([["c1", "c3"], ["c2"]]);
  await story.stop();
});

test("it was the create of a PlacementDecision: it is not created again", async () => {
  const story = await twoGroups();
  const { api, clock } = story;
  loseOne(story, "POST", DECISIONS.replace("/placementdecisions", "/namespaces"));
  const { length } = api.writes;
  story.putPlacement("p1");
  await clock.pass(60_000);
  expect(story.decided("p1-decision-1")).toEqual(["c1", "c2", "c3"]);
  expect(api.writes.slice(length).filter((write) => write.startsWith("POST"))).toHaveLength(1);
  await story.stop();
});

test("another client has deleted it since: it is created again", async () => {
  const story = await twoGroups();
  const { api, clock } = story;
  loseOne(story, "PUT", FIRST);
  let isRemoved = false;
  api.faultOfRead = () => {
    if (!isRemoved) api.remove(FIRST);
    isRemoved = true;
    return undefined;
  };
  story.putCluster("c3", { tier: "t1" });
  await clock.pass(60_000);
  expect(slices(story)).toEqual([["c1", "c3"], ["c2"]]);
  await story.stop();
});

test("a stop while it is read is not a failure", async () => {
  const story = await twoGroups();
  const { api, clock } = story;
  loseOne(story, "PUT", FIRST);
  api.faultOfRead = () => new NetFailure("cancelled", "the read was cancelled");
  story.putCluster("c3", { tier: "t1" });
  await clock.pass(1000);
  await story.stop();
  expect(JSON.stringify(story.logged)).not.toContain("cancelled");
});

test("what other clients have in the status of a PlacementDecision stays when its clusters change", async () => {
  const story = await twoGroups();
  const { api, clock } = story;
  const theirs = { conditions: [{ type: "Theirs", status: "True" }] };
  api.patch(FIRST, { status: theirs });
  story.putCluster("c3", { tier: "t1" });
  await clock.pass(60_000);
  expect(slices(story)).toEqual([["c1", "c3"], ["c2"]]);
  expect(api.object(FIRST)?.status).toMatchObject(theirs);
  await story.stop();
});
