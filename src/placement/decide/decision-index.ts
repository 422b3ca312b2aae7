// Which PlacementDecisions are on the hub, and which Placement owns each? Steady and Balance are computed from them.
import { getOrAdd, removeFrom } from "../../model/grouped.ts";
import { textUnder } from "../../model/labels.ts";
import type { PlacementDecision } from "../../model/placement-decision.ts";
import { PLACEMENT_LABEL } from "./decided-slices.ts";

/** What says whose a decision is. */
type OwnedDecision = Pick<PlacementDecision, "name" | "labels" | "owner">;

/**
 * The name of the Placement that a decision belongs to: by its label, or else by its owner references, since a label can be removed by
 * hand. Undefined if neither names one.
 */
export function placementOf({ labels, owner }: OwnedDecision): string | undefined {
  return textUnder(labels, PLACEMENT_LABEL) ?? owner;
}

/** The same, or else by its own name: it probably was of a Placement of that name. */
export function probablePlacementOf(decision: OwnedDecision): string | undefined {
  return placementOf(decision) ?? /^(.+)-decision-[0-9]+$/.exec(decision.name)?.[1];
}

/** The same, as namespace/name. */
export function ownerOf(decision: PlacementDecision): string | undefined {
  const name = placementOf(decision);
  return name === undefined ? undefined : `${decision.namespace}/${name}`;
}

/** All PlacementDecisions of the hub. */
export class DecisionIndex {
  readonly #decisions = new Map<string, PlacementDecision>();
  readonly #byOwner = new Map<string, Map<string, PlacementDecision>>();
  readonly #count: (cluster: string, step: number) => void;

  /** `count` is called for each cluster that a decision names more often (1, or more) or less often (-1, or less) than before. */
  constructor(count: (cluster: string, step: number) => void = () => {}) {
    this.#count = count;
  }

  /** The owners of a decision before and after a change; undefined for one without an owner. */
  ownersOf(namespace: string, name: string, decision: PlacementDecision | undefined): ReadonlySet<string | undefined> {
    const before = this.#decisions.get(`${namespace}/${name}`);
    return new Set([before, decision].flatMap((object) => (object === undefined ? [] : [ownerOf(object)])));
  }

  /**
   * Adds, replaces or removes a decision; returns the clusters that its owners have now or had before. If the owner stays the same,
   * without those that it names as often as before.
   */
  change(namespace: string, name: string, decision: PlacementDecision | undefined): ReadonlySet<string> {
    const id = `${namespace}/${name}`;
    const before = this.#decisions.get(id);
    const steps = new Map<string, number>();
    for (const { clusterName } of before?.decisions ?? []) steps.set(clusterName, (steps.get(clusterName) ?? 0) - 1);
    for (const { clusterName } of decision?.decisions ?? []) steps.set(clusterName, (steps.get(clusterName) ?? 0) + 1);
    const isMoved = before !== undefined && decision !== undefined && ownerOf(before) !== ownerOf(decision);
    const clusters = new Set<string>();
    for (const [cluster, step] of steps) {
      if (step !== 0) this.#count(cluster, step);
      if (step !== 0 || isMoved) clusters.add(cluster);
    }
    if (before !== undefined) this.#disown(ownerOf(before), id);
    if (decision === undefined) {
      this.#decisions.delete(id);
      return clusters;
    }
    this.#decisions.set(id, decision);
    const owner = ownerOf(decision);
    if (owner !== undefined) getOrAdd(this.#byOwner, owner, () => new Map()).set(id, decision);
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

  #disown(owner: string | undefined, id: string): void {
    if (owner !== undefined) removeFrom(this.#byOwner, owner, id);
  }
}
