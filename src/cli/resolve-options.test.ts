import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { nodeProperties, type ResolveFlags, resolveOptions, withResolveOptions } from "./resolve-options.ts";
import { wrongUsage } from "./resolve-usage.ts";

function parse(...args: readonly string[]): ResolveFlags {
  const command = withResolveOptions(new Command("resolve").argument("[PACKAGE...]"))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  command.parse(args, { from: "user" });
  return command.opts();
}

describe("facts of the cluster", () => {
  test("are texts, or JSON behind :=", () => {
    const flags = parse("--property", "a=b=c", "--property", "depth:=16", "--property", "list:=[1, 9007199254740993]");
    expect(nodeProperties(flags)).toEqual([
      { type: "a", value: "b=c" },
      { type: "depth", value: 16 },
      { type: "list", value: [1, 9007199254740993n] },
    ]);
  });

  test("have the versions without their v", () => {
    expect(nodeProperties(parse("--kube-version", "v1.31.4", "--openshift-version", "4.18"))).toEqual([
      { type: "kubernetes.version", value: "1.31.4" },
      { type: "openshift.version", value: "4.18" },
    ]);
  });

  test.each(["nothing", "=x", ":=1"])("%s has no type", (text) => {
    expect(() => parse("--property", text)).toThrow("TYPE=TEXT");
  });

  test("a JSON mistake is shown at its column of the argument", () => {
    expect(() => parse("--property", "depth:=[1, x]")).toThrow("(column 12)");
  });

  test("a version that is none is refused", () => {
    expect(() => parse("--kube-version", "new")).toThrow(/version/);
  });
});

test("what the flags leave open is as always", () => {
  expect(resolveOptions(parse())).toEqual({
    compat: false,
    compoundConstraints: true,
    allOrNothing: false,
    installOptional: false,
    ignoreUnavailable: false,
    maxConflicts: 100_000,
    celCostLimit: 1_000_000,
    maxConstraintBytes: 65_536,
    maxConstraintDepth: 10,
  });
});

test("every flag arrives", () => {
  const flags = parse(
    ..."--compat ocm,olm --compound-scope bundle --feature-gates CompoundConstraintsV1Alpha1=false --all-or-nothing".split(
      " ",
    ),
    ..."--install-optional --ignore-unavailable --max-conflicts 7 --cel-cost-limit 8 --timeout 0.5".split(" "),
  );
  expect(flags.timeout).toBe(0.5);
  expect(resolveOptions(flags)).toMatchObject({
    compat: true,
    compoundScope: "bundle",
    compoundConstraints: false,
    allOrNothing: true,
    installOptional: true,
    ignoreUnavailable: true,
    maxConflicts: 7,
    celCostLimit: 8,
  });
});

test("a gate that is not known has a neighbour that is", () => {
  expect(() => parse("--feature-gates", "CompoundConstraintsV1Alpha=true")).toThrow(
    "Did you mean CompoundConstraintsV1Alpha1?",
  );
  expect(() => parse("--feature-gates", "CompoundConstraintsV1Alpha1=yes")).toThrow("=true or");
  expect(() => parse("--feature-gates", "__proto__=true")).toThrow("It is one of");
});

test.each(["0", "-1", "1e9", "soon"])("a timeout of %s is refused", (text) => {
  expect(() => parse(`--timeout=${text}`)).toThrow("seconds above 0");
});

describe("flags that do not go together", () => {
  test.each([
    [["-n", "a", "-A", "--catalog", "c"], false, "exclude each other"],
    [["-A", "--catalog", "c"], true, "choose it with -n"],
    [[], true, "name a catalog: plimsoll resolve"],
    [[], false, "name a catalog and a package: plimsoll resolve"],
    [["-n", "", "-f", "x"], false, "-n needs"],
    [["-f", "-", "--runtime-constraints", "-"], false, "standard input"],
    [["--replay", "p.json", "-f", "x", "--hold", "y"], false, "leave out -f, --hold"],
  ])("%j", (args, isNamed, message) => {
    expect(wrongUsage(isNamed, parse(...args))).toContain(message);
  });

  test.each([
    [["-f", "x"], false],
    [["--catalog", "c"], true],
    [["--replay", "-", "--max-conflicts", "9", "-o", "json", "--require-proof"], false],
  ])("%j is fine", (args, isNamed) => {
    expect(wrongUsage(isNamed, parse(...args))).toBeUndefined();
  });
});
