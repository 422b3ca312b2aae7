// Is the architecture still the architecture? docs/internals/architecture.md has the table for people; this one is checked.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";

/** Which folder of `src/` may import which. A folder may always import itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  text: [],
  semver: ["text"],
  regex: ["text"],
  cel: ["regex", "semver", "text"],
  model: ["semver", "text"],
  sat: [],
  constraint: ["model", "semver", "cel", "text"],
  crd: ["model", "cel", "regex", "text"],
  check: ["model", "semver", "cel", "constraint", "crd"],
  rule: ["model", "constraint", "crd", "semver", "sat"],
  resolve: ["rule", "catalog", "constraint", "sat", "check", "crd", "model", "semver", "text"],
  plan: ["rule", "resolve", "check", "crd", "constraint", "model", "semver"],
  placement: ["model", "semver", "cel", "text"],
  expression: ["input", "constraint", "placement", "cel", "model", "text"],
  lint: ["resolve", "placement", "constraint", "model"],
  catalog: ["constraint", "model", "semver", "text"],
  input: ["model", "semver", "text"],
  source: ["input", "model", "text"],
  render: [
    "rule",
    "catalog",
    "constraint",
    "plan",
    "resolve",
    "crd",
    "placement",
    "expression",
    "input",
    "model",
    "semver",
    "cel",
    "text",
  ],
  job: [
    "lint",
    "input",
    "render",
    "plan",
    "resolve",
    "crd",
    "constraint",
    "placement",
    "cel",
    "model",
    "semver",
    "text",
  ],
  net: ["text"],
  oci: ["net", "text"],
  grpc: ["net", "model", "text"],
  cache: ["text"],
  remote: ["oci", "grpc", "cache", "net", "source", "input", "model", "text"],
  kube: ["net", "model", "text"],
  controller: ["kube", "net", "model", "text"],
  live: ["kube", "remote", "oci", "net", "input", "model", "text"],
  "placement-controller": ["controller", "live", "kube", "net", "input", "render", "placement", "cel", "model", "text"],
  "resolution-controller": [
    "controller",
    "live",
    "kube",
    "remote",
    "net",
    "job",
    "source",
    "input",
    "render",
    "plan",
    "resolve",
    "model",
    "text",
  ],
  webhook: ["controller", "kube", "net", "input", "render", "resolve", "placement", "constraint", "model", "text"],
  cli: [
    "webhook",
    "placement-controller",
    "resolution-controller",
    "controller",
    "live",
    "kube",
    "remote",
    "oci",
    "cache",
    "net",
    "job",
    "lint",
    "source",
    "input",
    "render",
    "catalog",
    "plan",
    "resolve",
    "rule",
    "crd",
    "constraint",
    "placement",
    "expression",
    "cel",
    "model",
    "semver",
    "text",
  ],
  "cel.ts": ["cel", "regex"],
  "index.ts": ["types.ts", "job", "render", "crd", "constraint", "placement", "model", "semver"],
  "types.ts": [
    "job",
    "render",
    "input",
    "plan",
    "resolve",
    "rule",
    "sat",
    "crd",
    "constraint",
    "placement",
    "model",
    "semver",
  ],
  "node.ts": ["job", "source", "input", "model"],
};

/** What the tests of every folder may import, too: they read documents and check sentences. */
const FOR_TESTS = ["input", "render"];

/** In which folders a library may be imported. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  "js-yaml": ["input", "render", "kube"],
  "@kubernetes/client-node/dist/config_types.js": ["kube"],
  commander: ["cli"],
  "smol-toml": ["oci"],
};

/** Folders that may use what only Node has; everything else also runs in a browser. */
const NODE_ONLY = [
  "source",
  "net",
  "oci",
  "grpc",
  "cache",
  "remote",
  "kube",
  "controller",
  "placement-controller",
  "resolution-controller",
  "webhook",
  "cli",
  "node.ts",
];

const MAX_FILE_LENGTH = 500;

interface SourceFile {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourceFiles(): SourceFile[] {
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => {
      const text = readFileSync(join("src", path), "utf8");
      const imports = [...text.matchAll(/(?:^(?:import|export)\b[^"'`]*?from |^import |\bimport\()"([^"]+)"/gm)].map(
        (match) => match[1] as string,
      );
      return { path, folder: path.split(sep)[0] as string, text, imports };
    });
}

const files = sourceFiles();
const production = files.filter((file) => !file.path.endsWith(".test.ts"));

/** The folder of `src/` that a relative import leads to. */
function targetFolder(file: SourceFile, imported: string): string {
  return relative("src", join("src", file.path, "..", imported)).split(sep)[0] as string;
}

describe("layout", () => {
  test("every folder is in the table", () => {
    expect([...new Set(files.map((file) => file.folder))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  test("docs/internals/architecture.md has the same table", () => {
    const page = readFileSync("docs/internals/architecture.md", "utf8");
    for (const [folder, imports] of Object.entries(MAY_IMPORT)) {
      if (folder.endsWith(".ts")) continue;
      const row = page.split("\n").find((line) => line.startsWith(`| \`src/${folder}/\` |`));
      const listed = (row?.split("|").at(-2) ?? "").replace(/\(.*?\)/g, "").trim();
      expect([folder, ...(listed === "–" ? [] : listed.split(", ").map((one) => one.trim())).sort()]).toEqual([
        folder,
        ...[...imports].sort(),
      ]);
    }
  });

  test("folders import only what they may", () => {
    const broken = files.flatMap((file) =>
      file.imports
        .filter((imported) => imported.startsWith("."))
        .map((imported) => targetFolder(file, imported))
        .filter(
          (target) =>
            target !== file.folder &&
            !(FOR_TESTS.includes(target) && file.path.endsWith(".test.ts")) &&
            !MAY_IMPORT[file.folder]?.includes(target),
        )
        .filter((target) => !(target === ".." && file.path.endsWith(".test.ts"))) // what tests share is in test/
        .map((target) => `src/${file.path} imports ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test("a library is imported in its own folders only", () => {
    const broken = production.flatMap((file) =>
      file.imports
        .filter((imported) => !imported.startsWith(".") && !imported.startsWith("node:"))
        .filter((imported) => !LIBRARIES[imported]?.includes(file.folder))
        .map((imported) => `src/${file.path} imports ${imported}`),
    );
    expect(broken).toEqual([]);
  });

  test("only the doors and sources use Node", () => {
    const broken = production
      .filter((file) => !NODE_ONLY.includes(file.folder))
      .filter((file) => file.imports.some((imported) => imported.startsWith("node:")) || /\bprocess\./.test(file.text))
      .map((file) => `src/${file.path}`);
    expect(broken).toEqual([]);
  });

  test(`no file is longer than ${MAX_FILE_LENGTH} lines`, () => {
    const paths = ["src", "test", "bench", "scripts"].flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((path) => /\.m?ts$|\.mjs$/.test(path) && !path.includes("node_modules"))
        .map((path) => join(root, path)),
    );
    const long = paths.filter((path) => readFileSync(path, "utf8").split("\n").length > MAX_FILE_LENGTH + 1);
    expect(long).toEqual([]);
  });

  test("no test reads a clock", () => {
    const tests = ["src", "test"].flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".test.ts") && path !== "layout.test.ts")
        .map((path) => join(root, path)),
    );
    const timed = tests.filter((path) => /performance\.now|Date\.now|cpuUsage|hrtime/.test(readFileSync(path, "utf8")));
    expect(timed).toEqual([]);
  });

  test("hooks are registered by files of tests, not by what they import", () => {
    // The files of a worker share a module that they import: its hooks would be those of the first file only.
    const shared = readdirSync("test", { recursive: true, encoding: "utf8" }).filter(
      (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== "clean-up.ts",
    );
    const hooked = shared.filter((path) =>
      /^(?:after|before)(?:Each|All)\(/m.test(readFileSync(join("test", path), "utf8")),
    );
    expect(hooked).toEqual([]);
  });

  test("files start with the question they answer", () => {
    const silent = production.filter((file) => !/^(\/\/|\/\*)/.test(file.text)).map((file) => file.path);
    expect(silent).toEqual([]);
  });

  test.for(["src/index.ts", "src/cel.ts"])("%s can be bundled for a browser", async (entry) => {
    const result = await build({
      entryPoints: [entry],
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
      logLevel: "silent",
    });
    expect(result.errors).toEqual([]);
    expect(result.outputFiles[0]?.text).not.toMatch(/from\s*"node:/);
  });
});
