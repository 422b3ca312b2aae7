import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, describe, expect, test } from "vitest";
import { PROBLEM } from "../../../test/resolve/sample-resolution.ts";
import { byName } from "../../render/sentence/names.ts";
import { warningText } from "../../render/sentence/warning.ts";
import { saveProblem } from "../../resolve/prepare/save-problem.ts";
import { changedByAll } from "../../resolve/what-if.ts";
import { replayedChanges } from "./changes.ts";
import { type Question, savedQuestion } from "./load.ts";
import { withResolveOptions } from "./options.ts";

const directory = mkdtempSync(join(tmpdir(), "plimsoll-question-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const FILE = join(directory, "problem.json");
writeFileSync(FILE, saveProblem(PROBLEM));

function parse(line: string) {
  return withResolveOptions(new Command("resolve")).parse(line.split(" "), { from: "user" });
}

function asked(line: string): Promise<Question> {
  return savedQuestion(FILE, [], parse(line).opts());
}

describe("a saved problem", () => {
  test("is as it was", async () => {
    const { problems, warnings } = await asked(`--replay ${FILE}`);
    expect(problems.map(saveProblem)).toEqual([saveProblem(PROBLEM)]);
    expect(warnings).toEqual([]);
  });

  test.each([
    "--drop compass",
    "--instead compass@1.x:fast",
    "--hold buoy",
    "--remove buoy",
    "--property depth:=3 --kube-version 1.31",
    "--max-conflicts 5 --cel-cost-limit 6 --ignore-unavailable",
  ])("changes with %s", async (line) => {
    const { problems, warnings } = await asked(line);
    const changes = replayedChanges(parse(line).opts(), []);
    expect(problems.map(saveProblem)).toEqual([saveProblem(changedByAll(PROBLEM, changes))]);
    expect(problems.map(saveProblem)).not.toEqual([saveProblem(PROBLEM)]);
    expect(warnings).toEqual([]);
  });

  test("can have its gate shut", async () => {
    const { problems } = await asked("--feature-gates CompoundConstraintsV1Alpha1=false");
    expect(problems[0]?.options.compoundConstraints).toBe(false);
  });

  test("is not changed by an unknown package name, which is reported", async () => {
    const { problems, warnings } = await asked("--drop compss");
    expect(problems.map(saveProblem)).toEqual([saveProblem(PROBLEM)]);
    expect(warnings.map((one) => ({ code: one.code, message: warningText(one, byName) }))).toMatchObject([
      { code: "nothing-to-drop", message: expect.stringContaining("did you mean compass?") },
    ]);
  });
});
