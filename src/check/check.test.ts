import { describe, expect, test } from "vitest";
import {
  answer,
  chosenBundle,
  constraint,
  gvk,
  needs,
  needsPackage,
  provides,
  request,
  running,
  scene,
  stocked,
} from "../../test/worlds/scene.ts";
import type { Property } from "../model/catalog.ts";
import { finding } from "../model/finding.ts";
import { wholeSource } from "../model/place.ts";
import type { Problem } from "../model/problem.ts";
import { check } from "./check.ts";

/** The rules that an answer, given by names, violates. */
function violated(
  problem: Problem,
  kept: readonly string[],
  chosen: readonly string[],
  satisfied: readonly string[] = [],
): readonly string[] {
  return check(problem, answer(problem, kept, chosen, satisfied)).map(({ rule }) => rule);
}

/** What a bundle `lamp.v1.0.0` with these properties violates when it alone is chosen. */
function alone(properties: readonly Property[], parts: Partial<Problem> = {}): readonly string[] {
  const problem = scene({ catalogs: [stocked({ lamp: { "1.0.0": properties } })], ...parts });
  return violated(problem, [], ["main/lamp.v1.0.0"]);
}

describe("what is real", () => {
  const catalog = stocked({ lamp: { "1.0.0": [] } });
  const problem = scene({ catalogs: [catalog], installed: [running("oil.v1.0.0")] });
  const { chosen, kept } = answer(problem, ["oil.v1.0.0"], ["main/lamp.v1.0.0"]);

  test("members exist, and once", () => {
    expect(check(problem, { kept, chosen, satisfied: [] })).toEqual([]);
    const twice = check(problem, { kept: [...kept, ...kept], chosen: [...chosen, ...chosen], satisfied: [] });
    expect(twice.map(({ text }) => text)).toEqual(["oil.v1.0.0 is kept twice", "main/lamp.v1.0.0 is chosen twice"]);
    const stranger = check(problem, { kept: [...kept, running("rope.v1.0.0")], chosen, satisfied: [] });
    expect(stranger).toEqual([{ rule: "unknown", text: "rope.v1.0.0 is kept, but does not run here" }]);
  });

  test("a bundle of another catalog, or a copy, is not in the catalogs", () => {
    const other = chosenBundle([stocked({ lamp: { "1.0.0": [] } })], "main/lamp.v1.0.0");
    const copy = { catalog, bundle: { ...(chosen[0]?.bundle as (typeof other)["bundle"]) } };
    for (const one of [other, copy])
      expect(check(problem, { kept, chosen: [one], satisfied: [] })).toEqual([
        { rule: "unknown", text: "main/lamp.v1.0.0 is chosen, but is in no catalog of the problem" },
      ]);
  });
});

describe("subscription", () => {
  const catalogs = [stocked({ lamp: { "1.0.0": [], "2.0.0": [] }, oil: { "1.0.0": [], "1.1.0": [] } })];
  const manual = request("lamp", { approval: "Manual" });

  test("nothing of a package with only Manual requests is chosen", () => {
    const problem = scene({ catalogs, unapproved: [manual] });
    expect(violated(problem, [], ["main/lamp.v2.0.0"])).toEqual(["subscription"]);
    expect(violated(problem, [], ["main/oil.v1.1.0"])).toEqual([]);
    expect(violated({ ...problem, unapproved: undefined }, [], ["main/lamp.v2.0.0"])).toEqual([]);
  });

  test("candidates of an Automatic request may be chosen; nothing else of the package", () => {
    const requests = [request("lamp", { id: "here/other", startingCSV: "lamp.v1.0.0" })];
    const problem = scene({ catalogs, requests, unapproved: [manual] });
    const chosen = (name: string) => check(problem, { ...answer(problem, [], [name]), satisfied: ["here/other"] });
    expect(chosen("main/lamp.v1.0.0")).toEqual([]);
    expect(chosen("main/lamp.v2.0.0").map(({ rule }) => rule)).toEqual(["subscription", "claim"]);
  });

  test("an operator that only Manual requests claim does not move", () => {
    const claim = request("oil", { approval: "Manual", installed: "oil.v1.0.0" });
    const problem = scene({ catalogs, requests: [claim], installed: [running("oil.v1.0.0")], unapproved: [claim] });
    expect(violated(problem, [], ["main/oil.v1.1.0"], ["oil"])).toEqual(["subscription", "subscription"]);
    expect(violated(problem, ["oil.v1.0.0"], [], ["oil"])).toEqual([]);
  });
});

describe("stay or move", () => {
  const catalog = stocked({ lamp: { "1.0.0": [], "1.1.0": [], "2.0.0": [] } });
  const installed = [running("lamp.v1.0.0")];
  const claimed = scene({ catalogs: [catalog], installed, requests: [request("lamp", { installed: "lamp.v1.0.0" })] });

  test("an operator stays, or moves along an edge", () => {
    expect(violated(claimed, ["lamp.v1.0.0"], [], ["lamp"])).toEqual([]);
    expect(violated(claimed, [], ["main/lamp.v1.1.0"], ["lamp"])).toEqual([]);
  });

  test("it does not vanish, jump or become two", () => {
    expect(violated(claimed, [], [])).toEqual(["upgrade-edge"]);
    expect(violated(claimed, [], ["main/lamp.v2.0.0"])).toEqual(["upgrade-edge"]);
    expect(violated(claimed, ["lamp.v1.0.0"], ["main/lamp.v1.1.0"], ["lamp"])).toContain("upgrade-edge");
  });

  test("an unclaimed operator stays", () => {
    const unclaimed = scene({ catalogs: [catalog], installed, requests: [request("lamp")] });
    expect(violated(unclaimed, ["lamp.v1.0.0"], [])).toEqual([]);
    expect(violated(unclaimed, [], ["main/lamp.v1.1.0"], ["lamp"])).toEqual(["upgrade-edge"]);
  });

  test("what is held stays", () => {
    const hold = { by: "flag", text: "--hold lamp" } as const;
    const held = { ...claimed, installed: [running("lamp.v1.0.0", [], { hold })] };
    expect(violated(held, ["lamp.v1.0.0"], [], ["lamp"])).toEqual([]);
    expect(violated(held, [], ["main/lamp.v1.1.0"], ["lamp"])).toEqual(["held-operator"]);
  });
});

describe("claims", () => {
  const catalog = stocked({ lamp: { "1.0.0": [] }, oil: { "1.0.0": [] } });
  const problem = scene({ catalogs: [catalog], requests: [request("lamp"), request("oil")] });

  test("a request is satisfied by its candidates only, and that is reported", () => {
    expect(violated(problem, [], ["main/lamp.v1.0.0"], ["lamp"])).toEqual([]);
    expect(violated(problem, [], ["main/lamp.v1.0.0"], ["lamp", "oil"])).toEqual(["claim"]);
    expect(violated(problem, [], ["main/lamp.v1.0.0"], [])).toEqual(["claim"]);
    expect(violated(problem, [], ["main/lamp.v1.0.0"], ["lamp", "lamp"])).toEqual(["claim"]);
    expect(violated(problem, [], ["main/lamp.v1.0.0"], ["lamp", "rope"])).toEqual(["claim"]);
  });
});

describe("requirements", () => {
  const catalog = stocked({
    lamp: { "1.0.0": [needs("Oil")] },
    oil: { "1.0.0": [provides("Oil")] },
    picky: { "1.0.0": [constraint({ none: { constraints: [gvk("Oil")] } })] },
    proud: { "1.0.0": [provides("Oil"), constraint({ ...gvk("Oil"), action: { id: "conflict" } })] },
    dreamer: { "1.0.0": [constraint({ ...gvk("Moon"), action: { id: "require", optional: true } })] },
    self: { "1.0.0": [needs("Self"), provides("Self")] },
    split: { "1.0.0": [constraint({ all: { constraints: [gvk("Oil"), gvk("Self")] } })] },
    both: { "1.0.0": [constraint({ all: { scope: "bundle", constraints: [gvk("Oil"), gvk("Self")] } })] },
    either: { "1.0.0": [constraint({ any: { constraints: [gvk("Oil"), gvk("Moon")] } })] },
    other: {
      "1.0.0": [provides("Rope"), constraint({ none: { constraints: [{ none: { constraints: [gvk("Rope")] } }] } })],
    },
  });
  const problem = scene({ catalogs: [catalog] });
  const chosen = (...names: readonly string[]): readonly string[] =>
    violated(
      problem,
      [],
      names.map((name) => `main/${name}.v1.0.0`),
    );

  test("some member must meet them, possibly the bundle itself", () => {
    expect(chosen("lamp")).toEqual(["dependency"]);
    expect(chosen("lamp", "oil")).toEqual([]);
    expect(chosen("self")).toEqual([]);
  });

  test("none excludes all others; the requirer itself does not count below it", () => {
    expect(chosen("picky")).toEqual([]);
    expect(chosen("picky", "oil")).toEqual(["compound"]);
    expect(chosen("proud")).toEqual([]);
    expect(chosen("picky", "proud")).toEqual(["compound"]);
    expect(chosen("other")).toEqual(["compound"]);
  });

  test("scopes differ", () => {
    expect(chosen("split", "oil", "self")).toEqual([]);
    expect(chosen("both", "oil", "self")).toEqual(["compound"]);
    expect(chosen("either")).toEqual(["compound"]);
    expect(chosen("either", "oil")).toEqual([]);
  });

  test("an optional requirement need not be met", () => {
    expect(chosen("dreamer")).toEqual([]);
  });

  test("the cluster and operators elsewhere meet them too", () => {
    const lamp = ["main/lamp.v1.0.0"];
    expect(violated({ ...problem, node: { properties: [provides("Oil")] } }, [], lamp)).toEqual([]);
    const well = running("well.v1.0.0", [provides("Oil")], { namespace: "there" });
    expect(violated({ ...problem, elsewhere: [well] }, [], lamp)).toEqual([]);
  });

  test("those elsewhere demand as well", () => {
    const hermit = running("hermit.v1.0.0", [constraint({ ...gvk("Oil"), action: { id: "conflict" } })], {
      namespace: "there",
    });
    const shared = { ...problem, elsewhere: [hermit] };
    expect(violated(shared, [], [])).toEqual([]);
    expect(check(shared, answer(shared, [], ["main/oil.v1.0.0"]))).toEqual([
      { rule: "conflict", text: "there/hermit.v1.0.0 does not have what its property 2 requires (none)" },
    ]);
  });
});

describe("what was broken before", () => {
  const catalog = stocked({ lamp: { "1.0.0": [needs("Oil")] }, oil: { "1.0.0": [provides("Oil")], "1.1.0": [] } });
  const installed = [running("lamp.v1.0.0", [needs("Oil")]), running("oil.v1.0.0", [provides("Oil")])];
  const requests = [request("oil", { installed: "oil.v1.0.0" })];

  test("a requirement that fails already may keep failing, one that held may not", () => {
    const lampOnly = scene({ catalogs: [catalog], installed: installed.slice(0, 1) });
    expect(violated(lampOnly, ["lamp.v1.0.0"], [])).toEqual([]);
    const whole = scene({ catalogs: [catalog], installed, requests });
    expect(violated(whole, ["lamp.v1.0.0"], ["main/oil.v1.1.0"], ["oil"])).toEqual(["dependency"]);
  });

  test("as OLM does it, nothing is relaxed", () => {
    const lampOnly = scene({ catalogs: [catalog], installed: installed.slice(0, 1) }, { compat: true });
    expect(violated(lampOnly, ["lamp.v1.0.0"], [])).toEqual(["dependency"]);
  });

  test("two that run already may clash, a new one may not", () => {
    const two = [running("a.v1.0.0", [provides("Oil")]), running("b.v1.0.0", [provides("Oil")], { package: "a" })];
    const clash = scene({ catalogs: [catalog], installed: two });
    const names = ["a.v1.0.0", "b.v1.0.0"];
    expect(violated(clash, names, [])).toEqual([]);
    expect(violated(clash, names, ["main/oil.v1.0.0"])).toEqual(["one-provider"]);
    const strict = { ...clash, options: { ...clash.options, compat: true } };
    expect(violated(strict, names, [])).toEqual(["one-bundle", "one-provider"]);
  });

  test("an operator that does not fit the cluster may stay", () => {
    const old = [running("a.v1.0.0", [constraint({})], { minKubeVersion: "1.30.0" })];
    const node = { properties: [{ type: "kubernetes.version", value: "1.28.0" }] };
    expect(violated(scene({ installed: old, node }), ["a.v1.0.0"], [])).toEqual([]);
    expect(violated(scene({ installed: old, node }, { compat: true }), ["a.v1.0.0"], [])).toEqual([]);
  });
});

describe("one per package and per API", () => {
  const catalog = stocked({
    lamp: { "1.0.0": [provides("Light")], "2.0.0": [] },
    torch: { "1.0.0": [provides("Light")] },
  });

  test("in the namespace", () => {
    const problem = scene({ catalogs: [catalog] });
    expect(violated(problem, [], ["main/lamp.v1.0.0", "main/lamp.v2.0.0"])).toEqual(["one-bundle"]);
    expect(violated(problem, [], ["main/lamp.v1.0.0", "main/torch.v1.0.0"])).toEqual(["one-provider"]);
    expect(violated(problem, [], ["main/lamp.v2.0.0", "main/torch.v1.0.0"])).toEqual([]);
  });

  test("with other namespaces only where the packages differ; the cluster does not count", () => {
    const there = (owner: string | undefined): Problem => {
      const one = running("lamp.v1.0.0", [provides("Light")], { namespace: "there", package: owner });
      return scene({ catalogs: [catalog], elsewhere: [one] });
    };
    expect(violated(there("lamp"), [], ["main/lamp.v1.0.0"])).toEqual([]);
    expect(violated(there("torch"), [], ["main/lamp.v1.0.0"])).toEqual(["one-provider"]);
    expect(violated(there(undefined), [], ["main/lamp.v1.0.0"])).toEqual(["one-provider"]);
    expect(alone([provides("Light")], { node: { properties: [provides("Light")] } })).toEqual([]);
  });

  test("two unknown packages differ", () => {
    const light = (namespace: string) => running("x.v1.0.0", [provides("Light")], { namespace, package: undefined });
    const problem = scene({ installed: [light("here")], elsewhere: [light("there")] }, { compat: true });
    expect(violated(problem, ["x.v1.0.0"], [])).toEqual(["one-provider"]);
  });

  test("operators of unknown packages are of no package", () => {
    const installed = [
      running("x.v1.0.0", [], { package: undefined }),
      running("y.v1.0.0", [], { package: undefined }),
    ];
    expect(violated(scene({ installed }, { compat: true }), ["x.v1.0.0", "y.v1.0.0"], [])).toEqual([]);
  });
});

describe("what may be chosen", () => {
  test("neither deprecated, nor malformed, nor of a removed package", () => {
    expect(alone([])).toEqual([]);
    expect(alone([{ type: "olm.deprecated", value: {} }])).toEqual(["deprecation"]);
    expect(alone([constraint({ cel: { rule: "(" } })])).toEqual(["malformed-constraint"]);
    expect(alone([], { removed: ["lamp"] })).toEqual(["subscription"]);
  });

  test("no compound while the gate is off", () => {
    const catalogs = [stocked({ lamp: { "1.0.0": [constraint({ all: { constraints: [] } })] } })];
    const off = scene({ catalogs }, { compoundConstraints: false });
    expect(violated(off, [], ["main/lamp.v1.0.0"])).toEqual(["feature-gate"]);
    expect(violated(scene({ catalogs }), [], ["main/lamp.v1.0.0"])).toEqual([]);
  });

  test("a skipped bundle only if a request begins with it", () => {
    const channel = {
      schema: "olm.channel",
      package: "lamp",
      name: "skipping",
      entries: [{ name: "lamp.v2.0.0", skips: ["lamp.v1.0.0"] }, { name: "lamp.v1.0.0" }],
    };
    const documents = [
      { schema: "olm.package", name: "lamp", defaultChannel: "skipping" },
      channel,
      ...["1.0.0", "2.0.0"].map((version) => ({
        schema: "olm.bundle",
        package: "lamp",
        name: `lamp.v${version}`,
        image: "example.com/lamp",
        properties: [{ type: "olm.package", value: { packageName: "lamp", version } }],
      })),
    ];
    const catalogs = [stocked({}, {}, documents)];
    expect(violated(scene({ catalogs }), [], ["main/lamp.v1.0.0"])).toEqual(["upgrade-edge"]);
    expect(violated(scene({ catalogs }), [], ["main/lamp.v2.0.0"])).toEqual([]);
    const starting = scene({ catalogs, requests: [request("lamp", { startingCSV: "lamp.v1.0.0" })] });
    expect(violated(starting, [], ["main/lamp.v1.0.0"], ["lamp"])).toEqual([]);
  });

  test("the administrator's constraints hold for what is new", () => {
    const conflict = { property: constraint({ ...gvk("Light"), action: { id: "conflict" } }), place: undefined };
    const broken = { property: constraint({ cel: { rule: "properties[99].type == 'x'" } }), place: undefined };
    const forbidden = { runtime: { entries: [conflict], problems: [] } };
    expect(alone([provides("Light")], forbidden)).toEqual(["runtime-constraint"]);
    expect(alone([provides("Dark")], forbidden)).toEqual([]);
    expect(alone([], { runtime: { entries: [broken], problems: [] } })).toEqual(["runtime-constraint"]);
    const kept = scene({ installed: [running("lamp.v1.0.0", [provides("Light")])], ...forbidden });
    expect(violated(kept, ["lamp.v1.0.0"], [])).toEqual([]);
  });

  test("an error is against a conflict too", () => {
    const value = { cel: { rule: "properties[99].type == 'x'" }, action: { id: "conflict" } };
    const entries = [{ property: constraint(value), place: undefined }];
    expect(alone([], { runtime: { entries, problems: [] } })).toEqual(["runtime-constraint"]);
  });

  test("nothing, while those cannot be read", () => {
    const problems = [finding("PL009", wholeSource("runtime.yaml"), { message: "no list" })];
    expect(alone([], { runtime: { entries: [], problems } })).toEqual(["runtime-constraint"]);
    const catalogs = [stocked({ lamp: { "1.0.0": [] } })];
    expect(violated(scene({ catalogs, runtime: { entries: [], problems } }), [], [])).toEqual([]);
  });

  test("it fits the versions of the cluster, where they are known", () => {
    const on = (...properties: readonly Property[]): Partial<Problem> => ({ node: { properties } });
    const kubernetes = (value: string): Property => ({ type: "kubernetes.version", value });
    const openshift = (value: string): Property => ({ type: "openshift.version", value });
    const min = [{ type: "olm.csv.metadata", value: { minKubeVersion: "1.30" } }];
    expect(alone(min, on(kubernetes("v1.30.0-gke.5")))).toEqual([]);
    expect(alone(min, on(kubernetes("1.29.9")))).toEqual(["platform-version"]);
    expect(alone(min, on(kubernetes("1.30.0-rc.1")))).toEqual([]);
    expect(alone(min, on(kubernetes("2.0.0")))).toEqual([]);
    const suffixed = [{ type: "olm.csv.metadata", value: { minKubeVersion: "1.30.1-0" } }];
    expect(alone(suffixed, on(kubernetes("1.30.1-alpha.1")))).toEqual([]);
    expect(alone(suffixed, on(kubernetes("1.30.0")))).toEqual(["platform-version"]);
    expect(alone(min)).toEqual([]);
    const max = [{ type: "olm.maxOpenShiftVersion", value: "4.14" }];
    expect(alone(max, on(openshift("4.14.9")))).toEqual([]);
    expect(alone(max, on(openshift("4.15.0")))).toEqual(["platform-version"]);
    expect(alone(max, on(openshift("5.0")))).toEqual(["platform-version"]);
    expect(alone(max, on(openshift("3.99")))).toEqual([]);
  });

  test.each([
    [["AllNamespaces"], { all: true, names: [] }, true],
    [["OwnNamespace"], { all: true, names: [] }, false],
    [["OwnNamespace"], { all: false, names: ["here"] }, true],
    [["SingleNamespace"], { all: false, names: ["here"] }, false],
    [["SingleNamespace"], { all: false, names: ["there"] }, true],
    [["MultiNamespace"], { all: false, names: ["there", "yonder"] }, true],
    [["MultiNamespace"], { all: false, names: ["here", "there"] }, false],
    [["MultiNamespace", "OwnNamespace"], { all: false, names: ["here", "there"] }, true],
    [["OwnNamespace"], undefined, true],
    [[], { all: true, names: [] }, true],
  ])("install modes %j for %j: %j", (supported, targets, fits) => {
    const installModes = supported.map((type) => ({ type, supported: true }));
    const metadata = { type: "olm.csv.metadata", value: { installModes } };
    expect(alone([metadata], { targets })).toEqual(fits ? [] : ["install-mode"]);
  });
});

describe("a catalog that cannot be read", () => {
  const catalogs = [
    stocked({ lamp: { "1.0.0": [needs("Oil")] }, well: { "1.0.0": [provides("Oil")] } }, { name: "main", priority: 1 }),
    stocked({ oil: { "1.0.0": [provides("Oil")] } }, { name: "other", priority: 0 }),
  ];
  const lost = { name: "lost", priority: 0, reason: "gone" };
  const lamp = "main/lamp.v1.0.0";
  const oil = "other/oil.v1.0.0";

  test("its place might hold a better provider than a later catalog", () => {
    const problem = scene({ catalogs, unavailable: [lost] });
    expect(violated(problem, [], [lamp, oil])).toEqual(["dependency"]);
    expect(violated({ ...problem, unavailable: [{ ...lost, name: "zone" }] }, [], [lamp, oil])).toEqual([]);
    expect(violated({ ...problem, unavailable: [{ ...lost, priority: 9 }] }, [], [lamp, "main/well.v1.0.0"])).toEqual(
      [],
    );
  });

  test("but requested bundles count, and ignored catalogs do not", () => {
    const asked = scene({ catalogs, unavailable: [lost], requests: [request("oil")] });
    expect(violated(asked, [], [lamp, oil], ["oil"])).toEqual([]);
    const ignored = scene({ catalogs, unavailable: [lost] }, { ignoreUnavailable: true });
    expect(violated(ignored, [], [lamp, oil])).toEqual([]);
  });

  test("below a none all members count", () => {
    const shy = stocked({ shy: { "1.0.0": [constraint({ none: { constraints: [gvk("Oil")] } })] } }, { name: "a" });
    const problem = scene({ catalogs: [...catalogs, shy], unavailable: [lost] });
    expect(violated(problem, [], ["a/shy.v1.0.0", oil])).toEqual(["compound"]);
  });
});

test("a package requirement is met inside its range only", () => {
  const catalogs = [
    stocked({ lamp: { "1.0.0": [needsPackage("oil", ">=2.0.0")] }, oil: { "1.0.0": [], "2.0.0": [] } }),
  ];
  expect(violated(scene({ catalogs }), [], ["main/lamp.v1.0.0", "main/oil.v1.0.0"])).toEqual(["dependency"]);
  expect(violated(scene({ catalogs }), [], ["main/lamp.v1.0.0", "main/oil.v2.0.0"])).toEqual([]);
});
