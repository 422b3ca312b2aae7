// The reading thread of the resolution controller: it offers the functions of reading-thread.ts, and starts the engine workers.

import { Worker } from "node:worker_threads";
import { enterReadingThread } from "../controller/enter-reading-thread.ts";
import { ThreadLink } from "../controller/thread-link.ts";
import type { EngineWorker } from "./engine-pool.ts";
import { startReadingThread } from "./reading-thread.ts";
import type { EngineFunctions, EngineSetting, ReadingSetting, WritingFunctions } from "./threads.ts";

/** The file of an engine worker is beside this one. */
function startEngine(setting: EngineSetting, onEnd: (error: Error) => void): EngineWorker {
  // Do not pass on this process's Node flags, such as --import.
  const worker = new Worker(new URL("./engine-entry.js", import.meta.url), { workerData: setting, execArgv: [] });
  const link = new ThreadLink<EngineFunctions>(worker, {});
  const end = (error: Error): void => {
    link.close(error);
    onEnd(error);
  };
  worker.once("error", end);
  worker.once("exit", (code) => end(new Error(`it ended with ${code}`)));
  return {
    call: (name, argument) => link.call(name, argument),
    end: () => void worker.terminate(),
  };
}

enterReadingThread<ReadingSetting, WritingFunctions>((options) => {
  const { connection, version, configMap, insecureRegistry } = options.setting;
  const setting: EngineSetting = { connection, version, configMap, insecureRegistry };
  return startReadingThread({ ...options, startEngine: (onEnd) => startEngine(setting, onEnd) });
});
