// What if an object says something that makes no sense, because a definition lets it through? It costs its own part only: nothing is
// removed, the status says what is wrong, others go on, and all is well when it is repaired.

import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { becomesIdle, faultBed, sameAsFreshStart } from "./controller/fault-bed.ts";
import { loosenDefinition } from "./controller/fault-definitions.ts";
import { inNamespace, SCORES } from "./controller/kinds.ts";
import type { SeenCondition } from "./controller/placement-view.ts";
import type { Scope, ScopedKind } from "./controller/scope.ts";
import { bestBy, labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";

// What changes a definition ends its watches.
const faults = faultBed({ hasGaps: true });
const { bed, run } = faults;

beforeAll(async () => {
  const kinds = [
    "managedclusters",
    "managedclustersets",
    "managedclustersetbindings",
    "placements",
    "placementdecisions",
    "addonplacementscores",
  ];
  for (const plural of kinds) await loosenDefinition(bed.hub, plural);
});

/** What is wrong, and how it is repaired. */
interface Garbage {
  readonly kind: ScopedKind;
  readonly name: string;
  readonly spec: JsonObject[string];
  readonly repaired: JsonObject[string];
  /** The condition that says so: its type, its status and reason, and a part of its message. */
  readonly says: readonly [string, string, string];
}

const WANTED = labelled({ on: "yes" });
const SELECTOR = { clusterSelector: { selectorType: "ExclusiveClusterSetLabel" } };

const GARBAGE: Readonly<Record<string, Garbage>> = {
  "a ManagedCluster whose taints are a text": {
    ...{ kind: "cluster", name: "c001", spec: { taints: "garbage" }, repaired: { taints: null } },
    says: ["PlacementEvaluated", "False UnreadClusters", "g-c001"],
  },
  "a Placement whose predicates are a text": {
    ...{ kind: "placement", name: "p", spec: { predicates: "garbage" }, repaired: WANTED },
    says: ["PlacementMisconfigured", "True Misconfigured", "spec.predicates must be a list"],
  },
  "a Placement whose spec is a list": {
    ...{ kind: "placement", name: "p", spec: ["garbage"], repaired: WANTED },
    says: ["PlacementMisconfigured", "True Misconfigured", "spec must be an object"],
  },
  "a ManagedClusterSet whose selector is a text": {
    ...{ kind: "set", name: "main", spec: { clusterSelector: "garbage" }, repaired: SELECTOR },
    says: ["PlacementSatisfied", "False Undecided", 'ManagedClusterSet "g-main"'],
  },
  "a ManagedClusterSetBinding whose set is a number": {
    ...{ kind: "binding", name: "main", spec: { clusterSet: 5 }, repaired: { clusterSet: "g-main" } },
    says: ["PlacementSatisfied", "False Undecided", 'ManagedClusterSetBinding "g-main"'],
  },
};

/** Writes something that the original definitions refuse. */
async function write(path: string, patch: JsonObject): Promise<void> {
  await until(
    "garbage is accepted",
    async () => (await bed.hub.tryCall("PATCH", path, patch)).status === 200 || undefined,
  );
}

/** Waits until a condition of the Placement is `STATUS REASON`. */
async function says(scope: Scope, type: string, expected: string): Promise<SeenCondition> {
  let seen: SeenCondition | undefined;
  return until(
    `${type} is ${expected}`,
    async () => {
      seen = (await scope.view("p")).conditions[type];
      return `${seen?.status} ${seen?.reason}` === expected ? seen : undefined;
    },
    () => seen,
  );
}

test("garbage in one object costs its own part only, and is over when it is repaired", async () => {
  const scope = await bed.scope("g");
  await scope.clusters(names(4), { labels: { on: "yes" } });
  await scope.placement("p", WANTED);
  const other = await bed.scope("other");
  await other.placement("q", WANTED);
  const one = await run("one");
  const { slices: before } = await scope.settles("p", { selected: 4 });
  let others = 0;
  for (const [what, { kind, name, spec, repaired, says: expected }] of Object.entries(GARBAGE)) {
    const [type, condition, message] = expected;
    await write(scope.path(kind, name), { spec });
    expect((await says(scope, type, condition)).message, what).toContain(message);
    expect((await scope.view("p")).slices, what).toEqual(before);
    await other.clusters([`x${others++}`], { labels: { on: "yes" } });
    await other.reaches("q", { selected: others });
    await write(scope.path(kind, name), { spec: repaired });
    await says(scope, "PlacementSatisfied", "True AllDecisionsScheduled");
    await says(scope, "PlacementMisconfigured", "False Succeedconfigured");
    await says(scope, "PlacementEvaluated", "True AllClustersEvaluated");
    expect((await scope.view("p")).slices, what).toEqual(before);
  }
  await becomesIdle(faults);
  expect(one.stray).toEqual([]);
  expect(one.log.filter(({ level }) => level === "error")).toEqual([]);
  await sameAsFreshStart(faults);
});

test("an AddOnPlacementScore whose scores are a text: its cluster is neither deselected nor newly selected, and others go on", async () => {
  const scope = await bed.scope("s");
  await scope.clusters(names(3), { labels: { on: "yes" } });
  for (const [at, cluster] of names(3).entries()) await scope.score(cluster, "demo", { cpu: 10 * at });
  await scope.placement("p", bestBy("demo", "cpu", 1));
  await scope.placement("q", WANTED);
  const one = await run("one");
  await scope.settles("q", { selected: 3 });
  await scope.settles("p", { selected: ["c003"] });
  const garbage = (cluster: string): Promise<void> =>
    write(`${inNamespace(SCORES, scope.longName(cluster))}/demo/status`, { status: { scores: "garbage" } });
  const saysOf = async (cluster: string): Promise<void> => {
    const { message } = await says(scope, "PlacementEvaluated", "False UnreadClusters");
    expect(message).toContain(`AddOnPlacementScore could not be read: ${scope.longName(cluster)}/demo`);
  };
  // It is selected, and stays, whether others are worse or better.
  await garbage("c003");
  await saysOf("c003");
  await scope.clusters(["c004", "c005"], { labels: { on: "yes" } });
  await scope.score("c004", "demo", { cpu: 15 });
  await scope.score("c005", "demo", { cpu: 30 });
  await scope.settles("q", { selected: 5 });
  await becomesIdle(faults);
  await scope.settles("p", { selected: ["c003"], reason: "AllDecisionsScheduled" });
  expect((await scope.view("q")).conditions.PlacementEvaluated?.reason).toBe("AllClustersEvaluated");
  // Repaired, it counts again.
  await scope.score("c003", "demo", { cpu: 20 });
  await scope.settles("p", { selected: ["c005"], reason: "AllDecisionsScheduled" });
  await says(scope, "PlacementEvaluated", "True AllClustersEvaluated");
  // Another one is not selected, and is not selected either when the best one goes.
  await garbage("c004");
  await saysOf("c004");
  await scope.removeScore("c005", "demo");
  await scope.settles("p", { selected: ["c003"], reason: "AllDecisionsScheduled" });
  await saysOf("c004");
  await scope.score("c004", "demo", { cpu: 25 });
  await scope.settles("p", { selected: ["c004"], reason: "AllDecisionsScheduled" });
  await says(scope, "PlacementEvaluated", "True AllClustersEvaluated");
  expect(one.log.filter(({ level }) => level === "error")).toEqual([]);
  await sameAsFreshStart(faults);
});

test("a PlacementDecision whose decisions are a text: it is not deleted, the status says so, others go on", async () => {
  const scope = await bed.scope("d");
  await scope.clusters(names(120), { labels: { on: "yes" } });
  for (const name of ["p", "q"]) await scope.placement(name, WANTED);
  await run("one");
  for (const name of ["p", "q"]) await scope.settles(name, { selected: 120, slices: 2 });
  await write(`${scope.path("decision", "p-decision-1")}/status`, { status: { decisions: "garbage" } });
  const { message } = await says(scope, "PlacementSatisfied", "False Undecided");
  expect(message).toContain("the PlacementDecision p-decision-1 cannot be read");
  await scope.clusters(["new"], { labels: { on: "yes" } });
  await scope.reaches("q", { selected: 121, slices: 2 });
  expect((await scope.view("p")).slices.map(({ clusters }) => clusters.length)).toEqual([0, 20]);
  await write(`${scope.path("decision", "p-decision-1")}/status`, { status: { decisions: [] } });
  await scope.reaches("p", { selected: 121, slices: 2, misconfigured: "False" });
  await scope.mark({ byHand: ["p"] });
  await sameAsFreshStart(faults);
});
