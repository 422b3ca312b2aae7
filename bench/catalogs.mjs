// On which catalogs is loading measured? The real one and scaled ones made from it, if --data names the folder that has
// them; otherwise generated ones of the same make.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** Makes sure that the catalogs exist and gives their names and paths. */
export async function catalogs(data, sizes, cache) {
  mkdirSync(cache, { recursive: true });
  const found = [];
  const real = data && join(data, "catalog-operatorhub.jsonl.gz");
  if (real && existsSync(real)) {
    const plain = join(cache, "real.jsonl");
    if (!existsSync(plain)) shell(`gzip -dc "${real}" > "${plain}"`);
    found.push({ name: "real catalog", path: plain });
  } else console.log("  (no --data FOLDER with catalog-operatorhub.jsonl.gz: using generated catalogs)");
  for (const size of sizes) {
    const path = join(cache, `${found.length > 0 ? "scaled" : "made"}-${size}.jsonl`);
    if (!existsSync(path)) {
      if (found.length > 0)
        shell(
          `node "${join(data, "tool/scale.mjs")}" --in "${real}" --bundles ${size} --seed 1 --out "${path}" 2>/dev/null`,
        );
      else await makeCatalog(path, size);
    }
    found.push({ name: `${size.toLocaleString("en-US")} bundles`, path });
  }
  return found;
}

function shell(command) {
  if (spawnSync("sh", ["-c", command], { stdio: "inherit" }).status !== 0) throw new Error(`failed: ${command}`);
}

/** A catalog of packages with 17 bundles each, five APIs a package, like the real ones. */
async function makeCatalog(path, bundles) {
  const out = createWriteStream(path);
  const write = async (object) => {
    if (!out.write(`${JSON.stringify(object)}\n`)) await once(out, "drain");
  };
  for (let number = 0; number * 17 < bundles; number++) {
    const name = `operator-${number}`;
    const versions = Array.from({ length: 17 }, (_, index) => `${Math.floor(index / 6)}.${index % 6}.0`);
    await write({ schema: "olm.package", name, defaultChannel: "stable" });
    const entries = versions.map((version, index) => ({
      name: `${name}.v${version}`,
      ...(index > 0 && { replaces: `${name}.v${versions[index - 1]}` }),
    }));
    await write({ schema: "olm.channel", package: name, name: "stable", entries });
    for (const version of versions) {
      const apis = Array.from({ length: 5 }, (_, index) => ({
        type: "olm.gvk",
        value: { group: `${name}.example.com`, kind: `Resource${index}`, version: "v1alpha1" },
      }));
      const properties = [...apis, { type: "olm.package", value: { packageName: name, version } }];
      await write({ schema: "olm.bundle", package: name, name: `${name}.v${version}`, image: "", properties });
    }
  }
  out.end();
  await once(out, "finish");
}
