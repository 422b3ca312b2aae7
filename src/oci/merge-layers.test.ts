// Do layers of a cache that were edited become files, or a failure that can be reported?

import { expect, test } from "vitest";
import { type KeptLayer, packLayer, unpackLayer } from "./kept-layer.ts";
import { mergedLayers } from "./merge-layers.ts";

const WANTED = ["configs"];

/** A layer that was written to a cache, and read from it. */
function cached(entries: KeptLayer["entries"]): KeptLayer {
  const layer = unpackLayer(packLayer({ wanted: WANTED, removed: [], emptied: [], entries }));
  if (layer === undefined) throw new Error("the layer is damaged");
  return layer;
}

test("a symbolic link with a target of half a million parts", () => {
  const bytes = Buffer.from("x");
  const layer = cached([
    { kind: "file", path: "configs/a", bytes },
    { kind: "symlink", path: "configs/long", target: "./".repeat(500_000) },
    { kind: "file", path: "configs/long/b", bytes },
  ]);
  const { files, skipped } = mergedLayers([layer], WANTED, WANTED);
  expect(files.map(({ path }) => path)).toEqual(["configs/a", "configs/b"]);
  expect(skipped).toMatchObject([{ path: "configs/long" }]);
});

test("links that lead through each other without an end", () => {
  const steps = "loop/".repeat(5000);
  const layer = cached([
    { kind: "symlink", path: "configs/loop", target: steps },
    { kind: "file", path: "configs/loop/b", bytes: Buffer.from("x") },
  ]);
  const { files, skipped } = mergedLayers([layer], WANTED, WANTED);
  expect(files).toEqual([]);
  expect(skipped.map(({ reason }) => reason)).toContain("symbolic links form a cycle");
});
