// Which score does each feasible cluster get? Those of the prioritizers, multiplied by their weights and added (ocm.md §3.4).

import { type EvaluationInput, scoresFor } from "../evaluation.ts";
import type { MatchState } from "../filter/match-state.ts";
import type { FleetCluster } from "../fleet.ts";
import type { ScoreDetail, ScorePart } from "../placement-result.ts";
import type { Prioritizer } from "../prepare/prioritizer.ts";
import type { ScoreLookup } from "./add-on-scores.ts";
import { type Amount, allocatableScore, compareAmounts } from "./allocatable-score.ts";
import { balanceScore } from "./ratio-score.ts";

/** How often the decisions of other Placements name clusters: what Balance is computed from. */
export interface OtherDecisions {
  /** The largest number, whether or not that cluster is feasible. */
  readonly most: number;
  readonly of: (cluster: string) => number;
}

/** The smallest and the largest amount among the feasible clusters. */
interface Extremes {
  readonly least: Amount;
  readonly most: Amount;
}

type Resource = "cpu" | "memory";

/** Step 4: scores all feasible clusters. */
export function scoreClusters(input: EvaluationInput, prioritizers: readonly Prioritizer[], match: MatchState): Scores {
  const scores = new Scores(input, prioritizers, match);
  scores.updateExtremes();
  scores.updateAll();
  return scores;
}

const DECIDED = { kind: "steady", isDecided: true } as const;
const NOT_DECIDED = { kind: "steady", isDecided: false } as const;
const MISSING = { kind: "missing" } as const;
const ADD_ON = { kind: "add-on" } as const;

/** Are these the same parts, with the same objects as details? */
function isSame(parts: readonly ScorePart[], others: readonly ScorePart[]): boolean {
  const isLike = (part: ScorePart, other: ScorePart | undefined): boolean =>
    part.name === other?.name &&
    part.weight === other.weight &&
    part.score === other.score &&
    part.detail === other.detail;
  return parts.length === others.length && parts.every((part, index) => isLike(part, others[index]));
}

/** The scores of feasible clusters. Invariant: after `update`, `#extremes` and `#totals` are those of the feasible clusters of `#match`. */
export class Scores {
  readonly #input: EvaluationInput;
  readonly #prioritizers: readonly Prioritizer[];
  readonly #resources: readonly Resource[];
  readonly #match: MatchState;
  readonly #extremes = new Map<Resource, Extremes>();
  #lastParts: readonly ScorePart[] = [];
  #lastBalance: Extract<ScoreDetail, { readonly kind: "balance" }> | undefined;
  /** By slot; NaN for a cluster that is not feasible. */
  #totals: Float64Array = new Float64Array(0);

  constructor(input: EvaluationInput, prioritizers: readonly Prioritizer[], match: MatchState) {
    this.#input = input;
    this.#prioritizers = prioritizers;
    this.#resources = prioritizers.flatMap((one) => (one.kind === "Allocatable" ? [one.resource] : []));
    this.#match = match;
  }

  /** Was the cluster feasible when it was last scored? */
  has(slot: number): boolean {
    return slot < this.#totals.length && !Number.isNaN(this.#totals[slot]);
  }

  /** The weighted sum of a feasible cluster. */
  total(slot: number): number {
    return this.#totals[slot] as number;
  }

  /** Scores every feasible cluster. */
  updateAll(): void {
    this.#totals = new Float64Array(this.#match.stage.length).fill(Number.NaN);
    for (const entry of this.#match.feasible()) this.#totals[entry.slot] = this.#sum(entry);
  }

  /**
   * Scores clusters that changed; `before` has them as they were. If that moves an extreme, or if `isRescored`, all clusters are
   * scored again; returns whether they were.
   */
  update(before: ReadonlyMap<number, FleetCluster | undefined>, isRescored: boolean): boolean {
    const match = this.#match;
    const { fleet } = this.#input.hub;
    let mayMove = false;
    for (const [slot, old] of before) {
      if (old !== undefined && this.has(slot)) mayMove ||= this.#isExtreme(old);
      if (match.isFeasible(slot)) mayMove ||= this.#isExtreme(fleet.at(slot) as FleetCluster);
    }
    const isMoved = mayMove && this.updateExtremes();
    if (isMoved || isRescored) {
      this.updateAll();
      return true;
    }
    this.#totals = grown(this.#totals, match.stage.length);
    for (const slot of before.keys())
      this.#totals[slot] = match.isFeasible(slot) ? this.#sum(fleet.at(slot) as FleetCluster) : Number.NaN;
    return false;
  }

  /** Finds the extremes of all feasible clusters; returns whether one has moved. */
  updateExtremes(): boolean {
    let isMoved = false;
    for (const resource of this.#resources) {
      const before = this.#extremes.get(resource);
      const after = this.#extremesOf(resource);
      if (after === undefined) this.#extremes.delete(resource);
      else this.#extremes.set(resource, after);
      isMoved ||= !this.#areSame(before, after);
    }
    return isMoved;
  }

  /** The score of each prioritizer; without those that do not apply to the cluster. */
  parts(entry: FleetCluster): readonly ScorePart[] {
    const own = this.#prioritizers.filter(
      (one) => one.kind !== "Allocatable" || entry.allocatable(one.resource) !== undefined,
    );
    const parts = own.map((prioritizer) => {
      const { name, weight } = prioritizer;
      return { name, weight, score: this.#score(prioritizer, entry), detail: this.#detail(prioritizer, entry) };
    });
    // Most clusters of a large fleet have the parts of the one before them: one list serves all of them.
    if (!isSame(parts, this.#lastParts)) this.#lastParts = parts;
    return this.#lastParts;
  }

  #sum(entry: FleetCluster): number {
    let total = 0;
    for (const prioritizer of this.#prioritizers) total += prioritizer.weight * this.#score(prioritizer, entry);
    return total;
  }

  #score(prioritizer: Prioritizer, entry: FleetCluster): number {
    const { hub, decided, others } = this.#input;
    const { mode } = hub;
    const { name } = entry.cluster;
    switch (prioritizer.kind) {
      case "Steady":
        return decided.has(name) ? 100 : 0;
      case "Balance":
        return balanceScore(others.of(name), others.most, mode);
      case "AddOn": {
        const { value, expired } = this.#lookup(prioritizer, name);
        return expired ? 0 : (value ?? 0);
      }
      case "Allocatable": {
        const amount = entry.allocatable(prioritizer.resource);
        const extremes = this.#extremes.get(prioritizer.resource);
        if (amount === undefined || extremes === undefined) return 0;
        return allocatableScore(amount, extremes.least, extremes.most, mode);
      }
    }
  }

  #lookup({ resourceName, scoreName }: Extract<Prioritizer, { kind: "AddOn" }>, cluster: string): ScoreLookup {
    return scoresFor(this.#input, cluster).value(cluster, resourceName, scoreName);
  }

  #detail(prioritizer: Prioritizer, { cluster }: FleetCluster): ScoreDetail {
    const { decided, others } = this.#input;
    switch (prioritizer.kind) {
      case "Steady":
        return decided.has(cluster.name) ? DECIDED : NOT_DECIDED;
      case "Balance":
        return this.#balance(others.of(cluster.name), others.most);
      case "AddOn": {
        const { value, expired, validUntil } = this.#lookup(prioritizer, cluster.name);
        if (expired) return { kind: "expired", ...(validUntil !== undefined && { validUntil: validUntil.toString() }) };
        return value === undefined ? MISSING : ADD_ON;
      }
      case "Allocatable":
        return { kind: "allocatable", amount: String(cluster.allocatable[prioritizer.resource]) };
    }
  }

  #balance(count: number, most: number): ScoreDetail {
    if (this.#lastBalance?.count !== count || this.#lastBalance.most !== most)
      this.#lastBalance = { kind: "balance", count, most };
    return this.#lastBalance;
  }

  /** May an extreme move because this cluster becomes feasible, or no longer is? */
  #isExtreme(entry: FleetCluster): boolean {
    const { mode } = this.#input.hub;
    return this.#resources.some((resource) => {
      const amount = entry.allocatable(resource);
      if (amount === undefined) return false;
      const extremes = this.#extremes.get(resource);
      if (extremes === undefined) return true;
      return compareAmounts(amount, extremes.least, mode) <= 0 || compareAmounts(amount, extremes.most, mode) >= 0;
    });
  }

  #extremesOf(resource: Resource): Extremes | undefined {
    const { mode } = this.#input.hub;
    let extremes: Extremes | undefined;
    for (const entry of this.#match.feasible()) {
      const amount = entry.allocatable(resource);
      if (amount === undefined) continue;
      if (extremes === undefined) extremes = { least: amount, most: amount };
      else if (compareAmounts(amount, extremes.least, mode) < 0) extremes = { least: amount, most: extremes.most };
      else if (compareAmounts(amount, extremes.most, mode) > 0) extremes = { least: extremes.least, most: amount };
    }
    return extremes;
  }

  #areSame(a: Extremes | undefined, b: Extremes | undefined): boolean {
    if (a === undefined || b === undefined) return a === b;
    const { mode } = this.#input.hub;
    return compareAmounts(a.least, b.least, mode) === 0 && compareAmounts(a.most, b.most, mode) === 0;
  }
}

/** The same numbers with room for `size`; what is new is NaN. */
function grown(totals: Float64Array, size: number): Float64Array {
  if (totals.length >= size) return totals;
  const larger = new Float64Array(size).fill(Number.NaN);
  larger.set(totals);
  return larger;
}
