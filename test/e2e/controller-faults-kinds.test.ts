// What if a kind of the hub is not served, or deleted and made again? Nothing is removed because something cannot be read; what is
// really gone is gone; and everything is right again afterwards.

import { describe, expect, test } from "vitest";
import type { ControllerProcess } from "./controller/controller-process.ts";
import { startFastReader } from "./controller/fast-reader.ts";
import type { AuditedWrite } from "./controller/fault-audit.ts";
import { becomesIdle, faultBed, metricsOf, sameAsFreshStart, staysIdle, works } from "./controller/fault-bed.ts";
import { deleteDefinition, makeDefinition, serveKind } from "./controller/fault-definitions.ts";
import { holdWatch } from "./controller/fault-moment.ts";
import type { PlacementView } from "./controller/placement-view.ts";
import type { Scope } from "./controller/scope.ts";
import { bestBy, inSeconds, labelled, names, timeText } from "./controller/specs.ts";

const faults = faultBed();
const { bed, run, changes, mark } = faults;

/** Waits until the log says that a kind cannot be read, or that it can be read again. */
function says(controller: ControllerProcess, what: "cannot" | "can", kind: string): Promise<unknown> {
  const message =
    what === "cannot" ? "a kind cannot be read; nothing is removed because of it" : "a kind can be read again";
  return controller.says((line) => line.message === message && line.kind === kind);
}

/** What must not change while a kind cannot be read. */
function slicesOf({ slices }: PlacementView) {
  return slices.map(({ uid, resourceVersion, decisions }) => ({ uid, resourceVersion, decisions }));
}

/** Two Placements, one of which reads scores. */
async function twoPlacements(name: string): Promise<Scope> {
  const scope = await bed.scope(name);
  await scope.clusters(names(5), { labels: { on: "yes" } });
  await scope.placement("plain", labelled({ on: "yes" }));
  await scope.placement("scored", bestBy("demo", "cpu", 2));
  return scope;
}

test("AddOnPlacementScores are not installed from the start: only Placements that read them wait", async () => {
  const definition = await deleteDefinition(bed.hub, "addonplacementscores");
  const one = await run("one");
  const scope = await twoPlacements("scoreless");
  await says(one, "cannot", "AddOnPlacementScore");
  await scope.allSettle({ plain: { selected: 5 }, scored: { selected: 0, reason: "Undecided" } });
  const { conditions } = await scope.view("scored");
  expect(conditions.PlacementEvaluated).toMatchObject({ status: "False", reason: "UnreadInput" });
  expect(conditions.PlacementSatisfied?.message).toContain("AddOnPlacementScore");
  await staysIdle(faults);

  await makeDefinition(bed.hub, definition);
  for (const [at, cluster] of names(5).entries()) await scope.score(cluster, "demo", { cpu: at * 10 });
  await scope.settles("scored", { selected: ["c004", "c005"] });
  await sameAsFreshStart(faults);
});

/** How often each kind is not served for a while. */
const UNSERVED = {
  ManagedCluster: "managedclusters",
  ManagedClusterSet: "managedclustersets",
  ManagedClusterSetBinding: "managedclustersetbindings",
  Placement: "placements",
  PlacementDecision: "placementdecisions",
  AddOnPlacementScore: "addonplacementscores",
} as const;

test("each kind in turn is not served for a while: all decisions stay as they are", async () => {
  const scope = await twoPlacements("unserved");
  for (const [at, cluster] of names(5).entries()) await scope.score(cluster, "demo", { cpu: at * 10 });
  const one = await run("one");
  await scope.allSettle({ scored: { selected: ["c004", "c005"] }, plain: { selected: 5 } });
  await becomesIdle(faults);
  const views = async () => [await scope.view("plain"), await scope.view("scored")].map(slicesOf);
  const before = await views();
  const from = mark();
  for (const [kind, plural] of Object.entries(UNSERVED)) {
    await serveKind(bed.hub, plural, false);
    await says(one, "cannot", kind);
    expect((await one.ask("health", "/livez")).status, kind).toBe(200);
    await staysIdle(faults, { isExcepted: isStatus });
    await serveKind(bed.hub, plural, true);
    await says(one, "can", kind);
    await scope.reaches("scored", { selected: ["c004", "c005"], reason: "AllDecisionsScheduled" });
    await scope.reaches("plain", { selected: 5, reason: "AllDecisionsScheduled" });
    expect(await views(), kind).toEqual(before);
  }
  expect(changes(from).filter((write) => !isStatus(write))).toEqual([]);
  // It still follows all of them.
  await scope.clusters(["c006"], { labels: { on: "yes" } });
  await scope.score("c006", "demo", { cpu: 100 });
  await scope.allSettle({ plain: { selected: 6 }, scored: { selected: ["c005", "c006"] } });
  await sameAsFreshStart(faults);
});

/** Is it only the status of a Placement, which says what cannot be read? */
function isStatus({ path }: AuditedWrite): boolean {
  return path.includes("/placements/") && path.endsWith("/status");
}

describe("a kind is deleted with all its objects, and made again", () => {
  async function prepared(name: string): Promise<readonly [Scope, ControllerProcess]> {
    const scope = await bed.scope(name);
    await scope.clusters(names(120), { labels: { on: "yes" } });
    for (const placement of ["a", "b"]) await scope.placement(placement, labelled({ on: "yes" }));
    const one = await run("one");
    await scope.allSettle({ a: { selected: 120, slices: 2 }, b: { selected: 120, slices: 2 } });
    return [scope, one];
  }

  test("PlacementDecisions: all are written again", async () => {
    const [scope, one] = await prepared("gone-decisions");
    const definition = await deleteDefinition(bed.hub, "placementdecisions");
    await says(one, "cannot", "PlacementDecision");
    await makeDefinition(bed.hub, definition);
    for (const placement of ["a", "b"]) await scope.reaches(placement, { selected: 120, slices: 2 });
    await scope.mark({ byHand: ["a", "b"] });
    await sameAsFreshStart(faults);
  });

  test("ManagedClusters: none is selected that is not there, and all are again when they are", async () => {
    const [scope, one] = await prepared("gone-clusters");
    const definition = await deleteDefinition(bed.hub, "managedclusters");
    await says(one, "cannot", "ManagedCluster");
    await makeDefinition(bed.hub, definition);
    for (const placement of ["a", "b"]) await scope.reaches(placement, { selected: 0 });
    await scope.clusters(names(120), { labels: { on: "yes" } });
    for (const placement of ["a", "b"]) await scope.reaches(placement, { selected: 120, slices: 2 });
    await scope.mark({ byHand: ["a", "b"] });
    await sameAsFreshStart(faults);
  });

  test.each<readonly [string, string, (scope: Scope) => Promise<void>]>([
    ["ManagedClusterSet", "managedclustersets", (scope) => scope.set("main")],
    ["ManagedClusterSetBinding", "managedclustersetbindings", (scope) => scope.bind("main")],
  ])(
    "%ss: nothing changes while the kind is gone, then there is none, and all is again when there is one",
    async (kind, plural, make) => {
      // Its watch is held up: the controller sees that the kind is gone, but not that its objects are deleted before.
      const release = holdWatch(bed.proxy, plural);
      const [scope, one] = await prepared(`gone-${plural}`);
      const views = async () => [await scope.view("a"), await scope.view("b")].map(slicesOf);
      const before = await views();
      const definition = await deleteDefinition(bed.hub, plural);
      release();
      await says(one, "cannot", kind);
      await staysIdle(faults, { isExcepted: isStatus });
      expect(await views()).toEqual(before);

      await makeDefinition(bed.hub, definition);
      for (const placement of ["a", "b"]) await scope.reaches(placement, { selected: 0, slices: 1 });
      await make(scope);
      for (const placement of ["a", "b"]) await scope.reaches(placement, { selected: 120, slices: 2 });
      const [a, b] = await views();
      expect([a?.[0]?.uid, b?.[0]?.uid]).toEqual(before.map((slices) => slices[0]?.uid));
      await scope.mark({ byHand: ["a", "b"] });
      await sameAsFreshStart(faults);
    },
  );

  test("AddOnPlacementScores: Placements that read them keep their clusters, and follow the new ones", async () => {
    const release = holdWatch(bed.proxy, "addonplacementscores");
    const scope = await twoPlacements("gone-scores");
    for (const name of ["c002", "c004"]) await scope.score(name, "demo", { cpu: 50 });
    const one = await run("one");
    await scope.allSettle({ scored: { selected: ["c002", "c004"] }, plain: { selected: 5 } });
    await becomesIdle(faults);
    const views = async () => [await scope.view("plain"), await scope.view("scored")].map(slicesOf);
    const before = await views();
    const definition = await deleteDefinition(bed.hub, "addonplacementscores");
    release();
    await says(one, "cannot", "AddOnPlacementScore");
    await scope.reaches("scored", { selected: ["c002", "c004"], reason: "Undecided" });
    await staysIdle(faults, { isExcepted: isStatus });
    expect(await views()).toEqual(before);

    await makeDefinition(bed.hub, definition);
    // Without scores, the names decide.
    await scope.reaches("scored", { selected: ["c001", "c002"] });
    for (const name of ["c003", "c005"]) await scope.score(name, "demo", { cpu: 50 });
    await scope.settles("scored", { selected: ["c003", "c005"] });
    await sameAsFreshStart(faults);
  });

  test("Placements: those that are made again take over the decisions of their names", async () => {
    const [scope, one] = await prepared("gone-placements");
    const before = (await scope.view("a")).slices.map(({ uid }) => uid);
    const definition = await deleteDefinition(bed.hub, "placements");
    await says(one, "cannot", "Placement");
    await makeDefinition(bed.hub, definition);
    for (const placement of ["a", "b"]) await scope.placement(placement, labelled({ on: "yes" }));
    await scope.allSettle({ a: { selected: 120, slices: 2 }, b: { selected: 120, slices: 2 } });
    const { uid, slices } = await scope.view("a");
    expect(slices.map((slice) => slice.uid)).toEqual(before);
    for (const { owners } of slices) expect(owners).toMatchObject([{ uid, controller: true }]);
    await sameAsFreshStart(faults);
  });
});

test("a toleration ends on time, without any event", async () => {
  const scope = await bed.scope("tolerated");
  await scope.clusters(["a", "b"]);
  const seconds = 4;
  await scope.placement("p", { tolerations: [{ key: "slow", operator: "Exists", tolerationSeconds: seconds }] });
  await works(await run("one"));
  await scope.settles("p", { selected: ["a", "b"] });
  const from = mark();
  const since = inSeconds(0);
  const taints = [{ key: "slow", effect: "NoSelect", timeAdded: timeText(since) }];
  await scope.edit("cluster", "b", { spec: { taints } });
  await scope.settles("p", { selected: ["a"] });
  const [first] = changes(from).filter(({ path }) => path.includes("placementdecisions"));
  const late = (first?.receivedAt ?? 0) - since.getTime() - seconds * 1000;
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(5000);
  await sameAsFreshStart(faults);
});

const DAY = 24 * 3600;

test("tolerations that end later than a timer can last, and a clock that is set", async () => {
  const scope = await bed.scope("later");
  const long = { month: 30 * DAY, season: 60 * DAY };
  await scope.clusters(["always"]);
  for (const key of Object.keys(long))
    await scope.clusters([key], { taints: [{ key, effect: "NoSelect", timeAdded: timeText(inSeconds(0)) }] });
  const tolerations = Object.entries(long).map(([key, tolerationSeconds]) => ({
    ...{ key, operator: "Exists", tolerationSeconds },
  }));
  await scope.placement("p", { tolerations });
  const all = ["always", "month", "season"];
  const one = await run("one");
  await scope.settles("p", { selected: all });
  await becomesIdle(faults);
  const work = async () =>
    (await metricsOf(one)).match(/^plimsoll_(?:evaluations|writes|reconcile_seconds_count).*$/gm);
  const before = await work();
  expect(before?.length).toBeGreaterThanOrEqual(3);
  await staysIdle(faults);
  expect(await work()).toEqual(before);
  expect(one.stray).toEqual([]);
  await one.stop();

  // By a clock that is set: whatever it says counts.
  const reader = await startFastReader(bed.hub.server, await bed.tokenOf("two"));
  try {
    await staysIdle(faults);
    reader.step(-10 * DAY * 1000);
    await staysIdle(faults);
    reader.step(50 * DAY * 1000);
    await scope.settles("p", { selected: ["always", "season"] });
    reader.step(30 * DAY * 1000);
    await scope.settles("p", { selected: ["always"] });
    reader.step(-70 * DAY * 1000);
    await scope.settles("p", { selected: all });
  } finally {
    await reader.stop();
  }
  await sameAsFreshStart(faults);
});
