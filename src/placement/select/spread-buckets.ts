// Which candidates have the same values for all spread constraints, and how many with these values are selected?

import type { SpreadConstraint } from "../../model/placement.ts";
import type { RankQueue } from "./rank-queue.ts";

/** The values under one tuple of values of the earlier constraints: their counts are to be even. */
export interface Siblings {
  readonly nodes: Map<string | undefined, ValueNode>;
  /** The smallest count among them. */
  least: number;
  /** How many of them have it. */
  atLeast: number;
  /** The waiting candidates, by the count of their value. */
  readonly waiting: Map<number, Waiting>;
}

/** The candidates that wait at sibling values with the same count. */
export interface Waiting {
  /** By the evenness of the constraints after this one. */
  readonly queues: Map<number, RankQueue>;
  /** The first of the queues; undefined while they are unknown. */
  heads: Heads | undefined;
}

/** The first in rank for each evenness. */
export interface Heads {
  readonly all: readonly Head[];
  /** The first in rank of all. */
  readonly first: number;
  readonly leastEven: number;
  readonly mostEven: number;
}

/** A candidate that comes first in rank among those with the same evenness. */
export interface Head {
  readonly candidate: number;
  /** A number in base 64 with a digit for each constraint, the higher the smaller the count of its value. */
  readonly evenness: number;
}

/** A value of a constraint, under the values of the earlier ones. */
export interface ValueNode {
  readonly value: string | undefined;
  readonly siblings: Siblings;
  /** How many candidates with it are selected. */
  count: number;
  /** The values of the next constraint; undefined below the last one. */
  children: Siblings | undefined;
  /** Of the last constraint: the candidates with all these values. */
  bucket: Bucket | undefined;
}

/** The candidates with the same value for every constraint. They differ in rank only, so the first one left represents all. */
export interface Bucket {
  readonly path: readonly ValueNode[];
  /** In rank order. */
  readonly members: number[];
  /** How many of them are selected. */
  taken: number;
}

/** All candidates that have the keys of all DoNotSchedule constraints. */
export interface Buckets {
  /** The values of the first constraint. */
  readonly root: Siblings;
  /** For a candidate that lacks the key of a DoNotSchedule constraint: the position of that constraint. */
  readonly ofCandidate: readonly (Bucket | number)[];
}

/** Is the constraint DoNotSchedule? */
export function isHard(constraint: SpreadConstraint): boolean {
  return constraint.whenUnsatisfiable === "DoNotSchedule";
}

function noSiblings(): Siblings {
  return { nodes: new Map(), least: 0, atLeast: 0, waiting: new Map() };
}

/** The buckets of the candidates 0 to `size` - 1. */
export function bucketsOf(
  constraints: readonly SpreadConstraint[],
  size: number,
  value: (constraint: number, candidate: number) => string | undefined,
): Buckets {
  const root = noSiblings();
  const ofCandidate: (Bucket | number)[] = [];
  for (let candidate = 0; candidate < size; candidate += 1) {
    const values = constraints.map((_, index) => value(index, candidate));
    const lacking = lackingIn(constraints, values);
    const bucket = lacking < 0 ? bucketFor(values, root) : lacking;
    if (typeof bucket !== "number") bucket.members.push(candidate);
    ofCandidate.push(bucket);
  }
  return { root, ofCandidate };
}

/** Counts a selected cluster that is not a candidate, by its values. */
export function countSelected(
  { root }: Buckets,
  constraints: readonly SpreadConstraint[],
  values: readonly (string | undefined)[],
): void {
  if (lackingIn(constraints, values) < 0) for (const node of bucketFor(values, root).path) countOne(node);
}

/** The position of the first DoNotSchedule constraint whose key is lacking; -1 if none is. */
function lackingIn(constraints: readonly SpreadConstraint[], values: readonly (string | undefined)[]): number {
  return constraints.findIndex((it, index) => isHard(it) && values[index] === undefined);
}

/** The bucket of these values, created on first use. */
function bucketFor(values: readonly (string | undefined)[], root: Siblings): Bucket {
  const path: ValueNode[] = [];
  let above: ValueNode | undefined;
  for (const value of values) {
    let siblings = root;
    if (above !== undefined) {
      above.children ??= noSiblings();
      siblings = above.children;
    }
    let node = siblings.nodes.get(value);
    if (node === undefined) {
      node = { value, siblings, count: 0, children: undefined, bucket: undefined };
      siblings.nodes.set(value, node);
      siblings.atLeast += 1;
    }
    path.push(node);
    above = node;
  }
  const last = path.at(-1) as ValueNode;
  last.bucket ??= { path, members: [], taken: 0 };
  return last.bucket;
}

/** Counts one more selected candidate with that value. */
export function countOne(node: ValueNode): void {
  const { siblings } = node;
  node.count += 1;
  if (node.count - 1 > siblings.least) return;
  siblings.atLeast -= 1;
  if (siblings.atLeast > 0) return;
  siblings.least += 1;
  for (const { count } of siblings.nodes.values()) if (count === siblings.least) siblings.atLeast += 1;
}

/** Would one more exceed maxSkew of a DoNotSchedule constraint, given the skew over the least? */
export function isTooMany(skew: number, constraint: SpreadConstraint): boolean {
  return isHard(constraint) && skew + 1 > constraint.maxSkew;
}

/** How many more with that value are selected than with its least sibling. */
export function skewOf({ count, siblings }: ValueNode): number {
  return count - siblings.least;
}

/** Of the values with the smallest count, the first by name. */
export function leastValueOf({ nodes, least }: Siblings): string | undefined {
  let first: string | undefined;
  for (const { value, count } of nodes.values()) {
    if (count === least && value !== undefined && (first === undefined || value < first)) first = value;
  }
  return first;
}
