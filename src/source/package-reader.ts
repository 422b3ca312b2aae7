// What does a thread do that reads bundle directories? It reads packages until there are none left, and sends each to the
// thread that started it.

import { parentPort, workerData } from "node:worker_threads";
import { buffersOf, sentDerivation } from "../input/bundle-directory/sent-derivation.ts";
import type { PackageFiles } from "./bundle-files.ts";
import { InputFiles, type ReadFile } from "./input-files.ts";
import { readPackage } from "./package-bundles.ts";
import { nextPackage, type ReaderTask, type SentPackage } from "./package-threads.ts";

const task = workerData as ReaderTask;
const files = new InputFiles(task.limits);

for (let index = nextPackage(task); index < task.packages.length; index = nextPackage(task)) {
  const read: ReadFile[] = [];
  files.watch((file) => read.push(file));
  const { bundles, findings } = await readPackage(task.packages[index] as PackageFiles, files);
  const sent = [...bundles].map(([directory, bundle]) => [directory, sentDerivation(bundle)] as const);
  const message: SentPackage = { index, bundles: sent, findings, files: read };
  parentPort?.postMessage(message, [...buffersOf(sent.map(([, bundle]) => bundle))]);
}
