// Which files make up the command? esbuild makes one file of the modules that the same commands need. Loading a file
// costs as much CPU time as parsing 30 KB of code, so that small files are joined with others.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";

export const MAIN = "src/cli/main.ts";
/** What runs in threads of their own. */
const THREADS = {
  "package-reader": "src/source/package-reader.ts",
  "reading-thread-entry": "src/placement-controller/reading-thread-entry.ts",
  "resolution-reading-entry": "src/resolution-controller/reading-thread-entry.ts",
  "engine-entry": "src/cli/controller/engine-entry.ts",
  "review-thread-entry": "src/webhook/review-thread-entry.ts",
};
/** Code below this size, in bytes, is not worth a file of its own. */
const SMALL_PART = 29_000;

/**
 * Builds the command into `dist/bin`, or without a version only in memory. Returns esbuild's metafile of what each module
 * imports, and that of the files that were made.
 */
export async function buildCommand(version) {
  const options = {
    entryPoints: { plimsoll: MAIN },
    outdir: "dist/bin",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // Less text is parsed faster; names stay, so that stack traces are readable.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    define: { PLIMSOLL_VERSION: JSON.stringify(version ?? "") },
    banner: {
      // The command line parser is CommonJS and asks for Node's modules with `require`.
      js: `#!/usr/bin/env node
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);`,
    },
    metafile: true,
    logLevel: "warning",
  };
  const { metafile: modules } = await build({ ...options, write: false });
  const plugins = [joinParts(joinedModules(modules))];
  const { metafile: files } = await build({ ...options, write: version !== undefined, plugins });
  // By itself, so that the parts of the command do not depend on what a thread loads.
  if (version !== undefined)
    for (const [name, path] of Object.entries(THREADS))
      await build({ ...options, entryPoints: { [name]: path }, splitting: false });
  return { modules, files };
}

/** The modules (`inputs` of a metafile) or files (`outputs`) that some of them load: `import()` is not followed. */
export function reached(all, entries) {
  const paths = new Set(entries);
  for (const path of paths)
    for (const { path: next, kind, external } of all[path].imports)
      if (kind !== "dynamic-import" && external !== true) paths.add(next);
  return paths;
}

/** The bytes of each module in the bundle. */
export function moduleBytes({ outputs }) {
  const bytes = new Map();
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs))
      bytes.set(path, (bytes.get(path) ?? 0) + bytesInOutput);
  return bytes;
}

/** For each entry (what `import()` loads), the modules that it loads besides its own, so that there are fewer parts. */
function joinedModules(metafile) {
  const bytes = moduleBytes(metafile);
  const isEntry = (path) => path === MAIN || importers.has(path);
  const importers = new Map();
  for (const [path, { imports }] of Object.entries(metafile.inputs))
    for (const { path: entry, kind } of imports)
      if (kind === "dynamic-import") importers.set(entry, [...(importers.get(entry) ?? []), path]);
  // Everything is loaded after the parser of the command line.
  const parser = [...reached(metafile.inputs, [MAIN])].filter((path) => !isEntry(path));
  const loaded = new Map(
    [MAIN, ...importers.keys()].map((entry) => [entry, new Set([...reached(metafile.inputs, [entry]), ...parser])]),
  );
  // What imports an entry is loaded before it.
  for (const [entry, files] of importers) {
    const before = [...loaded.values()].filter((modules) => files.some((file) => modules.has(file)));
    const [first = new Set(), ...others] = before;
    for (const path of first)
      if (!isEntry(path) && others.every((modules) => modules.has(path))) loaded.get(entry).add(path);
  }
  const isCommand = (entry) => entry === MAIN || importers.get(entry).includes(MAIN);
  // What a command loads sometimes, and no other command ever, shares its modules with that command only.
  const commandsOf = new Map(
    [...loaded.keys()].map((entry) => [
      entry,
      isCommand(entry)
        ? [entry]
        : [...loaded.keys()].filter(
            (command) => isCommand(command) && importers.get(entry).some((path) => loaded.get(command).has(path)),
          ),
    ]),
  );
  while (joinOnce(metafile, bytes, loaded, { isCommand, commandsOf }));
  return new Map([...loaded].map(([entry, modules]) => [entry, [...modules].filter((path) => !isEntry(path))]));
}

/**
 * Joins one small part with the one that costs least; false if each file is worth its code. What a command loads only sometimes, such
 * as that which talks to servers, is not joined with what it always loads.
 */
function joinOnce(metafile, bytes, loaded, { isCommand, commandsOf }) {
  const size = (paths) => paths.reduce((sum, path) => sum + (bytes.get(path) ?? 0), 0);
  const parts = new Map();
  for (const path of bytes.keys()) {
    const entries = [...loaded.keys()].filter((entry) => loaded.get(entry).has(path)).join();
    parts.set(entries, [...(parts.get(entries) ?? []), path]);
  }
  const shared = [...parts]
    .filter(([key]) => new Set(key.split(",").flatMap((entry) => commandsOf.get(entry))).size > 1)
    .map(([key, paths]) => {
      return { entries: key.split(","), paths: [...reached(metafile.inputs, paths)], bytes: size(paths) };
    });
  for (const part of shared.filter((part) => part.bytes < SMALL_PART).sort((a, b) => a.bytes - b.bytes)) {
    const joins = shared
      .filter((other) => other !== part && other.entries.some(isCommand) === part.entries.some(isCommand))
      .map((other) => {
        const entries = new Set([...part.entries, ...other.entries]);
        const paths = [...part.paths, ...other.paths];
        const inVain = [...entries].map((entry) => size(paths.filter((path) => !loaded.get(entry).has(path))));
        return { entries, paths, cost: Math.max(...inVain) };
      });
    const best = joins.reduce((a, b) => (b.cost < a.cost ? b : a), { cost: SMALL_PART });
    if (best.cost >= SMALL_PART) continue;
    for (const entry of best.entries) for (const path of best.paths) loaded.get(entry).add(path);
    return true;
  }
  return false;
}

/** Each entry imports its modules itself: esbuild makes one file of the modules that the same entries need. */
function joinParts(joined) {
  const root = process.cwd();
  return {
    name: "join-parts",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const modules = joined.get(relative(root, path).replaceAll("\\", "/"));
        if (modules === undefined) return undefined;
        // Libraries come with the modules that use them.
        const own = modules.filter((module) => module.startsWith("src/"));
        const imports = own.map((module) => `import ${JSON.stringify(join(root, module))};`);
        return { contents: `${readFileSync(path, "utf8")}\n${imports.join("\n")}`, loader: "ts" };
      });
    },
  };
}
