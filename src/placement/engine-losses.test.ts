import { describe, expect, test } from "vitest";
import { cluster, decision, hub, NOW, PLACE, placement } from "../../test/placement/sample-fleet.ts";
import type { ManagedClusterSet } from "../model/cluster-set.ts";
import { PlacementEngine } from "./engine.ts";

const KEY = "ns/p";

/** A hub on which p has c1 and c2. */
const OBJECTS = hub({
  managedClusters: [cluster("c1"), cluster("c2"), cluster("c3")],
  placements: [placement("p", { numberOfClusters: 2 })],
  placementDecisions: [decision("p-decision-1", "p", "c1", "c2")],
});

function outcome(engine: PlacementEngine) {
  return [engine.result(KEY)?.state, engine.decisions(KEY)?.selected];
}

describe("what cannot be read any more is not removed", () => {
  const [set] = OBJECTS.managedClusterSets;
  const [binding] = OBJECTS.managedClusterSetBindings;
  const place = PLACE;

  test.each([
    ["a cluster keeps its place", { kind: "ManagedCluster", name: "c2", place }, "placed"],
    ["without a set nothing is decided", { kind: "ManagedClusterSet", name: set?.name, place }, "kept"],
    [
      "without a binding nothing is decided",
      { kind: "ManagedClusterSetBinding", namespace: binding?.namespace, name: binding?.name, place },
      "kept",
    ],
    ["no cluster at all", { kind: "ManagedCluster", place }, "kept"],
    ["no set at all", { kind: "ManagedClusterSet", place }, "kept"],
    ["no binding at all", { kind: "ManagedClusterSetBinding", place }, "kept"],
  ])("%s", (_, object, state) => {
    const engine = new PlacementEngine(OBJECTS, { now: NOW });
    expect(outcome(engine)).toEqual(["placed", ["c1", "c2"]]);
    expect(engine.lose(object)).toEqual([KEY]);
    expect(outcome(engine)).toEqual([state, ["c1", "c2"]]);
    expect(engine.writes(KEY).writes.filter(({ call }) => call === "delete")).toEqual([]);
  });

  test("clusters that were never read are kept while none can be read, and after that", () => {
    const engine = new PlacementEngine({ ...OBJECTS, managedClusters: [] }, { now: NOW });
    engine.lose({ kind: "ManagedCluster", place });
    expect(outcome(engine)).toEqual(["kept", ["c1", "c2"]]);
    expect(engine.writes(KEY).writes.map(({ call }) => call)).toEqual(["label"]);
    for (const object of OBJECTS.managedClusters) engine.apply([{ kind: "ManagedCluster", name: object.name, object }]);
    expect(engine.regain("ManagedCluster")).toEqual([KEY]);
    expect(outcome(engine)).toEqual(["placed", ["c1", "c2"]]);
  });

  test("scores matter only to Placements that may read them", () => {
    const score = { type: "AddOn", addOn: { resourceName: "r", scoreName: "s" } };
    const reading = placement("reads", {
      prioritizerPolicy: { mode: "Exact", configurations: [{ place, scoreCoordinate: score, weight: 1 }] },
    });
    const engine = new PlacementEngine({ ...OBJECTS, placements: [...OBJECTS.placements, reading] }, { now: NOW });
    expect([engine.result(KEY)?.state, engine.result("ns/reads")?.state]).toEqual(["placed", "placed"]);
    expect(engine.lose({ kind: "AddOnPlacementScore", place })).toEqual(["ns/reads"]);
    expect([engine.result(KEY)?.state, engine.result("ns/reads")?.state]).toEqual(["placed", "kept"]);
    expect(engine.regain("AddOnPlacementScore")).toEqual(["ns/reads"]);
    expect(engine.result("ns/reads")?.state).toBe("placed");
  });

  test("its conditions do not call the Placement misconfigured", () => {
    const engine = new PlacementEngine(OBJECTS, { now: NOW });
    engine.lose({ kind: "ManagedClusterSetBinding", place });
    expect(engine.result(KEY)?.conditions.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["PlacementMisconfigured", "False", "Succeedconfigured"],
      ["PlacementSatisfied", "False", "Undecided"],
      ["PlacementEvaluated", "False", "UnreadInput"],
    ]);
  });

  test("an object that can be read again counts again", () => {
    const engine = new PlacementEngine(OBJECTS, { now: NOW });
    engine.lose({ kind: "ManagedClusterSet", name: set?.name, place });
    engine.apply([{ kind: "ManagedClusterSet", name: set?.name as string, object: set }]);
    expect(outcome(engine)).toEqual(["placed", ["c1", "c2"]]);
    engine.lose({ kind: "ManagedCluster", name: "c2", place });
    engine.apply([{ kind: "ManagedCluster", name: "c2", object: undefined }]);
    expect(outcome(engine)).toEqual(["placed", ["c1", "c3"]]);
  });
});

describe("a set with a broken selector", () => {
  const broken: ManagedClusterSet = {
    ...(OBJECTS.managedClusterSets[0] as ManagedClusterSet),
    selectorType: "LabelSelector",
    labelSelector: { matchLabels: {}, matchExpressions: [{ key: "a", operator: "In", values: [] }] },
  };
  const breakIt = { kind: "ManagedClusterSet", name: broken.name, object: broken } as const;

  test("does not remove the clusters that are decided, and the Placement says so", () => {
    const engine = new PlacementEngine(OBJECTS, { now: NOW });
    engine.result(KEY);
    engine.apply([breakIt]);
    expect(outcome(engine)).toEqual(["kept", ["c1", "c2"]]);
    expect(engine.result(KEY)?.mistakes.map(({ fault }) => fault.kind)).toEqual(["broken-set"]);
    expect(engine.result(KEY)?.conditions.at(-1)).toMatchObject({ status: "False", reason: "InvalidClusterSets" });
  });

  test("contributes nothing to a Placement that has none of its clusters", () => {
    const engine = new PlacementEngine({ ...OBJECTS, placementDecisions: [] }, { now: NOW });
    engine.apply([breakIt]);
    expect(outcome(engine)).toEqual(["placed", []]);
  });
});

test("scores are not part of decisions where the hub does not store them", () => {
  const engine = new PlacementEngine(OBJECTS, { now: NOW });
  const entries = () =>
    engine
      .writes(KEY)
      .writes.flatMap((write) => (write.call === "update" ? write.decisions.map(({ score }) => score) : []));
  expect(entries()).toEqual([200, 200]);
  expect(engine.storeScores(false)).toEqual([KEY]);
  expect(entries()).toEqual([undefined, undefined]);
  expect(engine.storeScores(false)).toEqual([]);
});

test("the first scores, by name", () => {
  const engine = new PlacementEngine(OBJECTS, { now: NOW });
  expect([...engine.scores(KEY, 2)]).toEqual([
    ["c1", 200],
    ["c2", 200],
  ]);
  expect(engine.scores("ns/none", 2).size).toBe(0);
});
