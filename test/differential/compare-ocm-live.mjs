// Do we place as OCM does, on fresh random fleets? Asks the program in bench/peers/ocm and compares its answers with ours. To
// be run by hand (needs Go):
//   node test/differential/compare-ocm-live.mjs --fleets 2000 --seed 7
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { askOcm } from "./ocm-placement/ask.mjs";
import { randomFleet } from "./ocm-placement/fleets.mjs";

const { values: options } = parseArgs({
  options: { fleets: { type: "string", default: "2000" }, seed: { type: "string", default: "7" } },
});
const PLACEMENTS_OF_FLEET = 12;
const FLEETS_AT_ONCE = 500;
const SHOWN = 20;

const folder = mkdtempSync(join(tmpdir(), "plimsoll-"));
try {
  const outfile = join(folder, "compare.mjs");
  const entry = new URL("ocm-placement/compare.ts", import.meta.url).pathname;
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", outfile, logLevel: "error" });
  const { disagreements } = await import(pathToFileURL(outfile).href);
  let wrong = 0;
  for (let first = 0; first < Number(options.fleets); first += FLEETS_AT_ONCE) {
    const size = Math.min(FLEETS_AT_ONCE, Number(options.fleets) - first);
    const fleets = Array.from({ length: size }, (_, index) =>
      randomFleet(Number(options.seed) * 100_000 + first + index, PLACEMENTS_OF_FLEET),
    );
    for (const [index, fleet] of askOcm(fleets).entries())
      for (const found of disagreements(fleet)) {
        wrong++;
        if (wrong <= SHOWN) console.log(JSON.stringify({ fleet: first + index, ...found }, undefined, 1));
      }
  }
  console.log(`${Number(options.fleets) * PLACEMENTS_OF_FLEET} Placements compared, ${wrong} disagreements`);
  if (wrong > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
