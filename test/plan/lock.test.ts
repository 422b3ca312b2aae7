// Does a lock show whether a plan is still the same, and what has changed if it is not?

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LockComparison } from "../../src/model/lock.ts";
import { DEFAULT_OPTIONS, type Problem } from "../../src/model/problem.ts";
import { compareWithLock } from "../../src/plan/lock/compare-lock.ts";
import { makeLock } from "../../src/plan/lock/make-lock.ts";
import { printLock } from "../../src/plan/lock/print-lock.ts";
import { differenceText } from "../../src/render/sentence/lock.ts";
import type { Given } from "../../src/resolve/prepare/problem-inputs.ts";
import { parseRange, type Range, rangeOutline } from "../../src/semver/blang-range.ts";
import { bundle, catalogOf } from "../catalog/lantern-catalog.ts";
import { operatorGroup, packageDocuments, subscription, upgradeable } from "../resolve/prepare-given.ts";
import { CATALOG, DOCUMENTS, harbour, OPERATORS, planOf, problemOf, SUBSCRIPTIONS } from "./locked-harbour.ts";

const LOCK = makeLock([problemOf()], [planOf()], "1");

function compared(problem: Problem, engine = "1"): LockComparison {
  return compareWithLock(LOCK, [problem], [planOf(problem)], engine);
}

/** The differences, as `kind: text`. */
function differenceTexts({ differences }: LockComparison): readonly string[] {
  return differences.map((one) => `${one.kind}: ${differenceText(one)}`);
}

test("the plan of these tests has several generations, and something that comes with a dependency", () => {
  const text = printLock(LOCK);
  expect(LOCK.plans[0]?.generations.map(({ steps }) => steps.flat().map(({ to }) => to))).toEqual([
    ["buoy.v2.0.0", "oil.v1.0.0", "lamp.v1.1.0"],
    ["lamp.v1.2.0"],
  ]);
  expect(text).toContain('"subscriptions": [\n');
  expect(text.endsWith("}\n")).toBe(true);
});

describe("the same", () => {
  test("a lock compared with what it was made of", () => {
    expect(compared(problemOf())).toEqual({ same: true, generation: 1, generations: 2, differences: [] });
  });

  test("in any order of the inputs", () => {
    const shuffled = <Thing>(things: readonly Thing[]): fc.Arbitrary<Thing[]> =>
      fc.shuffledSubarray([...things], { minLength: things.length });
    fc.assert(
      fc.property(
        shuffled(DOCUMENTS),
        shuffled(SUBSCRIPTIONS),
        shuffled(OPERATORS),
        shuffled([CATALOG, catalogOf(packageDocuments("bell", "3.0.0"), "partner")]),
        (documents, subscriptions, installedOperators, [first, second]) => {
          const catalogs = [first, second].map((one) => (one?.name === "harbour" ? catalogOf(documents) : one));
          const at = (line: number): object => ({ place: { source: "other.yaml", line, column: 9 } });
          const partner = problemOf(withPartner());
          const lock = makeLock([partner], [planOf(partner)], "1");
          const now = harbour(
            {
              subscriptions: subscriptions.map((one, index) => ({ ...one, ...at(index) })),
              installedOperators: installedOperators.map((one, index) => ({ ...one, ...at(index) })),
            },
            { catalogs: catalogs as Given["catalogs"] },
          );
          expect(printLock(makeLock([problemOf(now)], [planOf(problemOf(now))], "1"))).toBe(printLock(lock));
        },
      ),
      { numRuns: 20 },
    );
  });
});

function withPartner(): Given {
  return harbour({}, { catalogs: [CATALOG, catalogOf(packageDocuments("bell", "3.0.0"), "partner")] });
}

/** The differences if an input changes and the plan does not. */
const NOTES: readonly (readonly [what: string, now: Given, expected: readonly string[]])[] = [
  [
    "a package that the plan is not about",
    harbour({}, { catalogs: [catalogOf([...DOCUMENTS, ...packageDocuments("gong", "1.0.0")])] }),
    ["catalog: catalog harbour has other content"],
  ],
  ["another catalog", withPartner(), ["catalog: catalog partner is new"]],
  [
    "the priority of a catalog",
    harbour({}, { catalogs: [{ ...CATALOG, priority: 7 }] }),
    ["catalog: catalog harbour had priority 0 and has priority 7"],
  ],
  [
    "a catalog that cannot be reached",
    harbour({}, { unavailable: [{ name: "third", priority: -1, reason: "no route" }] }),
    ["unavailable: the unavailable catalog third is new: no route"],
  ],
  [
    "a fact",
    harbour({}, { nodeProperties: [{ type: "kubernetes.version", value: "1.32.0" }] }),
    ["fact: the cluster's kubernetes.version was 1.31.0 and is 1.32.0"],
  ],
  [
    "an operator that runs",
    harbour({
      installedOperators: OPERATORS.map((one) =>
        one.name === "bell.v1.0.0" ? { ...one, minKubeVersion: "1.2.3" } : one,
      ),
    }),
    ["installed: the operator bell.v1.0.0 is not the same as it was: 1.0.0"],
  ],
  [
    "an operator elsewhere",
    harbour({ installedOperators: OPERATORS.filter(({ namespace }) => namespace === "ns") }),
    ["elsewhere: the operator far/whistle.v1.0.0 of another namespace is gone: 1.0.0"],
  ],
  [
    "the OperatorGroup",
    harbour({ operatorGroups: [operatorGroup()] }),
    ["targets: what operators of ns work for was ns and is all"],
  ],
  [
    "an option",
    harbour({}, { options: { ...DEFAULT_OPTIONS, maxConflicts: 7 } }),
    ["option: the option maxConflicts was 100000 and is 7"],
  ],
];

/** The differences if an input changes, and the plan with it. */
const CHANGES: readonly (readonly [what: string, now: Given, expected: readonly string[]])[] = [
  [
    "a new release",
    harbour({}, { catalogs: [catalogOf(replaced("buoy", ...packageDocuments("buoy", "1.0.0", "2.0.0", "3.0.0")))] }),
    [
      "change: buoy takes another path in generation 2 of namespace ns: locked it stays; now buoy.v2.0.0 → buoy.v3.0.0",
      "catalog: catalog harbour has other content",
      "bundle: bundle buoy.v3.0.0 is new in catalog harbour",
    ],
  ],
  [
    "a bundle that is gone",
    harbour({}, { catalogs: [catalogOf(replaced("lamp", ...packageDocuments("lamp", "1.0.0", "1.2.0")))] }),
    [
      "change: lamp takes another path in generation 1 of namespace ns: locked lamp.v1.0.0 → lamp.v1.1.0; now lamp.v1.0.0 → lamp.v1.2.0",
      "change: oil takes another path in generation 1 of namespace ns: locked oil.v1.0.0 is installed; now it stays",
      "catalog: catalog harbour has other content",
      "bundle: bundle lamp.v1.1.0 is no longer in catalog harbour",
      "bundle: bundle lamp.v1.2.0 (or what leads to it in channel stable) is not the same in catalog harbour",
    ],
  ],
  [
    "a bundle that is another one",
    harbour(
      {},
      { catalogs: [catalogOf(DOCUMENTS.map((one) => (one.name === "lamp.v1.1.0" ? bundle("lamp", "1.1.0") : one)))] },
    ),
    [
      "change: oil takes another path in generation 1 of namespace ns: locked oil.v1.0.0 is installed; now it stays",
      "catalog: catalog harbour has other content",
      "bundle: bundle lamp.v1.1.0 (or what leads to it in channel stable) is not the same in catalog harbour",
    ],
  ],
  [
    "a package that is gone",
    harbour({}, { catalogs: [catalogOf(replaced("buoy"))] }),
    [
      "change: buoy takes another path in generation 1 of namespace ns: locked buoy.v1.0.0 → buoy.v2.0.0; now it stays",
      "catalog: catalog harbour has other content",
      "package: package buoy is no longer in catalog harbour",
    ],
  ],
  [
    "the administrator's constraints",
    harbour(
      {},
      {
        runtimeConstraints: {
          text: '[{"type": "olm.constraint", "value": {"cel": {"rule": "false"}}}]',
          place: { source: "r", line: 1, column: 1 },
        },
      },
    ),
    [
      "change: buoy takes another path in generation 1 of namespace ns: locked buoy.v1.0.0 → buoy.v2.0.0; now it stays",
      "change: lamp takes another path in generation 1 of namespace ns: locked lamp.v1.0.0 → lamp.v1.1.0; now it stays",
      "change: oil takes another path in generation 1 of namespace ns: locked oil.v1.0.0 is installed; now it stays",
      'constraint: the administrator\'s constraint 1 is new: {"cel":{"rule":"false"}}',
    ],
  ],
  [
    "a request",
    harbour({
      subscriptions: SUBSCRIPTIONS.map((one) => (one.name === "buoy" ? { ...one, approval: "Manual" as const } : one)),
    }),
    [
      "change: buoy takes another path in generation 1 of namespace ns: locked buoy.v1.0.0 → buoy.v2.0.0; now it stays",
      "request: the request ns/buoy was olm/harbour/buoy and is olm/harbour/buoy, Manual",
    ],
  ],
  [
    "a request more",
    harbour({ subscriptions: [...SUBSCRIPTIONS, subscription("bell", { installedCSV: "bell.v1.0.0" })] }),
    [
      "change: bell takes another path in generation 1 of namespace ns: locked it stays; now bell.v1.0.0 → bell.v2.0.0",
      "request: the request ns/bell is new: olm/harbour/bell",
      "claim: the operator of the request ns/bell is new: bell.v1.0.0",
    ],
  ],
  [
    "an operator that must stay",
    harbour({ operatorConditions: [upgradeable("buoy.v1.0.0", "False", "busy")] }),
    [
      "change: buoy takes another path in generation 1 of namespace ns: locked buoy.v1.0.0 → buoy.v2.0.0; now it stays",
      "installed: the operator buoy.v1.0.0 is now held (busy)",
    ],
  ],
];

function replaced(owner: string, ...documents: typeof DOCUMENTS): typeof DOCUMENTS {
  return [...DOCUMENTS.filter((one) => one.package !== owner && one.name !== owner), ...documents];
}

describe("a change is reported as exactly that", () => {
  test.each(NOTES)("though nothing comes of it: %s", (_, now, expected) => {
    const comparison = compared(problemOf(now));
    expect(differenceTexts(comparison)).toEqual(expected);
    expect(comparison.same).toBe(true);
  });

  test.each(CHANGES)("with what comes of it: %s", (_, now, expected) => {
    const comparison = compared(problemOf(now));
    expect(differenceTexts(comparison)).toEqual(expected);
    expect(comparison.same).toBe(false);
  });

  test("another plimsoll", () => {
    expect(compared(problemOf(), "2")).toEqual({
      same: true,
      generation: 1,
      generations: 2,
      differences: [{ kind: "engine", subject: "2", was: "1" }],
    });
  });

  test("another target", () => {
    const to = { package: "lamp", range: rangeOutline(parseRange("1.1.0") as Range) };
    expect(differenceTexts(compareWithLock(LOCK, [problemOf()], [planOf(problemOf(), { to })], "1"))).toEqual([
      "change: buoy takes another path in generation 1 of namespace ns: locked buoy.v1.0.0 → buoy.v2.0.0; now it stays",
      "change: lamp takes another path in generation 2 of namespace ns: locked lamp.v1.1.0 → lamp.v1.2.0; now it stays",
      "target: the target for lamp is new: lamp@1.1.0",
    ]);
  });
});

describe("plans that differ in more than the changes", () => {
  const plan = planOf();

  test("the order of steps", () => {
    const [first, ...rest] = plan.generations;
    const turned = { ...plan, generations: [{ number: 1, steps: (first?.steps ?? []).toReversed() }, ...rest] };
    const comparison = compareWithLock(LOCK, [problemOf()], [turned], "1");
    expect(comparison.same).toBe(false);
    expect(differenceTexts(comparison)).toEqual([
      "steps: the steps of generation 1 of namespace ns are others: locked buoy, then oil, then lamp; now lamp, then oil, then buoy",
    ]);
  });

  test("why it ends", () => {
    const comparison = compareWithLock(LOCK, [problemOf()], [{ ...plan, end: "generations" }], "1");
    expect(comparison.same).toBe(false);
    expect(differenceTexts(comparison)).toEqual([
      "end: the plan of namespace ns ends for another reason: locked done; now generations",
    ]);
  });

  test("where a bundle is taken from", () => {
    const subscriptions = SUBSCRIPTIONS.map((one) => ({ ...one, source: "dock" }));
    const now = problemOf(harbour({ subscriptions }, { catalogs: [{ ...CATALOG, name: "dock" }] }));
    expect(differenceTexts(compareWithLock(LOCK, [now], [planOf(now)], "1"))).toContain(
      "change: buoy takes another path in generation 1 of namespace ns: locked buoy.v1.0.0 → buoy.v2.0.0 (channel stable of catalog harbour); now buoy.v1.0.0 → buoy.v2.0.0 (channel stable of catalog dock)",
    );
  });
});
