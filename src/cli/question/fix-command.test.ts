import { Command, Option } from "commander";
import { describe, expect, test } from "vitest";
import { PROBLEM, request } from "../../../test/resolve/sample-resolution.ts";
import type { Change } from "../../resolve/what-if.ts";
import { declaring } from "../../rule/shape/lift.ts";
import { parseRange, type Range, rangeOutline } from "../../semver/blang-range.ts";
import { type AskedCommand, askedAsResolve, askedCommand, fixCommands } from "./fix-command.ts";
import { withResolveOptions } from "./options.ts";

const SUBSCRIBED = { ...PROBLEM, requests: [request("compass"), request("lantern", { place: undefined })] };

function parsed(command: Command, line: string): Command {
  return command.argument("[PACKAGE...]").parse(
    line.split(" ").filter((word) => word !== ""),
    { from: "user" },
  );
}

function typed(line: string): AskedCommand {
  return askedCommand(parsed(withResolveOptions(new Command("resolve")), line));
}

function tried(what: AskedCommand, ...changes: readonly Change[]): string {
  return fixCommands(what, [SUBSCRIBED])({ namespace: "here", changes });
}

const NEWER = { package: "lantern", range: rangeOutline(parseRange(">=2.0.0") as Range), channel: "fast" };

describe("what asks for a package", () => {
  test.each<[string, Change, string]>([
    ["--catalog c lantern buoy", { kind: "drop", package: "lantern" }, "--catalog c buoy"],
    ["--catalog c harbour/lantern@1.x:fast", { kind: "drop", package: "lantern" }, "--catalog c"],
    ["--add lantern --add=lantern@1.x buoy", { kind: "drop", package: "lantern" }, "buoy"],
    ["-f s.yaml", { kind: "drop", package: "compass" }, "-f s.yaml --drop compass"],
    ["-f s.yaml compass", { kind: "drop", package: "compass" }, "-f s.yaml --drop compass"],
    ["--replay p.json", { kind: "drop", package: "lantern" }, "--replay p.json --drop lantern"],
    ["lantern@1.x buoy", { kind: "instead", request: NEWER }, "'lantern@>=2.0.0:fast' buoy"],
    ["lantern@1.x lantern", { kind: "instead", request: NEWER }, "'lantern@>=2.0.0:fast'"],
    ["--add=lantern@1.x", { kind: "instead", request: NEWER }, "--add 'lantern@>=2.0.0:fast'"],
    ["-f s.yaml", { kind: "instead", request: NEWER }, "-f s.yaml --instead 'lantern@>=2.0.0:fast'"],
    ["--instead lantern@1.x -f s", { kind: "instead", request: NEWER }, "-f s --instead 'lantern@>=2.0.0:fast'"],
    ["compass", { kind: "instead", request: { package: "compass", channel: "c" } }, "compass:c --instead compass:c"],
    ["lantern buoy", { kind: "remove", package: "lantern" }, "buoy --remove lantern"],
    ["lantern", { kind: "hold", package: "lantern" }, "lantern --hold lantern"],
    ["lantern", { kind: "approve", package: "lantern" }, "lantern --approve lantern"],
    ["-- lantern buoy", { kind: "hold", package: "x" }, "lantern buoy --hold x"],
  ])("%s, %o", (line, change, expected) => {
    expect(tried(typed(line), change)).toBe(`plimsoll resolve ${expected}`);
  });
});

describe("a change that undoes or replaces a flag", () => {
  test.each<[string, Change, string]>([
    ["--hold a --hold=b --hold a x", { kind: "release", package: "a", flag: "hold" }, "x --hold b"],
    ["--hold=a x", { kind: "release", package: "a", flag: "hold" }, "x"],
    ["--remove a --hold a", { kind: "release", package: "a", flag: "remove" }, "--hold a"],
    ["--replay p", { kind: "release", package: "a", flag: "hold" }, "--replay p --release a"],
    ["--all-or-nothing x", { kind: "partly" }, "x"],
    ["--replay p", { kind: "partly" }, "--replay p --partly"],
    ["--kube-version 1.30 x", version("1.31"), "x --kube-version 1.31"],
    ["--property kubernetes.version=1.30 --property zone=a", version("1.31"), "--kube-version 1.31 --property zone=a"],
    ["--property zone:=3", fact("zone", "b"), "--property zone:=3 --property zone=b"],
    ["--property=cluster.name=a", fact("cluster.name", "b"), "--property cluster.name=b"],
    ["--max-conflicts=5 x", { kind: "limit", limit: "maxConflicts", value: 50 }, "x --max-conflicts 50"],
    ["--max-conflicts 5", { kind: "limit", limit: "celCostLimit", value: 9 }, "--max-conflicts 5 --cel-cost-limit 9"],
    [
      "--feature-gates CompoundConstraintsV1Alpha1=false",
      { kind: "compound-constraints" },
      "--feature-gates CompoundConstraintsV1Alpha1=true",
    ],
    ["--ignore-unavailable x", { kind: "ignore-unavailable" }, "x --ignore-unavailable"],
    ["lantren@1.x x", { kind: "meant", package: "lantren", request: { package: "lantern" } }, "lantern x"],
    [
      "x",
      { kind: "meant", package: "compass", request: { package: "compas", channel: "c" } },
      "x --add compas:c --drop compass",
    ],
    [
      "-f s.yaml -n here lantern x --hold x --remove=y",
      { kind: "elsewhere", namespace: "there", request: { package: "lantern" } },
      "-f s.yaml -n there --add lantern",
    ],
    ["x", { kind: "without-constraint", number: 2 }, "x --without-constraint 2"],
    [
      "--without-constraint 3 --without-constraint=1",
      { kind: "without-constraint", number: 2 },
      "--without-constraint 3 --without-constraint 1 --without-constraint 2",
    ],
  ])("%s, %o", (line, change, expected) => {
    expect(tried(typed(line), change)).toBe(`plimsoll resolve ${expected}`);
  });

  test("several changes are in one command", () => {
    const changes: Change[] = [{ kind: "drop", package: "lantern" }, version("1.31"), { kind: "hold", package: "a" }];
    expect(tried(typed("lantern x"), ...changes)).toBe("plimsoll resolve x --kube-version 1.31 --hold a");
  });

  test("mere advice has no command", () => {
    expect(tried(typed("lantern"))).toBe("");
  });
});

function fact(type: string, value: string): Change {
  return declaring({ type, value });
}

function version(value: string): Change {
  return fact("kubernetes.version", value);
}

describe("where it helps", () => {
  const CHANGES: readonly (readonly [Change, string])[] = [
    [{ kind: "drop", package: "compass" }, "--drop compass"],
    [{ kind: "instead", request: { package: "compass", channel: "c" } }, "--instead compass:c"],
    [{ kind: "hold", package: "compass" }, "--hold compass"],
    [{ kind: "remove", package: "compass" }, "--remove compass"],
    [{ kind: "approve", package: "compass" }, "--approve compass"],
    [{ kind: "ask", request: { package: "buoy" } }, "--add buoy"],
    [version("1.31"), "--kube-version 1.31"],
    [{ kind: "without-constraint", number: 1 }, "--without-constraint 1"],
  ];

  test.each(CHANGES)("of all namespaces it is one: %o", (change, flags) => {
    expect(tried(typed("-f s.yaml -A --catalog c"), change)).toBe(
      `plimsoll resolve --catalog c -f s.yaml -n here ${flags}`,
    );
    expect(tried(typed("--all-namespaces -f s.yaml"), change)).toBe(`plimsoll resolve -f s.yaml -n here ${flags}`);
  });

  test.each(CHANGES)("a namespace that was named stays: %o", (change, flags) => {
    expect(tried(typed("-f s.yaml -n bridge"), change)).toBe(`plimsoll resolve -f s.yaml -n bridge ${flags}`);
    expect(tried(typed("-f s.yaml"), change)).toBe(`plimsoll resolve -f s.yaml ${flags}`);
  });

  test("several changes are narrowed once, also where letters run together", () => {
    const changes: Change[] = [
      { kind: "hold", package: "a" },
      { kind: "ask", request: { package: "b" } },
    ];
    expect(tried(typed("-Aq -f s.yaml"), ...changes)).toBe("plimsoll resolve -f s.yaml -n here --add b --hold a");
  });

  test("a flag that is left out leaves a command for one namespace, too", () => {
    const release: Change = { kind: "release", package: "a", flag: "hold" };
    expect(tried(typed("-A -f s.yaml --hold a"), release)).toBe("plimsoll resolve -f s.yaml -n here");
    expect(tried(typed("-A -f s.yaml --all-or-nothing"), { kind: "partly" })).toBe(
      "plimsoll resolve -f s.yaml -n here",
    );
  });
});

describe("how the answer is shown", () => {
  const HOLD: Change = { kind: "hold", package: "h" };

  test.each([
    ["-o json x", "x --hold h"],
    ["-ojson --color always --progress plain x -q", "x --hold h"],
    ["-q -nbridge -f a -fb --save-problem p.json", "-f a -f b -n bridge --hold h"],
    ["-Aq -f a -fb --save-problem p.json", "-f a -f b -n here --hold h"],
    ["--require-proof --fail-on=held-back --timeout 3", "--fail-on held-back --timeout 3 --require-proof --hold h"],
    ["-n -o x", "-n -o x --hold h"],
  ])("%s", (line, expected) => {
    expect(tried(typed(line), HOLD)).toBe(`plimsoll resolve ${expected}`);
  });

  test("the order in which flags and words were typed changes nothing", () => {
    const words = ["x", "--hold=a", "--kube-version 1.30", "-f s.yaml", "--catalog c"];
    const commands = [words, words.toReversed()].map((typedAs) => tried(typed(typedAs.join(" ")), HOLD));
    expect(commands[0]).toBe("plimsoll resolve --catalog c -f s.yaml x --kube-version 1.30 --hold a --hold h");
    expect(commands[1]).toBe(commands[0]);
  });

  test("what another command was asked about, and its own flags, are not for resolve", () => {
    const command = withResolveOptions(new Command("explain"), ["text", "tree"])
      .addOption(new Option("--who-needs"))
      .addOption(new Option("--depth <N>"));
    const explained = askedAsResolve(
      parsed(command, "lantern@2.0.0 --who-needs --depth 3 --add buoy -f s.yaml -o tree"),
    );
    expect(tried(explained, HOLD)).toBe("plimsoll resolve -f s.yaml --add buoy --hold h");
  });
});
