// Can the scripts still run? Benchmarks and the fuzzer load modules of dist/ and functions in them by name, so that a renamed one
// breaks them without a type error.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");

/** A driver below `bench/`, which is plain JavaScript. */
async function driver(path: string) {
  return import(pathToFileURL(join(ROOT, "bench", path)).href);
}

test("every file that a script imports exists", () => {
  const scripts = ["bench", "scripts", "test"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".mjs") && !path.includes("node_modules"))
      .map((path) => join(ROOT, folder, path)),
  );
  const missing = scripts.flatMap((script) =>
    [...readFileSync(script, "utf8").matchAll(/^(?:import|\}).* from "(\.[^"]+)";$/gm)]
      .map(([, path = ""]) => join(dirname(script), path))
      .filter((path) => !existsSync(path))
      .map((path) => `${script}: ${path}`),
  );
  expect(scripts.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test("the benchmarks of resolving and explaining find the resolver, the solver and the explanations", async () => {
  const { plimsoll } = await driver("resolve/plimsoll.mjs");
  const { resolver } = await plimsoll(DIST);
  expect(Object.entries(resolver).filter(([, part]) => part === undefined)).toEqual([]);
});

test("the benchmark of CEL evaluates an expression", async () => {
  const { plimsoll } = await driver("cel/plimsoll.mjs");
  const engine = await plimsoll(DIST);
  const program = engine.compile({ text: "managedCluster.metadata.name == 'a'", env: "placement" });
  expect(program.answer(engine.object({ managedCluster: { metadata: { name: "a" } } }))).toBe(true);
});
