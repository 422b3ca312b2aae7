// What does it cost to read a catalog from an image or by gRPC instead of a file? Starts a real registry (crane) and a real
// `opm serve`, and compares with reading the same catalog from files plus transferring the same bytes. By hand, because the
// servers have to be built:
//   node bench/sources.mjs --data FOLDER        FOLDER has catalog-operatorhub.jsonl.gz
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { catalogServersFolder, registryFolder } from "../test/e2e/servers/servers.mjs";
import { calibrate, compare, line, ms } from "./measure.mjs";

const ROUNDS = 9;
const { values } = parseArgs({ options: { data: { type: "string" } } });
if (values.data === undefined) {
  console.error("usage: node bench/sources.mjs --data FOLDER, which has catalog-operatorhub.jsonl.gz");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "plimsoll-bench-sources-"));
process.env.PLIMSOLL_E2E_REGISTRY = await registryFolder();
process.env.PLIMSOLL_E2E_CATALOGS = await catalogServersFolder();
const parts = await modules();
const documents = gunzipSync(readFileSync(join(values.data, "catalog-operatorhub.jsonl.gz")))
  .toString()
  .split("\n")
  .filter((text) => text !== "")
  .map((text) => JSON.parse(text))
  // opm refuses a bundle without an image; the data has none.
  .map((one) =>
    one.schema === "olm.bundle" && !one.image ? { ...one, image: `registry.invalid/${one.name}:v1` } : one,
  );
const files = parts.catalogFiles(documents);
const directory = join(folder, "catalog");
parts.writeFiles(directory, files);
const registry = await parts.startRegistry();
const opm = await parts.startOpm(directory);
try {
  const image = await parts.pushCatalogImage(registry.address, "hub/catalog:v1", files);
  const reference = (path) => ({ name: "hub", priority: 0, path });
  const fresh = () => new parts.InputFiles(parts.DEFAULT_LIMITS);
  const byWay = (way, cache = noCache()) =>
    parts.loadRemote(reference("hub"), [way], fresh(), { ...setting(), cache }).then(sound);
  const byImage = { kind: "image", image: image.reference };
  const kept = parts.openCache({ environment: { XDG_CACHE_HOME: folder }, home: folder, onTrouble: console.error });
  await byWay(byImage, kept);
  const found = await compare(
    {
      file: async () => sound(await parts.loadCatalog(reference(directory), fresh())),
      image: () => byWay(byImage),
      "image transfer": () => pulled(image.reference),
      kept: () => byWay(byImage, kept),
      grpc: () => byWay({ kind: "grpc", address: opm.address }),
      "grpc transfer": () => drained(opm.address),
    },
    ROUNDS,
  );
  console.log(
    `\nReading ${documents.length} documents (calibration loop ${ms(calibrate())}), medians of ${ROUNDS} rounds`,
  );
  for (const [what, time] of Object.entries(found)) line(what, ms(time));
  const ratio = (way) => `${(found[way] / (found.file + found[`${way} transfer`])).toFixed(2)} x`;
  line("image / (file + transfer)", ratio("image"), "target: 2 x");
  line("gRPC / (file + transfer)", ratio("grpc"), "target: 2 x");
} finally {
  await Promise.all([registry.stop(), opm.stop()]);
  rmSync(folder, { recursive: true, force: true });
}

/** The modules that are measured, and those of the tests that start servers; they are TypeScript. */
async function modules() {
  const outfile = join(folder, "modules.mjs");
  const names = [
    ...[
      "src/remote/load-remote",
      "src/source/load-catalog",
      "src/source/input-files",
      "src/input/limits",
      "src/cache/cache",
    ],
    ...["test/e2e/registry", "test/e2e/push-image", "test/e2e/opm", "test/e2e/catalog-files"],
  ];
  const contents = names.map((name) => `export * from "./${name}.ts";`).join("\n");
  const stdin = { contents, resolveDir: resolve("."), loader: "ts" };
  await build({
    stdin,
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "warning",
    define: { PLIMSOLL_VERSION: JSON.stringify("0.0.0") },
    external: ["vitest"],
  });
  return import(pathToFileURL(outfile).href);
}

function setting() {
  const registryOptions = { environment: {}, credentials: { login: async () => undefined }, insecure: [] };
  const signal = new AbortController().signal;
  return {
    environment: {},
    signal,
    insecure: [],
    registry: registryOptions,
    mirrors: [],
    assembledBy: "bench",
    onProgress() {},
  };
}

function noCache() {
  return {
    get: async () => undefined,
    put: async () => {},
    once: async (_entry, make, signal) => make(signal),
  };
}

function sound(loaded) {
  if (loaded.kind !== "loaded" || loaded.catalog.packages.size === 0) throw new Error(JSON.stringify(loaded.finding));
}

/** The bytes of an image, as fast as Node gets them. */
async function pulled(reference) {
  const [, host, name, tag] = /^([^/]+)\/(.+):([^:]+)$/.exec(reference);
  const base = `http://${host}/v2/${name}`;
  const accept = "application/vnd.oci.image.manifest.v1+json";
  const manifest = await (await fetch(`${base}/manifests/${tag}`, { headers: { accept } })).json();
  for (const { digest } of [manifest.config, ...manifest.layers])
    await (await fetch(`${base}/blobs/${digest}`)).arrayBuffer();
}

/** The bytes of all bundles and packages of a registry, without reading them. */
async function drained(address) {
  const session = connect(`http://${address}`);
  const call = (method, message) =>
    new Promise((done, failed) => {
      const stream = session.request({
        ":method": "POST",
        ":path": `/api.Registry/${method}`,
        te: "trailers",
        "content-type": "application/grpc",
      });
      stream
        .on("error", failed)
        .on("data", () => {})
        .on("end", done);
      stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));
    });
  const named = (name) => Buffer.concat([Buffer.from([10, name.length]), Buffer.from(name)]);
  const names = documents.filter(({ schema }) => schema === "olm.package").map(({ name }) => name);
  await Promise.all([
    call("ListBundles", Buffer.alloc(0)),
    call("ListPackages", Buffer.alloc(0)),
    ...names.map((name) => call("GetPackage", named(name))),
  ]);
  session.close();
}
