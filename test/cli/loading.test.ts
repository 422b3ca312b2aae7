// Does a command load only what it needs? What it reaches without `import()`, from esbuild's own graph of the bundle.

import { expect, test } from "vitest";
import { loadedModules } from "../../bench/loading.mjs";

const loaded = await loadedModules();

/** The folders of `src/` and the libraries that a command loads. */
function foldersOf(command: string): readonly string[] {
  const paths = (loaded[command] ?? []).map(({ path }) => path);
  const folders = paths.map((path) => /^src\/([^/]+)\/|node_modules\/([^/]+)\//.exec(path));
  return [...new Set(folders.map((match) => match?.[1] ?? match?.[2] ?? ""))].sort();
}

test("version loads the parser of the command line, and nothing that reads or computes", () => {
  expect(foldersOf("version")).toEqual(["cli", "commander", "model", "render", "text"]);
  const own = (loaded.version ?? []).filter(({ path }) => path.startsWith("src/"));
  expect(own.length).toBeLessThanOrEqual(10);
});

test.for<[string, readonly string[]]>([
  ["show", ["check", "crd", "placement", "plan", "resolve", "rule", "sat"]],
  ["place", ["catalog", "check", "crd", "plan", "resolve", "rule", "sat"]],
  ["resolve", ["placement"]],
  ["explain", ["placement"]],
  ["plan", ["placement"]],
  ["cel eval", ["check", "crd", "plan", "resolve", "rule", "sat"]],
  ["crd check", ["check", "placement", "plan", "resolve", "rule", "sat"]],
])("%s does not load %o", ([command, others]) => {
  expect(loaded[command]?.length).toBeGreaterThan(20);
  expect(foldersOf(command).filter((folder) => others.includes(folder))).toEqual([]);
});

test("no command loads its renderer or engine to read its flags", async () => {
  const engines = /^src\/(render\/(?!forms\.ts|kit\/)|sat|resolve\/(?!prepare)|plan\/(?!plan\.ts)|check|source\/load)/;
  expect((loaded["flags of every command"] ?? []).filter(({ path }) => engines.test(path))).toEqual([]);
  expect(loaded["flags of every command"]?.length).toBeGreaterThan(10);
});
