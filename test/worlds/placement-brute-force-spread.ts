// Which clusters are chosen, one after the other, with spread constraints? The greedy way of ocm.md §3.8 in its plainest form.

import type { ManagedCluster } from "../../src/model/managed-cluster.ts";
import type { Placement, SpreadConstraint } from "../../src/model/placement.ts";
import { entries } from "./placement-brute-force-filters.ts";
import { scaled } from "./placement-brute-force-scores.ts";

/** A cluster that could be chosen. */
export interface Ranked {
  readonly cluster: ManagedCluster;
  /** Without the part of Spread. */
  readonly score: number;
  readonly isSoftTainted: boolean;
}

/** A cluster that was chosen, and how evenly it lay when it was: from -100 to 100, and nothing where that does not count. */
export interface Picked {
  readonly name: string;
  readonly spread: number | undefined;
}

/** Picks up to `number` clusters, given in the order of ranks; fewer if no more are allowed. */
export function spreadOut(
  ranked: readonly Ranked[],
  { spreadConstraints }: Placement,
  weight: number,
  number: number,
): readonly Picked[] {
  const able = ranked.filter(({ cluster }) =>
    spreadConstraints.every((term) => !isHard(term) || topologyValue(term, cluster) !== undefined),
  );
  const picked: Ranked[] = [];
  const result: Picked[] = [];
  while (result.length < number) {
    const counts = (one: Ranked, depth: number) => countsAt(able, picked, spreadConstraints.slice(0, depth + 1), one);
    const allowed = able
      .filter((one) => !picked.includes(one))
      .filter((one) =>
        spreadConstraints.every((term, depth) => {
          const { own, least } = counts(one, depth);
          return !isHard(term) || own + 1 - least <= term.maxSkew;
        }),
      )
      .map((one) => ({
        one,
        evenness: spreadConstraints.reduce((sum, _, depth) => {
          const { own, least } = counts(one, depth);
          return sum * 64n + BigInt(63 - Math.min(63, own - least));
        }, 0n),
      }));
    if (allowed.length === 0) break;
    const values = allowed.map(({ evenness }) => evenness);
    const judged = allowed.map((given) => {
      const spread = scaled(given.evenness, values);
      return { ...given, spread, total: given.one.score + weight * spread };
    });
    judged.sort(
      (a, b) =>
        Number(a.one.isSoftTainted) - Number(b.one.isSoftTainted) ||
        b.total - a.total ||
        (weight > 0 ? Number(b.evenness - a.evenness) : 0) ||
        ranked.indexOf(a.one) - ranked.indexOf(b.one),
    );
    const [best] = judged as [(typeof judged)[number]];
    picked.push(best.one);
    result.push({ name: best.one.cluster.name, spread: weight === 0 ? undefined : best.spread });
  }
  return result;
}

/** How many are picked with the cluster's values of the terms, and how many with the rarest sibling of the last of them. */
function countsAt(
  able: readonly Ranked[],
  picked: readonly Ranked[],
  terms: readonly SpreadConstraint[],
  { cluster }: Ranked,
): { readonly own: number; readonly least: number } {
  const parent = tupleOf(terms.slice(0, -1), cluster);
  const siblings = able.filter((one) => tupleOf(terms.slice(0, -1), one.cluster) === parent);
  const countOf = (tuple: string): number => picked.filter((one) => tupleOf(terms, one.cluster) === tuple).length;
  return {
    own: countOf(tupleOf(terms, cluster)),
    least: Math.min(...siblings.map((one) => countOf(tupleOf(terms, one.cluster)))),
  };
}

function tupleOf(terms: readonly SpreadConstraint[], cluster: ManagedCluster): string {
  return JSON.stringify(terms.map((term) => topologyValue(term, cluster) ?? null));
}

function topologyValue(
  { topologyKey, topologyKeyType }: SpreadConstraint,
  cluster: ManagedCluster,
): string | undefined {
  if (topologyKeyType === "Label") return entries(cluster.labels).get(topologyKey);
  return new Map(cluster.claims.map(({ name, value }) => [name, value])).get(topologyKey);
}

/** Must the term be kept to, come what may? */
export function isHard({ whenUnsatisfiable }: SpreadConstraint): boolean {
  return whenUnsatisfiable === "DoNotSchedule";
}
