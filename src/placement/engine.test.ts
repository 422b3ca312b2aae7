import { describe, expect, test } from "vitest";
import { answerOf, inWords, type PlacementAnswer } from "../../test/placement/answer-of.ts";
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
import type { Placement } from "../model/placement.ts";
import { clusterReasonText } from "../render/sentence/placement-reason.ts";
import { conditionText, statusCondition } from "../render/sentence/placement-status.ts";
import { PlacementEngine } from "./engine.ts";
import { DEFAULT_MODE, OCM_MODE } from "./placement-mode.ts";
import type { ClusterReport } from "./placement-result.ts";

/** Why a cluster is selected, or why not, in words. */
function reasonOf(engine: PlacementEngine, name: string, key = "ns/p"): string {
  return clusterReasonText(engine.report(key, name) as ClusterReport);
}

const C1 = cluster("c1");
const C2 = cluster("c2");
const C3 = cluster("c3");

/** Costs the more, the longer the label is. */
const COSTLY = 'managedCluster.metadata.labels["x"].contains("aaaaaaaaaaaaaaaaaaaa") || true';

describe("what may be spent on a Placement", () => {
  const objects = (lengths: readonly number[]) =>
    hub({
      managedClusters: lengths.map((length, index) => cluster(`c${index}`, { x: "b".repeat(length) })),
      placements: [asking("p", COSTLY)],
    });
  const run = (lengths: readonly number[], placementCostLimit: number) =>
    new PlacementEngine(objects(lengths), { now: NOW, placementCostLimit });

  test.each([
    [
      [10, 10, 10],
      [60, 60, 10],
    ],
    [
      [60, 10, 10],
      [10, 60, 10],
    ],
    [
      [60, 60, 60],
      [10, 10, 10],
    ],
  ])("is recounted when several clusters change: %j to %j", (before, after) => {
    for (let limit = 20; limit < 120; limit += 3) {
      const engine = run(before, limit);
      engine.result("ns/p");
      const changed = objects(after).managedClusters.filter(({ labels }, index) => labels.x?.length !== before[index]);
      engine.apply(changed.map((object) => ({ kind: "ManagedCluster", name: object.name, object })));
      const { state, selected } = answerOf(run(after, limit), "ns/p") ?? {};
      expect({ limit, state: engine.result("ns/p")?.state, selected: engine.decisions("ns/p")?.selected }).toEqual({
        limit,
        state,
        selected,
      });
    }
  });

  test("is not spent again on reports", () => {
    const engine = run([10, 10, 10], 1);
    const checks = engine.reports("ns/p").flatMap((report) => report.checks);
    expect(checks.filter(({ kind }) => kind === "cel").map(({ outcome }) => outcome)).toEqual(Array(3).fill("skipped"));
  });

  test("what was stopped for its cost is looked at again when a score that it reads ends", () => {
    const objectsWithScore = hub({
      managedClusters: [cluster("c1", { x: "b".repeat(60) })],
      addOnPlacementScores: [score("c1", 1, "2022-01-01T00:01:00Z")],
      placements: [asking("p", `managedCluster.hasScore("r", "s") && ${COSTLY}`)],
    });
    const engine = new PlacementEngine(objectsWithScore, { now: NOW, placementCostLimit: 10 });
    expect(engine.result("ns/p")?.state).toBe("kept");
    expect(String(engine.result("ns/p")?.wakeAt)).toBe("2022-01-01T00:01:00.000000001Z");
    engine.advance(later(61));
    expect(engine.result("ns/p")?.state).toBe("placed");
  });
});

describe("scores of another cluster", () => {
  const asksC2 = asking("p", 'score({"metadata": {"name": "c2"}}, "r", "s") > 5');
  const start = (validUntil?: string) =>
    new PlacementEngine(
      hub({ managedClusters: [C1, C2], placements: [asksC2], addOnPlacementScores: [score("c2", 9, validUntil)] }),
      { now: NOW },
    );

  test("concern every cluster that asks for them", () => {
    const engine = start();
    expect(engine.decisions("ns/p")?.selected).toEqual(["c1", "c2"]);
    const change = { kind: "AddOnPlacementScore", namespace: "c2", name: "r", object: score("c2", 1) } as const;
    expect(engine.apply([change])).toEqual(["ns/p"]);
    expect(engine.decisions("ns/p")?.selected).toEqual([]);
  });

  test("end for all of them", () => {
    const engine = start("2022-01-01T00:01:00Z");
    expect(String(engine.wakeAt)).toBe("2022-01-01T00:01:00.000000001Z");
    expect(engine.advance(later(61))).toEqual(["ns/p"]);
    expect(engine.result("ns/p")?.tally.failed).toBe(2);
  });
});

test("time may go back", () => {
  const taint = { key: "k", value: "", effect: "NoSelect", timeAdded: "2022-01-01T00:00:00Z" };
  const tolerations = [{ place: PLACE, key: "k", operator: "Exists", value: "", effect: "", tolerationSeconds: 60 }];
  const engine = new PlacementEngine(
    hub({ managedClusters: [cluster("c1", {}, [taint])], placements: [placement("p", { tolerations })] }),
    { now: NOW },
  );
  expect(engine.decisions("ns/p")?.selected).toEqual(["c1"]);
  engine.advance(later(60));
  expect(engine.decisions("ns/p")?.selected).toEqual([]);
  engine.advance(later(59));
  expect(engine.decisions("ns/p")?.selected).toEqual(["c1"]);
});

test("a set that is applied again unchanged affects no Placement", () => {
  const objects = hub({ managedClusters: [C1], placements: [placement("p")] });
  const engine = new PlacementEngine(objects, { now: NOW });
  engine.result("ns/p");
  const { evaluations } = engine;
  const [set] = structuredClone(objects.managedClusterSets);
  expect(engine.apply([{ kind: "ManagedClusterSet", name: "all", object: set }])).toEqual([]);
  engine.result("ns/p");
  expect(engine.evaluations).toBe(evaluations);
});

describe("what could not be read", () => {
  const objects = hub({
    managedClusters: [C1, C2],
    managedClusterSets: [],
    placements: [placement("p"), placement("q", { clusterSets: ["other"] })],
    placementDecisions: [decision("p-decision-1", "p", "c1")],
  });

  test("a set: Placements that may use it keep their decisions, others go on", () => {
    const rejected = [{ place: PLACE, kind: "ManagedClusterSet", name: "all" }];
    const engine = new PlacementEngine({ ...objects, rejected }, { now: NOW });
    expect(answerOf(engine, "ns/p")).toMatchObject({ state: "kept", selected: ["c1"] });
    expect(inWords(engine.result("ns/p")?.mistakes ?? [])[0]?.message).toContain(
      'ManagedClusterSet "all" could not be read',
    );
    expect(engine.result("ns/q")?.state).toBe("placed");
    const [object] = hub({}).managedClusterSets;
    // The other Placement is affected, too: a set is now bound, although not the one that it names.
    expect(engine.apply([{ kind: "ManagedClusterSet", name: "all", object }])).toEqual(["ns/p", "ns/q"]);
    expect(answerOf(engine, "ns/p")).toMatchObject({ state: "placed", selected: ["c1", "c2"] });
  });

  test("a binding: the same, in its namespace", () => {
    const kind = "ManagedClusterSetBinding";
    const run = (namespace: string) =>
      new PlacementEngine({ ...objects, rejected: [{ place: PLACE, kind, namespace, name: "all" }] }, { now: NOW });
    expect(run("ns").result("ns/p")?.state).toBe("kept");
    expect(run("elsewhere").result("ns/p")?.state).toBe("placed");
    const engine = run("ns");
    engine.result("ns/p");
    engine.apply([{ kind, namespace: "ns", name: "all", object: undefined }]);
    expect(engine.result("ns/p")?.state).toBe("placed");
  });
});

test("no PlacementDecision gets a name that is already taken", () => {
  const engine = new PlacementEngine(
    hub({
      managedClusters: [C1],
      placements: [placement("p"), placement("q")],
      placementDecisions: [decision("p-decision-1", "q", "c1"), decision("p-decision-2", undefined)],
    }),
    { now: NOW },
  );
  expect(engine.decisions("ns/p")?.slices.map(({ name }) => name)).toEqual(["p-decision-3"]);
  expect(engine.decisions("ns/q")?.slices.map(({ name }) => name)).toEqual(["p-decision-1"]);
  engine.apply([{ kind: "PlacementDecision", namespace: "ns", name: "p-decision-2", object: undefined }]);
  expect(engine.decisions("ns/p")?.slices.map(({ name }) => name)).toEqual(["p-decision-2"]);
});

test("a cluster that is kept is reported as kept, even if it has moved to another set", () => {
  const engine = new PlacementEngine(
    hub({
      managedClusters: [C1, C2, C3],
      managedClusterSetBindings: [],
      placements: [asking("p", "nonsense")],
      placementDecisions: [decision("p-decision-1", "p", "c2")],
    }),
    { now: NOW },
  );
  expect(engine.report("ns/p", "c2")).toMatchObject({
    verdict: "kept",
    selected: true,
    reason: { kind: "kept", state: "kept" },
  });
  expect(engine.reports("ns/p").map(({ name }) => name)).toEqual(["c2"]);
});

test("very many mistakes and very many rules are no more than many", () => {
  const toleration = { place: PLACE, key: "", operator: "", value: "", effect: "" };
  const engine = new PlacementEngine(
    hub({
      managedClusters: [cluster("c1", {}, Array(200_000).fill({ key: "k", value: "", effect: "NoSelect" }))],
      placements: [placement("p", { tolerations: Array(200_000).fill(toleration) }), placement("q")],
    }),
    { now: NOW },
  );
  const mistakes = engine.result("ns/p")?.mistakes ?? [];
  expect(mistakes).toHaveLength(101);
  expect(mistakes.at(-1)?.fault).toEqual({ kind: "more", count: 199900 });
  expect(engine.reports("ns/q")[0]?.checks).toHaveLength(200_001);
});

test("texts from the input do not fill a status", () => {
  const long = "x".repeat(1_000_000);
  const engine = new PlacementEngine(
    hub({
      managedClusters: [cluster("c1", {}, [{ key: "k", value: long, effect: "NoSelect" }])],
      placements: [
        placement("p", { prioritizerPolicy: { mode: long, configurations: [] } }),
        placement("q", { clusterSets: [long] }),
        placement("r"),
      ],
    }),
    { now: NOW },
  );
  for (const key of engine.keys())
    for (const { message } of engine.result(key)?.conditions ?? [])
      expect(conditionText(message).length).toBeLessThan(2_000);
  expect(reasonOf(engine, "c1", "ns/r").length).toBeLessThan(2_000);
});

test("a first label affects expressions about any label, because they fail without labels", () => {
  const engine = new PlacementEngine(
    hub({ managedClusters: [C1], placements: [asking("p", "!has(managedCluster.metadata.labels.env)")] }),
    { now: NOW },
  );
  expect(engine.decisions("ns/p")?.selected).toEqual([]);
  const labelled = cluster("c1", { other: "x" });
  expect(engine.apply([{ kind: "ManagedCluster", name: "c1", object: labelled }])).toEqual(["ns/p"]);
  expect(engine.decisions("ns/p")?.selected).toEqual(["c1"]);
});

test("a set that is bound may be the one that was meant", () => {
  const [all] = hub({}).managedClusterSets;
  const sets = ["all", "prod"].map((name) => ({ ...all, name }) as NonNullable<typeof all>);
  const engine = new PlacementEngine(
    hub({ managedClusterSets: sets, placements: [placement("p", { clusterSets: ["all", "prd"] })] }),
    { now: NOW },
  );
  const hint = () => inWords(engine.result("ns/p")?.warnings ?? [])[0]?.hint;
  expect(hint()).toBeUndefined();
  const binding = { place: PLACE, namespace: "ns", name: "prod" };
  const change = { kind: "ManagedClusterSetBinding", namespace: "ns", name: "prod", object: binding } as const;
  expect(engine.apply([change])).toEqual(["ns/p"]);
  expect(hint()).toBe("did you mean prod?");
});

test("an answer stays what it was after the next change", () => {
  const broken = { key: "k", operator: "In", values: [] };
  const group = { place: PLACE, groupName: "aa", claimRequirements: [] };
  const groupStrategy = {
    clustersPerDecisionGroup: "100%",
    decisionGroups: [group, { ...group, groupName: "bb", claimRequirements: [broken] }],
  };
  for (const mode of [DEFAULT_MODE, OCM_MODE]) {
    const engine = new PlacementEngine(
      hub({ managedClusters: [C1, C2], placements: [placement("p", { groupStrategy }), placement("q")] }),
      { now: NOW, mode },
    );
    const [p, q] = [engine.decisions("ns/p"), engine.decisions("ns/q")];
    engine.apply([{ kind: "ManagedCluster", name: "c1", object: undefined }]);
    expect(engine.decisions("ns/q")?.selected).toEqual(["c2"]);
    expect(p?.groups.flatMap(({ clusters }) => clusters)).toEqual(mode === OCM_MODE ? ["c1", "c2"] : []);
    expect(q?.selected).toEqual(["c1", "c2"]);
    expect(q?.slices[0]?.clusters).toEqual(["c1", "c2"]);
  }
});

test("the values of an expression include all of the cluster", () => {
  const labelled = { ...cluster("c1"), object: { metadata: { name: "c1" }, spec: { hubAcceptsClient: true } } };
  const engine = new PlacementEngine(
    hub({ managedClusters: [labelled], placements: [asking("p", "managedCluster.spec.nothing")] }),
    { now: NOW },
  );
  const [check] = engine.report("ns/p", "c1", { trace: true })?.checks.filter(({ kind }) => kind === "cel") ?? [];
  expect(JSON.stringify(check)).toContain('\\"hubAcceptsClient\\": true');
});

// As OCM v1.2.1 does it; without a place in a text, too.
test("with OCM one mistake is reported: the mode, then a missing scoreCoordinate, then others; groups first of all", () => {
  const place = { ...PLACE, exact: true } as const;
  const unknown = { place, scoreCoordinate: { type: "BuiltIn", builtIn: "Sideways" }, weight: 1 };
  const policy = (mode: string) => ({ mode, configurations: [unknown, { place, weight: 1 }] });
  const firstMistake = (more: Partial<Placement>) => {
    const objects = hub({ managedClusters: [C1], placements: [{ ...placement("p", more), place }] });
    const result = new PlacementEngine(objects, { now: NOW, mode: OCM_MODE }).result("ns/p");
    return inWords(result?.mistakes ?? [])[0]?.message;
  };
  expect(firstMistake({ prioritizerPolicy: policy("Nearly") })).toBe("incorrect prioritizer policy mode: Nearly");
  expect(firstMistake({ prioritizerPolicy: policy("Exact") })).toBe("scoreCoordinate field is required");
  const group = { place, groupName: "aa", claimRequirements: [{ key: "k", operator: "In", values: [] }] };
  const groupStrategy = { decisionGroups: [group], clustersPerDecisionGroup: "many" };
  expect(firstMistake({ prioritizerPolicy: policy("Nearly"), groupStrategy })).toContain("clustersPerDecisionGroup");
});

test("with OCM clusters are ranked even if their groups cannot be cut and none is requested", () => {
  const engine = new PlacementEngine(
    hub({
      managedClusters: [C1],
      placements: [
        placement("p", {
          numberOfClusters: 0,
          groupStrategy: { decisionGroups: [], clustersPerDecisionGroup: "many" },
        }),
      ],
    }),
    { now: NOW, mode: OCM_MODE },
  );
  expect(engine.report("ns/p", "c1")).toMatchObject({ verdict: "left", score: 100, rank: 1 });
});

describe("a cluster that could not be read", () => {
  const PLACE = { source: "x", line: 1, column: 1 };
  const rejected = [{ place: PLACE, kind: "ManagedCluster", name: "c0" }];
  const own = (...names: readonly string[]) => ({
    place: PLACE,
    namespace: "ns",
    name: "p-decision-1",
    labels: { "cluster.open-cluster-management.io/placement": "p" },
    decisions: names.map((clusterName) => ({ clusterName, reason: "as it was" })),
  });
  const engineOf = (placementDecisions: readonly ReturnType<typeof own>[], more = {}) =>
    new PlacementEngine(
      {
        ...hub({
          managedClusters: [cluster("c1"), cluster("c2")],
          placements: [placement("p", more)],
          placementDecisions,
        }),
        rejected,
      },
      { now: NOW },
    );

  test("keeps its place if it is selected, also within a number", () => {
    expect(engineOf([own("c0")]).decisions("ns/p")?.selected).toEqual(["c0", "c1", "c2"]);
    const engine = engineOf([own("c0")], { numberOfClusters: 2 });
    expect(answerOf(engine, "ns/p")).toMatchObject({
      selected: ["c0", "c1"],
      tally: { selected: 2, left: 1 },
      warnings: [{ isUnread: true, place: PLACE }],
    });
    expect(engine.report("ns/p", "c0")).toMatchObject({ verdict: "kept", selected: true, checks: [] });
    expect(reasonOf(engine, "c0")).toContain("could not be read");
    expect(engine.report("ns/p", "c0")?.decision).toEqual({ clusterName: "c0", reason: "as it was" });
  });

  test("goes if others that could not be read take all the room, and nothing is claimed of it", () => {
    const engine = new PlacementEngine(
      {
        ...hub({
          managedClusters: [cluster("c1"), cluster("c2")],
          placements: [placement("p", { numberOfClusters: 1 })],
          placementDecisions: [own("c0", "c1", "c9")],
        }),
        rejected: [...rejected, { place: PLACE, kind: "ManagedCluster", name: "c9" }],
      },
      { now: NOW },
    );
    const { selected, warnings, conditions, tally } = answerOf(engine, "ns/p") as PlacementAnswer;
    expect(selected).toEqual(["c0"]);
    expect(tally).toMatchObject({ selected: 1, left: 3 });
    expect(inWords(warnings).map(({ message }) => message)).toEqual([
      'the ManagedCluster "c0", which is selected, could not be read; it keeps its place',
      'the ManagedCluster "c9", which was selected, could not be read; there is no room for it within numberOfClusters',
    ]);
    expect(conditions.map(statusCondition).at(-1)).toMatchObject({
      status: "False",
      reason: "UnreadClusters",
      message: "2 clusters could not be read: c0; c9",
    });
    const gone = engine.report("ns/p", "c9");
    expect(gone).toMatchObject({ verdict: "unread", selected: false });
    expect([gone?.score, gone?.rank, gone?.decision]).toEqual([undefined, undefined, undefined]);
    // The score of what could not be read is not known: no other has more or less.
    expect(reasonOf(engine, "c1")).toBe("rank 3, and 1 is selected");
  });

  test("is counted among those that a rank is one of", () => {
    expect(reasonOf(engineOf([own("c0")], { numberOfClusters: 2 }), "c1")).toBe(
      "the Placement has no predicates; rank 2 of 3",
    );
  });

  test("keeps its place, too, where it may be in what could not be read", () => {
    const lost = { words: new Map([["c0", PLACE]]), unseen: undefined };
    const objects = hub({ managedClusters: [C1], placements: [placement("p")], placementDecisions: [own("c0", "c9")] });
    const engine = new PlacementEngine({ ...objects, lost }, { now: NOW });
    expect(answerOf(engine, "ns/p")).toMatchObject({ selected: ["c0", "c1"], warnings: [{ isUnread: true }] });
    engine.apply([{ kind: "ManagedCluster", name: "c0", object: undefined }]);
    expect(answerOf(engine, "ns/p")).toMatchObject({ selected: ["c1"], warnings: [] });
  });

  test("is not reported if all decisions are withdrawn", () => {
    const objects = hub({
      managedClusters: [C1],
      placements: [asking("p", "no.such")],
      placementDecisions: [own("c0")],
    });
    const engine = new PlacementEngine({ ...objects, rejected }, { now: NOW, mode: OCM_MODE });
    expect(answerOf(engine, "ns/p")).toMatchObject({ state: "emptied", selected: [], warnings: [] });
  });

  test("is not there if it is not selected", () => {
    const engine = engineOf([]);
    expect(answerOf(engine, "ns/p")).toMatchObject({ selected: ["c1", "c2"], warnings: [] });
    expect(engine.reports("ns/p").map(({ name }) => name)).toEqual(["c1", "c2"]);
  });

  test("is evaluated again when it comes again, and keeps its place while its decision is there", () => {
    const engine = engineOf([own("c0")]);
    engine.result("ns/p");
    expect(
      engine.apply([{ kind: "PlacementDecision", namespace: "ns", name: "p-decision-1", object: own("c1") }]),
    ).toEqual(["ns/p"]);
    expect(engine.decisions("ns/p")?.selected).toEqual(["c1", "c2"]);
    engine.apply([{ kind: "ManagedCluster", name: "c0", object: cluster("c0") }]);
    expect(answerOf(engine, "ns/p")).toMatchObject({ selected: ["c0", "c1", "c2"], warnings: [] });
  });

  test("is not spread, because its topology is unknown", () => {
    const spreadConstraints = [
      { place: PLACE, topologyKey: "zone", topologyKeyType: "Label", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" },
    ];
    const engine = engineOf([own("c0")], { spreadConstraints, numberOfClusters: 2 });
    expect(engine.decisions("ns/p")?.selected).toContain("c0");
  });
});

test("when the time is over, what is not evaluated yet is undecided and keeps what it has", () => {
  let asked = 0;
  const engine = new PlacementEngine(
    hub({
      managedClusters: [C1, C2, C3],
      placements: [placement("p"), placement("q")],
      placementDecisions: [decision("q-decision-1", "q", "c2")],
    }),
    { now: NOW, isLate: () => ++asked > 4 },
  );
  expect(answerOf(engine, "ns/p")).toMatchObject({ state: "placed", selected: ["c1", "c2", "c3"] });
  expect(answerOf(engine, "ns/q")).toMatchObject({
    state: "kept",
    selected: ["c2"],
    mistakes: [{ fault: { kind: "time-over" }, isLimit: true }],
  });
});

describe("a score that expires", () => {
  const fits = 'managedCluster.score("r", "s") > 5';
  const engineOf = (onExpiredScore: "error" | "keep") =>
    new PlacementEngine(
      hub({
        managedClusters: [C1, C2],
        placements: [asking("p", fits)],
        placementDecisions: [decision("p-decision-1", "p", "c1")],
        addOnPlacementScores: ["c1", "c2"].map((name) => score(name, 7, "2020-01-01T00:00:00Z")),
      }),
      { now: NOW, onExpiredScore },
    );

  test("is an error, or still counts for a cluster that the Placement has", () => {
    expect(engineOf("error").decisions("ns/p")?.selected).toEqual([]);
    const engine = engineOf("keep");
    expect(answerOf(engine, "ns/p")).toMatchObject({ selected: ["c1"], tally: { failed: 1 } });
    expect(reasonOf(engine, "c2")).toContain("expired");
  });

  test("counts as long as the cluster is decided, after any change", () => {
    const engine = engineOf("keep");
    engine.result("ns/p");
    const own = decision("p-decision-1", "p", "c2");
    engine.apply([{ kind: "PlacementDecision", namespace: "ns", name: "p-decision-1", object: own }]);
    expect(engine.decisions("ns/p")?.selected).toEqual(["c2"]);
    const less = score("c2", 1, "2020-01-01T00:00:00Z");
    engine.apply([{ kind: "AddOnPlacementScore", namespace: "c2", name: "r", object: less }]);
    expect(engine.decisions("ns/p")?.selected).toEqual([]);
  });
});
