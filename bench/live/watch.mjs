// How long is the event loop blocked while a cluster is read, and how much memory does the process take? Loaded before the
// command with --import; what it says on standard error with -v is the beginning and the end of reading. At the end the
// figures are written to the file that PLIMSOLL_WATCH names.
import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION = 1;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
const found = { reading: 0, longest: 0, busiest: 0, over20: 0, histogram: 0 };
let isReading = false;
let begun = 0;
let last = 0;
let used = process.cpuUsage();

/** Time since the last turn of the event loop that was seen; a process that has no core is not blocked by its own work. */
function turn() {
  const now = performance.now();
  const { user, system } = process.cpuUsage(used);
  const blocked = now - last - RESOLUTION;
  last = now;
  used = process.cpuUsage();
  if (!isReading) return;
  found.longest = Math.max(found.longest, blocked);
  found.busiest = Math.max(found.busiest, Math.min(blocked, (user + system) / 1000));
  if (blocked > 20) found.over20++;
}

const timer = setInterval(turn, RESOLUTION);
timer.unref();

const write = process.stderr.write.bind(process.stderr);
process.stderr.write = (text, ...rest) => {
  if (`${text}`.includes("plimsoll: reading the cluster of")) {
    turn();
    isReading = true;
    begun = last;
    delays.enable();
  } else if (`${text}`.includes("plimsoll: read the cluster of")) {
    turn();
    isReading = false;
    delays.disable();
    found.reading = performance.now() - begun;
    found.histogram = delays.max / 1e6;
    found.rss = process.memoryUsage().rss;
  }
  return write(text, ...rest);
};

process.on("exit", () => {
  const peak = process.resourceUsage().maxRSS * 1024;
  writeFileSync(process.env.PLIMSOLL_WATCH, JSON.stringify({ ...found, peak }));
});
