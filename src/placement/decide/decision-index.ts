// Which PlacementDecisions are on the hub, and which Placement owns each? Steady and Balance are computed from them.
import { getOrAdd } from "../../model/grouped.ts";
import { textUnder } from "../../model/labels.ts";
import type { PlacementDecision } from "../../model/placement-decision.ts";
import { PLACEMENT_LABEL } from "./decided-slices.ts";

/** The Placement that a decision belongs to, as namespace/name; undefined if its label is missing. */
export function ownerOf(decision: PlacementDecision): string | undefined {
  const name = textUnder(decision.labels, PLACEMENT_LABEL);
  return name === undefined ? undefined : `${decision.namespace}/${name}`;
}

/** All PlacementDecisions of the hub. */
export class DecisionIndex {
  readonly #decisions = new Map<string, PlacementDecision>();
  readonly #byOwner = new Map<string, Map<string, PlacementDecision>>();
  readonly #count: (cluster: string, step: number) => void;

  /** `count` is called for each cluster that a decision begins (1) or ceases (-1) to name. */
  constructor(count: (cluster: string, step: number) => void = () => {}) {
    this.#count = count;
  }

  /** The owners of a decision before and after a change; undefined for one without an owner. */
  ownersOf(namespace: string, name: string, decision: PlacementDecision | undefined): ReadonlySet<string | undefined> {
    const before = this.#decisions.get(`${namespace}/${name}`);
    return new Set([before, decision].flatMap((object) => (object === undefined ? [] : [ownerOf(object)])));
  }

  /** Adds, replaces or removes a decision; returns the clusters that it names or named. */
  change(namespace: string, name: string, decision: PlacementDecision | undefined): ReadonlySet<string> {
    const id = `${namespace}/${name}`;
    const before = this.#decisions.get(id);
    const clusters = new Set<string>();
    for (const [object, step] of [
      [before, -1],
      [decision, 1],
    ] as const) {
      if (object === undefined) continue;
      for (const { clusterName } of object.decisions) {
        clusters.add(clusterName);
        this.#count(clusterName, step);
      }
      const owner = ownerOf(object);
      if (owner === undefined) continue;
      const owned = getOrAdd(this.#byOwner, owner, () => new Map());
      if (step === 1) owned.set(id, object);
      else owned.delete(id);
    }
    if (decision === undefined) this.#decisions.delete(id);
    else this.#decisions.set(id, decision);
    return clusters;
  }

  /** Is there a PlacementDecision of that name, of any owner? */
  has(namespace: string, name: string): boolean {
    return this.#decisions.has(`${namespace}/${name}`);
  }

  /** The decisions of a Placement, in no order. */
  of(owner: string): readonly PlacementDecision[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])];
  }

  /** How often the decisions of a Placement name each cluster. */
  namedBy(owner: string): ReadonlyMap<string, number> {
    const named = new Map<string, number>();
    for (const { decisions } of this.of(owner))
      for (const { clusterName } of decisions) named.set(clusterName, (named.get(clusterName) ?? 0) + 1);
    return named;
  }
}
