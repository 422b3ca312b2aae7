// What does the controller write when nothing has changed? Its Lease, and nothing else: not for heartbeats, not after a restart,
// not for fields that the API server does not keep.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { HOME } from "./controller/account.ts";
import { controllerBed } from "./controller/bed.ts";
import { auditLog, isChange, REVIEW, writeText } from "./controller/fault-audit.ts";
import { STOP_MS } from "./controller/fault-bed.ts";
import { storeScores } from "./controller/fault-definitions.ts";
import { inNamespace, LEASES, SCORES } from "./controller/kinds.ts";
import { seriesOf } from "./controller/metrics.ts";
import { objectsOf, type PlacementView } from "./controller/placement-view.ts";
import type { Scope } from "./controller/scope.ts";
import { bestBy, isOver, names, timeText } from "./controller/specs.ts";
import { until } from "./controller/until.ts";

const audit = auditLog();
const bed = controllerBed({ isStarted: false, apiServerFlags: audit.flags });
const LEASE_PATHS = [inNamespace(LEASES, HOME.namespace), `${inNamespace(LEASES, HOME.namespace)}/${HOME.leaseName}`];
/** The test's own objects: a fence makes the controller write. */
const FENCE = "/namespaces/fence/";

/** What the controller wrote since the proxy had seen so many requests. */
function writesSince(from: number): readonly string[] {
  return bed.proxy.seen
    .slice(from)
    .filter(({ method, path }) => method !== "GET" && !LEASE_PATHS.includes(path) && !REVIEW.test(path))
    .filter(({ path }) => !path.includes(FENCE))
    .map(({ method, path }) => `${method} ${path}`);
}

/** A hub with everything: groups, several slices, a mistake, too few clusters, scores. */
async function settledHub(name: string): Promise<Scope> {
  const scope = await bed.scope(name);
  await scope.clusters(names(110), { labels: { tier: "many" } });
  await scope.clusters(["x"], { labels: { tier: "canary" } });
  await scope.score("x", "demo", { demo: 10 });
  await scope.score("c001", "demo", { demo: 20 });
  // A Placement that is seen before its clusters decides with those that are there: without `x` all others are in group 0.
  await bed.fence();
  const selector = { labelSelector: { matchLabels: { tier: "canary" } } };
  const decisionGroups = [{ groupName: "canary", groupClusterSelector: selector }];
  await scope.placement("groups", { decisionStrategy: { groupStrategy: { decisionGroups } } });
  await scope.placement("broken", { prioritizerPolicy: { mode: "Wrong" } });
  await scope.placement("few", { numberOfClusters: 200 });
  await scope.placement("scored", bestBy("demo", "demo", 2));
  await scope.settles("groups", { selected: 111, slices: 3 });
  await scope.settles("broken", { misconfigured: "True", selected: 0 });
  await scope.settles("few", { selected: 111, reason: "NotAllDecisionsScheduled" });
  await scope.settles("scored", { selected: ["c001", "x"] });
  return scope;
}

const PLACEMENTS = ["groups", "broken", "few", "scored"];

function views(scope: Scope): Promise<readonly PlacementView[]> {
  return Promise.all(PLACEMENTS.map((name) => scope.view(name)));
}

describe("an idle hub", () => {
  test("heartbeats of clusters write nothing but the Lease; nor does a restart", async () => {
    const first = await bed.start();
    await first.says("leading");
    const scope = await settledHub("idle");
    await bed.fence();
    const before = await views(scope);
    const beats = names(5);
    const evaluations = async () => (await seriesOf(first)).plimsoll_evaluations_total as number;
    const evaluated = await evaluations();
    const from = bed.proxy.seen.length;
    for (let second = 0; second < 25; second++) {
      const time = timeText(new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
      const condition = { type: "ManagedClusterConditionAvailable", status: "True", reason: "Alive", message: "" };
      for (const name of beats)
        await scope.editStatus("cluster", name, { conditions: [{ ...condition, lastTransitionTime: time }] });
      await sleep(200);
    }
    await bed.fence();
    // The fence is some evaluations. Heartbeats would be one for each cluster and Placement without a mistake, even if all came at once.
    expect((await evaluations()) - evaluated).toBeLessThan((PLACEMENTS.length - 1) * beats.length);
    expect(writesSince(from)).toEqual([]);
    const leases = bed.proxy.seen.slice(from).filter(({ path }) => path === LEASE_PATHS[1]);
    expect(leases.length).toBeGreaterThan(0);
    expect(await views(scope)).toEqual(before);

    const ended = await first.stop();
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.ms).toBeLessThan(STOP_MS);
    expect(first.stray).toEqual([]);
    const restarted = bed.proxy.seen.length;
    const second = await bed.start();
    await second.says("synced");
    await second.says("leading");
    await bed.fence();
    expect(writesSince(restarted)).toEqual([]);
    expect(await views(scope)).toEqual(before);
    expect(await second.stop()).toMatchObject({ code: 0 });
  });

  test("a condition keeps its lastTransitionTime while its status stays", async () => {
    const controller = await bed.start();
    const scope = await bed.scope("transition");
    await scope.clusters(names(2));
    await scope.placement("p", { numberOfClusters: 3 });
    const before = await scope.settles("p", { selected: 2, reason: "NotAllDecisionsScheduled" });
    await until("a second has passed", () => isOver(new Date(timeOf(before)), 1.5) || undefined);
    await scope.edit("placement", "p", { spec: { numberOfClusters: 4 } });
    await scope.settles("p", { selected: 2 });
    const after = await scope.view("p");
    expect(after.conditions.PlacementSatisfied?.message).toBe("2 cluster decisions unscheduled");
    expect(timeOf(after)).toBe(timeOf(before));
    await scope.edit("placement", "p", { spec: { numberOfClusters: 2 } });
    expect(timeOf(await scope.settles("p", { reason: "AllDecisionsScheduled" }))).not.toBe(timeOf(before));
    await controller.stop();
  });
});

function timeOf({ conditions }: PlacementView): string {
  return conditions.PlacementSatisfied?.lastTransitionTime ?? "";
}

describe("fields that the definitions do not have", () => {
  test("are known while the index of the OpenAPI documents has another hash than the document", async () => {
    const index = JSON.stringify(await bed.hub.admin.get("/openapi/v3")).replace(/\bhash=[0-9A-F]+/g, "hash=0");
    bed.proxy.inject({
      when: ({ path }) => path === "/openapi/v3",
      fault: { is: "answer", code: 200, type: "text/plain", text: index },
      times: 1,
    });
    const controller = await bed.start();
    await controller.says("synced");
    expect(index).toContain('v1beta1?hash=0"');
    expect(controller.log.filter(({ level }) => level !== "info")).toEqual([]);
    await controller.stop();
  });

  test("are neither written nor compared; and are written where a definition has them", async () => {
    const flags = ["--decision-scores", "all"];
    const start = audit.writes().length;
    const first = await bed.start({ flags });
    const scope = await settledHub("pruned");
    await bed.fence();
    const from = bed.proxy.seen.length;
    await scope.score("x", "demo", { demo: 11 });
    await until("the score is there", async () => {
      const { status } = await bed.hub.call("GET", `${inNamespace(SCORES, scope.longName("x"))}/demo`);
      return objectsOf((status as JsonObject).scores)[0]?.value === 11 || undefined;
    });
    await bed.fence();
    expect(writesSince(from)).toEqual([]);
    const before = await scope.view("scored");
    await first.stop();
    const sent = audit.writes(start).filter((write) => isChange(write) && write.user === "controller");
    expect(sent.some(({ path }) => path.endsWith("/status"))).toBe(true);
    expect(
      sent.filter(({ body }) => /"score":|"lastScoreUpdateTime":/.test(JSON.stringify(body))).map(writeText),
    ).toEqual([]);

    await storeScores(bed.hub);
    const second = await bed.start({ flags });
    const scoreOf = ({ slices }: PlacementView): readonly unknown[] =>
      slices.flatMap(({ decisions }) => decisions.map(({ score }) => score));
    const after = await until("decisions have scores, and the status their time", async () => {
      const view = await scope.view("scored");
      const isTimed = view.status.lastScoreUpdateTime !== undefined;
      return isTimed && scoreOf(view).every((score) => score !== undefined) ? view : undefined;
    });
    expect([...scoreOf(after)].sort()).toEqual([11, 20]);
    expect(after.slices.map(({ uid }) => uid)).toEqual(before.slices.map(({ uid }) => uid));
    await bed.fence();
    const written = bed.proxy.seen.length;
    await scope.edit("cluster", "x", { metadata: { annotations: { nothing: "new" } } });
    await bed.fence();
    expect(writesSince(written)).toEqual([]);
    await second.stop();
  });
});
