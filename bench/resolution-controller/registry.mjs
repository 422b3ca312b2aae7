// How does the catalog of the bench change? Two gRPC registries serve two versions of it, and one address leads to one of them, as the
// Service of a CatalogSource does while OLM replaces a registry pod.
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { packagesOf } from "./objects.mjs";

export const CATALOG = "catalog-operatorhub.jsonl.gz";
/** Packages that have one bundle more in the second version. */
const NEWER = 50;

/** The documents of the real catalog, as opm accepts them. */
export function realDocuments(data) {
  const lines = gunzipSync(readFileSync(join(data, CATALOG)))
    .toString()
    .split("\n")
    .filter((text) => text !== "");
  // opm refuses a bundle without an image; the data has none.
  return lines
    .map((text) => JSON.parse(text))
    .map((one) =>
      one.schema === "olm.bundle" && !one.image ? { ...one, image: `registry.invalid/${one.name}:v1` } : one,
    );
}

/** The catalog with one newer bundle in the default channel of some packages. */
export function updatedDocuments(documents) {
  const packages = packagesOf(documents);
  const step = Math.floor(packages.length / NEWER);
  const chosen = packages.filter((_, index) => index % step === 0).slice(0, NEWER);
  const added = new Map(chosen.map((one) => [one.channel, nextBundle(one)]));
  return [
    ...documents.map((one) => {
      const next = added.get(one);
      return next ? { ...one, entries: [...one.entries, { name: next.bundle.name, replaces: next.replaces }] } : one;
    }),
    ...[...added.values()].map(({ bundle }) => bundle),
  ];
}

function nextBundle({ name, line: [head] }) {
  const isPackage = ({ type }) => type === "olm.package";
  const [major, minor] = head.properties.find(isPackage).value.version.split(/[.+-]/);
  const version = `${major}.${Number(minor) + 1000}.0`;
  const properties = head.properties.map((one) =>
    isPackage(one) ? { ...one, value: { ...one.value, version } } : one,
  );
  return {
    replaces: head.name,
    bundle: { ...head, name: `${name}.v${version}`, image: `${head.image}-next`, properties },
  };
}

/** Serves some versions of a catalog at one address; the first one at first. */
export async function serveVersions(folder, versions, { catalogFiles, writeFiles, startOpm }) {
  const registries = [];
  for (const [index, documents] of versions.entries())
    registries.push(await startOpm(writeFiles(join(folder, `catalog-${index}`), catalogFiles(documents))));
  let current = 0;
  const open = new Set();
  const server = createServer((client) => {
    const port = Number(registries[current].address.split(":").at(-1));
    const registry = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [client, registry],
      [registry, client],
    ]) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `127.0.0.1:${server.address().port}`,
    turnTo(version) {
      current = version;
      for (const one of open) one.destroy();
    },
    async stop() {
      for (const one of open) one.destroy();
      server.close();
      for (const one of registries) await one.stop();
    },
  };
}
