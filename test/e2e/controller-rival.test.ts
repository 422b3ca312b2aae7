// Does it share a hub with OCM's own placement controller? While that one may be alive, nothing is written; its decisions are taken over as
// they are; and it can take them back.

import { beforeAll, expect, test } from "vitest";
import type { AuditedWrite } from "./controller/fault-audit.ts";
import { becomesIdle, faultBed, leads, sameAsFreshStart, staysIdle, works } from "./controller/fault-bed.ts";
import { deployOcm, OCM_NAMESPACE, OcmLease, whileOcmRuns } from "./controller/fault-ocm.ts";
import type { SliceView } from "./controller/placement-view.ts";
import type { Scope } from "./controller/scope.ts";
import { bestBy, expressed, labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";
import { loadObjects } from "./load-objects.ts";

const faults = faultBed({ users: { ocm: ["system:masters"] } });
const { bed, run, changes, mark } = faults;

beforeAll(async () => {
  await loadObjects(bed.hub.admin, [{ apiVersion: "v1", kind: "Namespace", metadata: { name: OCM_NAMESPACE } }]);
});

/** So long the Lease is believed when it is not renewed: longer than this machine can be busy with something else. */
const LEASE_SECONDS = 8;
const ALIVE = "nothing is written: OCM's own placement controller is alive";

/** A Placement that has to be written. */
async function undecided(name: string): Promise<Scope> {
  const scope = await bed.scope(name);
  await scope.clusters(names(3), { labels: { on: "yes" } });
  await scope.placement("p", labelled({ on: "yes" }));
  return scope;
}

test("nothing is written while the Lease of OCM's controller is renewed", async () => {
  const scope = await undecided("leased");
  const lease = new OcmLease(bed.hub);
  await lease.hold(LEASE_SECONDS);
  const from = mark();
  const one = await run("one");
  const line = await one.says(ALIVE);
  expect(line).toMatchObject({ level: "warn", lease: "placement-lock", holder: "ocm", namespace: OCM_NAMESPACE });
  await one.says("synced");
  expect((await one.ask("health", "/readyz")).status).toBe(200);
  await staysIdle(faults, { from });
  await lease.abandon();
  await scope.settles("p", { selected: 3 });
  await leads(one);

  // It comes back.
  await lease.hold(LEASE_SECONDS);
  await leads(one, false);
  const back = mark();
  await scope.clusters(["new"], { labels: { on: "yes" } });
  await staysIdle(faults, { from: back });
  await lease.abandon();
  // A leader that ends releases it: then nothing has to be waited for.
  await lease.take(60, "");
  await scope.settles("p", { selected: 4 });
  expect(changes(from).every(({ user }) => user === "one")).toBe(true);
  await sameAsFreshStart(faults);
});

test("nothing is written while the Deployment of OCM's controller has replicas", async () => {
  const scope = await undecided("deployed");
  await deployOcm(bed.hub, 3);
  const from = mark();
  const one = await run("one");
  expect(await one.says(ALIVE)).toMatchObject({ level: "warn", replicas: 3, namespace: OCM_NAMESPACE });
  await one.says("synced");
  await staysIdle(faults, { from });
  await deployOcm(bed.hub, 0);
  await scope.settles("p", { selected: 3 });
  await deployOcm(bed.hub, 1);
  await leads(one, false);
  const back = mark();
  await scope.clusters(["new"], { labels: { on: "yes" } });
  await staysIdle(faults, { from: back });
  await deployOcm(bed.hub, undefined);
  await scope.settles("p", { selected: 4 });
  await sameAsFreshStart(faults);
});

const PLACEMENTS = ["plain", "groups", "some", "few", "scored", "cel", "broken"] as const;

/** Placements of all sorts, which OCM's controller decides. */
async function decidedByOcm(): Promise<Scope> {
  const scope = await bed.scope("adopted");
  await scope.clusters(names(110), { labels: { on: "yes" } });
  await scope.clusters(["x", "y"], { labels: { on: "yes", tier: "canary" } });
  await scope.score("x", "demo", { cpu: 50 });
  await scope.score("y", "demo", { cpu: 70 });
  const canary = { groupName: "canary", groupClusterSelector: { labelSelector: { matchLabels: { tier: "canary" } } } };
  await scope.placement("plain", labelled({ on: "yes" }));
  await scope.placement("groups", { decisionStrategy: { groupStrategy: { decisionGroups: [canary] } } });
  await scope.placement("some", { numberOfClusters: 7 });
  await scope.placement("few", { numberOfClusters: 200 });
  await scope.placement("scored", bestBy("demo", "cpu", 1));
  await scope.placement("cel", expressed('managedCluster.metadata.name.endsWith("x")'));
  await scope.placement("broken", { prioritizerPolicy: { mode: "Wrong" } });
  await whileOcmRuns(bed.hub, "ocm", async () => {
    for (const name of ["plain", "groups", "few"]) await scope.reaches(name, { selected: 112 });
    await scope.reaches("some", { selected: 7 });
    await scope.reaches("scored", { selected: ["y"] });
    await scope.reaches("cel", { selected: ["x"] });
    await becomesIdle(faults);
  });
  return scope;
}

/** All PlacementDecisions, without what changes with every write. */
async function slicesOf(scope: Scope): Promise<readonly Omit<SliceView, "resourceVersion">[]> {
  const views = await Promise.all(PLACEMENTS.map((name) => scope.view(name)));
  return views.flatMap(({ slices }) => slices.map(({ resourceVersion: _, ...slice }) => slice));
}

/** `VERB KIND`, of the object that is written. */
function whatOf({ verb, path }: AuditedWrite): string {
  const [kind, , subresource] = path.replace(/^.*\/namespaces\/[^/]+\//, "").split("/");
  return `${verb} ${kind}${subresource === undefined ? "" : `/${subresource}`}`;
}

test("the decisions of OCM's controller are taken over as they are, and it can take them back", async () => {
  const scope = await decidedByOcm();
  const ofOcm = await slicesOf(scope);
  expect(ofOcm.length).toBeGreaterThanOrEqual(11);

  const taking = mark();
  await works(await run("one"));
  await becomesIdle(faults);
  // Reasons, and conditions; clusters, their order, labels and owners are as before.
  expect(new Set(changes(taking).map(whatOf))).toEqual(
    new Set(["update placementdecisions/status", "patch placements/status"]),
  );
  const withoutReasons = (slices: readonly Omit<SliceView, "resourceVersion">[]) =>
    slices.map(({ decisions, ...slice }) => ({ ...slice, decisions: decisions.map(({ clusterName }) => clusterName) }));
  const ours = await slicesOf(scope);
  expect(withoutReasons(ours)).toEqual(withoutReasons(ofOcm));
  for (const { decisions } of ours) for (const { reason } of decisions) expect(reason).not.toBe("");
  await faults.stopAll();

  await works(await run("one", { flags: ["--compat", "ocm"] }));
  await becomesIdle(faults);
  expect(await slicesOf(scope)).toEqual(ofOcm);
  await faults.stopAll();

  const back = mark();
  await whileOcmRuns(bed.hub, "ocm", async () => {
    await until("OCM's controller has looked at all of them", () => {
      const seen = changes(back).map(({ body }) => `${(body.regarding as { name?: string } | undefined)?.name}`);
      return PLACEMENTS.every((name) => seen.includes(name)) || undefined;
    });
    await becomesIdle(faults);
  });
  // It sends the same events after every start, also after one of its own.
  expect(
    changes(back)
      .map(whatOf)
      .filter((what) => !what.endsWith(" events")),
  ).toEqual([]);
  expect(await slicesOf(scope)).toEqual(ofOcm);
  await scope.mark();
});
