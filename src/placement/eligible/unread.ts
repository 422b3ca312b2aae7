// Which objects could not be read, so that they must not count as removed? A cluster that a Placement has keeps its place while
// its ManagedCluster may be in what could not be read; and a Placement that may be there has no answer.

import type { ClusterObjects, RejectedObject } from "../../model/cluster-objects.ts";
import { isNothingLost, placeOfLost, placeOfLostKind } from "../../model/lost-text.ts";
import type { Place } from "../../model/place.ts";
import type { FleetObjects } from "../engine.ts";

/** A cluster of which only the name is known. */
export interface UnreadCluster {
  readonly name: string;
  /** Where it is, or may be. */
  readonly place: Place;
  /** No ManagedCluster of this name was seen; it may be in what could not be read. */
  readonly isSupposed: boolean;
}

/** The clusters that could not be read, and those of PlacementDecisions that may be in what could not be read. */
export function unreadClusters(objects: FleetObjects): readonly UnreadCluster[] {
  const { rejected = [], lost } = objects;
  const read = new Set(objects.managedClusters.map(({ name }) => name));
  const seen = rejected.flatMap(({ kind, name, place }) =>
    kind === "ManagedCluster" && name !== undefined && !read.has(name) ? [{ name, place, isSupposed: false }] : [],
  );
  const doubtful = new Map(rejected.filter(isDoubtful).map(({ name, place }) => [name as string, place]));
  if (doubtful.size === 0 && (lost === undefined || isNothingLost(lost))) return seen;
  const known = new Set([...objects.managedClusters, ...seen].map(({ name }) => name));
  const supposed = new Map<string, UnreadCluster>();
  for (const { decisions } of objects.placementDecisions)
    for (const { clusterName: name } of decisions) {
      if (known.has(name) || supposed.has(name)) continue;
      const place = doubtful.get(name) ?? (lost && placeOfLost(lost, name, "ManagedCluster"));
      if (place !== undefined) supposed.set(name, { name, place, isSupposed: true });
    }
  return [...seen, ...supposed.values()];
}

/** Is it an object with a name that does not say rightly what it is, and may be a ManagedCluster? */
function isDoubtful({ kind, meant, name }: RejectedObject): boolean {
  return name !== undefined && (kind === "" || meant === "ManagedCluster");
}

/** A set or a binding that could not be read; or an object without a name: none of its kind could be read. */
export interface UnreadSet extends RejectedObject {
  /** It is missing, or may be, and may be in what could not be read. */
  readonly isSupposed?: true;
}

/**
 * The sets and bindings that could not be read; the sets that are bound, were not given, and may be in what could not be read;
 * and a nameless binding for each namespace of a Placement that the text mentions, if it mentions bindings; for every one if a cluster
 * did not return its bindings. The members of all sets are unknown if it did not return its ManagedClusters.
 */
export function unreadSets(objects: FleetObjects): readonly UnreadSet[] {
  const { rejected = [], lost } = objects;
  const seen = rejected.flatMap((object) => {
    const kind = object.meant ?? object.kind;
    return kind === "ManagedClusterSet" || kind === "ManagedClusterSetBinding" ? [{ ...object, kind }] : [];
  });
  if (lost === undefined || isNothingLost(lost)) return seen;
  const seenSets = seen.filter(({ kind }) => kind === "ManagedClusterSet");
  const given = new Set([...objects.managedClusterSets, ...seenSets].map(({ name }) => name));
  const bound = new Set(objects.managedClusterSetBindings.map(({ name }) => name));
  const sets = [...bound].flatMap((name): readonly UnreadSet[] => {
    const place = given.has(name) ? undefined : placeOfLostKind(lost, "ManagedClusterSet", name);
    return place === undefined ? [] : [{ kind: "ManagedClusterSet", name, place, isSupposed: true }];
  });
  // A binding is not referred to by name, so text that was not seen at all is no sign of one.
  const text = { ...lost, unseen: undefined };
  const namespaces = new Set(objects.placements.map(({ namespace }) => namespace));
  const bindings = [...namespaces].flatMap((namespace): readonly UnreadSet[] => {
    const place = placeOfLostKind(text, "ManagedClusterSetBinding", namespace);
    return place === undefined ? [] : [{ kind: "ManagedClusterSetBinding", namespace, place, isSupposed: true }];
  });
  const place = lost.wholeKinds?.has("ManagedCluster") ? placeOfLostKind(lost, "ManagedCluster") : undefined;
  const clusters: readonly UnreadSet[] =
    place === undefined ? [] : [{ kind: "ManagedCluster", place, isSupposed: true }];
  return [...seen, ...sets, ...bindings, ...clusters];
}

/** Where Placements are, or may be, that could not be read: of a namespace, or any. Those that could be read elsewhere do not count. */
export function unreadPlacements(
  { rejected, placements, lost }: Pick<ClusterObjects, "rejected" | "placements" | "lost">,
  namespace?: string,
): readonly Place[] {
  const keyOf = (one: { readonly namespace?: string | undefined; readonly name?: string | undefined }): string =>
    JSON.stringify([one.namespace, one.name]);
  const given = new Set(placements.map(keyOf));
  const lostAt = placeOfLostKind(lost, "Placement");
  return [
    ...rejected
      .filter(
        (object) =>
          (object.kind === "Placement" || object.meant === "Placement") &&
          (namespace === undefined || object.namespace === undefined || object.namespace === namespace) &&
          !given.has(keyOf(object)),
      )
      .map(({ place }) => place),
    ...(lostAt === undefined ? [] : [lostAt]),
  ];
}
