// What if an object says something that makes no sense, because a definition lets it through? It costs its own part only: nothing is
// removed, the status says what is wrong, others go on, and all is well when it is repaired.

import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import type { ControllerProcess } from "./controller/controller-process.ts";
import { becomesIdle, faultBed, sameAsFreshStart, staysIdle, works } from "./controller/fault-bed.ts";
import { loosenDefinition } from "./controller/fault-definitions.ts";
import { FLEET_RESOURCES, inNamespace, SCORES } from "./controller/kinds.ts";
import type { SeenCondition } from "./controller/placement-view.ts";
import type { Scope, ScopedKind } from "./controller/scope.ts";
import { bestBy, labelled, names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";

const faults = faultBed();
const { bed, run, stopAll, mark } = faults;

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

/** Selectors that OCM's definition of ManagedClusterSet lets through. */
const BAD_SELECTORS: Readonly<Record<string, JsonObject>> = {
  "no values": { key: "on", operator: "In", values: [] },
  "an unknown operator": { key: "on", operator: "Matches", values: ["yes"] },
};

test("a ManagedClusterSet with a selector that OCM's own definitions let through costs its own Placements only", async () => {
  const scope = await bed.scope("sets");
  await scope.clusters(names(4), { labels: { on: "yes" } });
  await scope.set("picky", { matchLabels: { on: "yes" } });
  await scope.bind("picky");
  await scope.placement("p", { clusterSets: [scope.longName("picky")] });
  await scope.placement("q", { clusterSets: [scope.longName("main")] });
  await run("one");
  await scope.allSettle({ p: { selected: 4 }, q: { selected: 4 } });
  const { slices: before } = await scope.view("p");
  let others = 0;
  for (const [what, expression] of Object.entries(BAD_SELECTORS)) {
    const select = (labelSelector: JsonObject) =>
      scope.edit("set", "picky", { spec: { clusterSelector: { labelSelector } } });
    await select({ matchLabels: null, matchExpressions: [expression] });
    const { message } = await says(scope, "PlacementSatisfied", "False Misconfigured");
    expect(message, what).toContain('4 cluster decisions are kept as they were: the ManagedClusterSet "sets-picky"');
    await scope.clusters([`x${others++}`]);
    await scope.reaches("q", { selected: 4 + others });
    expect((await scope.view("p")).slices, what).toEqual(before);
    await restart();
    expect((await scope.view("p")).slices, what).toEqual(before);
    await select({ matchLabels: { on: "yes" }, matchExpressions: null });
    await says(scope, "PlacementSatisfied", "True AllDecisionsScheduled");
    expect((await scope.view("p")).slices, what).toEqual(before);
  }
  await sameAsFreshStart(faults);
});

test("an integer of 64 bits in the condition of another client goes back as it is", async () => {
  const scope = await bed.scope("digits");
  await scope.clusters(names(3), { labels: { on: "yes" } });
  await scope.placement("p", labelled({ on: "yes" }));
  await run("one");
  await scope.settles("p", { selected: 3 });
  const theirs = { type: "Theirs", status: "True", reason: "Theirs", message: "" };
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  // The API server would not take it with another last digit, and a double has none.
  const observedGeneration = 9223372036854775807n;
  await scope.editStatus("placement", "p", { conditions: [{ ...theirs, lastTransitionTime, observedGeneration }] });
  await says(scope, "PlacementSatisfied", "True AllDecisionsScheduled");
  await scope.edit("cluster", "c001", { metadata: { labels: { on: "no" } } });
  const { conditions } = await scope.settles("p", { selected: 2, reason: "AllDecisionsScheduled" });
  expect(conditions.Theirs).toMatchObject({ status: "True", observedGeneration: Number(observedGeneration) });
  await sameAsFreshStart(faults);
});

/** A controller that starts while something is wrong: it knows nothing of what was before, and leaves everything as it is. */
async function restart(): Promise<ControllerProcess> {
  await stopAll();
  const from = mark();
  const one = await run("one");
  await works(one);
  await staysIdle(faults, { from });
  return one;
}

describe("definitions that let everything through", () => {
  beforeAll(async () => {
    for (const plural of FLEET_RESOURCES) await loosenDefinition(bed.hub, plural);
  });

  test("garbage in one object costs its own part only, and is over when it is repaired", async () => {
    const scope = await bed.scope("g");
    await scope.clusters(names(4), { labels: { on: "yes" } });
    await scope.placement("p", WANTED);
    const other = await bed.scope("other");
    await other.placement("q", WANTED);
    await run("one");
    const { slices: before } = await scope.settles("p", { selected: 4 });
    let others = 0;
    for (const [what, { kind, name, spec, repaired, says: expected }] of Object.entries(GARBAGE)) {
      const [type, condition, message] = expected;
      await write(scope.path(kind, name), { spec });
      expect((await says(scope, type, condition)).message, what).toContain(message);
      expect((await scope.view("p")).slices, what).toEqual(before);
      await other.clusters([`x${others++}`], { labels: { on: "yes" } });
      await other.reaches("q", { selected: others });
      const one = await restart();
      expect((await scope.view("p")).slices, what).toEqual(before);
      await write(scope.path(kind, name), { spec: repaired });
      await says(scope, "PlacementSatisfied", "True AllDecisionsScheduled");
      await says(scope, "PlacementMisconfigured", "False Succeedconfigured");
      await says(scope, "PlacementEvaluated", "True AllClustersEvaluated");
      expect((await scope.view("p")).slices, what).toEqual(before);
      expect(one.stray).toEqual([]);
      expect(one.log.filter(({ level }) => level === "error")).toEqual([]);
    }
    await sameAsFreshStart(faults);
  });

  test("an AddOnPlacementScore whose scores are a text: its cluster is neither deselected nor newly selected, and others go on", async () => {
    const scope = await bed.scope("s");
    await scope.clusters(names(3), { labels: { on: "yes" } });
    for (const [at, cluster] of names(3).entries()) await scope.score(cluster, "demo", { cpu: 10 * at });
    await scope.placement("p", bestBy("demo", "cpu", 1));
    await scope.placement("q", WANTED);
    const one = await run("one");
    await scope.allSettle({ q: { selected: 3 }, p: { selected: ["c003"] } });
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
    await scope.reaches("q", { selected: 5 });
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
    await scope.allSettle({ p: { selected: 120, slices: 2 }, q: { selected: 120, slices: 2 } });
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
});
