// What does the placement controller do in sequences that are rare and were wrong once, or easily could be? On an API server in memory.

import { expect, test } from "vitest";
import type { WriteRequest } from "../../src/kube/api-server.ts";
import { type JsonObject, own, partOf } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { NAMESPACE, OCM, object, oneOfEach, PATHS, Story } from "./hub-story.ts";
import type { Fault } from "./memory-api.ts";

test.each([
  ["the watch is late", () => undefined],
  ["the watch is late and answers are lost", loses],
] as const)("a cluster that goes to and fro between two groups is never missing, while %s", async (_, faultOf) => {
  for (let seed = 0; seed < 60; seed++) {
    const story = new Story(2 * seed + 1);
    const { api, clock, dice } = story;
    const put = (name: string, tier: string): void => story.putCluster(name, { tier });
    const groups = ["t1", "t2"].map((tier) => ({
      groupName: `group-${tier}`,
      groupClusterSelector: { labelSelector: { matchLabels: { tier } } },
    }));
    const decisionStrategy = { groupStrategy: { decisionGroups: groups } };
    api.put(PATHS.placement("p0"), object("Placement", "v1beta1", "p0", { spec: { decisionStrategy } }));
    put("c1", "t1");
    put("c2", "t2");
    put("c3", "t1");
    story.start();
    await story.settle();
    expect(story.judged(new Set())).toEqual([]);
    api.faultOf = () => faultOf(dice);
    for (let flip = 0; flip < 6; flip++) {
      put("c3", flip % 2 === 0 ? "t2" : "t1");
      await clock.pass(50 + dice(600));
    }
    api.faultOf = () => undefined;
    await story.settle();
    await story.stop();
    expect({ seed, violations: story.judged(new Set()) }).toEqual({ seed, violations: [] });
  }
});

/** Every fourth write is carried out, and its answer is lost. */
function loses(dice: (limit: number) => number): Fault | undefined {
  return dice(4) === 0 ? { lose: new NetFailure("timeout", "no answer in time") } : undefined;
}

test("the wall clock is set forwards and backwards: as after a fresh start, within half a minute, although nothing else happens", async () => {
  const HOUR = 3600_000;
  const story = new Story(0);
  const { api, clock } = story;
  const timeAdded = new Date(clock.now() - HOUR / 2).toISOString();
  const tolerations = [{ key: "k", operator: "Exists", tolerationSeconds: 3600 }];
  api.put(PATHS.placement("p0"), object("Placement", "v1beta1", "p0", { spec: { tolerations } }));
  const taints = [{ key: "k", effect: "NoSelect", timeAdded }];
  api.put(PATHS.cluster("c1"), object("ManagedCluster", "v1", "c1", { spec: { taints } }));
  api.put(PATHS.cluster("c2"), object("ManagedCluster", "v1", "c2", { spec: {} }));
  const selected = async (): Promise<readonly string[] | undefined> => {
    await clock.pass(31_000);
    story.judged(new Set());
    return story.selected()[`${NAMESPACE}/p0`];
  };
  const start = clock.now();
  story.start();
  expect(await selected()).toEqual(["c1", "c2"]);
  clock.set(start + HOUR);
  expect(await selected()).toEqual(["c2"]);
  clock.set(start);
  expect(await selected()).toEqual(["c1", "c2"]);
  clock.set(start - 10 * HOUR);
  expect(await selected()).toEqual(["c1", "c2"]);
  clock.set(start + 40 * 24 * HOUR);
  expect(await selected()).toEqual(["c2"]);
  const { length } = api.writes;
  await story.stop();
  story.start();
  expect(await selected()).toEqual(["c2"]);
  expect(api.writes.slice(length)).toEqual([]);
  await story.stop();
});

test("a watch that is slower than an answer of the same plan: the engine ends with the newer one, whenever answers are applied", async () => {
  for (let offset = 40; offset < 160; offset += 3) {
    const story = new Story(0);
    const { api, clock } = story;
    [api.delayOf, api.lagOf] = [() => 5, () => 9];
    const decisionGroups = ["t1", "t2"].map((tier) => ({
      groupName: `group-${tier}`,
      groupClusterSelector: { labelSelector: { matchLabels: { tier } } },
    }));
    const tiers = { matchExpressions: [{ key: "tier", operator: "In", values: ["t1", "t2"] }] };
    story.putPlacement("p", {
      predicates: [{ requiredClusterSelector: { labelSelector: tiers } }],
      decisionStrategy: { groupStrategy: { decisionGroups } },
    });
    const others = { requiredClusterSelector: { labelSelector: { matchLabels: { tier: "q" } } } };
    story.putPlacement("q", { predicates: [others] });
    for (const [name, tier] of [
      ["a", "t1"],
      ["b", "t1"],
      ["x", "t2"],
      ["y", "t2"],
      ["q0", "q"],
    ] as const)
      story.putCluster(name, { tier });
    story.start();
    await clock.pass(3_600_000);
    story.putCluster("q1", { tier: "q" });
    await clock.pass(offset);
    story.putCluster("b", { tier: "t2" });
    story.putCluster("x", { tier: "t1" });
    await clock.pass(300_000);
    story.putCluster("b", { tier: "t1" });
    await clock.pass(300_000);
    expect({ offset, slices: [story.decided("p-decision-1"), story.decided("p-decision-2")] }).toEqual({
      offset,
      slices: [["a", "b", "x"], ["y"]],
    });
    await story.stop();
  }
});

test("while clusters come and go, every change is in the decisions at once, and numbers of the status follow within five seconds", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putPlacement("p0");
  story.putCluster("c0");
  story.start();
  await clock.pass(60_000);
  const { length } = api.writes;
  for (let count = 1; count <= 20; count++) {
    story.putCluster(`c${String(count).padStart(2, "0")}`);
    await clock.pass(500);
    expect(story.decided("p0-decision-1")).toHaveLength(1 + count);
  }
  const writes = api.writes.slice(length);
  expect(writes.filter((path) => path.includes("/placementdecisions/"))).toHaveLength(20);
  expect(writes.filter((path) => path.includes("/placements/")).length).toBeLessThanOrEqual(3);
  await clock.pass(5000);
  expect(own(story.status("p0"), "numberOfSelectedClusters")).toBe(21);
  await story.stop();
});

test("while a Placement has too many events, none about scores is made: it would be dropped", async () => {
  const story = new Story(0);
  const { clock, recorded } = story;
  story.putPlacement("p0");
  story.putCluster("c0");
  story.start();
  const after = async (cluster: string): Promise<readonly string[]> => {
    story.putCluster(cluster);
    await clock.pass(10_000);
    return recorded.splice(0);
  };
  await after("c1");
  story.mutedFor = 60_000;
  expect(await after("c2")).toEqual(["DecisionUpdate", "ScoreUpdate"]);
  story.mutedFor = 0;
  expect(await after("c3")).toEqual(["DecisionUpdate"]);
  expect(await after("c4")).toEqual(["DecisionUpdate", "ScoreUpdate"]);
  await story.stop();
});

test("a PlacementDecision that a finalizer of another client keeps gets no clusters any more, and is deleted once", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  const held = PATHS.decision("p0-decision-2");
  const write = api.write.bind(api);
  const writes: string[] = [];
  Object.assign(api, {
    write: async (request: WriteRequest) => {
      writes.push(request.method);
      if (request.method !== "DELETE") return write(request);
      if (own(partOf(api.object(held) ?? {}, "metadata"), "deletionTimestamp") === undefined)
        api.patch(held, { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["example.com/x"] } });
      return JSON.stringify(api.object(held));
    },
  });
  const put = (index: number, group: string): void => story.putCluster(`c${String(index).padStart(3, "0")}`, { group });
  for (let index = 0; index < 101; index++) put(index, "a");
  story.putPlacement("p0", {
    predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { group: "a" } } } }],
  });
  story.start();
  await clock.pass(600_000);
  put(100, "none");
  await clock.pass(600_000);
  for (let index = 101; index < 110; index++) put(index, "a");
  await clock.pass(600_000);
  expect(story.decided("p0-decision-2")).toEqual([]);
  expect(story.decided("p0-decision-3")).toHaveLength(9);
  expect(writes.filter((method) => method === "DELETE")).toHaveLength(1);
  expect(story.recorded.filter((reason) => reason === "DecisionDelete")).toHaveLength(1);
  expect(story.judged(new Set())).toEqual([]);
  const { length } = writes;
  await story.settle();
  expect(writes).toHaveLength(length);
  // The other client has finished.
  api.remove(held);
  await story.settle();
  expect(writes).toHaveLength(length);
  await story.stop();
});

test("owners of a PlacementDecision that are not Placements stay; one that controls it stays the only one", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
  const labels = { [`${OCM}/placement`]: "p0" };
  const other = { apiVersion: "example.com/v1", kind: "Thing", name: "t", uid: "u-t", controller: true };
  const old = { apiVersion: `${OCM}/v1beta1`, kind: "Placement", name: "p0", uid: "u-old", controller: true };
  api.put(PATHS.decision("p0-decision-1"), object("PlacementDecision", "v1beta1", "p0-decision-1", { labels }));
  api.patch(PATHS.decision("p0-decision-1"), { metadata: { ownerReferences: [other, old] } });
  story.start();
  await clock.pass(60_000);
  const metadata = partOf(api.object(PATHS.decision("p0-decision-1")) ?? {}, "metadata");
  const uid = own(partOf(api.object(PATHS.placement("p0")) ?? {}, "metadata"), "uid");
  const owners = own(metadata, "ownerReferences") as readonly JsonObject[];
  expect(owners.map(({ uid, controller }) => [uid, controller])).toEqual([
    ["u-t", true],
    [uid, undefined],
  ]);
  const { length } = api.writes;
  await story.settle();
  expect(api.writes).toHaveLength(length);
  await story.stop();
});

test("after a simulation of a Placement that is stored, it follows the hub as before", async () => {
  const story = oneOfEach();
  const { clock } = story;
  // Nothing else evaluates p0 again: there is no Placement after it that counts its decisions.
  story.putPlacement("p0", { numberOfClusters: 1, prioritizerPolicy: { mode: "Exact", configurations: [] } });
  story.start();
  await clock.pass(60_000);
  const placement = object("Placement", "v1beta1", "p0", { spec: { numberOfClusters: 2 } });
  const post = { method: "POST", path: "/debug/placements/", body: JSON.stringify(placement), user: { name: "u" } };
  expect(await story.hub.debug(post)).toMatchObject({ status: 200 });
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1"]);
  story.putCluster("c2");
  story.api.remove(PATHS.cluster("c1"));
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c2"]);
  await story.stop();
});
