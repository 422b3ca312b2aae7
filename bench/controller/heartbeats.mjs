// What does a heartbeat of every cluster cost, which changes nothing that a Placement selects by? CPU time of the controller, and
// whether it evaluates or writes anything.
import { setTimeout as sleep } from "node:timers/promises";
import { forEachAtOnce } from "./api.mjs";
import { writesBetween } from "./hub.mjs";
import { evaluationsOf } from "./metrics.mjs";
import { clusterName, heartbeatPatch, PATHS } from "./objects.mjs";

const LOOK_MS = 2000;
/** A controller that uses less than this part of a core has nothing left to do; the sampling of a profile takes some. */
const IDLE = 0.05;
const IDLE_PROFILED = 0.3;

/** Patches the status of every cluster as fast as the API server answers, and waits until the controller has nothing to do. */
export async function heartbeats(hub, controller, { clusters, limit }) {
  await idle(controller, limit);
  const [cpu, writes, evaluations] = [controller.cpu(), await hub.writes(), evaluationsOf(await controller.metrics())];
  const begun = performance.now();
  await forEachAtOnce(
    Array.from({ length: clusters }, (_, index) => index),
    (index) => hub.api.call("PATCH", `${PATHS.clusters}/${clusterName(index)}/status`, heartbeatPatch(index)),
  );
  const loading = (performance.now() - begun) / 1000;
  const isIdle = await idle(controller, limit);
  return {
    ...{ loading, isIdle, cpu: controller.cpu() - cpu, seconds: (performance.now() - begun) / 1000 },
    ...{
      writes: writesBetween(writes, await hub.writes()),
      evaluations: evaluationsOf(await controller.metrics()) - evaluations,
    },
  };
}

/** Waits until a controller has nothing to do; false at the limit. */
export async function idle(controller, limit) {
  const over = performance.now() + limit;
  const part = controller.isProfiled ? IDLE_PROFILED : IDLE;
  for (let cpu = controller.cpu(); performance.now() < over; ) {
    await sleep(LOOK_MS);
    const now = controller.cpu();
    if (now - cpu < part * LOOK_MS) return true;
    cpu = now;
  }
  return false;
}
