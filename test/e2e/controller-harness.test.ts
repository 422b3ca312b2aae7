// Do the parts that tests of the controller stand on work themselves? On a real hub, with writes of the test in place of a
// controller, and with a stand-in for its process.

import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { startController } from "./controller/controller-process.ts";
import { type DecisionWatcher, watchDecisions } from "./controller/decision-watcher.ts";
import { type Hub, startHub } from "./controller/hub.ts";
import { DECISIONS, GROUP_INDEX_LABEL, GROUP_NAME_LABEL, inNamespace, PLACEMENT_LABEL } from "./controller/kinds.ts";
import { Scope } from "./controller/scope.ts";
import { names } from "./controller/specs.ts";
import { putObject, readCollection, type StoredObject } from "./etcd.ts";

let hub: Hub;
let watcher: DecisionWatcher;

beforeAll(async () => {
  hub = await startHub();
  watcher = await watchDecisions(hub);
});

afterAll(async () => {
  watcher?.stop();
  await hub?.stop();
});

/** Writes PlacementDecisions as a controller would. */
function writerOf(scope: Scope) {
  const list = inNamespace(DECISIONS, scope.namespace);
  const entries = (clusters: readonly string[]): JsonObject => ({
    decisions: clusters.map((name) => ({ clusterName: scope.longName(name), reason: "" })),
  });
  return {
    async create(n: number, clusters: readonly string[]): Promise<void> {
      const labels = { [PLACEMENT_LABEL]: "p", [GROUP_INDEX_LABEL]: "0", [GROUP_NAME_LABEL]: "" };
      await hub.call("POST", list, {
        apiVersion: "cluster.open-cluster-management.io/v1beta1",
        kind: "PlacementDecision",
        metadata: { name: `p-decision-${n}`, labels },
      });
      await scope.editStatus("decision", `p-decision-${n}`, entries(clusters));
    },
    update: (n: number, clusters: readonly string[]) =>
      scope.editStatus("decision", `p-decision-${n}`, entries(clusters)),
    status: (count: number, slices: number) =>
      scope.editStatus("placement", "p", {
        numberOfSelectedClusters: count,
        decisionGroups: [
          {
            decisionGroupIndex: 0,
            decisionGroupName: "",
            decisions: Array.from({ length: slices }, (_, at) => `p-decision-${at + 1}`),
            clusterCount: count,
          },
        ],
        conditions: [
          {
            type: "PlacementSatisfied",
            status: "True",
            reason: "AllDecisionsScheduled",
            message: "",
            observedGeneration: 1,
            lastTransitionTime: "2026-01-01T00:00:00Z",
          },
        ],
      }),
  };
}

test("the watcher sees a cluster that is missing between two writes, and nothing wrong in the safe order", async () => {
  const scope = new Scope("order", hub, watcher);
  await scope.open();
  await scope.clusters(["a", "b"], { claims: { cloud: "x" }, allocatable: { cpu: "4" } });
  await scope.score("a", "demo", { demo: 1 });
  await scope.score("a", "demo", { demo: 2 });
  await scope.placement("p");
  const { create, update, status } = writerOf(scope);
  await create(1, ["a", "b"]);
  await status(2, 1);
  const view = await scope.settles("p", { selected: ["a", "b"], reason: "AllDecisionsScheduled", groups: ["0 : a b"] });
  expect(view.slices.map(({ name, clusters }) => [name, clusters])).toEqual([["p-decision-1", ["a", "b"]]]);
  await create(2, ["b"]);
  await update(1, ["a"]);
  await status(2, 2);
  await scope.settles("p", { slices: 2, selected: 2 });
  expect(watcher.violations).toEqual([]);
  expect(watcher.judged).toBeGreaterThanOrEqual(5);

  await update(1, []);
  await update(2, ["a", "b"]);
  expect(await watcher.settled()).toEqual([
    "event 1, modified order/p-decision-1: order-a of order/p in no PlacementDecision, though selected",
  ]);
  await update(1, ["a"]);
  expect(await watcher.settled()).toEqual(["settled: order-a is in order/p-decision-1 and in order/p-decision-2"]);
  await update(2, ["b"]);
  await update(1, []);
  await update(1, ["a"]);
  const { violations } = watcher;
  const before = violations.length;
  await scope.mark({ byHand: ["p"] });
  expect(violations).toHaveLength(before);
});

test("the watcher sees a group that is neither the old nor the new one, too many clusters, and another object of the same name", async () => {
  const scope = new Scope("other", hub, watcher);
  await scope.open();
  await scope.placement("p");
  const { create, update } = writerOf(scope);
  await create(1, ["a"]);
  await watcher.settled();
  for (const group of ["1", "2"])
    await scope.edit("decision", "p-decision-1", { metadata: { labels: { [GROUP_INDEX_LABEL]: group } } });
  expect(await watcher.settled()).toEqual([
    'event 1, modified other/p-decision-1: other-a in other/p-decision-1 is in group "1 ", not in "0 " or "2 "',
  ]);

  await update(1, ["a", ...names(100)]);
  expect(await watcher.settled()).toEqual([
    "event 1, modified other/p-decision-1: other/p-decision-1 has 101 clusters",
  ]);

  await update(1, ["a"]);
  await watcher.settled();
  const resource = "cluster.open-cluster-management.io/placementdecisions";
  const [stored] = (await readCollection(hub.etcd, resource)).objects.filter(({ key }) => key === "other/p-decision-1");
  const { key, object } = stored as StoredObject;
  const metadata = { ...partOf(object, "metadata"), uid: "00000000-0000-0000-0000-000000000000" };
  await putObject(hub.etcd, resource, { key, object: { ...object, metadata } });
  expect(await watcher.settled()).toEqual([
    "event 1, modified other/p-decision-1: other/p-decision-1 has another uid, and was not deleted before",
  ]);
});

test("a Placement that is deleted and made again promises nothing", async () => {
  const scope = new Scope("again", hub, watcher);
  await scope.open();
  await scope.clusters(["a"]);
  await scope.placement("p");
  const { create } = writerOf(scope);
  await create(1, ["a"]);
  await watcher.settled();
  await scope.remove("placement", "p");
  await scope.remove("decision", "p-decision-1");
  await scope.placement("p");
  await create(1, ["a"]);
  expect(await watcher.settled()).toEqual([]);
  await scope.close();
  expect(await watcher.settled()).toEqual([]);
});

test("the watcher misses nothing, whatever happens to the API server", async () => {
  const scope = new Scope("outage", hub, watcher);
  await scope.open();
  await scope.clusters(["a", "b"]);
  await scope.placement("p");
  const { create, update } = writerOf(scope);
  await create(1, ["a"]);
  await watcher.settled();
  await hub.restartApiServer();
  await update(1, ["a", "b"]);
  expect(await watcher.settled()).toEqual([]);
  await hub.killApiServer();
  await hub.startApiServer();
  await update(1, ["b"]);
  await update(1, ["a", "b"]);
  await hub.forgetHistory();
  expect(await watcher.settled()).toHaveLength(1);
});

test("the process of a controller: its log, addresses and signals", async () => {
  const program = resolve("test/e2e/controller/fake-controller.mjs");
  const options = { server: hub.server, token: "secret", namespace: "home", leaseName: "lease", program };
  const one = await startController({ ...options, flags: ["--lease-duration", "3s"], identity: "one" });
  const asked = await (await one.ask("metrics", "/")).text();
  expect(asked).toMatch(
    /^metrics controller --controllers placement --kubeconfig .* --lease-duration 3s .* --identity one$/,
  );
  expect(asked).not.toContain("15s");
  const { length } = one.log;
  await one.says("tick", length);
  one.freeze();
  const frozen = one.log.length;
  one.resume();
  await one.says("tick", frozen);
  expect(one.stray).toEqual(["not a line of the log"]);
  await one.kill();
});

test("the process of a controller: how it ends", async () => {
  const program = resolve("test/e2e/controller/fake-controller.mjs");
  const options = { server: hub.server, token: "secret", namespace: "home", leaseName: "lease", program };
  const [one, two, three] = await Promise.all([
    startController(options),
    startController(options),
    startController(options),
  ]);
  expect(await one.stop()).toMatchObject({ code: 0 });
  expect(one.log.at(-1)).toMatchObject({ message: "stopping" });
  expect(await two.kill()).toMatchObject({ signal: "SIGKILL" });
  const failing = expect(three.says("never said")).rejects.toThrow("it ended with 3 without saying never said");
  expect(await three.kill("SIGUSR2")).toMatchObject({ code: 3 });
  await failing;
});
