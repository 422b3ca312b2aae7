// Does the package work where nothing of the project is? It is packed, installed in an empty folder, and used from there: the
// command, the three entries, their types, and a bundle for a browser.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createContext, Script } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMPILERS, compilerOutput, RESOLUTIONS } from "./type-check.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-package-"));
const app = join(folder, "app");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Packs a package into the folder; returns the path of the tarball. */
function packed(path: string, ...flags: string[]): string {
  const printed = run("npm", ["pack", "--json", "--loglevel=error", "--pack-destination", folder, ...flags], path);
  // What `prepack` prints comes before the JSON.
  const [{ filename }] = JSON.parse(printed.slice(printed.search(/^\[/m)));
  return join(folder, filename);
}

const CATALOG = `schema: olm.package
name: lantern
defaultChannel: stable
---
schema: olm.channel
package: lantern
name: stable
entries: [{ name: lantern.v1.0.0 }]
---
schema: olm.bundle
package: lantern
name: lantern.v1.0.0
image: registry.example.com/lantern:1.0.0
properties:
  - { type: olm.package, value: { packageName: lantern, version: 1.0.0 } }
`;

/** A program that uses all three entries. */
const PROGRAM = `import { render, resolve, type ResolveAnswer } from "plimsoll";
import { CelError, compile } from "plimsoll/cel";
import { load } from "plimsoll/node";

const answer: ResolveAnswer = resolve({ ...(await load({ catalogs: ["catalog.yaml"] })), packages: ["lantern"] });
console.log(answer.isResolved, render(answer).split("\\n")[0]);
const value = compile("1 + 1").program?.evaluate({});
console.log(value instanceof CelError ? value.message : value);
`;

beforeAll(() => {
  const tarballs = [
    packed(resolve(".")),
    // Dependencies come from the project, so that no network is needed.
    ...installedDependencies().map((path) => packed(path, "--ignore-scripts")),
  ];
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", ...tarballs], app);
  writeFileSync(join(app, "catalog.yaml"), CATALOG);
}, 120_000);

/** The folders of everything that an installation brings. */
function installedDependencies(): readonly string[] {
  const [, ...folders] = run("npm", ["ls", "--omit=dev", "--all", "--parseable", "--loglevel=error"], resolve("."))
    .trim()
    .split("\n");
  return folders;
}

test("it has the bundles, the declarations, the command, the schemas, the pages and the examples, and nothing else", () => {
  const root = join(app, "node_modules/plimsoll");
  expect(readdirSync(root).sort()).toEqual(
    [
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "bench",
      "deploy",
      "dist",
      "docs",
      "examples",
      "package.json",
      "schemas",
    ].sort(),
  );
  expect(readdirSync(join(root, "dist")).sort()).toEqual(
    [
      "THIRD-PARTY-NOTICES.txt",
      "bin",
      "cel.d.ts",
      "cel.js",
      "chunks",
      "index.d.ts",
      "index.js",
      "node.d.ts",
      "node.js",
    ].sort(),
  );
  const count = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  expect(count).toBeLessThan(320);
});

test("every library whose code is in it is named, with its licence", async () => {
  const notices = readFileSync(join(app, "node_modules/plimsoll/dist/THIRD-PARTY-NOTICES.txt"), "utf8");
  const { metafile } = await build({
    entryPoints: ["src/cli/main.ts"],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    outdir: "unused",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const paths = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path.split("node_modules/"));
  const names = paths
    .filter((parts) => parts.length > 1)
    .map((parts) => (parts.at(-1) ?? "").split("/"))
    .map(([first = "", second = ""]) => (first.startsWith("@") ? `${first}/${second}` : first));
  expect([...new Set(names)].sort()).toEqual(["@kubernetes/client-node", "commander", "js-yaml", "smol-toml"]);
  for (const name of new Set(names)) {
    const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
    expect(notices).toContain(`\n${name} ${version} (${license})\n`);
    expect(notices).toContain(readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim());
  }
});

test("the command runs", () => {
  const bin = join(app, "node_modules/.bin/plimsoll");
  expect(existsSync(bin)).toBe(true);
  expect(run(bin, ["resolve", "--catalog", "catalog.yaml", "lantern", "-o", "name"], app)).toBe(
    "default/lantern.v1.0.0\n",
  );
});

test("the example of its pages is in its folder", () => {
  const bin = join(app, "node_modules/.bin/plimsoll");
  const root = join(app, "node_modules/plimsoll");
  expect(run(bin, ["show", "--catalog", "examples/harbour/catalog", "freight-desk", "-o", "name"], root)).not.toBe("");
});

test("the three entries run", () => {
  writeFileSync(join(app, "program.mjs"), PROGRAM.replace(", type ResolveAnswer", "").replace(": ResolveAnswer", ""));
  expect(run(process.execPath, ["program.mjs"], app)).toBe("true Resolved in namespace default: 1 to install\n2\n");
});

describe.each(COMPILERS)("%s", (compiler) => {
  test.each(RESOLUTIONS)("finds the types: %o", { timeout: 60_000 }, (resolution) => {
    writeFileSync(join(app, "program.ts"), PROGRAM);
    expect(compilerOutput(app, ["program.ts"], compiler, resolution)).toBe("");
  });
});

/** Bundles a program for a browser, from the installed package. */
async function browserBundle(program: string): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: program, resolveDir: app, loader: "ts" },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife",
    write: false,
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  return outputFiles[0]?.text ?? "";
}

/** Runs a script in an engine that has the globals of a browser and none of Node's. */
function inBrowser(script: string): readonly string[] {
  const printed: string[] = [];
  const console = { log: (...words: unknown[]) => printed.push(words.map(String).join(" ")) };
  new Script(script).runInContext(createContext({ console, TextEncoder, TextDecoder }));
  return printed;
}

test("the library runs without Node", async () => {
  const script = await browserBundle(`
    import { place, plan, render, resolve } from "plimsoll";
    const catalogs = [{ name: "page", text: ${JSON.stringify(CATALOG)} }];
    console.log(typeof globalThis.process, typeof globalThis.require, typeof globalThis.Buffer);
    console.log(render(resolve({ catalogs, packages: ["lantern"] }), { format: "name" }));
    console.log(plan({ catalogs, packages: ["lantern"] }).plans.length);
    try { place({ objects: [], now: "2026-11-02T12:00:00Z" }); } catch (error) { console.log(error.name); }
  `);
  expect(inBrowser(script)).toEqual(["undefined undefined undefined", "default/lantern.v1.0.0\n", "1", "UsageError"]);
});

test("CEL runs without Node, in a small bundle", async () => {
  const script = await browserBundle(`
    import { compile } from "plimsoll/cel";
    const { program } = compile("'ahoy'.matches('^a.*y$') && timestamp('2026-11-02T12:00:00Z').getFullYear() == 2026");
    console.log(program.evaluate({}));
  `);
  expect(inBrowser(script)).toEqual(["true"]);
  expect(gzipSync(script).length).toBeLessThan(70_000);
});
