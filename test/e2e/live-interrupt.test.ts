// Does Ctrl-C end the command whatever it waits for, and does nothing that it started survive?

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { isRunning } from "../running-process.ts";
import { startCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type ApiProxy, type Fault, startProxy } from "./proxy.ts";

const { server, tokens } = inject("cluster");
const folder = testFolder("interrupt");
const CLUSTERS = "/apis/cluster.open-cluster-management.io/v1/managedclusters";

const BUSY: Fault = { is: "status", code: 429, reason: "TooManyRequests", message: "busy", retryAfter: 30 };

describe("the server never answers", () => {
  let proxy: ApiProxy | undefined;
  afterAll(() => proxy?.stop());

  test.each<[string, string, Fault]>([
    ["to the first question", "/version", { is: "silent" }],
    ["to a list", CLUSTERS, { is: "silent" }],
    ["to the end of a list", CLUSTERS, { is: "stalled", bytes: 4_000 }],
    ["but asks to come back later", CLUSTERS, BUSY],
  ])("%s", async (_, path, fault) => {
    await proxy?.stop();
    proxy = await startProxy({ server });
    proxy.inject({ when: (request) => request.path === path, fault });
    const user = { token: tokens.admin as string };
    const kubeconfig = writeKubeconfig(folder, { server: proxy.server, name: "tester", user });
    const running = startCommand(["place", "--kubeconfig", kubeconfig], folder);
    await running.says("reading the cluster");
    await proxy.sees((request) => request.path === path);
    running.process.kill("SIGINT");
    const { code, out } = await running.ended;
    expect([code, out]).toEqual([130, ""]);
  });
});

describe("a credential plugin that hangs", () => {
  const command = join(folder, "plugin");
  const pids = join(folder, "pids");
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command, interactiveMode: "Never" };
  const kubeconfig = writeKubeconfig(folder, { server, name: "tester", user: { exec } });
  beforeAll(() => {
    // A plugin that starts another program, as logins do.
    writeFileSync(command, `#!/bin/sh\nsleep 600 &\necho $$ $! >${pids}.new\nmv ${pids}.new ${pids}\nwait\n`, {
      mode: 0o700,
    });
  });

  test.each<[NodeJS.Signals, number | null]>([
    ["SIGINT", 130],
    ["SIGTERM", null],
    ["SIGHUP", null],
  ])("ends with the command on %s", async (signal, expected) => {
    rmSync(pids, { force: true });
    const running = startCommand(["place", "--kubeconfig", kubeconfig], folder);
    while (!existsSync(pids)) await sleep(20);
    const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    expect(started.filter(isRunning)).toEqual(started);
    running.process.kill(signal);
    const { out } = await running.ended;
    expect([running.process.exitCode, out]).toEqual([expected, ""]);
    for (let tries = 0; tries < 500 && started.some(isRunning); tries++) await sleep(20);
    const left = started.filter(isRunning);
    for (const pid of left) process.kill(pid, "SIGKILL");
    expect(left).toEqual([]);
  });
});
