// What if the API server crashes, forgets, or refuses? The controller goes on where it was, ends with what a fresh start computes, and
// no cluster that stays selected is missing at any instant.

import { expect, test } from "vitest";
import type { ControllerProcess } from "./controller/controller-process.ts";
import { isEvent } from "./controller/fault-audit.ts";
import { becomesIdle, done, faultBed, sameAsFreshStart, staysIdle } from "./controller/fault-bed.ts";
import { atOnce, changeFleet, fleetSettles, makeFleet, PROMOTED, selectedIn } from "./controller/fault-fleet.ts";
import { startLine } from "./controller/fault-line.ts";
import { nthChange } from "./controller/fault-moment.ts";
import { DECISIONS, inNamespace, PLACEMENT_LABEL } from "./controller/kinds.ts";
import { expressed, labelled, names } from "./controller/specs.ts";
import { startProxy } from "./proxy.ts";

const faults = faultBed({ hasGaps: true });
const { bed, run, changes, mark } = faults;

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
  await staysIdle(faults, { from: third });
  await scope.edit("cluster", fleet.leaving[0] as string, { metadata: { labels: { on: "yes" } } });
  const selected = [...selectedIn(fleet, "after"), fleet.leaving[0] as string].sort();
  for (const name of fleet.placements) await scope.reaches(name, { selected });
  expect(one.log.filter(({ level }) => level === "error")).toEqual([]);
  await sameAsFreshStart(faults);
});

test("etcd forgets all history while the controller is cut off and objects change", async () => {
  const line = await startLine(bed.hub.server);
  const proxy = await startProxy({ server: line.server });
  const scope = await bed.scope("forget");
  await scope.clusters(names(12), { labels: { on: "yes" } });
  await scope.placement("stays", labelled({ on: "yes" }));
  await scope.placement("edited", labelled({ on: "yes" }));
  await scope.placement("deleted", labelled({ on: "yes" }));
  const one = await run("one", { server: proxy.server });
  for (const name of ["stays", "edited", "deleted"]) await scope.settles(name, { selected: 12 });

  line.cut();
  await one.says("standing by");
  const seen = proxy.seen.length;
  await scope.remove("cluster", "c001");
  await scope.edit("cluster", "c002", { metadata: { labels: { on: "no" } } });
  await scope.clusters(["new"], { labels: { on: "yes" } });
  await scope.edit("placement", "edited", { spec: expressed('managedCluster.metadata.name.endsWith("c003")') });
  await scope.remove("placement", "deleted");
  await scope.remove("decision", "deleted-decision-1");
  await scope.placement("created", { clusterSets: [scope.longName("main")] });
  await bed.hub.forgetHistory();
  line.heal();
  const selected = [...names(10, 3), "new"];
  await scope.reaches("stays", { selected });
  await scope.reaches("edited", { selected: ["c003"] });
  await scope.reaches("created", { selected: ["c002", ...selected] });
  await bed.watcher.settled();
  expect((await bed.hub.call("GET", `${inNamespace(DECISIONS, scope.namespace)}`)).items).toHaveLength(3);
  const lists = proxy.seen
    .slice(seen)
    .filter(({ path, query }) => path.endsWith("managedclusters") && !query.has("watch"));
  expect(lists.length).toBeGreaterThan(0);

  await becomesIdle(faults);
  await bed.hub.compact();
  await staysIdle(faults);
  await scope.edit("cluster", "c002", { metadata: { labels: { on: "yes" } } });
  await scope.settles("stays", { selected: ["c002", ...selected] });
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
  const [edited = "", ...unedited] = fleet.placements;
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
  expect(unedited).toHaveLength(7);
  await becomesIdle(faults);
  const state = (since: number) => changes(since).filter((write) => !isEvent(write));
  expect(state(from).some(({ code }) => code === 409)).toBe(true);
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
