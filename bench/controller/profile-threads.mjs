// How are all threads profiled, too? Loaded before the command, and in each thread: threads start with the flags of profiling.
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

const KEPT = /^--(?:cpu-prof.*|import)$/;
const flags = process.execArgv.filter((flag, index, all) => KEPT.test(flag) || /-dir$|^--import$/.test(all[index - 1]));
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(file, options) {
    super(file, { ...options, execArgv: flags });
  }
};
syncBuiltinESMExports();
