import { describe, expect, test } from "vitest";
import { placement as anyPlacement } from "../../../test/placement/sample-fleet.ts";
import { parseTimestamp, type Timestamp } from "../../cel/value/timestamp.ts";
import type { Placement } from "../../model/placement.ts";
import { faultMessage } from "../../render/sentence/placement-fault.ts";
import { type AffectedPlacements, type FleetObjects, PlacementEngine } from "../engine.ts";
import { DEFAULT_MODE, OCM_MODE } from "../placement-mode.ts";
import type { ClusterReport, Mistake, PlacementResult, ScorePart, Verdict } from "../placement-result.ts";
import { debugReport } from "./debug.ts";
import { type AccessReview, answerDebugRequest, type DebugRequest, type DebugSources } from "./debug-request.ts";

const place = { source: "placement.yaml", line: 1, column: 1 };

function placement(namespace: string, name: string): Placement {
  return anyPlacement(name, { place, namespace, generation: 3 });
}

function result(of: Placement, state: PlacementResult["state"], mistakes: readonly Mistake[] = []): PlacementResult {
  const tally = { terminating: 0, unmatched: 0, failed: 0, tainted: 0, left: 0, selected: 0 };
  const nothing = {
    brokenSets: [],
    warnings: [],
    eligibleSets: [],
    unusableSets: [],
    conditions: [],
  };
  return { placement: of, state, mistakes, ...nothing, unscheduled: 0, tally };
}

function part(name: string, score: number, weight = 1): ScorePart {
  return { name, score, weight, detail: { kind: "add-on" } };
}

function report(name: string, verdict: Verdict, rank?: number, parts: readonly ScorePart[] = []): ClusterReport {
  const score = rank === undefined ? undefined : parts.reduce((sum, one) => sum + one.score * one.weight, 0);
  const selected = verdict === "selected";
  return {
    name,
    verdict,
    selected,
    ...(score !== undefined && { score }),
    parts,
    ...(rank !== undefined && { rank }),
    isSoftTainted: false,
    checks: [],
    reason: { kind: "terminating" },
  };
}

const TWICE = "AddOn/usage/cpu";

/** The reports of the engine about ns1/placement1. */
const REPORTS: readonly ClusterReport[] = [
  report("c5", "selected", 1, [part("Steady", 100, 2), part("Balance", 0), part(TWICE, 7, 1), part(TWICE, 7, 2)]),
  report("c1", "unmatched"),
  report("c2", "tainted"),
  report("c4", "selected", 2, [part("Steady", 50, 2), part("Balance", 0), part(TWICE, 0, 1), part(TWICE, 0, 2)]),
  report("c3", "left", 3, [part("Steady", 50, 2), part("Balance", 0), part(TWICE, 0, 1), part(TWICE, 0, 2)]),
  report("c6", "failed"),
  report("c7", "terminating"),
];

/** Knows ns1/placement1; other Placements have no clusters, and are misconfigured if they are called `broken`. */
class Engine {
  readonly stored = new Map([["ns1/placement1", placement("ns1", "placement1")]]);
  readonly applied: string[] = [];
  readonly state: "kept" | "emptied";
  constructor(state: "kept" | "emptied" = "kept") {
    this.state = state;
  }
  result(key: string): PlacementResult | undefined {
    const found = this.stored.get(key);
    if (found?.name === "broken")
      return result(found, this.state, [BROKEN, { ...BROKEN, place, fault: { kind: "no-add-on" } }]);
    return found && result(found, found.name === "idle" ? "ignored" : "placed");
  }
  reports(key: string): readonly ClusterReport[] {
    return key === "ns1/placement1" || key === "ns1/broken" ? REPORTS : [];
  }
  applyChanges(
    changes: readonly { namespace: string; name: string; object: Placement | undefined }[],
  ): AffectedPlacements {
    for (const { namespace, name, object } of changes) {
      const key = `${namespace}/${name}`;
      this.applied.push(`${object === undefined ? "-" : `+${object.generation} `}${key}`);
      if (object === undefined) this.stored.delete(key);
      else this.stored.set(key, object);
    }
    // Balance: what comes first affects `after`, which is then affected by itself.
    const direct = changes.map(({ namespace, name }) => `${namespace}/${name}`);
    return this.applied.length === 1
      ? { direct, rebalanced: ["ns2/after", "ns2/later"] }
      : { direct: [...direct, "ns2/after"], rebalanced: [] };
  }
}

const EXPRESSIONS = ["spec", "predicates", 0, "requiredClusterSelector", "celSelector", "celExpressions", 1];
const BROKEN: Mistake = {
  fault: { kind: "max-skew", value: 0 },
  place: { ...place, path: EXPRESSIONS, offset: 4 },
  plugin: "Predicate",
};

const SUMS = [
  { clusterName: "c5", score: 221 },
  { clusterName: "c3", score: 100 },
  { clusterName: "c4", score: 100 },
];

describe("the report", () => {
  test("K1: filters, prioritizers and sums, without status and runtime metadata", () => {
    const found = debugReport(new Engine(), "ns1/placement1", DEFAULT_MODE, faultMessage);
    expect(found).toMatchObject({ placement: { metadata: { name: "placement1", namespace: "ns1" } } });
    expect(Object.keys(found?.placement ?? {})).toEqual(["apiVersion", "kind", "metadata", "spec"]);
    const { placement: _, ...rest } = found ?? { placement: {} };
    expect(rest).toEqual({
      filteredPipelineResults: [
        { name: "Predicate", filteredClusters: ["c2", "c3", "c4", "c5"] },
        { name: "Predicate,TaintToleration", filteredClusters: ["c3", "c4", "c5"] },
      ],
      prioritizeResults: [
        { name: TWICE, weight: 1, scores: { c3: 0, c4: 0, c5: 7 } },
        { name: TWICE, weight: 2, scores: { c3: 0, c4: 0, c5: 7 } },
        { name: "Balance", weight: 1, scores: { c3: 0, c4: 0, c5: 0 } },
        { name: "Steady", weight: 2, scores: { c3: 50, c4: 50, c5: 100 } },
      ],
      aggregatedScores: SUMS,
    });
  });

  test("K1: to OCM the last list is in the order of ranks", () => {
    const found = debugReport(new Engine(), "ns1/placement1", OCM_MODE, faultMessage);
    expect(found?.filteredPipelineResults[1]?.filteredClusters).toEqual(["c5", "c4", "c3"]);
    expect(found?.aggregatedScores).toEqual(SUMS);
  });

  test("a cluster may have any name", () => {
    const engine = { ...new Engine(), result: () => result(placement("a", "b"), "placed") };
    const reports = () => [report("__proto__", "selected", 1, [part("Balance", 5)])];
    const found = debugReport({ ...engine, reports }, "a/b", DEFAULT_MODE, faultMessage);
    expect(JSON.stringify(found?.prioritizeResults)).toBe('[{"name":"Balance","weight":1,"scores":{"__proto__":5}}]');
  });

  const EMPTY = {
    filteredPipelineResults: [
      { name: "Predicate", filteredClusters: [] },
      { name: "Predicate,TaintToleration", filteredClusters: [] },
    ],
    prioritizeResults: [],
    aggregatedScores: [],
  };

  test("K10: without a binding there are no clusters, and there is no error", () => {
    const engine = new Engine();
    engine.stored.set("ns1/other", placement("ns1", "other"));
    const found = debugReport(engine, "ns1/other", DEFAULT_MODE, faultMessage);
    expect(found).toMatchObject(EMPTY);
    expect(found).not.toHaveProperty("error");
  });

  test("K12: a misconfigured placement has where and why; OCM has nothing", () => {
    for (const [mode, state] of [
      [DEFAULT_MODE, "kept"],
      [OCM_MODE, "emptied"],
    ] as const) {
      const engine = new Engine(state);
      engine.stored.set("ns1/broken", placement("ns1", "broken"));
      const found = debugReport(engine, "ns1/broken", mode, faultMessage);
      expect(found).toMatchObject(EMPTY);
      expect(found?.error).toBe(
        mode === OCM_MODE
          ? undefined
          : "spec.predicates[0].requiredClusterSelector.celSelector.celExpressions[1], character 5: maxSkew is 0, and must be at least 1; addOn should not be empty",
      );
    }
  });

  test("a placement with scheduling disabled is marked", () => {
    const engine = new Engine();
    engine.stored.set("ns1/idle", placement("ns1", "idle"));
    expect(debugReport(engine, "ns1/idle", DEFAULT_MODE, faultMessage)?.error).toContain("not to be scheduled");
  });

  test("there is none of a placement that is not there", () => {
    expect(debugReport(new Engine(), "ns1/nothing", DEFAULT_MODE, faultMessage)).toBeUndefined();
  });
});

const user = { name: "ann", groups: ["admins"], extra: { scopes: ["a", "b"] } };
const GET: DebugRequest = { method: "GET", path: "/debug/placements/ns1/placement1", user };
const POST: DebugRequest = { method: "POST", path: "/debug/placements/", body: "ns2/new", user };

/** Reads a body `namespace/name`, and allows everything. */
function sources(more: Partial<DebugSources> = {}): DebugSources {
  const read = (body: string) => {
    const [namespace, name] = body.split("/").map((word) => word.replace("%", "/"));
    return namespace === undefined || name === undefined
      ? "no slash"
      : { ...placement(namespace, name), generation: 9 };
  };
  const onAffected = (): void => undefined;
  return { engine: new Engine(), mode: DEFAULT_MODE, faultMessage, review: () => true, read, onAffected, ...more };
}

async function answer(request: Partial<DebugRequest>, more: Partial<DebugSources> = {}) {
  return answerDebugRequest({ ...GET, ...request }, sources(more));
}

describe("a request", () => {
  test("K1: GET shows the report", async () => {
    const found = await answer(GET);
    expect(found.status).toBe(200);
    expect(found.body).toEqual(debugReport(new Engine(), "ns1/placement1", DEFAULT_MODE, faultMessage));
    expect((await answer({ path: `${GET.path}?pretty=1` })).status).toBe(200);
  });

  test("K2: POST shows what would be, and leaves no trace", async () => {
    const engine = new Engine();
    const affected: unknown[] = [];
    const found = await answer(POST, { engine, onAffected: (given) => affected.push([engine.applied.length, given]) });
    expect(found).toMatchObject({ status: 200, body: { placement: { metadata: { name: "new", namespace: "ns2" } } } });
    expect(affected).toEqual([[2, { direct: ["ns2/new", "ns2/after"], rebalanced: ["ns2/later"] }]]);
    expect(found.body).toHaveProperty("aggregatedScores");
    expect(engine.applied).toEqual(["+9 ns2/new", "-ns2/new"]);
    expect((await answer({ ...POST, path: "/debug/placements" })).status).toBe(200);
  });

  test("K2: POST of a placement that is stored puts that back", async () => {
    const engine = new Engine();
    expect(await answer({ ...POST, body: "ns1/placement1" }, { engine })).toMatchObject({ status: 200 });
    expect(engine.applied).toEqual(["+9 ns1/placement1", "+3 ns1/placement1"]);
  });

  test("K12: POST of a broken one is answered with the error", async () => {
    const found = await answer({ ...POST, body: "ns1/broken" });
    expect(found).toMatchObject({ status: 200, body: { error: expect.stringContaining("character 5") } });
  });

  test.each([
    { path: "/debug/placements/placement1" },
    { path: "/debug/placements//placement1" },
    { path: "/debug/placements/ns1/" },
    { path: "/debug/placements/" },
    { path: "/debug/placements/ns1/placement1/more" },
    { path: "/debug/placementsns1/placement1" },
    { path: "/elsewhere/ns1/placement1" },
  ])("K4: GET $path is a bad request", async ({ path }) => {
    const found = await answer({ path });
    expect(found).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("namespace and name required") },
    });
  });

  test.each([
    { name: "no placement", body: "rubbish", error: "the body is not a placement: no slash" },
    { name: "no namespace", body: "/new", error: "namespace and name required" },
    { name: "no name", body: "ns2/", error: "namespace and name required" },
    { name: "a name of two parts", body: "ns2/a%b", error: "namespace and name required" },
    { name: "too long", body: `ns2/${"x".repeat(1024 * 1024)}`, error: "more than 1048576 bytes" },
    { name: "too many bytes", body: `ns2/${"ü".repeat(600 * 1024)}`, error: "more than 1048576 bytes" },
    { name: "elsewhere", body: "ns2/new", path: "/debug/placements/ns2/new", error: "post a placement to" },
  ])("POST with $name is a bad request", async ({ name: _, error, ...request }) => {
    const engine = new Engine();
    const found = await answer({ ...POST, ...request }, { engine });
    expect(found).toMatchObject({ status: 400, body: { error: expect.stringContaining(error) } });
    expect(engine.applied).toEqual([]);
  });

  test("a body of exactly 1 MiB is read", async () => {
    expect((await answer({ ...POST, body: `ns2/${"x".repeat(1024 * 1024 - 4)}` })).status).toBe(200);
  });

  test("K5: GET of what is not there names it", async () => {
    const found = await answer({ path: "/debug/placements/ns1/nothing" });
    expect(found).toEqual({ status: 404, body: { error: "there is no placement ns1/nothing" } });
  });

  test.each(["PUT", "PATCH", "DELETE", "HEAD", "get"])("K6: %s is not allowed", async (method) => {
    expect(await answer({ method })).toMatchObject({ status: 405 });
  });

  test("K8: without a user it is 401, even before anything is read", async () => {
    const read = () => {
      throw new Error("read");
    };
    expect(await answer({ user: undefined })).toMatchObject({ status: 401 });
    expect(await answer({ ...POST, user: undefined }, { read })).toMatchObject({ status: 401 });
  });

  test("K8: what is denied is 403, whether or not it is there", async () => {
    const review = async () => false;
    const error = "ann may not get placements in namespace ns1";
    expect(await answer(GET, { review })).toEqual({ status: 403, body: { error } });
    expect(await answer({ path: "/debug/placements/ns1/nothing" }, { review })).toMatchObject({ status: 403 });
    const engine = new Engine();
    expect(await answer(POST, { review, engine })).toMatchObject({ status: 403 });
    expect(engine.applied).toEqual([]);
  });

  test("K8: a review that fails is 500", async () => {
    const review = async () => {
      throw new Error("no connection");
    };
    const error = "the access review failed: no connection";
    expect(await answer(GET, { review })).toEqual({ status: 500, body: { error } });
    expect(await answer(POST, { review })).toEqual({ status: 500, body: { error } });
  });

  test("K9: the review gets everything about the user", async () => {
    const asked: AccessReview[] = [];
    const review = (one: AccessReview) => {
      asked.push(one);
      return true;
    };
    await answer(GET, { review });
    await answer(POST, { review });
    const what = { group: "cluster.open-cluster-management.io", resource: "placements", user };
    expect(asked).toEqual([
      { ...what, verb: "get", namespace: "ns1", name: "placement1" },
      { ...what, verb: "create", namespace: "ns2", name: "new" },
    ]);
  });
});

describe("the engine itself", () => {
  const cluster = (name: string, labels: Record<string, string>, taints: readonly string[] = []) => ({
    place,
    name,
    labels,
    claims: [],
    taints: taints.map((key) => ({ key, value: "", effect: "NoSelect" })),
    allocatable: {},
    capacity: {},
    conditions: [],
    terminating: false,
    object: { metadata: { name, labels } },
  });
  const prod = (celExpressions: readonly string[]) => ({
    place: { ...place, path: ["spec", "predicates", 0] },
    requiredClusterSelector: {
      labelSelector: { matchLabels: { env: "prod" }, matchExpressions: [] },
      claimRequirements: [],
      celExpressions,
    },
  });
  const stored = { ...placement("ns1", "placement1"), numberOfClusters: 1, predicates: [prod(["true"])] };
  const world: FleetObjects = {
    managedClusters: [
      cluster("c3", { env: "prod" }),
      cluster("c1", { env: "prod" }),
      cluster("c2", { env: "prod" }, ["gpu"]),
      cluster("c4", { env: "dev" }),
    ],
    managedClusterSets: [
      {
        place,
        name: "global",
        selectorType: "LabelSelector",
        labelSelector: { matchLabels: {}, matchExpressions: [] },
      },
    ],
    managedClusterSetBindings: [{ place, namespace: "ns1", name: "global", clusterSet: "global" }],
    placements: [stored],
    placementDecisions: [],
    addOnPlacementScores: [],
  };
  const now = parseTimestamp("2022-01-01T00:00:00Z") as Timestamp;

  test("K1: shows the results of its pipeline", () => {
    const found = debugReport(new PlacementEngine(world, { now }), "ns1/placement1", DEFAULT_MODE, faultMessage);
    expect(found).toMatchObject({
      filteredPipelineResults: [
        { name: "Predicate", filteredClusters: ["c1", "c2", "c3"] },
        { name: "Predicate,TaintToleration", filteredClusters: ["c1", "c3"] },
      ],
      prioritizeResults: [
        { name: "Balance", weight: 1, scores: { c1: 100, c3: 100 } },
        { name: "Steady", weight: 1, scores: { c1: 0, c3: 0 } },
      ],
      aggregatedScores: [
        { clusterName: "c1", score: 100 },
        { clusterName: "c3", score: 100 },
      ],
    });
  });

  test.each([DEFAULT_MODE, OCM_MODE])("K10, K12: simulates, and is the same afterwards ($name)", async (mode) => {
    const engine = new PlacementEngine(world, { now, mode });
    const before = engine.result("ns1/placement1");
    const post = (given: Placement) => answerDebugRequest(POST, sources({ engine, mode, read: () => given }));
    const unbound = await post({ ...stored, namespace: "ns9" });
    expect(unbound).toMatchObject({ status: 200, body: { aggregatedScores: [] } });
    expect(unbound.body).not.toHaveProperty("error");
    const broken = await post({ ...stored, predicates: [prod(["true", "1 +"])] });
    expect(broken).toMatchObject({ status: 200, body: { aggregatedScores: [], prioritizeResults: [] } });
    const where = /celSelector\.celExpressions\[1\], character \d: ./;
    if (mode === OCM_MODE) expect(broken.body).not.toHaveProperty("error");
    else expect(broken.body).toMatchObject({ error: expect.stringMatching(where) });
    expect(engine.keys()).toEqual(["ns1/placement1"]);
    expect(engine.result("ns1/placement1")).toEqual(before);
  });
});
