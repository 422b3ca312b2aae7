// What does the built command do with a catalog of a bad server, beside a good one? It runs in a folder of its own: its home, its
// cache, its temporary files, and the file of the good catalog.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { type Environment, type Ran, runCommand } from "../e2e/command.ts";
import { tarOf, type WrittenEntry } from "../oci/tar-writer.ts";

/** A folder in which commands run. */
export interface Sandbox {
  readonly home: string;
  /** The value of XDG_CACHE_HOME. */
  readonly cache: string;
  /** `--catalog` of a catalog in a file: the package `anchor`. */
  readonly good: readonly string[];
  readonly environment: Environment;
  /** All files outside the cache, with a digest of their content. */
  outside(): Readonly<Record<string, string>>;
}

export const CONFIGS_LABEL: Readonly<Record<string, string>> = {
  "operators.operatorframework.io.index.configs.v1": "/configs",
};

/** The documents of a catalog with one package of one version. */
export function packageDocuments(name: string, version = "1.0.0"): readonly JsonObject[] {
  const bundle = `${name}.v${version}`;
  return [
    { schema: "olm.package", name, defaultChannel: "stable" },
    { schema: "olm.channel", name: "stable", package: name, entries: [{ name: bundle }] },
    {
      schema: "olm.bundle",
      name: bundle,
      package: name,
      image: `registry.example/${name}:${version}`,
      properties: [{ type: "olm.package", value: { packageName: name, version } }],
    },
  ];
}

/** Documents, a line each. */
export function lines(documents: readonly JsonObject[]): string {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join("");
}

/** The tar of a layer with a catalog of the package `winch`, and more entries. */
export function catalogLayer(...more: readonly WrittenEntry[]): Buffer {
  return tarOf([{ path: "configs/winch/catalog.json", content: lines(packageDocuments("winch")) }, ...more]);
}

/** Makes the folders and the good catalog. */
export function sandboxIn(folder: string): Sandbox {
  const [home, cache, temporary] = [join(folder, "home"), join(folder, "cache"), join(folder, "tmp")];
  for (const one of [home, cache, temporary]) mkdirSync(one);
  const file = join(folder, "good.json");
  writeFileSync(file, lines(packageDocuments("anchor")));
  return {
    ...{ home, cache, good: ["--catalog", `good=${file}`] },
    environment: { XDG_CACHE_HOME: cache, TMPDIR: temporary },
    outside: () => digests(folder, cache),
  };
}

function digests(folder: string, except: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (path.startsWith(`${except}/`)) continue;
    const content = entry.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "no file";
    found[relative(folder, path)] = content;
  }
  return found;
}

/** Runs the command in a sandbox, which it must leave as it was, but for the cache. */
export async function runIn(sandbox: Sandbox, args: readonly string[], environment: Environment = {}): Promise<Ran> {
  const before = sandbox.outside();
  const ran = await runCommand(args, sandbox.home, { ...sandbox.environment, ...environment });
  expect(sandbox.outside()).toEqual(before);
  for (const path of readdirSync(sandbox.cache)) expect(path).toBe("plimsoll");
  return ran;
}

/** The sentence about the catalog `bad` of a reference; the good one beside it must still answer, and the code is 4. */
export async function sentenceAbout(
  sandbox: Sandbox,
  reference: string,
  environment: Environment = {},
): Promise<string> {
  const args = ["resolve", "anchor", ...sandbox.good, "--catalog", `bad=${reference}`];
  const { code, out, err } = await runIn(sandbox, args, environment);
  expect([code, out], err).toEqual([4, expect.stringContaining("install  anchor   1.0.0")]);
  expect(out).toContain("catalog bad is not available");
  expect(err).not.toMatch(/at .*\.js:\d+|\[object|undefined|NaN/);
  const [, sentence] = /^error\[PL001\]: catalog bad cannot be read: (.*)$/m.exec(err) ?? [];
  expect(err).toContain("= help: ");
  return sentence ?? err;
}
