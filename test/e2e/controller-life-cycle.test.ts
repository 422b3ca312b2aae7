// Does a hub get the decisions that its objects ask for, and does it keep them? The life-cycle cases of OCM's tests and of its
// known defects (B, C, E, G, I17, L), on a real API server, with the watcher from outside.

import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { canRunControllers } from "./cluster.ts";
import { controllerBed } from "./controller/bed.ts";
import { DECISIONS, inNamespace } from "./controller/kinds.ts";
import { objectsOf } from "./controller/placement-view.ts";
import { bestBy, claimed, expressed, inSeconds, labelled, names, timeText } from "./controller/specs.ts";
import { until } from "./controller/until.ts";

const bed = controllerBed(canRunControllers() ? { controllers: ["garbage-collector-controller"] } : {});

const ENOUGH = "AllDecisionsScheduled";
const TOO_FEW = "NotAllDecisionsScheduled";

describe("sets and bindings", () => {
  // First of all: every cluster of the hub is in this set.
  test("L10: members of the global set come and go", async () => {
    const scope = await bed.scope("l10");
    await scope.set("global", {});
    await scope.bind("global");
    await scope.clusters(["a"], { set: null });
    await scope.placement("p", { clusterSets: [scope.longName("global")] });
    await scope.settles("p", { selected: ["a"], reason: ENOUGH });
    await scope.clusters(["b"], { set: null });
    await scope.settles("p", { selected: ["a", "b"] });
    await scope.remove("cluster", "a");
    await scope.settles("p", { selected: ["b"] });
    await scope.remove("cluster", "b");
    await scope.settles("p", { selected: [], reason: "AllManagedClusterSetsEmpty", slices: 1 });
  });

  test("L9: members of a set with a label selector come and go", async () => {
    const scope = await bed.scope("l9");
    await scope.set("vendor", { matchLabels: { vendor: "openShift-l9" } });
    await scope.bind("vendor");
    await scope.clusters(["a"], { set: null, labels: { vendor: "openShift-l9" } });
    await scope.clusters(["b"], { set: null, labels: { vendor: "IKS" } });
    await scope.placement("p", { clusterSets: [scope.longName("vendor")] });
    await scope.settles("p", { selected: ["a"] });
    await scope.edit("cluster", "b", { metadata: { labels: { vendor: "openShift-l9" } } });
    await scope.settles("p", { selected: ["a", "b"] });
    await scope.edit("cluster", "a", { metadata: { labels: { vendor: null } } });
    await scope.settles("p", { selected: ["b"] });
    await scope.remove("cluster", "b");
    await scope.settles("p", { selected: [] });
  });

  test("L5: spec.clusterSets is edited", async () => {
    const scope = await bed.scope("l5");
    await scope.set("second");
    await scope.bind("second");
    await scope.clusters(["a", "b"]);
    await scope.clusters(["x", "y", "z"], { set: "second" });
    await scope.placement("p");
    await scope.settles("p", { selected: 5, reason: ENOUGH });
    await scope.edit("placement", "p", { spec: { clusterSets: [scope.longName("main")] } });
    await scope.settles("p", { selected: ["a", "b"], reason: ENOUGH });
  });

  test("L12: another set is bound", async () => {
    const scope = await bed.scope("l12");
    await scope.set("second");
    await scope.clusters(names(5));
    await scope.clusters(["x", "y", "z"], { set: "second" });
    await scope.placement("p", { numberOfClusters: 10 });
    await scope.settles("p", { selected: 5, reason: TOO_FEW });
    await scope.bind("second");
    const { conditions } = await scope.settles("p", { selected: 8, reason: TOO_FEW });
    expect(conditions.PlacementSatisfied).toMatchObject({
      status: "False",
      message: "2 cluster decisions unscheduled",
    });
  });

  test("L13: another set with a label selector is bound", async () => {
    const scope = await bed.scope("l13");
    for (const vendor of ["openshift", "iks"]) {
      await scope.set(vendor, { matchLabels: { vendor: `${vendor}-l13` } });
      await scope.clusters([vendor], { set: null, labels: { vendor: `${vendor}-l13` } });
    }
    await scope.bind("openshift");
    await scope.placement("p", { numberOfClusters: 2 });
    await scope.settles("p", { selected: ["openshift"], reason: TOO_FEW });
    await scope.bind("iks");
    await scope.settles("p", { selected: ["iks", "openshift"], reason: ENOUGH });
  });

  test("L14: the set is deleted, and comes again", async () => {
    const scope = await bed.scope("l14");
    await scope.clusters(names(5));
    await scope.placement("p");
    await scope.settles("p", { selected: 5 });
    await scope.remove("set", "main");
    await scope.settles("p", { selected: 0, reason: "NoManagedClusterSetBindings" });
    await scope.set("main");
    await scope.settles("p", { selected: 5, reason: ENOUGH });
  });

  test("L16: the binding is deleted, and comes again", async () => {
    const scope = await bed.scope("l16");
    await scope.clusters(names(5));
    await scope.placement("p");
    await scope.settles("p", { selected: 5 });
    await scope.remove("binding", "main");
    await scope.settles("p", { selected: 0, reason: "NoManagedClusterSetBindings" });
    await scope.bind("main");
    await scope.settles("p", { selected: 5, reason: ENOUGH });
  });
});

describe("clusters", () => {
  test("L2: a selected cluster is being deleted, and a finalizer keeps it", async () => {
    const scope = await bed.scope("l2");
    await scope.clusters(names(4));
    await scope.clusters(["leaving"], { finalizers: ["plimsoll.dev/test"] });
    await scope.placement("p", { numberOfClusters: 10 });
    await scope.settles("p", { selected: 5 });
    await scope.remove("cluster", "leaving");
    await scope.settles("p", { selected: names(4) });
    expect(await scope.get("cluster", "leaving")).toHaveProperty("metadata.deletionTimestamp");
  });

  test("L8: clusters are added until there are enough", async () => {
    const scope = await bed.scope("l8");
    await scope.clusters(names(5));
    await scope.placement("p", { numberOfClusters: 10 });
    await scope.settles("p", { selected: 5, reason: TOO_FEW });
    await scope.clusters(names(5, 6));
    await scope.settles("p", { selected: names(10), reason: ENOUGH, slices: 1 });
  });

  test("G14: a better cluster comes and goes", async () => {
    const scope = await bed.scope("g14");
    const resources = (cpu: string, memory: string) => ({
      allocatable: { cpu, memory },
      capacity: { cpu: "10", memory: "100" },
    });
    await scope.clusters(["c1"], resources("10", "50"));
    await scope.clusters(["c2"], resources("7", "90"));
    await scope.clusters(["c3"], resources("9", "80"));
    const builtIn = (name: string) => ({ scoreCoordinate: { type: "BuiltIn", builtIn: name }, weight: 1 });
    await scope.placement("p", {
      numberOfClusters: 2,
      prioritizerPolicy: {
        mode: "Exact",
        configurations: [builtIn("ResourceAllocatableCPU"), builtIn("ResourceAllocatableMemory")],
      },
    });
    await scope.settles("p", { selected: ["c1", "c3"], reason: ENOUGH });
    await scope.clusters(["c4"], resources("10", "100"));
    await scope.settles("p", { selected: ["c3", "c4"] });
    await scope.remove("cluster", "c4");
    await scope.settles("p", { selected: ["c1", "c3"] });
  });

  test("E30: tolerations end one after the other, with no other event; then a new taint", async () => {
    const scope = await bed.scope("e30");
    const taint = (key: string, timeAdded: Date) => [
      { key, value: "", effect: "NoSelect", timeAdded: timeText(timeAdded) },
    ];
    await scope.clusters(["c0", "c1", "c2", "c3"]);
    const exists = (key: string, tolerationSeconds: number) => ({ key, operator: "Exists", tolerationSeconds });
    await scope.placement("p", { tolerations: [exists("key1", 2), exists("key2", 20)] });
    await scope.settles("p", { selected: ["c0", "c1", "c2", "c3"] });
    const added = inSeconds(0);
    await scope.edit("cluster", "c1", { spec: { taints: taint("key2", added) } });
    await scope.edit("cluster", "c0", { spec: { taints: taint("key1", added) } });
    await scope.edit("cluster", "c2", { spec: { taints: taint("key2", new Date(added.getTime() - 60_000)) } });
    await scope.settles("p", { selected: ["c3"] });
    // The state in between is over after some seconds: the watcher has seen it also if this test was too late.
    const seconds = (...selected: readonly string[]): number => {
      const clusters = selected.map((name) => scope.longName(name));
      const { at = Number.NaN } =
        bed.watcher.history.find(
          ({ slice }) => slice.placement === "e30/p" && isDeepStrictEqual([...slice.clusters].sort(), clusters),
        ) ?? {};
      return (at - added.getTime()) / 1000;
    };
    expect(seconds("c1", "c3")).toBeGreaterThanOrEqual(2);
    expect(seconds("c1", "c3")).toBeLessThan(12);
    expect(seconds("c3")).toBeGreaterThanOrEqual(20);
    expect(seconds("c3")).toBeLessThan(30);
    await scope.edit("cluster", "c3", { spec: { taints: taint("key3", added) } });
    await scope.settles("p", { selected: [], reason: "NoManagedClusterMatched" });
  });
});

describe("the Placement", () => {
  test("L6: fewer and more clusters are asked for", async () => {
    const scope = await bed.scope("l6");
    await scope.clusters(names(5));
    await scope.placement("p", { numberOfClusters: 10 });
    await scope.settles("p", { selected: 5, reason: TOO_FEW });
    await scope.edit("placement", "p", { spec: { numberOfClusters: 4 } });
    await scope.settles("p", { selected: 4, reason: ENOUGH });
    await scope.clusters(names(5, 6));
    await scope.edit("placement", "p", { spec: { numberOfClusters: 5 } });
    await scope.settles("p", { selected: 5, reason: ENOUGH });
    await scope.edit("placement", "p", { spec: { numberOfClusters: 8 } });
    await scope.settles("p", { selected: 8, reason: ENOUGH });
  });

  test.skipIf(!canRunControllers())("L17: it is deleted, and its decisions are collected", async () => {
    const scope = await bed.scope("l17");
    await scope.clusters(names(3));
    await scope.placement("p");
    const { slices, uid } = await scope.settles("p", { selected: 3 });
    expect(slices.map(({ owners }) => owners)).toEqual([
      [
        {
          apiVersion: "cluster.open-cluster-management.io/v1beta1",
          kind: "Placement",
          name: "p",
          uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    ]);
    await scope.remove("placement", "p");
    await until("its decisions are gone", async () => {
      const { items } = await bed.hub.call("GET", inNamespace(DECISIONS, scope.namespace));
      return objectsOf(items).length === 0 || undefined;
    });
  });

  test("L18: a predicate that nothing matches empties the decision, which stays", async () => {
    const scope = await bed.scope("l18");
    await scope.clusters(["a"]);
    await scope.placement("p");
    const before = await scope.settles("p", { selected: ["a"] });
    await scope.edit("placement", "p", { spec: labelled({ a: "b" }) });
    const after = await scope.settles("p", { selected: [], reason: "NoManagedClusterMatched", slices: 1 });
    expect(after.slices[0]?.uid).toBe(before.slices[0]?.uid);
  });

  test.each([
    ["B12", "label", labelled({ cloud: "Amazon" }), labelled({ cloud: "Azure" })],
    ["B13", "claim", claimed("cloud", "Amazon"), claimed("cloud", "Azure")],
  ])("%s: a predicate about a %s is edited", async (id, _, amazon, azure) => {
    const scope = await bed.scope(id.toLowerCase());
    for (const [cloud, clusters] of [
      ["Azure", names(2)],
      ["Amazon", names(3, 3)],
    ] as const)
      await scope.clusters(clusters, { labels: { cloud }, claims: { cloud } });
    await scope.placement("p", { numberOfClusters: 10 });
    await scope.settles("p", { selected: 5 });
    await scope.edit("placement", "p", { spec: amazon });
    const { status } = await scope.settles("p", { selected: names(3, 3) });
    expect(status.decisionGroups).toMatchObject([{ clusterCount: 3 }]);
    await scope.edit("placement", "p", { spec: azure });
    await scope.settles("p", { selected: names(2) });
  });

  test("C21: an expression is broken, and then corrected", async () => {
    const scope = await bed.scope("c21");
    await scope.clusters(["c1", "c2"]);
    await scope.score("c1", "demo", { demo: 70 });
    await scope.score("c2", "demo", { demo: 90 });
    await scope.placement("p", { numberOfClusters: 1, ...expressed("xxxx.expression") });
    const { conditions } = await scope.settles("p", { selected: [], misconfigured: "True" });
    expect(conditions.PlacementMisconfigured?.message).toContain("xxxx");
    const expression = "managedCluster.scores(\"demo\").filter(s, s.name == 'demo').all(e, e.value > 80)";
    await scope.edit("placement", "p", { spec: expressed(expression) });
    await scope.settles("p", { selected: ["c2"], misconfigured: "False", reason: ENOUGH });
  });

  test("I17: a broken expression keeps the decisions", async () => {
    const scope = await bed.scope("i17");
    await scope.clusters(names(5));
    await scope.placement("p");
    const before = await scope.settles("p", { selected: 5, reason: ENOUGH });
    await scope.edit("placement", "p", { spec: expressed("managedCluster.metadata.nam ==") });
    const after = await scope.settles("p", { selected: 5, misconfigured: "True", reason: "Misconfigured" });
    expect(after.slices.map(({ uid }) => uid)).toEqual(before.slices.map(({ uid }) => uid));
    expect(after.conditions.PlacementEvaluated).toMatchObject({ status: "False", reason: "Misconfigured" });
    await scope.edit("placement", "p", { spec: { predicates: null } });
    await scope.settles("p", { selected: 5, misconfigured: "False", reason: ENOUGH });
  });
});

describe("scores", () => {
  const filter = "managedCluster.scores(\"demo\").filter(s, s.name == 'demo').all(e, e.value > 80)";

  test("C34: an expression is evaluated again when only a score changes", async () => {
    const scope = await bed.scope("c34");
    await scope.clusters(["c1", "c2"]);
    for (const cluster of ["c1", "c2"]) await scope.score(cluster, "demo", { demo: 90 });
    await scope.placement("p", expressed(filter));
    await scope.settles("p", { selected: ["c1", "c2"] });
    await scope.score("c1", "demo", { demo: 70 });
    await scope.settles("p", { selected: ["c2"] });
  });

  test("G18: scores of an add-on decide, and change", async () => {
    const scope = await bed.scope("g18");
    await scope.clusters(["c1", "c2", "c3"]);
    await scope.placement("p", bestBy("demo", "demo", 2));
    await scope.settles("p", { selected: ["c1", "c2"] });
    for (const [cluster, demo] of [
      ["c1", 80],
      ["c2", 90],
      ["c3", 100],
    ] as const)
      await scope.score(cluster, "demo", { demo });
    await scope.settles("p", { selected: ["c2", "c3"] });
    await scope.score("c1", "demo", { demo: 100 });
    await scope.settles("p", { selected: ["c1", "c3"] });
  });
});
