// What does the placement controller do in sequences that are rare and were wrong once, or easily could be? On an API server in memory.

import { describe, expect, test } from "vitest";
import type { WriteRequest } from "../../src/kube/api-server.ts";
import { listPath } from "../../src/kube/path.ts";
import { FLEET_LISTS } from "../../src/model/cluster-objects.ts";
import { type JsonObject, own, partOf } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { apiOf, type WatchedList } from "../../src/placement-controller/watched-kinds.ts";
import { NAMESPACE, OCM, object, PATHS, Story } from "./hub-story.ts";
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

describe("a write that fails", () => {
  /** The reason of the condition PlacementSatisfied. */
  const reasonOf = ({ api }: Story): unknown => {
    const conditions = (own(partOf(api.object(PATHS.placement("p0")) ?? {}, "status"), "conditions") ??
      []) as readonly JsonObject[];
    return conditions.find(({ type }) => type === "PlacementSatisfied")?.reason;
  };
  const isDecision = ({ path }: WriteRequest): boolean => path.includes("/placementdecisions");
  const started = async (): Promise<Story> => {
    const story = new Story(0);
    story.api.put(PATHS.placement("p0"), object("Placement", "v1beta1", "p0", { spec: {} }));
    story.api.put(PATHS.cluster("c1"), object("ManagedCluster", "v1", "c1", { spec: {} }));
    story.start();
    await story.settle();
    return story;
  };
  const addCluster = ({ api }: Story): void =>
    api.put(PATHS.cluster("c2"), object("ManagedCluster", "v1", "c2", { spec: {} }));

  test.each([
    ["forbidden", 403],
    ["server", 500],
  ] as const)("once (%s) is not worth a condition", async (kind, status) => {
    const story = await started();
    const { api, clock } = story;
    const reasons = new Set<unknown>();
    let failures = 1;
    api.faultOf = (request) =>
      isDecision(request) && failures-- > 0 ? { refuse: new NetFailure(kind, "no", { status }) } : undefined;
    addCluster(story);
    for (let step = 0; step < 200; step++) {
      await clock.pass(50);
      reasons.add(reasonOf(story));
    }
    expect([...reasons]).toEqual(["AllDecisionsScheduled"]);
    await story.stop();
  });

  test.each([
    ["forbidden", 403],
    ["server", 500],
  ] as const)("for long (%s) is reported, and no longer than it lasts", async (kind, status) => {
    const story = await started();
    const { api, clock } = story;
    api.faultOf = (request) => (isDecision(request) ? { refuse: new NetFailure(kind, "no", { status }) } : undefined);
    addCluster(story);
    await clock.pass(300_000);
    expect(reasonOf(story)).toBe("DecisionsNotWritten");
    api.faultOf = () => undefined;
    await clock.pass(40_000);
    expect(reasonOf(story)).toBe("AllDecisionsScheduled");
    await story.stop();
  });

  test("with Retry-After: 0 is not sent without end", async () => {
    const story = await started();
    const { api, clock } = story;
    let attempts = 0;
    api.faultOf = (request) => {
      if (!isDecision(request)) return undefined;
      attempts++;
      return { refuse: new NetFailure("throttled", "429", { status: 429, retryAfter: 0 }) };
    };
    addCluster(story);
    await clock.pass(10_000);
    expect(attempts).toBeLessThan(15);
    await story.stop();
  });

  test("because this process did not lead for a moment is done again", async () => {
    const story = await started();
    const { clock } = story;
    story.isLeading = false; // and the reading thread does not hear of it
    addCluster(story);
    await clock.pass(5000);
    story.isLeading = true;
    await clock.pass(60_000);
    await story.settle();
    story.judged(new Set());
    expect(story.selected()).toEqual({ [`${NAMESPACE}/p0`]: ["c1", "c2"] });
    await story.stop();
  });
});

const isOf = (plural: string) => (request: WriteRequest) => request.path.includes(`/${plural}`);
const FORBIDDEN = new NetFailure("forbidden", "no", { status: 403 });

/** Some kinds cannot be read from now on. */
function refuse({ unreadable }: Story["api"], lists: readonly WatchedList[], failure: NetFailure): void {
  for (const list of lists) unreadable.set(listPath(apiOf(list)), failure);
}

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

test("without the right to write status, decisions go on", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putPlacement("p0");
  story.putCluster("c1");
  api.faultOf = (request) => (isOf("placements/")(request) ? { refuse: FORBIDDEN } : undefined);
  story.start();
  await clock.pass(60_000);
  story.putCluster("c2");
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2"]);
  await story.stop();
});

test("while decisions cannot be written, the status claims nothing, and is not written again and again", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putPlacement("p0");
  story.putCluster("c1");
  story.start();
  await clock.pass(60_000);
  let attempts = 0;
  api.faultOf = (request) => {
    if (!isOf("placementdecisions")(request)) return undefined;
    attempts++;
    return { refuse: FORBIDDEN };
  };
  const { length } = api.writes;
  story.putCluster("c2");
  await clock.pass(600_000);
  expect(attempts).toBeLessThan(60);
  expect(api.writes.length - length).toBe(1);
  expect(own(story.status("p0"), "numberOfSelectedClusters")).toBe(1);
  await story.stop();
});

test("a PlacementDecision that cannot be read, at start: its Placement waits, and nothing runs in circles", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putCluster("c1");
  story.putPlacement("p0");
  const labels = { [`${OCM}/placement`]: "p0" };
  const garbage = { labels, status: { decisions: "garbage" } };
  api.put(PATHS.decision("p0-decision-1"), object("PlacementDecision", "v1beta1", "p0-decision-1", garbage));
  story.start();
  await clock.pass(60_000);
  const [satisfied] = own(story.status("p0"), "conditions") as readonly JsonObject[];
  expect(satisfied).toMatchObject({ type: "PlacementSatisfied", reason: "Undecided", observedGeneration: 1 });
  expect(satisfied?.message).toContain("the PlacementDecision p0-decision-1 cannot be read");
  api.patch(PATHS.decision("p0-decision-1"), { status: { decisions: [] } });
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1"]);
  await story.stop();
});

test("a Placement that cannot be read is not denied: its decisions stay, and who asks hears why", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putCluster("c1");
  story.putPlacement("p0");
  story.start();
  await clock.pass(60_000);
  api.patch(PATHS.placement("p0"), { spec: { predicates: "garbage" } });
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1"]);
  const conditions = own(story.status("p0"), "conditions") as readonly JsonObject[];
  const misconfigured = conditions.find(({ type }) => type === "PlacementMisconfigured");
  expect(misconfigured).toMatchObject({ status: "True", observedGeneration: 2 });
  const request = { namespace: NAMESPACE, name: "p0", cluster: undefined };
  expect(story.hub.place(request)).toEqual({ unreadable: misconfigured?.message });
  expect(story.hub.place({ ...request, name: "p9" })).toBeUndefined();
  const debug = { method: "GET", path: `/debug/placements/${NAMESPACE}/p0`, user: { name: "u" } };
  expect(await story.hub.debug(debug)).toEqual({ status: 422, body: { error: misconfigured?.message } });
  await story.stop();
});

test("a new leader whose watch of clusters was cut off removes none that it has not heard of", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putCluster("c1");
  story.putPlacement("p0");
  story.start();
  let isCut = false;
  let cut = (): void => undefined;
  const isClusters = (path: string): boolean => path.endsWith("/managedclusters");
  const unreachable = () => Promise.reject(new NetFailure("unreachable", "cut off"));
  const server = {
    ...api,
    list: (...[path, ...rest]: Parameters<typeof api.list>) =>
      isCut && isClusters(path) ? unreachable() : api.list(path, ...rest),
    watch: (...[path, options, take]: Parameters<typeof api.watch>) => {
      if (!isClusters(path)) return api.watch(path, options, take);
      if (isCut) return unreachable();
      return new Promise((_, failed) => {
        cut = () => failed(new NetFailure("unreachable", "cut off"));
        api.watch(path, options, (event) => (isCut ? undefined : take(event))).catch(failed);
      });
    },
  };
  const standby = story.replica(server);
  await clock.pass(60_000);
  isCut = true;
  cut();
  await clock.pass(20_000);
  story.putCluster("c2");
  await clock.pass(3000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2"]);
  isCut = false;
  await story.stop();
  story.judged(new Set());
  standby.lead(true);
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2"]);
  expect(story.judged(new Set())).toEqual([]);
  story.putCluster("c3");
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2", "c3"]);
  await standby.stop();
});

test("a new leader that may not read a kind leads nevertheless", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putCluster("c1");
  story.putPlacement("p0");
  api.unreadable.set(`/apis/${OCM}/v1alpha1/addonplacementscores`, FORBIDDEN);
  story.start();
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1"]);
  await story.stop();
});

test("an API server that has just started forbids everything for some seconds: nothing is written because of that", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putCluster("c1");
  story.putPlacement("p0");
  story.start();
  await clock.pass(60_000);
  const { length } = api.writes;
  refuse(api, FLEET_LISTS, FORBIDDEN);
  api.breakWatches();
  await clock.pass(4000);
  api.unreadable.clear();
  await clock.pass(60_000);
  expect(api.writes.slice(length)).toEqual([]);
  // A role that is taken away is reported, and stays so if the server is away for a while.
  const kinds = ["managedClusters", "managedClusterSets", "addOnPlacementScores"] as const;
  refuse(api, kinds, FORBIDDEN);
  api.breakWatches();
  await clock.pass(30_000);
  const written = api.writes.slice(length);
  expect([...new Set(written)]).toEqual([expect.stringContaining("placements/p0/status")]);
  refuse(api, kinds, new NetFailure("unreachable", "away"));
  await clock.pass(30_000);
  refuse(api, kinds, FORBIDDEN);
  await clock.pass(30_000);
  expect(api.writes.slice(length)).toEqual(written);
  await story.stop();
});

test("a new leader decides nothing while an API server that has just started forbids everything", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putCluster("c1");
  story.putPlacement("p0");
  const standby = story.replica(api);
  await clock.pass(60_000);
  refuse(api, FLEET_LISTS, FORBIDDEN);
  api.breakWatches();
  story.putCluster("c2");
  standby.lead(true);
  await clock.pass(4000);
  expect(api.writes).toEqual([]);
  api.unreadable.clear();
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2"]);
  expect(api.writes.filter((path) => path.startsWith("POST"))).toHaveLength(1);
  await standby.stop();
});

test("a score that cannot be read any more does not cost its cluster its place, also after a restart", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  const put = (cluster: string, scores: unknown): void => {
    const { metadata, ...rest } = object("AddOnPlacementScore", "v1alpha1", "r", { status: { scores } as JsonObject });
    api.put(PATHS.score(cluster, "r"), { ...rest, metadata: { ...(metadata as JsonObject), namespace: cluster } });
  };
  const seen = async (): Promise<unknown> => {
    await clock.pass(60_000);
    const conditions = own(story.status("p0"), "conditions") as readonly JsonObject[];
    const evaluated = conditions.find(({ type }) => type === "PlacementEvaluated");
    return [story.decided("p0-decision-1"), story.decided("p1-decision-1"), evaluated?.reason];
  };
  for (const [cluster, value] of [["c1", 10] as const, ["c2", 20] as const]) {
    story.putCluster(cluster);
    put(cluster, [{ name: "s", value }]);
  }
  const scoreCoordinate = { type: "AddOn", addOn: { resourceName: "r", scoreName: "s" } };
  const prioritizerPolicy = { mode: "Exact", configurations: [{ scoreCoordinate, weight: 1 }] };
  story.putPlacement("p0", { numberOfClusters: 1, prioritizerPolicy });
  story.putPlacement("p1");
  story.start();
  expect(await seen()).toEqual([["c2"], ["c1", "c2"], "AllClustersEvaluated"]);
  put("c2", "garbage");
  expect(await seen()).toEqual([["c2"], ["c1", "c2"], "UnreadClusters"]);
  const { length } = api.writes;
  await story.stop();
  story.start();
  expect(await seen()).toEqual([["c2"], ["c1", "c2"], "UnreadClusters"]);
  expect(api.writes).toHaveLength(length);
  api.remove(PATHS.score("c2", "r"));
  expect(await seen()).toEqual([["c1"], ["c1", "c2"], "AllClustersEvaluated"]);
  put("c2", "garbage");
  expect(await seen()).toEqual([["c1"], ["c1", "c2"], "UnreadClusters"]);
  put("c2", [{ name: "s", value: 11 }]);
  expect(await seen()).toEqual([["c2"], ["c1", "c2"], "AllClustersEvaluated"]);
  await story.stop();
});

test("a PlacementDecision that a finalizer of another client keeps is not forgotten", async () => {
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
  writes.length = 0;
  for (let index = 101; index < 110; index++) put(index, "a");
  await clock.pass(3_600_000);
  expect(story.decided("p0-decision-2")).toHaveLength(9);
  expect(writes.filter((method) => method === "POST")).toEqual([]);
  await story.stop();
});

test("owners of a PlacementDecision that are not Placements stay; one that controls it stays the only one", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putCluster("c1");
  story.putPlacement("p0");
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
