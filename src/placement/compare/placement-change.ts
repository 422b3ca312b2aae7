// What does an edit change? The clusters that a Placement gains and loses between two states of the world, and whether it
// loses more than allowed.

import { compareText } from "../../model/json.ts";
import type { PlacementName } from "../placement-name.ts";
import type { ClusterReport } from "../placement-result.ts";

/** How many clusters a Placement may lose: a number, or a share of those that it had. */
export interface RemovalLimit {
  /** As it was written: `5` or `10%`. */
  readonly text: string;
  readonly amount: number;
  readonly isShare: boolean;
}

/**
 * How it is known what a Placement had. `given`: from the state before; `assumed`: that state says nothing about the
 * Placement, which is taken as unchanged; `unknown`: nothing could be decided then, and no decisions are given.
 */
export type Basis = "given" | "assumed" | "unknown";

/** What all Placements have in one state of the world: an engine, or what is known of an earlier state. */
export interface PlacementAnswers {
  keys(): readonly string[];
  /** A Placement; without a basis it is given. */
  result(key: string): { readonly placement: PlacementName; readonly basis?: Basis } | undefined;
  decisions(key: string): { readonly selected: readonly string[] } | undefined;
  report(key: string, cluster: string): ClusterReport | undefined;
}

/**
 * A cluster that is gained or lost, and why it is not selected in the other state: of a lost one the report of now, of a gained
 * one that of before. Absent if the Placement or the cluster does not exist.
 */
export interface MovedCluster {
  readonly name: string;
  readonly report?: ClusterReport;
}

/** What becomes of the clusters of one Placement. */
export interface PlacementChange extends PlacementName {
  /** `namespace/name`. */
  readonly key: string;
  /** By name. */
  readonly gained: readonly MovedCluster[];
  /** By name. */
  readonly lost: readonly MovedCluster[];
  /** How many are selected before and after. */
  readonly kept: number;
  /** How many were selected before. */
  readonly before: number;
  /** How many are selected after. */
  readonly after: number;
  /** How it is known what was selected before. */
  readonly basis: Basis;
  /** It was not there before. */
  readonly isNew: boolean;
  /** The Placement no longer exists. */
  readonly isGone: boolean;
  /** The limit, if more clusters are lost than it allows. */
  readonly exceeded?: RemovalLimit;
}

/** The largest number that `--max-removed` accepts. */
export const MAX_REMOVED = 999_999_999;

/** The limit that a text denotes, `5` or `10%`; undefined if it is invalid. */
export function readRemovalLimit(text: string): RemovalLimit | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const amount = Number(digits);
  const isShare = percent === "%";
  return isShare && amount > 100 ? undefined : { text, amount, isShare };
}

/**
 * What changes for each Placement of either side, in the order of keys. Those for which nothing changes are among them.
 * Without a limit any number of clusters may be lost.
 */
export function placementChanges(
  before: PlacementAnswers,
  after: PlacementAnswers,
  limit?: RemovalLimit,
): readonly PlacementChange[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].sort(compareText).flatMap((key) => changeOf(key, before, after, limit) ?? []);
}

function changeOf(
  key: string,
  before: PlacementAnswers,
  after: PlacementAnswers,
  limit: RemovalLimit | undefined,
): PlacementChange | undefined {
  const old = before.result(key);
  const now = after.result(key);
  const placement = (now ?? old)?.placement;
  if (placement === undefined) return undefined;
  const had = new Set(before.decisions(key)?.selected);
  const has = new Set(after.decisions(key)?.selected);
  const movedIn = (other: PlacementAnswers): ((name: string) => MovedCluster) => {
    return (name) => {
      const report = other.report(key, name);
      return { name, ...(report !== undefined && { report }) };
    };
  };
  const lost = [...had].filter((name) => !has.has(name)).sort(compareText);
  const gained = [...has].filter((name) => !had.has(name)).sort(compareText);
  const isExceeded = limit !== undefined && exceeds(lost.length, had.size, limit);
  return {
    key,
    namespace: placement.namespace,
    name: placement.name,
    gained: gained.map(movedIn(before)),
    lost: lost.map(movedIn(after)),
    kept: had.size - lost.length,
    before: had.size,
    after: has.size,
    basis: old?.basis ?? "given",
    isNew: old === undefined,
    isGone: now === undefined,
    ...(isExceeded && { exceeded: limit }),
  };
}

function exceeds(lost: number, before: number, { amount, isShare }: RemovalLimit): boolean {
  return isShare ? lost * 100 > amount * before : lost > amount;
}
