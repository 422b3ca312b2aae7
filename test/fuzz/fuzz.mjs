// Do the readers ever do anything but collect findings, and does every evaluation end in time? npm run fuzz [-- SECONDS
// [SEED]]: half of the time damages the files of the bundled example in every way that comes to mind and reads them, until
// something throws, hangs or differs; the other half calls every function of CEL on large values (cel-work.mjs).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BundleDirectories } from "../../dist/modules/input/bundle-directory/bundle-directories.js";
import { CatalogBuilder } from "../../dist/modules/input/catalog/catalog-builder.js";
import { DEFAULT_LIMITS } from "../../dist/modules/input/limits.js";
import { locate } from "../../dist/modules/input/locate.js";
import { ObjectsReader } from "../../dist/modules/input/objects/read-objects.js";
import { Documents } from "../../dist/modules/input/read-documents.js";
import { findingText } from "../../dist/modules/render/finding/finding-text.js";
import { makeStyle } from "../../dist/modules/render/kit/style.js";
import { sweepCel } from "./cel-work.mjs";
import { generator } from "./generator.mjs";

const seconds = Number(process.argv[2] ?? 120);
const seed = Number(process.argv[3] ?? 1);
if (!(seconds > 0) || !Number.isSafeInteger(seed)) {
  console.error("usage: npm run fuzz [-- SECONDS [SEED]]");
  process.exit(2);
}
/** Small limits, so that they are reached. */
const LIMITS = { ...DEFAULT_LIMITS, maxDocumentBytes: 20_000, maxDepth: 64, maxValues: 100_000 };
const SLOWEST = 2000;

const corpus = readdirSync("examples", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(ya?ml|json)$/.test(path))
  .map((path) => readFileSync(join("examples", path)))
  .flatMap((bytes) => [bytes, toJsonLines(bytes)]);

/** The same documents as JSON, so that both readers have something to eat. */
function toJsonLines(bytes) {
  const lines = [];
  const reading = {
    source: "corpus",
    limits: DEFAULT_LIMITS,
    report: () => {},
    sink: (value) => lines.push(JSON.stringify(value)),
  };
  const documents = new Documents(reading);
  documents.push(bytes);
  documents.end();
  return Buffer.from(`${lines.join("\n")}\n`);
}

const SNIPPETS = [
  "---\n",
  "\t",
  "&a ",
  "*a ",
  "<<: *a\n",
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  ": ",
  "- ",
  "|\n",
  ">\n",
  "\u0000",
  "\ufffd",
  "\r\n",
  "schema: olm.bundle\n",
  "olm.channel",
  "__proto__",
  "constructor",
  "name",
  "replaces",
  "skips",
  "skipRange",
  "null",
  "9007199254740993",
  "1e400",
  ".inf",
  "!!binary ",
  "apiVersion: v1\nkind: List\nitems:\n- ",
  '{"kind":"List","apiVersion":"v1","items":[',
  "\ud800",
  "\u202e",
  "%YAML 1.1\n",
].map((text) => Buffer.from(text));

function damage(bytes, pick) {
  let result = bytes.subarray(0, Math.min(bytes.length, 30_000));
  for (let times = 1 + pick(6); times > 0; times--) {
    const at = pick(result.length + 1);
    const length = pick(200);
    switch (pick(7)) {
      case 0: // cut something out
        result = Buffer.concat([result.subarray(0, at), result.subarray(at + length)]);
        break;
      case 1: // put something in
        result = Buffer.concat([result.subarray(0, at), SNIPPETS[pick(SNIPPETS.length)], result.subarray(at)]);
        break;
      case 2: // change a byte
        result = Buffer.from(result);
        if (result.length > 0) result[pick(result.length)] = pick(256);
        break;
      case 3: // repeat a part
        result = Buffer.concat([result.subarray(0, at), result.subarray(at, at + length), result.subarray(at)]);
        break;
      case 4: // mix with another file
        result = Buffer.concat([result.subarray(0, at), corpus[pick(corpus.length)].subarray(0, 2000)]);
        break;
      case 5: // nest deep
        result = Buffer.concat([result.subarray(0, at), Buffer.from("[{a:".repeat(pick(100))), result.subarray(at)]);
        break;
      default: // end early
        result = result.subarray(0, at);
    }
  }
  return result;
}

/** Reads bytes in all roles, in chunks of some length, and shows every finding; gives what came of it. */
function readAll(bytes, chunk, shape) {
  const findings = [];
  const builder = new CatalogBuilder({ name: "fuzz", priority: 0 });
  const directories = new BundleDirectories(builder);
  const objects = new ObjectsReader((item) => findings.push(item));
  const sink = (value, place) => {
    builder.add(value, place);
    objects.add(value, place);
    if (shape % 2 === 0) directories.addManifest("bundle", value, place);
    else directories.addMetadata("bundle", value, place);
  };
  const documents = new Documents({ source: "fuzz", limits: LIMITS, report: (item) => findings.push(item), sink });
  for (let at = 0; at < bytes.length; at += chunk) if (!documents.push(bytes.subarray(at, at + chunk))) break;
  documents.end();
  directories.finish();
  const catalog = builder.finish();
  const world = objects.finish();
  const text = bytes.toString("utf8");
  for (const finding of [...findings, ...catalog.findings].slice(0, 50)) {
    const lines = text
      .split("\n")
      .slice(finding.place.line - 1)
      .join("\n");
    findingText({ finding, spot: locate([finding.place], lines)[0] }, makeStyle(false));
  }
  return [catalog.packages.size, catalog.findings.length, findings.length, world.subscriptions.length].join(" ");
}

const end = performance.now() + (seconds / 2) * 1000;
let round = 0;
for (; performance.now() < end; round++) {
  const pick = generator(seed * 1_000_003 + round);
  const bytes = damage(corpus[pick(corpus.length)], pick);
  const [chunk, shape] = [1 + pick(3000), pick(2)];
  const start = performance.now();
  try {
    const cut = readAll(bytes, chunk, shape);
    const whole = readAll(bytes, bytes.length + 1, shape);
    if (cut !== whole) throw new Error(`the cuts matter: ${cut} but whole ${whole}`);
    if (performance.now() - start > SLOWEST) throw new Error(`slow: ${(performance.now() - start).toFixed(0)} ms`);
  } catch (error) {
    writeFileSync("fuzz-failure.bin", bytes);
    console.error(`round ${round} of seed ${seed} (input in fuzz-failure.bin, chunks of ${chunk}):`);
    console.error(error);
    process.exit(1);
  }
}
console.log(`${round} damaged inputs read in ${seconds / 2} s (seed ${seed}): nothing but findings`);
console.log(await sweepCel(seconds / 2, seed));
