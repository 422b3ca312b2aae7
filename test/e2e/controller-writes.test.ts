// What does the controller write, and what does it leave alone? Decisions and status (H, I), on a real API server, with the watcher
// from outside; also what it writes again because a user, or a failure, was in between (L1, H20).

import { describe, expect, test } from "vitest";
import { type JsonObject, own } from "../../src/model/json.ts";
import { controllerBed } from "./controller/bed.ts";
import { DECISIONS, DISABLE_ANNOTATION, inNamespace, PLACEMENT_LABEL } from "./controller/kinds.ts";
import { objectsOf } from "./controller/placement-view.ts";
import type { Scope } from "./controller/scope.ts";
import { names } from "./controller/specs.ts";
import { until } from "./controller/until.ts";
import type { SeenRequest } from "./proxy.ts";

const bed = controllerBed();
const ENOUGH = "AllDecisionsScheduled";
const TOO_FEW = "NotAllDecisionsScheduled";

/** The requests of the controller in the namespace of a scope that change something. */
function writesTo({ namespace }: Scope): readonly string[] {
  return bed.proxy.seen
    .filter(({ method, path }) => method !== "GET" && path.includes(`/namespaces/${namespace}/`))
    .map(({ method, path }) => `${method} ${path.slice(path.lastIndexOf(`/namespaces/${namespace}/`) + 12)}`);
}

/** Waits until the events of a first decision are there, which are sent after its status: the scores are the last one. */
async function areReported(scope: Scope, placement: string): Promise<void> {
  await until("the events are there", async () => {
    const found = new Set((await scope.events(placement)).map(({ reason }) => reason));
    return ["DecisionCreate", "DecisionUpdate", "ScoreUpdate"].every((reason) => found.has(reason)) || undefined;
  });
}

/** Which client set which fields of the metadata of a decision, by its managedFields. */
async function ownedMetadata(scope: Scope): Promise<readonly string[]> {
  const { metadata } = await scope.get("decision", "p-decision-1");
  return objectsOf((metadata as JsonObject).managedFields)
    .flatMap(({ manager, fieldsV1 }) => {
      const fields = own(fieldsV1 as JsonObject, "f:metadata");
      return fields === undefined ? [] : [`${manager} ${JSON.stringify(fields)}`];
    })
    .toSorted();
}

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
    await bed.fence();
    await scope.placement("p");
    await scope.settles("p", { selected: 3 });
    await areReported(scope, "p");
    await scope.edit("decision", "p-decision-1", { metadata: { annotations: { seen: "again" } } });
    const before = await scope.view("p");
    const writes = writesTo(scope);
    expect(writes).toHaveLength(6);
    await scope.edit("cluster", "c001", { metadata: { annotations: { seen: "again" } } });
    await scope.edit("placement", "p", { metadata: { annotations: { seen: "again" } } });
    await bed.fence();
    const after = await scope.view("p");
    expect(after.slices).toEqual(before.slices);
    expect(after.status).toEqual(before.status);
    expect(writesTo(scope)).toEqual(writes);
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
    await scope.settles("p", { groups: ["0 : c1 c2 c3 c4"] });
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
    // Otherwise the first decision may be one without clusters, and the status say so.
    await bed.fence();
    let creates = 0;
    let isForbidden = true;
    bed.proxy.inject({
      when: ({ method, path }) =>
        method === "POST" && path === inNamespace(DECISIONS, scope.namespace) && ++creates >= 2 && isForbidden,
      fault: { is: "status", code: 403, reason: "Forbidden", message: "exceeded quota: decisions" },
    });
    await scope.placement("p");
    const claims = new Set<unknown>();
    const meanwhile = await until("a condition says why", async () => {
      const view = await scope.view("p");
      claims.add(view.status.numberOfSelectedClusters);
      const messages = Object.values(view.conditions).map(({ message }) => message);
      return messages.some((message) => message.includes("exceeded quota")) ? view : undefined;
    });
    expect(meanwhile.conditions.PlacementSatisfied?.status).toBe("False");
    expect(meanwhile.slices.map(({ clusters }) => clusters.length)).toEqual([100]);
    expect([...claims]).toEqual([undefined]);
    expect(Object.keys(meanwhile.status)).toEqual(["conditions"]);
    isForbidden = false;
    const { conditions } = await scope.settles("p", { selected: 101, slices: 2, reason: ENOUGH });
    expect(JSON.stringify(conditions)).not.toContain("exceeded quota");
  });

  test("H21: a decision is created first, and filled then", async () => {
    const scope = await bed.scope("h21");
    await scope.clusters(names(2));
    await bed.fence();
    await scope.placement("p");
    await scope.settles("p", { selected: 2 });
    expect(writesTo(scope).filter((write) => !write.includes("/events"))).toEqual([
      "POST h21/placementdecisions",
      "PUT h21/placementdecisions/p-decision-1/status",
      "PATCH h21/placements/p/status",
    ]);
    await areReported(scope, "p");
  });

  // Only a server before Kubernetes 1.36 takes what an update leaves out away from its manager: `memory-api.ts` checks what is sent.
  test("an update of the clusters takes no annotation, owner or label away from its field manager", async () => {
    const scope = await bed.scope("managers");
    await scope.clusters(names(2));
    await scope.placement("p");
    await scope.settles("p", { selected: 2 });
    await scope.edit("decision", "p-decision-1", { metadata: { annotations: { theirs: "kept" } } });
    const before = await ownedMetadata(scope);
    expect(before.join("\n")).toContain("theirs");
    await scope.clusters([names(3).at(-1) as string]);
    await scope.settles("p", { selected: 3 });
    expect(await ownedMetadata(scope)).toEqual(before);
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

  test("a write whose answer is lost: its object is read before anything else is written, and no cluster is ever missing", async () => {
    const scope = await bed.scope("lost");
    const groups = ["aa", "bb"].map((tier) => ({
      groupName: tier,
      groupClusterSelector: { labelSelector: { matchLabels: { tier } } },
    }));
    await scope.clusters(["stays", "moves"], { labels: { tier: "aa" } });
    await scope.clusters(["other"], { labels: { tier: "bb" } });
    // With a part of the clusters its first groups would be others.
    await bed.fence();
    await scope.placement("p", { decisionStrategy: { groupStrategy: { decisionGroups: groups } } });
    await scope.settles("p", { selected: 3, slices: 2 });
    const from = bed.proxy.seen.length;
    const isOfScope = ({ path }: SeenRequest) => path.includes(`/namespaces/${scope.namespace}/placementdecisions`);
    // The second write of the move removes the cluster where it was.
    let updates = 0;
    const when = (request: SeenRequest) => request.method === "PUT" && isOfScope(request) && ++updates === 2;
    bed.proxy.inject({ when, fault: { is: "cut", bytes: 1 }, times: 1 });
    await scope.edit("cluster", "moves", { metadata: { labels: { tier: "bb" } } });
    await scope.reaches("p", { groups: ["0 aa: stays", "1 bb: moves other"] });
    await scope.mark();
    await scope.edit("cluster", "moves", { metadata: { labels: { tier: "aa" } } });
    await scope.reaches("p", { groups: ["0 aa: moves stays", "1 bb: other"] });
    await scope.mark();
    const seen = bed.proxy.seen.slice(from).filter(isOfScope);
    const reading = seen.findIndex(({ query }) => query.get("fieldSelector") === "metadata.name=p-decision-1");
    expect(seen.slice(0, reading).map(({ method }) => method)).toEqual(["PUT", "PUT"]);
  });
});
