// Does a hub get the decisions that its objects ask for, and does it keep them? The life-cycle cases of OCM's tests and of its
// known defects (B, C, E, G, H, I, L), on a real API server, with the watcher from outside.

import { describe, expect, test } from "vitest";
import { controllerBed } from "./controller/bed.ts";
import { DECISIONS, DISABLE_ANNOTATION, inNamespace, PLACEMENT_LABEL } from "./controller/kinds.ts";
import { objectsOf } from "./controller/placement-view.ts";
import type { Scope } from "./controller/scope.ts";
import { bestBy, claimed, expressed, inSeconds, labelled, names, timeText } from "./controller/specs.ts";
import { until } from "./controller/until.ts";

const bed = controllerBed({ controllers: ["garbagecollector"] });

const ENOUGH = "AllDecisionsScheduled";
const TOO_FEW = "NotAllDecisionsScheduled";

/** The requests of the controller in the namespace of a scope that change something. */
function writesTo({ namespace }: Scope): readonly string[] {
  return bed.proxy.seen
    .filter(({ method, path }) => method !== "GET" && path.includes(`/namespaces/${namespace}/`))
    .map(({ method, path }) => `${method} ${path.slice(path.lastIndexOf(`/namespaces/${namespace}/`) + 12)}`);
}

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
    await scope.placement("p", { tolerations: [exists("key1", 2), exists("key2", 7)] });
    await scope.settles("p", { selected: ["c0", "c1", "c2", "c3"] });
    const added = inSeconds(0);
    await scope.edit("cluster", "c1", { spec: { taints: taint("key2", added) } });
    await scope.edit("cluster", "c0", { spec: { taints: taint("key1", added) } });
    await scope.edit("cluster", "c2", { spec: { taints: taint("key2", new Date(added.getTime() - 60_000)) } });
    await scope.settles("p", { selected: ["c1", "c3"] });
    expect(Date.now()).toBeGreaterThanOrEqual(added.getTime() + 2_000);
    await scope.settles("p", { selected: ["c3"] });
    expect(Date.now()).toBeGreaterThanOrEqual(added.getTime() + 7_000);
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

  test("L17: it is deleted, and its decisions are collected", async () => {
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

describe("what is written", () => {
  test("I8, I9, I16: the status of a Placement that is satisfied, and that is not", async () => {
    const scope = await bed.scope("i8");
    await scope.clusters(names(3));
    await scope.placement("p");
    const before = await scope.settles("p", { selected: 3, reason: ENOUGH, misconfigured: "False" });
    expect(before.status).toMatchObject({
      numberOfSelectedClusters: 3,
      decisionGroups: [{ decisionGroupIndex: 0, decisionGroupName: "", decisions: ["p-decision-1"], clusterCount: 3 }],
    });
    expect(before.slices.map(({ labels }) => labels)).toEqual([
      {
        [PLACEMENT_LABEL]: "p",
        "cluster.open-cluster-management.io/decision-group-index": "0",
        "cluster.open-cluster-management.io/decision-group-name": "",
      },
    ]);
    await scope.edit("placement", "p", { spec: { numberOfClusters: 4 } });
    const after = await scope.settles("p", { selected: 3, reason: TOO_FEW });
    expect(after.conditions.PlacementSatisfied?.message).toBe("1 cluster decisions unscheduled");
    expect(after.generation).toBe(before.generation + 1);
    expect(Object.values(after.conditions).map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2, 2]);
    expect(after.conditions.PlacementMisconfigured?.lastTransitionTime).toBe(
      before.conditions.PlacementMisconfigured?.lastTransitionTime,
    );
  });

  test("I10: nothing is bound, and there is an empty decision", async () => {
    const scope = await bed.scope("i10");
    await scope.remove("binding", "main");
    await scope.clusters(names(2));
    await scope.placement("p");
    const { status, slices } = await scope.settles("p", {
      selected: 0,
      reason: "NoManagedClusterSetBindings",
      slices: 1,
    });
    expect(slices.map(({ decisions }) => decisions)).toEqual([[]]);
    expect(status).toMatchObject({
      numberOfSelectedClusters: 0,
      decisionGroups: [{ decisionGroupIndex: 0, decisions: ["p-decision-1"], clusterCount: 0 }],
    });
  });

  test("I12: nothing is written again", async () => {
    const scope = await bed.scope("i12");
    await scope.clusters(names(3));
    await scope.placement("p");
    const before = await scope.settles("p", { selected: 3 });
    const writes = writesTo(scope).length;
    expect(writes).toBeGreaterThanOrEqual(3);
    await scope.edit("cluster", "c001", { metadata: { annotations: { seen: "again" } } });
    await scope.edit("placement", "p", { metadata: { annotations: { seen: "again" } } });
    await bed.fence();
    const after = await scope.view("p");
    expect(after.slices).toEqual(before.slices);
    expect(after.status).toEqual(before.status);
    expect(writesTo(scope)).toHaveLength(writes);
  });

  test("I13, I14: only the annotation with the value true keeps the controller away", async () => {
    const scope = await bed.scope("i13");
    await scope.clusters(names(2));
    await scope.placement("off", {}, { annotations: { [DISABLE_ANNOTATION]: "true" } });
    await scope.placement("on", {}, { annotations: { [DISABLE_ANNOTATION]: "false" } });
    await scope.settles("on", { selected: 2 });
    await bed.fence();
    expect(await scope.view("off")).toMatchObject({ status: {}, slices: [] });
    expect(writesTo(scope).filter((write) => write.includes("off"))).toEqual([]);
    await scope.edit("placement", "off", { metadata: { annotations: { [DISABLE_ANNOTATION]: null } } });
    await scope.settles("off", { selected: 2, reason: ENOUGH });
  });

  test("L1: decisions that are deleted by hand come again", async () => {
    const scope = await bed.scope("l1");
    await scope.clusters(names(5));
    await scope.placement("p", { numberOfClusters: 10 });
    const before = await scope.settles("p", { selected: 5 });
    for (const { name } of before.slices) await scope.remove("decision", name);
    const after = await scope.settles("p", { selected: 5 }, { byHand: ["p"] });
    expect(after.slices[0]?.uid).not.toBe(before.slices[0]?.uid);
    expect(after.status.decisionGroups).toMatchObject([{ clusterCount: 5 }]);
  });

  test("L4, H2, H9, H10: more than 100 clusters, repaired labels, and a decision less", async () => {
    const scope = await bed.scope("l4");
    await scope.clusters(names(101));
    await scope.placement("p");
    const first = await scope.settles("p", { selected: 101, slices: 2, reason: ENOUGH });
    expect(first.slices.map(({ index, clusters }) => `${index} ${clusters.length}`)).toEqual(["0 100", "0 1"]);
    await scope.clusters(names(27, 102));
    const second = await scope.settles("p", { selected: 128, slices: 2 });

    const wrong = { "cluster.open-cluster-management.io/decision-group-name": "fakegroup" };
    await scope.edit("decision", "p-decision-1", { metadata: { labels: wrong } });
    await scope.remove("decision", "p-decision-2");
    const third = await scope.settles("p", { selected: 128, slices: 2 }, { byHand: ["p"] });
    expect(third.slices.map(({ group }) => group)).toEqual(["", ""]);
    expect(third.slices[0]?.uid).toBe(second.slices[0]?.uid);
    expect(third.slices[0]?.clusters).toEqual(second.slices[0]?.clusters);

    await scope.edit("placement", "p", { spec: { numberOfClusters: 10 } });
    const fourth = await scope.settles("p", { selected: 10, slices: 1 });
    expect(fourth.slices[0]?.uid).toBe(third.slices[0]?.uid);
  });

  test("H4: a canary group comes first, in parts of a quarter", async () => {
    const scope = await bed.scope("h4");
    await scope.clusters(["c1", "c2"], { labels: { vendor: "Amazon" } });
    await scope.clusters(["c3", "c4"], { labels: { vendor: "Azure" } });
    await scope.placement("p");
    await scope.settles("p", { groups: ["0 : c1 c2 c3 c4"] });
    const selector = { labelSelector: { matchLabels: { vendor: "Azure" } } };
    const groupStrategy = {
      clustersPerDecisionGroup: "25%",
      decisionGroups: [{ groupName: "canary", groupClusterSelector: selector }],
    };
    await scope.edit("placement", "p", { spec: { decisionStrategy: { groupStrategy } } });
    const { status } = await scope.settles("p", {
      groups: ["0 canary: c3", "1 canary: c4", "2 : c1", "3 : c2"],
      slices: 4,
    });
    expect(objectsOf(status.decisionGroups).map(({ clusterCount }) => clusterCount)).toEqual([1, 1, 1, 1]);
    await scope.edit("cluster", "c1", { metadata: { labels: { vendor: "Azure" } } });
    await scope.settles("p", { groups: ["0 canary: c1", "1 canary: c3", "2 canary: c4", "3 : c2"] });
    await scope.edit("placement", "p", { spec: { decisionStrategy: null } });
    await scope.settles("p", { groups: ["0 : c1 c2 c3 c4"], slices: 1 });
  });

  test("H20: a create that fails once is done again", async () => {
    const scope = await bed.scope("h20");
    await scope.clusters(names(101));
    let creates = 0;
    bed.proxy.inject({
      when: ({ method, path }) =>
        method === "POST" && path === inNamespace(DECISIONS, scope.namespace) && ++creates === 2,
      fault: { is: "status", code: 500, reason: "InternalError", message: "etcd is lost" },
    });
    await scope.placement("p");
    await scope.settles("p", { selected: 101, slices: 2, reason: ENOUGH });
    expect(creates).toBeGreaterThanOrEqual(3);
  });

  test("H20: while a create is forbidden, the status says so and claims nothing", async () => {
    const scope = await bed.scope("h20b");
    await scope.clusters(names(101));
    let creates = 0;
    let isForbidden = true;
    bed.proxy.inject({
      when: ({ method, path }) =>
        method === "POST" && path === inNamespace(DECISIONS, scope.namespace) && ++creates >= 2 && isForbidden,
      fault: { is: "status", code: 403, reason: "Forbidden", message: "exceeded quota: decisions" },
    });
    await scope.placement("p");
    const meanwhile = await until("a condition says why", async () => {
      const view = await scope.view("p");
      const messages = Object.values(view.conditions).map(({ message }) => message);
      return messages.some((message) => message.includes("exceeded quota")) ? view : undefined;
    });
    expect(meanwhile.conditions.PlacementSatisfied?.status).not.toBe("True");
    isForbidden = false;
    const { conditions } = await scope.settles("p", { selected: 101, slices: 2, reason: ENOUGH });
    expect(JSON.stringify(conditions)).not.toContain("exceeded quota");
  });

  test("H21: a decision is created first, and filled then", async () => {
    const scope = await bed.scope("h21");
    await scope.clusters(names(2));
    await scope.placement("p");
    await scope.settles("p", { selected: 2 });
    expect(writesTo(scope).filter((write) => !write.includes("/events"))).toEqual([
      "POST h21/placementdecisions",
      "PATCH h21/placementdecisions/p-decision-1/status",
      "PATCH h21/placements/p/status",
    ]);
    const reasons = await until("the events are there", async () => {
      const found = new Set((await scope.events("p")).map(({ reason }) => reason));
      return ["DecisionCreate", "DecisionUpdate", "ScoreUpdate"].every((reason) => found.has(reason)) || undefined;
    });
    expect(reasons).toBe(true);
  });

  test("H22: labels of others on a decision are removed", async () => {
    const scope = await bed.scope("h22");
    await scope.clusters(names(2));
    await scope.placement("p");
    const before = await scope.settles("p", { selected: 2 });
    await scope.edit("decision", "p-decision-1", { metadata: { labels: { foreign: "label" } } });
    const after = await until("the label is gone", async () => {
      const view = await scope.view("p");
      return view.slices[0]?.labels.foreign === undefined ? view : undefined;
    });
    expect(after.slices[0]?.labels).toEqual(before.slices[0]?.labels);
    expect(after.slices[0]?.uid).toBe(before.slices[0]?.uid);
    await scope.mark();
  });
});
