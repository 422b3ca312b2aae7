// What does a program pay before its first expression? The CPU time of importing each library in a fresh process, and the size of
// a browser bundle.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { line, median } from "../measure.mjs";

const ROUNDS = 9;
const PEERS = fileURLToPath(new URL("../peers/npm/", import.meta.url));

const IMPORT = `const start = process.cpuUsage();
await import(process.argv[1]);
const { user, system } = process.cpuUsage(start);
console.log((user + system) / 1000);`;

/** Prints both for `plimsoll/cel` of a build and for the libraries of `names`. */
export async function benchImport(dist, names) {
  const require = createRequire(join(PEERS, "package.json"));
  const libraries = [
    { name: "plimsoll/cel", path: join(dist, "cel.js"), used: "{ compile as all }" },
    ...names.map((name) => ({ name, path: require.resolve(name), used: "* as all" })),
  ];
  console.log(
    `\n  importing, CPU time in a fresh process (median of ${ROUNDS}, in turn), and as a browser bundle (ours: compile, as most use it)`,
  );
  const times = new Map(libraries.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, path } of libraries) {
      const args = ["--input-type=module", "-e", IMPORT, pathToFileURL(path).href];
      times.get(name).push(Number(execFileSync(process.execPath, args, { encoding: "utf8" })));
    }
  for (const { name, path, used } of libraries) {
    const { bytes, zipped } = await bundleSize(path, used);
    const size = `${(bytes / 1024).toFixed(0)} KiB minified, ${(zipped / 1024).toFixed(0)} KiB with gzip`;
    line(name, `${median(times.get(name)).toFixed(0)} ms`, size);
  }
}

async function bundleSize(path, used) {
  const { outputFiles } = await build({
    stdin: { contents: `import ${used} from ${JSON.stringify(path)}; globalThis.all = all;`, resolveDir: PEERS },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  const [{ contents }] = outputFiles;
  return { bytes: contents.length, zipped: gzipSync(contents).length };
}
