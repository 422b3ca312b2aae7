// What does the controller notice, and what does it report? Which Placements change with an object of the hub (OCM's cases about
// enqueueing), what time alone changes, and which Kubernetes events there are (J).

import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { controllerBed } from "./controller/bed.ts";
import { SET_LABEL } from "./controller/kinds.ts";
import { seriesOf } from "./controller/metrics.ts";
import type { Scope } from "./controller/scope.ts";
import { bestBy, expressed, inSeconds, isOver, labelled, names, timeText } from "./controller/specs.ts";
import { until } from "./controller/until.ts";

const bed = controllerBed();

/** The resourceVersions of Placements and their PlacementDecisions: whether anything was written. */
async function versionsOf(scope: Scope, ...placements: readonly string[]): Promise<readonly string[]> {
  const views = await Promise.all(placements.map((name) => scope.view(name)));
  return views.flatMap(({ resourceVersion, slices }) => [
    resourceVersion,
    ...slices.map((slice) => slice.resourceVersion),
  ]);
}

/** Waits until a Placement has an event of a reason that a test recognizes; returns it. */
function event(scope: Scope, placement: string, isIt: (event: JsonObject) => boolean): Promise<JsonObject> {
  let seen: readonly JsonObject[] = [];
  return until(
    `${placement} has such an event`,
    async () => {
      seen = await scope.events(placement);
      return seen.find(isIt);
    },
    () => seen.map(({ reason, note, type }) => ({ reason, note, type })),
  );
}

describe("events of Kubernetes", () => {
  test("J1, J4: a decision is made, and then nothing happens", async () => {
    const scope = await bed.scope("j1");
    await scope.clusters(["c1"]);
    await bed.fence();
    await scope.placement("p");
    await scope.settles("p", { selected: ["c1"] });
    const created = await event(scope, "p", ({ reason }) => reason === "DecisionCreate");
    expect(created).toMatchObject({
      type: "Normal",
      action: "DecisionCreated",
      regarding: { kind: "Placement", name: "p", namespace: scope.namespace },
      related: { kind: "PlacementDecision", name: "p-decision-1" },
    });
    // A PlacementDecision is made without clusters (H21). The scores are the last event.
    await event(scope, "p", ({ reason }) => reason === "DecisionUpdate");
    await event(scope, "p", ({ reason }) => reason === "ScoreUpdate");
    const before = await scope.events("p");
    await scope.edit("cluster", "c1", { metadata: { annotations: { nothing: "new" } } });
    await bed.fence();
    expect(await scope.events("p")).toEqual(before);
  });

  test("J5: an expired score is a warning", async () => {
    const scope = await bed.scope("j5");
    await scope.clusters(["c1"]);
    await scope.placement("p", bestBy("demo", "demo", 2));
    await scope.settles("p", { selected: ["c1"] });
    await scope.score("c1", "demo", { demo: 85 }, timeText(inSeconds(-30)));
    // The score has to be known when the decision changes.
    await bed.fence();
    await scope.clusters(["c2"]);
    await scope.settles("p", { selected: ["c1", "c2"] });
    const { note } = await event(scope, "p", ({ type }) => type === "Warning");
    expect(note).toContain("expired");
  });

  test("J6: a long list of scores is cut", async () => {
    const scope = await bed.scope("j6");
    await scope.clusters(names(30).map((name) => `${name}-${"long-".repeat(9)}name`));
    await scope.placement("p");
    await scope.settles("p", { selected: 30 });
    const { note } = await event(scope, "p", ({ reason, note }) => reason === "ScoreUpdate" && `${note}`.length > 900);
    expect(note).toMatch(/\.{6}$/);
    expect(`${note}`.length).toBeLessThanOrEqual(1006);
  });
});

describe("clusters", () => {
  test("J9: a cluster of a set that does not exist changes nothing", async () => {
    const scope = await bed.scope("j9");
    await scope.clusters(["a"]);
    await scope.placement("p");
    await scope.settles("p", { selected: ["a"] });
    const before = await versionsOf(scope, "p");
    await scope.clusters(["b"], { set: "missing" });
    await bed.fence();
    expect(await versionsOf(scope, "p")).toEqual(before);
  });

  test("J10: a new cluster concerns the Placements that may use its set", async () => {
    const [one, two] = [await bed.scope("j10"), await bed.scope("j10b")];
    await two.bind("main", one);
    await one.placement("p1");
    await two.placement("p2", { clusterSets: [one.longName("main")] });
    await two.placement("p3", { clusterSets: [two.longName("main")] });
    await one.settles("p1", { selected: [] });
    await two.settles("p2", { selected: [] });
    await two.settles("p3", { selected: [] });
    // The reason that nothing is selected is another one until the binding is known.
    await bed.fence();
    const before = await versionsOf(two, "p3");
    await one.clusters(["a"]);
    await one.settles("p1", { selected: ["a"] });
    await two.settles("p2", { selected: [one.longName("a")] });
    await bed.fence();
    expect(await versionsOf(two, "p3")).toEqual(before);
  });

  test("J12: a label of a cluster without a set changes nothing", async () => {
    const scope = await bed.scope("j12");
    await scope.clusters(["a"], { set: null, labels: { cloud: "Google" } });
    await scope.placement("p");
    await scope.settles("p", { selected: [] });
    await bed.fence();
    const before = await versionsOf(scope, "p");
    await scope.edit("cluster", "a", { metadata: { labels: { cloud: "Amazon" } } });
    await bed.fence();
    expect(await versionsOf(scope, "p")).toEqual(before);
  });

  test("J13: a cluster leaves one set and stays in another", async () => {
    const scope = await bed.scope("j13");
    await scope.set("amazon", { matchLabels: { "cloud-j13": "Amazon" } });
    await scope.bind("amazon");
    await scope.clusters(["a", "b"], { labels: { "cloud-j13": "Amazon" } });
    await scope.placement("any");
    await scope.placement("amazon", { clusterSets: [scope.longName("amazon")] });
    await scope.placement("main", { clusterSets: [scope.longName("main")] });
    for (const name of ["any", "amazon", "main"]) await scope.settles(name, { selected: ["a", "b"] });
    await scope.edit("cluster", "a", { metadata: { labels: { "cloud-j13": "Google" } } });
    await scope.settles("amazon", { selected: ["b"] });
    await bed.fence();
    for (const name of ["any", "main"]) await scope.settles(name, { selected: ["a", "b"] });
  });

  test("J14, J17: a cluster is put into a set, and moved to another", async () => {
    const [one, two] = [await bed.scope("j14"), await bed.scope("j14b")];
    await one.clusters(["a"], { set: null });
    await one.placement("p");
    await two.placement("p");
    await one.reaches("p", { selected: [] });
    await two.settles("p", { selected: [] });
    await one.edit("cluster", "a", { metadata: { labels: { [SET_LABEL]: one.longName("main") } } });
    await one.settles("p", { selected: ["a"] });
    await one.edit("cluster", "a", { metadata: { labels: { [SET_LABEL]: two.longName("main") } } });
    await one.reaches("p", { selected: [], reason: "AllManagedClusterSetsEmpty" });
    await two.settles("p", { selected: [one.longName("a")] });
  });

  test("J16: a label of a cluster inside its set", async () => {
    const scope = await bed.scope("j16");
    await scope.clusters(["a", "b"], { labels: { cloud: "Google" } });
    await scope.placement("p", labelled({ cloud: "Amazon" }));
    await scope.settles("p", { selected: [], reason: "NoManagedClusterMatched" });
    await scope.edit("cluster", "b", { metadata: { labels: { cloud: "Amazon" } } });
    await scope.settles("p", { selected: ["b"] });
  });

  test("J18: a cluster is deleted", async () => {
    const scope = await bed.scope("j18");
    await scope.clusters(["a", "b"]);
    await scope.placement("p");
    await scope.settles("p", { selected: ["a", "b"] });
    await scope.remove("cluster", "a");
    await scope.settles("p", { selected: ["b"] });
  });
});

describe("sets", () => {
  test("J8: the selector of a set is edited, and the set goes", async () => {
    const scope = await bed.scope("j8");
    const selecting = (vendor: string) => ({ matchLabels: { vendor: `${vendor}-j8` } });
    await scope.set("vendor", selecting("openShift"));
    await scope.bind("vendor");
    await scope.clusters(["c1"], { set: null, labels: { vendor: "openShift-j8" } });
    await scope.clusters(["c2"], { set: null, labels: { vendor: "IKS-j8" } });
    await scope.clusters(["m"]);
    await scope.placement("any");
    await scope.placement("names-it", { clusterSets: [scope.longName("vendor")] });
    await scope.placement("unconcerned", { clusterSets: [scope.longName("main")] });
    await scope.settles("any", { selected: ["c1", "m"] });
    await scope.settles("names-it", { selected: ["c1"] });
    await scope.settles("unconcerned", { selected: ["m"] });
    const before = await versionsOf(scope, "unconcerned");
    await scope.edit("set", "vendor", { spec: { clusterSelector: { labelSelector: selecting("IKS") } } });
    await scope.settles("any", { selected: ["c2", "m"] });
    await scope.settles("names-it", { selected: ["c2"] });
    await scope.remove("set", "vendor");
    await scope.settles("any", { selected: ["m"] });
    await scope.settles("names-it", { selected: [] });
    await bed.fence();
    expect(await versionsOf(scope, "unconcerned")).toEqual(before);
  });
});

/** How often Placements were looked at, by result, and how often clusters were evaluated; the names are those of the metrics. */
async function worked(): Promise<Readonly<Record<string, number>>> {
  const counts = Object.entries(await seriesOf(bed.controller)).filter(([name]) =>
    /^plimsoll_(?:reconciles|evaluations)_total/.test(name),
  );
  expect(counts).toHaveLength(4);
  return Object.fromEntries(counts);
}

function lookedAt(result: "done" | "once-more" | "again"): string {
  return `plimsoll_reconciles_total{controller="placement",result="${result}"}`;
}

/** Waits until the controller has had nothing to do for so many milliseconds; what it did until then. */
async function rests(milliseconds: number): ReturnType<typeof worked> {
  return until(`nothing is looked at for ${milliseconds} ms`, async () => {
    const before = await worked();
    await sleep(milliseconds);
    return isDeepStrictEqual(await worked(), before) ? before : undefined;
  });
}

describe("scores", () => {
  test("J20: a score concerns the Placements that read it and may use the cluster", async () => {
    const [one, two] = [await bed.scope("j20"), await bed.scope("j20b")];
    await one.clusters(["a", "b"]);
    await two.clusters(["c", "d"]);
    await one.placement("reads", bestBy("demo", "demo", 1));
    await one.placement("does-not", bestBy("other", "demo", 1));
    await two.placement("elsewhere", bestBy("demo", "demo", 1));
    await one.settles("reads", { selected: ["a"] });
    await one.settles("does-not", { selected: ["a"] });
    await two.settles("elsewhere", { selected: ["c"] });
    const before = [...(await versionsOf(one, "does-not")), ...(await versionsOf(two, "elsewhere"))];
    await one.score("b", "demo", { demo: 10 });
    await one.settles("reads", { selected: ["b"] });
    await bed.fence();
    expect([...(await versionsOf(one, "does-not")), ...(await versionsOf(two, "elsewhere"))]).toEqual(before);
  });

  test("J21: a score is deleted", async () => {
    const scope = await bed.scope("j21");
    await scope.clusters(["a", "b"]);
    await scope.score("b", "demo", { demo: 10 });
    await scope.placement("p", bestBy("demo", "demo", 1));
    await scope.settles("p", { selected: ["b"] });
    await scope.removeScore("b", "demo");
    await scope.settles("p", { selected: ["a"] });
  });

  test("J22: a score that only an expression reads", async () => {
    const scope = await bed.scope("j22");
    await scope.clusters(["a", "b"]);
    await scope.score("a", "score1", { value: 1 });
    await scope.placement("p", expressed('managedCluster.score("score1", "value") > 5'));
    await scope.settles("p", { selected: [] });
    await scope.score("a", "score1", { value: 6 });
    await scope.settles("p", { selected: ["a"] });
    await scope.removeScore("a", "score1");
    await scope.settles("p", { selected: [] });
  });

  test("J24: an expired score is not tried again and again", async () => {
    const scope = await bed.scope("j24");
    await scope.clusters(["a", "b"]);
    await scope.score("b", "demo", { demo: 10 }, timeText(inSeconds(-30)));
    await scope.placement("p", bestBy("demo", "demo", 1));
    await scope.settles("p", { selected: ["a"], reason: "AllDecisionsScheduled" });
    await bed.fence();
    const [before, versions] = [await rests(1000), await versionsOf(scope, "p")];
    await scope.clusters(["c"]);
    await until("it is looked at once more", async () => !isDeepStrictEqual(await worked(), before) || undefined);
    const after = await rests(3000);
    expect(after[lookedAt("done")]).toBeGreaterThan(before[lookedAt("done")] as number);
    // A single failure would begin retries with longer and longer waits.
    for (const result of ["once-more", "again"] as const)
      expect([result, after[lookedAt(result)]]).toEqual([result, before[lookedAt(result)]]);
    expect(await versionsOf(scope, "p")).toEqual(versions);
  });

  test("J25: a score ends, and nothing else happens", async () => {
    const scope = await bed.scope("j25");
    await scope.clusters(["a", "b"]);
    for (const name of ["a", "b"]) await scope.score(name, "demo", { demo: 10 });
    await scope.score("b", "demo", { demo: 90 });
    await scope.placement("best", bestBy("demo", "demo", 1));
    await scope.placement("expression", expressed('managedCluster.score("demo", "demo") > 80'));
    await scope.settles("best", { selected: ["b"] });
    await scope.settles("expression", { selected: ["b"] });
    const end = inSeconds(4);
    await scope.score("b", "demo", { demo: 90 }, timeText(end));
    await scope.settles("best", { selected: ["a"] });
    const { conditions } = await scope.settles("expression", { selected: [], reason: "NoManagedClusterMatched" });
    expect(isOver(end)).toBe(true);
    // In whole seconds, by the clock of the controller.
    const late = Date.parse(conditions.PlacementSatisfied?.lastTransitionTime ?? "") - end.getTime();
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(10_000);
  });

  test("J22b: the decisions of another Placement change the balance", async () => {
    const scope = await bed.scope("j22d");
    await scope.clusters(["a", "b"]);
    const balance = { scoreCoordinate: { type: "BuiltIn", builtIn: "Balance" }, weight: 1 };
    const prioritizerPolicy = { mode: "Exact", configurations: [balance] };
    await scope.placement("second", { numberOfClusters: 1, prioritizerPolicy });
    await scope.settles("second", { selected: ["a"] });
    await scope.placement("first", labelled({ "plimsoll.dev/test": "j22d", busy: "yes" }));
    await scope.settles("first", { selected: [] });
    await scope.edit("cluster", "a", { metadata: { labels: { busy: "yes" } } });
    await scope.settles("first", { selected: ["a"] });
    await scope.settles("second", { selected: ["b"] });
  });
});

/** Longer than the minute after which the controller sends how many equal events there were. */
const COUNTED_MS = 120_000;

// At the end: it ends the controller of the tests above.
describe("events of a controller that begins and ends", () => {
  test("J2: a changed decision; equal events are one with a count", async () => {
    const scope = await bed.scope("j2");
    await scope.clusters(["c1"]);
    await scope.clusters(["c2"], { labels: { wanted: "no" } });
    await scope.score("c1", "demo", { demo: 85 });
    await scope.score("c2", "demo", { demo: 92 });
    await scope.placement("p", {
      ...bestBy("demo", "demo", 10),
      ...expressed('!("wanted" in managedCluster.metadata.labels)'),
    });
    await scope.settles("p", { selected: ["c1"] });
    await bed.controller.stop();
    const first = await scope.events("p");

    // It does not know the events of the first one: each of its own is new.
    const second = await bed.start();
    const changed = async (wanted: null | "no", selected: readonly string[]): Promise<void> => {
      await scope.edit("cluster", "c2", { metadata: { labels: { wanted } } });
      await scope.settles("p", { selected });
    };
    await changed(null, ["c1", "c2"]);
    const isNew = (one: JsonObject): boolean => !first.some((known) => nameOf(known) === nameOf(one));
    const updated = await event(scope, "p", (one) => isNew(one) && one.reason === "DecisionUpdate");
    expect(updated).toMatchObject({
      type: "Normal",
      action: "DecisionUpdated",
      regarding: { kind: "Placement", name: "p", namespace: scope.namespace },
      related: { kind: "PlacementDecision", name: "p-decision-1" },
    });
    expect(updated).not.toHaveProperty("series");
    const both = `${scope.longName("c1")}:85 ${scope.longName("c2")}:92 `;
    await event(scope, "p", ({ reason, note }) => reason === "ScoreUpdate" && note === both);

    await changed("no", ["c1"]);
    await changed(null, ["c1", "c2"]);
    const expected = [
      ["DecisionUpdate", updated.note, 3],
      ["ScoreUpdate", `${scope.longName("c1")}:85 `, 1],
      ["ScoreUpdate", both, 2],
    ];
    const counts = async (): Promise<unknown> =>
      (await scope.events("p"))
        .filter(isNew)
        .map(({ reason, note, series }) => [reason, note, (series as JsonObject | undefined)?.count ?? 1])
        .sort();
    let seen: unknown;
    // Not at the end of the controller, which has only a second for that.
    await until(
      "equal events are counted",
      async () => {
        seen = await counts();
        return isDeepStrictEqual(seen, expected) || undefined;
      },
      () => seen,
      COUNTED_MS,
    );
    expect(await second.stop()).toMatchObject({ code: 0 });
    expect(await counts()).toEqual(expected);
    expect(second.log.map(({ message }) => message)).not.toContain("an event could not be sent");
  });
});

function nameOf({ metadata }: JsonObject): unknown {
  return (metadata as JsonObject).name;
}
