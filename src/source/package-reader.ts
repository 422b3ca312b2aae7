// What does a thread do that reads bundle directories? It reads packages until there are none left, and sends each to the
// thread that started it.

import { parentPort, workerData } from "node:worker_threads";
import { buffersOf, sentDerivation } from "../input/bundle-directory/sent-derivation.ts";
import type { PackageFiles } from "./bundle-files.ts";
import { InputFiles } from "./input-files.ts";
import { readPackage } from "./package-bundles.ts";
import { nextPackage, type ReaderTask, type SentPackage } from "./package-threads.ts";

const task = workerData as ReaderTask;
const files = new InputFiles(task.limits);

let bytes = 0;
files.watch((file) => {
  bytes += file.bytes;
});

for (let index = nextPackage(task); index < task.packages.length; index = nextPackage(task)) {
  bytes = 0;
  const { bundles, findings } = await readPackage(task.packages[index] as PackageFiles, files);
  const sent = [...bundles].map(([directory, bundle]) => [directory, sentDerivation(bundle)] as const);
  const message: SentPackage = { index, bundles: sent, findings, bytes };
  parentPort?.postMessage(message, [...buffersOf(sent.map(([, bundle]) => bundle))]);
}
