// What if every package depends on others, within narrow ranges? The catalogs that tool/gen-dense.mjs thinks up, as
// documents of a file-based catalog. Version 0 of a package is the newest.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { catalogOf, installedFrom, packageDocuments, problemOf, requestFor } from "./problem.mjs";

/**
 * 50,000 bundles, 20 subscriptions; `satisfiable` selects the family. With `requests` in the order of the generator:
 * OLM's solver takes them as they come, and with most other orders it is many times slower.
 */
export async function denseProblem({ library, options, data, seed, satisfiable, asRanges = false }) {
  const { catalog: generate, roots, SIZES } = await import(pathToFileURL(join(data, "tool/gen-dense.mjs")).href);
  const made = generate({ ...SIZES["50k"], seed, sat: satisfiable, pLag: satisfiable ? 0.05 : 0.1 });
  const catalog = catalogOf(library, documentsOf(made));
  const installed = [];
  const requests = roots(made, { S: 20, seed: seed + 100 }).map(({ p, cur }) => {
    if (cur === undefined) return requestFor(catalog, packageName(p));
    const version = versionOf(made, p, cur);
    // Nothing that runs is broken before, so that nothing is relaxed: exactly the candidates 0 … cur.
    if (asRanges) return requestFor(catalog, packageName(p), { range: library.parseRange(`>=${version}`) });
    const operator = installedFrom(catalog.packages.get(packageName(p)).bundles.get(`${packageName(p)}.v${version}`));
    installed.push(operator);
    return requestFor(catalog, packageName(p), { installed: operator });
  });
  return { problem: problemOf({ catalog, requests, installed, options }), requests };
}

function* documentsOf(made) {
  for (let p = 0; p < made.P; p++) {
    const versions = Array.from({ length: made.nv[p] }, (_, v) => ({
      version: versionOf(made, p, v),
      properties: propertiesOf(made, made.B[made.base[p] + v]),
    }));
    yield* packageDocuments(packageName(p), versions);
  }
}

function propertiesOf(made, { deps, gvks, conf }) {
  return [
    ...gvks.map((number) => ({ type: "olm.gvk", value: apiOf(number) })),
    ...deps.map(({ t, g, q, lo, hi }) => {
      if (t === "g") return { type: "olm.gvk.required", value: apiOf(g) };
      const versionRange = `>=${versionOf(made, q, hi)} <=${versionOf(made, q, lo)}`;
      return { type: "olm.package.required", value: { packageName: packageName(q), versionRange } };
    }),
    ...conf.map((q) => {
      const excluded = { package: { packageName: packageName(q), versionRange: ">=0.0.0-0" } };
      return { type: "olm.constraint", value: { none: { constraints: [excluded] } } };
    }),
  ];
}

/** With zeros in front, so that the order of names is that of numbers. */
const packageName = (p) => `p${String(p).padStart(4, "0")}`;
const versionOf = (made, p, v) => `${made.nv[p] - v}.0.0`;
const apiOf = (number) => ({ group: `g${number}.example.com`, version: "v1", kind: `Kind${number}` });
