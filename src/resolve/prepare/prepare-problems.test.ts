// Do objects, catalogs and flags become the right problems? Cases E and I of the reference, by their ids, as far as they
// concern what is asked.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogOf } from "../../../test/catalog/lantern-catalog.ts";
import {
  given,
  operator,
  operatorGroup,
  PLACE,
  packageDocuments,
  recorded,
  subscription,
  upgradeable,
} from "../../../test/resolve/prepare-given.ts";
import type { Catalog } from "../../model/catalog.ts";
import type { CatalogSource } from "../../model/catalog-source.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import { DEFAULT_OPTIONS, type Problem } from "../../model/problem.ts";
import { changedProblems } from "../no-effect.ts";
import { namespacesWithSubscriptions } from "./asked-namespaces.ts";
import { prepareProblems } from "./prepare-problems.ts";
import type { Given } from "./problem-inputs.ts";

function prepare(objects: Partial<ClusterObjects>, more: Partial<Given> = {}): Problem {
  return prepareProblems(given(objects, more)).problems[0] as Problem;
}

function codes(objects: Partial<ClusterObjects>, more: Partial<Given> = {}): readonly string[] {
  return prepareProblems(given(objects, more)).warnings.map(({ code }) => code);
}

const COMPAT = { options: { ...DEFAULT_OPTIONS, compat: true } };

describe("requests", () => {
  test("E01: a Subscription without a channel", () => {
    expect(prepare({ subscriptions: [subscription("a")] }).requests).toEqual([
      {
        id: "ns/a",
        name: "a",
        priority: 0,
        package: "a",
        catalog: { name: "harbour", namespace: "olm" },
        approval: "Automatic",
        place: PLACE,
      },
    ]);
  });

  test("by priority, then by name; those of other namespaces are not among them", () => {
    const subscriptions = [
      subscription("b"),
      subscription("a", { priority: -1 }),
      subscription("c", { priority: 7 }),
      subscription("B"),
      subscription("far", { namespace: "far" }),
    ];
    expect(prepare({ subscriptions }).requests.map(({ id }) => id)).toEqual(["ns/c", "ns/B", "ns/b", "ns/a"]);
    expect(namespacesWithSubscriptions(given({ subscriptions }).objects)).toEqual(["far", "ns"]);
  });

  test("named packages have names of their own, and continue what is installed", () => {
    const named = [{ package: "a" }, { package: "b", channel: "beta" }, { package: "a" }, { package: "b" }];
    const { requests } = prepare(
      {
        subscriptions: [subscription("a", { package: "other" })],
        installedOperators: [
          recorded("b", "1.0.0"),
          recorded("b", "2.0.0", { replaces: "b.v1.0.0" }),
          recorded("b", "3.0.0", { terminating: true }),
        ],
      },
      { named },
    );
    expect(requests.map(({ id, channel, installed }) => [id, channel, installed])).toEqual([
      ["ns/a", undefined, undefined],
      ["ns/a#2", undefined, undefined],
      ["ns/b", undefined, "b.v2.0.0"],
      ["ns/b#2", "beta", "b.v2.0.0"],
    ]);
  });
});

describe("claims", () => {
  test("E17: the operator that a Subscription has installed", () => {
    const { requests } = prepare({
      subscriptions: [subscription("a", { installedCSV: "a.v1" })],
      installedOperators: [operator("a", "1")],
    });
    expect(requests[0]?.installed).toBe("a.v1");
  });

  test("E18: also one of another package", () => {
    const { requests, installed } = prepare({
      subscriptions: [subscription("b", { installedCSV: "a.v1" })],
      installedOperators: [recorded("a", "1")],
    });
    expect(requests[0]).toMatchObject({ package: "b", installed: "a.v1" });
    expect(installed[0]?.package).toBe("a");
  });

  test("E20: a Subscription whose operator is gone is as new", () => {
    const { requests } = prepare({
      subscriptions: [subscription("a", { installedCSV: "a.v1", startingCSV: "a.v1" })],
      installedOperators: [operator("a", "1", { copied: true }), operator("a", "1", { namespace: "far" })],
    });
    expect(requests[0]).toMatchObject({ startingCSV: "a.v1" });
    expect(requests[0]?.installed).toBeUndefined();
  });

  test("E16: operators of other namespaces are elsewhere, with any names", () => {
    const installedOperators = ["far", "away", "ns"].map((namespace) => operator("a", "1", { namespace }));
    const { installed, elsewhere } = prepare({ installedOperators });
    expect(installed.map(({ namespace }) => namespace)).toEqual(["ns"]);
    expect(elsewhere.map(({ namespace }) => namespace)).toEqual(["away", "far"]);
  });
});

describe("adoption", () => {
  const waiting = [subscription("a")];

  test("an unclaimed operator, by the only Subscription of its package", () => {
    expect(prepare({ subscriptions: waiting, installedOperators: [recorded("a", "1")] }).requests[0]?.installed).toBe(
      "a.v1",
    );
  });

  const refused: readonly (readonly [string, Partial<ClusterObjects>, Partial<Given>?])[] = [
    ["never as OLM does it", { subscriptions: waiting, installedOperators: [recorded("a", "1")] }, COMPAT],
    [
      "not by one of two",
      { subscriptions: [...waiting, subscription("s", { package: "a" })], installedOperators: [recorded("a", "1")] },
    ],
    [
      "not by one that has had an operator",
      { subscriptions: [subscription("a", { installedCSV: "a.v0" })], installedOperators: [recorded("a", "1")] },
    ],
    ["not one of another package", { subscriptions: waiting, installedOperators: [recorded("b", "1")] }],
    ["not one of two", { subscriptions: waiting, installedOperators: [recorded("a", "1"), recorded("a", "2")] }],
    [
      "not one that a request claims",
      {
        subscriptions: [...waiting, subscription("s", { installedCSV: "a.v1" })],
        installedOperators: [recorded("a", "1")],
      },
    ],
    [
      "not one that goes: phase Replacing",
      { subscriptions: waiting, installedOperators: [recorded("a", "1", { phase: "Replacing" })] },
    ],
    [
      "not one that goes: phase Deleting",
      { subscriptions: waiting, installedOperators: [recorded("a", "1", { phase: "Deleting" })] },
    ],
    [
      "not one that goes: terminating",
      { subscriptions: waiting, installedOperators: [recorded("a", "1", { terminating: true })] },
    ],
    [
      "not one that another replaces",
      { subscriptions: waiting, installedOperators: [recorded("a", "1"), recorded("b", "2", { replaces: "a.v1" })] },
    ],
  ];
  for (const [why, objects, more = {}] of refused)
    test(why, () => {
      const request = prepare(objects, more).requests.find(({ name }) => name === "a");
      expect(request?.installed).toBeUndefined();
    });

  test("of an old one and its successor, the successor", () => {
    const installedOperators = [recorded("a", "1"), recorded("a", "2", { replaces: "a.v1" })];
    expect(prepare({ subscriptions: waiting, installedOperators }).requests[0]?.installed).toBe("a.v2");
  });
});

describe("fail-forward", () => {
  const subscriptions = [subscription("a", { installedCSV: "a.v3" })];
  const phases = (...all: readonly string[]) =>
    all.map((phase, index) => recorded("a", `${index + 1}`, { phase, ...(index > 0 && { replaces: `a.v${index}` }) }));
  const on = [operatorGroup({ upgradeStrategy: "TechPreviewUnsafeFailForward" })];

  test.each([
    ["E36: off", [operatorGroup()], phases("Replacing", "Replacing", "Failed"), ["a.v1", "a.v2", "a.v3"], []],
    ["E37: on", on, phases("Replacing", "Replacing", "Failed"), ["a.v3"], []],
    ["E38: on, all failed", on, phases("Failed", "Failed", "Failed"), ["a.v1", "a.v2", "a.v3"], ["fail-forward"]],
  ])("%s", (_, operatorGroups, installedOperators, names, warned) => {
    const { problems, warnings } = prepareProblems(given({ subscriptions, operatorGroups, installedOperators }));
    expect(problems[0]?.installed.map(({ name }) => name)).toEqual(names);
    expect(problems[0]?.requests[0]?.installed).toBe("a.v3");
    expect(warnings.map(({ code }) => code)).toEqual(warned);
  });
});

describe("OperatorGroups", () => {
  test.each([
    ["E42: none, with Subscriptions", { subscriptions: [subscription("a")] }, ["operator-groups"]],
    ["E42: two", { operatorGroups: [operatorGroup(), operatorGroup({ name: "h" })] }, ["operator-groups"]],
    ["none, without Subscriptions", {}, []],
    ["one", { subscriptions: [subscription("a")], operatorGroups: [operatorGroup()] }, []],
  ])("%s", (_, objects, warned) => {
    expect(codes(objects, { named: [{ package: "b" }] })).toEqual(warned);
  });

  const selector = { matchLabels: { team: "x" }, matchExpressions: [] };
  test.each([
    ["nothing asked for", {}, { all: true, names: [] }],
    ["an empty selector", { selector: { matchLabels: {}, matchExpressions: [] } }, { all: true, names: [] }],
    ["names", { targetNamespaces: ["b", "a", "b"] }, { all: false, names: ["a", "b"] }],
    ["a selector", { selector }, undefined],
    ["a selector that was looked up", { selector, namespaces: ["c"] }, { all: false, names: ["c"] }],
    ["all, as found", { targetNamespaces: ["a"], namespaces: [""] }, { all: true, names: [] }],
  ])("targets: %s", (_, more, targets) => {
    expect(prepare({ operatorGroups: [operatorGroup(more)] }).targets).toEqual(targets);
  });
});

describe("holds", () => {
  const installedOperators = [recorded("a", "1"), recorded("b", "1")];

  test("an operator that reports it cannot be upgraded", () => {
    const operatorConditions = [upgradeable("a.v1", "False", "migrating"), upgradeable("b.v1", "True", "fine")];
    const { installed } = prepare({ installedOperators, operatorConditions });
    expect(installed.map(({ hold }) => hold)).toEqual([{ by: "condition", text: "migrating" }, undefined]);
    const silent = prepare({ installedOperators, operatorConditions: [upgradeable("a.v1", "False")] });
    expect(silent.installed[0]?.hold?.text).toBe("its condition Upgradeable is False");
  });

  test("a package named with --hold, or that of the Subscription that claims it", () => {
    const subscriptions = [subscription("c", { installedCSV: "b.v1" })];
    const { installed } = prepare({ installedOperators, subscriptions }, { held: ["a", "c"] });
    expect(installed.map(({ hold }) => hold)).toEqual([
      { by: "flag", text: "--hold a", package: "a" },
      { by: "flag", text: "--hold c", package: "c" },
    ]);
  });

  test("a package that is not installed", () => {
    expect(codes({ installedOperators }, { held: ["a", "z"] })).toEqual(["nothing-to-hold"]);
  });

  test.each(["hold", "remove"] as const)("a misspelt --%s is reported as for a saved problem", (kind) => {
    const objects = { installedOperators: [recorded("lading", "1")] };
    const flags = kind === "hold" ? { held: ["ladin"] } : { removed: ["ladin"] };
    const { warnings } = prepareProblems(given(objects, flags));
    expect(warnings).toMatchObject([{ package: "ladin", meant: "lading" }]);
    const saved = prepareProblems(given(objects)).problems;
    expect(changedProblems(saved, [{ kind, package: "ladin" }]).warnings).toEqual(warnings);
  });
});

describe("removal", () => {
  const installedOperators = [
    recorded("a", "1"),
    recorded("b", "1"),
    recorded("old", "1"),
    recorded("a", "1", { namespace: "far" }),
  ];
  const subscriptions = [subscription("a", { installedCSV: "a.v1" }), subscription("new", { installedCSV: "old.v1" })];

  test("takes Subscriptions, and the operators that they are for", () => {
    const problem = prepare({ installedOperators, subscriptions }, { removed: ["new", "a"] });
    expect(problem.requests).toEqual([]);
    expect(problem.installed.map(({ name }) => name)).toEqual(["b.v1"]);
    expect(problem.gone.map(({ name }) => name)).toEqual(["a.v1", "old.v1"]);
    expect(problem.removed).toEqual(["a", "new"]);
    expect(problem.elsewhere.map(({ namespace }) => namespace)).toEqual(["far"]);
  });

  test("in every namespace that is resolved", () => {
    const more = { removed: ["a"], namespaces: ["ns", "far"] };
    const { problems } = prepareProblems(given({ installedOperators, subscriptions }, more));
    for (const problem of problems)
      expect(problem.gone.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(["far/a.v1", "ns/a.v1"]);
    expect(problems[1]?.elsewhere).toEqual([]);
  });

  test("of a package that is nowhere", () => {
    const { warnings } = prepareProblems(given({ installedOperators }, { removed: ["a", "zebra"] }));
    expect(warnings).toEqual([{ code: "nothing-to-remove", package: "zebra", where: { namespace: "ns" } }]);
  });
});

describe("catalogs", () => {
  const source = (name: string, namespace: string, priority: number): CatalogSource => ({
    place: PLACE,
    namespace,
    name,
    priority,
    sourceType: "grpc",
  });
  const catalog = (name: string, more: Partial<Catalog> = {}): Catalog => ({ ...catalogOf([], name), ...more });

  test("I05: sorted, with the priority of their CatalogSources unless they have one", () => {
    const { catalogs } = prepare(
      { catalogSources: [source("a", "olm", 3), source("b", "ns", 4), source("c", "x", 1), source("c", "y", 9)] },
      { catalogs: [catalog("c", { namespace: "y" }), catalog("b", { priority: 8 }), catalog("a"), catalog("z")] },
    );
    expect(catalogs.map(({ namespace, name, priority }) => [namespace, name, priority])).toEqual([
      [undefined, "z", 0],
      ["ns", "b", 8],
      ["olm", "a", 3],
      ["y", "c", 9],
    ]);
  });

  test("two CatalogSources of one name that differ", () => {
    const objects = { catalogSources: [source("a", "x", 1), source("a", "y", 2)] };
    expect(codes(objects, { catalogs: [catalog("a")] })).toEqual(["catalog-priority"]);
    expect(prepare(objects, { catalogs: [catalog("a")] }).catalogs).toMatchObject([{ priority: 0 }]);
  });

  test("I04: one that cannot be used is there, with its priority and reason", () => {
    const unavailable = [{ name: "a", priority: 0, reason: "no route" }];
    const problem = prepare({ catalogSources: [source("a", "olm", 3)] }, { unavailable });
    expect(problem.unavailable).toEqual([{ name: "a", namespace: "olm", priority: 3, reason: "no route" }]);
  });

  test("I08: only its own, if the OperatorGroup states so", () => {
    const annotations = { "olm.operatorframework.io/exclude-global-namespace-resolution": "true" };
    const more = {
      catalogs: [catalog("own", { namespace: "ns" }), catalog("global", { namespace: "olm" }), catalog("unknown")],
      unavailable: [{ name: "bad", namespace: "olm", priority: 0, reason: "no route" }],
    };
    const { catalogs, unavailable } = prepare({ operatorGroups: [operatorGroup({ annotations })] }, more);
    expect(catalogs.map(({ name }) => name)).toEqual(["unknown", "own"]);
    expect(unavailable).toEqual([]);
    expect(prepare({ operatorGroups: [operatorGroup()] }, more).catalogs).toHaveLength(3);
  });
});

test("the order of objects, catalogs and flags changes nothing", () => {
  const lamp = catalogOf(packageDocuments("lamp", "1.0.0", "2.0.0"), "lamps");
  const oil = catalogOf(packageDocuments("oil", "1.0.0"), "oils");
  const objects = {
    subscriptions: [
      subscription("lamp", { installedCSV: "lamp.v1.0.0" }),
      subscription("oil"),
      subscription("wick", { priority: 2 }),
      subscription("far", { namespace: "far", package: "lamp" }),
    ],
    installedOperators: [
      operator("lamp", "1.0.0"),
      operator("oil", "1.0.0"),
      recorded("gone", "1.0.0"),
      recorded("lamp", "2.0.0", { namespace: "far" }),
      recorded("wick", "1.0.0", { namespace: "else" }),
    ],
    operatorGroups: [operatorGroup(), operatorGroup({ name: "h" }), operatorGroup({ namespace: "far" })],
    operatorConditions: [upgradeable("lamp.v1.0.0", "False", "busy")],
  };
  const more = {
    catalogs: [lamp, oil],
    namespaces: ["ns", "far"],
    named: [{ package: "wick" }, { package: "lamp", channel: "stable" }, { package: "lamp" }],
    removed: ["gone", "absent"],
    held: ["oil", "nobody"],
  };
  const expected = prepareProblems(given(objects, more));
  expect(expected.warnings).toHaveLength(3);
  const shuffled = <Thing>(things: readonly Thing[]): fc.Arbitrary<Thing[]> =>
    fc.shuffledSubarray([...things], { minLength: things.length });
  fc.assert(
    fc.property(
      fc.record({
        subscriptions: shuffled(objects.subscriptions),
        installedOperators: shuffled(objects.installedOperators),
        operatorGroups: shuffled(objects.operatorGroups),
        operatorConditions: shuffled(objects.operatorConditions),
      }),
      fc.record({
        catalogs: shuffled(more.catalogs),
        namespaces: shuffled(more.namespaces),
        named: shuffled(more.named),
        removed: shuffled(more.removed),
        held: shuffled(more.held),
      }),
      (otherObjects, otherMore) => {
        expect(prepareProblems(given(otherObjects, otherMore))).toEqual(expected);
      },
    ),
    { numRuns: process.env.PLIMSOLL_LONG ? 2000 : 50 },
  );
});

test("a namespace has no OperatorGroup only if OperatorGroups were read", () => {
  const subscriptions = [subscription("a")];
  const without = (kind: string): Partial<ClusterObjects> => ({
    subscriptions,
    lost: { words: new Map(), unseen: undefined, kinds: new Map([[kind, PLACE]]) },
  });
  expect(codes({ subscriptions })).toContain("operator-groups");
  expect(codes(without("InstallPlan"))).toContain("operator-groups");
  expect(codes(without("OperatorGroup"))).not.toContain("operator-groups");
  const two = [operatorGroup(), operatorGroup({ name: "second" })];
  expect(codes({ ...without("OperatorGroup"), operatorGroups: two })).toContain("operator-groups");
});
