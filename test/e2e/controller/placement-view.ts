// What does a hub say about a Placement? Its status and its PlacementDecisions at one moment, in a form that tests compare.

import { isDeepStrictEqual } from "node:util";
import { groupedBy } from "../../../src/model/grouped.ts";
import { isList, isObject, type JsonObject, partOf } from "../../../src/model/json.ts";
import { DECISIONS, GROUP_INDEX_LABEL, GROUP_NAME_LABEL, inNamespace, PLACEMENT_LABEL, PLACEMENTS } from "./kinds.ts";

/** A condition of a Placement. */
export interface SeenCondition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number | undefined;
  readonly lastTransitionTime: string;
}

/** A PlacementDecision. Clusters have the short names of their scope. */
export interface SliceView {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: JsonObject;
  readonly group: string;
  readonly index: string;
  readonly clusters: readonly string[];
  readonly decisions: readonly JsonObject[];
  readonly owners: readonly JsonObject[];
}

/** A Placement with its PlacementDecisions. */
export interface PlacementView {
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
  readonly status: JsonObject;
  readonly conditions: Readonly<Record<string, SeenCondition>>;
  readonly slices: readonly SliceView[];
}

/** What a test expects of a Placement; what is not given is not compared. */
export interface Expectation {
  /** How many clusters are selected, or which: short names, sorted. */
  readonly selected?: number | readonly string[];
  /** The reason of PlacementSatisfied. */
  readonly reason?: string;
  /** The status of PlacementMisconfigured. */
  readonly misconfigured?: "True" | "False";
  /** The groups with clusters, by index: `INDEX NAME: CLUSTER …`. */
  readonly groups?: readonly string[];
  /** The number of PlacementDecisions. */
  readonly slices?: number;
}

/** How a view is read. */
export interface ViewSource {
  get(path: string): Promise<JsonObject>;
  readonly namespace: string;
  /** The name of a cluster in its scope. */
  readonly shortName: (cluster: string) => string;
}

/** The view of a Placement now. */
export async function viewOf({ get, namespace, shortName }: ViewSource, name: string): Promise<PlacementView> {
  const placement = await get(`${inNamespace(PLACEMENTS, namespace)}/${name}`);
  const selector = encodeURIComponent(`${PLACEMENT_LABEL}=${name}`);
  const { items } = await get(`${inNamespace(DECISIONS, namespace)}?labelSelector=${selector}`);
  const { uid, generation, resourceVersion } = partOf(placement, "metadata");
  const status = partOf(placement, "status");
  return {
    ...{ uid: `${uid}`, generation: Number(generation), resourceVersion: `${resourceVersion}`, status },
    conditions: Object.fromEntries(objectsOf(status.conditions).map((one) => [`${one.type}`, condition(one)])),
    slices: objectsOf(items).map((one) => sliceView(one, shortName)),
  };
}

function condition(one: JsonObject): SeenCondition {
  const { status, reason, message, observedGeneration, lastTransitionTime } = one;
  return {
    ...{ status: `${status}`, reason: `${reason}`, message: `${message}` },
    observedGeneration: observedGeneration as number | undefined,
    lastTransitionTime: `${lastTransitionTime}`,
  };
}

function sliceView(object: JsonObject, shortName: (cluster: string) => string): SliceView {
  const { name, uid, resourceVersion, ownerReferences } = partOf(object, "metadata");
  const labels = partOf(partOf(object, "metadata"), "labels");
  const decisions = objectsOf(partOf(object, "status").decisions);
  return {
    ...{ name: `${name}`, uid: `${uid}`, resourceVersion: `${resourceVersion}`, labels, decisions },
    group: `${labels[GROUP_NAME_LABEL]}`,
    index: `${labels[GROUP_INDEX_LABEL]}`,
    clusters: decisions.map(({ clusterName }) => shortName(`${clusterName}`)),
    owners: objectsOf(ownerReferences),
  };
}

export function objectsOf(value: JsonObject[string] | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** The clusters of all PlacementDecisions, sorted. */
export function selectedOf({ slices }: PlacementView): readonly string[] {
  return [...new Set(slices.flatMap(({ clusters }) => clusters))].sort();
}

/** Does the status speak of this generation and of just these PlacementDecisions? Then nothing is left to write. */
export function isSettled(view: PlacementView): boolean {
  const { status, conditions, generation, slices } = view;
  const { PlacementSatisfied: satisfied } = conditions;
  if (satisfied === undefined || (satisfied.observedGeneration ?? generation) !== generation) return false;
  const reported = objectsOf(status.decisionGroups).map((group) => {
    const { decisions, decisionGroupIndex, decisionGroupName, clusterCount } = group;
    return `${decisionGroupIndex} ${decisionGroupName}: ${clusterCount} in ${(isList(decisions) ? [...decisions] : []).sort()}`;
  });
  const written = [...groupedBy(slices, ({ index, group }) => `${index} ${group}`)].map(([name, its]) => {
    const count = its.reduce((sum, { clusters }) => sum + clusters.length, 0);
    return `${name}: ${count} in ${its.map((slice) => slice.name).sort()}`;
  });
  return (
    (status.numberOfSelectedClusters ?? 0) === selectedOf(view).length &&
    isDeepStrictEqual(reported.sort(), written.sort())
  );
}

/** Is everything as it is expected? */
export function isAsExpected(view: PlacementView, expected: Expectation): boolean {
  const { PlacementSatisfied, PlacementMisconfigured } = view.conditions;
  const selected = selectedOf(view);
  const actual: Expectation = {
    selected: typeof expected.selected === "number" ? selected.length : selected,
    ...(PlacementSatisfied && { reason: PlacementSatisfied.reason }),
    ...(PlacementMisconfigured && { misconfigured: PlacementMisconfigured.status as "True" | "False" }),
    groups: groupsOf(view),
    slices: view.slices.length,
  };
  const names = Object.keys(expected) as (keyof Expectation)[];
  return names.every((name) => isDeepStrictEqual(actual[name], expected[name]));
}

/** The groups of the PlacementDecisions, by index. */
function groupsOf({ slices }: PlacementView): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { index, group, clusters } of slices) {
    const known = groups.get(`${index} ${group}`);
    if (known === undefined) groups.set(`${index} ${group}`, [...clusters]);
    else known.push(...clusters);
  }
  const byIndex = [...groups].sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return byIndex.map(([group, clusters]) => [`${group}:`, ...clusters.sort()].join(" "));
}
