// How much CPU time does one solve take in a warm process?
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "../measure.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/** Milliseconds of CPU time that something takes, and its result. What was thrown away before is not its concern. */
export function cpuOf(run) {
  collectGarbage();
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
