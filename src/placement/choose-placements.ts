// Which Placements, and which cluster, does a query name? If that has no answer: why, and which name was probably meant.

import type { ClusterObjects } from "../model/cluster-objects.ts";
import { placeOfLost, placeOfLostKind } from "../model/lost-text.ts";
import type { Place } from "../model/place.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { type PlacementName, placementKey } from "./placement-name.ts";

/** Placements by name or `namespace/name`; all of a namespace, or all there are, if no name is given. */
export interface PlacementQuery {
  readonly names: readonly string[];
  readonly namespace?: string | undefined;
  /** The cluster to explain. */
  readonly cluster?: string | undefined;
}

/** An unknown name, the known names, and the one of them that was probably meant. */
interface UnknownName {
  readonly name: string;
  readonly known: readonly string[];
  readonly meant?: string;
}

/** Why a query has no answer. */
export type NoChoice =
  /** The object was given, but is invalid. */
  | { readonly kind: "rejected"; readonly of: "Placement" | "ManagedCluster"; readonly name: string }
  /** The object was not found, and may be in input that could not be read. Without a name: any Placement of the namespace. */
  | {
      readonly kind: "unread";
      readonly of: "Placement" | "ManagedCluster";
      readonly name?: string;
      readonly namespace?: string;
      readonly place: Place;
    }
  /** There is no Placement at all; some may be in input that could not be read. */
  | { readonly kind: "none"; readonly mayBeUnread: boolean }
  | ({ readonly kind: "unknown-placement"; readonly namespace?: string } & UnknownName)
  /** `known` are the namespaces that have Placements. */
  | ({ readonly kind: "unknown-namespace" } & UnknownName)
  | ({ readonly kind: "unknown-cluster" } & UnknownName)
  /** The name matches several Placements, with these keys. */
  | { readonly kind: "ambiguous"; readonly name: string; readonly keys: readonly string[] };

/** The Placements that a query names, or why there are none. */
export type PlacementChoice = { readonly kind: "chosen"; readonly placements: readonly PlacementName[] } | NoChoice;

/** The objects in which names are looked up. */
export type NamedObjects = Pick<ClusterObjects, "placements" | "managedClusters" | "rejected" | "lost">;

/** Looks up the names of a query. `gone` are Placements that existed before; `hasUnread` says that some input could not be read. */
export function choosePlacements(
  query: PlacementQuery,
  objects: NamedObjects,
  gone: readonly PlacementName[],
  hasUnread: boolean,
): PlacementChoice {
  const unusable = rejectedObject(query, objects) ?? unreadObject(query, objects);
  if (unusable !== undefined) return unusable;
  if (objects.placements.length === 0) return { kind: "none", mayBeUnread: hasUnread };
  const choice = namedPlacements(query, [...objects.placements, ...gone]);
  return choice.kind === "chosen" ? (unknownCluster(query, objects) ?? choice) : choice;
}

/** A named object that was given, but is invalid. */
function rejectedObject(
  { names, cluster }: PlacementQuery,
  { rejected, placements, managedClusters }: NamedObjects,
): NoChoice | undefined {
  for (const { kind, namespace, name } of rejected) {
    if (name === undefined) continue;
    if (kind === "ManagedCluster" && name === cluster && !managedClusters.some((one) => one.name === name))
      return { kind: "rejected", of: kind, name };
    if (kind !== "Placement") continue;
    const key = placementKey({ namespace: namespace ?? "", name });
    const isThere = placements.some((one) => one.name === name || placementKey(one) === key);
    if (names.includes(key) || (names.includes(name) && !isThere)) return { kind: "rejected", of: kind, name: key };
  }
  return undefined;
}

/** A named object that was not found and may be in input that could not be read. */
function unreadObject(
  { names, namespace, cluster }: PlacementQuery,
  { placements, managedClusters, lost }: NamedObjects,
): NoChoice | undefined {
  if (placements.length === 0) return undefined;
  for (const name of names) {
    const isThere = placements.some((one) => isCalled(one, name));
    const place = isThere ? undefined : placeOfLostKind(lost, "Placement", name.slice(name.indexOf("/") + 1));
    if (place !== undefined) return { kind: "unread", of: "Placement", name, place };
  }
  if (names.length === 0 && namespace !== undefined && !placements.some((one) => one.namespace === namespace)) {
    const place = placeOfLostKind(lost, "Placement");
    if (place !== undefined) return { kind: "unread", of: "Placement", namespace, place };
  }
  if (cluster === undefined || managedClusters.some(({ name }) => name === cluster)) return undefined;
  const place = placeOfLost(lost, cluster, "ManagedCluster");
  return place && { kind: "unread", of: "ManagedCluster", name: cluster, place };
}

function isCalled(placement: PlacementName, name: string): boolean {
  return placement.name === name || placementKey(placement) === name;
}

function namedPlacements({ names, namespace }: PlacementQuery, placements: readonly PlacementName[]): PlacementChoice {
  const inScope = namespace === undefined ? placements : placements.filter((one) => one.namespace === namespace);
  if (namespace !== undefined && inScope.length === 0) {
    const known = [...new Set(placements.map((one) => one.namespace))];
    return { kind: "unknown-namespace", ...unknown(namespace, known, didYouMean(namespace, known)) };
  }
  const chosen = new Set<PlacementName>(names.length === 0 ? inScope : []);
  for (const name of names) {
    const found = inScope.filter((one) => isCalled(one, name));
    if (found.length > 1) return { kind: "ambiguous", name, keys: found.map(placementKey) };
    if (found.length === 0) {
      const missing = unknown(name, inScope.map(placementKey), nearestKey(name, inScope));
      return { kind: "unknown-placement", ...(namespace !== undefined && { namespace }), ...missing };
    }
    for (const one of found) chosen.add(one);
  }
  return { kind: "chosen", placements: inScope.filter((one) => chosen.has(one)) };
}

function unknown(name: string, known: readonly string[], meant: string | undefined): UnknownName {
  return { name, known, ...(meant !== undefined && { meant }) };
}

/** The Placement that was probably meant: the whole text may be misspelt, or only its name be right. */
function nearestKey(text: string, known: readonly PlacementName[]): string | undefined {
  const keys = known.map(placementKey);
  const name = didYouMean(
    text.slice(text.indexOf("/") + 1),
    known.map((one) => one.name),
  );
  const whole = text.includes("/") ? didYouMean(text, keys) : undefined;
  return whole ?? keys.find((key) => key.endsWith(`/${name}`));
}

function unknownCluster({ cluster }: PlacementQuery, { managedClusters }: NamedObjects): NoChoice | undefined {
  if (cluster === undefined || managedClusters.some(({ name }) => name === cluster)) return undefined;
  const known = managedClusters.map(({ name }) => name);
  return { kind: "unknown-cluster", ...unknown(cluster, known, didYouMean(cluster, known)) };
}
