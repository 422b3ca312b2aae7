// Can the brute force be trusted with scores, numbers, groups and spread? It is put to OCM's own cases, by their ids, and to
// those where doubles and fractions differ.

import { describe, expect, test } from "vitest";
import { Timestamp } from "../../src/cel/value/timestamp.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Placement } from "../../src/model/placement.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../../src/placement/placement-mode.ts";
import { bruteForce, type Expected } from "../worlds/placement-brute-force.ts";
import {
  addOnScore,
  clusterSet,
  decision,
  managedCluster,
  placement,
  readFleet,
  SET_LABEL,
  setBinding,
} from "../worlds/placement-fleet.ts";

const T0 = new Timestamp(Date.UTC(2022, 0, 1) / 1000, 0);
const BOTH = [DEFAULT_MODE, OCM_MODE];

function place(
  spec: JsonObject,
  clusters: readonly JsonObject[],
  more: readonly JsonObject[] = [],
  mode: PlacementMode = DEFAULT_MODE,
): Expected {
  const bound = [clusterSet("set1"), setBinding("ns1", "set1")];
  const objects = readFleet([...bound, placement("ns1", "test", spec), ...clusters, ...more]);
  return bruteForce({ objects, now: T0, mode }, objects.placements[0] as Placement);
}

function scoresOf({ clusters }: Expected): readonly number[] {
  return (clusters ?? []).map(({ parts }) => parts.reduce((sum, { score, weight }) => sum + score * weight, 0));
}

/** This number of plain clusters: c1, c2 and so on. */
function plain(number: number): readonly JsonObject[] {
  return Array.from({ length: number }, (_, index) => labelled(`c${index + 1}`, {}));
}

function labelled(name: string, labels: JsonObject): JsonObject {
  return managedCluster(name, { [SET_LABEL]: "set1", ...labels });
}

function withAmounts(resource: string, ...amounts: readonly (string | number)[]): readonly JsonObject[] {
  return amounts.map((amount, index) =>
    managedCluster(
      `c${index + 1}`,
      { [SET_LABEL]: "set1" },
      {
        status: { allocatable: { [resource]: amount }, capacity: { [resource]: amount } },
      },
    ),
  );
}

function exact(...weights: readonly (readonly [string, number])[]): JsonObject {
  const configurations = weights.map(([builtIn, weight]) => ({ scoreCoordinate: { builtIn }, weight }));
  return { prioritizerPolicy: { mode: "Exact", configurations } };
}

function addOn(...weights: readonly number[]): JsonObject {
  const scoreCoordinate = { type: "AddOn", addOn: { resourceName: "test", scoreName: "score1" } };
  return {
    prioritizerPolicy: { mode: "Exact", configurations: weights.map((weight) => ({ scoreCoordinate, weight })) },
  };
}

describe("F: prioritizers", () => {
  const own = decision("ns1", "test-decision-1", "test", ["c1"]);
  const other = (clusters: readonly string[], name = "x") => decision("ns2", `${name}-decision-1`, name, clusters);
  test.each<[string, JsonObject, JsonObject[], number[]]>([
    ["F1", exact(["Steady", 1]), [], [0, 0, 0]],
    ["F2", exact(["Steady", 1]), [own], [100, 0, 0]],
    ["F4", exact(["Balance", 1]), [], [100, 100, 100]],
    ["F5", exact(["Balance", 1]), [own], [100, 100, 100]],
    ["F6", exact(["Balance", 1]), [other(["c1"])], [-100, 100, 100]],
    ["F8 1/3, 2/3", exact(["Balance", 1]), [other(["c1", "c2", "c2", "c9", "c9", "c9"])], [32, -32, 100]],
    ["F9", exact(["Balance", 1]), [other(["c9", "c9", "c9", "c9", "c1"])], [50, 100, 100]],
    ["F10", exact(["Balance", 1]), [other(["c1"], "test")], [-100, 100, 100]],
    ["F20", addOn(1), [addOnScore("c1", "test", { score1: 30 })], [30, 0, 0]],
    ["F22", addOn(1), [addOnScore("c1", "test", { score1: 30 }, "2021-12-31T23:59:30Z")], [0, 0, 0]],
    ["F24", addOn(1), [addOnScore("c1", "test", { score1: 30 }, "2022-01-01T00:00:00Z")], [30, 0, 0]],
    ["F25", {}, [own], [200, 100, 100]],
    ["F29", exact(["Balance", 1], ["Balance", 5]), [], [500, 500, 500]],
    ["F30", addOn(1, 2), [addOnScore("c1", "test", { score1: 30 })], [90, 0, 0]],
  ])("%s", (_, spec, more, scores) => {
    for (const mode of BOTH) expect(scoresOf(place(spec, plain(3), more, mode))).toEqual(scores);
  });

  test("F12, F14, F17, F18, F28: amounts", () => {
    const memory = exact(["ResourceAllocatableMemory", 1]);
    const scores = (spec: JsonObject, fleet: readonly JsonObject[], mode: PlacementMode = DEFAULT_MODE) =>
      scoresOf(place(spec, fleet, [], mode));
    expect(scores(memory, withAmounts("memory", 0, 0, 0))).toEqual([100, 100, 100]);
    expect(scores(memory, withAmounts("cpu", 1, 2))).toEqual([0, 0]);
    expect(scores(memory, withAmounts("memory", "1Gi", "1536Mi", "2Gi"))).toEqual([-100, 0, 100]);
    expect(scores(exact(["ResourceAllocatableCPU", -1]), withAmounts("cpu", 10, 6, 2))).toEqual([-100, 0, 100]);
    expect(scores(memory, withAmounts("memory", 50, 80, 90, 100), OCM_MODE)).toEqual([-100, 19, 60, 100]);
    expect(scores(memory, withAmounts("memory", 50, 80, 90, 100))).toEqual([-100, 20, 60, 100]);
  });
});

describe("G: end to end", () => {
  test("G2, G4, G9, G10: numbers", () => {
    for (const mode of BOTH) {
      expect(place({ numberOfClusters: 3 }, plain(1), [], mode)).toMatchObject({ selected: ["c1"], unscheduled: 2 });
      const own = [decision("ns1", "test-decision-1", "test", ["c2", "c3"])];
      expect(place({ numberOfClusters: 2 }, plain(3), own, mode).selected).toEqual(["c2", "c3"]);
      const other = [decision("ns1", "x-decision-1", "x", ["c1", "c2"])];
      expect(place({ numberOfClusters: 1 }, plain(3), other, mode).selected).toEqual(["c3"]);
    }
  });

  test("G20, G21: negative numbers, ties", () => {
    expect(place({ numberOfClusters: -1 }, plain(1)).state).toBe("kept");
    const fleet = ["cluster10", "cluster2", "cluster-1", "cluster.3"].map((name) => labelled(name, {}));
    expect(place({ numberOfClusters: 2 }, fleet).selected).toEqual(["cluster-1", "cluster.3"]);
  });
});

describe("H: groups", () => {
  const cloud = (name: string) => ({ labelSelector: { matchLabels: { cloud: name } } });
  const groups = (clustersPerDecisionGroup: string | number, ...names: readonly string[]): JsonObject => ({
    decisionStrategy: {
      groupStrategy: {
        clustersPerDecisionGroup,
        decisionGroups: names.map((name) => ({ groupName: `the-${name}`, groupClusterSelector: cloud(name) })),
      },
    },
  });
  const fleet = ["Amazon", "Amazon", "Azure", "Azure"].map((name, index) => labelled(`c${index + 1}`, { cloud: name }));
  const groupLines = ({ groups: made }: Expected) => made?.map(({ name, clusters }) => `${name}:${clusters.join()}`);

  test("H4, H5, H6, H12, H16: who is in which", () => {
    const canary = ["the-Azure:c3", "the-Azure:c4", ":c1", ":c2"];
    expect(groupLines(place(groups("25%", "Azure"), fleet))).toEqual(canary);
    expect(groupLines(place(groups(1, "Azure"), fleet))).toEqual(canary);
    expect(groupLines(place(groups("100%", "Google"), fleet))).toEqual([":c1,c2,c3,c4"]);
    expect(groupLines(place(groups("100%", "Amazon", "Azure"), fleet))).toEqual([
      "the-Amazon:c1,c2",
      "the-Azure:c3,c4",
    ]);
    for (const size of [0, 500]) expect(groupLines(place(groups(size), fleet))).toEqual([":c1,c2,c3,c4"]);
  });

  test("7 % of 100 are 7, and 8 for OCM", () => {
    const sizes = (mode: PlacementMode) => place(groups("7%"), plain(100), [], mode).groups?.[0]?.clusters.length;
    expect([sizes(DEFAULT_MODE), sizes(OCM_MODE)]).toEqual([7, 8]);
  });

  test("H17, H18: what cannot be cut", () => {
    const own = [decision("ns1", "test-decision-1", "test", ["c1"])];
    expect(place(groups("abc"), fleet, own)).toMatchObject({ state: "kept", selected: ["c1"] });
    expect(place(groups("abc"), fleet, own, OCM_MODE)).toMatchObject({ state: "emptied", groups: [] });
  });
});

describe("M: spread", () => {
  const term = (topologyKey: string, hard = false): JsonObject => ({
    topologyKey,
    topologyKeyType: "Label",
    whenUnsatisfiable: hard ? "DoNotSchedule" : "ScheduleAnyway",
  });
  const spread = (numberOfClusters: number, ...spreadConstraints: readonly JsonObject[]): JsonObject => ({
    numberOfClusters,
    spreadPolicy: { spreadConstraints },
  });
  const inZones = (...zones: readonly string[]) => zones.map((zone, index) => labelled(`c${index + 1}`, { zone }));

  test("M1, M2", () => {
    const even = place(spread(4, term("zone")), inZones("1a", "1a", "1a", "1b", "1b", "1b"));
    expect(even.selected).toEqual(["c1", "c2", "c4", "c5"]);
    const hard = place(spread(4, term("zone", true)), inZones("1a", "1a", "1a", "1b"));
    expect(hard).toMatchObject({ selected: ["c1", "c2", "c4"], unscheduled: 1 });
  });

  test("M4: zones below regions", () => {
    const fleet = ["east/1a", "east/1a", "east/1b", "east/1b", "west/1a", "west/1a"].map((where, index) => {
      const [region = "", zone = ""] = where.split("/");
      return labelled(`c${index + 1}`, { region, zone });
    });
    expect(place(spread(4, term("region"), term("zone")), fleet).selected).toEqual(["c1", "c3", "c5", "c6"]);
  });

  test("M5: the worked example", () => {
    const fleet = ["east/1a", "east/1a", "east/1b", "west/1a", "west/1a"].map((where, index) => {
      const [region = "", zone = ""] = where.split("/");
      return labelled(`c${index + 1}`, { region, zone });
    });
    const scores = [50, 50, 0, 0, 50].map((score1, index) => addOnScore(`c${index + 1}`, "test", { score1 }));
    const configurations = [
      { scoreCoordinate: { type: "AddOn", addOn: { resourceName: "test", scoreName: "score1" } } },
      { scoreCoordinate: { builtIn: "Spread" }, weight: 2 },
    ];
    const spec = {
      ...spread(2, term("region"), term("zone", true)),
      prioritizerPolicy: { mode: "Exact", configurations },
    };
    const { selected, clusters } = place(spec, fleet, scores);
    expect(selected).toEqual(["c1", "c5"]);
    expect(clusters?.map((one) => one.spread)).toEqual([100, undefined, undefined, undefined, 100]);
  });
});
