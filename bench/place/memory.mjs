// How much memory does `plimsoll place` take for very many reports? The command in a process of its own; its output is counted
// and thrown away.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { line, mb } from "../measure.mjs";
import { NOW } from "./fleet.mjs";
import { writeLines } from "./lines.mjs";
import { many } from "./placements.mjs";

/** Milliseconds between two readings of the peak, which Linux reports only while a process runs. */
const EVERY = 50;

/** Prints the peak for many Placements, and for many clusters, in the forms that have a target. */
export async function benchReports({ make, dist, cache, quick }) {
  const program = join(dist, "bin", "plimsoll.js");
  if (!existsSync(program)) return console.log("\n  skipped: the memory of reports (the command is not built)");
  if (!existsSync("/proc/self/status"))
    return console.log("\n  skipped: the memory of reports (only Linux reports it)");
  mkdirSync(cache, { recursive: true });
  const [placements, clusters, fleet] = quick ? [100, 500, 10_000] : [1_000, 2_000, 100_000];
  const several = join(cache, `placements-${placements}.jsonl`);
  writeLines(several, [...make(clusters), ...many(placements)]);
  const large = join(cache, `fleet-${fleet}-placed.jsonl`);
  writeLines(large, make(fleet, { placements: true }));
  console.log(`\n  plimsoll place, ${placements} Placements × ${clusters} clusters: peak of memory, output`);
  for (const output of ["text", "json"]) await printPeak(program, several, output, "");
  console.log(`\n  plimsoll place, 6 Placements × ${fleet} clusters: peak of memory, output`);
  for (const [output, target] of [
    ["text", "< 600 MB"],
    ["name", "< 600 MB"],
    ["json", "< 1 GB"],
  ])
    await printPeak(program, large, output, quick ? "" : `target: ${target}`);
}

async function printPeak(program, file, output, target) {
  const ran = await peakOf([program, "place", "-f", file, "--now", NOW, "-o", output, "-q"]);
  const figure = ran.code > 1 ? `failed with ${ran.code}` : `${mb(ran.peak)}, ${mb(ran.written)}`;
  line(`  -o ${output}`, figure, target);
}

/** Runs the command to its end. */
function peakOf(args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
    let written = 0;
    let peak = 0;
    const look = () => {
      peak = Math.max(peak, peakSoFar(child.pid));
    };
    const timer = setInterval(look, EVERY);
    child.stdout.on("data", (chunk) => {
      written += chunk.length;
    });
    child.on("close", (code) => {
      clearInterval(timer);
      done({ code: code ?? 70, peak, written });
    });
  });
}

/** The peak of resident memory of a process, in bytes; 0 once it is gone. */
function peakSoFar(pid) {
  try {
    const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
