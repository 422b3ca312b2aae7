// What does each command load before it does anything? Source modules and bytes of the bundle, and the CPU time of a cold run.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildCommand, MAIN, moduleBytes, reached } from "../scripts/build-command.mjs";
import { line, median, ms } from "./measure.mjs";
import { fleetMaker, NOW } from "./place/fleet.mjs";
import { writeLines } from "./place/lines.mjs";
import { once, PACKAGES } from "./resolve/cold.mjs";

/** The files of a command: how its flags are read, and what runs. */
const COMMANDS = {
  version: ["src/cli/option-values.ts", "src/cli/version/version.ts"],
  show: ["src/cli/shared-options.ts", "src/cli/show/show.ts"],
  lint: ["src/cli/shared-options.ts", "src/cli/lint/lint.ts"],
  place: ["src/cli/place/options.ts", "src/cli/place/place.ts"],
  status: ["src/cli/status/options.ts", "src/cli/status/status.ts"],
  resolve: ["src/cli/question/options.ts", "src/cli/resolve/resolve.ts"],
  explain: ["src/cli/explain/options.ts", "src/cli/explain/explain.ts"],
  plan: ["src/cli/plan/options.ts", "src/cli/plan/plan.ts"],
  "cel check": ["src/cli/cel/options.ts", "src/cli/cel/check.ts"],
  "cel eval": ["src/cli/cel/options.ts", "src/cli/cel/eval.ts"],
  "crd check": ["src/cli/crd/options.ts", "src/cli/crd/check.ts"],
  "cache list": ["src/cli/option-values.ts", "src/cli/cache/list.ts"],
  "cache prune": ["src/cli/option-values.ts", "src/cli/cache/prune.ts"],
};

/**
 * What a command loads whatever it is asked: the modules that it imports (`import()` is not followed) and the files that
 * these are in, which may hold a little more; each with its bytes in the bundle.
 */
export async function loadedByCommands() {
  const { modules, files } = await buildCommand();
  const bytes = moduleBytes(modules);
  const modulesOf = (entries) =>
    [...reached(modules.inputs, entries)].map((path) => ({ path, bytes: bytes.get(path) ?? 0 }));
  const fileOf = (module) => Object.keys(files.outputs).find((path) => files.outputs[path].entryPoint === module);
  const filesOf = (entries) =>
    [...reached(files.outputs, entries.map(fileOf))].map((path) => ({ path, bytes: files.outputs[path].bytes }));
  const commands = Object.entries(COMMANDS).map(([name, [flags, command]]) => [
    name,
    { modules: modulesOf([MAIN, flags, command]), files: filesOf([MAIN, command]) },
  ]);
  const flags = Object.values(COMMANDS).map(([flags]) => flags);
  return { commands: Object.fromEntries(commands), flags: modulesOf([MAIN, ...flags]) };
}

/** Prints what each command loads, and how long cold runs take; those of `base`, another build, in turn with ours. */
export async function benchLoading({ data, dist = "dist", base, quick, cache }) {
  console.log("\nLoading (modules, files and bytes that a command loads whatever it is asked)");
  for (const [name, { modules, files }] of Object.entries((await loadedByCommands()).commands)) {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    line(name, `${modules.length} modules, ${files.length} files`, `${(bytes / 1024).toFixed(0)} KiB`);
  }
  const builds = Object.entries({ ours: dist, ...(base !== undefined && { base }) });
  for (const [name, args] of Object.entries(await coldRuns(data, cache))) {
    const times = new Map(builds.map(([build]) => [build, []]));
    for (let round = 0; round < (quick ? 5 : 15); round++)
      for (const [build, folder] of round % 2 === 0 ? builds : builds.toReversed())
        times.get(build).push(once([process.execPath, join(folder, "bin/plimsoll.js"), ...args]).cpu);
    for (const [build, list] of times)
      line(`cold ${name}, ${build}, CPU, median (least ${ms(Math.min(...list))})`, ms(median(list)));
  }
}

/** The arguments of each run; those that need a data folder only where there is one. */
async function coldRuns(data, cache) {
  const catalog = data && join(data, "catalog-operatorhub.jsonl.gz");
  const make = await fleetMaker(data);
  const fleet = join(cache, "fleet-10000.jsonl");
  if (make !== undefined) {
    mkdirSync(cache, { recursive: true });
    writeLines(fleet, make(10_000, { placements: true }));
  }
  return {
    version: ["version"],
    "show, a small catalog": ["show", "--catalog", "examples/harbour/catalog"],
    ...(catalog && existsSync(catalog) && { "show, the real catalog": ["show", "--catalog", catalog] }),
    ...(catalog &&
      existsSync(catalog) && { "resolve, the real catalog": ["resolve", "--catalog", catalog, ...PACKAGES] }),
    ...(make && { "place, 10,000 clusters": ["place", "-f", fleet, "--now", NOW] }),
  };
}
