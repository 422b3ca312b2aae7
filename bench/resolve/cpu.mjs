// How much CPU time does one solve take in a warm process? Garbage is collected once before a series, not between samples: V8
// sweeps in threads of its own afterwards, and what they do would be counted.
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "../measure.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");
/** In milliseconds: by then the threads that sweep are through. */
const SWEEPING = 500;

/** What was thrown away while a problem was made is no concern of its solution. */
export async function settled() {
  collectGarbage();
  await sleep(SWEEPING);
}

/** Milliseconds of CPU time that something takes, and its result. */
export function cpuOf(run) {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return { cpu: (user + system) / 1000, result };
}

/** The median over some samples, each prepared anew, and the result of the last; the first ones only warm up. */
export function warmCpuOf(prepare, { samples, warmUp }) {
  const times = [];
  let last;
  for (let sample = 0; sample < warmUp; sample++) last = prepare()();
  for (let sample = 0; sample < samples; sample++) {
    const { cpu, result } = cpuOf(prepare());
    times.push(cpu);
    last = result;
  }
  return { cpu: median(times), result: last };
}
