// What does a resolver do when it is hard, when time is over, when it is asked again?

import { describe, expect, test } from "vitest";
import type { Property } from "../../src/model/catalog.ts";
import type { Problem, ResolveOptions } from "../../src/model/problem.ts";
import { byName } from "../../src/render/sentence/names.ts";
import { warningText } from "../../src/render/sentence/warning.ts";
import { explainAnswer } from "../../src/resolve/explain/explain-answer.ts";
import { Resolver } from "../../src/resolve/resolve.ts";
import { declaring } from "../../src/rule/shape/lift.ts";
import { explainedAnswer as resolve } from "../explanations/explained-answer.ts";
import { explanationText } from "../explanations/explanation-text.ts";
import { generateWorld } from "../worlds/generate.ts";
import {
  constraint,
  gvk,
  needs,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
  type Versions,
} from "../worlds/scene.ts";
import { afterOthers } from "./after-others.ts";

/** This number of pigeons, each a package, and one hole less: version j of a package takes hole j. */
function pigeons(count: number, options: Partial<ResolveOptions> = {}): Problem {
  const holes: Versions = Object.fromEntries(
    Array.from({ length: count - 1 }, (_, hole) => [`1.${hole}.0`, [provides(`Hole${hole}`)]]),
  );
  const names = Array.from({ length: count }, (_, number) => `pigeon-${number}`);
  const catalog = stocked(Object.fromEntries(names.map((name) => [name, holes])));
  return scene({ catalogs: [catalog], requests: names.map((name) => request(name)) }, options);
}

describe("what is too hard", () => {
  test("few enough pigeons are proven to have one too many", () => {
    const { outcome, operators, unsatisfied, proven } = resolve(pigeons(5));
    expect({
      outcome,
      operators: operators.length,
      undecided: unsatisfied.map((one) => one.undecided),
      proven,
    }).toEqual({
      outcome: "Partial",
      operators: 4,
      undecided: [false],
      proven: true,
    });
  });

  test.each([1, 20, 300])("twelve pigeons in eleven holes with %i conflicts: never a wrong no", (maxConflicts) => {
    const { unsatisfied, objectives } = resolve(pigeons(12, { maxConflicts }));
    expect(unsatisfied.length).toBeGreaterThan(0);
    const isProven = objectives[0]?.proven;
    expect(unsatisfied.every(({ undecided }) => undecided || isProven)).toBe(true);
  });

  test("a level that is too hard to prove is marked, and there is still an answer", () => {
    const { catalogs, requests, options } = pigeons(12, { maxConflicts: 1_000 });
    const holes = Array.from({ length: 11 }, (_, hole) => [`2.${hole}.0`, [provides(`Hole${hole}`)]] as const);
    // The first pigeon may stay outside, in its oldest version; that it must is hard to see.
    const outside = stocked({ "pigeon-0": { "1.0.0": [], ...Object.fromEntries(holes) } }, { name: "outside" });
    const first = request("pigeon-0", { catalog: { name: "outside" } });
    const problem = scene({ catalogs: [...catalogs, outside], requests: [first, ...requests.slice(1)] }, options);
    const { outcome, objectives, proven } = resolve(problem);
    const unproven = objectives.filter((one) => !one.proven).map(({ name }) => name);
    expect({ outcome, unproven, proven }).toEqual({ outcome: "Resolved", unproven: ["candidates"], proven: false });
  });

  test("all or nothing is undecided as long as all is not proven to be impossible", () => {
    const { unsatisfied, operators } = resolve(pigeons(12, { maxConflicts: 100, allOrNothing: true }));
    expect(operators).toEqual([]);
    expect(unsatisfied.map(({ undecided }) => undecided)).toEqual(Array.from({ length: 12 }, () => true));
  });

  test("when the time is over, what is best so far is the answer", () => {
    let asked = 0;
    const { unsatisfied, proven } = resolve(pigeons(12), () => ++asked > 3);
    expect(proven).toBe(false);
    expect(explanationText(unsatisfied[0]?.explanation)).toContain("the time limit was reached");
    expect(unsatisfied.some(({ undecided }) => undecided)).toBe(true);
    expect(asked).toBeLessThan(200);
  });

  test("when there is no time at all, everything stays and nothing is proven", () => {
    const installed = [running("lamp.v1.0.0")];
    const asked = request("lamp", { installed: "lamp.v1.0.0" });
    const problem = scene({
      catalogs: [stocked({ lamp: { "1.0.0": [], "2.0.0": [] } })],
      installed,
      requests: [asked],
    });
    for (const requests of [[], [asked]]) {
      const { operators, proven } = resolve({ ...problem, requests }, () => true);
      expect({ names: operators.map(({ name }) => name), proven }).toEqual({ names: ["lamp.v1.0.0"], proven: false });
    }
  });

  test("a chain of five thousand dependencies is followed to its end", () => {
    const packages = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, number) => [
        `link-${number}`,
        { "1.0.0": number === 4_999 ? [] : [needsPackage(`link-${number + 1}`)] },
      ]),
    );
    const problem = scene({ catalogs: [stocked(packages)], requests: [request("link-0")] });
    expect(resolve(problem).operators).toHaveLength(5_000);
  });

  test("a chain of five thousand optional requirements is not", () => {
    const optional = (number: number) =>
      constraint({
        package: { packageName: `link-${number + 1}`, versionRange: ">=0.0.0" },
        action: { id: "require", optional: true },
      });
    const packages = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, number) => [`link-${number}`, { "1.0.0": [optional(number)] }]),
    );
    const problem = scene({ catalogs: [stocked(packages)], requests: [request("link-0")] });
    const { operators, optionalNotMet } = resolve(problem);
    expect([operators.length, optionalNotMet.length]).toEqual([1, 1]);
  });

  test("a none that touches every bundle", () => {
    const packages: Record<string, Versions> = {
      hermit: { "1.0.0": [constraint({ none: { constraints: [{ cel: { rule: "true" } }] } })] },
    };
    for (let number = 0; number < 2_000; number++) packages[`other-${number}`] = { "1.0.0": [] };
    const problem = scene({ catalogs: [stocked(packages)], requests: [request("hermit")] });
    // The cluster itself is a participant, too.
    expect(resolve(problem).outcome).toBe("Unsatisfiable");
    packages.hermit = { "1.0.0": [constraint({ none: { constraints: [{ cel: { rule: "size(properties) > 0" } }] } })] };
    const alone = scene({ catalogs: [stocked(packages)], requests: [request("hermit")] });
    expect(resolve(alone).operators.map(({ package: name }) => name)).toEqual(["hermit"]);
    const two = scene({ catalogs: [stocked(packages)], requests: [request("hermit"), request("other-7")] });
    expect(resolve(two).outcome).toBe("Partial");
  });
});

describe("a resolver that is asked again", () => {
  test("gives the same answers as new ones", () => {
    const catalog = stocked({
      lamp: { "1.0.0": [needs("Oil")], "2.0.0": [needs("Oil"), needs("Wick")] },
      oil: { "1.0.0": [provides("Oil")] },
      wick: { "1.0.0": [provides("Wick")] },
    });
    const asked = { lamp: request("lamp"), oil: request("oil"), wick: request("wick") };
    const base = scene({ catalogs: [catalog] });
    const installed = [running("oil.v1.0.0", [provides("Oil")], { package: "oil" })];
    const problems: Problem[] = [
      { ...base, requests: [asked.lamp] },
      { ...base, requests: [asked.lamp, asked.wick] },
      { ...base, requests: [asked.oil], installed },
      { ...base, requests: [asked.lamp], installed },
      { ...base, requests: [] },
      { ...base, requests: [asked.lamp] },
    ];
    const kept = new Resolver();
    for (const problem of problems) {
      const { statistics: _, ...again } = explainAnswer({ problem, answer: kept.resolve(problem), heldBack: "all" });
      const { statistics: __, ...anew } = resolve(problem);
      expect(again).toEqual(anew);
    }
  });
});

describe("what went wrong once", () => {
  const noOther = constraint({ none: { constraints: [gvk("X")] } });

  test("an operator that waits for approval does not stand in its own way", () => {
    const problem = scene({
      catalogs: [stocked({ q: { "1.0.0": [provides("X"), noOther] }, b: { "1.0.0": [] } })],
      installed: [running("q.v1.0.0", [provides("X"), noOther])],
      requests: [request("b", { approval: "Manual" }), request("q", { installed: "q.v1.0.0", approval: "Manual" })],
    });
    expect(resolve(problem)).toMatchObject({ outcome: "Resolved", unsatisfied: [] });
  });

  test("two that share their properties are still two", () => {
    const properties = [provides("X"), noOther];
    const a = { ...running("a.v1.0.0"), properties };
    const b = { ...running("b.v1.0.0", [], { namespace: "there" }), properties };
    const problem = scene({
      catalogs: [stocked({ c: { "1.0.0": [] } })],
      installed: [a],
      elsewhere: [b],
      requests: [request("c")],
    });
    expect(resolve(problem).outcome).toBe("Resolved");
  });

  test("a runtime constraint that cannot be read lets nothing through", () => {
    const runtime = { entries: [{ property: constraint({}), place: undefined }], problems: [] };
    const problem = scene({ catalogs: [stocked({ c: { "1.0.0": [] } })], runtime, requests: [request("c")] });
    expect(resolve(problem).operators).toEqual([]);
  });

  test("of two catalogs of one name, the one that is meant may be the one that is not available", () => {
    const catalog = stocked({ c: { "1.0.0": [] } }, { namespace: "x" });
    const unavailable = [{ name: "main", namespace: "y", priority: 0, reason: "gone" }];
    const asked = request("c", { catalog: { name: "main", namespace: "y" } });
    const { unsatisfied } = resolve(scene({ catalogs: [catalog], unavailable, requests: [asked] }));
    expect(unsatisfied.map(({ undecided }) => undecided)).toEqual([true]);
  });

  test("an approval that costs another request its operator has a warning", () => {
    const catalog = stocked({ a: { "1.0.0": [provides("X")] }, b: { "1.0.0": [provides("X")] } });
    const requests = [request("a", { approval: "Manual", priority: 1 }), request("b")];
    const { operators, warnings } = resolve(scene({ catalogs: [catalog], requests }));
    expect(operators.map(({ name }) => name)).toEqual(["b.v1.0.0"]);
    expect(warnings.map(({ code }) => code)).toEqual(["approval-excludes"]);
  });

  test("a hundred and fifty thousand bundles can be resolved", () => {
    const versions = Object.fromEntries(Array.from({ length: 150_000 }, (_, minor) => [`1.${minor}.0`, []]));
    const problem = scene({ catalogs: [stocked({ many: versions })], requests: [request("many")] });
    expect(resolve(problem).operators.map(({ name }) => name)).toEqual(["many.v1.149999.0"]);
  });
});

test("an API that is defined, but without an operator, is not provided; an option overrides that", () => {
  const catalog = stocked({ flags: { "1.0.0": [needs("FlagSet")] } });
  const problem = scene({ catalogs: [catalog], requests: [request("flags")], orphans: ["example.com/v1/FlagSet"] });
  const { unsatisfied } = resolve(problem);
  expect(
    unsatisfied.map(({ explanation }) => ({
      text: explanationText(explanation),
      changes: explanation.fixes.map(({ changes }) => changes),
    })),
  ).toEqual([
    {
      text: "flags 1.0.0 cannot be installed.\nflags 1.0.0 requires the API FlagSet (example.com/v1); its CRD exists on the cluster, but no operator provides it.",
      changes: [[declaring(provides("FlagSet"))]],
    },
  ]);
  const declared = { ...problem, node: { properties: [provides("FlagSet")] } };
  expect(resolve(declared).outcome).toBe("Resolved");
});

test("an optional requirement does not bring in an unrelated package", () => {
  const optional = constraint({
    package: { name: "x2", versionRange: ">=0.0.0" },
    action: { id: "require", optional: true },
  });
  const catalog = stocked({
    a: { "1.0.0": [needs("X"), optional] },
    x1: { "1.0.0": [provides("X")] },
    x2: { "1.0.0": [provides("X"), needsPackage("late")] },
    late: { "1.0.0": [] },
  });
  const { operators, optionalNotMet, proven } = resolve(scene({ catalogs: [catalog], requests: [request("a")] }));
  expect(operators.map(({ package: name }) => name)).toEqual(["a", "x1"]);
  expect([optionalNotMet.length, proven]).toEqual([1, true]);
});

test("if a rule cannot be evaluated, the explanation names the operator and the error", () => {
  const catalog = stocked({
    asker: { "1.0.0": [constraint({ cel: { rule: "properties.exists(p, p.type == 'size' && p.value.depth > 3)" } })] },
    shallow: { "1.0.0": [{ type: "size", value: "small" }] },
  });
  const { unsatisfied } = resolve(scene({ catalogs: [catalog], requests: [request("asker")] }));
  expect(explanationText(unsatisfied[0]?.explanation)).toMatch(
    /there is none: for shallow 1\.0\.0 it cannot be evaluated: /,
  );
});

describe("rules that cost too much", () => {
  const rule = "properties.exists(p, p.type == 'certified')";
  const limited = { celCostLimit: 2 };

  test("a no that rests on one is undecided, for any owner of the rule", () => {
    const asks = stocked({
      a: { "1.0.0": [constraint({ cel: { rule } })] },
      b: { "1.0.0": [{ type: "certified", value: true }] },
    });
    const problem = scene({ catalogs: [asks], requests: [request("a")] }, limited);
    expect(resolve(problem).unsatisfied.map(({ undecided }) => undecided)).toEqual([true]);
    const cheap = { ...problem, options: { ...problem.options, celCostLimit: 1_000_000 } };
    expect(resolve(cheap).outcome).toBe("Resolved");
  });

  test("what one problem could not afford is no concern of another", () => {
    const catalog = stocked({
      a: { "1.0.0": [constraint({ cel: { rule } })] },
      b: { "1.0.0": [needsPackage("ghost")] },
      c: { "1.0.0": [{ type: "certified", value: true }] },
    });
    const alone = scene({ catalogs: [catalog], requests: [request("b")] }, limited);
    const before = resolve(alone).outcome;
    resolve(scene({ catalogs: [catalog], requests: [request("a")] }, limited));
    expect([before, resolve(alone).outcome]).toEqual(["Unsatisfiable", "Unsatisfiable"]);
  });

  test("many rules over many bundles have a bound together", () => {
    const nested = (text: string) =>
      `properties.exists(a, properties.exists(b, properties.exists(c, a.type + b.type + c.type == '${text}')))`;
    const many = Array.from({ length: 25 }, (_, number) => ({ type: `t${number}`, value: number }));
    const rules = Array.from({ length: 60 }, (_, number) => constraint({ cel: { rule: nested(`x${number}`) } }));
    const packages: Record<string, Versions> = { asker: { "1.0.0": rules } };
    for (let number = 0; number < 40; number++) packages[`p${number}`] = { "1.0.0": many };
    const problem = scene({ catalogs: [stocked(packages)], requests: [request("asker")] }, { celCostLimit: 50_000 });
    const { unsatisfied } = resolve(problem);
    expect(unsatisfied.map(({ undecided }) => undecided)).toEqual([true]);
    expect(explanationText(unsatisfied[0]?.explanation)).toContain("the CEL rules exceeded their total cost limit");
  });

  test("one rule over many bundles has a bound of its own", () => {
    const nested =
      "properties.exists(a, properties.exists(b, properties.exists(c, properties.exists(d, a.type + b.type + c.type + d.type == 'x'))))";
    const many = Array.from({ length: 25 }, (_, number) => ({ type: `t${number}`, value: number }));
    const packages: Record<string, Versions> = { asker: { "1.0.0": [constraint({ cel: { rule: nested } })] } };
    for (let number = 0; number < 400; number++) packages[`p${number}`] = { "1.0.0": many };
    const { unsatisfied } = resolve(scene({ catalogs: [stocked(packages)], requests: [request("asker")] }));
    expect(unsatisfied.map(({ undecided }) => undecided)).toEqual([true]);
  });
});

describe("warnings of an answer", () => {
  test("unmet optional requirements and rules that are still broken are those of the answer itself", () => {
    for (let number = 0; number < 400; number++) {
      const problem = generateWorld(7_000_000 + number);
      const { operators, optionalNotMet, warnings } = resolve(problem);
      const names = new Set(operators.map(({ name }) => name));
      for (const { operator } of optionalNotMet) expect(names).toContain(operator.name);
      const there = new Set([...names, ...problem.elsewhere.map(({ name }) => name)]);
      for (const warning of warnings)
        if (warning.code === "already-broken" && warning.fate.kind === "stays")
          expect([...there].some((name) => warningText(warning, byName).includes(name))).toBe(true);
    }
  });
});

test("an operator that is held back also shows where its channel leads in the end", () => {
  const catalogs = [
    stocked({ lamp: { "1.0.0": [], "1.1.0": [], "1.2.0": [] }, pin: { "1.0.0": [needsPackage("lamp", "1.0.0")] } }),
  ];
  const installed = [running("lamp.v1.0.0"), running("pin.v1.0.0", [needsPackage("lamp", "1.0.0")])];
  const requests = [{ ...request("lamp"), installed: "lamp.v1.0.0" }];
  const { heldBack } = resolve(scene({ catalogs, requests, installed }));
  expect(heldBack).toMatchObject([
    {
      name: "lamp.v1.0.0",
      available: [{ name: "lamp.v1.1.0" }],
      head: { channel: "stable", bundle: { name: "lamp.v1.2.0" } },
    },
  ]);
  const next = [running("lamp.v1.1.0"), running("pin.v1.0.0", [needsPackage("lamp", "1.1.0")])];
  const last = [{ ...request("lamp"), installed: "lamp.v1.1.0" }];
  const { heldBack: atLast } = resolve(scene({ catalogs, requests: last, installed: next }));
  expect(atLast).toMatchObject([{ available: [{ name: "lamp.v1.2.0" }] }]);
  expect(atLast[0]).not.toHaveProperty("head");
});

describe("what was broken before", () => {
  const modes = (...supported: readonly string[]): Property => ({
    type: "olm.csv.metadata",
    value: { installModes: supported.map((type) => ({ type, supported: true })) },
  });
  const messages = (newer: readonly Property[], claims: boolean): readonly string[] => {
    const own = running("lamp.v1.0.0", [], {
      package: "lamp",
      installModes: [{ type: "AllNamespaces", supported: true }],
    });
    const catalogs = [stocked({ lamp: { "1.0.0": [], "2.0.0": newer } })];
    const requests = claims ? [{ ...request("lamp"), installed: "lamp.v1.0.0" }] : [];
    const targets = { all: false, names: ["here"] };
    const { warnings } = resolve(scene({ catalogs, requests, installed: [own], targets }));
    return warnings.filter(({ code }) => code === "already-broken").map((one) => warningText(one, byName));
  };
  const broken =
    "lamp.v1.0.0 does not support the install mode OwnNamespace, which the OperatorGroup of here needs; this was broken before";

  test("is repaired only where that is known", () => {
    expect(messages([modes("OwnNamespace")], true)).toEqual([`${broken}, and this answer repairs it`]);
    expect(messages([], true)).toEqual([
      `${broken}; this answer replaces it by lamp.v2.0.0, whose install modes are not known`,
    ]);
  });

  test("stays broken where nothing changes", () => {
    expect(messages([modes("OwnNamespace")], false)).toEqual([`${broken}, and stays broken`]);
  });
});

test("a namespace is resolved on top of what others will be", () => {
  const catalog = stocked({ lamp: { "1.0.0": [provides("Light")], "2.0.0": [] } });
  const lamp = (namespace: string) => running("lamp.v1.0.0", [provides("Light")], { namespace, package: "lamp" });
  const reader = running("reader.v1.0.0", [needs("Light")], { namespace: "south", package: "reader" });
  const update = { ...request("lamp"), installed: "lamp.v1.0.0" };
  const north = scene({
    namespace: "north",
    catalogs: [catalog],
    requests: [update],
    installed: [lamp("north")],
    elsewhere: [lamp("south"), reader],
  });
  const south = scene({
    namespace: "south",
    catalogs: [catalog],
    requests: [update],
    installed: [lamp("south"), reader],
    elsewhere: [lamp("north")],
  });
  const first = resolve(north);
  expect(first.operators.map(({ name }) => name)).toEqual(["lamp.v2.0.0"]);
  // By itself the south could go as well, because the lamp of the north gives light; together they would break the reader.
  expect(resolve(south).operators.map(({ name }) => name)).toEqual(["lamp.v2.0.0", "reader.v1.0.0"]);
  expect(
    resolve(afterOthers(south, [{ problem: north, resolution: first }])).operators.map(({ name }) => name),
  ).toEqual(["lamp.v1.0.0", "reader.v1.0.0"]);
});
