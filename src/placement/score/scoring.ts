// How good is each cluster that could be chosen? The scores of the prioritizers, weighted and added (ocm.md §3.4).

import type { DecidedSlices } from "../decide/decided-slices.ts";
import type { FleetCluster } from "../fleet.ts";
import type { PlacementMode } from "../placement-mode.ts";
import type { ScorePart } from "../placement-result.ts";
import type { Prioritizer } from "../prepare/prioritizer.ts";
import type { OtherDecisions } from "../turns.ts";
import type { AddOnScores } from "./add-on-scores.ts";
import { type Amount, allocatableScore, compareAmounts } from "./allocatable-score.ts";
import { balanceScore } from "./balance-score.ts";

/** What scores are made of. */
export interface ScoringSources {
  readonly mode: PlacementMode;
  readonly decided: DecidedSlices;
  readonly others: OtherDecisions;
  /** The scores that count for a cluster. */
  readonly scoresFor: (cluster: string) => AddOnScores;
}

/** The smallest and the largest amount among the clusters that could be chosen. */
interface Extremes {
  readonly least: Amount;
  readonly most: Amount;
}

type Resource = "cpu" | "memory";

/** Scores clusters. Invariant: the extremes are those of the clusters that it was last told of. */
export class Scoring {
  readonly #prioritizers: readonly Prioritizer[];
  readonly #resources: readonly Resource[];
  readonly #sources: ScoringSources;
  readonly #extremes = new Map<Resource, Extremes>();

  constructor(prioritizers: readonly Prioritizer[], sources: ScoringSources) {
    this.#prioritizers = prioritizers;
    this.#sources = sources;
    this.#resources = prioritizers.flatMap((one) => (one.kind === "Allocatable" ? [one.resource] : []));
  }

  /** Looks at all clusters that could be chosen; true if that changes the scores of those that stayed as they were. */
  compare(clusters: () => Iterable<FleetCluster>): boolean {
    let changed = false;
    for (const resource of this.#resources) {
      const before = this.#extremes.get(resource);
      const after = this.#extremesOf(resource, clusters());
      if (after === undefined) this.#extremes.delete(resource);
      else this.#extremes.set(resource, after);
      changed ||= !this.#areSame(before, after);
    }
    return changed;
  }

  /** Must all be compared again, because this one comes, or goes? */
  isDecisive(entry: FleetCluster): boolean {
    return this.#resources.some((resource) => {
      const amount = entry.allocatable(resource);
      if (amount === undefined) return false;
      const extremes = this.#extremes.get(resource);
      if (extremes === undefined) return true;
      const { mode } = this.#sources;
      return compareAmounts(amount, extremes.least, mode) <= 0 || compareAmounts(amount, extremes.most, mode) >= 0;
    });
  }

  /** The weighted sum. */
  total(entry: FleetCluster): number {
    let total = 0;
    for (const prioritizer of this.#prioritizers) total += prioritizer.weight * this.#score(prioritizer, entry);
    return total;
  }

  /** The part of each prioritizer; without those that have nothing to say about the cluster. */
  parts(entry: FleetCluster): readonly ScorePart[] {
    return this.#prioritizers.flatMap((prioritizer) => {
      const { name, weight } = prioritizer;
      if (prioritizer.kind === "Allocatable" && entry.allocatable(prioritizer.resource) === undefined) return [];
      return [{ name, weight, score: this.#score(prioritizer, entry), detail: this.#detail(prioritizer, entry) }];
    });
  }

  /** The AddOnPlacementScores of a cluster that count for nothing because they have expired. */
  expired({ cluster }: FleetCluster): readonly string[] {
    return this.#prioritizers.flatMap((one) =>
      one.kind === "AddOn" && this.#sources.scoresFor(cluster.name).isOver(cluster.name, one.resourceName)
        ? [one.resourceName]
        : [],
    );
  }

  #score(prioritizer: Prioritizer, entry: FleetCluster): number {
    const { mode, decided, others, scoresFor } = this.#sources;
    const { name } = entry.cluster;
    switch (prioritizer.kind) {
      case "Steady":
        return decided.has(name) ? 100 : 0;
      case "Balance":
        return balanceScore(others.of(name), others.most, mode);
      case "AddOn": {
        const { value, expired } = scoresFor(name).value(name, prioritizer.resourceName, prioritizer.scoreName);
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

  #detail(prioritizer: Prioritizer, { cluster }: FleetCluster): string {
    const { decided, others, scoresFor } = this.#sources;
    switch (prioritizer.kind) {
      case "Steady":
        return decided.has(cluster.name) ? "selected before" : "not selected before";
      case "Balance":
        return `${others.of(cluster.name)} decisions of other placements, where ${others.most} is the most`;
      case "AddOn": {
        const { value, expired, validUntil } = scoresFor(cluster.name).value(
          cluster.name,
          prioritizer.resourceName,
          prioritizer.scoreName,
        );
        if (expired) return `expired${validUntil === undefined ? "" : ` at ${validUntil}`}: counts as 0`;
        return value === undefined ? "no such score: counts as 0" : "";
      }
      case "Allocatable":
        return `${cluster.allocatable[prioritizer.resource]} can be allocated`;
    }
  }

  #extremesOf(resource: Resource, clusters: Iterable<FleetCluster>): Extremes | undefined {
    const { mode } = this.#sources;
    let extremes: Extremes | undefined;
    for (const entry of clusters) {
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
    const { mode } = this.#sources;
    return compareAmounts(a.least, b.least, mode) === 0 && compareAmounts(a.most, b.most, mode) === 0;
  }
}
