// Do we validate random objects as Kubernetes does? Asks the program in bench/peers/apiextensions about fresh cases and compares
// its answers with ours. To be run by hand (needs Go):
//   node test/differential/compare-crd-live.mjs --count 20000 --seed 7
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { askApiServer } from "./crd-validation/ask.mjs";
import { print } from "./crd-validation/group.mjs";
import { generator } from "./crd-validation/random.mjs";
import { textGenerator } from "./crd-validation/random-texts.mjs";

const { values: options } = parseArgs({
  options: { count: { type: "string", default: "20000" }, seed: { type: "string", default: "7" } },
});
const CASES_OF_SCHEMA = 4;
/** They are validated as one list. */
const TEXTS_OF_FORMAT = 100;
const SCHEMAS_AT_ONCE = 2000;

const folder = mkdtempSync(join(tmpdir(), "plimsoll-"));
try {
  const outfile = join(folder, "compare.mjs");
  const entry = new URL("crd-validation/compare.ts", import.meta.url).pathname;
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", outfile, logLevel: "error" });
  const { disagreements, isOnPurpose, readGroup } = await import(pathToFileURL(outfile).href);
  const sources = [false, true].map((withRules) => generator(Number(options.seed), withRules));
  sources.push(textGenerator(Number(options.seed)));
  let schemas = Math.ceil(Number(options.count) / CASES_OF_SCHEMA);
  let compared = 0;
  let refused = 0;
  let wrong = 0;
  for (; schemas > 0; schemas -= SCHEMAS_AT_ONCE) {
    const size = Math.min(schemas, SCHEMAS_AT_ONCE);
    const groups = Array.from({ length: size }, (_, index) =>
      sources[index % 3](index % 3 === 2 ? TEXTS_OF_FORMAT : CASES_OF_SCHEMA),
    );
    for (const answered of askApiServer(groups)) {
      const group = readGroup(print(answered));
      if (group.schemaFaults === undefined) compared += group.cases.length;
      else refused++;
      for (const found of disagreements(group)) {
        if (isOnPurpose(found)) continue;
        wrong++;
        console.log(
          JSON.stringify(shortened(found), (_, value) => (typeof value === "bigint" ? String(value) : value), 1),
        );
      }
    }
  }
  console.log(`${compared} objects compared, ${refused} schemas that the API server refuses, ${wrong} disagreements`);
  if (wrong > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Of lists of faults, those that only one side has. */
function shortened(found) {
  const { ours, theirs } = found;
  if (!Array.isArray(ours) || !Array.isArray(theirs)) return found;
  const without = (some, others) => some.filter((one) => !others.includes(one));
  return { ...found, ours: without(ours, theirs), theirs: without(theirs, ours) };
}
