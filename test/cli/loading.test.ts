// Does a command load only what it needs? What it reaches without `import()`, from esbuild's own graph of the bundle.

import { expect, test } from "vitest";
import { loadedByCommands } from "../../bench/loading.mjs";

const loaded = await loadedByCommands();

/** The folders of `src/` and the libraries that a command loads. */
function foldersOf(command: string): readonly string[] {
  const paths = (loaded.commands[command]?.modules ?? []).map(({ path }) => path);
  const folders = paths.map((path) => /^src\/([^/]+)\/|node_modules\/([^/]+)\//.exec(path));
  return [...new Set(folders.map((match) => match?.[1] ?? match?.[2] ?? ""))].sort();
}

/** The modules that are for a cluster; which kinds a question needs is known without one. */
const CLUSTER = /^src\/kube\/|^src\/live\/(?!wanted-kinds\.ts|questions\.ts)|node_modules\/@kubernetes\//;

test("version loads the parser of the command line, and nothing that reads or computes", () => {
  expect(foldersOf("version")).toEqual(["cli", "commander", "model", "render", "text"]);
  const own = (loaded.commands.version?.modules ?? []).filter(({ path }) => path.startsWith("src/"));
  expect(own.length).toBeLessThanOrEqual(10);
});

test.for(Object.keys(loaded.commands))("%s loads what talks to an API server only if a cluster is read", (command) => {
  const paths = (loaded.commands[command]?.modules ?? []).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => CLUSTER.test(path))).toEqual([]);
});

test.for<[string, readonly string[]]>([
  ["show", ["check", "crd", "placement", "plan", "resolve", "rule", "sat"]],
  ["place", ["catalog", "check", "crd", "plan", "resolve", "rule", "sat"]],
  ["status", ["catalog", "cel", "check", "controller", "crd", "placement", "plan", "resolve", "rule", "sat"]],
  ["resolve", ["placement"]],
  ["explain", ["placement"]],
  ["plan", ["placement"]],
  ["cel eval", ["check", "crd", "plan", "resolve", "rule", "sat"]],
  ["crd check", ["check", "placement", "plan", "resolve", "rule", "sat"]],
])("%s does not load %o", ([command, others]) => {
  expect(loaded.commands[command]?.modules.length).toBeGreaterThan(20);
  expect(foldersOf(command).filter((folder) => others.includes(folder))).toEqual([]);
});

test("no command loads its renderer or engine to read its flags", async () => {
  const engines =
    /^src\/(render\/(?!output-formats\.ts|kit\/)|sat|resolve\/(?!prepare)|plan\/(?!plan\.ts)|check|source\/load)/;
  expect(loaded.flags.filter(({ path }) => engines.test(path))).toEqual([]);
  expect(loaded.flags.length).toBeGreaterThan(10);
});

test.for(Object.entries(loaded.commands))("%s is in few files, with little that it does not need", ([, command]) => {
  const size = (list: readonly { readonly bytes: number }[]): number => list.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(command.files.length).toBeLessThanOrEqual(12);
  expect(size(command.files)).toBeLessThan(size(command.modules) + 120_000);
  expect(size(command.files)).toBeGreaterThan(60_000);
});
