// What does OLM v1 report for the change of a definition? Writes crdify.json beside this file: the program in
// bench/peers/crdify is asked about chosen pairs, mostly of one change each.
//   node test/differential/make-crdify.mjs   (needs Go)
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCHEMA_PAIRS } from "./crdify/schema-pairs.mjs";
import { VERSION_PAIRS } from "./crdify/version-pairs.mjs";

const PAIRS = [...VERSION_PAIRS, ...SCHEMA_PAIRS];
const PEER = new URL("../../bench/peers/crdify/", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "plimsoll-"));
const program = join(folder, "crdify");
try {
  execFileSync("go", ["build", "-o", program, "."], { cwd: PEER, stdio: "inherit" });
  const input = PAIRS.map((pair, id) => JSON.stringify({ id, old: pair.old, new: pair.new })).join("\n");
  const answers = execFileSync(program, [], { input, maxBuffer: 1 << 28, encoding: "utf8" })
    .trim()
    .split("\n");
  const rows = PAIRS.map((pair, id) => {
    const { id: _, ...answer } = JSON.parse(answers[id]);
    return { ...pair, ...answer };
  });
  const provenance = {
    module: "sigs.k8s.io/crdify, in the configuration of github.com/operator-framework/operator-controller",
    version: "v0.6.0",
    regenerate: "node test/differential/make-crdify.mjs",
  };
  const text = rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n");
  writeFileSync(
    new URL("crdify.json", import.meta.url),
    `{\n  "provenance": ${JSON.stringify(provenance)},\n  "rows": [\n${text}\n  ]\n}\n`,
  );
  console.log(`${rows.length} pairs, ${rows.filter((row) => row.passes).length} pass`);
} finally {
  rmSync(folder, { recursive: true });
}
