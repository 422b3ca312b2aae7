// Do the servers of a run end when the run is killed?

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the guard ends what still runs as soon as its input ends, and removes the folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-guard-"));
  const guard = spawn(process.execPath, ["test/e2e/guard.mjs", folder], { stdio: ["pipe", "inherit", "inherit"] });
  const forgotten = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  const over = spawn(process.execPath, ["-e", ""]);
  const [ended] = [once(forgotten, "exit"), await once(over, "exit")];
  for (const line of [{ started: forgotten.pid }, { started: over.pid }, { ended: over.pid }])
    guard.stdin.write(`${JSON.stringify(line)}\n`);
  guard.stdin.end();
  expect(await once(guard, "exit")).toEqual([0, null]);
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(existsSync(folder)).toBe(false);
});
