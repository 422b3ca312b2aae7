import { describe, expect, test } from "vitest";
import type { ManagedCluster } from "../../model/managed-cluster.ts";
import type { Placement } from "../../model/placement.ts";
import type { PlacementDecision } from "../../model/placement-decision.ts";
import type { FleetObjects, PlacementEngine } from "../engine.ts";
import { placementKey } from "../placement-name.ts";
import type { ClusterReport, PlacementResult } from "../placement-result.ts";
import { answersAfter, answersBefore, gonePlacements, objectsBefore } from "./changes-since.ts";

const NOTHING: FleetObjects = {
  managedClusters: [],
  managedClusterSets: [],
  managedClusterSetBindings: [],
  placements: [],
  placementDecisions: [],
  addOnPlacementScores: [],
};

function placement(namespace: string, name: string, numberOfClusters?: number): Placement {
  return { namespace, name, numberOfClusters } as Placement;
}

function cluster(name: string, terminating = false): ManagedCluster {
  return { name, terminating } as ManagedCluster;
}

function decision(owner: string, name: string, ...clusters: readonly string[]): PlacementDecision {
  const labels = { "cluster.open-cluster-management.io/placement": owner };
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: "" }));
  return { namespace: "apps", name, labels, decisions } as unknown as PlacementDecision;
}

const MATCHES = { kind: "selected" };

/** An engine with the given selection. */
function answers(
  selected: Readonly<Record<string, readonly string[]>>,
  state: PlacementResult["state"] = "placed",
): Pick<PlacementEngine, "keys" | "result" | "decisions" | "report"> {
  return {
    keys: () => Object.keys(selected).sort(),
    result: (key) =>
      selected[key] && ({ state, tally: { selected: selected[key].length } } as unknown as PlacementResult),
    decisions: (key) => selected[key] && { selected: selected[key], groups: [], slices: [] },
    report: (_, name) => ({ name, selected: true, reason: MATCHES }) as unknown as ClusterReport,
  };
}

describe("the world before", () => {
  test("what is the same by kind, namespace and name is replaced, the rest is added", () => {
    const now = { ...NOTHING, placements: [placement("apps", "lamp", 3), placement("default", "lamp", 3)] };
    const against = { ...NOTHING, placements: [placement("apps", "aft", 1), placement("default", "lamp", 1)] };
    expect(objectsBefore(now, against).placements).toEqual([
      placement("apps", "aft", 1),
      placement("apps", "lamp", 3),
      placement("default", "lamp", 1),
    ]);
  });

  test("of kinds without namespaces, too", () => {
    const now = { ...NOTHING, managedClusters: [cluster("bergen"), cluster("lisbon")] };
    const against = { ...NOTHING, managedClusters: [cluster("bergen", true)] };
    expect(objectsBefore(now, against).managedClusters).toEqual([cluster("bergen", true), cluster("lisbon")]);
    expect(objectsBefore(now, against).placements).toEqual([]);
  });

  test("what cannot be read is in neither", () => {
    const rejected = (name: string) => ({ place: { source: "", line: 1, column: 1 }, kind: "ManagedClusterSet", name });
    const before = objectsBefore({ ...NOTHING, rejected: [rejected("a")] }, { ...NOTHING, rejected: [rejected("b")] });
    expect(before.rejected).toEqual([rejected("a"), rejected("b")]);
    expect(objectsBefore(NOTHING, NOTHING).rejected).toEqual([]);
  });
});

const LAMP = new Set(["apps/lamp"]);

describe("what was before", () => {
  const engine = answers({ "apps/lamp": ["bergen"] });
  const decided = {
    ...NOTHING,
    placementDecisions: [decision("lamp", "b", "oslo", "lisbon"), decision("lamp", "a", "oslo")],
  };

  test("is what decisions have, in the order of names, each once", () => {
    expect(answersBefore(engine, decided, LAMP).decisions("apps/lamp")?.selected).toEqual(["lisbon", "oslo"]);
  });

  test("knows only whether a cluster was decided", () => {
    const { report } = answersBefore(engine, decided, LAMP);
    expect(report("apps/lamp", "oslo")?.reason).toBe(MATCHES);
    expect(report("apps/lamp", "bergen")).toMatchObject({
      selected: false,
      reason: { kind: "not-decided" },
    });
    expect(report("apps/mast", "bergen")?.reason).toBe(MATCHES);
  });

  test("is what the Placement gives, if it is given, too", () => {
    const both = { ...decided, placements: [placement("apps", "lamp")] };
    expect(answersBefore(engine, both, LAMP).decisions("apps/lamp")?.selected).toEqual(["bergen"]);
  });

  test("is not taken from decisions of other Placements", () => {
    const others = { ...NOTHING, placementDecisions: [decision("lantern", "lamp", "oslo")] };
    expect(answersBefore(engine, others, LAMP).decisions("apps/lamp")?.selected).toEqual(["bergen"]);
    expect(answersBefore(engine, others, LAMP).result("apps/lantern")).toBeUndefined();
  });
});

describe("a Placement of which there are decisions only", () => {
  const engine = answers({ "apps/lamp": ["bergen"] });
  const against = { ...NOTHING, placementDecisions: [decision("gone", "gone-decision-1", "oslo", "lisbon")] };

  test("is gone, and had the clusters of its decisions", () => {
    const before = answersBefore(engine, against, new Set(["apps/lamp", "apps/gone"]));
    expect(before.keys()).toEqual(["apps/gone", "apps/lamp"]);
    expect(before.result("apps/gone")).toEqual({ placement: { namespace: "apps", name: "gone" } });
    expect(before.decisions("apps/gone")).toEqual({ selected: ["lisbon", "oslo"] });
  });

  test("may be known by their names only", () => {
    const nameless = { ...decision("gone", "gone-decision-2", "oslo"), labels: {} };
    const other = { ...decision("gone", "somebody", "bergen"), labels: {} };
    const stripped = { ...NOTHING, placementDecisions: [nameless, other] };
    expect(gonePlacements(NOTHING, stripped).map(placementKey)).toEqual(["apps/gone"]);
    expect(answersBefore(engine, stripped, new Set(["apps/gone"])).decisions("apps/gone")?.selected).toEqual(["oslo"]);
  });

  test("is not compared, if it is not asked for", () => {
    const before = answersBefore(engine, against, LAMP);
    expect(before.keys()).toEqual(["apps/lamp"]);
    expect(before.result("apps/gone")).toBeUndefined();
  });

  test("is among those that are gone, as are those of which there is more, each once", () => {
    const now = { ...NOTHING, placements: [placement("apps", "lamp")] };
    const old = {
      ...against,
      placements: [placement("apps", "lamp"), placement("apps", "aft"), placement("apps", "gone")],
    };
    expect(gonePlacements(now, against).map(placementKey)).toEqual(["apps/gone"]);
    expect(gonePlacements(now, old).map(placementKey)).toEqual(["apps/aft", "apps/gone"]);
    expect(gonePlacements(old, against)).toEqual([]);
  });
});

describe("how it is known what was before", () => {
  const basis = (against: FleetObjects, state: PlacementResult["state"] = "placed", had = ["bergen"]) =>
    answersBefore(answers({ "apps/lamp": had }, state), against, LAMP).result("apps/lamp")?.basis;

  test("it is given, also where only other kinds are", () => {
    expect(basis({ ...NOTHING, placements: [placement("apps", "lamp")] })).toBe("given");
    expect(basis({ ...NOTHING, managedClusters: [cluster("bergen")] })).toBe("given");
    expect(basis({ ...NOTHING, placementDecisions: [decision("lamp", "a", "oslo")] })).toBeUndefined();
  });

  test("it is assumed, where there are other Placements, or decisions of others", () => {
    expect(basis({ ...NOTHING, placements: [placement("apps", "mast")] })).toBe("assumed");
    expect(basis({ ...NOTHING, placementDecisions: [decision("mast", "a", "oslo")] })).toBe("assumed");
  });

  test.each(["kept", "ignored"] as const)("it is not known of one that was %s, without its decisions", (state) => {
    const against = { ...NOTHING, placements: [placement("apps", "lamp")] };
    expect(basis(against, state, [])).toBe("unknown");
    expect(basis(against, state)).toBe("given");
    expect(basis(against, "placed", [])).toBe("given");
    expect(basis(against, "emptied", [])).toBe("given");
  });
});

describe("what a misconfigured Placement has after", () => {
  const before = answers({ "apps/lamp": ["bergen", "lisbon", "oslo"] });
  const fleet = { ...NOTHING, managedClusters: [cluster("lisbon", true), cluster("oslo")] };

  test("is what it had before, as far as that is there", () => {
    const after = answersAfter(answers({ "apps/lamp": [] }, "kept"), before, fleet, LAMP);
    expect(after.decisions("apps/lamp")?.selected).toEqual(["oslo"]);
  });

  test("is that of its decisions, if they are given", () => {
    const given = { ...fleet, placementDecisions: [decision("lamp", "lamp-decision-1", "bergen")] };
    const after = answersAfter(answers({ "apps/lamp": ["bergen"] }, "kept"), before, given, LAMP);
    expect(after.decisions("apps/lamp")?.selected).toEqual(["bergen"]);
  });

  test("is everything, if scheduling is disabled", () => {
    const after = answersAfter(answers({ "apps/lamp": [] }, "ignored"), before, fleet, LAMP);
    expect(after.decisions("apps/lamp")?.selected).toEqual(["bergen", "lisbon", "oslo"]);
  });

  test.each(["placed", "emptied"] as const)("is what it is, if it is %s", (state) => {
    const after = answersAfter(answers({ "apps/lamp": [] }, state), before, fleet, LAMP);
    expect(after.decisions("apps/lamp")?.selected).toEqual([]);
  });
});
