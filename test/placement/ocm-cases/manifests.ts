// Which Kubernetes objects do the short lines of a case stand for?

import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { ClusterLine, Given, PlacementLine, PredicateLine, ScoreLine, SliceLine } from "./notation.ts";

/** Objects by kind and name; one that is gone is null. */
export type Manifests = ReadonlyMap<string, JsonObject | null>;

/** The group of all kinds. */
export const GROUP = "cluster.open-cluster-management.io";

/** The default time of a case. */
export const BEGINNING: number = Date.UTC(2022, 0, 1) / 1000;

/** `namespace/name` of a Placement. */
export function placementKey(name: string): string {
  return name.includes("/") ? name : `ns1/${name}`;
}

/** The seconds of 1970 that `+10s`, `-8s` or a time in full mean. */
export function secondsOf(text: string): number {
  const relative = /^([+-]\d+)s$/.exec(text);
  const seconds = relative === null ? Date.parse(text) / 1000 : BEGINNING + Number(relative[1]);
  if (Number.isNaN(seconds)) throw new Error(`${text} is no time`);
  return seconds;
}

/** The objects that lines stand for. Without any sets there is one, set1, which is bound. */
export function firstManifests(given: Given): Manifests {
  const sets = given.sets ?? { set1: {} };
  return manifestsOf({ ...given, sets, bound: given.bound ?? Object.keys(sets) });
}

/** The objects that the lines of a step stand for. */
export function manifestsOf(given: Given): Manifests {
  const manifests = new Map<string, JsonObject | null>();
  const put = (kind: string, key: string, build: () => JsonObject, isGone: boolean): void => {
    manifests.set(`${kind} ${key}`, isGone ? null : build());
  };
  for (const [name, line] of clusterLines(given.clusters ?? {}))
    put("ManagedCluster", name, () => managedCluster(name, line as ClusterLine), line === null);
  for (const [name, selector] of Object.entries(given.sets ?? {}))
    put("ManagedClusterSet", name, () => managedClusterSet(name, selector as JsonObject), selector === null);
  for (const [set, isBound] of boundSets(given.bound ?? []))
    put("ManagedClusterSetBinding", placementKey(set), () => binding(placementKey(set)), isBound === null);
  const placements = { ...(given.placement && { "ns1/placement1": given.placement }), ...given.placements };
  for (const [name, line] of Object.entries(placements))
    put("Placement", placementKey(name), () => placement(placementKey(name), line as PlacementLine), line === null);
  for (const [name, lines] of Object.entries(given.decided ?? {}))
    for (const [index, slice] of slicesOf(lines ?? []).entries()) {
      const key = `${placementKey(name)}-decision-${index + 1}`;
      put("PlacementDecision", key, () => decision(placementKey(name), index + 1, slice), lines === null);
    }
  for (const [cluster, resources] of Object.entries(given.scores ?? {}))
    for (const [resource, scores] of Object.entries(resources)) {
      const [name = "", until] = resource.split(" @");
      const build = (): JsonObject => placementScore(cluster, name, scores as ScoreLine, until);
      put("AddOnPlacementScore", `${cluster}/${name}`, build, scores === null);
    }
  for (const object of given.objects ?? []) {
    const { namespace, name } = object.metadata as JsonObject;
    manifests.set(`${object.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`, object);
  }
  return manifests;
}

function clusterLines(clusters: NonNullable<Given["clusters"]>): readonly (readonly [string, ClusterLine | null])[] {
  if (typeof clusters === "number")
    return Array.from({ length: clusters }, (_, index) => [`cluster${index + 1}`, {}] as const);
  if (Array.isArray(clusters)) return clusters.flatMap(namesOf).map((name: string) => [name, {}] as const);
  const lines = Object.entries(clusters as { readonly [name: string]: ClusterLine | null });
  return lines.flatMap(([names, line]) => namesOf(names).map((name) => [name, line] as const));
}

/** The names that `c[01-10]` expands to. */
function namesOf(text: string): readonly string[] {
  const [, stem, first = "", last] = /^(.*)\[(\d+)-(\d+)\]$/.exec(text) ?? [];
  if (stem === undefined) return [text];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => stem + String(Number(first) + index).padStart(first.length, "0"));
}

function boundSets(bound: NonNullable<Given["bound"]>): readonly (readonly [string, true | null])[] {
  return Array.isArray(bound) ? bound.map((set: string) => [set, true] as const) : Object.entries(bound);
}

function slicesOf(lines: readonly string[] | readonly SliceLine[]): readonly SliceLine[] {
  const isOne = lines.length === 0 || typeof lines[0] === "string";
  return isOne ? [lines as readonly string[]] : (lines as readonly SliceLine[]);
}

function managedCluster(name: string, line: ClusterLine): JsonObject {
  const set = line.set ?? "set1";
  const labels = { ...(set !== "" && { [`${GROUP}/clusterset`]: set }), ...line.labels };
  const amounts = { cpu: line.cpu, memory: line.memory };
  const half = (index: number): JsonObject =>
    Object.fromEntries(
      Object.entries(amounts).flatMap(([resource, text]) => {
        const amount = text?.split("/")[index];
        return amount === undefined ? [] : [[resource, amount]];
      }),
    );
  const built: JsonObject = {
    apiVersion: `${GROUP}/v1`,
    kind: "ManagedCluster",
    metadata: {
      name,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(line.terminating && { deletionTimestamp: "2022-01-01T00:00:00Z" }),
    },
    spec: { hubAcceptsClient: true, ...(line.taints !== undefined && { taints: line.taints.map(taint) }) },
    status: {
      ...(line.version !== undefined && { version: { kubernetes: line.version } }),
      ...(line.claims !== undefined && { clusterClaims: line.claims.map(claim) }),
      ...(Object.keys(half(0)).length > 0 && { allocatable: half(0) }),
      ...(Object.keys(half(1)).length > 0 && { capacity: half(1) }),
    },
  };
  return laidOver(built, line.object ?? {});
}

function claim(text: string): JsonObject {
  const equals = text.indexOf("=");
  return { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

function taint(text: string): JsonObject {
  const [mark = "", added] = text.split(" @");
  const [pair = "", effect = ""] = mark.split(":");
  const [key = "", value] = pair.split("=");
  const timeAdded = added === undefined ? null : time(added);
  return { key, ...(value !== undefined && { value }), effect, timeAdded };
}

function time(text: string): string {
  return new Date(secondsOf(text) * 1000).toISOString().replace(".000Z", "Z");
}

function managedClusterSet(name: string, clusterSelector: JsonObject): JsonObject {
  const isPlain = Object.keys(clusterSelector).length === 0;
  return {
    apiVersion: `${GROUP}/v1beta2`,
    kind: "ManagedClusterSet",
    metadata: { name },
    ...(!isPlain && { spec: { clusterSelector } }),
  };
}

function binding(key: string): JsonObject {
  const [namespace = "", name = ""] = key.split("/");
  return {
    apiVersion: `${GROUP}/v1beta2`,
    kind: "ManagedClusterSetBinding",
    metadata: { namespace, name },
    spec: { clusterSet: name },
  };
}

function decision(placement: string, number: number, slice: SliceLine): JsonObject {
  const [namespace = "", name = ""] = placement.split("/");
  const { group, clusters } = "group" in slice ? slice : { group: "", clusters: slice };
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "PlacementDecision",
    metadata: {
      namespace,
      name: `${name}-decision-${number}`,
      labels: {
        [`${GROUP}/placement`]: name,
        [`${GROUP}/decision-group-name`]: group,
        [`${GROUP}/decision-group-index`]: "0",
      },
    },
    status: { decisions: clusters.flatMap(namesOf).map((clusterName) => ({ clusterName, reason: "" })) },
  };
}

function placementScore(namespace: string, name: string, scores: ScoreLine, until: string | undefined): JsonObject {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: "AddOnPlacementScore",
    metadata: { namespace, name },
    status: {
      scores: Object.entries(scores).map(([score, value]) => ({ name: score, value })),
      ...(until !== undefined && { validUntil: time(until) }),
    },
  };
}

function placement(key: string, line: PlacementLine): JsonObject {
  const [namespace = "", name = ""] = key.split("/");
  const weights = line.exactly ?? line.adds;
  const groups = line.groups?.map((text) => {
    const [groupName = "", labels = ""] = text.split(": ");
    return { groupName, groupClusterSelector: { labelSelector: labelSelector(labels) } };
  });
  const spec: JsonObject = {
    ...(line.sets !== undefined && { clusterSets: line.sets }),
    ...(line.number !== undefined && { numberOfClusters: line.number }),
    ...(line.where !== undefined && { predicates: line.where.map(predicate) }),
    ...(line.tolerates !== undefined && { tolerations: line.tolerates.map(toleration) }),
    ...(weights !== undefined && {
      prioritizerPolicy: {
        mode: line.exactly === undefined ? "Additive" : "Exact",
        configurations: weights.map(configuration),
      },
    }),
    ...((groups !== undefined || line.groupSize !== undefined) && {
      decisionStrategy: {
        groupStrategy: {
          ...(groups !== undefined && { decisionGroups: groups }),
          ...(line.groupSize !== undefined && { clustersPerDecisionGroup: line.groupSize }),
        },
      },
    }),
    ...(line.spread !== undefined && { spreadPolicy: { spreadConstraints: line.spread.map(spreadConstraint) } }),
  };
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "Placement",
    metadata: {
      namespace,
      name,
      ...(line.annotations !== undefined && { annotations: line.annotations }),
      ...(line.generation !== undefined && { generation: line.generation }),
      ...(line.terminating && { deletionTimestamp: "2022-01-01T00:00:00Z" }),
    },
    spec: laidOver(spec, line.spec ?? {}),
  };
}

function predicate(line: PredicateLine): JsonObject {
  const requirements = eachText(line.claims).map(requirement);
  return {
    requiredClusterSelector: {
      ...(line.labels !== undefined && { labelSelector: labelSelector(line.labels) }),
      ...(requirements.length > 0 && { claimSelector: { matchExpressions: requirements } }),
      ...(line.cel !== undefined && { celSelector: { celExpressions: eachText(line.cel) } }),
    },
  };
}

function labelSelector(labels: string | readonly string[]): JsonObject {
  const texts = eachText(labels);
  const pairs = texts.filter((text) => !text.includes(" "));
  const requirements = texts.filter((text) => text.includes(" "));
  return {
    ...(pairs.length > 0 && { matchLabels: Object.fromEntries(pairs.map((text) => text.split("="))) }),
    ...(requirements.length > 0 && { matchExpressions: requirements.map(requirement) }),
  };
}

function requirement(text: string): JsonObject {
  const [key = "", operator = "", values] = text.split(" ");
  return { key, operator, ...(values !== undefined && { values: values.split(",").filter((value) => value !== "") }) };
}

function toleration(text: string): JsonObject {
  const [mark = "", seconds] = text.split(" for ");
  const [pair = "", effect] = mark.split(":");
  const [key = "", value] = pair.split("=");
  return {
    ...(key !== "*" && { key }),
    ...(value === undefined ? { operator: "Exists" } : { operator: "Equal", value }),
    ...(effect !== undefined && { effect }),
    ...(seconds !== undefined && { tolerationSeconds: Number.parseInt(seconds, 10) }),
  };
}

function configuration(text: string): JsonObject {
  const [name = "", weight] = text.split(" ");
  const [type = "", resourceName = "", scoreName = ""] = name.split("/");
  const isAddOn = type === "AddOn";
  return {
    scoreCoordinate: isAddOn ? { type, addOn: { resourceName, scoreName } } : { type: "BuiltIn", builtIn: name },
    ...(weight !== undefined && { weight: Number(weight) }),
  };
}

function spreadConstraint(text: string): JsonObject {
  const [topologyKeyType = "", topologyKey = "", ...rest] = text.split(" ");
  const max = rest.indexOf("max");
  return {
    topologyKey,
    topologyKeyType,
    ...(max >= 0 && { maxSkew: Number(rest[max + 1]) }),
    ...(rest.includes("hard") && { whenUnsatisfiable: "DoNotSchedule" }),
  };
}

function eachText(texts: string | readonly string[] | undefined): readonly string[] {
  if (texts === undefined) return [];
  return typeof texts === "string" ? [texts] : texts;
}

/** An object with another laid over it; what is null there is taken away. */
function laidOver(below: JsonObject, above: JsonObject): JsonObject {
  const result: { [key: string]: Json } = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = result[key];
    if (value === null) delete result[key];
    else result[key] = isObject(under) && isObject(value) ? laidOver(under, value) : value;
  }
  return result;
}
