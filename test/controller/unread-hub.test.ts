// What does the placement controller do when it cannot read something, or a new leader has not heard of it yet? On an API server in memory.

import { expect, test } from "vitest";
import { listPath } from "../../src/kube/path.ts";
import { FLEET_LISTS } from "../../src/model/cluster-objects.ts";
import { type Json, type JsonObject, own } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { apiOf, type WatchedList } from "../../src/placement-controller/watched-kinds.ts";
import { NAMESPACE, OCM, object, oneOfEach, PATHS, Story } from "./hub-story.ts";

const FORBIDDEN = new NetFailure("forbidden", "no", { status: 403 });

/** Some kinds cannot be read from now on. */
function refuse({ unreadable }: Story["api"], lists: readonly WatchedList[], failure: NetFailure): void {
  for (const list of lists) unreadable.set(listPath(apiOf(list)), failure);
}

test("a PlacementDecision that cannot be read, at start: its Placement waits, and nothing runs in circles", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
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
  const story = oneOfEach();
  const { api, clock } = story;
  story.start();
  await clock.pass(60_000);
  api.patch(PATHS.placement("p0"), { spec: { predicates: "garbage" } });
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1"]);
  const conditions = own(story.status("p0"), "conditions") as readonly JsonObject[];
  const misconfigured = conditions.find(({ type }) => type === "PlacementMisconfigured");
  expect(misconfigured).toMatchObject({ status: "True", observedGeneration: 2 });
  const request = { namespace: NAMESPACE, name: "p0", cluster: undefined, seesCluster: false };
  expect(story.hub.place(request)).toEqual({ unreadable: misconfigured?.message });
  expect(story.hub.place({ ...request, name: "p9" })).toBeUndefined();
  const debug = { method: "GET", path: `/debug/placements/${NAMESPACE}/p0`, user: { name: "u" } };
  expect(await story.hub.debug(debug)).toEqual({ status: 422, body: { error: misconfigured?.message } });
  await story.stop();
});

test("a cluster whose score cannot be read is explained to the author of the Placement; one of another set is not", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
  const scoreCoordinate = { type: "AddOn", addOn: { resourceName: "r", scoreName: "s" } };
  const prioritizerPolicy = { mode: "Exact", configurations: [{ scoreCoordinate, weight: 1 }] };
  story.putPlacement("p0", { numberOfClusters: 1, prioritizerPolicy });
  api.put(PATHS.set("all"), object("ManagedClusterSet", "v1beta2", "all", { spec: {} }));
  for (const name of ["c1", "c3"]) story.putCluster(name, { "cluster.open-cluster-management.io/clusterset": "all" });
  story.putCluster("c2", { "cluster.open-cluster-management.io/clusterset": "other" });
  story.start();
  await clock.pass(60_000);
  story.putScore("c1", "r", "garbage");
  await clock.pass(60_000);
  const explained = (cluster: string, seesCluster: boolean): unknown => {
    const answer = story.hub.place({ namespace: NAMESPACE, name: "p0", cluster, seesCluster }) as {
      readonly text: string;
    };
    return (JSON.parse(answer.text) as { readonly placements: readonly JsonObject[] }).placements[0]?.cluster;
  };
  expect(explained("c1", false)).toMatchObject({ name: "c1", selected: true, checks: [] });
  expect(explained("c2", false)).toBe(null);
  expect(explained("c2", true)).toMatchObject({ name: "c2", verdict: "outside" });
  await story.stop();
});

test.each([
  ["Placement", PATHS.placement("p0"), { spec: { predicates: "garbage" } }],
  ["PlacementDecision", PATHS.decision("p0-decision-1"), { status: { decisions: "garbage" } }],
])(
  "a %s that cannot be read: --compat ocm leaves nothing in the status that OCM does not write",
  async (_, path, patch) => {
    const story = oneOfEach();
    const { api, clock } = story;
    story.start();
    await clock.pass(60_000);
    await story.stop();
    expect(Object.keys(story.status("p0"))).toContain("lastScoreUpdateTime");
    api.patch(path, patch);
    story.compat = "ocm";
    story.start();
    await clock.pass(60_000);
    const conditions = own(story.status("p0"), "conditions") as readonly JsonObject[];
    expect(conditions.map(({ type, observedGeneration }) => [type, observedGeneration])).toEqual([
      ["PlacementMisconfigured", undefined],
      ["PlacementSatisfied", undefined],
    ]);
    expect(Object.keys(story.status("p0"))).not.toContain("lastScoreUpdateTime");
    await story.stop();
  },
);

test("a new leader whose watch of clusters was cut off removes none that it has not heard of", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
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
  standby.lead(1);
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2"]);
  expect(story.judged(new Set())).toEqual([]);
  story.putCluster("c3");
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1", "c2", "c3"]);
  await standby.stop();
});

test("a new leader that may not read a kind leads nevertheless", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
  api.unreadable.set(`/apis/${OCM}/v1alpha1/addonplacementscores`, FORBIDDEN);
  story.start();
  await clock.pass(60_000);
  expect(story.decided("p0-decision-1")).toEqual(["c1"]);
  await story.stop();
});

test("an API server that has just started forbids everything for some seconds: nothing is written because of that", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
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
  const story = oneOfEach();
  const { api, clock } = story;
  const standby = story.replica(api);
  await clock.pass(60_000);
  refuse(api, FLEET_LISTS, FORBIDDEN);
  api.breakWatches();
  story.putCluster("c2");
  standby.lead(1);
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
  const put = (cluster: string, scores: Json): void => story.putScore(cluster, "r", scores);
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
