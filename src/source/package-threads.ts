// Which thread reads which package? Each takes the next one that no thread has taken, so that all are busy until the end. The
// main thread reads, too; what no other has read, because it could not be started or has failed, is left for it. The answer
// does not depend on which thread read what.

import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { receivedDerivations, type SentDerivation } from "../input/bundle-directory/sent-derivation.ts";
import type { Limits } from "../input/limits.ts";
import type { Finding } from "../model/finding.ts";
import type { PackageFiles } from "./bundle-files.ts";
import type { InputFiles } from "./input-files.ts";
import { type PackageReading, readPackage } from "./package-bundles.ts";

/** What a thread starts with. */
export interface ReaderTask {
  readonly packages: readonly PackageFiles[];
  readonly limits: Limits;
  /** The number of packages that were taken; shared by all threads. */
  readonly taken: Int32Array;
}

/** A package that a thread has read. */
export interface SentPackage {
  /** Its position among the packages. */
  readonly index: number;
  readonly bundles: readonly (readonly [string, SentDerivation])[];
  readonly findings: readonly Finding[];
  /** The size of its files. */
  readonly bytes: number;
}

/** A thread takes as long to start as reading some hundred files. */
const FILES_WORTH_A_THREAD = 3000;
/** More do not help: the disk and the memory are shared. */
const MAX_THREADS = 4;

/** Takes the next package: its position, or the number of packages if there is none left. */
export function nextPackage({ packages, taken }: ReaderTask): number {
  return Math.min(packages.length, Atomics.add(taken, 0, 1));
}

/**
 * Reads packages, in several threads if there are many files; `count` of them besides this one. The readings are in the
 * order of the packages.
 */
export async function readPackages(
  packages: readonly PackageFiles[],
  files: InputFiles,
  { count = threadsFor(packages, files), reader }: { readonly count?: number; readonly reader?: URL } = {},
): Promise<readonly PackageReading[]> {
  const readings: PackageReading[] = [];
  const task = { packages, limits: files.limits, taken: new Int32Array(new SharedArrayBuffer(4)) };
  const threads = Array.from({ length: count }, () => startThread(task, reader)).filter((one) => one !== undefined);
  const ended = threads.map((thread) => {
    thread.on("message", ({ index, bundles, findings, bytes }: SentPackage) => {
      files.readElsewhere(bytes);
      readings[index] = { bundles: receivedDerivations(bundles), findings };
    });
    // A thread that fails has an error; the main thread meets the reason itself when it reads what is missing.
    thread.on("error", () => {});
    return new Promise((resolve) => thread.on("exit", resolve));
  });
  try {
    for (let index = nextPackage(task); index < packages.length; index = nextPackage(task)) {
      readings[index] = await readPackage(packages[index] as PackageFiles, files);
      if (threads.length > 0) await setImmediate(); // what other threads have sent is taken now
    }
    await Promise.all(ended);
  } finally {
    for (const thread of threads) void thread.terminate();
  }
  for (const [index, directories] of packages.entries()) readings[index] ??= await readPackage(directories, files);
  return readings;
}

/** How many threads are worth it, besides this one, which alone has the files of an image. */
function threadsFor(packages: readonly PackageFiles[], files: InputFiles): number {
  const paths = packages.flatMap((directories) => [...directories.values()].flat()).map(({ path }) => path);
  if (paths.some((path) => files.isMounted(path))) return 0;
  return Math.min(MAX_THREADS, availableParallelism(), Math.floor(paths.length / FILES_WORTH_A_THREAD) + 1) - 1;
}

/**
 * Starts a thread; undefined if that is not possible: too many are running, it is forbidden, or the code is bundled into a
 * program of another form. Its file is beside this one, in every form in which the code is built.
 */
function startThread(task: ReaderTask, reader: URL | undefined): Worker | undefined {
  try {
    // Flags of this process, such as --import, are not meant for it.
    const options = { workerData: task, execArgv: [] };
    return new Worker(reader ?? new URL("./package-reader.js", import.meta.url), options);
  } catch {
    return undefined;
  }
}
