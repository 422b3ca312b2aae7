// What if the API server crashes, forgets, or refuses? The controller goes on where it was, ends with what a fresh start computes, and
// no cluster that stays selected is missing at any instant.

import { expect, test } from "vitest";
import type { ControllerProcess } from "./controller/controller-process.ts";
import { becomesIdle, done, faultBed, sameAsFreshStart, staysIdle } from "./controller/fault-bed.ts";
import { atOnce, changeFleet, fleetSettles, makeFleet, selectedIn } from "./controller/fault-fleet.ts";
import { startLine } from "./controller/fault-line.ts";
import { nthChange } from "./controller/fault-moment.ts";
import { DECISIONS, inNamespace, PLACEMENT_LABEL } from "./controller/kinds.ts";
import { expressed, labelled, names } from "./controller/specs.ts";
import { startProxy } from "./proxy.ts";

const faults = faultBed();
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
  await staysIdle(faults);
  expect(changes(third)).toEqual([]);
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

  await bed.hub.compact();
  await staysIdle(faults);
  await scope.edit("cluster", "c002", { metadata: { labels: { on: "yes" } } });
  await scope.settles("stays", { selected: ["c002", ...selected] });
  await sameAsFreshStart(faults);
  await proxy.stop();
  await line.stop();
});

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
  const writes = Array.from({ length: 1000 }, (_, at) => async () => {
    const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(at / 4) % list.length] as Item;
    const path = scope.path("decision", pick(decisions));
    if (at % 4 === 0) await bed.hub.tryCall("PATCH", path, { metadata: { labels: { theirs: `${at}` } } });
    else if (at % 4 === 1) await bed.hub.tryCall("PATCH", path, { metadata: { annotations: { theirs: `${at}` } } });
    else if (at % 4 === 2)
      await scope.editStatus("placement", pick(fleet.placements), { numberOfSelectedClusters: at });
    else
      await scope.editStatus("placement", pick(fleet.placements), { conditions: [{ ...condition, message: `${at}` }] });
  });
  await Promise.all([atOnce(writes, 4), changeFleet(scope, fleet)]);
  const last = mark();
  await fleetSettles(scope, fleet, "after");
  await becomesIdle(faults);
  expect(changes(last).length).toBeLessThan(200);
  expect(done(changes(from)).length).toBeLessThan(1500);
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
