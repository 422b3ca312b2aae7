// What does a phase of the bench cost, besides its result?
import { cpuOfMachine, waitedForCores } from "../controller/process-figures.mjs";

/** What a phase costs besides its result, and the cores that other processes kept busy. */
export async function costs(bench, work) {
  const { bed, controller } = bench;
  const asked = await resultsOf(bench);
  const waited = waitedForCores(controller.pid);
  const [begun, cpu, serverCpu, machine] = [performance.now(), controller.cpu(), bed.cpu(), cpuOfMachine()];
  const own = process.cpuUsage();
  const pauses = controller.pauses();
  const result = await work();
  const results = await resultsOf(bench);
  const spent = { cpu: controller.cpu() - cpu, serverCpu: bed.cpu() - serverCpu };
  const { user, system } = process.cpuUsage(own);
  const others = cpuOfMachine() - machine - spent.cpu - spent.serverCpu - (user + system) / 1000;
  return {
    ...result,
    ...spent,
    otherWork: Math.max(0, others / (performance.now() - begun)),
    pauses: controller.pauses(pauses.lines),
    waited: waitedForCores(controller.pid) - waited,
    asked: Object.entries(results).map(([result, count]) => `${result} ${count - asked[result]}`),
  };
}

/** How often an engine was asked, by what came of it. */
export async function resultsOf({ controller }) {
  const samples = await controller.metrics();
  const asked = samples.filter(({ name }) => name === "plimsoll_resolves_total");
  return Object.fromEntries(asked.map(({ labels, value }) => [labels.result, value]));
}
