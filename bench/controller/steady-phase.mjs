// How does a contestant go through changes and heartbeats? On a hub where it has decided everything, in one process.
import { withController } from "./contestants.mjs";
import { settled } from "./from-nothing.mjs";
import { heartbeats, idle } from "./heartbeats.mjs";
import { startFromNothing } from "./hub.mjs";
import { restoreClusters, steadyLoad } from "./steady.mjs";

/** One contestant on a hub where each Placement selects the clusters of a shard. */
export async function changesAndHeartbeats(hub, contestant, setting) {
  const { clusters, shards, limit } = setting;
  const { name } = contestant;
  await restoreClusters(hub);
  await startFromNothing(hub);
  return withController(contestant, hub, async (controller) => {
    const first = await settled(hub, controller, { placements: shards, clusters: clusters / shards, limit, name });
    await idle(controller, limit);
    const load = await steadyLoad(hub, controller, { ...setting, name });
    const beat = await heartbeats(hub, controller, setting);
    return { first, load, beat };
  });
}
