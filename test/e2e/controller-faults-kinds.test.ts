// What if a kind of the hub is not served, or deleted and made again? Nothing is removed because something cannot be read; what is
// really gone is gone; and everything is right again afterwards.

import { describe, expect, test } from "vitest";
import type { ControllerProcess } from "./controller/controller-process.ts";
import type { AuditedWrite } from "./controller/fault-audit.ts";
import { becomesIdle, faultBed, sameAsFreshStart, staysIdle, works } from "./controller/fault-bed.ts";
import { deleteDefinition, makeDefinition, serveKind } from "./controller/fault-definitions.ts";
import type { PlacementView } from "./controller/placement-view.ts";
import type { Scope } from "./controller/scope.ts";
import { bestBy, inSeconds, labelled, names, timeText } from "./controller/specs.ts";

const faults = faultBed({ hasGaps: true });
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
  await scope.settles("plain", { selected: 5 });
  const { conditions } = await scope.settles("scored", { selected: 0, reason: "Undecided" });
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
  await scope.settles("scored", { selected: ["c004", "c005"] });
  await scope.settles("plain", { selected: 5 });
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
  await scope.settles("plain", { selected: 6 });
  await scope.settles("scored", { selected: ["c005", "c006"] });
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
    for (const placement of ["a", "b"]) await scope.settles(placement, { selected: 120, slices: 2 });
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

  test("Placements: those that are made again take over the decisions of their names", async () => {
    const [scope, one] = await prepared("gone-placements");
    const before = (await scope.view("a")).slices.map(({ uid }) => uid);
    const definition = await deleteDefinition(bed.hub, "placements");
    await says(one, "cannot", "Placement");
    await makeDefinition(bed.hub, definition);
    for (const placement of ["a", "b"]) await scope.placement(placement, labelled({ on: "yes" }));
    for (const placement of ["a", "b"]) await scope.settles(placement, { selected: 120, slices: 2 });
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
