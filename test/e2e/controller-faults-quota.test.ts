// What if etcd is full, so that the API server refuses every write, but still deletes? Nothing is lost, the controller does not ask again and
// again, says why, stands by when its Lease ends, and goes on by itself when there is room again.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ControllerProcess } from "./controller/controller-process.ts";
import { isDone, isEvent, isLease, writeText } from "./controller/fault-audit.ts";
import { faultBed, leads, sameAsFreshStart } from "./controller/fault-bed.ts";
import { atOnce, changeFleet, fleetSettles, makeFleet, selectedIn } from "./controller/fault-fleet.ts";
import { PLACEMENTS } from "./controller/kinds.ts";
import { seriesOf } from "./controller/metrics.ts";
import { selectedOf } from "./controller/placement-view.ts";
import { labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";
import { quotaFlag } from "./etcd.ts";

const faults = faultBed({ etcdFlags: [quotaFlag(16 * 1024 * 1024)] });
const { bed, run, changes, mark, audit } = faults;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const FULL = "database space exceeded";
/** In 25 seconds, with waits of at least 50, 100, 200 milliseconds and so on. */
const ATTEMPTS = 9;
/** A lease that is not over before etcd is full: the leader tries to write. */
const LEASE = ["--lease-duration", "32s", "--renew-deadline", "25s", "--retry-period", "500ms"];

/** Fills etcd; returns how many objects that took. */
async function fill(): Promise<number> {
  const data = { filler: "x".repeat(900_000) };
  for (let count = 0; ; count++) {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `map-${count}` }, data };
    const { status, body } = await bed.hub.tryCall("POST", CONFIG_MAPS, object);
    if (status === 201) continue;
    expect(body.message).toContain(FULL);
    return count;
  }
}

/** Waits until a controller has evaluated all changes that have waited: an attempt to write evaluates nothing. */
async function evaluatesNothing(controller: ControllerProcess): Promise<void> {
  let before: number | undefined;
  await until("it has evaluated everything", async () => {
    const { plimsoll_evaluations_total: evaluations } = await seriesOf(controller);
    const isSame = evaluations === before;
    before = evaluations;
    await sleep(500);
    return isSame || undefined;
  });
}

test("etcd is full when many Placements have to be written", async () => {
  const scope = await bed.scope("full");
  const fleet = await makeFleet(scope, 5);
  const many = names(205, 201);
  await scope.clusters(many, { labels: { many: "yes" } });
  await scope.placement("shrinks", labelled({ many: "yes" }));
  const one = await run("one", { flags: LEASE });
  await fleetSettles(scope, fleet, "before");
  const [leaving, staying] = [many.slice(0, 100), many.slice(100)];
  const { slices } = await scope.settles("shrinks", { selected: 205, slices: 3 });
  expect(slices[0]?.clusters).toEqual(leaving);
  one.freeze();
  await changeFleet(scope, fleet);
  await atOnce(leaving.map((name) => () => scope.edit("cluster", name, { metadata: { labels: { many: "no" } } })));
  const count = await fill();
  const from = mark();
  one.resume();
  await one.says(({ message, why }) => message === "failed to write" && `${why}`.includes(FULL));
  await evaluatesNothing(one);
  const counted = mark();
  await one.says(({ message, why }) => message === "cannot read or renew the Lease" && `${why}`.includes(FULL));
  await leads(one, false);
  expect((await one.ask("health", "/livez")).status).toBe(200);
  expect((await one.ask("health", "/readyz")).status).toBe(200);
  // Only a deletion can be carried out: of the PlacementDecision that has no cluster which stays.
  const accepted = changes(from).filter(isDone);
  const ofShrinks = `${scope.path("decision", "shrinks-decision-1")}`;
  expect(accepted.filter(({ verb, path }) => verb !== "delete" || path !== ofShrinks).map(writeText)).toEqual([]);
  expect(selectedOf(await scope.view("shrinks"))).toEqual(expect.arrayContaining([...staying]));
  for (const name of fleet.placements) expect(selectedOf(await scope.view(name))).toEqual(selectedIn(fleet, "before"));
  // Each Placement is tried again after a tenth of a second at first, then after twice as long each time.
  const refused = (since: number) => changes(since).filter((write) => !isEvent(write));
  expect(new Set(refused(from).map(({ path }) => path)).size).toBeGreaterThanOrEqual(fleet.placements.length + 1);
  const byObject = new Map<string, number>();
  for (const { path } of refused(counted)) byObject.set(path, (byObject.get(path) ?? 0) + 1);
  expect(Math.max(...byObject.values())).toBeLessThanOrEqual(ATTEMPTS);
  // The Lease is tried with its own period, and not more often.
  const renewals = audit.writes(from).filter((write) => write.user === "one" && isLease(write) && !isDone(write));
  const [first, last] = [renewals[0]?.receivedAt ?? Number.NaN, renewals.at(-1)?.receivedAt ?? Number.NaN];
  expect(renewals.length).toBeLessThanOrEqual(2 + (last - first) / 500);

  await bed.hub.makeRoom();
  await atOnce(Array.from({ length: count }, (_, at) => () => bed.hub.call("DELETE", `${CONFIG_MAPS}/map-${at}`)));
  await bed.hub.makeRoom();
  await fleetSettles(scope, fleet, "after");
  await scope.settles("shrinks", { selected: staying, slices: 2 });
  await leads(one);
  await until("no status reports it any more", async () => {
    const { items } = await bed.hub.call("GET", PLACEMENTS);
    return !JSON.stringify(items).includes(FULL) || undefined;
  });
  await sameAsFreshStart(faults);
});
