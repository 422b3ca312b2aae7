// How much faster is a catalog loaded from the cache than from its JSON lines? Verifying the bytes is included. A command
// loads a catalog once, so that fresh processes count; a warm process shows what remains without compiling.
import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { catalogs } from "./catalogs.mjs";
import { calibrate, compare, line, mb, median, ms } from "./measure.mjs";
import { DIST, moduleOf } from "./modules.mjs";

const IDENTITY = { name: "bench", priority: 0 };

/** Loads a catalog from its lines. */
async function fromLines(path) {
  const { InputFiles } = await moduleOf(DIST, "source/input-files");
  const { DEFAULT_LIMITS } = await moduleOf(DIST, "input/limits");
  const { loadCatalog } = await moduleOf(DIST, "source/load-catalog");
  return async () => (await loadCatalog({ ...IDENTITY, path }, new InputFiles(DEFAULT_LIMITS))).catalog;
}

/** Loads it from a cache, in which it is. */
async function fromCache(path, home) {
  const { openCache } = await moduleOf(DIST, "cache/cache");
  const { unpackCatalog } = await moduleOf(DIST, "input/packed/unpack-catalog");
  const onTrouble = (message) => {
    throw new Error(message);
  };
  return async () => {
    const { payload } = await openCache({ environment: {}, home, onTrouble }).get("catalog", path);
    return unpackCatalog(payload, IDENTITY, "");
  };
}

/** In a process of its own: the time of one load, as a command would do it. Importing the modules is not included. */
if (process.argv[2] === "--once") {
  const [, , , mode, path, home] = process.argv;
  setFlagsFromString("--interrupt-budget=400000");
  const load = await (mode === "lines" ? fromLines(path) : fromCache(path, home));
  const begin = performance.now();
  const before = process.cpuUsage();
  const catalog = await load();
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ wall: performance.now() - begin, cpu: (user + system) / 1000 }), catalog.packages.size);
  process.exit();
}

function cold(mode, path, home) {
  const args = [fileURLToPath(import.meta.url), "--once", mode, path, home];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const figures = /^\{.*?\}/.exec(stdout)?.[0];
  if (figures === undefined) throw new Error(stderr);
  return JSON.parse(figures);
}

export async function benchPacked({ data, cache, quick }) {
  console.log("\nLoading a catalog from the cache (target: at least 4 x as fast as from JSON lines, cold)");
  const [first] = await catalogs(data, [50_000], cache);
  const large = join(cache, "with-objects.jsonl");
  await writeWithObjects(first.path, large);
  for (const { name, path } of [first, { name: `${first.name}, with manifests`, path: large }])
    await benchOne(name, path, join(cache, "packed"), quick ? 5 : 15);
}

async function benchOne(name, path, home, rounds) {
  rmSync(home, { recursive: true, force: true });
  const { openCache } = await moduleOf(DIST, "cache/cache");
  const { packCatalog } = await moduleOf(DIST, "input/packed/pack-catalog");
  const lines = await fromLines(path);
  const kept = openCache({ environment: {}, home, onTrouble: console.error });
  const catalog = await lines();
  const begin = performance.now();
  const bytes = packCatalog(catalog, "");
  const packing = performance.now() - begin;
  await kept.put({ kind: "catalog", key: path, about: name }, bytes);
  console.log(`\n  ${name}: ${mb(statSync(path).size)} (calibration loop ${ms(calibrate())})`);
  line("packing, once", ms(packing), `${mb(bytes.length)} packed`);
  const times = { lines: [], cache: [] };
  for (let round = 0; round < rounds; round++)
    for (const [mode, list] of Object.entries(times)) list.push(cold(mode, path, home));
  for (const [what, unit] of [
    ["cpu", "CPU"],
    ["wall", "wall"],
  ]) {
    const [ours, theirs] = [times.cache, times.lines].map((list) => list.map((one) => one[what]));
    line(`cold, JSON lines, ${unit}, median (least ${ms(Math.min(...theirs))})`, ms(median(theirs)));
    line(`cold, cache, ${unit}, median (least ${ms(Math.min(...ours))})`, ms(median(ours)));
    const ratio = (of) => (of(theirs) / of(ours)).toFixed(1);
    line(
      "ratio of the medians, and of the least",
      `${ratio(median)} x, ${ratio((list) => Math.min(...list))} x`,
      ">= 4",
    );
  }
  const warm = await compare({ lines, cache: await fromCache(path, home) }, rounds);
  line("warm, JSON lines and cache", `${ms(warm.lines)}, ${ms(warm.cache)}`);
  line("ratio", `${(warm.lines / warm.cache).toFixed(1)} x`);
}

/** The catalog with manifests in every bundle, as older catalogs have them: a CSV, and a CRD for each API. */
async function writeWithObjects(from, to) {
  if (existsSync(to)) return;
  mkdirSync(join(to, ".."), { recursive: true });
  const out = [];
  for await (const text of createInterface({ input: createReadStream(from) })) {
    const document = JSON.parse(text);
    if (document.schema === "olm.bundle") document.properties.push(...manifestsOf(document));
    out.push(JSON.stringify(document));
  }
  writeFileSync(to, `${out.join("\n")}\n`);
}

function manifestsOf({ name, properties }) {
  const apis = properties.filter(({ type }) => type === "olm.gvk").map(({ value }) => value);
  const text = "An operator does what its operator would do by hand. ".repeat(20);
  const csv = { kind: "ClusterServiceVersion", metadata: { name }, spec: { description: text, apis } };
  const crds = apis.map(({ group, kind, version }) => ({
    kind: "CustomResourceDefinition",
    metadata: { name: `${kind.toLowerCase()}s.${group}` },
    spec: { group, names: { kind }, versions: [{ name: version, schema: { description: text.slice(0, 500) } }] },
  }));
  return [csv, ...crds].map((object) => ({
    type: "olm.bundle.object",
    value: { data: Buffer.from(JSON.stringify(object)).toString("base64") },
  }));
}
