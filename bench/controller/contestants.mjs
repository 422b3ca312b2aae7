// How do the two controllers run? Each as a process of its own: the built command, and OCM's own placement controller.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { ocmFolder } from "../../test/e2e/servers/servers.mjs";
import { pausesOf } from "./garbage.mjs";
import { samplesOf } from "./metrics.mjs";
import { cpuOf, cpuOfMachine, memoryOf } from "./process-figures.mjs";

const END_MS = 10_000;
/** Requests in a second, and at once, that OCM ships with; and what is no limit here. */
const SHIPPED = { qps: 50, burst: 100 };
const UNLIMITED = { qps: 1000, burst: 2000 };

/**
 * Starts a contestant, does something with it, and stops it; fails if it ends before. The result also says how many cores were
 * busy with other work meanwhile.
 */
export async function withController(contestant, hub, work) {
  const controller = contestant.start(hub);
  const ours = () => controller.cpu() + hub.cpu() + cpuOf(process.pid);
  const [begun, machine, own] = [performance.now(), cpuOfMachine(), ours()];
  try {
    const result = await Promise.race([work(controller), controller.ended]);
    const busy = (cpuOfMachine() - machine - (ours() - own)) / (performance.now() - begun);
    return { ...result, otherWork: Math.max(0, busy) };
  } finally {
    await controller.stop();
  }
}

/** The contestants: ours, OCM's as shipped, and with higher limits. */
export async function contestantsOf({ folder, dist, profile, cgroup }) {
  const program = join(await ocmFolder(), "placement");
  const theirs = ({ qps, burst }) => ({
    name: `OCM, ${qps}/${burst}`,
    start: ({ kubeconfig }) => {
      const limits = ["--kube-api-qps", `${qps}`, "--kube-api-burst", `${burst}`];
      const flags = ["--kubeconfig", kubeconfig, "--namespace", "default", "--disable-leader-election", ...limits];
      return startProcess([program, ...flags], folder);
    },
  });
  return {
    plimsoll: {
      name: "plimsoll",
      start: ({ kubeconfig }) => startProcess(ourCommand(kubeconfig, { dist, profile, cgroup }), folder),
    },
    shipped: theirs(SHIPPED),
    unlimited: theirs(UNLIMITED),
  };
}

/** The command line of one of our controllers. */
export function ourCommand(kubeconfig, { controller = "placement", dist = "dist", profile, cgroup }) {
  const addresses = ["--health-address", "127.0.0.1:0", "--metrics-address", "127.0.0.1:0", "--debug-address", "off"];
  const flags = ["--controllers", controller, "--kubeconfig", kubeconfig, "--namespace", "default", ...addresses];
  const profiling = profile ? ["--cpu-prof", "--cpu-prof-dir", resolve(profile), "--import", PROFILE_THREADS] : [];
  const program = [process.execPath, "--trace-gc", ...profiling, resolve(dist, "bin/plimsoll.js")];
  return [...(cgroup ? inCgroup(cgroup) : []), ...program, "controller", ...flags];
}

/** A shell that joins a cgroup and becomes the program that follows. */
function inCgroup(folder) {
  return ["/bin/sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', resolve(folder)];
}

const PROFILE_THREADS = import.meta.resolve("./profile-threads.mjs");

/** Starts a controller in a folder of its own below another one. */
export function startProcess([program, ...flags], parent) {
  const folder = mkdtempSync(join(parent, "contestant-"));
  const child = spawn(program, flags, {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const guard = guardOf(child.pid, folder);
  const started = performance.now();
  const hasMetrics = flags.includes("--metrics-address");
  const waiting = new Set();
  const lines = [];
  const printed = [];
  createInterface({ input: child.stdout }).on("line", (line) => printed.push(line));
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push({ ...readLine(line), arrival: performance.now() });
    for (const look of waiting) look();
  });
  let isEnding = false;
  const ended = once(child, "close").then(([code, signal]) => {
    guard.stdin.end(`${JSON.stringify({ ended: child.pid })}\n`);
    if (!isEnding)
      throw new Error(`${program} ended with ${code ?? signal}:\n${lines.slice(-15).map(textOf).join("\n")}`);
  });

  /** The first line of its log with a message, also if it was there before. */
  const says = (text, server) =>
    new Promise((done) => {
      const look = () => {
        const found = lines.find((line) => line.message === text && line.server === server);
        if (found === undefined) return;
        waiting.delete(look);
        done(found);
      };
      waiting.add(look);
      look();
    });

  return {
    ...{ pid: child.pid, started, says, ended, pauses: pausesOf(printed), isProfiled: flags.includes("--cpu-prof") },
    cpu: () => cpuOf(child.pid),
    memory: () => memoryOf(child.pid),
    /** Samples of its metrics; OCM's controller has none here. */
    async metrics() {
      if (!hasMetrics) return [];
      const { address } = await says("listening", "metrics");
      return samplesOf(await (await fetch(`http://${address}/metrics`)).text());
    },
    async stop() {
      isEnding = true;
      child.kill("SIGTERM");
      const killer = setTimeout(() => child.kill("SIGKILL"), END_MS);
      await ended.catch(() => {});
      clearTimeout(killer);
    },
  };
}

const textOf = ({ text, message, ...fields }) => text ?? JSON.stringify({ message, ...fields });

function readLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { text: line };
  }
}

/** Ends the controller if the bench is killed. */
function guardOf(pid, folder) {
  const guard = spawn(process.execPath, [resolve("test/e2e/guard.mjs"), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  guard.stdin.on("error", () => {});
  guard.stdin.write(`${JSON.stringify({ started: pid })}\n`);
  return guard;
}
