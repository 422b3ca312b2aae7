// Does our engine pass the official CEL tests? npm run conformance [-- --section NAME --failures] prints the figures.
//
// The harness is TypeScript and shared with conformance.test.ts; it is bundled with the engine's sources and run.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const directory = join(here, "..", "..", "node_modules", ".cache", "plimsoll");
const outfile = join(directory, "conformance.mjs");
mkdirSync(directory, { recursive: true });
await build({
  entryPoints: [join(here, "report.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "warning",
});
const { report } = await import(pathToFileURL(outfile).href);
process.exitCode = report(process.argv.slice(2), console.log);
