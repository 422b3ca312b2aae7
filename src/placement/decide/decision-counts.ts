// Which PlacementDecisions are given, and whose are they? What Steady and Balance are made of.
import { textUnder } from "../../model/labels.ts";
import type { PlacementDecision } from "../../model/placement-decision.ts";
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
  /** Hears of each cluster that comes (1) or goes (-1). */
  readonly #give: (cluster: string, step: number) => void;

  constructor(give: (cluster: string, step: number) => void) {
    this.#give = give;
  }

  /** Whose decision it is, and whose it becomes if it changes; undefined for one that does not say. */
  ownersOf(namespace: string, name: string, decision: PlacementDecision | undefined): ReadonlySet<string | undefined> {
    const before = this.#decisions.get(`${namespace}/${name}`);
    return new Set([before, decision].flatMap((object) => (object === undefined ? [] : [ownerOf(object)])));
  }

  /** Takes a decision in, or out; tells which clusters are concerned. */
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
        this.#give(clusterName, step);
      }
      const owner = ownerOf(object);
      if (owner === undefined) continue;
      const owned = this.#byOwner.get(owner) ?? new Map<string, PlacementDecision>();
      this.#byOwner.set(owner, owned);
      if (step === 1) owned.set(id, object);
      else owned.delete(id);
    }
    if (decision === undefined) this.#decisions.delete(id);
    else this.#decisions.set(id, decision);
    return clusters;
  }

  /** Is there a PlacementDecision of that name, whosever it is? */
  has(namespace: string, name: string): boolean {
    return this.#decisions.has(`${namespace}/${name}`);
  }

  /** The decisions of a Placement, in no order. */
  of(owner: string): readonly PlacementDecision[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])];
  }

  /** How often the decisions of a Placement name each cluster. */
  chosenBy(owner: string): ReadonlyMap<string, number> {
    const chosen = new Map<string, number>();
    for (const { decisions } of this.of(owner))
      for (const { clusterName } of decisions) chosen.set(clusterName, (chosen.get(clusterName) ?? 0) + 1);
    return chosen;
  }
}
