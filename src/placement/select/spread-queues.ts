// Which candidate is next in rank among those with the same Spread score? Three terms: a *contender* is the best candidate
// below a value, the *heads* are the contenders of sibling values, and a *lot* is a set of heads with the same evenness.
// Sibling values with the same count share queues of heads, one for each evenness of the later constraints. A selection
// changes the counts of its own values only, so only the contenders below these move to other queues. When the least count
// rises, nothing moves: the evenness of a count is computed when it is read.

import { getOrAdd } from "../../model/grouped.ts";
import type { SpreadConstraint } from "../../model/placement.ts";
import { RankQueue } from "./rank-queue.ts";
import {
  type Bucket,
  type Buckets,
  countOne,
  type Head,
  type Heads,
  isTooMany,
  type Siblings,
  type ValueNode,
  type Waiting,
} from "./spread-buckets.ts";

/** The heads at sibling values with the same count, which no DoNotSchedule constraint forbids. */
export interface Lot {
  /** The evenness of these values, to which that of the later constraints is added. */
  readonly base: number;
  readonly heads: Heads;
}

/**
 * The buckets, ready to select from. Invariant: the contenders below each value wait in the queues of its count. Entries in the
 * queue of another count are stale; `heads` skips them.
 */
export class SpreadQueues {
  readonly #buckets: Buckets;
  readonly #constraints: readonly SpreadConstraint[];
  /** Is the more even one better, where all else is equal? */
  readonly #likesEven: boolean;
  /** How many lots, queues and heads were looked at. */
  looks = 0;

  constructor(buckets: Buckets, constraints: readonly SpreadConstraint[], likesEven: boolean) {
    this.#buckets = buckets;
    this.#constraints = constraints;
    this.#likesEven = likesEven;
    this.#fill(buckets.root, 0);
  }

  /** The candidates that may be selected, by the count of the first constraint. */
  lots(): readonly Lot[] {
    return this.#lots(this.#buckets.root, 0);
  }

  /** Counts a candidate, which is a head, as selected. */
  take(candidate: number): void {
    const bucket = this.#buckets.ofCandidate[candidate] as Bucket;
    bucket.taken += 1;
    for (const node of bucket.path) {
      waitingAt(node).heads = undefined;
      countOne(node);
    }
    for (let term = bucket.path.length - 1; term >= 0; term -= 1) this.#enqueue(bucket.path[term] as ValueNode, term);
  }

  #fill(siblings: Siblings, term: number): void {
    for (const node of siblings.nodes.values()) {
      if (node.children !== undefined) this.#fill(node.children, term + 1);
      this.#enqueue(node, term);
    }
  }

  /** Adds the contenders below a value to the queues of its count. */
  #enqueue(node: ValueNode, term: number): void {
    const { children, bucket } = node;
    const next = bucket?.members[bucket.taken];
    if (next !== undefined) enqueue({ candidate: next, evenness: 0 }, waitingAt(node));
    if (children === undefined) return;
    const heads: Head[] = [];
    for (const { base, heads: ofLot } of this.#lots(children, term + 1))
      for (const { candidate, evenness } of ofLot.all) heads.push({ candidate, evenness: base + evenness });
    this.looks += heads.length;
    for (const head of this.#contenders(heads)) enqueue(head, waitingAt(node));
  }

  /** Without those that are behind another one both in rank and in evenness; the ends of the evenness stay, as its scale. */
  #contenders(heads: Head[]): readonly Head[] {
    heads.sort(this.#likesEven ? (a, b) => b.evenness - a.evenness : (a, b) => a.evenness - b.evenness);
    const last = heads.at(-1);
    let first = Number.POSITIVE_INFINITY;
    return heads.filter((head) => {
      const isAhead = head.candidate < first;
      if (isAhead) first = head.candidate;
      return isAhead || head === last;
    });
  }

  #lots(siblings: Siblings, term: number): readonly Lot[] {
    const constraint = this.#constraints[term] as SpreadConstraint;
    const unit = 64 ** (this.#constraints.length - 1 - term);
    const lots: Lot[] = [];
    this.looks += siblings.waiting.size;
    for (const [count, waiting] of siblings.waiting) {
      const skew = count - siblings.least;
      if (isTooMany(skew, constraint)) continue;
      waiting.heads ??= this.#heads(waiting, term, count);
      if (waiting.heads.all.length === 0) siblings.waiting.delete(count);
      else lots.push({ base: (63 - Math.min(63, skew)) * unit, heads: waiting.heads });
    }
    return lots;
  }

  #heads({ queues }: Waiting, term: number, count: number): Heads {
    const all: Head[] = [];
    let first = Number.POSITIVE_INFINITY;
    let leastEven = Number.POSITIVE_INFINITY;
    let mostEven = -1;
    this.looks += queues.size;
    for (const [evenness, queue] of queues) {
      const candidate = this.#first(queue, term, count);
      if (candidate === undefined) {
        queues.delete(evenness);
        continue;
      }
      all.push({ candidate, evenness });
      first = Math.min(first, candidate);
      leastEven = Math.min(leastEven, evenness);
      mostEven = Math.max(mostEven, evenness);
    }
    return { all, first, leastEven, mostEven };
  }

  /** The first of a queue, after dropping entries whose value has another count by now. */
  #first(queue: RankQueue, term: number, count: number): number | undefined {
    for (;;) {
      const { first } = queue;
      if (first === undefined) return undefined;
      const { path } = this.#buckets.ofCandidate[first] as Bucket;
      if (path[term]?.count === count) return first;
      queue.pop();
    }
  }
}

/** The candidates that wait at the values with the same count as this one. */
function waitingAt({ siblings, count }: ValueNode): Waiting {
  return getOrAdd(siblings.waiting, count, () => ({ queues: new Map(), heads: undefined }));
}

function enqueue({ candidate, evenness }: Head, waiting: Waiting): void {
  getOrAdd(waiting.queues, evenness, () => new RankQueue()).push(candidate);
  waiting.heads = undefined;
}
