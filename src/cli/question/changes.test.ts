import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { PROBLEM, request } from "../../../test/resolve/sample-resolution.ts";
import type { Problem } from "../../model/problem.ts";
import { byName } from "../../render/sentence/names.ts";
import { warningText } from "../../render/sentence/warning.ts";
import { changedProblems } from "../../resolve/no-effect.ts";
import { declaring } from "../../rule/shape/lift.ts";
import { preparedChanges, replayedChanges } from "./changes.ts";
import { type ResolveFlags, withResolveOptions } from "./options.ts";

function parse(line: string): ResolveFlags {
  return withResolveOptions(new Command("resolve")).parse(line.split(" "), { from: "user" }).opts();
}

function replayed(line: string, problems: readonly Problem[] = [PROBLEM]): readonly string[] {
  return changedProblems(problems, replayedChanges(parse(line), [])).warnings.map(
    (one) => `${one.code}: ${warningText(one, byName)}`,
  );
}

test("a prepared problem is changed by what preparation does not do itself", () => {
  const line = "--instead a:b --drop c --approve d --without-constraint 2 --hold e --remove f --kube-version 1.31";
  expect(preparedChanges(parse(line))).toMatchObject([
    { kind: "instead", request: { package: "a", channel: "b" } },
    { kind: "drop", package: "c" },
    { kind: "approve", package: "d" },
    { kind: "without-constraint", number: 2 },
  ]);
});

test("a saved problem is changed by all of them", () => {
  const line =
    "--drop c --hold z --hold e --remove f --kube-version 1.31 --property a=b --release g --partly --ignore-unavailable --max-conflicts 5 --cel-cost-limit 6 --feature-gates CompoundConstraintsV1Alpha1=true";
  expect(replayedChanges(parse(line), [])).toEqual([
    { kind: "release", package: "g", flag: "hold" },
    { kind: "release", package: "g", flag: "remove" },
    { kind: "partly" },
    { kind: "remove", package: "f" },
    { kind: "hold", package: "e" },
    { kind: "hold", package: "z" },
    declaring({ type: "kubernetes.version", value: "1.31" }),
    declaring({ type: "a", value: "b" }),
    { kind: "compound-constraints" },
    { kind: "ignore-unavailable" },
    { kind: "limit", limit: "maxConflicts", value: 5 },
    { kind: "limit", limit: "celCostLimit", value: 6 },
    { kind: "drop", package: "c" },
  ]);
  expect(replayedChanges(parse("--feature-gates CompoundConstraintsV1Alpha1=false"), [])).toEqual([]);
});

describe("a flag without effect is reported", () => {
  test.each([
    [
      "--drop buyo",
      "nothing-to-drop: --drop buyo: no request names the package in namespace bridge; did you mean buoy?",
    ],
    ["--drop zebra", "nothing-to-drop: --drop zebra: no request names the package in namespace bridge"],
    [
      "--instead compas@1.x",
      "nothing-to-replace: --instead compas@1.x: no request names the package in namespace bridge; did you mean compass?",
    ],
    ["--approve buoy", "nothing-to-approve: --approve buoy: no Subscription for it in namespace bridge is Manual"],
    ["--approve zebra", "nothing-to-approve: --approve zebra: no request names the package in namespace bridge"],
    ["--without-constraint 1", "no-such-constraint: --without-constraint 1: the administrator has no constraints"],
    ["--remove zebra", "nothing-to-remove: --remove zebra: there is no such package in namespace bridge"],
    ["--hold compass", "nothing-to-hold: --hold compass: the package is not installed in namespace bridge"],
    ["--release buoy", "nothing-to-release: --release buoy: no --hold or --remove of it is saved"],
  ])("%s", (line, warning) => {
    expect(replayed(`${line} ${line}`)).toEqual([warning]);
  });

  test("unless it matters in one of the namespaces", () => {
    const other: Problem = { ...PROBLEM, namespace: "cargo", requests: [request("crane", { approval: "Manual" })] };
    expect(replayed("--drop crane --instead crane:fast --approve crane --remove crane", [PROBLEM, other])).toEqual([]);
    expect(replayed("--drop winch", [PROBLEM, other])).toEqual([
      "nothing-to-drop: --drop winch: no request names the package in any namespace that is resolved",
    ]);
  });

  test("one that does something is not", () => {
    const entry = { property: { type: "olm.constraint", value: {} }, place: undefined };
    const problem = { ...PROBLEM, removed: ["winch"], runtime: { entries: [entry], problems: [] } };
    expect(replayed("--hold buoy --drop compass --release winch --without-constraint 1", [problem])).toEqual([]);
    const numbered = { ...problem, runtime: { entries: [{ ...entry, number: 2 }], problems: [] } };
    expect(replayed("--without-constraint 2", [numbered])).toEqual([]);
    expect(replayed("--without-constraint 1", [numbered])).toEqual([
      "no-such-constraint: --without-constraint 1: the administrator has only constraint 2",
    ]);
    expect(replayed("--without-constraint 2", [problem])).toEqual([
      "no-such-constraint: --without-constraint 2: the administrator has one constraint",
    ]);
  });
});

test("every problem is changed", () => {
  const { problems } = changedProblems(
    [PROBLEM, { ...PROBLEM, namespace: "cargo" }],
    preparedChanges(parse("--drop compass")),
  );
  expect(problems.map(({ namespace, requests }) => [namespace, requests.map((one) => one.package)])).toEqual([
    ["bridge", ["buoy"]],
    ["cargo", ["buoy"]],
  ]);
});
