// How long does a single run of the command take? A new process, from start to answer.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { line, median, ms } from "../measure.mjs";

/** Of the real catalog; three of them depend on others. */
export const PACKAGES = [
  "kuadrant-operator",
  "noobaa-operator",
  "rabbitmq-messaging-topology-operator",
  "argocd-operator",
  "strimzi-kafka-operator",
];
const TARGET = 400;

/** Measures the command line on the real catalog. */
export function benchCold({ data, dist, quick }) {
  const catalog = join(data, "catalog-operatorhub.jsonl.gz");
  if (!existsSync(catalog)) return;
  const command = [process.execPath, join(dist, "bin/plimsoll.js"), "resolve", "--catalog", catalog, ...PACKAGES];
  const runs = Array.from({ length: quick ? 3 : 9 }, () => once(command));
  const { status } = runs[0];
  console.log(`\n  cold: plimsoll resolve, ${PACKAGES.length} packages of the real catalog (exit ${status})`);
  if (status !== 0 && status !== 1) {
    console.log("    skipped: the command does not answer");
    return;
  }
  for (const what of ["wall", "cpu"]) {
    const times = runs.map((run) => run[what]);
    line(`  ${what} time, median (least ${ms(Math.min(...times))})`, ms(median(times)), `<= ${TARGET} ms`);
  }
}

/** CPU time of child processes, from the shell: Node does not report it. */
export function once(command) {
  const script = '"$@" >/dev/null 2>&1; status=$?; times; exit $status';
  const start = performance.now();
  const { status, stdout } = spawnSync("sh", ["-c", script, "sh", ...command], { encoding: "utf8" });
  const wall = performance.now() - start;
  const children = stdout.trim().split("\n").at(-1) ?? "";
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return { status, wall, cpu: parts.reduce((sum, [, minutes, seconds]) => sum + (minutes * 60 + +seconds) * 1000, 0) };
}
