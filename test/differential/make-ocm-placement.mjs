// What does OCM decide about random Placements? Writes ocm-placement.json beside this file, or to --out: the
// program in bench/peers/ocm is asked about random fleets.
//   node test/differential/make-ocm-placement.mjs   (needs Go)
//   node test/differential/make-ocm-placement.mjs --fleets 2000 --seed 7 --out FILE   (for a thorough comparison)
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { askOcm, ocmVersion } from "./ocm-placement/ask.mjs";
import { MANY, randomFleet, SHARES } from "./ocm-placement/fleets.mjs";

const PLACEMENTS_OF_FLEET = 12;

const { values: options } = parseArgs({
  options: {
    fleets: { type: "string", default: "32" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: fileURLToPath(new URL("ocm-placement.json", import.meta.url)) },
  },
});
const fleets = Array.from({ length: Number(options.fleets) }, (_, index) =>
  randomFleet(Number(options.seed) * 100_000 + index, PLACEMENTS_OF_FLEET),
);
const rows = askOcm([MANY, SHARES, ...fleets]);
const provenance = {
  module: "open-cluster-management.io/ocm/pkg/placement/controllers/scheduling",
  version: ocmVersion,
  regenerate: "node test/differential/make-ocm-placement.mjs",
};
const text = rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n");
writeFileSync(options.out, `{\n  "provenance": ${JSON.stringify(provenance)},\n  "rows": [\n${text}\n  ]\n}\n`);
const answers = rows.flatMap(({ placements }) => placements.map(({ answer }) => answer));
const count = (of) => answers.filter(of).length;
console.log(
  `${answers.length} Placements, ${text.length} characters: ${count(({ selected }) => selected)} select clusters, ` +
    `${count(({ misconfigured }) => misconfigured)} are misconfigured, ${count(({ warning }) => warning)} with warnings, ` +
    `${count(({ error }) => error)} with errors, ${count(({ panic }) => panic)} end OCM`,
);
