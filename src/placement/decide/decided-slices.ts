// Which clusters does a Placement have, and in which PlacementDecision is each?

import { countsOf } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import { type TextMap, textUnder } from "../../model/labels.ts";
import type { ClusterDecision, PlacementDecision } from "../../model/placement-decision.ts";

/** How many clusters a PlacementDecision holds at most. */
export const SLICE_SIZE = 100;

/** The label of a PlacementDecision that names its Placement. */
export const PLACEMENT_LABEL = "cluster.open-cluster-management.io/placement";
/** The label of a PlacementDecision that names its decision group. */
export const GROUP_NAME_LABEL = "cluster.open-cluster-management.io/decision-group-name";
/** The label of a PlacementDecision that says which of the decision groups is meant, from 0. */
export const GROUP_INDEX_LABEL = "cluster.open-cluster-management.io/decision-group-index";

/** A PlacementDecision on the hub. */
export interface DecidedSlice {
  readonly name: string;
  /** The number that its name ends with; undefined if it is not the name of a slice of the Placement. */
  readonly number: number | undefined;
  readonly labels: TextMap;
  /** The decision group of its labels; undefined if the label is not an index. */
  readonly groupIndex: number | undefined;
  /** The name of the decision group, empty for the one without a name; undefined if the label is missing. */
  readonly groupName: string | undefined;
  readonly decisions: readonly ClusterDecision[];
  /** It is being deleted: its name is taken, and, unless all slices are cut from scratch, no cluster stays in it. */
  readonly terminating: boolean;
  /** As written: in any order, possibly with duplicates. */
  readonly clusters: readonly string[];
}

/** The name of a slice of a Placement. */
export function sliceName(placement: string, number: number): string {
  return `${placement}-decision-${number}`;
}

/** The labels of a slice of a Placement. */
export function sliceLabels(placement: string, groupName: string, groupIndex: number): TextMap {
  return {
    [PLACEMENT_LABEL]: placement,
    [GROUP_NAME_LABEL]: groupName,
    [GROUP_INDEX_LABEL]: String(groupIndex),
  };
}

/** Which of two slices comes first: by number, names without one last, then by name. */
export function compareSlices(
  a: Pick<DecidedSlice, "name" | "number">,
  b: Pick<DecidedSlice, "name" | "number">,
): number {
  if (a.number !== b.number) return (a.number ?? Number.MAX_VALUE) - (b.number ?? Number.MAX_VALUE);
  return compareText(a.name, b.name);
}

/** An index over the PlacementDecisions of one Placement, in any state: their last update may have been interrupted. */
export class DecidedSlices {
  /** By number, then by name. */
  readonly slices: readonly DecidedSlice[];
  /** Is each cluster named once, in the order of names, with no slice too long, and none being deleted? */
  readonly isTidy: boolean;
  /** Duplicates: a cluster once for each time that it is named again. */
  readonly surplus: readonly string[];
  readonly #positions = new Map<string, number>();
  readonly #numbers = new Set<number>();
  readonly #isTaken: (number: number) => boolean;
  #clusters: readonly string[] | undefined;
  /** How often each cluster is in `surplus`. */
  #again: ReadonlyMap<string, number> | undefined;
  #decisions: Map<string, ClusterDecision> | undefined;

  constructor(
    placement: string,
    decisions: readonly PlacementDecision[],
    isTaken: (slice: string) => boolean = () => false,
  ) {
    this.#isTaken = (number) => isTaken(sliceName(placement, number));
    const prefix = sliceName(placement, 0).slice(0, -1);
    this.slices = decisions.map((decision) => readSlice(prefix, decision)).sort(compareSlices);
    let isTidy = true;
    const surplus: string[] = [];
    // Of the slices that have a cluster, those that stay count first.
    const positions = [...this.slices.keys()].sort((a, b) => this.#isLast(a) - this.#isLast(b) || a - b);
    for (const position of positions) {
      const { number, clusters, terminating } = this.slices[position] as DecidedSlice;
      if (number !== undefined) this.#numbers.add(number);
      if (clusters.length > SLICE_SIZE || terminating) isTidy = false;
      let previous: string | undefined;
      for (const cluster of clusters) {
        if (this.#positions.has(cluster)) surplus.push(cluster);
        else this.#positions.set(cluster, position);
        if (previous !== undefined && cluster < previous) isTidy = false;
        previous = cluster;
      }
    }
    this.isTidy = isTidy && surplus.length === 0;
    this.surplus = surplus;
  }

  /** 1 for a slice that is being deleted, 0 for others. */
  #isLast(position: number): number {
    return this.slices[position]?.terminating === true ? 1 : 0;
  }

  /** Is the cluster in one of them? */
  has(cluster: string): boolean {
    return this.#positions.has(cluster);
  }

  /** Each cluster once, in no order. */
  names(): Iterable<string> {
    return this.#positions.keys();
  }

  /** All clusters, as often as they are named. */
  *named(): Generator<string> {
    yield* this.#positions.keys();
    yield* this.surplus;
  }

  /** How often a cluster is named. */
  timesNamed(cluster: string): number {
    if (!this.#positions.has(cluster)) return 0;
    if (this.surplus.length === 0) return 1;
    this.#again ??= countsOf(this.surplus);
    return 1 + (this.#again.get(cluster) ?? 0);
  }

  /** The position of the first slice that has a cluster. */
  positionOf(cluster: string): number | undefined {
    return this.#positions.get(cluster);
  }

  /** The first slice that has a cluster. */
  sliceOf(cluster: string): DecidedSlice | undefined {
    const position = this.#positions.get(cluster);
    return position === undefined ? undefined : this.slices[position];
  }

  /** What the first slice that has a cluster says of it. */
  decisionOf(cluster: string): ClusterDecision | undefined {
    if (this.#decisions === undefined) {
      this.#decisions = new Map();
      for (const { decisions } of this.slices)
        for (const decision of decisions)
          if (!this.#decisions.has(decision.clusterName)) this.#decisions.set(decision.clusterName, decision);
    }
    return this.#decisions.get(cluster);
  }

  /** Does a PlacementDecision have that number, of any owner? */
  hasNumber(number: number): boolean {
    return this.#numbers.has(number) || this.#isTaken(number);
  }

  /** Each cluster once, by name. */
  get clusters(): readonly string[] {
    this.#clusters ??= [...this.#positions.keys()].sort();
    return this.#clusters;
  }
}

/** Names for new slices, with the smallest numbers that no PlacementDecision has; `planned` names are not free either. */
export function* freeNames(
  placement: string,
  decided: DecidedSlices,
  planned: ReadonlySet<string> = new Set(),
): Generator<{ readonly name: string; readonly number: number }, never> {
  for (let number = 1; ; number++) {
    const name = sliceName(placement, number);
    if (!decided.hasNumber(number) && !planned.has(name)) yield { name, number };
  }
}

function readSlice(prefix: string, decision: PlacementDecision): DecidedSlice {
  const { name, labels, decisions, terminating = false } = decision;
  const number = name.startsWith(prefix) ? wholeNumber(name.slice(prefix.length)) : undefined;
  return {
    name,
    number: number === 0 ? undefined : number,
    labels,
    groupIndex: wholeNumber(textUnder(labels, GROUP_INDEX_LABEL) ?? ""),
    groupName: textUnder(labels, GROUP_NAME_LABEL),
    decisions,
    terminating,
    clusters: decisions.map(({ clusterName }) => clusterName),
  };
}

function wholeNumber(text: string): number | undefined {
  return /^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : undefined;
}
