import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { eventually } from "../../test/eventually.ts";
import { type Answer, json, type ScriptedServer, scripted } from "../../test/kube/scripted-server.ts";
import { Log } from "../controller/log.ts";
import { NetFailure } from "../net/failure.ts";
import { runPlacementController } from "./writing-thread.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-run-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says that everything was read, and answers every call but those of a name. */
const READING = (silent: string) => `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ is, id, name }) => {
    if (is === "call" && name !== "${silent}") parentPort.postMessage({ is: "result", id, result: {} });
  });
  const report = { isSettled: true, failing: [] };
  parentPort.postMessage({ is: "call", id: 0, name: "report", argument: report });
`;

/** A graceful stop takes less than this, in milliseconds: Kubernetes and the other replica wait for it. */
const GRACE = 5000;

const TIMES = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 };

/** A controller whose reading thread is a text, and whose API server cannot be reached unless there is one. */
function running(thread: string, { clock = new ManualClock(), server = "https://127.0.0.1:1", times = TIMES } = {}) {
  const file = join(folder, `thread-${Math.random()}.mjs`);
  writeFileSync(file, thread);
  const lines: Record<string, unknown>[] = [];
  const stop = new AbortController();
  const ended = runPlacementController(
    {
      ...{ connection: { asGroups: [] }, compat: undefined, tieBreak: undefined, onExpiredScore: undefined },
      ...{
        decisionScores: "sorted",
        version: "1.2.3",
        writesAtOnce: 1,
        namespace: "home",
        leaseName: "lease",
        identity: "one",
        ocmNamespace: "hub",
      },
      ...times,
      ...{ healthAddress: "127.0.0.1:0", metricsAddress: undefined, debugAddress: undefined },
    },
    {
      connection: {
        ...{ context: undefined, server, namespace: undefined },
        authorize: async () => {
          if (server.startsWith("https:")) throw new NetFailure("unauthorized", "there is no API server here");
          return { headers: {}, tls: undefined, proxy: undefined, secrets: [] };
        },
      },
      ...{ clock, random: () => 0, signal: stop.signal, thread: pathToFileURL(file) },
      log: new Log({ level: "info", clock, write: (line) => void lines.push(JSON.parse(line)) }),
    },
  );
  // It is looked at later.
  ended.catch(() => undefined);
  const probe = async (path: string): Promise<readonly [number, string]> => {
    const { address } = await eventually(() => {
      const line = lines.find(({ message }) => message === "listening");
      if (line === undefined) throw new Error("it does not listen");
      return line;
    });
    const answer = await fetch(`http://${address}${path}`);
    return [answer.status, await answer.text()];
  };
  /** Asks it to end. It waits for nothing any more, by its clock, when its time is over. */
  const end = async (): Promise<void> => {
    stop.abort();
    await clock.pass(GRACE);
    const { waiting } = clock;
    await clock.pass(10 * GRACE); // one that is late ends, too
    await ended;
    expect(waiting).toBe(0);
  };
  return { ended, probe, lines, clock, end, stop: () => stop.abort() };
}

test.each([
  ["throws", 'setTimeout(() => { throw new Error("out of order"); }, 50);', "out of order"],
  ["ends", "setTimeout(() => process.exit(3), 50);", "the reading thread ended with 3"],
  ["cannot be loaded", 'import "./nowhere.mjs";', "nowhere.mjs"],
])("it ends with the reason when the reading thread %s", async (_, thread, why) => {
  const { ended, lines } = running(thread);
  await expect(ended).rejects.toThrow(why);
  expect(lines.map(({ message }) => message)).not.toContain("stopped");
});

test("the log says once that a kind fails, that it is lost, and that it can be read again", async () => {
  const broken = { kind: "Placement", why: "503", isLost: false };
  const forbidden = { kind: "ManagedCluster", why: "403", isLost: true };
  const reports = [
    [broken, forbidden],
    [{ ...broken, why: "504" }, forbidden],
    [{ ...broken, isLost: true }, forbidden],
    [broken],
    [],
  ];
  const { lines, end } = running(`
    import { parentPort } from "node:worker_threads";
    for (const failing of ${JSON.stringify(reports)})
      parentPort.postMessage({ is: "call", id: 0, name: "report", argument: { isSettled: false, failing } });
    setInterval(() => {}, 1000);
  `);
  await eventually(() =>
    expect(lines.at(-1)).toMatchObject({ message: "a kind can be read again", kind: "Placement" }),
  );
  expect(
    lines.flatMap(({ level, message, kind, why }) => (kind === undefined ? [] : [[level, message, kind, why]])),
  ).toEqual([
    ["warn", "cannot list or watch; trying again", "Placement", "503"],
    ["error", "a kind cannot be read; nothing is removed because of it", "ManagedCluster", "403"],
    ["error", "a kind cannot be read; nothing is removed because of it", "Placement", "503"],
    ["info", "a kind can be read again", "ManagedCluster", undefined],
    ["info", "a kind can be read again", "Placement", undefined],
  ]);
  await end();
});

test("it is ready when the reading thread has read everything, and ends when it is asked to", async () => {
  const { probe, lines, end } = running(READING(""));
  await eventually(() => expect(lines.map(({ message }) => message)).toContain("synced"));
  expect(await probe("/readyz")).toEqual([200, "ok\n"]);
  expect(await probe("/livez")).toEqual([200, "ok\n"]);
  await end();
  expect(lines.at(-1)).toMatchObject({ message: "stopped" });
});

test("it is not ready before that, but alive", async () => {
  const { probe, end } = running("setInterval(() => {}, 1000);");
  expect(await probe("/readyz")).toEqual([503, "[-]synced failed\nreadyz check failed\n"]);
  expect(await probe("/livez")).toEqual([200, "ok\n"]);
  // It does not answer that it has stopped, either.
  await end();
});

test("it is not alive any more when the reading thread has not answered for a minute", async () => {
  const { probe, clock, lines, end } = running(READING("ping"));
  await eventually(() => expect(lines.map(({ message }) => message)).toContain("synced"));
  await clock.pass(59_000);
  expect(await probe("/livez")).toEqual([200, "ok\n"]);
  await clock.pass(2000);
  expect(await probe("/livez")).toEqual([503, "[-]reading-thread failed\nlivez check failed\n"]);
  expect((await probe("/readyz"))[0]).toBe(503);
  await end();
});

/** A hub without a Lease, and without OCM's controller. `write` answers the patches of objects. */
function hub(
  write: Answer = json({ metadata: { name: "x", uid: "u", resourceVersion: "1" } }),
): Promise<ScriptedServer> {
  const server = scripted(
    async (request, response) => {
      const { method, url: path = "" } = request;
      if (method === "PATCH") return write(request, response);
      if (method === "GET") return json({}, 404)(request, response);
      const { requests } = await server;
      const { body = "{}" } = requests.findLast((one) => one.path === path && one.method === method) ?? {};
      json({ ...JSON.parse(body), metadata: { resourceVersion: "1" } })(request, response);
    },
    { plain: true },
  );
  return server;
}

/** Who held the Lease, by each write of it. */
function holders({ requests }: ScriptedServer): readonly string[] {
  const writes = requests.filter(({ method, path }) => path.includes("/leases") && method !== "GET");
  return writes.map(({ body }) => JSON.parse(body).spec.holderIdentity);
}

test("what was planned in an earlier term of leadership is not written", async () => {
  const { url, requests } = await hub();
  const { lines, end } = running(
    `
    import { parentPort } from "node:worker_threads";
    const write = { verb: "patch", path: "/apis/example.com/v1/things/x", patch: {}, base: { uid: "u", resourceVersion: "1" } };
    const carryOut = (id, term) =>
      parentPort.postMessage({ is: "call", id, name: "carryOut", argument: { term, writes: [write] } });
    parentPort.on("message", (message) => {
      if (message.is === "call" && message.name === "lead" && message.argument !== undefined) {
        carryOut(7, message.argument - 1);
        carryOut(8, message.argument);
      } else if (message.is === "call") parentPort.postMessage({ is: "result", id: message.id, result: {} });
      else if (message.id !== 9) {
        const fields = { id: message.id, kind: message.result.failure?.kind };
        parentPort.postMessage({ is: "call", id: 9, name: "log", argument: { level: "info", message: "outcome", fields } });
      }
    });
    `,
    { server: url },
  );
  const outcomes = await eventually(() => {
    const found = lines.filter(({ message }) => message === "outcome");
    expect(found).toHaveLength(2);
    return found.sort((a, b) => Number(a.id) - Number(b.id));
  });
  expect(outcomes.map(({ id, kind }) => [id, kind])).toEqual([
    [7, "not-sent"],
    [8, undefined],
  ]);
  expect(requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  await end();
});

describe("the Lease, when it ends", () => {
  const LOG = (message: string) =>
    `parentPort.postMessage({ is: "call", id: 8, name: "log", argument: { level: "info", message: "${message}", fields: {} } });`;

  /** Writes when it leads, and then does something. */
  const writing = (then: string) => `
    import { parentPort } from "node:worker_threads";
    const write = { verb: "patch", path: "/apis/example.com/v1/things/x", patch: {}, base: { uid: "u", resourceVersion: "1" } };
    parentPort.on("message", async ({ is, id, name, argument }) => {
      if (is === "result" && id === 7) ${LOG("written")}
      if (is !== "call") return;
      parentPort.postMessage({ is: "result", id, result: {} });
      if (name !== "lead" || argument === undefined) return;
      parentPort.postMessage({ is: "call", id: 7, name: "carryOut", argument: { term: argument, writes: [write] } });
      ${then}
    });
  `;

  const MAY_FAIL = join(folder, "may-fail");
  /** Fails as soon as there is a file. */
  const FAILING_LATER = `
    const { existsSync } = await import("node:fs");
    setInterval(() => {
      if (existsSync(${JSON.stringify(MAY_FAIL)})) throw new Error("out of order");
    }, 5);
  `;

  const isWritten = ({ requests }: ScriptedServer): Promise<void> =>
    eventually(() => expect(requests.map(({ method }) => method)).toContain("PATCH"));

  test("is released at once if no write is under way", async () => {
    const server = await hub();
    const { ended, stop, lines } = running(writing(""), { server: server.url });
    await eventually(() => expect(lines.map(({ message }) => message)).toContain("written"));
    stop();
    await ended;
    expect(holders(server)).toEqual(["one", ""]);
  });

  test("is released after the answer to the last write", async () => {
    let answer: () => void = () => undefined;
    const server = await hub((request, response) => {
      answer = () => json({ metadata: { name: "x", uid: "u", resourceVersion: "2" } })(request, response);
    });
    const { ended, probe } = running(writing(FAILING_LATER), { server: server.url });
    await isWritten(server);
    writeFileSync(MAY_FAIL, "");
    await eventually(() => expect(probe("/livez")).rejects.toThrow("fetch failed"));
    // Time in which it could be released too early.
    for (let at = 0; at < 10; at++) await fetch(server.url);
    expect(holders(server)).toEqual(["one"]);
    answer();
    await expect(ended).rejects.toThrow("out of order");
    expect(holders(server)).toEqual(["one", ""]);
  });

  test("is left to expire if a write has no answer: the server may still carry it out", async () => {
    const server = await hub(() => undefined);
    const { ended, stop, clock } = running(writing(""), { server: server.url });
    await isWritten(server);
    stop();
    await clock.pass(3000);
    await ended;
    expect(holders(server)).not.toContain("");
  });

  test("is released if the reading thread hangs, which ends the process", async () => {
    const server = await hub();
    const { ended, clock, lines, probe } = running(
      `
      import { parentPort } from "node:worker_threads";
      let hasBegun = false;
      parentPort.on("message", ({ is, id, name, argument }) => {
        if (name === "ping" && hasBegun) for (;;);
        if (is === "call") parentPort.postMessage({ is: "result", id, result: {} });
        if (name !== "lead" || argument === undefined) return;
        hasBegun = true;
        ${LOG("begun")}
      });
      `,
      // It need not be renewed meanwhile.
      { server: server.url, times: { leaseDuration: 600_000, renewDeadline: 480_000, retryPeriod: 240_000 } },
    );
    await eventually(() => expect(lines.map(({ message }) => message)).toContain("begun"));
    await clock.pass(59_000);
    expect((await probe("/livez"))[0]).toBe(200);
    await clock.pass(12_000);
    await expect(ended).rejects.toThrow("the reading thread does not answer");
    expect(holders(server)).toEqual(["one", ""]);
  });
});
