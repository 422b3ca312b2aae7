// What ends the servers of a test run that was killed? This process: it reads which servers run, a line of JSON each, and
// when its input ends, because the tests are over or dead, it ends those that still run and removes their folder.
//   node guard.mjs FOLDER
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

const [folder] = process.argv.slice(2);
const running = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  const { started, ended } = JSON.parse(line);
  if (started !== undefined) running.add(started);
  if (ended !== undefined) running.delete(ended);
}

/** Sends a signal to those that run; false if there are none. */
function signal(name) {
  let isAny = false;
  for (const pid of running) {
    try {
      process.kill(pid, name);
      isAny = true;
    } catch {
      running.delete(pid);
    }
  }
  return isAny;
}

if (signal("SIGTERM")) {
  for (let waited = 0; waited < 50 && signal(0); waited++) await setTimeout(100);
  signal("SIGKILL");
}
// What ends may still write: then it is tried again.
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
