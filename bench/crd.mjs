// How long does it take to check the change of a CRD, and to validate its objects? Real CRDs, and a schema of 500 lines; beside
// crdify (what OLM v1 asks) and Kubernetes' own validation on the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { apiextensions, crdify } from "./crd/peers.mjs";
import { linesOf, serverSchema, servers } from "./crd/schema.mjs";
import { calibrate, line, median, ms } from "./measure.mjs";
import { DIST, libraryOf } from "./modules.mjs";
import { cpuOf } from "./resolve/cpu.mjs";

const PAIRS = 1_000;
const OBJECTS = 100_000;
/** The peers are given a part of the objects, and their time is extrapolated to all. */
const PART = 10_000;
const SAMPLES = 5;

export async function benchCrd({ data, dist, quick }) {
  const library = await libraryOf(dist ?? DIST);
  console.log(`\nChecking CRDs, CPU time (calibration loop ${ms(calibrate())})`);
  if (data === undefined) console.log("  skipped: real CRDs (no --data FOLDER)");
  else pairs(library, data, quick);
  for (const hasRules of [false, true]) objects(library, hasRules, quick);
}

/** Consecutive documents of each series; those that are left over make up the number again, as new copies. */
function pairs(library, data, quick) {
  const texts = gunzipSync(readFileSync(join(data, "crd-series.jsonl.gz")))
    .toString()
    .trim()
    .split("\n");
  const rows = texts.map((text) => JSON.parse(text));
  const real = rows.flatMap((row, index) => {
    const before = rows[index - 1];
    return before?.series === row.series ? [{ before: before.crd, after: row.crd }] : [];
  });
  const copies = Array.from({ length: PAIRS }, (_, index) => JSON.stringify(real[index % real.length]));
  const check = (text) => {
    const { before, after } = JSON.parse(text);
    library.checkUpgrade(definition(library, before), definition(library, after), library.NOTHING_KNOWN);
  };
  for (const text of copies.slice(0, real.length)) check(text);
  const samples = Array.from({ length: quick ? 1 : SAMPLES }, () => cpuOf(() => copies.forEach(check)).cpu);
  const parsing = median(
    Array.from({ length: SAMPLES }, () => cpuOf(() => copies.map((text) => JSON.parse(text))).cpu),
  );
  const own = median(samples);
  line(`${PAIRS} real pairs (${real.length} different), reading JSON included`, ms(own), "target: < 2,000 ms");
  line("of this JSON.parse", ms(parsing));
  const v1 = real.filter(({ before, after }) => [before, after].every((crd) => crd.apiVersion.endsWith("/v1")));
  const peer = crdify(v1);
  if (peer === undefined) return console.log("  skipped: crdify (Go is not there, or its program did not build)");
  const scaled = (peer.cpuMs / peer.pairs) * PAIRS;
  line(
    `crdify ${peer.version}, ${peer.pairs} pairs of v1, as if ${PAIRS}`,
    ms(scaled),
    `ours takes ${(own / scaled).toFixed(2)} of it`,
  );
}

function definition(library, crd) {
  return library.definitionOf(crd, crd.apiVersion.split("/")[1], { source: "crd.json", line: 1, column: 1 });
}

function objects(library, hasRules, quick) {
  const json = serverSchema(hasRules);
  const { schema } = library.readSchema(json);
  const what = `a schema of ${linesOf(json)} lines${hasRules ? ", with 2 rules in CEL" : ""}`;
  const given = servers(OBJECTS);
  const validated = () => {
    const validator = library.validatorFor(schema, { preserveUnknownFields: false, celCostLimit: 10_000_000 });
    let invalid = 0;
    for (const object of given) if (validator.validate(object).faults.length > 0) invalid++;
    return invalid;
  };
  const invalid = validated();
  const own = median(Array.from({ length: quick ? 1 : SAMPLES }, () => cpuOf(validated).cpu));
  line(`${OBJECTS} objects of ${what}`, ms(own), hasRules ? "" : "target: < 5,000 ms");
  const part = given.slice(0, PART);
  const peer = apiextensions(json, part);
  if (peer === undefined)
    return console.log("  skipped: Kubernetes' validation (Go is not there, or its program did not build)");
  const scaled = (peer.cpuMs / peer.objects) * OBJECTS;
  line(
    `apiextensions-apiserver ${peer.version}, ${PART}, as if ${OBJECTS}`,
    ms(scaled),
    `ours takes ${(own / scaled).toFixed(2)} of it`,
  );
  const expected = invalid / (OBJECTS / PART);
  line(
    "objects that are not valid, ours and theirs",
    `${expected} ${peer.invalid}`,
    expected === peer.invalid ? "the same" : "NOT THE SAME",
  );
}
