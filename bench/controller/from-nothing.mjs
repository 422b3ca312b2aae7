// How long does a controller take for all Placements of a hub without decisions? From the start of its process until every
// PlacementDecision has its clusters, and the status of every Placement their number, as a client sees it.
import { setTimeout as sleep } from "node:timers/promises";
import { withController } from "./contestants.mjs";
import { startFromNothing, writesBetween } from "./hub.mjs";
import { delaysOf } from "./metrics.mjs";
import { PATHS, PLACEMENT_LABEL } from "./objects.mjs";

const PROGRESS_MS = 15_000;
const LOOK_AGAIN_MS = 1000;

/** One contestant on a hub where every Placement selects `clusters` clusters; the figures at the end, or at the limit. */
export async function fromNothing(hub, contestant, setting) {
  await startFromNothing(hub);
  const [serverCpu, writes] = [hub.cpu(), await hub.writes()];
  return withController(contestant, hub, async (controller) => {
    const result = await settled(hub, controller, { ...setting, name: contestant.name });
    const figures = { ...result, cpu: controller.cpu(), memory: controller.memory(), serverCpu: hub.cpu() - serverCpu };
    return { ...figures, delays: await delaysOf(controller), writes: writesBetween(writes, await hub.writes()) };
  });
}

/**
 * Waits until every Placement is decided. Both controllers write the status of a Placement after its decisions, so that only
 * Placements are watched; then the decisions are looked at.
 */
export async function settled({ api }, { started }, { placements, clusters, limit, name }) {
  const done = new Set();
  let last = started;
  let wake = () => {};
  const stop = await api.follow(PATHS.placements, ({ metadata, status }, _, arrival) => {
    if (status?.numberOfSelectedClusters !== clusters) done.delete(metadata.name);
    else if (!done.has(metadata.name)) {
      done.add(metadata.name);
      last = arrival;
      if (done.size === placements) wake();
    }
  });
  const over = performance.now() + limit;
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000);
    console.error(`  ${name}: ${done.size} of ${placements} Placements after ${seconds} s`);
  }, PROGRESS_MS);
  try {
    while (performance.now() < over) {
      if (done.size < placements) {
        await Promise.race([
          new Promise((awake) => (wake = awake)),
          sleep(over - performance.now(), undefined, { ref: false }),
        ]);
        continue;
      }
      const end = last;
      if (await isComplete(api, placements, clusters))
        return { isDone: true, done: done.size, seconds: (end - started) / 1000 };
      await sleep(LOOK_AGAIN_MS);
      last = performance.now();
    }
    return { isDone: false, done: done.size, seconds: (performance.now() - started) / 1000 };
  } finally {
    clearInterval(progress);
    stop();
  }
}

/** Whether the decisions of every Placement have as many different clusters as they should. */
async function isComplete(api, placements, clusters) {
  const selected = new Map();
  await api.list(PATHS.decisions, ({ metadata, status }) => {
    const name = metadata.labels?.[PLACEMENT_LABEL];
    const names = selected.get(name) ?? new Set();
    selected.set(name, names);
    for (const { clusterName } of status?.decisions ?? []) names.add(clusterName);
  });
  return selected.size === placements && [...selected.values()].every(({ size }) => size === clusters);
}
