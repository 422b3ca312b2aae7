// How is a Placement referred to? By namespace and name, or by both in one text.

import type { Placement } from "../model/placement.ts";

/** Identifies a Placement. */
export type PlacementName = Pick<Placement, "namespace" | "name">;

/** `namespace/name`. */
export function placementKey({ namespace, name }: PlacementName): string {
  return `${namespace}/${name}`;
}

/** The namespace and name of a key. A namespace contains no slash. */
export function placementNameOf(key: string): PlacementName {
  const slash = key.indexOf("/");
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
