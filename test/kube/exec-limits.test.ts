// How long may a credential plugin take if no time is given, and does anything that it started survive it?
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { atEnd } from "../at-end.ts";
import { isRunning } from "../running-process.ts";
import { api, failureOf, folder, kubeconfig } from "./scripted-server.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** A plugin that hangs, with a program that it has started; their process ids are in the file. */
function hanging(pids: string): object {
  const program = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "inherit" });
    require("node:fs").writeFileSync(${JSON.stringify(`${pids}.new`)}, process.pid + " " + child.pid);
    require("node:fs").renameSync(${JSON.stringify(`${pids}.new`)}, ${JSON.stringify(pids)});
    setInterval(() => undefined, 1000);`;
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: process.execPath,
      args: ["-e", program],
      interactiveMode: "Never",
    },
  };
}

/** The clock that the tests do not hold. */
const realTimeout = globalThis.setTimeout;

/** Waits until it is so, at most 10 seconds. */
async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await new Promise((done) => realTimeout(done, 20));
  expect(isSo()).toBe(true);
}

test.for([{}, { requestTimeout: 0 }, { requestTimeout: 3_600_000 }])(
  "with %j it has a minute, and then it and all that it started are ended",
  async (options) => {
    const pids = join(folder(), "pids");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { server } = api(kubeconfig("https://127.0.0.1:1", { user: hanging(pids) }), options);
    let message: string | undefined;
    const asking = failureOf(server.get("/version")).then((failure) => {
      ({ message } = failure);
    });
    await until(() => existsSync(pids));
    const started = readFileSync(pids, "utf8").split(" ").map(Number);
    atEnd(() => {
      for (const pid of started.filter(isRunning)) process.kill(pid, "SIGKILL");
    });
    vi.advanceTimersByTime(59_999);
    expect(started.filter(isRunning)).toEqual(started);
    vi.advanceTimersByTime(1);
    await until(() => message !== undefined);
    expect(message).toMatch(/ of the user "me" did not end within 60 seconds$/);
    await asking;
    await until(() => !started.some(isRunning));
  },
);
