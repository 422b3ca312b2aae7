// How does a reading thread begin? It opens a connection to the API server of its own, and offers its functions to the main thread.

import { setFlagsFromString } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { ApiServer } from "../kube/api-server.ts";
import { type ConnectionChoice, openConnection } from "../kube/connection.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import type { CommonReadingFunctions, CommonWritingFunctions } from "./controller-threads.ts";
import { type Port, ThreadLink } from "./thread-link.ts";

/** What a reading thread is started with. */
export interface ReadingThreadData<Setting> {
  readonly connection: ConnectionChoice;
  readonly setting: Setting;
}

/** What a reading thread works with; `Writing` are the functions of the main thread. */
export interface ReadingThreadOptions<Setting, Writing extends CommonWritingFunctions> {
  readonly server: ApiServer;
  readonly setting: Setting;
  readonly clock: Clock;
  readonly random: () => number;
  /** The main thread; it is known after the functions of this one. */
  readonly writing: () => Pick<ThreadLink<Writing>, "call">;
}

/** Makes this thread, a Worker, a reading thread. */
export function enterReadingThread<Setting, Writing extends CommonWritingFunctions>(
  start: (options: ReadingThreadOptions<Setting, Writing>) => CommonReadingFunctions,
): void {
  // What was read stays in memory: let garbage at most double the heap before it is collected, instead of quadruple it.
  setFlagsFromString("--heap-growing-percent=90");
  const { connection, setting } = workerData as ReadingThreadData<Setting>;
  const functions = start({
    server: new ApiServer(openConnection(connection, process.env)),
    setting,
    clock: SYSTEM_CLOCK,
    random: Math.random,
    writing: () => link,
  });
  const link: ThreadLink<Writing> = new ThreadLink(parentPort as Port, functions);
}
