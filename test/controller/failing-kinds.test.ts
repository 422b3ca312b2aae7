// What does the placement controller do while a kind cannot be listed or watched, without being refused? On an API server in memory.

import { expect, test } from "vitest";
import { KINDS } from "../../src/input/objects/kind-table.ts";
import { listPath } from "../../src/kube/path.ts";
import { FLEET_LISTS } from "../../src/model/cluster-objects.ts";
import { own } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { apiOf, type WatchedList } from "../../src/placement-controller/watched-kinds.ts";
import { NAMESPACE, oneOfEach, PATHS, Story } from "./hub-story.ts";

const BROKEN = new NetFailure("server", "the server is broken", { status: 500 });
const WAITS = "leading, but nothing is written before a kind is listed";

/** From now on, a kind cannot be listed, nor watched anew; watches that are open go on. */
function breakKind({ unreadable }: Story["api"], list: WatchedList): void {
  unreadable.set(listPath(apiOf(list)), BROKEN);
}

/** The kinds that log lines of a message name, each once. */
function kindsSaid({ logged }: Story, message: string): readonly unknown[] {
  return [...new Set(logged.filter((line) => line.message === message).map(({ fields }) => fields.kind))];
}

function satisfiedReason(story: Story, placement: string): unknown {
  const conditions = (own(story.status(placement), "conditions") ?? []) as readonly { type: string; reason: string }[];
  return conditions.find(({ type }) => type === "PlacementSatisfied")?.reason;
}

test("a watch that fails is reported when that has lasted some seconds, and when it is over", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.start();
  await clock.pass(60_000);
  const { reports } = story;
  const metric = (name: string): string | undefined => {
    const { text } = story.hub.metrics();
    return new RegExp(`^plimsoll_kind_${name}{controller="placement",kind="ManagedCluster"} (.)$`, "m").exec(text)?.[1];
  };
  for (const [milliseconds, failing, value] of [
    [5000, [], "0"],
    [7000, [{ kind: "ManagedCluster", why: BROKEN.message, isLost: false }], "1"],
  ] as const) {
    breakKind(api, "managedClusters");
    api.breakWatches();
    await clock.pass(milliseconds);
    expect(reports.at(-1)).toEqual({ isSettled: true, failing });
    expect([metric("failing"), metric("synced")]).toEqual([value, "1"]);
    api.unreadable.clear();
    await clock.pass(20_000);
    expect(reports.at(-1)).toEqual({ isSettled: true, failing: [] });
    expect(metric("failing")).toBe("0");
  }
  await story.stop();
});

test("a list that fails before the first sync is reported, too", async () => {
  const story = new Story(0);
  const { api, clock, reports } = story;
  for (const list of FLEET_LISTS) api.unreadable.set(listPath(apiOf(list)), new NetFailure("unauthorized", "401"));
  const hub = story.replica(api);
  await clock.pass(20_000);
  const failing = FLEET_LISTS.map((list) => ({ kind: KINDS[list].kind, why: "401", isLost: false }));
  expect(reports.at(-1)).toEqual({ isSettled: false, failing });
  // Only Placements and PlacementDecisions are waited for without end.
  await clock.pass(60_000);
  const waitedFor = reports.at(-1)?.failing.flatMap(({ kind, isLost }) => (isLost ? [] : [kind]));
  expect(waitedFor).toEqual(["Placement", "PlacementDecision"]);
  await hub.stop();
});

const BY_SCORE = {
  prioritizerPolicy: {
    mode: "Exact",
    configurations: [{ scoreCoordinate: { type: "AddOn", addOn: { resourceName: "r", scoreName: "s" } }, weight: 1 }],
  },
};

test.each(["a synced one", "a fresh one"])(
  "a new leader, %s, goes on without scores that cannot be listed",
  async (which) => {
    const story = new Story(0);
    const { api, clock } = story;
    story.putCluster("c1");
    story.putPlacement("plain");
    story.putPlacement("scored", BY_SCORE);
    if (which === "a fresh one") breakKind(api, "addOnPlacementScores");
    const standby = story.replica(api);
    await clock.pass(60_000);
    breakKind(api, "addOnPlacementScores");
    standby.lead(1);
    await clock.pass(which === "a fresh one" ? 0 : 29_000);
    if (which === "a synced one") {
      expect(api.writes).toEqual([]);
      expect(kindsSaid(story, WAITS)).toEqual(["AddOnPlacementScore"]);
      expect(story.logged.find(({ message }) => message === WAITS)?.fields.why).toBe(BROKEN.message);
    }
    await clock.pass(10_000);
    expect(story.decided("plain-decision-1")).toEqual(["c1"]);
    expect([story.decided("scored-decision-1"), satisfiedReason(story, "scored")]).toEqual([undefined, "Undecided"]);
    api.unreadable.clear();
    await clock.pass(60_000);
    expect(satisfiedReason(story, "scored")).toBe("AllDecisionsScheduled");
    await standby.stop();
  },
);

test.each(["placements", "placementDecisions"] as const)(
  "a new leader writes nothing before it has listed the %s",
  async (list) => {
    const story = oneOfEach();
    const { api, clock } = story;
    const standby = story.replica(api);
    await clock.pass(60_000);
    breakKind(api, list);
    standby.lead(1);
    await clock.pass(600_000);
    expect(api.writes).toEqual([]);
    expect(kindsSaid(story, WAITS)).toEqual([KINDS[list].kind]);
    api.unreadable.clear();
    await clock.pass(60_000);
    expect(story.decided("p0-decision-1")).toEqual(["c1"]);
    await standby.stop();
  },
);

test("the debug endpoint answers 503 and names the missing kinds until all are synced", async () => {
  const story = oneOfEach();
  const { api, clock } = story;
  breakKind(api, "managedClusters");
  const hub = story.replica(api);
  const [user, path] = [{ name: "u" }, `/debug/placements/${NAMESPACE}/p0`];
  const posted = JSON.stringify({ ...api.object(PATHS.placement("p0")) });
  const answers = async (): Promise<readonly unknown[]> => [
    hub.place({ namespace: NAMESPACE, name: "p0", cluster: undefined, seesCluster: false }),
    await hub.debug({ method: "GET", path, user }),
    await hub.debug({ method: "POST", path: "/debug/placements/", body: posted, user }),
  ];
  const refused = (error: string): readonly unknown[] => {
    const answer = { status: 503, body: { error } };
    return [{ incomplete: error }, answer, answer];
  };
  const kinds = FLEET_LISTS.map((list) => KINDS[list].kind);
  const atFirst = { incomplete: `some kinds are not read yet: ${kinds.join(", ")}` };
  expect(hub.place({ namespace: NAMESPACE, name: "p0", cluster: undefined, seesCluster: false })).toEqual(atFirst);
  await clock.pass(1000);
  expect(await answers()).toEqual(refused("some kinds are not read yet: ManagedCluster (the server is broken)"));
  api.unreadable.clear();
  await clock.pass(60_000);
  expect(await answers()).toMatchObject([{ text: expect.any(String) }, { status: 200 }, { status: 200 }]);
  await hub.stop();
});

test("the debug endpoint answers 503 while Placements are forbidden", async () => {
  const story = new Story(0);
  const { api, clock } = story;
  story.putPlacement("p0");
  api.unreadable.set(listPath(apiOf("placements")), new NetFailure("forbidden", "no", { status: 403 }));
  const hub = story.replica(api);
  await clock.pass(60_000);
  const incomplete = "Placements cannot be read: no";
  expect(hub.place({ namespace: NAMESPACE, name: "p0", cluster: undefined, seesCluster: false })).toEqual({
    incomplete,
  });
  const debug = { method: "GET", path: `/debug/placements/${NAMESPACE}/p0`, user: { name: "u" } };
  expect(await hub.debug(debug)).toEqual({ status: 503, body: { error: incomplete } });
  await hub.stop();
});
