import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { wrongUsage } from "./flag-conflicts.ts";
import { COMPOUND_GATE, nodeProperties, type ResolveFlags, resolveOptions, withResolveOptions } from "./options.ts";

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
    olmv1: false,
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
  expect(() => parse("--feature-gates", "__proto__=true")).toThrow("It must be CompoundConstraintsV1Alpha1.");
});

test.each(["0", "0.000001", "-1", "1e9", "1000000", "soon"])("a timeout of %s is refused", (text) => {
  expect(() => parse(`--timeout=${text}`)).toThrow("seconds from 0.001 to 999999.999");
});

test.each([0.001, 999999.999])("a timeout of %s is the least and the most", (seconds) => {
  expect(parse(`--timeout=${seconds}`).timeout).toBe(seconds);
});

describe("flags that do not go together", () => {
  test.each([
    [["-n", "a", "-A", "--catalog", "c"], false, "cannot be combined"],
    [["-A", "--catalog", "c"], true, "choose the namespace with -n"],
    [["-n", "", "-f", "x"], false, "-n needs"],
    [["-f", "-", "--runtime-constraints", "-"], false, "standard input"],
    [["--replay", "p.json", "-f", "x", "--hold", "y", "--compat", "olm"], false, "leave out -f, --compat."],
    [["--replay", "p.json", "--property", "olm.gvk=K"], false, "olm.gvk: the value must be an object"],
    [["--replay", "p.json", "--what-if-constraints", "x"], false, "leave out --what-if-constraints."],
    [["-f", "-", "--what-if-constraints", "-"], false, "standard input"],
    [["-f", "x", "--what-if-constraints", "y", "--locked", "z", "--hold", "w"], false, "leave out --locked."],
    [["-f", "x", "--what-if-constraints", "y", "--remove", "z"], false, "leave out --remove."],
    [["-f", "x", "--what-if-constraints", "y", "--without-constraint", "1"], false, "out --without-constraint."],
    [["-f", "x", "--what-if-constraints", "y", "--save-problem", "z"], false, "leave out --save-problem."],
    [["-f", "x", "--what-if-constraints", "y", "--fetch-bundles"], false, "leave out --fetch-bundles."],
    [["-f", "x", "--what-if-constraints", "y", "--fail-on", "held-back"], false, "leave out --fail-on."],
    [["-f", "x", "--what-if-constraints", "y", "--compat", "olmv1"], false, "leave out --compat olmv1."],
    [["-f", "x", "--what-if-constraints", "y", "-o", "tree"], false, "text, wide, json, yaml, not tree."],
    [["-f", "x", "--release", "y"], false, "leave out --hold or --remove instead"],
    [["-f", "x", "--partly"], false, "leave out --all-or-nothing instead"],
    [["-f", "x", "--property", 'olm.constraint:={"package":{}}'], false, "olm.constraint: this is a constraint"],
    [["-f", "x", "--property", 'olm.gvk:={"group":"g","kind":"K"}'], false, "olm.gvk: version is missing"],
    [["-f", "x", "--property", "olm.gvk=K"], false, "olm.gvk: the value must be an object"],
    [["-f", "x", "--property", "kubernetes.version="], false, "kubernetes.version: "],
    [["-f", "x", "--property", "kubernetes.version:=1.31"], false, "a version is text"],
    [
      ["-f", "x", "--property", "kubernetes.version=1.31", "--kube-version", "1.30"],
      false,
      "--property kubernetes.version and --kube-version say the same thing",
    ],
    [
      ["-f", "x", "--property", "openshift.version=4.18", "--openshift-version", "4.18"],
      false,
      "--property openshift.version and --openshift-version say the same thing",
    ],
    [
      ["-f", "x", "--property", "cluster.name=a", "--property", "cluster.name=b"],
      false,
      "--property cluster.name and another --property cluster.name",
    ],
  ])("%j", (args, isNamed, message) => {
    expect(wrongUsage(isNamed, parse(...args))).toContain(message);
  });

  test.each([
    [[], true],
    [[], false],
    [["-f", "x"], false],
    [["--catalog", "c"], true],
    [["-f", "x", "--property", 'olm.gvk:={"group":"","version":"v1","kind":"K"}', "--kube-version", "1.31"], false],
    [["-f", "x", "--property", "kubernetes.version=1.31", "--property", "a=1", "--property", "a=2"], false],
    [["-f", "x", "--what-if-constraints", "-", "--runtime-constraints", "y", "--hold", "z", "--compat", "olm"], true],
    [["--replay", "-", "--max-conflicts", "9", "-o", "json", "--require-proof"], false],
    [["--replay", "p.json", "--release", "x", "--partly", "--hold", "y", "--remove", "z", "--drop", "d"], false],
    [
      ["--replay", "p.json", "--kube-version", "1.31", "--property", "a=1", "--feature-gates", `${COMPOUND_GATE}=true`],
      false,
    ],
    [
      ["--replay", "p.json", "--instead", "x:y", "--approve", "x", "--without-constraint", "1", "--ignore-unavailable"],
      false,
    ],
  ])("%j is fine", (args, isNamed) => {
    expect(wrongUsage(isNamed, parse(...args))).toBeUndefined();
  });
});

describe("a flag that is given twice", () => {
  test.each([
    "-n",
    "--kube-version",
    "--openshift-version",
    "--runtime-constraints",
    "--what-if-constraints",
    "--compound-scope",
    "--max-conflicts",
    "--timeout",
    "--save-problem",
    "--replay",
    "--fail-on",
    "-o",
    "--max-document-bytes",
  ])("%s is refused", (flag) => {
    const value =
      { "--compound-scope": "bundle", "--fail-on": "held-back", "-o": "json", "-n": "a", "--replay": "p" }[flag] ?? "1";
    expect(() => parse(flag, value)).not.toThrow();
    expect(() => parse(flag, value, flag, value)).toThrow(/is given twice/);
  });

  test("is more of the same where there can be several", () => {
    const twice = [
      "--add",
      "--drop",
      "--approve",
      "--release",
      "--remove",
      "--hold",
      "--property",
      "--catalog",
      "-f",
    ].flatMap((flag) => [flag, "a=1", flag, "b=2"]);
    const flags = parse(...twice, "--compat", "olm", "--compat", "ocm", "-A", "-A");
    for (const all of [
      flags.add,
      flags.drop,
      flags.approve,
      flags.release,
      flags.remove,
      flags.hold,
      flags.property,
      flags.catalog,
      flags.filename,
    ])
      expect(all).toHaveLength(2);
    expect(flags.compat).toEqual(["olm", "ocm"]);
  });
});

test.each(["a,b/c", "a,b=c/d", "n=a,b"])("the comma in %s is part of the path", (text) => {
  expect(parse("--catalog", text).catalog).toMatchObject([{ path: text.replace("n=", ""), priority: 0 }]);
});

test("a request that replaces another is parsed at once", () => {
  expect(parse("--instead", "olm/harbour/lantern@>=1.0.0:fast", "--instead", "b").instead).toMatchObject([
    { package: "lantern", catalog: { namespace: "olm", name: "harbour" }, range: { text: ">=1.0.0" }, channel: "fast" },
    { package: "b" },
  ]);
  expect(() => parse("--instead", "lantern@new")).toThrow("The range of");
  expect(() => parse("--instead", "lantern:fast@1")).toThrow('write "lantern@1:fast"');
});

test("constraints have numbers", () => {
  expect(parse("--without-constraint", "2", "--without-constraint", "1").withoutConstraint).toEqual([2, 1]);
  expect(() => parse("--without-constraint", "0")).toThrow("whole number above 0");
});

test("another command can ask the same with forms of its own", () => {
  const command = withResolveOptions(new Command("explain"), ["text", "odd"]).exitOverride();
  command.parse(["-o", "odd", "--hold", "a"], { from: "user" });
  expect(command.opts()).toMatchObject({ output: "odd", hold: ["a"] });
});
