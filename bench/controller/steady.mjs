// How long until a change of a cluster is in the decisions, while a hundred clusters change every second? From the watch event of the
// cluster to the watch event of the PlacementDecision that has it, or has it no longer, as a client sees both.
import { setTimeout as sleep } from "node:timers/promises";
import { forEachAtOnce } from "./api.mjs";
import { writesBetween } from "./hub.mjs";
import { addDelays } from "./metrics.mjs";
import { clusterName, isServing, PATHS, PLACEMENT_LABEL, servingPatch } from "./objects.mjs";

const ROUNDS = 10;
const TICK_MS = 20;
const PROGRESS_MS = 15_000;

/** Changes a label of one cluster after the other; latencies, and what it cost the controller. */
export async function steadyLoad(hub, controller, setting) {
  const view = await followChanges(hub.api);
  const [cpu, serverCpu, writes, { lines }] = [controller.cpu(), hub.cpu(), await hub.writes(), controller.pauses()];
  const progress = setInterval(() => console.error(`  ${setting.name}: ${view.figures()}`), PROGRESS_MS);
  try {
    const load = await change(hub, controller, setting);
    const costs = { cpu: controller.cpu() - cpu, serverCpu: hub.cpu() - serverCpu };
    const pauses = controller.pauses(lines);
    const begun = performance.now();
    while (view.pending() > 0 && performance.now() < begun + setting.limit) await sleep(TICK_MS);
    return {
      ...{ ...load, ...costs, pauses, catchingUp: (performance.now() - begun) / 1000 },
      ...{ superseded: view.superseded(), pending: view.pending(), writes: writesBetween(writes, await hub.writes()) },
      latencies: view.latencies.toSorted((a, b) => a - b),
      /** The 99th percentile of each round: a disturbance of the machine is in some of them only. */
      rounds: eachRound(view.latencies).map((some) =>
        quantileOf(
          some.toSorted((a, b) => a - b),
          0.99,
        ),
      ),
    };
  } finally {
    clearInterval(progress);
    view.stop();
  }
}

/** Sends the changes at their time; the memory of the controller after each round, and the longest delays of its event loops. */
async function change({ api }, controller, { clusters, rate, seconds }) {
  const order = shuffled(clusters);
  const begun = performance.now();
  const memory = [];
  const delays = {};
  let changed = 0;
  let sent = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const end = begun + (seconds * 1000 * round) / ROUNDS;
    while (performance.now() < end) {
      const due = Math.floor(((performance.now() - begun) * rate) / 1000);
      for (; changed < due; changed++) {
        const path = `${PATHS.clusters}/${clusterName(order[changed % clusters])}`;
        const isOn = Math.floor(changed / clusters) % 2 === 1;
        sent.push(api.call("PATCH", path, servingPatch(isOn)));
      }
      await sleep(TICK_MS);
    }
    await Promise.all(sent);
    sent = [];
    memory.push(controller.memory().now);
    addDelays(delays, await controller.metrics());
  }
  return { changed, loading: (performance.now() - begun) / 1000, memory, delays };
}

/** The value below which a part of sorted values is. */
export function quantileOf(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** Latencies in the order of their end, as many in each round. */
function eachRound(latencies) {
  const length = Math.ceil(latencies.length / ROUNDS);
  return Array.from({ length: ROUNDS }, (_, round) => latencies.slice(round * length, (round + 1) * length));
}

/** Puts all clusters back to what they were loaded as. */
export async function restoreClusters({ api }) {
  const others = [];
  await api.list(PATHS.clusters, (cluster) => !isServing(cluster) && others.push(cluster.metadata.name));
  await forEachAtOnce(others, (name) => api.call("PATCH", `${PATHS.clusters}/${name}`, servingPatch(true)));
}

/** Watches clusters and decisions: what is pending, and how long the others took. */
async function followChanges(api) {
  const latencies = [];
  /** Clusters whose newest state is not in the decisions: what it should be, and since when. */
  const pending = new Map();
  const serving = new Map();
  /** The clusters of each decision, and in how many decisions a cluster is. */
  const slices = new Map();
  const selected = new Map();
  let superseded = 0;

  function count(names, by) {
    for (const name of names) selected.set(name, (selected.get(name) ?? 0) + by);
  }

  /** Both watches are separate: the decision may arrive before the change that it is about. */
  function check(name, arrival) {
    const change = pending.get(name);
    if (change === undefined || selected.get(name) > 0 !== change.isOn) return;
    pending.delete(name);
    latencies.push(Math.max(0, arrival - change.since));
  }

  const stopDecisions = await api.follow(PATHS.decisions, ({ metadata, status }, isDeleted, arrival) => {
    if (metadata.labels?.[PLACEMENT_LABEL] === undefined) return;
    const last = slices.get(metadata.name) ?? new Set();
    const now = new Set(isDeleted ? [] : (status?.decisions ?? []).map(({ clusterName }) => clusterName));
    slices.set(metadata.name, now);
    count(last, -1);
    count(now, 1);
    for (const name of last) if (!now.has(name)) check(name, arrival);
    for (const name of now) if (!last.has(name)) check(name, arrival);
  });
  const stopClusters = await api.follow(PATHS.clusters, (cluster, _, arrival) => {
    const { name } = cluster.metadata;
    const isOn = isServing(cluster);
    const known = serving.get(name);
    serving.set(name, isOn);
    if (known === undefined || known === isOn) return;
    if (pending.has(name)) {
      // It changed back before it was decided: it took at least as long.
      superseded++;
      latencies.push(arrival - pending.get(name).since);
    }
    pending.set(name, { isOn, since: arrival });
    check(name, arrival);
  });
  return {
    latencies,
    superseded: () => superseded,
    pending: () => pending.size,
    figures: () => `${latencies.length} changes are in the decisions, ${pending.size} are not`,
    stop: () => {
      stopDecisions();
      stopClusters();
    },
  };
}

/** Indexes in an order that is the same in every run: neighbours are in different shards at different times. */
function shuffled(count) {
  const order = Array.from({ length: count }, (_, index) => index);
  let state = 7;
  for (let last = count - 1; last > 0; last--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
