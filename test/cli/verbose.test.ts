// Does -v report each phase with its time on standard error, and leave the answer as it is?

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand, runCommands } from "./run-command.ts";

const CATALOG = ["--catalog", "harbour=examples/harbour/catalog"];
const CLUSTER = [...CATALOG, "-f", "examples/harbour/cluster/subscriptions.yaml"];
const FLEET = ["-f", "examples/harbour/fleet", "--now", "2026-11-02T12:00:00Z"];
const CRDS = "examples/harbour/cluster/crds.yaml";
const READ_CATALOG = /^read catalog harbour \(examples\/harbour\/catalog\): \d+ packages, \d+ channels, \d+ bundles$/;
const READ_FILE = /^read examples\/harbour\/\S+\.yaml: \d+ documents?, [\d.]+ (bytes|KiB)$/;
const PRINTED = /^printed the answer \(-o \w+\)$/;

test.for<[args: readonly string[], phases: readonly RegExp[]]>([
  [
    ["resolve", ...CLUSTER, "-n", "cargo"],
    [READ_CATALOG, READ_FILE, /^prepared 1 namespace with \d+ requests?$/, /^resolved namespace cargo: \w+$/, PRINTED],
  ],
  // A request that has no answer: the commands that would help do not have the flag.
  [
    ["resolve", ...CATALOG, "shore-watch", "lightship"],
    [READ_CATALOG, /^explained the answer for namespace default$/],
  ],
  [["resolve", ...CATALOG, "lantern", "-o", "json"], [/^printed the answer \(-o json\)$/]],
  [
    ["explain", ...CLUSTER, "-n", "cargo", "lantern"],
    [READ_CATALOG, /^explained lantern: \w+$/, PRINTED],
  ],
  [
    ["plan", ...CLUSTER, "-n", "cargo"],
    [READ_CATALOG, /^planned \d+ generations? in 1 namespace$/, PRINTED],
  ],
  [
    ["show", ...CATALOG],
    [READ_CATALOG, PRINTED],
  ],
  [
    ["lint", ...CATALOG],
    [READ_CATALOG, /^checked the input: \d+ findings?$/, PRINTED],
  ],
  [
    ["place", ...FLEET],
    [READ_FILE, /^evaluated \d+ Placements on \d+ clusters$/, PRINTED],
  ],
  [
    ["cel", "check", "-f", "examples/harbour/fleet"],
    [READ_FILE, /^checked \d+ expressions$/, PRINTED],
  ],
  [
    ["cel", "eval", "1 + 1"],
    [/^compiled the expression$/, /^evaluated the expression$/],
  ],
  [
    ["cel", "eval", "--env", "placement", "--all", "true", ...FLEET],
    [READ_FILE, /^evaluated the expression on \d+ clusters$/],
  ],
  [
    ["crd", "check", CRDS, CRDS],
    [READ_FILE, /^compared 3 definitions: \d+ findings$/, PRINTED],
  ],
])("%j", ([args, phases]) => {
  const [plain, verbose] = runCommands([{ args }, { args: [...args, "-v"] }], ".");
  if (plain === undefined || verbose === undefined) throw new Error("the commands did not run");
  expect(verbose.out).toBe(plain.out);
  expect(verbose.code).toBe(plain.code);
  const timed = /^plimsoll: (.*) in \d+(?:\.\d)? ms$/;
  const lines = verbose.err.split("\n");
  expect(lines.filter((line) => !timed.test(line)).join("\n")).toBe(plain.err);
  const texts = lines.flatMap((line) => timed.exec(line)?.[1] ?? []);
  expect(texts[0]).toMatch(/^started with Node /);
  for (const phase of phases) expect(texts).toContainEqual(expect.stringMatching(phase));
});

test("-v and -q cannot be combined", () => {
  const { code, err } = runCommand(["show", ...CATALOG, "-v", "-q"], ".");
  expect(err).toBe("plimsoll: option '-v, --verbose' cannot be used with option '-q, --quiet'\n");
  expect(code).toBe(2);
});

test("names of the input do not become lines", () => {
  const directory = mkdtempSync(join(tmpdir(), "plimsoll-verbose-"));
  const name = "a\n::error::b.jsonl";
  writeFileSync(join(directory, name), '{"expression": "1"}\n');
  const { err } = runCommand(["cel", "eval", "--batch", name, "-v"], directory);
  rmSync(directory, { recursive: true });
  expect(err).toContain("plimsoll: answered 1 line of a\\u{a}::error::b.jsonl in ");
  expect(err).not.toMatch(/^::/m);
});
