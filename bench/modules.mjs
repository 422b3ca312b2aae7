// Which modules of a build does a benchmark measure? `dist/modules/` has the library module by module; it is not in the package.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The build of this checkout. */
export const DIST = fileURLToPath(new URL("../dist", import.meta.url));

/** A module of a build, by its path in `src/` without extension; a build from before the bundles has them in `dist/` itself. */
export function moduleOf(dist, name) {
  const [path = `${name}.js`] = [join(dist, "modules", `${name}.js`), join(dist, `${name}.js`)].filter(existsSync);
  return import(pathToFileURL(path).href);
}

const NAMES = [
  "crd/check-upgrade",
  "crd/schema/read-schema",
  "crd/upgrade/circumstances",
  "crd/validate/validator-for",
  "cel/value/timestamp",
  "input/limits",
  "input/objects/read-objects",
  "model/definition-of",
  "model/problem",
  "placement/engine",
  "placement/placement-mode",
  "plan/lock/make-lock",
  "plan/make-plan",
  "plan/plan",
  "resolve/resolve",
  "semver/blang-range",
  "semver/version",
  "source/input-files",
  "source/load-catalog",
];

/** Everything that the benchmarks call, in one object. */
export async function libraryOf(dist) {
  const modules = await Promise.all(NAMES.map((name) => moduleOf(dist, name)));
  return Object.assign({}, ...modules);
}
