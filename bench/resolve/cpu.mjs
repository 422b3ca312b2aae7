// How much CPU time does one solve take in a warm process? Garbage is never collected by force: V8 then sweeps in threads of
// its own and throws compiled code away, and both would be counted.
import { median } from "../measure.mjs";

/** Milliseconds of CPU time that something takes, and its result. */
export function cpuOf(run) {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return { cpu: (user + system) / 1000, result };
}

/** The median over some samples, each prepared again, and the result of the last; the first ones only warm up. */
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
