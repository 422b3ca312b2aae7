import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { given, operator, PLACE, recorded, subscription } from "../../test/resolve/prepare-given.ts";
import { generateWorld } from "../../test/worlds/generate.ts";
import { constraint, gvk, request, running, scene } from "../../test/worlds/scene.ts";
import type { Property } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import { DEFAULT_OPTIONS, type Problem } from "../model/problem.ts";
import { flagsOf } from "../render/sentence/flags.ts";
import { declaring } from "../rule/shape/lift.ts";
import { parseRange, type Range, rangeOutline } from "../semver/blang-range.ts";
import { parseNamedRequest, printNamedRequest } from "./prepare/named-request.ts";
import { prepareProblems } from "./prepare/prepare-problems.ts";
import { type Change, changed, changedByAll } from "./what-if.ts";

const RANGE = parseRange(">=2.0.0") as Range;

const WORLD = scene({
  requests: [
    request("anchor", { approval: "Manual", priority: 3, installed: "anchor.v1.0.0", startingCSV: "anchor.v1.0.0" }),
    request("buoy", { channel: "stable", catalog: { name: "main" }, range: RANGE, place: PLACE }),
  ],
  installed: [running("anchor.v1.0.0"), running("cable.v1.0.0")],
  node: { properties: [fact("kubernetes.version", "1.30.0"), fact("depth", 3)] },
  runtime: {
    entries: ["A", "B", "C"].map((kind) => ({ property: constraint(gvk(kind)), place: PLACE })),
    problems: [],
  },
});

function fact(type: string, value: Property["value"]): Property {
  return { type, value };
}

describe("requests", () => {
  test("drop: the request is gone, and the installed operator stays", () => {
    const { requests, ...rest } = changed(WORLD, { kind: "drop", package: "anchor" });
    expect(requests).toEqual([WORLD.requests[1]]);
    expect(rest).toEqual({ ...rest, installed: WORLD.installed, removed: [], gone: [] });
  });

  test("instead: the request keeps its identity, its content changes", () => {
    const both = changedByAll(WORLD, [
      { kind: "instead", request: { package: "anchor", channel: "fast", range: rangeOutline(RANGE) } },
      { kind: "instead", request: { package: "buoy", catalog: { name: "far" } } },
    ]);
    expect(both.requests).toEqual([
      request("anchor", { approval: "Manual", priority: 3, installed: "anchor.v1.0.0", channel: "fast", range: RANGE }),
      request("buoy", { catalog: { name: "far" }, place: PLACE }),
    ]);
    for (const one of both.requests) expect(Object.values(one)).not.toContain(undefined);
  });

  test("approve: Manual requests of the package are Automatic", () => {
    const { requests } = changed(WORLD, { kind: "approve", package: "anchor" });
    expect(requests[0]).toEqual({ ...WORLD.requests[0], approval: "Automatic", isApproved: true });
    expect(requests[1]).toBe(WORLD.requests[1]);
  });

  test.each<Change>([
    { kind: "drop", package: "zebra" },
    { kind: "instead", request: { package: "zebra" } },
    { kind: "approve", package: "buoy" },
    { kind: "hold", package: "buoy" },
    { kind: "release", package: "anchor", flag: "hold" },
    { kind: "release", package: "anchor", flag: "remove" },
    { kind: "without-constraint", number: 4 },
  ])("%j changes nothing here", (change) => {
    expect(changed(WORLD, change)).toBe(WORLD);
  });
});

describe("operators", () => {
  test("a hold can be released, but not one of the operator itself", () => {
    const held = changed(WORLD, { kind: "hold", package: "cable" });
    expect(held.installed[1]?.hold).toEqual({ by: "flag", text: "--hold cable", package: "cable" });
    expect(changed(held, { kind: "release", package: "cable", flag: "hold" })).toEqual(WORLD);
    const own = scene({ installed: [running("cable.v1.0.0", [], { hold: { by: "condition", text: "busy" } })] });
    expect(changed(own, { kind: "hold", package: "cable" })).toBe(own);
    expect(changed(own, { kind: "release", package: "cable", flag: "hold" })).toBe(own);
  });

  test("a removal takes the operator and its requests", () => {
    const without = changed(WORLD, { kind: "remove", package: "anchor" });
    expect(without).toEqual({
      ...WORLD,
      requests: [WORLD.requests[1]],
      installed: [WORLD.installed[1]],
      removed: ["anchor"],
      gone: [WORLD.installed[0]],
    });
    const back = changed(without, { kind: "release", package: "anchor", flag: "remove" });
    expect(back).toEqual({ ...WORLD, requests: [WORLD.requests[1]] });
  });

  test("a request whose operator was removed counts as new", () => {
    const shared = [
      request("anchor", { installed: "anchor.v1.0.0" }),
      request("davit", { installed: "anchor.v1.0.0" }),
    ];
    const { requests } = changed({ ...WORLD, requests: shared }, { kind: "remove", package: "anchor" });
    expect(requests).toEqual([request("davit")]);
  });

  test("one of two removals can be taken back; a named package claims its operator again", () => {
    const elsewhere = running("buoy.v1.0.0", [], { namespace: "there" });
    const gone = [running("anchor.v1.0.0"), running("buoy.v1.0.0"), elsewhere];
    const both = scene({ requests: [request("buoy")], removed: ["anchor", "buoy"], gone });
    expect(changed(both, { kind: "release", package: "buoy", flag: "remove" })).toEqual({
      ...both,
      requests: [request("buoy", { installed: "buoy.v1.0.0" })],
      installed: [gone[1]],
      elsewhere: [elsewhere],
      removed: ["anchor"],
      gone: [gone[0]],
    });
  });
});

describe("the cluster and its rules", () => {
  test("a version is replaced, any other fact is one more", () => {
    const { node } = changedByAll(WORLD, [
      declaring(fact("kubernetes.version", "1.31.0")),
      declaring(fact("depth", 4)),
    ]);
    expect(node.properties).toEqual([fact("depth", 4), fact("kubernetes.version", "1.31.0"), fact("depth", 3)]);
  });

  test("constraints have the numbers that they had before", () => {
    const [, second] = WORLD.runtime.entries;
    const both: Change[] = [
      { kind: "without-constraint", number: 1 },
      { kind: "without-constraint", number: 3 },
    ];
    expect(changedByAll(WORLD, both).runtime.entries).toEqual([{ ...second, number: 2 }]);
    expect(changedByAll(WORLD, both.reverse()).runtime.entries).toEqual([{ ...second, number: 2 }]);
    const [first, third] = both as [Change, Change];
    expect(changedByAll(changedByAll(WORLD, [first]), [third]).runtime.entries).toEqual([{ ...second, number: 2 }]);
  });

  test.each<[Change, Partial<Problem["options"]>]>([
    [{ kind: "compound-constraints" }, { compoundConstraints: true }],
    [{ kind: "ignore-unavailable" }, { ignoreUnavailable: true }],
    [{ kind: "partly" }, { allOrNothing: false }],
    [{ kind: "limit", limit: "maxConflicts", value: 7 }, { maxConflicts: 7 }],
    [{ kind: "limit", limit: "celCostLimit", value: 8 }, { celCostLimit: 8 }],
  ])("%j", (change, options) => {
    const before = { ...DEFAULT_OPTIONS, compoundConstraints: false, allOrNothing: true };
    expect(changed({ ...WORLD, options: before }, change)).toEqual({ ...WORLD, options: { ...before, ...options } });
  });
});

const PACKAGES = ["anchor", "buoy", "cable", "davit", "ensign"];

test("a prepared problem that is changed is one that was prepared with the flags", () => {
  const objects = {
    subscriptions: [
      subscription("anchor", { installedCSV: "anchor.v1.0.0" }),
      subscription("buoy-claims-cable", { package: "buoy", installedCSV: "cable.v1.0.0" }),
      subscription("davit", { approval: "Manual" }),
      subscription("other", { namespace: "elsewhere", package: "ensign" }),
    ],
    installedOperators: [
      recorded("anchor", "1.0.0"),
      recorded("cable", "1.0.0"),
      operator("davit", "1.0.0"),
      recorded("ensign", "1.0.0", { namespace: "elsewhere" }),
    ],
  };
  const facts = [fact("kubernetes.version", "1.31.0"), fact("depth", 4)];
  const list = { text: JSON.stringify([fact("kubernetes.version", "1.30.0"), fact("depth", 3)]), place: PLACE };
  const prepared = (removed: readonly string[], held: readonly string[], nodeProperties: readonly Property[]) =>
    prepareProblems(given(objects, { removed, held, nodeProperties, runtimeConstraints: list })).problems[0] as Problem;
  const sorted = (problem: Problem) => ({
    ...problem,
    node: {
      properties: [...problem.node.properties].sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b))),
    },
  });
  fc.assert(
    fc.property(fc.subarray(PACKAGES), fc.subarray(PACKAGES), fc.subarray(facts), (removed, held, declared) => {
      const changes: Change[] = [
        ...removed.map((owner): Change => ({ kind: "remove", package: owner })),
        ...held.map((owner): Change => ({ kind: "hold", package: owner })),
        ...declared.map((one): Change => declaring(one)),
      ];
      expect(sorted(changedByAll(prepared([], [], []), changes))).toEqual(sorted(prepared(removed, held, declared)));
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 1000 : 60 },
  );
});

test("lists keep their order after every change", () => {
  const kinds = fc.constantFrom("remove", "release", "drop", "approve", "hold");
  fc.assert(
    fc.property(
      fc.constantFrom(...Array.from({ length: 200 }, (_, seed) => seed)),
      kinds,
      fc.subarray(PACKAGES),
      (seed, kind, owners) => {
        const changes = owners.map((owner) => ({ kind, package: owner, flag: "remove" }) as Change);
        const { requests, installed, elsewhere, gone, removed } = changedByAll(generateWorld(seed), changes);
        const names = new Set(installed.map(({ name }) => name));
        for (const one of requests) if (one.installed !== undefined) expect(names).toContain(one.installed);
        for (const list of [installed, elsewhere, gone]) {
          const ids = list.map(({ namespace, name }) => `${namespace}/${name}`);
          expect(ids).toEqual([...new Set(ids)].sort(compareText));
        }
        expect(removed).toEqual([...new Set(removed)].sort(compareText));
        expect(requests).toEqual([...requests].sort((a, b) => b.priority - a.priority || compareText(a.id, b.id)));
      },
    ),
    { numRuns: process.env.PLIMSOLL_LONG ? 2000 : 100 },
  );
});

describe("words of the command line", () => {
  test.each<[Change, readonly string[]]>([
    [{ kind: "drop", package: "a" }, ["--drop", "a"]],
    [{ kind: "hold", package: "a" }, ["--hold", "a"]],
    [{ kind: "approve", package: "a" }, ["--approve", "a"]],
    [{ kind: "remove", package: "a" }, ["--remove", "a"]],
    [{ kind: "release", package: "a", flag: "hold" }, []],
    [{ kind: "partly" }, []],
    [
      { kind: "instead", request: { package: "a", range: rangeOutline(RANGE), channel: "c" } },
      ["--instead", "a@>=2.0.0:c"],
    ],
    [declaring(fact("kubernetes.version", "1.31")), ["--kube-version", "1.31"]],
    [declaring(fact("openshift.version", "4.18")), ["--openshift-version", "4.18"]],
    [declaring(fact("zone", "a b")), ["--property", "zone=a b"]],
    [declaring(fact("zone:", "a")), ["--property", 'zone::="a"']],
    [declaring(fact("depth", { b: [1n, null], a: "x" })), ["--property", 'depth:={"a":"x","b":[1,null]}']],
    [{ kind: "without-constraint", number: 2 }, ["--without-constraint", "2"]],
    [{ kind: "compound-constraints" }, ["--feature-gates", "CompoundConstraintsV1Alpha1=true"]],
    [{ kind: "ignore-unavailable" }, ["--ignore-unavailable"]],
    [{ kind: "limit", limit: "maxConflicts", value: 5 }, ["--max-conflicts", "5"]],
    [{ kind: "limit", limit: "celCostLimit", value: 5 }, ["--cel-cost-limit", "5"]],
  ])("%o", (change, words) => {
    expect(flagsOf(change)).toEqual(words);
  });

  test.each(["a", "c/a", "n/c/a@1.x:stable", "a@>=1.0.0 <2.0.0"])("%s is read as it is written", (text) => {
    const parsed = parseNamedRequest(text);
    expect(typeof parsed === "string" ? parsed : printNamedRequest(parsed)).toBe(text);
  });
});
