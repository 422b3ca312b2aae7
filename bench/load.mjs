// How fast is a catalog loaded, and how much memory does it take, compared with a bare JSON.parse over the same lines?
import { spawnSync } from "node:child_process";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { catalogs } from "./catalogs.mjs";
import { calibrate, compare, line, mb, ms } from "./measure.mjs";
import { DIST, libraryOf } from "./modules.mjs";

const { DEFAULT_LIMITS, InputFiles, loadCatalog } = await libraryOf(DIST);

async function load(path) {
  const loaded = await loadCatalog({ name: "bench", priority: 0, path }, new InputFiles(DEFAULT_LIMITS));
  if (loaded.kind !== "loaded") throw new Error(loaded.finding.message);
  return loaded.catalog;
}

/** Streams the lines, parses each and keeps the objects: the least that any reader must do. */
async function bare(path) {
  const kept = [];
  for await (const text of createInterface({ input: createReadStream(path, { highWaterMark: 1 << 20 }) }))
    if (text !== "") kept.push(JSON.parse(text));
  return kept;
}

/** In a process of its own: what is the peak of memory? */
if (process.argv[2] === "--memory") {
  const [, , , mode, path] = process.argv;
  const kept = mode === "bare" ? await bare(path) : mode === "plimsoll" ? await load(path) : undefined;
  console.log(process.resourceUsage().maxRSS * 1024, kept === undefined ? "" : typeof kept);
  process.exit();
}

function peak(mode, path) {
  const result = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--memory", mode, path], {
    encoding: "utf8",
  });
  return Number.parseInt(result.stdout, 10);
}

export async function benchLoad({ data, cache, quick }) {
  console.log("Loading JSON lines, indexes included (target: at most 2.0 x time, 1.5 x memory)");
  const sizes = quick ? [50_000] : [50_000, 100_000, 200_000];
  const perBundle = [];
  for (const { name, path } of await catalogs(data, sizes, cache)) {
    const lines = readFileSync(path, "utf8")
      .split("\n")
      .filter((text) => text !== "");
    let keep;
    const times = await compare(
      {
        fromFile: () => {
          keep = [];
          for (const text of readFileSync(path, "utf8").split("\n")) if (text !== "") keep.push(JSON.parse(text));
        },
        parse: () => {
          keep = [];
          for (const text of lines) keep.push(JSON.parse(text));
        },
        plimsoll: async () => {
          keep = await load(path);
        },
      },
      lines.length < 20_000 ? 25 : 7,
    );
    const bundles = [...keep.packages.values()].reduce((sum, one) => sum + one.bundles.size, 0);
    perBundle.push(times.plimsoll / bundles);
    console.log(`\n  ${name}: ${bundles} bundles (calibration loop ${ms(calibrate())})`);
    line("JSON.parse over lines already in memory", ms(times.parse));
    line("the same from the file: read, split, JSON.parse", ms(times.fromFile));
    line("plimsoll, from the file", ms(times.plimsoll));
    line("ratio to JSON.parse from the file", `${(times.plimsoll / times.fromFile).toFixed(2)} x`, "<= 2.0");
    line("ratio to JSON.parse alone", `${(times.plimsoll / times.parse).toFixed(2)} x`);
    keep = undefined;
    const empty = peak("empty", path);
    const bareMemory = peak("bare", path) - empty;
    const ours = peak("plimsoll", path) - empty;
    line("memory of a bare streaming JSON.parse", mb(bareMemory));
    line("memory of plimsoll", mb(ours));
    line("ratio", `${(ours / bareMemory).toFixed(2)} x`, "<= 1.5");
  }
  if (perBundle.length > 2) {
    console.log(
      `\n  time per bundle: ${perBundle.map((time) => `${(time * 1000).toFixed(1)} us`).join(", ")} (linear if equal)`,
    );
  }
}
