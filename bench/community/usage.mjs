// What did a process use? Loaded with --import: writes its CPU time, that of its main thread, and its peak of memory to
// descriptor 3 when it exits.
import { existsSync, readFileSync, writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

process.on("exit", () => {
  if (!isMainThread) return;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const own = `/proc/self/task/${process.pid}/schedstat`;
  const main = existsSync(own) ? Number(readFileSync(own, "utf8").split(" ")[0]) / 1e6 : undefined;
  writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, main, memory: maxRSS * 1024 }));
});
