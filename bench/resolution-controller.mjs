// How fast is the resolution controller? Many namespaces with Subscriptions of the real catalog, on a real API server and a real gRPC
// registry: the first advice, updates of the catalog, an idle minute, changes that matter to nobody or to one namespace.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NoServersError } from "../test/e2e/servers/build-once.mjs";
import { catalogServersFolder, serversFolder } from "../test/e2e/servers/servers.mjs";
import { ourCommand, startProcess } from "./controller/contestants.mjs";
import { quantileOf } from "./controller/steady.mjs";
import { calibrate, line, mb, ms } from "./measure.mjs";
import { startBed } from "./resolution-controller/cluster.mjs";
import { costs } from "./resolution-controller/costs.mjs";
import {
  catalogUpdate,
  delaysText,
  firstAdvice,
  idleTime,
  subscriptionChanges,
  unrelatedChanges,
} from "./resolution-controller/phases.mjs";
import { CATALOG } from "./resolution-controller/registry.mjs";

const FULL = { namespaces: 200, subscriptions: 10, rounds: 10, changes: 50, idle: 60_000 };
const QUICK = { namespaces: 40, subscriptions: 10, rounds: 3, changes: 20, idle: 15_000 };

export async function benchResolutionController({ data, dist, quick, profile }) {
  console.log(`\nThe resolution controller (calibration loop ${ms(calibrate())})`);
  if (data === undefined || !existsSync(join(data, CATALOG)))
    return console.log(`  skipped: no --data FOLDER with ${CATALOG}`);
  try {
    process.env.KUBEBUILDER_ASSETS = await serversFolder();
    process.env.PLIMSOLL_E2E_CATALOGS = await catalogServersFolder();
  } catch (error) {
    if (!(error instanceof NoServersError)) throw error;
    return console.log(`  skipped: ${error.message}`);
  }
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-bench-resolution-"));
  const size = quick ? QUICK : FULL;
  const bed = await startBed(folder, { data, ...size });
  const loop = calibrate();
  const command = ourCommand(bed.kubeconfig, { controller: "resolution", dist, profile });
  const controller = startProcess(command, folder);
  try {
    await Promise.race([measure({ bed, controller, loop, size }), controller.ended]);
  } finally {
    await controller.stop();
    await bed.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ bed, controller, loop, size }) {
  const { namespaces, subscriptions, rounds, changes, idle } = size;
  const installed = bed.objects.filter(({ kind }) => kind === "ClusterServiceVersion").length;
  const advices = await bed.advices();
  const bench = { bed, controller, advices, namespaces };
  const title = (text, now) => console.log(`\n  ${text} (calibration loop ${ms(now)})`);

  title(`${namespaces} namespaces with ${subscriptions} Subscriptions each, ${installed} operators installed`, loop);
  const first = await costs(bench, () => firstAdvice(bench));
  line("from the start of the process until all have advice", ms(first.took), "< 60 s");
  printCosts(first);
  line("outcomes", first.outcomes);
  line("held back, refused requests", `${first.heldBack}, ${first.unsatisfied}`);

  title(`${rounds} updates of the catalog, to and fro`, calibrate());
  const memory = [];
  for (let round = 1; round <= rounds; round++) {
    const now = calibrate();
    const update = await costs(bench, () => catalogUpdate(bench, round));
    memory.push(update.memory.settled);
    line(`until all have new advice (loop ${ms(now)})`, ms(update.took), "< 30 s");
    printCosts(update);
  }
  line("memory after each", memory.map(mb).join(", "), "flat");

  title(`${idle / 1000} seconds without changes`, calibrate());
  const quiet = await idleTime(bench, idle);
  line("writes", JSON.stringify(quiet.writes), "only the Lease");
  printCosts(quiet);

  title("changes of other things", calibrate());
  const unrelated = await unrelatedChanges(bench);
  line("engines asked after a status of each installed operator", `${unrelated.heartbeats}`, "0");
  line("namespaces with new advice after a Subscription changed", `${unrelated.advised}`, "1");
  line("engines asked then", `${unrelated.asked}`, "1 or 2");

  title(`${changes} changes of a Subscription, one after the other`, calibrate());
  const single = await costs(bench, () => subscriptionChanges(bench, changes));
  const part = (quantile) => ms(quantileOf(single.latencies, quantile));
  line("until the status is written: median, 99th percentile", `${part(0.5)}, ${part(0.99)}`, "< 2 s");
  printCosts(single);
  line("memory at its peak", mb(controller.memory().peak), "< 1 GB");
  advices.close();
}

function printCosts({ cpu, serverCpu, otherWork, memory, delays, pauses, waited, asked }) {
  line(
    "  CPU time: controller; API server and etcd; other work",
    `${ms(cpu)}; ${ms(serverCpu)}; ${otherWork.toFixed(1)} cores`,
  );
  line("  threads waited for a core", ms(waited));
  line("  engines asked", asked.join(", "));
  if (memory) line("  memory: settled, peak so far", `${mb(memory.settled)}, ${mb(memory.peak)}`, "< 1 GB");
  if (delays) line("  event loops", delaysText(delays), "p99 <= 50 ms");
  line("  longest pause for garbage", ms(Math.max(pauses.scavenge, pauses.full)));
}
