// Does a fence wait for every kind? It does not end while the watch of one of them is held up; nor does a later one.

import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { controllerBed } from "./controller/bed.ts";
import { holdWatch } from "./controller/fault-moment.ts";
import { FLEET_RESOURCES } from "./controller/kinds.ts";

const bed = controllerBed();
const LEAST_MS = 2000;
/** Several times as long as a fence takes. */
let heldMs = LEAST_MS;

beforeAll(async () => {
  heldMs = Math.max(LEAST_MS, 3 * (await bed.fence()));
});

test.each(FLEET_RESOURCES)("%s", async (plural) => {
  await bed.controller.stop();
  const scope = await bed.scope(plural);
  await scope.clusters(["a"]);
  await scope.placement("p");
  const release = holdWatch(bed.proxy, plural);
  await bed.start();
  // This needs the lists only. They are made before: what comes later is delivered by watches.
  await scope.settles("p", { selected: ["a"] });
  let isPassed = false;
  const passing = bed.fence().then(() => {
    isPassed = true;
  });
  await sleep(heldMs);
  const wasPassed = isPassed;
  release();
  await passing;
  expect(wasPassed).toBe(false);
});
