import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  LEASE_TIMES,
  READING,
  runningProcess,
  smallCluster,
  threadFile,
} from "../../test/controller/controller-bed.ts";
import { eventually } from "../../test/eventually.ts";
import { json, type ScriptedServer } from "../../test/kube/scripted-server.ts";
import { LeadingController, type LeadingOptions } from "./leading-controller.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-run-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A controller whose reading thread is a text, and whose API server cannot be reached unless there is one. */
function running(
  thread: string,
  {
    server,
    times = LEASE_TIMES,
    ...options
  }: { readonly server?: string; readonly times?: typeof LEASE_TIMES } & Pick<
    LeadingOptions,
    "condition" | "functions"
  > = {},
) {
  return runningProcess(
    (surroundings) => [
      new LeadingController({
        ...{ ...surroundings, ...options, name: "things", thread: threadFile(folder, thread), workerData: undefined },
        setting: { namespace: "home", leaseName: "lease", identity: "one", writesAtOnce: 1, ...times },
      }),
    ],
    server,
  );
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
  const { ask, lines, end } = running(READING(""));
  await eventually(() => expect(lines.map(({ message }) => message)).toContain("synced"));
  expect(await ask("/readyz")).toEqual([200, "ok\n"]);
  expect(await ask("/livez")).toEqual([200, "ok\n"]);
  await end();
  expect(lines.at(-1)).toMatchObject({ message: "stopped" });
});

test("it is not ready before that, but alive", async () => {
  const { ask, end } = running("setInterval(() => {}, 1000);");
  expect(await ask("/readyz")).toEqual([503, "[-]things/synced failed\nreadyz check failed\n"]);
  expect(await ask("/livez")).toEqual([200, "ok\n"]);
  // It does not answer that it has stopped, either.
  await end();
});

test("it is not alive any more when the reading thread has not answered for a minute", async () => {
  const { ask, clock, lines, end } = running(READING("ping"));
  await eventually(() => expect(lines.map(({ message }) => message)).toContain("synced"));
  await clock.pass(59_000);
  expect(await ask("/livez")).toEqual([200, "ok\n"]);
  await clock.pass(2000);
  expect(await ask("/livez")).toEqual([503, "[-]things/reading-thread failed\nlivez check failed\n"]);
  expect((await ask("/readyz"))[0]).toBe(503);
  await end();
});

/** Who held the Lease, by each write of it. */
function holders({ requests }: ScriptedServer): readonly string[] {
  const writes = requests.filter(({ method, path }) => path.includes("/leases") && method !== "GET");
  return writes.map(({ body }) => JSON.parse(body).spec.holderIdentity);
}

test("what was planned in an earlier term of leadership is not written", async () => {
  const { url, requests } = await smallCluster();
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
    const server = await smallCluster();
    const { ended, stop, lines } = running(writing(""), { server: server.url });
    await eventually(() => expect(lines.map(({ message }) => message)).toContain("written"));
    stop();
    await ended;
    expect(holders(server)).toEqual(["one", ""]);
  });

  test("is released after the answer to the last write", async () => {
    let answer: () => void = () => undefined;
    const server = await smallCluster({
      patch: (request, response) => {
        answer = () => json({ metadata: { name: "x", uid: "u", resourceVersion: "2" } })(request, response);
      },
    });
    const { ended, ask } = running(writing(FAILING_LATER), { server: server.url });
    await isWritten(server);
    writeFileSync(MAY_FAIL, "");
    await eventually(() => expect(ask("/livez")).rejects.toThrow("fetch failed"));
    // Time in which it could be released too early.
    for (let at = 0; at < 10; at++) await fetch(server.url);
    expect(holders(server)).toEqual(["one"]);
    answer();
    await expect(ended).rejects.toThrow("out of order");
    expect(holders(server)).toEqual(["one", ""]);
  });

  test("is left to expire if a write has no answer: the server may still carry it out", async () => {
    const server = await smallCluster({ patch: () => undefined });
    const { ended, stop, clock } = running(writing(""), { server: server.url });
    await isWritten(server);
    stop();
    await clock.pass(3000);
    await ended;
    expect(holders(server)).not.toContain("");
  });

  test("is released if the reading thread hangs, which ends the process", async () => {
    const server = await smallCluster();
    const { ended, clock, lines, ask } = running(
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
    expect((await ask("/livez"))[0]).toBe(200);
    await clock.pass(12_000);
    await expect(ended).rejects.toThrow("the reading thread does not answer");
    expect(holders(server)).toEqual(["one", ""]);
  });
});

/** Says what it hears about leading. */
const LISTENING = `
  import { parentPort } from "node:worker_threads";
  const log = (message, fields) =>
    parentPort.postMessage({ is: "call", id: 8, name: "log", argument: { level: "info", message, fields } });
  let heard = 1;
  parentPort.on("message", ({ is, id, name, argument }) => {
    if (is !== "call") return;
    parentPort.postMessage({ is: "result", id, result: {} });
    if (name === "lead") log("heard", { term: argument ?? "none", place: heard++ });
  });
`;

test("whatever else writing depends on counts at once: without it nothing leads, and each time is a term of its own", async () => {
  const server = await smallCluster();
  const condition = { isClear: false, change: (_isClear: boolean): void => undefined };
  let isOver = false;
  const { lines, says, stop, ended } = running(LISTENING, {
    server: server.url,
    condition: ({ onChange, log }) => {
      condition.change = (isClear) => {
        condition.isClear = isClear;
        log.info("changed", { isClear });
        onChange();
      };
      return {
        get isClear() {
          return condition.isClear;
        },
        run: (signal) =>
          new Promise((done) =>
            signal.addEventListener("abort", () => {
              isOver = true;
              done();
            }),
          ),
      };
    },
  });
  await eventually(() => expect(holders(server)).toEqual(["one"]));
  // It is the leader when it has read the answer.
  await eventually(() => {
    condition.change(true);
    expect(lines).toContainEqual(expect.objectContaining({ message: "leading" }));
  });
  await says({ message: "heard", place: 1, term: 1 });
  condition.change(false);
  await says({ message: "heard", place: 2, term: "none" });
  condition.change(true);
  await says({ message: "heard", place: 3, term: 2 });
  condition.change(false);
  await says({ message: "heard", place: 4, term: "none" });
  expect(lines).toContainEqual(expect.objectContaining({ message: "changed", controller: "things", isClear: true }));
  expect(isOver).toBe(false);
  stop();
  await ended;
  expect(isOver).toBe(true);
});

test("the reading thread may call functions of its controller, and the log names the controller", async () => {
  const { says, end } = running(
    `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ is, id, result }) => {
      if (is === "call") parentPort.postMessage({ is: "result", id, result: {} });
      else if (id === 5) {
        const argument = { level: "info", message: "double", fields: { of: 21, is: result } };
        parentPort.postMessage({ is: "call", id: 6, name: "log", argument });
      }
    });
    parentPort.postMessage({ is: "call", id: 5, name: "double", argument: 21 });
    `,
    { functions: { double: (of: number) => 2 * of } },
  );
  await says({ message: "double", of: 21, is: 42, controller: "things" });
  await end();
});
