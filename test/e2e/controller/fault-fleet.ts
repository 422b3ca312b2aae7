// Which fleet do tests of faults use? Many Placements that select the same clusters, so that one change of the clusters needs many
// writes, each Placement with two groups.

import type { JsonObject } from "../../../src/model/json.ts";
import type { StepOptions } from "./decision-watcher.ts";
import type { Scope } from "./scope.ts";
import { labelled, names } from "./specs.ts";

/** Clusters that stay selected, that leave, and that join, when a fleet changes. */
export interface Fleet {
  readonly placements: readonly string[];
  readonly staying: readonly string[];
  readonly leaving: readonly string[];
  readonly joining: readonly string[];
}

const AT_ONCE = 16;
/** How many of those that stay are in a group of their own. */
const IN_CANARY = 10;
/** How many clusters change their group. */
export const PROMOTED = 10;

/** Makes the clusters and Placements of a fleet. */
export async function makeFleet(scope: Scope, placements: number): Promise<Fleet> {
  const all = names(150);
  const fleet = {
    placements: Array.from({ length: placements }, (_, at) => `p${at}`),
    staying: all.slice(0, 90),
    leaving: all.slice(90, 120),
    joining: all.slice(120),
  };
  const [canary, others] = [fleet.staying.slice(0, IN_CANARY), fleet.staying.slice(IN_CANARY)];
  await scope.clusters(canary, { labels: { on: "yes", tier: "canary" } });
  await scope.clusters([...others, ...fleet.leaving], { labels: { on: "yes" } });
  await scope.clusters(fleet.joining, { labels: { on: "no" } });
  for (const name of fleet.placements) await scope.placement(name, SPEC);
  return fleet;
}

const CANARY = { groupName: "canary", groupClusterSelector: { labelSelector: { matchLabels: { tier: "canary" } } } };
const SPEC: JsonObject = {
  ...labelled({ on: "yes" }),
  decisionStrategy: { groupStrategy: { decisionGroups: [CANARY] } },
};

/** Some clusters leave, as many join, and a group gets larger: no Placement stays as it is. */
export async function changeFleet(scope: Scope, { staying, leaving, joining }: Fleet): Promise<void> {
  const label = (on: string) => (name: string) => scope.edit("cluster", name, { metadata: { labels: { on } } });
  const promote = (name: string) => scope.edit("cluster", name, { metadata: { labels: { tier: "canary" } } });
  await atOnce([
    ...leaving.map((name) => () => label("no")(name)),
    ...joining.map((name) => () => label("yes")(name)),
    ...staying.slice(IN_CANARY, IN_CANARY + PROMOTED).map((name) => () => promote(name)),
  ]);
}

/** What every Placement of a fleet selects, before or after the change. */
export function selectedIn({ staying, leaving, joining }: Fleet, when: "before" | "after"): readonly string[] {
  return [...staying, ...(when === "before" ? leaving : joining)].sort();
}

/** The groups of a Placement of these clusters, as a view has them: some are in the group `canary`. */
export function groupsOf(clusters: readonly string[], canary: ReadonlySet<string>): readonly string[] {
  const inCanary = clusters.filter((name) => canary.has(name));
  const others = clusters.filter((name) => !canary.has(name));
  return [`0 canary: ${inCanary.join(" ")}`, `1 : ${others.join(" ")}`];
}

/** Does work in any order, some of it at the same time. */
export async function atOnce(work: readonly (() => Promise<unknown>)[], width: number = AT_ONCE): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < work.length) await work[next++]?.();
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Waits until every Placement of a fleet is as it should be; everything until then is judged. */
export async function fleetSettles(
  scope: Scope,
  fleet: Fleet,
  when: "before" | "after",
  options: StepOptions = {},
): Promise<void> {
  const canary = new Set(fleet.staying.slice(0, when === "before" ? IN_CANARY : IN_CANARY + PROMOTED));
  const groups = groupsOf(selectedIn(fleet, when), canary);
  for (const name of fleet.placements) await scope.reaches(name, { groups });
  await scope.mark(options);
}
