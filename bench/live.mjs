// What does reading a large cluster cost? Starts a real API server with 10,000 ManagedClusters and 5,000 custom resources, and runs
// the command on it: how long the event loop is blocked while it reads, and how much memory it takes beyond the same command on
// files. By hand, because loading the objects takes minutes:
//   node bench/live.mjs [--clusters 10000] [--objects 5000]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { serversFolder } from "../test/e2e/servers/servers.mjs";
import { FLEET, managedCluster, winch } from "./live/objects.mjs";
import { calibrate, line, mb, ms } from "./measure.mjs";
import { testbed } from "./testbed.mjs";

const ROUNDS = 5;
const HUB = "/apis/cluster.open-cluster-management.io";
/** Where the lists of a dump are. */
const LISTS = {
  managedclusters: `${HUB}/v1`,
  managedclustersets: `${HUB}/v1beta2`,
  managedclustersetbindings: `${HUB}/v1beta2`,
  placements: `${HUB}/v1beta1`,
  winches: "/apis/machinery.harbour.example.com/v1beta1",
};
const { values } = parseArgs({ options: { clusters: { type: "string" }, objects: { type: "string" } } });
const clusters = Number(values.clusters ?? 10_000);
const objects = Number(values.objects ?? 5_000);
const folder = mkdtempSync(join(tmpdir(), "plimsoll-bench-live-"));
process.env.KUBEBUILDER_ASSETS = await serversFolder();
const { documentsOf, exampleDocuments, loadObjects, startCluster, writeKubeconfig } = await testbed(folder, [
  "case-documents",
  "example-documents",
  "e2e/cluster",
  "e2e/load-objects",
  "e2e/kubeconfig",
]);
const cluster = await startCluster();
try {
  await load();
  const kubeconfig = writeKubeconfig(folder, {
    server: cluster.server,
    name: "bench",
    user: { token: cluster.tokens.admin },
    namespace: "quay-north",
  });
  const fleet = await dumped("fleet.jsonl", [
    "managedclusters",
    "managedclustersets",
    "managedclustersetbindings",
    "placements",
  ]);
  const operators = ["-f", "examples/harbour/cluster", "-f", await dumped("winches.jsonl", ["winches"])];
  const catalog = ["--catalog", "harbour=examples/harbour/catalog", "--catalog", "workshop=examples/harbour/bundles"];
  const live = ["--live", "--kubeconfig", kubeconfig];
  await bench(`place, ${clusters} ManagedClusters`, ["place", "-o", "name"], live, ["-f", fleet]);
  await bench(
    `resolve, ${objects} custom resources`,
    ["resolve", "-o", "name", "-n", "quay-north", ...catalog],
    live,
    operators,
  );
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function load() {
  const begun = performance.now();
  const many = (length, make) => Array.from({ length }, (_, index) => make(index));
  const size = Buffer.byteLength(JSON.stringify(managedCluster(1)));
  await loadObjects(cluster.admin, documentsOf("test/e2e/crds.yaml"));
  await loadObjects(cluster.admin, exampleDocuments("cluster"));
  await loadObjects(cluster.admin, [...FLEET, ...many(clusters, managedCluster), ...many(objects, winch)]);
  console.log(`\nReading a cluster (calibration loop ${ms(calibrate())})`);
  line(`loading ${clusters + objects} objects; one cluster has ${size} bytes`, ms(performance.now() - begun));
}

/** Writes the objects of kinds as the API server has them, without bookkeeping, to a file of JSON lines. */
async function dumped(name, plurals) {
  const path = join(folder, name);
  const file = createWriteStream(path);
  for (const plural of plurals) {
    const root = LISTS[plural];
    let token = "";
    do {
      const query = `limit=500${token && `&continue=${encodeURIComponent(token)}`}`;
      const { items, metadata, apiVersion, kind } = await cluster.admin.get(`${root}/${plural}?${query}`);
      for (const { metadata: own, ...item } of items) {
        const { managedFields: _, ...kept } = own;
        file.write(`${JSON.stringify({ apiVersion, kind: kind.replace(/List$/, ""), ...item, metadata: kept })}\n`);
      }
      token = metadata.continue ?? "";
    } while (token !== "");
  }
  file.end();
  await once(file, "close");
  return path;
}

/** Runs the command on the cluster and on the files, in turn. */
async function bench(title, args, live, files) {
  console.log(`\n  ${title} (calibration loop ${ms(calibrate())})`);
  const [ofCluster, ofFiles] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ofCluster.push(await run([...args, ...live]));
    ofFiles.push(await run([...args, ...files]));
  }
  const least = (runs, field) => Math.min(...runs.map((one) => one[field]));
  const each = (runs, field, print) => runs.map((one) => print(one[field])).join(", ");
  const beyond = least(ofCluster, "peak") - least(ofFiles, "peak");
  line(ofCluster[0].read, each(ofCluster, "reading", ms));
  line("event loop blocked at most, while reading", each(ofCluster, "longest", ms), "target: < 50 ms");
  line("the same without waits for a core", each(ofCluster, "busiest", ms));
  line("the same, by Node's histogram", each(ofCluster, "histogram", ms));
  line("how often over 20 ms", each(ofCluster, "over20", String));
  line("whole command, cluster", each(ofCluster, "whole", ms));
  line("whole command, files", each(ofFiles, "whole", ms));
  line("peak of memory, cluster", each(ofCluster, "peak", mb));
  line("peak of memory, files", each(ofFiles, "peak", mb));
  line("peak beyond that of files", mb(beyond), "target: < 300 MB");
  if (ofCluster[0].out !== ofFiles[0].out) console.log("  the answers differ");
}

async function run(args) {
  const PLIMSOLL_WATCH = join(folder, "watched.json");
  const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: "1", PLIMSOLL_WATCH };
  const begun = performance.now();
  const flags = ["--import", import.meta.resolve("./live/watch.mjs"), resolve("dist/bin/plimsoll.js")];
  const child = spawn(process.execPath, [...flags, ...args, "-v"], { env });
  let out = "";
  let err = "";
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    err += text;
  });
  const [code] = await once(child, "close");
  if (code > 1 && code !== 5) throw new Error(`plimsoll ended with ${code}: ${err}`);
  const read = /plimsoll: (read the cluster of .* objects)/.exec(err)?.[1] ?? "read files";
  const watched = JSON.parse(readFileSync(PLIMSOLL_WATCH, "utf8"));
  return { ...watched, whole: performance.now() - begun, read: read.replace(/ \(.*\)/, ""), out };
}
