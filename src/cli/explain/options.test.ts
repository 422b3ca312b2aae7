import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { request, scene, stocked } from "../../../test/worlds/scene.ts";
import { parseRange, type Range, rangeOutline } from "../../semver/blang-range.ts";
import { askedAsResolve, fixCommands } from "../question/fix-command.ts";
import { askingCommands } from "./explain.ts";
import { type ExplainFlags, withExplainOptions, wrongForExplain } from "./options.ts";

const PROBLEM = scene({ catalogs: [stocked({ bell: { "1.0.0": [] } })], requests: [request("clock")] });

function parsed(words: readonly string[]): Command {
  return withExplainOptions(new Command("explain").argument("<what>")).parse([...words], { from: "user" });
}

/** The command that asks for what was asked about, and drops the clock if that is to be. */
function asking(words: readonly string[], isDropped = false): string {
  const request = { package: "bell", range: rangeOutline(parseRange("1.0.0") as Range) };
  const changes = isDropped ? [{ kind: "drop", package: "clock" } as const] : [];
  return askingCommands(parsed(words), PROBLEM, request)({ namespace: "here", changes });
}

describe("the command that asks for what was asked about", () => {
  test.each([
    [["bell@1.0.0", "--catalog", "main.yaml"], "plimsoll resolve --catalog main.yaml bell@1.0.0"],
    [
      ["--catalog", "main.yaml", "bell@v1", "-o", "json", "--who-needs"],
      "plimsoll resolve --catalog main.yaml bell@1.0.0",
    ],
    [["--catalog", "main.yaml", "bell.v1.0.0"], "plimsoll resolve --catalog main.yaml bell@1.0.0"],
    [["-n", "bell", "--catalog", "main.yaml", "bell"], "plimsoll resolve --catalog main.yaml -n bell bell@1.0.0"],
    [["--catalog", "bell.v1.0.0", "bell.v1.0.0"], "plimsoll resolve --catalog bell.v1.0.0 bell@1.0.0"],
  ])("%j", (words, expected) => {
    expect(asking(words)).toBe(expected);
  });

  test("tries a fix as well", () => {
    expect(asking(["--catalog", "main.yaml", "--add", "clock", "bell"], true)).toBe(
      "plimsoll resolve --catalog main.yaml bell@1.0.0",
    );
  });
});

test("a saved problem is asked for more in the same way", () => {
  expect(asking(["--replay", "saved.json", "bell"])).toBe("plimsoll resolve --replay saved.json bell@1.0.0");
});

test("help lists no flag that is refused", () => {
  const help = parsed(["bell"]).helpInformation();
  for (const flag of ["--all-namespaces", "--fail-on", "--save-problem"]) expect(help).not.toContain(flag);
  expect(help).toContain("--namespace");
});

test("the subject is not a request", () => {
  const command = fixCommands(askedAsResolve(parsed(["bell", "--catalog", "main.yaml"])), [PROBLEM]);
  expect(command({ namespace: "here", changes: [{ kind: "hold", package: "clock" }] })).toBe(
    "plimsoll resolve --catalog main.yaml --hold clock",
  );
});

test.each([
  [["bell", "--catalog", "main.yaml"], undefined],
  [["bell", "--replay", "saved.json"], undefined],
  [["bell"], undefined],
  [["bell", "-A"], "explain is about one namespace; choose it with -n instead of -A."],
  [["bell", "--save-problem", "x"], "--save-problem is a flag of resolve; leave it out."],
  [
    ["bell", "--fail-on", "held-back"],
    "--fail-on is a flag of resolve; explain exits 0 whenever it has an explanation.",
  ],
])("%j", (words, expected) => {
  expect(wrongForExplain(parsed(words).opts<ExplainFlags>())).toBe(expected);
});
