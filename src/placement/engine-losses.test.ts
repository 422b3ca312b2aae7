import { describe, expect, test } from "vitest";
import {
  asking,
  cluster,
  decision,
  hub,
  later,
  NOW,
  PLACE,
  placement,
  score,
} from "../../test/placement/sample-fleet.ts";
import type { ManagedClusterSet } from "../model/cluster-set.ts";
import type { Placement } from "../model/placement.ts";
import type { PlacementDecision } from "../model/placement-decision.ts";
import { faultText } from "../render/sentence/placement-fault.ts";
import { clusterReasonText } from "../render/sentence/placement-reason.ts";
import { statusCondition } from "../render/sentence/placement-status.ts";
import { type FleetObjects, PlacementEngine, type PlacingOptions } from "./engine.ts";
import { OCM_MODE } from "./placement-mode.ts";

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

describe("an AddOnPlacementScore that cannot be read", () => {
  const place = { ...PLACE, line: 7 };
  const lost = (name: string, resource = "r") =>
    ({ kind: "AddOnPlacementScore", namespace: name, name: resource, place }) as const;
  const byScore: Placement["prioritizerPolicy"] = {
    mode: "Exact",
    configurations: [
      { place, weight: 1, scoreCoordinate: { type: "AddOn", addOn: { resourceName: "r", scoreName: "s" } } },
    ],
  };
  const best = placement("p", { numberOfClusters: 1, prioritizerPolicy: byScore });
  const c3 =
    "PlacementEvaluated False UnreadClusters: 1 cluster could not be evaluated, because an AddOnPlacementScore could not be read: c3/r";

  /** Clusters with the scores 10, 20 and 30; p has c3, and q, which reads no scores, has them all. */
  const fleet = (p: Placement, more: Partial<FleetObjects> = {}): FleetObjects =>
    hub({
      managedClusters: [cluster("c1"), cluster("c2"), cluster("c3")],
      addOnPlacementScores: [score("c1", 10), score("c2", 20), score("c3", 30)],
      placements: [p, placement("q")],
      placementDecisions: [decision("p-decision-1", "p", "c3"), decision("q-decision-1", "q", "c1", "c2", "c3")],
      ...more,
    });

  const everything = (engine: PlacementEngine) =>
    engine.keys().map((key) => ({
      result: engine.result(key),
      decisions: engine.decisions(key),
      writes: engine.writes(key),
      reports: engine.reports(key, { allChecks: true }),
    }));

  /** Loses objects one by one; it must be as if none of them could ever be read. */
  const losing = (objects: FleetObjects, names: readonly string[], options: Partial<PlacingOptions> = {}) => {
    const engine = new PlacementEngine(objects, { now: NOW, ...options });
    everything(engine);
    for (const name of names) engine.lose(lost(name));
    const addOnPlacementScores = objects.addOnPlacementScores.filter(({ namespace }) => !names.includes(namespace));
    const rejected = names.toReversed().map((name) => lost(name));
    const fresh = new PlacementEngine({ ...objects, addOnPlacementScores, rejected }, { now: NOW, ...options });
    expect(everything(engine)).toEqual(everything(fresh));
    return engine;
  };

  const selected = (engine: PlacementEngine) => engine.decisions(KEY)?.selected;
  const evaluated = (engine: PlacementEngine) => {
    const { type, status, reason, message } = statusCondition(engine.result(KEY)?.conditions.at(-1) as never);
    return `${type} ${status} ${reason}: ${message}`;
  };
  const warnings = (engine: PlacementEngine) =>
    engine.result(KEY)?.warnings.map(({ fault }) => faultText(fault).message);
  const why = (engine: PlacementEngine, name: string) => {
    const report = engine.report(KEY, name);
    return [report?.verdict, report && clusterReasonText(report)];
  };

  test("where scores only order clusters, it counts as absent: all that match are selected", () => {
    const after = losing(fleet(placement("p", { prioritizerPolicy: byScore })), ["c1", "c3"]);
    expect(selected(after)).toEqual(["c1", "c2", "c3"]);
    expect(evaluated(after)).toContain("PlacementEvaluated True");
  });

  test("the cluster that stays counts in the spread: its topology is known", () => {
    const zone = {
      place,
      topologyKey: "zone",
      topologyKeyType: "Label",
      maxSkew: 1,
      whenUnsatisfiable: "DoNotSchedule",
    };
    const p = placement("p", { numberOfClusters: 2, prioritizerPolicy: byScore, spreadConstraints: [zone] });
    const objects = fleet(p, {
      managedClusters: [cluster("c1", { zone: "z2" }), cluster("c2", { zone: "z1" }), cluster("c3", { zone: "z1" })],
      placementDecisions: [decision("p-decision-1", "p", "c1", "c3")],
    });
    expect(selected(new PlacementEngine(objects, { now: NOW }))).toEqual(["c1", "c3"]);
    expect(selected(losing(objects, ["c3"]))).toEqual(["c1", "c3"]);
  });

  test("a selected cluster keeps its place, the status says why, and other Placements are not affected", () => {
    const objects = fleet(best);
    const engine = new PlacementEngine(objects, { now: NOW });
    everything(engine);
    expect(engine.lose(lost("c3"))).toEqual([KEY]);
    expect(selected(engine)).toEqual(["c3"]);
    const after = losing(objects, ["c3"]);
    expect(evaluated(after)).toBe(c3);
    expect(warnings(after)).toEqual([
      'the AddOnPlacementScore c3/r could not be read; the cluster "c3", which is selected, keeps its place',
    ]);
    expect(after.result(KEY)?.warnings[0]).toMatchObject({ isUnread: true, place });
    expect(why(after, "c3")).toEqual([
      "kept",
      "the AddOnPlacementScore c3/r could not be read; it was decided before, and is kept",
    ]);
    expect(after.result("ns/q")?.conditions.at(-1)).toMatchObject({ status: "True" });
  });

  test("a cluster that was not selected is not newly selected, and the best of the others is", () => {
    const engine = losing(fleet(best, { placementDecisions: [] }), ["c3"]);
    expect(selected(engine)).toEqual(["c2"]);
    expect(evaluated(engine)).toBe(c3);
    expect(warnings(engine)).toEqual([
      'the AddOnPlacementScore c3/r could not be read; the cluster "c3" is not newly selected',
    ]);
    expect(why(engine, "c3")).toEqual([
      "unread",
      "the AddOnPlacementScore c3/r could not be read; it was not selected before, and is not newly selected",
    ]);
    expect(engine.result(KEY)?.tally).toMatchObject({ selected: 1, left: 2 });
  });

  test("there may be no room for all that were selected", () => {
    const decisions = [decision("p-decision-1", "p", "c2", "c3")];
    const engine = losing(fleet(best, { placementDecisions: decisions }), ["c3", "c2"]);
    expect(selected(engine)).toEqual(["c2"]);
    expect(warnings(engine)?.at(-1)).toBe(
      'the AddOnPlacementScore c3/r could not be read; the cluster "c3" was selected, and there is no room for it within numberOfClusters',
    );
  });

  test("if no score can be read and nothing was selected, nothing is, and not because no predicate matches", () => {
    const p = asking("p", 'managedCluster.hasScore("r", "s")');
    const engine = losing(fleet(p, { placementDecisions: [] }), ["c1", "c2", "c3"]);
    expect(selected(engine)).toEqual([]);
    const { reason, message } = statusCondition(engine.result(KEY)?.conditions[1] as never);
    expect([reason, message]).toEqual(["NoManagedClusterMatched", "No ManagedCluster is left"]);
  });

  test("a score that the Placement does not read is of no interest", () => {
    const engine = new PlacementEngine(fleet(best), { now: NOW });
    everything(engine);
    expect(engine.lose(lost("c3", "other"))).toEqual([]);
    expect(engine.lose(lost("unknown"))).toEqual([]);
    expect(evaluated(engine)).toContain("True AllClustersEvaluated");
  });

  test("when it can be read again it counts again, and when it is deleted it is absent", () => {
    const engine = losing(fleet(best), ["c3"]);
    const change = { kind: "AddOnPlacementScore", namespace: "c3", name: "r" } as const;
    expect(engine.apply([{ ...change, object: score("c3", 15) }])).toContain(KEY);
    expect([selected(engine), evaluated(engine)]).toEqual([["c2"], expect.stringContaining("AllClustersEvaluated")]);
    engine.lose(lost("c3"));
    expect(selected(engine)).toEqual(["c3"]);
    expect(engine.apply([{ ...change, object: undefined }])).toContain(KEY);
    expect(selected(engine)).toEqual(["c2"]);
  });

  test("it depends on the decisions as they are now", () => {
    const engine = losing(fleet(best, { placementDecisions: [] }), ["c3"]);
    const decided = (...clusters: readonly string[]) =>
      engine.apply([
        {
          kind: "PlacementDecision",
          namespace: "ns",
          name: "p-decision-1",
          object: decision("p-decision-1", "p", ...clusters),
        },
      ]);
    decided("c3");
    expect(selected(engine)).toEqual(["c3"]);
    decided("c1");
    expect(selected(engine)).toEqual(["c2"]);
  });

  test.each([
    'managedCluster.score("r", "s") > 15',
    'score(managedCluster, "r", "s") > 15',
    'managedCluster.scores("r").exists(one, one.value > 15)',
    'managedCluster.hasScore("r", "s") && managedCluster.metadata.name != "c1"',
    '!managedCluster.hasScore("none", "s") && managedCluster.scores(managedCluster.metadata.name != "" ? "r" : "x").size() > 0',
    'managedCluster.metadata.labels.missing == "x" || managedCluster.score("r", "s") > 15',
  ])("an expression may read it: %s", (expression) => {
    const p = asking("p", expression);
    const engine = losing(fleet(p), ["c3", "c2"]);
    expect(selected(engine)?.includes("c3")).toBe(true);
    expect(selected(engine)?.includes("c2")).toBe(false);
    expect(engine.report(KEY, "c3")?.checks).toEqual([]);
  });

  test("what does not depend on it still counts", () => {
    const reads = 'managedCluster.score("r", "s") > 15';
    const on = 'managedCluster.metadata.labels["on"] == "yes"';
    const taint = { key: "k", value: "", effect: "NoSelect" } as const;
    const withC3 = (p: Placement, own: ReturnType<typeof cluster>) =>
      losing(fleet(p, { managedClusters: [cluster("c1"), own] }), ["c3"]);
    expect(why(withC3(asking("p", reads, on), cluster("c3", { on: "no" })), "c3")).toEqual([
      "unmatched",
      expect.stringContaining(`CEL ${on} does not hold`),
    ]);
    const failed = withC3(asking("p", reads, on), cluster("c3"));
    expect([why(failed, "c3")[0], evaluated(failed)]).toEqual(["failed", expect.stringContaining("ClusterErrors")]);
    expect(why(withC3(asking("p", reads, on), cluster("c3", { on: "yes" })), "c3")[0]).toBe("kept");
    expect(why(withC3(best, cluster("c3", {}, [taint])), "c3")[0]).toBe("tainted");
    const tainted = withC3(asking("p", reads), cluster("c3", {}, [taint]));
    expect([why(tainted, "c3")[0], warnings(tainted)]).toEqual(["tainted", []]);
    expect(tainted.report(KEY, "c3")?.checks).toMatchObject([
      { kind: "set", outcome: "true" },
      { kind: "cel", outcome: "skipped", detail: { kind: "unread-score", score: { cluster: "c3", name: "r" } } },
      { kind: "taint", outcome: "false" },
    ]);
    expect(why(withC3(best, { ...cluster("c3"), terminating: true }), "c3")[0]).toBe("terminating");
    const [first] = asking("p", reads).predicates;
    const [second] = asking("p", on).predicates;
    const either = {
      ...best,
      prioritizerPolicy: placement("p").prioritizerPolicy,
      predicates: [first, second] as never,
    };
    expect(why(withC3(either, cluster("c3", { on: "yes" })), "c3")[0]).toBe("selected");
    expect(why(withC3(either, cluster("c3")), "c3")[0]).toBe("kept");
  });

  test("an expression that reads the scores of others is unknown for every cluster", () => {
    const p = asking("p", 'score({"metadata": {"name": "c" + "1"}}, "r", "s") > 5');
    const engine = losing(fleet(p), ["c2", "c1"]);
    expect(selected(engine)).toEqual(["c3"]);
    expect(evaluated(engine)).toContain("3 clusters could not be evaluated");
    expect(evaluated(engine)).toMatch(/: c1\/r; c2\/r$/);
  });

  test("the end of a toleration is noticed", () => {
    const tolerations = [{ place, key: "k", operator: "Exists", value: "", effect: "", tolerationSeconds: 60 }];
    const taint = { key: "k", value: "", effect: "NoSelect", timeAdded: NOW.toString() } as const;
    const managedClusters = [cluster("c1"), cluster("c3", {}, [taint])];
    for (const placementDecisions of [[], [decision("p-decision-1", "p", "c3")]]) {
      const p = { ...best, tolerations } as Placement;
      const engine = losing(fleet(p, { managedClusters, placementDecisions }), ["c3"]);
      expect(engine.result(KEY)?.wakeAt).toBeDefined();
      expect(engine.advance(later(61))).toContain(KEY);
      expect([selected(engine), why(engine, "c3")[0]]).toEqual([["c1"], "tainted"]);
    }
  });

  test("with --compat ocm the same clusters stay", () => {
    const engine = losing(fleet(best), ["c3"], { mode: OCM_MODE });
    expect(selected(engine)).toEqual(["c3"]);
    expect(engine.result(KEY)?.conditions.map(({ reason }) => reason)).toEqual([
      "Succeedconfigured",
      "AllDecisionsScheduled",
    ]);
    expect(warnings(engine)).toHaveLength(1);
  });

  test("one that was given a second time, and can be read, counts", () => {
    const rejected = [lost("c3"), { ...lost("c2"), namespace: undefined }, { ...lost("c2"), name: undefined }];
    const engine = new PlacementEngine({ ...fleet(best), rejected }, { now: NOW });
    expect(evaluated(engine)).toContain("True AllClustersEvaluated");
    const misspelt = { ...lost("c3"), kind: "AddOnPlacementScor", meant: "AddOnPlacementScore" };
    const objects = { ...fleet(best), addOnPlacementScores: [], rejected: [misspelt] };
    expect(evaluated(new PlacementEngine(objects, { now: NOW }))).toBe(c3);
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

test("decisions have scores, or only those of Placements that sort by them, or none", () => {
  const engine = new PlacementEngine(OBJECTS, { now: NOW });
  const entries = () =>
    engine
      .writes(KEY)
      .writes.flatMap((write) => (write.call === "update" ? write.decisions.map(({ score }) => score) : []));
  expect(entries()).toEqual([200, 200]);
  expect(engine.writeScores("sorted")).toEqual([KEY]);
  expect(entries()).toEqual([undefined, undefined]);
  const sorted = placement("p", { numberOfClusters: 2, sortBy: "Score" });
  engine.apply([{ kind: "Placement", namespace: "ns", name: "p", object: sorted }]);
  expect(entries()).toEqual([200, 200]);
  expect(engine.writeScores("none")).toEqual([KEY]);
  expect(entries()).toEqual([undefined, undefined]);
  expect(engine.writeScores("none")).toEqual([]);
});

test("OCM's decisions have neither scores nor reasons, and lose them", () => {
  const [labelled] = OBJECTS.placementDecisions;
  const decisions = ["c1", "c2"].map((clusterName) => ({ clusterName, reason: "why", score: 7 }));
  const objects = { ...OBJECTS, placementDecisions: [{ ...(labelled as PlacementDecision), decisions }] };
  const engine = new PlacementEngine(objects, { now: NOW, mode: OCM_MODE });
  const plain = ["c1", "c2"].map((clusterName) => ({ clusterName, reason: "" }));
  expect(engine.writes(KEY).writes).toContainEqual({ call: "update", name: "p-decision-1", decisions: plain });
});

test("the first scores, by name", () => {
  const engine = new PlacementEngine(OBJECTS, { now: NOW });
  expect([...engine.scores(KEY, 2)]).toEqual([
    ["c1", 200],
    ["c2", 200],
  ]);
  expect(engine.scores("ns/none", 2).size).toBe(0);
});
