// Can the benchmarks drive this build? They load modules of dist/ by path, so a renamed module or function breaks them without
// a type error.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../../dist");

/** A driver below `bench/`, which is plain JavaScript. */
async function driver(path: string) {
  return import(pathToFileURL(join(import.meta.dirname, "../../bench", path)).href);
}

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
