// What if etcd is full, so that the API server refuses every write? The controller stands by, says why, and goes on by itself when there is
// room again.

import { expect, test } from "vitest";
import { isChange, isDone } from "./controller/fault-audit.ts";
import { faultBed, leads, sameAsFreshStart } from "./controller/fault-bed.ts";
import { changeFleet, fleetSettles, makeFleet } from "./controller/fault-fleet.ts";
import { quotaFlag } from "./etcd.ts";

const faults = faultBed({ etcdFlags: [quotaFlag(16 * 1024 * 1024)] });
const { bed, run, mark, audit } = faults;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const FULL = "database space exceeded";

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

test("etcd is full when many Placements have to be written", async () => {
  const scope = await bed.scope("full");
  const fleet = await makeFleet(scope, 5);
  const one = await run("one");
  await fleetSettles(scope, fleet, "before");
  one.freeze();
  await changeFleet(scope, fleet);
  const count = await fill();
  const from = mark();
  one.resume();
  await one.says(({ message, why }) => message === "the Lease cannot be kept" && `${why}`.includes(FULL));
  await leads(one, false);
  expect((await one.ask("health", "/livez")).status).toBe(200);
  expect((await one.ask("health", "/readyz")).status).toBe(200);
  expect(audit.writes(from).filter((write) => isChange(write) && isDone(write))).toEqual([]);

  await bed.hub.makeRoom();
  for (let index = 0; index < count; index++) await bed.hub.call("DELETE", `${CONFIG_MAPS}/map-${index}`);
  await bed.hub.makeRoom();
  await fleetSettles(scope, fleet, "after");
  await leads(one);
  await sameAsFreshStart(faults);
});
