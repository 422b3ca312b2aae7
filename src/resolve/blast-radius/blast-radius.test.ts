// Which bundles and operators do proposed constraints affect, in worlds made for one point each?

import { describe, expect, test } from "vitest";
import { constraint, provides, request, running, scene, stocked } from "../../../test/worlds/scene.ts";
import type { Property } from "../../model/catalog.ts";
import { finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { wholeSource } from "../../model/place.ts";
import { CLUSTER_SCOPE, type Problem, type Request, type RuntimeConstraints } from "../../model/problem.ts";
import type { ClusterDemands } from "../prepare/runtime-constraints.ts";
import { resolve } from "../resolve.ts";
import { summaryOf } from "./answer-summary.ts";
import { type BlastRadius, blastRadius, isWorse } from "./blast-radius.ts";

const GOLD: Property = { type: "tier", value: "gold" };
const TIN: Property = { type: "tier", value: "tin" };
const ONLY_GOLD: JsonObject = { propertyEquals: { name: "tier", value: "gold" } };

function constraints(...values: readonly JsonObject[]): RuntimeConstraints {
  return { entries: values.map((value) => ({ property: constraint(value), place: undefined })), problems: [] };
}

function demands(...values: readonly JsonObject[]): ClusterDemands {
  return { runtime: constraints(...values), node: { properties: [] } };
}

function radiusOf(problems: readonly Problem[], ...values: readonly JsonObject[]): BlastRadius {
  return blastRadius({ problems, demands: demands(...values) });
}

const catalog = stocked({
  lamp: { "1.0.0": [GOLD], "1.1.0": [GOLD], "2.0.0": [TIN] },
  wick: { "1.0.0": [TIN] },
  oil: { "1.0.0": [{ type: "grade", value: 3 }], "1.1.0": [{ type: "grade", value: "three" }] },
});

describe("bundles", () => {
  test("are counted by constraint and package, the largest share first", () => {
    const { hidden, revealed } = radiusOf([scene({ catalogs: [catalog] })], ONLY_GOLD, {
      package: { packageName: "wick", versionRange: ">=0.0.0" },
      action: { id: "conflict" },
    });
    expect({ bundles: hidden.bundles, ofBundles: hidden.ofBundles, packages: hidden.packages }).toEqual({
      bundles: 4,
      ofBundles: 6,
      packages: 2,
    });
    expect(hidden.perConstraint).toMatchObject([
      {
        number: 1,
        action: "require",
        refuses: 4,
        failures: 0,
        hides: {
          bundles: 4,
          inPackages: 3,
          packages: [
            { package: "oil", bundles: 2, ofBundles: 2, versions: ["1.1.0", "1.0.0"] },
            { package: "lamp", bundles: 1, ofBundles: 3, versions: ["2.0.0"] },
            { package: "wick", bundles: 1, ofBundles: 1, versions: ["1.0.0"] },
          ],
        },
      },
      { number: 2, action: "conflict", refuses: 1, hides: { bundles: 1, inPackages: 1 } },
    ]);
    expect(revealed.bundles).toBe(0);
  });

  test("of the same content count once, also with another priority", () => {
    const there = scene({ catalogs: [catalog], namespace: "there" });
    const ranked = scene({ catalogs: [{ ...catalog, priority: 7 }], namespace: CLUSTER_SCOPE, scope: "cluster" });
    expect(radiusOf([scene({ catalogs: [catalog] }), there, ranked], ONLY_GOLD).hidden).toEqual(
      radiusOf([scene({ catalogs: [catalog] })], ONLY_GOLD).hidden,
    );
    const copy = scene({ catalogs: [{ ...catalog, packages: new Map(catalog.packages), name: "copy" }] });
    const problems = [scene({ catalogs: [catalog] }), copy];
    const counted = blastRadius({ problems, demands: demands(ONLY_GOLD), contentOf: () => "the same" });
    expect(counted.hidden).toEqual(radiusOf([copy], ONLY_GOLD).hidden);
    const other = stocked({ lamp: { "3.0.0": [TIN] } }, { name: "other" });
    const both = radiusOf([scene({ catalogs: [catalog] }), { ...there, catalogs: [other] }], ONLY_GOLD).hidden;
    expect(both).toMatchObject({ bundles: 5, ofBundles: 7, packages: 2 });
  });

  test("for which a rule fails are refused, and counted", () => {
    const strong = { cel: { rule: 'properties.exists(p, p.type == "grade" && p.value > 5.0)' } };
    const { hidden } = radiusOf([scene({ catalogs: [catalog] })], { ...strong, action: { id: "conflict" } });
    expect(hidden).toMatchObject({ bundles: 1, packages: 0 });
    expect(hidden.perConstraint).toMatchObject([
      { refuses: 1, failures: 1, failure: expect.stringContaining("no such overload") },
    ]);
  });

  test("are not hidden by what refuses them already, and revealed by what does not", () => {
    const problem = scene({ catalogs: [catalog], runtime: constraints(ONLY_GOLD) });
    const { hidden, revealed } = radiusOf([problem], {
      package: { packageName: "lamp", versionRange: ">=1.1.0" },
      action: { id: "conflict" },
    });
    expect(hidden).toMatchObject({ bundles: 1, perConstraint: [{ refuses: 2, hides: { bundles: 1 } }] });
    expect(revealed).toMatchObject({ bundles: 3, inPackages: 2 });
  });
});

describe("operators", () => {
  const lamp = running("lamp.v1.0.0", [TIN]);
  const problem = scene({
    catalogs: [catalog],
    installed: [lamp],
    requests: [request("lamp", { installed: "lamp.v1.0.0", channel: "stable" }), request("wick")],
  });

  test("are not looked at once the time is over, also not those that are installed", () => {
    const radius = blastRadius({ problems: [problem], demands: demands(ONLY_GOLD), isOver: () => true });
    expect(radius).toMatchObject({ violating: [], compared: 0, isComplete: false });
  });

  test("are held back or refused, and what is installed and would be refused is named", () => {
    const radius = blastRadius({ problems: [problem], demands: demands(ONLY_GOLD), isExplained: true });
    expect(radius).toMatchObject({ heldBack: 0, refused: 1, undecided: 0, namespaces: 1, compared: 1, bugs: [] });
    expect(radius.changed).toMatchObject([
      {
        namespace: "here",
        package: "wick",
        effect: "refused",
        before: { standing: "install", operator: { name: "wick.v1.0.0", version: "1.0.0", action: "install" } },
        after: { standing: "refused" },
        requests: [{ id: "here/wick", kind: "package" }],
        why: { kind: "not-possible", explanation: { fixes: [] } },
      },
    ]);
    expect(radius.violating).toMatchObject([
      { namespace: "here", operator: { name: "lamp.v1.0.0" }, detail: { number: 1, why: "refused" } },
    ]);
    expect(isWorse(radius)).toBe(true);
  });

  test("stay at an older bundle", () => {
    const { changed, heldBack } = radiusOf([problem], {
      package: { packageName: "lamp", versionRange: "1.1.0" },
      action: { id: "conflict" },
    });
    expect(heldBack).toBe(1);
    expect(changed).toMatchObject([{ package: "lamp", effect: "held-back", after: { standing: "held-back" } }]);
  });

  test("that violate the present constraints as well are not named", () => {
    const before = { ...problem, runtime: constraints(ONLY_GOLD) };
    const { violating, changed } = radiusOf([before], ONLY_GOLD, { ...ONLY_GOLD, message: "once more" });
    expect({ violating, changed }).toEqual({ violating: [], changed: [] });
  });

  test("are refused because a property of the cluster is gone", () => {
    const needing = stocked({ lamp: { "1.0.0": [constraint({ propertyEquals: { name: "sea", value: "calm" } })] } });
    const asking = scene({
      catalogs: [needing],
      requests: [request("lamp")],
      node: { properties: [{ type: "sea", value: "calm" }] },
    });
    expect(radiusOf([asking])).toMatchObject({ refused: 1, hidden: { bundles: 0 } });
  });

  test("of other namespaces are as they are", () => {
    const there = scene({ catalogs: [catalog], namespace: "there", requests: [request("wick", { id: "there/wick" })] });
    const { changed } = radiusOf([problem, there], ONLY_GOLD);
    expect(changed.map(({ namespace, package: owner }) => `${namespace}/${owner}`)).toEqual([
      "here/wick",
      "there/wick",
    ]);
  });
});

describe("constraints that cannot be read", () => {
  const problem = scene({ catalogs: [catalog], requests: [request("lamp")] });
  const broken = { entries: [], problems: [finding("PL009", wholeSource("rules.yaml"), { message: "not a list" })] };

  test("hide everything, and say where", () => {
    const radius = blastRadius({ problems: [problem], demands: { runtime: broken, node: { properties: [] } } });
    expect(radius).toMatchObject({
      isReadable: false,
      findings: [{ code: "PL009", message: "not a list" }],
      hidden: { bundles: 6, packages: 3, perConstraint: [] },
      refused: 0,
      undecided: 1,
      violating: [],
    });
  });

  test("are repaired", () => {
    const radius = radiusOf([{ ...problem, runtime: broken }], ONLY_GOLD);
    expect(radius).toMatchObject({ isReadable: true, hidden: { bundles: 0 }, revealed: { bundles: 2 } });
    expect(radius.changed).toMatchObject([{ package: "lamp", effect: "better" }]);
    expect(isWorse(radius)).toBe(false);
  });
});

test("without anything to resolve, only the findings count", () => {
  const problems = [finding("PL009", wholeSource("rules.yaml"), { message: "not a list" })];
  const nothing = { problems: [], demands: { runtime: { entries: [], problems }, node: { properties: [] } } };
  expect(blastRadius(nothing)).toMatchObject({ isReadable: false, isComplete: true, hidden: { ofBundles: 0 } });
});

test("known answers are not computed again, and an answer that must stay is not computed at all", () => {
  const problem = scene({ catalogs: [catalog], requests: [request("lamp")] });
  const known = new Map([["here", summaryOf(resolve(problem))]]);
  let polls = 0;
  const isOver = (): boolean => {
    polls++;
    return false;
  };
  const polled = (value: JsonObject): number => {
    polls = 0;
    blastRadius({ problems: [problem], demands: demands(value), known, isOver });
    return polls;
  };
  const wick = { package: { packageName: "wick", versionRange: ">=0.0.0" }, action: { id: "conflict" } };
  const lamp = { package: { packageName: "lamp", versionRange: ">=0.0.0" }, action: { id: "conflict" } };
  // Once for each of six bundles and its constraint, and twice for the namespace; a search polls much more.
  expect(polled(wick)).toBe(14);
  expect(polled(lamp)).toBeGreaterThan(14);
});

test("a bug in one namespace does not take the others away", () => {
  const good = scene({ catalogs: [catalog], requests: [request("wick")] });
  const bad = { ...scene({ namespace: "bad", catalogs: [catalog] }), requests: null as unknown as readonly Request[] };
  const radius = radiusOf([bad, good], ONLY_GOLD);
  expect(radius).toMatchObject({ compared: 1, namespaces: 2, isComplete: false, refused: 1 });
  expect(radius.bugs).toMatchObject([{ namespace: "bad", constraints: "present" }]);
});

test("operators that provide what others need are compared, too", () => {
  const kitchen = stocked({
    toaster: { "1.0.0": [{ type: "olm.gvk.required", value: { group: "example.com", version: "v1", kind: "Hob" } }] },
    stove: { "1.0.0": [provides("Hob")], "2.0.0": [provides("Hob"), TIN] },
  });
  const problem = scene({ catalogs: [kitchen], requests: [request("toaster")] });
  const { changed, heldBack, refused } = radiusOf([problem], {
    ...{ propertyEquals: { name: "tier", value: "tin" } },
    action: { id: "conflict" },
  });
  expect({ heldBack, refused }).toEqual({ heldBack: 0, refused: 0 });
  expect(changed).toMatchObject([
    {
      package: "stove",
      effect: "other",
      before: { operator: { name: "stove.v2.0.0" } },
      after: { operator: { name: "stove.v1.0.0" } },
    },
  ]);
});
