// How is a process with controllers tested without a cluster? Reading threads are texts of the tests, and the clock is moved by them.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { type Controller, runControllers } from "../../src/controller/controller-process.ts";
import type { ControllerSurroundings } from "../../src/controller/leading-controller.ts";
import { Log } from "../../src/controller/log.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { eventually } from "../eventually.ts";
import { type Answer, json, type ScriptedServer, scripted } from "../kube/scripted-server.ts";
import { ManualClock } from "./manual-clock.ts";

/** A graceful stop takes less than this, in milliseconds: Kubernetes and the other replica wait for it. */
const GRACE = 5000;

export const LEASE_TIMES = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 };

/** A reading thread that says that everything was read, and answers every call but those of a name. */
export const READING = (silent: string) => `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ is, id, name }) => {
    if (is === "call" && name !== "${silent}") parentPort.postMessage({ is: "result", id, result: {} });
  });
  const report = { isSettled: true, failing: [] };
  parentPort.postMessage({ is: "call", id: 0, name: "report", argument: report });
`;

/** The file of a reading thread. */
export function threadFile(folder: string, text: string): URL {
  const file = join(folder, `thread-${Math.random()}.mjs`);
  writeFileSync(file, text);
  return pathToFileURL(file);
}

/** A process that runs. */
export interface RunningProcess {
  readonly ended: Promise<void>;
  /** What it has logged. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** Waits for a line of the log. */
  readonly says: (line: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Asks one of its servers, by default that of the probes. */
  readonly ask: (path: string, server?: string) => Promise<readonly [status: number, text: string]>;
  readonly clock: ManualClock;
  /** Asks it to end. */
  readonly stop: () => void;
  /** Asks it to end, and lets time pass. It waits for nothing any more, by its clock, when its time is over. */
  readonly end: () => Promise<void>;
}

/** A process that runs controllers, and whose API server cannot be reached unless there is one. */
export function runningProcess(
  controllersOf: (surroundings: ControllerSurroundings) => readonly Controller[],
  server: string = "https://127.0.0.1:1",
): RunningProcess {
  const clock = new ManualClock();
  const lines: Record<string, unknown>[] = [];
  const stop = new AbortController();
  const log = new Log({ level: "info", clock, write: (line) => void lines.push(JSON.parse(line)) });
  const connection = {
    ...{ context: undefined, server, namespace: undefined },
    authorize: async () => {
      if (server.startsWith("https:")) throw new NetFailure("unauthorized", "there is no API server here");
      return { headers: {}, tls: undefined, proxy: undefined, secrets: [] };
    },
  };
  const ended = runControllers(
    controllersOf({ connection, clock, random: () => 0, log }),
    { version: "1.2.3", healthAddress: "127.0.0.1:0", metricsAddress: "127.0.0.1:0" },
    { log, signal: stop.signal },
  );
  // It is looked at later.
  ended.catch(() => undefined);
  const ask = async (path: string, name = "health"): Promise<readonly [number, string]> => {
    const { address } = await eventually(() => {
      const line = lines.find(({ message, server: listening }) => message === "listening" && listening === name);
      if (line === undefined) throw new Error("it does not listen");
      return line;
    });
    const answer = await fetch(`http://${address}${path}`);
    return [answer.status, await answer.text()];
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await clock.pass(GRACE);
    const { waiting } = clock;
    await clock.pass(10 * GRACE); // one that is late ends, too
    await ended;
    expect(waiting).toBe(0);
  };
  const says: RunningProcess["says"] = (line) =>
    eventually(() => expect(lines).toContainEqual(expect.objectContaining(line)));
  return { ended, ask, lines, says, clock, end, stop: () => stop.abort() };
}

/** An API server with these objects by path, which takes what is created. `patch` answers the patches of objects. */
export function smallCluster({
  objects = {},
  patch = json({ metadata: { name: "x", uid: "u", resourceVersion: "1" } }),
}: {
  readonly objects?: Readonly<Record<string, unknown>>;
  readonly patch?: Answer;
} = {}): Promise<ScriptedServer> {
  const server = scripted(
    async (request, response) => {
      const { method, url: path = "" } = request;
      if (method === "PATCH") return patch(request, response);
      if (method === "GET") return json(objects[path] ?? {}, path in objects ? 200 : 404)(request, response);
      const { requests } = await server;
      const { body = "{}" } = requests.findLast((one) => one.path === path && one.method === method) ?? {};
      json({ ...JSON.parse(body), metadata: { resourceVersion: "1" } })(request, response);
    },
    { plain: true },
  );
  return server;
}
