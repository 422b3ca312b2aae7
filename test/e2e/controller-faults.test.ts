// What if the API server crashes, forgets, or refuses? The controller goes on where it was, ends with what a fresh start computes, and
// no cluster that stays selected is missing at any instant.

import { expect, test } from "vitest";
import type { ControllerProcess, LogLine } from "./controller/controller-process.ts";
import { isDone, isEvent, isLease } from "./controller/fault-audit.ts";
import { becomesIdle, done, faultBed, type Replica, sameAsFreshStart, staysIdle } from "./controller/fault-bed.ts";
import { atOnce, changeFleet, fleetSettles, makeFleet, PROMOTED, selectedIn } from "./controller/fault-fleet.ts";
import { startLine } from "./controller/fault-line.ts";
import { nthChange } from "./controller/fault-moment.ts";
import { CLUSTERS, DECISIONS, inNamespace, PLACEMENT_LABEL, PLACEMENTS } from "./controller/kinds.ts";
import { expressed, labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";
import { type SeenRequest, startProxy } from "./proxy.ts";

const faults = faultBed();
const { bed, run, stopAll, changes, mark, audit } = faults;
/** A lease that is not over while the leader is frozen for a test. */
const LONG_LEASE = ["--lease-duration", "60s", "--renew-deadline", "48s"];

/** The controller sees everything that happens meanwhile at once. */
async function meanwhile(controller: ControllerProcess, act: () => Promise<void>): Promise<void> {
  controller.freeze();
  try {
    await act();
  } finally {
    controller.resume();
  }
}

/** The API server crashes at a moment, and comes back. */
async function crashAt(moment: Promise<void>): Promise<void> {
  await moment;
  await bed.hub.killApiServer();
  await bed.hub.startApiServer();
}

/** For how many milliseconds a replica could not write its Lease, at most, since the log had so many requests. */
function longestOutage(replica: Replica, from: number): number {
  const renewals = audit.writes(from).filter((write) => write.user === replica && isLease(write) && isDone(write));
  const gaps = renewals.map(({ receivedAt }, at) => receivedAt - (renewals[at - 1]?.answeredAt ?? receivedAt));
  return Math.max(...gaps);
}

/** An API server that is away for a shorter time is no error. */
const SHORT_MS = 5000;
/** What is an error if it is away for longer. */
const AWAY = [
  "a kind cannot be read; nothing is removed because of it",
  "nothing is written: it cannot be found out whether OCM's placement controller runs",
];

/** The namespace of a fence, whose Placement is written. */
function isOfFence({ path }: { readonly path: string }): boolean {
  return path.includes("/namespaces/fence/");
}

test("the API server crashes while many Placements are being written, and while nothing happens", async () => {
  const scope = await bed.scope("crash");
  const fleet = await makeFleet(scope, 20);
  const first = mark();
  const moment = nthChange(bed.proxy, 30);
  const one = await run("one");
  await crashAt(moment);
  await fleetSettles(scope, fleet, "before");
  expect(done(changes(first)).length).toBeGreaterThan(60);

  const second = mark();
  const middle = nthChange(bed.proxy, 30);
  await meanwhile(one, () => changeFleet(scope, fleet));
  await crashAt(middle);
  await fleetSettles(scope, fleet, "after");
  expect(done(changes(second)).length).toBeGreaterThan(60);

  await becomesIdle(faults);
  const third = mark();
  await crashAt(Promise.resolve());
  // An API server that has just started may not have read its roles: for a moment it forbids everything.
  await bed.fence();
  await staysIdle(faults, { from: third, isExcepted: isOfFence });
  await scope.edit("cluster", fleet.leaving[0] as string, { metadata: { labels: { on: "yes" } } });
  const selected = [...selectedIn(fleet, "after"), fleet.leaving[0] as string].sort();
  for (const name of fleet.placements) await scope.reaches(name, { selected });
  const isLong = longestOutage("one", first) >= SHORT_MS;
  const isUsual = ({ message }: LogLine): boolean => isLong && AWAY.includes(message);
  expect(one.log.filter((line) => line.level === "error" && !isUsual(line))).toEqual([]);
  await sameAsFreshStart(faults);
});

test("the API server crashes in the middle of the first list of ManagedClusters, and etcd forgets the version of the list", async () => {
  const scope = await bed.scope("sync");
  // Two pages.
  await scope.clusters(names(600), { labels: { on: "yes" } });
  await scope.placement("p", labelled({ on: "yes" }));
  await run("one");
  const { slices: before } = await scope.settles("p", { selected: 600, slices: 6 });
  await becomesIdle(faults);
  await stopAll();
  await scope.remove("cluster", "c600");
  await scope.edit("cluster", "c001", { metadata: { labels: { on: "no" } } });

  const proxy = await startProxy({ server: bed.hub.server });
  let pass: () => void = () => {};
  const held = new Promise<void>((done) => {
    pass = done;
  });
  const isNextPage = ({ path, query }: SeenRequest): boolean => path === CLUSTERS && query.has("continue");
  proxy.inject({ when: isNextPage, fault: { is: "held", until: held }, times: 1 });
  const from = mark();
  const one = await run("one", { server: proxy.server });
  await Promise.all([proxy.sees(isNextPage), one.says("leading")]);
  await staysIdle(faults, { from });
  await bed.hub.killApiServer();
  await bed.hub.compact();
  const seen = proxy.seen.length;
  pass();
  await until("it tries again", () => proxy.seen.slice(seen).some(({ path }) => path === CLUSTERS));
  await bed.hub.startApiServer();
  await one.says("synced");
  expect((await scope.view("p")).slices).toHaveLength(before.length);
  await scope.settles("p", { selected: 598 });
  // What it has written is what has changed.
  const ofDecisions = changes(from).filter(({ path }) => path.includes("/placementdecisions/"));
  expect(ofDecisions).toHaveLength(2);
  await sameAsFreshStart(faults);
  await proxy.stop();
});

test("etcd forgets all history while the leader is frozen and objects change: its watches are answered 410, and it lists again", async () => {
  const line = await startLine(bed.hub.server);
  const proxy = await startProxy({ server: line.server });
  const watched: Record<string, string> = {};
  const hear = (part: string, { path }: SeenRequest): void => {
    watched[path] = (watched[path] ?? "") + part;
  };
  proxy.inject({ when: ({ query }) => query.has("watch"), fault: { is: "heard", take: hear } });
  const scope = await bed.scope("forget");
  await scope.clusters(names(12), { labels: { on: "yes" } });
  await scope.placement("stays", labelled({ on: "yes" }));
  await scope.placement("edited", labelled({ on: "yes" }));
  await scope.placement("deleted", labelled({ on: "yes" }));
  // It keeps its Lease: a new leader would list everything, whatever its watches say.
  const one = await run("one", { server: proxy.server, flags: LONG_LEASE });
  await scope.allSettle({ stays: { selected: 12 }, edited: { selected: 12 }, deleted: { selected: 12 } });
  await becomesIdle(faults);

  const seen = proxy.seen.length;
  await meanwhile(one, async () => {
    // What the API server sends would wait in the buffers of the connections.
    line.cut();
    await scope.remove("cluster", "c001");
    await scope.edit("cluster", "c002", { metadata: { labels: { on: "no" } } });
    await scope.clusters(["new"], { labels: { on: "yes" } });
    await scope.edit("placement", "edited", { spec: expressed('managedCluster.metadata.name.endsWith("c003")') });
    await scope.remove("placement", "deleted");
    await scope.placement("created", { clusterSets: [scope.longName("main")] });
    await bed.hub.forgetHistory();
    line.heal();
  });
  const selected = [...names(10, 3), "new"];
  await scope.reaches("stays", { selected });
  await scope.reaches("edited", { selected: ["c003"] });
  await scope.reaches("created", { selected: ["c002", ...selected] });
  await bed.watcher.settled();
  for (const changed of [CLUSTERS, PLACEMENTS, DECISIONS]) {
    expect(watched[changed], changed).toMatch(/"type":"ERROR".*"code":410/);
    const asked = proxy.seen.slice(seen).filter(({ path, method }) => path === changed && method === "GET");
    const [first, ...others] = asked.map(({ query }) => (query.has("watch") ? "watch" : "list"));
    expect(first, changed).toBe("watch");
    expect(others, changed).toContain("list");
  }

  // What the garbage collector does. While the lists are read one after the other, the controller could still know the Placement.
  await scope.remove("decision", "deleted-decision-1");
  await becomesIdle(faults);
  expect((await bed.hub.call("GET", `${inNamespace(DECISIONS, scope.namespace)}`)).items).toHaveLength(3);
  await bed.hub.compact();
  await staysIdle(faults);
  await scope.edit("cluster", "c002", { metadata: { labels: { on: "yes" } } });
  await scope.settles("stays", { selected: ["c002", ...selected] });
  expect(one.log.map(({ message }) => message)).not.toContain("standing by");
  await sameAsFreshStart(faults);
  await proxy.stop();
  await line.stop();
});

/** How often another client writes. */
const FOREIGN_WRITES = 1000;

test("another client writes to the same objects a thousand times while clusters come and go", async () => {
  const scope = await bed.scope("storm");
  const fleet = await makeFleet(scope, 8);
  await run("one");
  await fleetSettles(scope, fleet, "before");
  const from = mark();
  const { items } = await bed.hub.call("GET", inNamespace(DECISIONS, scope.namespace));
  const decisions = (items as readonly { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  expect(decisions.length).toBeGreaterThan(8);
  const condition = {
    type: "Theirs",
    status: "True",
    reason: "Theirs",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  const [edited = ""] = fleet.placements;
  const writes = Array.from({ length: FOREIGN_WRITES }, (_, at) => async () => {
    const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(at / 5) % list.length] as Item;
    const path = scope.path("decision", pick(decisions));
    if (at % 5 === 0) await bed.hub.tryCall("PATCH", path, { metadata: { labels: { theirs: `${at}` } } });
    else if (at % 5 === 1) await bed.hub.tryCall("PATCH", path, { metadata: { annotations: { theirs: `${at}` } } });
    else if (at % 5 === 2)
      await scope.editStatus("placement", pick(fleet.placements), { numberOfSelectedClusters: at });
    else if (at % 5 === 3)
      await scope.editStatus("placement", pick(fleet.placements), { conditions: [{ ...condition, message: `${at}` }] });
    else {
      // Of one Placement only: the clusters of the others must never be missing.
      const theirs = pick(decisions.filter((name) => name.startsWith(`${edited}-`)));
      const clusterName = scope.longName(pick(fleet.staying));
      const status = { decisions: at % 2 === 0 ? [] : [{ clusterName, reason: "theirs" }] };
      await bed.hub.tryCall("PATCH", `${scope.path("decision", theirs)}/status`, { status });
    }
  });
  await Promise.all([atOnce(writes, 4), changeFleet(scope, fleet)]);
  const last = mark();
  await fleetSettles(scope, fleet, "after", { byHand: [edited] });
  await becomesIdle(faults);
  const state = (since: number) => changes(since).filter((write) => !isEvent(write));
  expect(state(from).some(({ code }) => code === 409)).toBe(true);
  const foreign = audit
    .writes(from)
    .filter((write) => write.user === "admin" && write.verb === "patch" && isDone(write));
  // Some are about a PlacementDecision that is not there any more.
  expect(foreign.length).toBeGreaterThan(0.9 * FOREIGN_WRITES);
  // However late the controller is: a foreign write costs one write, a change of a cluster four for each Placement that selects it.
  const changed = fleet.leaving.length + fleet.joining.length + PROMOTED;
  const enough = 4 * fleet.placements.length;
  expect(done(state(from)).length).toBeLessThan(FOREIGN_WRITES + changed * enough);
  // And when the last one is over, what is left to do is not more than a few writes for each object.
  expect(done(state(last)).length).toBeLessThan(5 * (decisions.length + fleet.placements.length));
  for (const name of fleet.placements) {
    const { slices, conditions } = await scope.view(name);
    expect(conditions.PlacementSatisfied?.status).toBe("True");
    for (const { labels } of slices) {
      expect(Object.keys(labels)).toHaveLength(3);
      expect(labels[PLACEMENT_LABEL]).toBe(name);
    }
  }
  await sameAsFreshStart(faults);
});
