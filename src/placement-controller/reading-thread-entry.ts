// The reading thread: it opens its own connection to the API server, and offers the functions of reading-thread.ts.

import { setFlagsFromString } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { SYSTEM_CLOCK } from "../controller/clock.ts";
import { type Port, ThreadLink } from "../controller/thread-link.ts";
import { ApiServer } from "../kube/api-server.ts";
import { openConnection } from "../kube/connection.ts";
import { startReadingThread } from "./reading-thread.ts";
import type { ReadingSetting, WritingFunctions } from "./threads.ts";

// A fleet stays in memory: let garbage at most double the heap before it is collected, instead of quadruple it.
setFlagsFromString("--heap-growing-percent=90");

const { connection, ...setting } = workerData as ReadingSetting;
const functions = startReadingThread({
  server: new ApiServer(openConnection(connection, process.env)),
  setting,
  clock: SYSTEM_CLOCK,
  random: Math.random,
  writing: () => link,
});
const link: ThreadLink<WritingFunctions> = new ThreadLink(parentPort as Port, functions);
