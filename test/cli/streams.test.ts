// Does the command work with what is no file: a pipe in the place of a file, an output that takes nothing?

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const COMMAND = resolve("dist/bin/plimsoll.js");
const CRDS = "examples/harbour/cluster/crds.yaml";

test("a file can come from a command", () => {
  const crdCheck = `"$0" "$1" crd check <(cat ${CRDS}) <(sed s/Winch/Which/ ${CRDS}) -o json`;
  const { status, stdout } = spawnSync("bash", ["-c", crdCheck, process.execPath, COMMAND], { encoding: "utf8" });
  expect(status).toBe(1);
  const { definitions, findings } = JSON.parse(stdout);
  expect(definitions).toHaveLength(3);
  // Its lines can still be shown, though they cannot be read again.
  expect(findings[0].at).toMatch(/^\/dev\/fd\/\d+:\d+:\d+$/);
});

test.for(["cat", "gzip -c"])("a named pipe is read to its end, however little comes at a time: %s", (pack) => {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-pipe-"));
  const script = `mkfifo "$2/pipe"
    { ${pack} < ${CRDS} > "$2/whole"; head -c 1 "$2/whole"; tail -c +2 "$2/whole"; } > "$2/pipe" &
    "$0" "$1" crd check "$2/pipe" ${CRDS} -o json`;
  const args = ["-c", script, process.execPath, COMMAND, folder];
  const { status, stdout, stderr } = spawnSync("sh", args, { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(JSON.parse(stdout).definitions).toHaveLength(3);
});

test.skipIf(!existsSync("/dev/full"))("an answer that cannot be written is reported, exit 4", () => {
  const full = openSync("/dev/full", "w");
  const args = [COMMAND, "cel", "eval", "1 + 1"];
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", full, "pipe"], encoding: "utf8" });
  closeSync(full);
  expect(stderr).toMatch(/^plimsoll: the answer could not be written to standard output: ENOSPC: no space left/);
  expect(status).toBe(4);
});

test.skipIf(!existsSync("/dev/zero"))("a device that never ends is not read", () => {
  const args = [COMMAND, "place", "-f", "/dev/zero"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toContain("error[PL001]: this is a terminal or a device; give it as - instead\n  --> /dev/zero");
  expect(status).toBe(3);
});
