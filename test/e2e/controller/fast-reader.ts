// What does the reading thread of the controller do when the clock is set? It runs in the process of the test, on the real hub, with a
// clock that is fast and can be set. It leads, as if it had a Lease.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, SYSTEM_CLOCK } from "../../../src/controller/clock.ts";
import type { PlanOfTerm, ReadingReport } from "../../../src/controller/controller-threads.ts";
import { carryOut } from "../../../src/controller/ordered-writes.ts";
import { ApiServer } from "../../../src/kube/api-server.ts";
import { openConnection } from "../../../src/kube/connection.ts";
import { startReadingThread } from "../../../src/placement-controller/reading-thread.ts";
import { writeKubeconfig } from "../kubeconfig.ts";
import { until } from "./until.ts";

/** Half a minute, after which the controller looks at the wall clock again, is half a second. */
const SPEED = 60;

/** A reading thread that runs. */
export interface FastReader {
  /** Sets its wall clock forwards or backwards. */
  step(milliseconds: number): void;
  stop(): Promise<void>;
}

/** Starts a reading thread that leads, and waits until it has read everything. */
export async function startFastReader(server: string, token: string): Promise<FastReader> {
  let ahead = 0;
  const [start, began] = [Date.now(), performance.now()];
  const passed = (): number => (performance.now() - began) * SPEED;
  const clock: Clock = {
    now: () => start + passed() + ahead,
    monotonic: passed,
    after: (milliseconds, call) => SYSTEM_CLOCK.after(milliseconds / SPEED, call),
  };
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-reader-"));
  const kubeconfig = writeKubeconfig(folder, { server, name: "controller", user: { token } });
  const api = new ApiServer(openConnection({ kubeconfig, asGroups: [] }, {}));
  const fence = { mayWrite: () => true, writeTimeout: 4000 };
  let isSettled = false;
  const answer = async (name: string, argument: unknown): Promise<unknown> => {
    if (name === "report") isSettled = (argument as ReadingReport).isSettled;
    if (name === "record") return 0;
    if (name !== "carryOut") return undefined;
    return await carryOut((argument as PlanOfTerm).writes, { server: api, fence });
  };
  const hub = startReadingThread({
    server: api,
    setting: {
      compat: undefined,
      tieBreak: undefined,
      onExpiredScore: undefined,
      decisionScores: "sorted",
      writesAtOnce: 4,
    },
    clock,
    random: Math.random,
    writing: () => ({ call: answer }) as never,
  });
  hub.lead(1);
  await until("it has read everything", () => isSettled);
  return {
    step(milliseconds) {
      ahead += milliseconds;
    },
    stop: () => hub.stop(),
  };
}
