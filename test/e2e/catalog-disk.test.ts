// What if the disk of the cache is full, or the home read-only? The command says it once, and answers. Each runs in a mount
// namespace of its own, with a file system of its own.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UNSHARE_FLAGS } from "./catalogd.ts";
import { COMMAND, type Ran, runCommand, startProgram, testFolder } from "./command.ts";
import { filesBelow, pushCatalogImage } from "./push-image.ts";
import { type Registry, startRegistry } from "./registry.ts";

const folder = testFolder("disk");
const home = join(folder, "home");
let registry: Registry;
let args: readonly string[];
beforeAll(async () => {
  mkdirSync(home);
  registry = await startRegistry();
  const files = filesBelow("examples/harbour/catalog");
  const { reference } = await pushCatalogImage(registry.address, "harbour/catalog:v1", files);
  args = ["resolve", "lantern", "--catalog", `harbour=oci://${reference}`];
});
afterAll(() => registry.stop());

/** Runs the command where its home is a file system with these options. */
function runOn(options: string): Promise<Ran> {
  const script = `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`;
  const command = [process.execPath, COMMAND, ...args];
  return startProgram("unshare", [...UNSHARE_FLAGS, "sh", "-c", script, home, ...command], home).ended;
}

test.for([
  ["full", "size=16k", "the disk is full"],
  ["read-only", "ro", "the file system is read-only"],
] as const)("%s", async ([, options, reason]) => {
  const right = await runCommand(args, join(folder, "other-home"));
  expect(right).toMatchObject({ code: 0, err: "" });
  const { code, out, err } = await runOn(options);
  expect([code, out]).toEqual([0, right.out]);
  expect(err.trimEnd().split("\n")).toEqual([expect.stringContaining(reason)]);
  expect(err).toContain("PLIMSOLL_CACHE_DIR");
});
