// Is a saved problem everything that its answer depends on? Replayed, it gives the same bytes, and saved again, the same file.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { printJson } from "../../src/model/json.ts";
import { runCommand } from "../cli/run-command.ts";

const HARBOUR = [
  ...["-f", "examples/harbour/cluster", "--kube-version", "1.31.4"],
  ...["--catalog", "harbour=examples/harbour/catalog", "--catalog", "workshop=examples/harbour/bundles,priority=10"],
];

/** Without it the run would warn that it was not given; findings about the input are not part of a problem. */
const PARTNER = ["--catalog", "partner=examples/harbour/partner-catalog"];

test.each([
  ["bridge", PARTNER],
  ["quay-south", PARTNER],
  ["drydock", [...PARTNER, "signal-flags", "--hold", "oakum", "--compat", "olm"]],
  ["cargo", [...PARTNER, "--runtime-constraints", "examples/harbour/what-if/broken-constraints.yaml"]],
  ["engine-room", ["--catalog", "partner=nowhere", "--remove", "turbine"]],
])("%s %j", (namespace, more) => {
  const directory = mkdtempSync(join(tmpdir(), "plimsoll-replay-"));
  try {
    const [first, second] = [join(directory, "first.json"), join(directory, "second.json")];
    const asked = runCommand(
      ["resolve", "-n", namespace, ...HARBOUR, ...more, "-o", "json", "--save-problem", first],
      ".",
    );
    const replayed = runCommand(["resolve", "--replay", first, "-o", "json", "--save-problem", second], ".");
    expect(asked.out).toContain('"kind": "Resolution"');
    // Commands repeat what was typed, and findings are about the files that were given: neither is the same here.
    const compared = (out: string): string =>
      printJson({ ...JSON.parse(out.replaceAll(/"command": ".*"/g, '"command": "some"')), inputFindings: [] });
    expect(compared(replayed.out)).toBe(compared(asked.out));
    expect(readFileSync(second, "utf8")).toBe(readFileSync(first, "utf8"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
