import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  LEASE_TIMES,
  READING,
  runningProcess,
  smallCluster,
  threadFile,
} from "../../test/controller/controller-bed.ts";
import { eventually } from "../../test/eventually.ts";
import type { ScriptedServer } from "../../test/kube/scripted-server.ts";
import type { Controller } from "./controller-process.ts";
import { plainText } from "./http-server.ts";
import { LeadingController } from "./leading-controller.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-process-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process with a controller for each text of a reading thread, by name; their Leases have the same names. */
function running(threads: Readonly<Record<string, string>>, server?: string) {
  return runningProcess(
    (surroundings) =>
      Object.entries(threads).map(
        ([name, thread]) =>
          new LeadingController({
            ...{ ...surroundings, name, thread: threadFile(folder, thread), workerData: undefined },
            setting: { namespace: "home", leaseName: name, identity: `me-${name}`, writesAtOnce: 1, ...LEASE_TIMES },
          }),
      ),
    server,
  );
}

/** Reads nothing, but answers. */
const UNSETTLED = `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ is, id }) => {
    if (is === "call") parentPort.postMessage({ is: "result", id, result: {} });
  });
`;

/** Measures something. */
const measuring = (controller: string, depth: number) => `
  import { parentPort } from "node:worker_threads";
  const delays = { median: 0, p99: 0, worst: ${depth}, longestCollection: 0, collections: 0 };
  const text = "# HELP depth Keys.\\n# TYPE depth gauge\\ndepth{controller=\\"${controller}\\"} ${depth}\\n";
  parentPort.on("message", ({ is, id }) => {
    if (is === "call") parentPort.postMessage({ is: "result", id, result: { text, delays } });
  });
`;

/** Fails when it leads. */
const FAILING = `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ is, id, name, argument }) => {
    if (name === "lead" && argument !== undefined) throw new Error("out of order");
    if (is === "call") parentPort.postMessage({ is: "result", id, result: {} });
  });
`;

/** Who held which Lease at last. */
function heldBy({ requests }: ScriptedServer): Readonly<Record<string, string>> {
  const held = requests.flatMap(({ method, path, body }) => {
    const [, inPath] = /\/leases(?:\/(.+))?$/.exec(path) ?? [];
    if (method === "GET" || !path.includes("/leases")) return [];
    const { metadata, spec } = JSON.parse(body);
    return [[inPath ?? metadata.name, spec.holderIdentity]];
  });
  return Object.fromEntries(held);
}

test("it is ready when every controller has read everything", async () => {
  const { ask, says, end } = running({ one: READING(""), two: UNSETTLED });
  await says({ message: "synced", controller: "one" });
  expect(await ask("/readyz?verbose")).toEqual([
    503,
    [
      "[+]one/reading-thread ok",
      "[+]two/reading-thread ok",
      "[+]one/synced ok",
      "[-]two/synced failed",
      "readyz check failed\n",
    ].join("\n"),
  ]);
  expect(await ask("/livez")).toEqual([200, "ok\n"]);
  await end();
});

test("it is alive as long as every reading thread is", async () => {
  const { ask, says, clock, end } = running({ one: READING("ping"), two: READING("") });
  await Promise.all(["one", "two"].map((controller) => says({ message: "synced", controller })));
  // Each answer of a thread takes a turn of this one.
  for (let second = 0; second < 61; second++) {
    await clock.pass(1000);
    await ask("/livez");
  }
  expect(await ask("/livez")).toEqual([503, "[-]one/reading-thread failed\nlivez check failed\n"]);
  await end();
});

test("each metric is there once, with the series of the process and of all controllers", async () => {
  const { ask, end } = running({ one: measuring("one", 1), two: measuring("two", 2) });
  const [status, text] = await ask("/metrics", "metrics");
  expect(status).toBe(200);
  const lines = text.trimEnd().split("\n");
  for (const line of [
    'plimsoll_build_info{version="1.2.3"} 1',
    'plimsoll_leading{controller="one"} 0',
    'plimsoll_leading{controller="two"} 0',
    'depth{controller="one"} 1',
    'depth{controller="two"} 2',
    'plimsoll_event_loop_delay_seconds{controller="one",thread="reading",quantile="1"} 1',
    'plimsoll_event_loop_delay_seconds{controller="two",thread="reading",quantile="1"} 2',
  ])
    expect(lines).toContain(line);
  expect(text).toContain('plimsoll_event_loop_delay_seconds{thread="main",quantile="1"} ');
  const isOnce = lines.map((line) => (line.startsWith("#") ? line : line.replace(/ \S+$/, "")));
  expect(isOnce.filter((line, at) => isOnce.indexOf(line) !== at)).toEqual([]);
  await end();
});

test("each controller has its own Lease, and all of them are released at the end", async () => {
  const server = await smallCluster();
  const { says, ended, stop, lines } = running({ one: READING(""), two: READING("") }, server.url);
  await Promise.all(["one", "two"].map((controller) => says({ message: "leading", controller })));
  expect(heldBy(server)).toEqual({ one: "me-one", two: "me-two" });
  stop();
  await ended;
  expect(heldBy(server)).toEqual({ one: "", two: "" });
  expect(lines.at(-1)).toMatchObject({ message: "stopped" });
});

test("if one fails, all are stopped, and the process ends with the reason", async () => {
  const server = await smallCluster();
  const { ended, lines, says, ask } = running({ one: READING(""), two: FAILING }, server.url);
  await expect(ended).rejects.toThrow("out of order");
  await says({ message: "the reading thread failed", controller: "two", why: "out of order" });
  expect(lines).not.toContainEqual(
    expect.objectContaining({ message: "the reading thread failed", controller: "one" }),
  );
  expect(Object.values(heldBy(server)).filter((holder) => holder !== "")).toEqual([]);
  expect(lines.map(({ message }) => message)).not.toContain("stopped");
  await eventually(() => expect(ask("/livez")).rejects.toThrow("fetch failed"));
});

/** A controller that does nothing, with a server at an address. */
function idle(name: string, address: string | undefined): Controller & { readonly done: readonly string[] } {
  const done: string[] = [];
  const routes = { "/who": { handle: () => plainText(200, name) } };
  return {
    ...{ name, done, isAlive: true, isSettled: true, servers: [{ name: `of-${name}`, address, routes }] },
    metrics: async () => "",
    run: async () => {
      done.push("run");
      await new Promise<never>(() => undefined);
    },
    stop: async () => void done.push("stop"),
  };
}

test("controllers have servers of their own, if they are wanted", async () => {
  const { ask, lines, end } = runningProcess(() => [idle("one", "127.0.0.1:0"), idle("two", undefined)]);
  expect(await ask("/who", "of-one")).toEqual([200, "one\n"]);
  expect(lines.flatMap(({ message, server }) => (message === "listening" ? [server] : []))).toEqual([
    "health",
    "metrics",
    "of-one",
  ]);
  await end();
});

test("nothing runs if an address cannot be listened on, and what was started is stopped", async () => {
  const controllers = [idle("one", "127.0.0.1:0"), idle("two", "192.0.2.1:1")];
  const { ended, ask } = runningProcess(() => controllers);
  await expect(ended).rejects.toMatchObject({ syscall: "listen", address: "192.0.2.1" });
  expect(controllers.map(({ done }) => done)).toEqual([["stop"], ["stop"]]);
  await expect(ask("/who", "of-one")).rejects.toThrow("fetch failed");
});
