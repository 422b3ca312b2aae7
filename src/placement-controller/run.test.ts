import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { Log } from "../controller/log.ts";
import { NetFailure } from "../net/failure.ts";
import { runPlacementController } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-run-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says that everything was read, and answers every call but those of a name. */
const READING = (silent: string) => `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ is, id, name }) => {
    if (is === "call" && name !== "${silent}") parentPort.postMessage({ is: "result", id, result: {} });
  });
  const report = { isSettled: true, missing: [] };
  parentPort.postMessage({ is: "call", id: 0, name: "reportHub", argument: report });
`;

/** A controller whose reading thread is a text, and whose API server cannot be reached. */
function running(thread: string, clock = new ManualClock()) {
  const file = join(folder, `thread-${Math.random()}.mjs`);
  writeFileSync(file, thread);
  const lines: Record<string, unknown>[] = [];
  const stop = new AbortController();
  const ended = runPlacementController(
    {
      ...{ connection: { asGroups: [] }, compat: undefined, tieBreak: undefined, onExpiredScore: undefined },
      ...{ writesAtOnce: 1, namespace: "home", leaseName: "lease", identity: "one", ocmNamespace: "hub" },
      ...{ leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 },
      ...{ healthAddress: "127.0.0.1:0", metricsAddress: undefined, debugAddress: undefined },
    },
    {
      connection: {
        ...{ context: undefined, server: "https://127.0.0.1:1", namespace: undefined },
        authorize: () => Promise.reject(new NetFailure("unauthorized", "there is no API server here")),
      },
      ...{ clock, random: () => 0, signal: stop.signal, thread: pathToFileURL(file) },
      log: new Log({ level: "info", clock, write: (line) => void lines.push(JSON.parse(line)) }),
    },
  );
  // It is looked at later.
  ended.catch(() => undefined);
  const probe = async (path: string): Promise<readonly [number, string]> => {
    const { address } = await vi.waitFor(() => {
      const line = lines.find(({ message }) => message === "listening");
      if (line === undefined) throw new Error("it does not listen");
      return line;
    });
    const answer = await fetch(`http://${address}${path}`);
    return [answer.status, await answer.text()];
  };
  /** Asks it to end, and lets time pass until it has. */
  const end = async (): Promise<void> => {
    stop.abort();
    const isOver = ended.then(() => true);
    while (!(await Promise.race([isOver, clock.pass(100).then(() => false)])));
  };
  return { ended, probe, lines, clock, end };
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

test("it is ready when the reading thread has read everything, and ends when it is asked to", async () => {
  const { probe, lines, end } = running(READING(""));
  await vi.waitFor(() => expect(lines.map(({ message }) => message)).toContain("synced"));
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
  await vi.waitFor(() => expect(lines.map(({ message }) => message)).toContain("synced"));
  await clock.pass(59_000);
  expect(await probe("/livez")).toEqual([200, "ok\n"]);
  await clock.pass(2000);
  expect(await probe("/livez")).toEqual([503, "[-]reading-thread failed\nlivez check failed\n"]);
  expect((await probe("/readyz"))[0]).toBe(503);
  await end();
});
