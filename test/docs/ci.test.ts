// Do the gates of docs/ci.md run as they stand? Each shell block runs in a small repository that has the files it names;
// every command gives an answer, and none complains about its usage or its input.

import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { readYaml } from "../../src/input/yaml-text.ts";

const PAGE = readFileSync("docs/ci.md", "utf8");

/** The blocks of the page in a language. */
function blocks(language: string): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text = ""]) => text);
}

/** `npm test` needs only Node; the gates also need these. */
const LACKS = ["bash", "git"].find((program) => spawnSync(program, ["--version"]).status !== 0);

let directory = "";
const inDirectory = (...names: string[]): string => join(directory, ...names);

/** Runs a script in the repository, with a command `plimsoll` that writes its exit code to a log. */
function runScript(script: string): void {
  const env = { ...process.env, PATH: `${inDirectory("bin")}:${process.env.PATH}` };
  spawnSync("bash", ["-c", script], { cwd: inDirectory("repository"), env });
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "plimsoll-ci-"));
  mkdirSync(inDirectory("bin"));
  const command = `node ${resolve("dist/bin/plimsoll.js")} "$@"; code=$?; echo "$code $*" >> ${inDirectory("log")}; exit $code`;
  writeFileSync(inDirectory("bin/plimsoll"), `#!/bin/sh\n${command}\n`);
  chmodSync(inDirectory("bin/plimsoll"), 0o755);
  const repository = inDirectory("repository");
  mkdirSync(join(repository, "catalog"), { recursive: true });
  cpSync("examples/guides/catalog.yaml", join(repository, "catalog/catalog.yaml"));
  cpSync("examples/guides/catalog.yaml", join(repository, "catalog.json"));
  cpSync("examples/guides/cluster.yaml", join(repository, "cluster.yaml"));
  cpSync("examples/harbour/bundles/winch/1.2.0", join(repository, "bundle"), { recursive: true });
  cpSync("examples/harbour/fleet/clusters.yaml", join(repository, "fleet.yaml"));
  cpSync("examples/harbour/fleet/cel-placements.yaml", join(repository, "placements.yaml"));
  cpSync("examples/harbour/what-if/certified-only.yaml", join(repository, "rules.yaml"));
  writeFileSync(join(repository, "crd-settings.yaml"), blocks("yaml")[0] as string);
  runScript(`git init -q -b main . && git config user.email ci@example.com && git config user.name ci && git add -A &&
    git commit -q -m first && git clone -q . ../origin && git remote add origin ../origin && git fetch -q`);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.skipIf(LACKS !== undefined)("every gate gives an answer", () => {
  for (const block of blocks("sh")) runScript(block);
  const runs = readFileSync(inDirectory("log"), "utf8").trim().split("\n");
  const gates = [...PAGE.matchAll(/^plimsoll /gm)].length;
  expect(runs).toHaveLength(gates);
  expect(runs.filter((run) => !/^[015] /.test(run))).toEqual([]);
});

test("workflows are YAML", () => {
  const workflows = blocks("yaml").filter((text) => text.includes("\njobs:\n"));
  expect(workflows).toHaveLength(2);
  for (const text of workflows) expect(readYaml(text, DEFAULT_LIMITS).values[0]).toHaveProperty("jobs");
});
