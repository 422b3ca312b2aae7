// How is something measured on a noisy machine? Alternating rounds in one process, medians, ratios, and a calibration loop
// whose time is printed beside every absolute figure.

/** Milliseconds for a fixed amount of plain arithmetic: how fast this machine is right now. The first rounds are for the compiler. */
export function calibrate() {
  return [loop(), loop(), loop()].at(-1);
}

function loop() {
  const start = performance.now();
  let sum = 0;
  for (let index = 0; index < 50_000_000; index++) sum = (sum + index * 7) | 0;
  if (sum === 42) console.log("never");
  return performance.now() - start;
}

/** Runs the contestants in turn and gives the median of each, in milliseconds. */
export async function compare(contestants, rounds) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      globalThis.gc?.();
      const start = performance.now();
      await run();
      times[name].push(performance.now() - start);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

export function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

export const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
export const mb = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

/** Prints a line of a result: what, figure, target. */
export function line(what, figure, target = "") {
  console.log(`  ${what.padEnd(56)} ${figure.padStart(12)}   ${target}`);
}
