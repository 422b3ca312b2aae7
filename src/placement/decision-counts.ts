// How often has each cluster been chosen, by whom? What Steady and Balance are made of.
import { textUnder } from "../model/labels.ts";
import type { PlacementDecision } from "../model/placement-decision.ts";
import { PLACEMENT_LABEL } from "./decided-slices.ts";

/** The Placement that a decision belongs to, as namespace/name; undefined if it does not say. */
export function ownerOf(decision: PlacementDecision): string | undefined {
  const name = textUnder(decision.labels, PLACEMENT_LABEL);
  return name === undefined ? undefined : `${decision.namespace}/${name}`;
}

/** All decisions of the hub. */
export class DecisionCounts {
  readonly #decisions = new Map<string, PlacementDecision>();
  readonly #byOwner = new Map<string, Map<string, PlacementDecision>>();
  readonly #total = new Map<string, number>();

  /** Takes a decision in, or out; tells which clusters are concerned and who owned or owns it. */
  change(
    namespace: string,
    name: string,
    decision: PlacementDecision | undefined,
  ): { readonly clusters: ReadonlySet<string>; readonly owners: ReadonlySet<string> } {
    const id = `${namespace}/${name}`;
    const before = this.#decisions.get(id);
    const clusters = new Set<string>();
    const owners = new Set<string>();
    for (const [object, step] of [
      [before, -1],
      [decision, 1],
    ] as const) {
      if (object === undefined) continue;
      for (const { clusterName } of object.decisions) {
        clusters.add(clusterName);
        const count = (this.#total.get(clusterName) ?? 0) + step;
        if (count === 0) this.#total.delete(clusterName);
        else this.#total.set(clusterName, count);
      }
      const owner = ownerOf(object);
      if (owner === undefined) continue;
      owners.add(owner);
      const owned = this.#byOwner.get(owner) ?? new Map<string, PlacementDecision>();
      this.#byOwner.set(owner, owned);
      if (step === 1) owned.set(id, object);
      else owned.delete(id);
    }
    if (decision === undefined) this.#decisions.delete(id);
    else this.#decisions.set(id, decision);
    return { clusters, owners };
  }

  /** Is there a PlacementDecision of that name, whosever it is? */
  has(namespace: string, name: string): boolean {
    return this.#decisions.has(`${namespace}/${name}`);
  }

  /** The decisions of a Placement, in no order. */
  of(owner: string): readonly PlacementDecision[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])];
  }

  /** The decisions of everybody else, for the owner's Balance. */
  others(owner: string): OtherDecisions {
    const own = new Map<string, number>();
    for (const { decisions } of this.of(owner))
      for (const { clusterName } of decisions) own.set(clusterName, (own.get(clusterName) ?? 0) + 1);
    let most = 0;
    for (const [cluster, count] of this.#total) most = Math.max(most, count - (own.get(cluster) ?? 0));
    return { most, of: (cluster) => (this.#total.get(cluster) ?? 0) - (own.get(cluster) ?? 0) };
  }
}

/** How often others have chosen clusters. */
export interface OtherDecisions {
  /** The largest number there is, whether or not that cluster can be chosen. */
  readonly most: number;
  readonly of: (cluster: string) => number;
}
