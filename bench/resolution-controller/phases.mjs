// What is measured of the resolution controller? Each phase begins and ends with a controller that has nothing to do.
import { setTimeout as sleep } from "node:timers/promises";
import { forEachAtOnce } from "../controller/api.mjs";
import { idle } from "../controller/heartbeats.mjs";
import { delaysOf } from "../controller/metrics.mjs";
import { milliseconds } from "../controller/report.mjs";
import { costs, resultsOf } from "./costs.mjs";
import { connectedStatus, generator, namespaceName, operatorStatus, PATHS } from "./objects.mjs";

/** Longer than any phase should take, in milliseconds. */
const LIMIT = 300_000;
/** Longer than the controller waits for further changes. */
const NOTICED = 2000;
/** Longer than the controller waits until it sends how often an event was repeated. */
const QUIET = 70_000;
const LEASES = "leases";
const SEED = 11;

/** From the start of the process until all namespaces have advice. */
export async function firstAdvice(bench) {
  const { controller, advices, namespaces } = bench;
  const last = await advices.renewed(new Map(), namespaces, LIMIT);
  const after = await settled(bench);
  const samples = await controller.metrics();
  const value = (name) => samples.find((one) => one.name === name)?.value;
  const outcomes = samples.filter(({ name }) => name === "plimsoll_resolutions");
  return {
    ...after,
    took: last - controller.started,
    outcomes: outcomes.map(({ labels, value: count }) => `${labels.outcome} ${count}`).join(", "),
    heldBack: value("plimsoll_operators_held_back"),
    unsatisfied: value("plimsoll_subscriptions_unsatisfied"),
  };
}

/** The registry serves the other version of the catalog, and OLM reports that it has connected again. */
export async function catalogUpdate(bench, round) {
  const { bed, advices, namespaces } = bench;
  const before = advices.inputs();
  bed.turnTo(round % 2);
  const begun = performance.now();
  await bed.api.call("PATCH", `${PATHS.source}/status`, { status: connectedStatus(round) });
  const last = await advices.renewed(before, namespaces, LIMIT);
  return { ...(await settled(bench)), took: last - begun };
}

/** Nothing happens. Before that, events of earlier changes have been sent: they are paced. */
export async function idleTime(bench, duration) {
  const { bed } = bench;
  while (Object.keys(await writesDuring(bed, QUIET)).some((resource) => resource !== LEASES));
  return costs(bench, async () => ({ writes: await writesDuring(bed, duration), ...(await settled(bench)) }));
}

/** How many requests were sent while time passed, by resource. */
async function writesDuring({ writes }, duration) {
  const before = await writes();
  await sleep(duration);
  const counts = Object.entries(await writes()).map(([resource, count]) => [resource, count - (before[resource] ?? 0)]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Another time in the status of every operator; and one Subscription changes. */
export async function unrelatedChanges(bench) {
  const { bed, advices } = bench;
  const operators = bed.objects.filter(({ kind }) => kind === "ClusterServiceVersion");
  const before = await askedOf(bench);
  await forEachAtOnce(operators, ({ metadata }) =>
    bed.api.call("PATCH", `${PATHS.operator(metadata)}/status`, { status: operatorStatus(1) }),
  );
  await sleep(NOTICED);
  await settled(bench);
  const between = await askedOf(bench);
  const inputs = advices.inputs();
  await changeApproval(bed, namespaceName(0), true);
  await sleep(NOTICED);
  await settled(bench);
  const advised = [...advices.inputs()].filter(([name, one]) => inputs.get(name)?.inputs !== one.inputs).length;
  return { heartbeats: between - before, advised, asked: (await askedOf(bench)) - between };
}

/** Subscriptions of random namespaces change one after the other; the times until the status of the Resolution has arrived. */
export async function subscriptionChanges(bench, count) {
  const { bed, advices, namespaces } = bench;
  const random = generator(SEED);
  const latencies = [];
  const manual = new Set([namespaceName(0)]);
  for (let change = 0; change < count; change++) {
    const namespace = namespaceName(Math.floor(random() * namespaces));
    const isManual = !manual.has(namespace);
    if (isManual) manual.add(namespace);
    else manual.delete(namespace);
    const before = advices.inputs();
    const begun = performance.now();
    await changeApproval(bed, namespace, isManual);
    latencies.push((await advices.renewed(before, 1, LIMIT)) - begun);
    await sleep(100);
  }
  return { ...(await settled(bench)), latencies: latencies.toSorted((a, b) => a - b) };
}

/** The first Subscription of a namespace waits for approval, or does not. */
function changeApproval(bed, namespace, isManual) {
  const { metadata } = bed.objects.find((one) => one.kind === "Subscription" && one.metadata.namespace === namespace);
  const installPlanApproval = isManual ? "Manual" : "Automatic";
  return bed.api.call("PATCH", PATHS.subscription(metadata), { spec: { installPlanApproval } });
}

/** How often an engine was asked about a namespace. */
async function askedOf(bench) {
  return Object.values(await resultsOf(bench)).reduce((sum, count) => sum + count, 0);
}

async function settled({ controller }) {
  await idle(controller, LIMIT);
  const { now, peak } = controller.memory();
  return { memory: { settled: now, peak }, delays: await delaysOf(controller) };
}

export function delaysText(delays) {
  const each = Object.entries(delays).map(([thread, quantiles]) => {
    const texts = Object.entries(quantiles).map(([quantile, value]) => `${quantile}: ${milliseconds(value)}`);
    return `${thread} ${texts.join(", ")}`;
  });
  return each.join("; ");
}
