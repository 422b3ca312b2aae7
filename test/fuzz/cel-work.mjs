// Does any evaluation take longer than its limits promise? npm run fuzz runs calls of every function on large values, in
// loops that only a limit ends, and fails for more than five seconds of CPU time.
import { Worker } from "node:worker_threads";

const MAX_SECONDS = 5;
/** A round that is not over by then never will be. */
const HOPELESS = 60_000;

/** Runs rounds until the time is over; throws for one that took too long. */
export async function sweepCel(seconds, seed) {
  const worker = new Worker(new URL("cel-rounds.mjs", import.meta.url), { workerData: { seed, first: 0 } });
  let hopeless;
  let slowest = { seconds: 0, label: "none" };
  let rounds = 0;
  try {
    await new Promise((resolve, reject) => {
      const end = setTimeout(resolve, seconds * 1000);
      end.unref();
      worker.on("error", reject);
      worker.on("message", (round) => {
        clearTimeout(hopeless);
        if (round.seconds === undefined) {
          hopeless = setTimeout(
            () => reject(new Error(`round ${round.number} does not end: ${round.label}`)),
            HOPELESS,
          );
          return;
        }
        rounds++;
        if (round.seconds > slowest.seconds) slowest = round;
        if (round.seconds > MAX_SECONDS)
          reject(new Error(`round ${round.number} took ${round.seconds.toFixed(1)} s of CPU time: ${round.label}`));
      });
    });
  } finally {
    clearTimeout(hopeless);
    await worker.terminate();
  }
  return `${rounds} loops over calls on large values: none took more than ${slowest.seconds.toFixed(1)} s of CPU time`;
}
