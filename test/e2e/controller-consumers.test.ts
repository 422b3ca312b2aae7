// Do consumers of PlacementDecisions see just the clusters that our controller selects, also by decision group, and also while clusters
// join, leave and change their groups? OCM's own SDK reads them, on a real API server. Argo CD's generator is not run: the test reads
// in its place what it is documented to read.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { clustersForArgo, createDecisionConfigMap } from "./controller/argo-consumer.ts";
import { controllerBed } from "./controller/bed.ts";
import { storeScores } from "./controller/fault-definitions.ts";
import { GROUP_INDEX_LABEL, GROUP_NAME_LABEL, PLACEMENT_LABEL } from "./controller/kinds.ts";
import {
  type DecisionReport,
  type OcmConsumer,
  type ReportedGroup,
  startOcmConsumer,
} from "./controller/ocm-consumer.ts";
import type { Scope } from "./controller/scope.ts";
import { names } from "./controller/specs.ts";

const bed = controllerBed();
const CONFIG = "placement-decisions";

/** A decision group that a test expects: short names, sorted. */
interface Group {
  readonly name: string;
  readonly clusters: readonly string[];
}

/** 265 clusters in five groups and seven PlacementDecisions. */
const STRATEGY: JsonObject = {
  groupStrategy: {
    clustersPerDecisionGroup: 120,
    decisionGroups: ["canary", "blue"].map((tier) => ({
      groupName: tier,
      groupClusterSelector: { labelSelector: { matchLabels: { tier } } },
    })),
  },
};
const CANARY = names(10);
const BLUE = names(130, 11);
const OTHERS = names(125, 141);
const GROUPS = [
  { name: "canary", clusters: CANARY },
  { name: "blue", clusters: BLUE.slice(0, 120) },
  { name: "blue", clusters: BLUE.slice(120) },
  { name: "", clusters: OTHERS.slice(0, 120) },
  { name: "", clusters: OTHERS.slice(120) },
];

let scope: Scope;
const consumers: OcmConsumer[] = [];
let tests = 0;

beforeEach(async () => {
  scope = await bed.scope(`consumers-${++tests}`);
  await createDecisionConfigMap({ hub: bed.hub, namespace: scope.namespace }, CONFIG);
  await scope.clusters(CANARY, { labels: { tier: "canary" } });
  await scope.clusters(BLUE, { labels: { tier: "blue" } });
  await scope.clusters(OTHERS);
  // Its decisions are in the same namespace.
  await scope.placement("other", { numberOfClusters: 1 });
  await scope.settles("other", { selected: 1 });
  // With a part of the clusters its first groups would be others.
  await bed.fence();
  await scope.placement("p", { decisionStrategy: STRATEGY });
});

afterEach(async () => {
  for (const consumer of consumers.splice(0)) await consumer.stop();
});

/** Starts a consumer with OCM's SDK that knows clusters already. */
function startConsumer(existing: readonly string[] = []): OcmConsumer {
  const longNames = longNamesOf(existing);
  const consumer = startOcmConsumer(bed.hub, { namespace: scope.namespace, placement: "p", existing: longNames });
  consumers.push(consumer);
  return consumer;
}

function longNamesOf(short: readonly string[]): readonly string[] {
  return short.map((name) => scope.longName(name));
}

/** The clusters of groups, sorted. */
function clustersOf(groups: readonly Group[]): readonly string[] {
  return longNamesOf(groups.flatMap(({ clusters }) => clusters)).toSorted();
}

/** Groups as OCM's SDK has to give them. */
function reported(groups: readonly Group[]): readonly ReportedGroup[] {
  return groups.map(({ name, clusters }, index) => ({
    ...{ name, index },
    clusters: longNamesOf(clusters),
    byIndex: longNamesOf(clusters),
    byName: name === "" ? [] : clustersOf(groups.filter((other) => other.name === name)),
    besides: clustersOf(groups.filter((_, at) => at !== index)),
  }));
}

/** Groups as `settles` compares them. */
function written(groups: readonly Group[]): readonly string[] {
  return groups.map(({ name, clusters }, index) => [`${index} ${name}:`, ...clusters].join(" "));
}

/** Waits until the controller has written groups, and until OCM's SDK sees just them; returns its reports since the last time. */
async function seen(consumer: OcmConsumer, groups: readonly Group[]): Promise<readonly DecisionReport[]> {
  await scope.settles("p", { groups: written(groups) });
  return consumer.sees(reported(groups));
}

/** Every cluster that was added or deleted, once for each time. */
function changesOf(reports: readonly DecisionReport[]) {
  return {
    added: reports.flatMap(({ added }) => added).toSorted(),
    deleted: reports.flatMap(({ deleted }) => deleted).toSorted(),
  };
}

/** What Argo CD's generator would find by labels, besides that of the Placement, or by the name of a PlacementDecision. */
async function foundByArgo(by: Readonly<Record<string, string>> | string = {}): Promise<readonly string[]> {
  const chosen = typeof by === "string" ? { name: by } : { matchLabels: { [PLACEMENT_LABEL]: "p", ...by } };
  const found = await clustersForArgo(
    { hub: bed.hub, namespace: scope.namespace },
    { configMapRef: CONFIG, ...chosen },
  );
  return found.toSorted();
}

test("more than 100 clusters in decision groups: OCM's SDK finds every cluster once, in its group, and so would Argo CD", async () => {
  const consumer = startConsumer();
  expect(changesOf(await seen(consumer, GROUPS))).toEqual({ added: clustersOf(GROUPS), deleted: [] });
  expect(await foundByArgo()).toEqual(clustersOf(GROUPS));
  expect(await foundByArgo({ [GROUP_NAME_LABEL]: "canary" })).toEqual(longNamesOf(CANARY));
  expect(await foundByArgo({ [GROUP_NAME_LABEL]: "blue" })).toEqual(longNamesOf(BLUE));
  expect(await foundByArgo({ [GROUP_INDEX_LABEL]: "3" })).toEqual(longNamesOf(OTHERS.slice(0, 120)));
  const { slices } = await scope.view("p");
  expect(slices).toHaveLength(7);
  for (const { name, clusters } of slices) expect(await foundByArgo(name)).toEqual(longNamesOf(clusters.toSorted()));
});

test("clusters join and leave: OCM's SDK sees just these come and go, once; Argo CD would find those that are there", async () => {
  const consumer = startConsumer();
  await seen(consumer, GROUPS);

  const joining = names(10, 266);
  await scope.clusters(joining);
  const more = GROUPS.with(4, { name: "", clusters: [...OTHERS.slice(120), ...joining] });
  expect(changesOf(await seen(consumer, more))).toEqual({ added: longNamesOf(joining), deleted: [] });
  expect(await foundByArgo()).toEqual(clustersOf(more));

  const leaving = BLUE.slice(0, 3);
  for (const name of leaving) await scope.remove("cluster", name);
  const fewer = more
    .with(1, { name: "blue", clusters: BLUE.slice(3, 123) })
    .with(2, { name: "blue", clusters: BLUE.slice(123) });
  expect(changesOf(await seen(consumer, fewer))).toEqual({ added: [], deleted: longNamesOf(leaving) });
  expect(await foundByArgo()).toEqual(clustersOf(fewer));

  await scope.remove("binding", "main");
  const none = [{ name: "", clusters: [] }];
  await scope.allSettle({ other: { selected: 0 }, p: { selected: 0, slices: 1 } });
  expect(changesOf(await consumer.sees(reported(none)))).toEqual({ added: [], deleted: clustersOf(fewer) });
  expect(await foundByArgo()).toEqual([]);
});

test("groups change: OCM's SDK sees no cluster join or leave; Argo CD would find all of them", async () => {
  const consumer = startConsumer();
  await seen(consumer, GROUPS);
  const unchanged = { added: [], deleted: [] };

  const [moving = ""] = CANARY;
  await scope.edit("cluster", moving, { metadata: { labels: { tier: "blue" } } });
  const moved = [
    { name: "canary", clusters: CANARY.slice(1) },
    { name: "blue", clusters: [moving, ...BLUE.slice(0, 119)] },
    { name: "blue", clusters: BLUE.slice(119) },
    ...GROUPS.slice(3),
  ];
  expect(changesOf(await seen(consumer, moved))).toEqual(unchanged);
  expect(await foundByArgo({ [GROUP_NAME_LABEL]: "blue" })).toEqual(longNamesOf([moving, ...BLUE]));

  await scope.edit("placement", "p", { spec: { decisionStrategy: null } });
  const single = [{ name: "", clusters: [...CANARY, ...BLUE, ...OTHERS] }];
  expect(changesOf(await seen(consumer, single))).toEqual(unchanged);
  expect(await foundByArgo()).toEqual(clustersOf(single));

  await scope.edit("placement", "p", { spec: { decisionStrategy: STRATEGY } });
  expect(changesOf(await seen(consumer, moved))).toEqual(unchanged);
  expect(await foundByArgo()).toEqual(clustersOf(moved));
});

test("a consumer with OCM's SDK that was away sees what has changed since", async () => {
  await scope.settles("p", { selected: 265 });
  const [joining, leaving] = [names(1, 266), names(1, 11)];
  await scope.clusters(joining);
  for (const name of leaving) await scope.remove("cluster", name);
  const now = [
    ...GROUPS.slice(0, 1),
    { name: "blue", clusters: BLUE.slice(1, 121) },
    { name: "blue", clusters: BLUE.slice(121) },
    ...GROUPS.slice(3, 4),
    { name: "", clusters: [...OTHERS.slice(120), ...joining] },
  ];
  await scope.settles("p", { groups: written(now) });
  const reports = await startConsumer([...CANARY, ...BLUE, ...OTHERS]).sees(reported(now));
  expect(changesOf(reports)).toEqual({ added: longNamesOf(joining), deleted: longNamesOf(leaving) });
});

test("where the CRD has scores, Argo CD would still find all clusters: only Placements that sort by scores write them", async () => {
  await scope.settles("p", { selected: 265 });
  await bed.controller.stop();
  await storeScores(bed.hub);
  await bed.start();
  const joining = names(1, 266);
  await scope.clusters(joining);
  await scope.placement("sorted", { sortBy: "Score" });
  await scope.allSettle({ p: { selected: 266 }, sorted: { selected: 266 } });
  expect(await foundByArgo()).toEqual(longNamesOf([...CANARY, ...BLUE, ...OTHERS, ...joining]).toSorted());
  const scores = (await scope.view("sorted")).slices.flatMap(({ decisions }) => decisions.map(({ score }) => score));
  expect(scores).toEqual(scores.map(() => expect.any(Number)));
  // As releases of Argo CD without the fix of argo-cd#27264.
  await expect(foundByArgo({ [PLACEMENT_LABEL]: "sorted" })).rejects.toThrow("score");
});
