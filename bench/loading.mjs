// What does each command load before it does anything? Source modules and bytes of the bundle, and the CPU time of a cold run.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
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
  resolve: ["src/cli/question/options.ts", "src/cli/resolve/resolve.ts"],
  explain: ["src/cli/explain/options.ts", "src/cli/explain/explain.ts"],
  plan: ["src/cli/plan/options.ts", "src/cli/plan/plan.ts"],
  "cel check": ["src/cli/cel/options.ts", "src/cli/cel/check.ts"],
  "cel eval": ["src/cli/cel/options.ts", "src/cli/cel/eval.ts"],
  "crd check": ["src/cli/crd/options.ts", "src/cli/crd/check.ts"],
};

/** Every module that a command loads whatever it is asked, with its bytes in the bundle: `import()` is not followed. */
export async function loadedModules() {
  const { metafile } = await build({
    entryPoints: ["src/cli/main.ts"],
    outdir: "dist/bin",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const bytes = new Map();
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs))
      bytes.set(path, (bytes.get(path) ?? 0) + bytesInOutput);
  const reached = (entries) => {
    const paths = new Set(entries);
    for (const path of paths)
      for (const { path: next, kind, external } of metafile.inputs[path].imports)
        if (kind !== "dynamic-import" && external !== true) paths.add(next);
    return [...paths].map((path) => ({ path, bytes: bytes.get(path) ?? 0 }));
  };
  const commands = Object.entries(COMMANDS).map(([name, files]) => [name, reached(["src/cli/main.ts", ...files])]);
  const flags = Object.values(COMMANDS).map(([flags]) => flags);
  return { ...Object.fromEntries(commands), "flags of every command": reached(["src/cli/main.ts", ...flags]) };
}

/** Prints what each command loads, and how long cold runs take; those of `base`, another build, in turn with ours. */
export async function benchLoading({ data, dist = "dist", base, quick, cache }) {
  console.log("\nLoading (source modules and bytes that a command loads whatever it is asked)");
  for (const [name, modules] of Object.entries(await loadedModules())) {
    const bytes = modules.reduce((sum, module) => sum + module.bytes, 0);
    line(name, `${modules.length} modules`, `${(bytes / 1024).toFixed(0)} KiB`);
  }
  const builds = Object.entries({ ours: dist, ...(base !== undefined && { base }) });
  for (const [name, args] of Object.entries(await coldRuns(data, cache))) {
    const times = new Map(builds.map(([build]) => [build, []]));
    for (let round = 0; round < (quick ? 5 : 15); round++)
      for (const [build, folder] of round % 2 === 0 ? builds : builds.toReversed())
        times.get(build).push(once([process.execPath, join(folder, "bin/plimsoll.js"), ...args]).cpu);
    for (const [build, list] of times) line(`cold ${name}, ${build}, CPU`, ms(median(list)));
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
