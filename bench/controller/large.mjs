// How long does a controller take to read a very large hub, and how much memory does it keep?
import { setTimeout as sleep } from "node:timers/promises";
import { withController } from "./contestants.mjs";
import { settled } from "./from-nothing.mjs";
import { startFromNothing } from "./hub.mjs";
import { delaysOf } from "./metrics.mjs";

/** Memory is looked at once more after this time. */
const LATER_MS = 15_000;

/** One contestant on a hub with one Placement that selects every cluster. */
export async function readLarge(hub, contestant, setting) {
  await startFromNothing(hub);
  const serverCpu = hub.cpu();
  return withController(contestant, hub, async (controller) => {
    let synced = {};
    // OCM's controller does not say so.
    void controller.says("synced").then(({ arrival }) => {
      synced = { synced: (arrival - controller.started) / 1000, memoryWhenSynced: controller.memory() };
    });
    const result = await settled(hub, controller, { ...setting, placements: 1, name: contestant.name });
    const memory = controller.memory();
    const costs = { cpu: controller.cpu(), serverCpu: hub.cpu() - serverCpu, delays: await delaysOf(controller) };
    await sleep(LATER_MS);
    return { ...result, ...synced, ...costs, memory, later: controller.memory().now };
  });
}
