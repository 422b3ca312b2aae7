// What does a process cost? Its CPU time and memory, as Linux counts them.
import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks of /proc in a second: 100 on every Linux that Node runs on. */
const TICKS = 100;

/** CPU time of a process since its start, user and system, in milliseconds. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

/** CPU time that the cores of the machine have spent on anything, in milliseconds. */
export function cpuOfMachine() {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync("/proc/stat", "utf8").split("\n")[0].split(/ +/);
  const ticks = [user, nice, system, irq, softirq, steal].reduce((sum, one) => sum + Number(one), 0);
  return (ticks * 1000) / TICKS;
}

/** How long the threads of a process were ready to run and had no core, in milliseconds. */
export function waitedForCores(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const waits = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[1]),
  );
  return waits.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** What a process has in memory now, and had at most, in bytes. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** The processes that this one started, by name. */
export function childrenOf(pid = process.pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const pids = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
  );
  return Object.fromEntries(pids.map((child) => [readFileSync(`/proc/${child}/comm`, "utf8").trim(), Number(child)]));
}
