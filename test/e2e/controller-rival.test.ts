// Does it share a hub with OCM's own placement controller? While that one may be alive, nothing is written; its decisions are taken over as
// they are; and it can take them back.

import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import type { ControllerProcess } from "./controller/controller-process.ts";
import { type AuditedWrite, isDone, isEvent } from "./controller/fault-audit.ts";
import { becomesIdle, faultBed, leads, sameAsFreshStart, staysIdle, works } from "./controller/fault-bed.ts";
import { storeScores } from "./controller/fault-definitions.ts";
import { deployOcm, OCM_ELECTION, OCM_NAMESPACE, OcmLease, whileOcmRuns } from "./controller/fault-ocm.ts";
import { DISABLE_ANNOTATION, inNamespace, LEASES } from "./controller/kinds.ts";
import { type Expectation, objectsOf, type PlacementView, type SliceView } from "./controller/placement-view.ts";
import type { Scope } from "./controller/scope.ts";
import { bestBy, expressed, labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";
import { loadObjects } from "./load-objects.ts";

const faults = faultBed({ users: { ocm: ["system:masters"] } });
const { bed, audit, run, changes, mark } = faults;

beforeAll(async () => {
  await loadObjects(bed.hub.admin, [{ apiVersion: "v1", kind: "Namespace", metadata: { name: OCM_NAMESPACE } }]);
});

/** So long the Lease is believed when it is not renewed: longer than this machine can be busy with something else. */
const LEASE_SECONDS = 8;
const ALIVE = "nothing is written: OCM's own placement controller is alive";

/** OCM's controller is looked for every 2 seconds, and an answer takes at most 5; and a second for a busy machine. */
const NOTICED_MS = 8000;
const PAUSE_MS = 50;

/** A Placement that has to be written. */
async function undecided(name: string): Promise<Scope> {
  const scope = await bed.scope(name);
  await scope.clusters(names(3), { labels: { on: "yes" } });
  await scope.placement("p", labelled({ on: "yes" }));
  return scope;
}

/** OCM's controller comes back while clusters are added all the time; returns how many. Our last write is not long after it. */
async function comesBackAmongChanges(
  scope: Scope,
  one: ControllerProcess,
  comeBack: () => Promise<void>,
): Promise<number> {
  const from = mark();
  let count = 0;
  let isOver = false;
  const adding = (async () => {
    while (!isOver) {
      await scope.clusters([`new${count++}`], { labels: { on: "yes" } });
      await sleep(PAUSE_MS);
    }
  })();
  try {
    await until("it writes", () => changes(from).length > 0);
    await comeBack();
    await leads(one, false);
    await staysIdle(faults);
  } finally {
    isOver = true;
    await adding;
  }
  const back = audit
    .writes(from)
    .find((write) => write.user === "admin" && write.path.includes(`/namespaces/${OCM_NAMESPACE}/`) && isDone(write));
  const ours = changes(from).map(({ receivedAt }) => receivedAt - (back as AuditedWrite).receivedAt);
  expect(Math.min(...ours)).toBeLessThan(0);
  expect(Math.max(...ours)).toBeLessThan(NOTICED_MS);
  return count;
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
  // Not even events.
  expect(changes(from)).toEqual([]);
  await lease.abandon();
  await scope.settles("p", { selected: 3 });
  await leads(one);

  const added = await comesBackAmongChanges(scope, one, () => lease.hold(LEASE_SECONDS));
  const back = mark();
  await scope.clusters(["last"], { labels: { on: "yes" } });
  await staysIdle(faults, { from: back });
  await lease.abandon();
  // A leader that ends releases it: then nothing has to be waited for.
  await lease.take(60, "");
  await scope.settles("p", { selected: 4 + added });
  await sameAsFreshStart(faults);
});

test("nothing is written while OCM's own controller leads; when it ends, it releases its Lease", async () => {
  const scope = await undecided("elected");
  let one: ControllerProcess | undefined;
  const act = async (): Promise<void> => {
    await scope.reaches("p", { selected: 3 });
    const from = mark();
    one = await run("one");
    expect(await one.says(ALIVE)).toMatchObject({ lease: "placement-lock", holder: expect.stringMatching(/./) });
    await one.says("synced");
    await scope.clusters(["more"], { labels: { on: "yes" } });
    await scope.reaches("p", { selected: 4 });
    await staysIdle(faults, { from, isExcepted: ({ user }) => user === "ocm" });
    expect(changes(from).filter(({ user }) => user !== "ocm")).toEqual([]);
  };
  await whileOcmRuns(bed.hub, "ocm", act, { election: OCM_ELECTION });
  const { spec } = await bed.hub.call("GET", `${inNamespace(LEASES, OCM_NAMESPACE)}/placement-lock`);
  expect((spec as JsonObject).holderIdentity ?? "").toBe("");
  await leads(one as ControllerProcess);
  await scope.clusters(["last"], { labels: { on: "yes" } });
  await scope.settles("p", { selected: 5 });
  expect(Object.keys((await scope.view("p")).conditions)).toContain("PlacementEvaluated");
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
  expect(changes(from)).toEqual([]);
  await deployOcm(bed.hub, 0);
  await scope.settles("p", { selected: 3 });
  await leads(one);
  const added = await comesBackAmongChanges(scope, one, () => deployOcm(bed.hub, 1));
  const back = mark();
  await scope.clusters(["last"], { labels: { on: "yes" } });
  await staysIdle(faults, { from: back });
  await deployOcm(bed.hub, undefined);
  await scope.settles("p", { selected: 4 + added });
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

type Slice = Omit<SliceView, "resourceVersion">;

/** All PlacementDecisions of Placements, without what changes with every write. */
async function slicesOf(scope: Scope, placements: readonly string[]): Promise<readonly Slice[]> {
  const views = await Promise.all(placements.map((name) => scope.view(name)));
  return views.flatMap(({ slices }) => slices.map(({ resourceVersion: _, ...slice }) => slice));
}

/** Clusters, their order, labels and owners: everything but reasons and scores. */
function cutOf(slices: readonly Slice[]) {
  return slices.map(({ decisions, ...slice }) => ({
    ...slice,
    decisions: decisions.map(({ clusterName }) => clusterName),
  }));
}

/** `VERB KIND`, of the object that is written. */
function whatOf({ verb, path }: AuditedWrite): string {
  const [kind, , subresource] = path.replace(/^.*\/namespaces\/[^/]+\//, "").split("/");
  return `${verb} ${kind}${subresource === undefined ? "" : `/${subresource}`}`;
}

/** The Placement that a write is about: an event of it, or its status. */
function placementOf({ path, body }: AuditedWrite): string | undefined {
  const { name } = partOf(body, "regarding");
  return typeof name === "string" ? name : /\/placements\/([^/]+)\/status/.exec(path)?.[1];
}

/** OCM's controller takes over these Placements; returns what it writes but for events. */
async function ocmTakesBack(placements: readonly string[]): Promise<readonly AuditedWrite[]> {
  const back = mark();
  await whileOcmRuns(bed.hub, "ocm", async () => {
    await until("OCM's controller has looked at all of them", () => {
      const seen = new Set(changes(back).map(placementOf));
      return placements.every((name) => seen.has(name)) || undefined;
    });
    await becomesIdle(faults);
  });
  // It sends the same events after every start, also after one of its own.
  return changes(back).filter((write) => !isEvent(write));
}

test("the decisions of OCM's controller are taken over as they are, and it can take them back", async () => {
  const scope = await decidedByOcm();
  const ofOcm = await slicesOf(scope, PLACEMENTS);
  expect(ofOcm.length).toBeGreaterThanOrEqual(11);

  const taking = mark();
  await works(await run("one"));
  await becomesIdle(faults);
  // Reasons, and conditions.
  expect(new Set(changes(taking).map(whatOf))).toEqual(
    new Set(["update placementdecisions/status", "patch placements/status"]),
  );
  const ours = await slicesOf(scope, PLACEMENTS);
  expect(cutOf(ours)).toEqual(cutOf(ofOcm));
  for (const { decisions } of ours) for (const { reason } of decisions) expect(reason).not.toBe("");
  await faults.stopAll();

  await works(await run("one", { flags: ["--compat", "ocm"] }));
  await becomesIdle(faults);
  expect(await slicesOf(scope, PLACEMENTS)).toEqual(ofOcm);
  await faults.stopAll();

  expect((await ocmTakesBack(PLACEMENTS)).map(whatOf)).toEqual([]);
  expect(await slicesOf(scope, PLACEMENTS)).toEqual(ofOcm);
  await scope.mark();
});

/** What makes a mistake of a Placement that has decided. */
const MISTAKES: Readonly<Record<string, JsonObject>> = {
  typo: expressed("managedCluster.metadata.name.endsWith("),
  mode: { prioritizerPolicy: { mode: "Wrong" } },
  group: groupedBy("broken", { matchExpressions: [{ key: "tier", operator: "In", values: [] }] }),
};
/** Placements whose clusters are cut into several PlacementDecisions. */
const CUT = ["plain", "groups", "parts"];
const DECIDED = [...CUT, "steady", "scored", ...Object.keys(MISTAKES)];
/** Placements that no controller writes in the end. */
const LEFT_ALONE = ["disabled", "deleted"];

/** One named group. */
function groupedBy(groupName: string, labelSelector: JsonObject): JsonObject {
  const decisionGroups = [{ groupName, groupClusterSelector: { labelSelector } }];
  return { decisionStrategy: { groupStrategy: { decisionGroups } } };
}

/** Large Placements, which OCM's controller decides. */
async function largeOnesDecidedByOcm(): Promise<Scope> {
  const scope = await bed.scope("returned");
  await scope.clusters(names(230), { labels: { on: "yes", old: "yes" } });
  await scope.clusters(["x", "y"], { labels: { on: "yes", tier: "canary" } });
  await scope.score("x", "demo", { cpu: 50 });
  await scope.score("y", "demo", { cpu: 70 });
  const steady = { scoreCoordinate: { builtIn: "Steady" }, weight: 1 };
  const specs: Readonly<Record<string, JsonObject>> = {
    groups: groupedBy("canary", { matchLabels: { tier: "canary" } }),
    parts: { ...labelled({ old: "yes" }), decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 60 } } },
    steady: { numberOfClusters: 7, prioritizerPolicy: { mode: "Exact", configurations: [steady] } },
    scored: bestBy("demo", "cpu", 1),
  };
  for (const name of [...DECIDED, ...LEFT_ALONE]) {
    const metadata = name === "deleted" ? { finalizers: ["example.com/held"] } : {};
    await scope.placement(name, specs[name] ?? labelled({ on: "yes" }), metadata);
  }
  await whileOcmRuns(bed.hub, "ocm", async () => {
    await decide(scope, 232, 230);
    await becomesIdle(faults);
  });
  return scope;
}

/** Waits until all have decided: `parts` has the clusters that were there at first. */
async function decide(scope: Scope, all: number, old: number): Promise<void> {
  const others: Readonly<Record<string, Expectation>> = {
    parts: { selected: old },
    steady: { selected: 7 },
    scored: { selected: ["y"] },
  };
  const expected = [...DECIDED, ...LEFT_ALONE].map((name) => [name, others[name] ?? { selected: all }] as const);
  await scope.allSettle(Object.fromEntries(expected));
}

/** Clusters go, come, and move to another group: each change alone, so that no cluster passes through further groups. */
async function clustersChange(scope: Scope): Promise<void> {
  await Promise.all(names(60).map((name) => scope.remove("cluster", name)));
  await decide(scope, 172, 170);
  await scope.clusters(names(130, 300), { labels: { on: "yes" } });
  await decide(scope, 302, 170);
  const canary = { metadata: { labels: { tier: "canary" } } };
  await Promise.all(names(100, 101).map((name) => scope.edit("cluster", name, canary)));
  await until("the group has them", async () => {
    const [group] = objectsOf((await scope.view("groups")).status.decisionGroups);
    return group?.clusterCount === 102 || undefined;
  });
  await decide(scope, 302, 170);
}

/** What is so of a Placement whatever words its mistake is reported in. */
function withoutWords({ resourceVersion: _, status, conditions, ...view }: PlacementView) {
  const { conditions: __, ...numbers } = status;
  const { PlacementMisconfigured, ...others } = conditions;
  return { ...view, numbers, others, misconfigured: { ...PlacementMisconfigured, message: "" } };
}

test("what has changed under our controller is given back as OCM would have it", async () => {
  await storeScores(bed.hub);
  const scope = await largeOnesDecidedByOcm();
  const viewsOf = (placements: readonly string[]) => Promise.all(placements.map((name) => scope.view(name)));
  const cuts = async () => (await Promise.all(CUT.map((name) => slicesOf(scope, [name])))).map(cutOf);
  await works(await run("one", { flags: ["--decision-scores", "all"] }));
  await clustersChange(scope);
  for (const [name, spec] of Object.entries(MISTAKES)) await scope.edit("placement", name, { spec });
  await scope.edit("placement", "disabled", { metadata: { annotations: { [DISABLE_ANNOTATION]: "true" } } });
  await scope.remove("placement", "deleted");
  const kept = { selected: 302, misconfigured: "True" } as const;
  await scope.allSettle({ typo: kept, mode: kept, group: kept });
  await faults.stopAll();
  const cutByUs = await cuts();
  const alone = await viewsOf(LEFT_ALONE);
  const ourDecision = {
    clusterName: expect.any(String),
    reason: expect.stringMatching(/./),
    score: expect.any(Number),
  };
  for (const { status, slices, conditions } of [...alone, ...(await viewsOf(DECIDED))]) {
    expect(Object.keys(conditions)).toContain("PlacementEvaluated");
    for (const { observedGeneration } of Object.values(conditions)) expect(observedGeneration).toBeGreaterThan(0);
    expect(status).toHaveProperty("lastScoreUpdateTime");
    for (const { decisions } of slices) for (const decision of decisions) expect(decision).toEqual(ourDecision);
  }

  // The steps of docs/moving-from-ocm.md: nothing but the conditions says when Plimsoll can be stopped.
  await works(await run("one", { flags: ["--compat", "ocm"] }));
  await until("no Placement has the condition, except those that are left alone", async () => {
    const views = await viewsOf(DECIDED);
    return views.every(({ conditions }) => conditions.PlacementEvaluated === undefined) || undefined;
  });
  await faults.stopAll();
  await scope.mark();
  const returned = await viewsOf(DECIDED);
  for (const { status, slices, conditions } of returned) {
    expect(Object.keys(conditions).sort()).toEqual(["PlacementMisconfigured", "PlacementSatisfied"]);
    for (const { observedGeneration } of Object.values(conditions)) expect(observedGeneration).toBeUndefined();
    expect(status).not.toHaveProperty("lastScoreUpdateTime");
    for (const { decisions } of slices)
      for (const decision of decisions) expect(decision).toEqual({ clusterName: expect.any(String), reason: "" });
  }
  expect(await viewsOf(LEFT_ALONE)).toEqual(alone);
  for (const [at, cut] of (await cuts()).entries()) expect(cut).not.toEqual(cutByUs[at]);
  // As OCM does it: a mistake costs all clusters, in a group the PlacementDecisions, too.
  const left = (await viewsOf(Object.keys(MISTAKES))).map(({ slices }) => slices.map(({ clusters }) => clusters));
  expect(left).toEqual([[[]], [[]], []]);

  // OCM's controller has only other words for mistakes: the message of a condition.
  const written = await ocmTakesBack(DECIDED);
  expect(new Set(written.map((write) => `${whatOf(write)} ${placementOf(write)}`))).toEqual(
    new Set(["patch placements/status typo", "patch placements/status group"]),
  );
  expect((await viewsOf(DECIDED)).map(withoutWords)).toEqual(returned.map(withoutWords));
  await scope.mark();
  await scope.edit("placement", "deleted", { metadata: { finalizers: null } });
});
