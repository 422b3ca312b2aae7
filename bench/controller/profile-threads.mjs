// How is the reading thread profiled, too? Loaded before the command: threads start with the flags of profiling.
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

const flags = process.execArgv.filter(
  (_, index, all) => /^--cpu-prof/.test(all[index]) || all[index - 1] === "--cpu-prof-dir",
);
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(file, options) {
    super(file, { ...options, execArgv: flags });
  }
};
syncBuiltinESMExports();
