// Where does `crd check` place what it read from a pipe of the shell? `<(command)` becomes a descriptor under /dev/fd, which is made here
// without a particular shell.

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const CASE = resolve("test/cases/crd-gate");
const COMMAND = resolve("dist/bin/plimsoll.js");

/** Runs a script of the shell in which `$plimsoll` is the command. */
function shell(script: string) {
  const { PATH = "" } = process.env;
  const plimsoll = `"${process.execPath}" "${COMMAND}"`;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script.replaceAll("$plimsoll", plimsoll)], {
    cwd: CASE,
    env: { PATH, NO_COLOR: "1" },
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

test("the old side is read from it, and lines of it are shown", () => {
  const { code, out, err } = shell("cat old.yaml | $plimsoll crd check /dev/fd/3 without-alpha.yaml 3<&0 </dev/null");
  expect(err).toBe("");
  expect(code).toBe(1);
  expect(out).toContain("--> /dev/fd/3:10:13 (v1alpha1)");
  expect(out).toContain("10 |     - name: v1alpha1");
});

test("nothing is placed in it where a pull request is annotated", () => {
  const pipe = "3<&0 </dev/null";
  const { code, out } = shell(
    `cat served-alpha.yaml | $plimsoll crd check /dev/fd/3 without-alpha.yaml -o github ${pipe}`,
  );
  expect(code).toBe(1);
  expect(out).toMatch(/^::error file=without-alpha\.yaml,line=10,/);
  expect(out).not.toContain("/dev/fd");
  const objects = shell(
    `cat objects.yaml | $plimsoll crd check old.yaml new.yaml --instances /dev/fd/3 -o sarif ${pipe}`,
  );
  expect(objects.code).toBe(1);
  expect(objects.out).toContain('"ruleId": "CRD301"');
  expect(objects.out).not.toContain("/dev/fd");
});
