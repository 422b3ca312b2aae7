// Which clusters are selected, one after another, so that they are spread over the values of labels and claims?

import type { SpreadConstraint } from "../../model/placement.ts";
import { linearScore } from "../score/ratio-score.ts";
import {
  type Buckets,
  bucketsOf,
  countSelected,
  isHard,
  isTooMany,
  leastValueOf,
  type Siblings,
  skewOf,
} from "./spread-buckets.ts";
import { SpreadQueues } from "./spread-queues.ts";

/** The candidates and what they are selected by. Candidates are numbers from 0, in rank order without spread. */
export interface SpreadQuestion {
  /** At most eight, as the API has it; earlier ones matter more. */
  readonly constraints: readonly SpreadConstraint[];
  /** Undefined: as many as the constraints allow. */
  readonly count: number | undefined;
  /** The weight of the prioritizer Spread. With 0, ScheduleAnyway constraints have no effect. */
  readonly weight: number;
  readonly size: number;
  /** The score without spread. */
  readonly total: (candidate: number) => number;
  /** Is it selected only when no other is allowed? */
  readonly isSoftTainted: (candidate: number) => boolean;
  /** The candidate's value under the topology key of a constraint. */
  readonly value: (constraint: number, candidate: number) => string | undefined;
  /** Clusters that are selected before all candidates: the value of each under the key of each constraint. */
  readonly selected?: readonly (readonly (string | undefined)[])[];
}

/** A candidate that was selected. */
export interface SpreadPick {
  readonly candidate: number;
  /** From -100 to 100, at the step that selected it; undefined if it does not count. */
  readonly spread: number | undefined;
  /** The score with the weighted spread. */
  readonly total: number;
}

/** Why a DoNotSchedule constraint forbids a candidate at the end of the selection. */
export interface SpreadBlock extends SpreadValue {
  /** The position of the constraint. */
  readonly constraint: number;
  /** The sibling value with the fewest selected, and how many. */
  readonly leastValue: string | undefined;
  readonly leastCount: number;
}

/** A value of a topology key. */
export interface SpreadValue {
  /** Undefined for a candidate that lacks the key; the numbers then have no meaning. */
  readonly value: string | undefined;
  /** How many selected clusters have it. */
  readonly count: number;
}

/** The selection. */
export interface SpreadAnswer {
  /** In the order of selection. */
  readonly picks: readonly SpreadPick[];
  /**
   * There was nothing to decide: no constraint forbids anything, and all candidates are selected or Spread has the weight 0. Picks
   * are then in rank order, without a spread.
   */
  readonly undecisive: boolean;
  /** The search reached its limit; picks end where it was stopped. */
  readonly isCutOff: boolean;
  /** Why a candidate could not be selected; undefined if no constraint forbids it. */
  readonly block: (candidate: number) => SpreadBlock | undefined;
}

/**
 * Limit of the search: two or three seconds. It can be reached with 100,000 clusters and three constraints or more, if scores
 * outweigh the spread so much that most values have different counts.
 */
const MAX_LOOKS = 2.5e7;

/**
 * Selects greedily: in each step the candidate with the highest total + weight · spread among those that no DoNotSchedule
 * constraint forbids. Of equal ones the more even one comes first if the weight is positive, then the first in rank. A candidate
 * that lacks the key of a DoNotSchedule constraint is excluded: its other values do not count as siblings.
 */
export function pickSpread(question: SpreadQuestion, maxLooks: number = MAX_LOOKS): SpreadAnswer {
  const { constraints, size } = question;
  const count = Math.min(size, question.count ?? size);
  if (!constraints.some(isHard) && (constraints.length === 0 || count === size || question.weight === 0))
    return firstOnes(question, count);
  const buckets = bucketsOf(constraints, size, question.value);
  for (const values of question.selected ?? []) countSelected(buckets, constraints, values);
  const queues = new SpreadQueues(buckets, constraints, question.weight >= 0);
  const picks: SpreadPick[] = [];
  let isCutOff = false;
  while (picks.length < count && !isCutOff) {
    const choice = bestOf(queues, question);
    if (choice === undefined) break;
    const { candidate, spread, total } = choice;
    picks.push({ candidate, spread: question.weight === 0 ? undefined : spread, total });
    queues.take(candidate);
    isCutOff = queues.looks > maxLooks && picks.length < count;
  }
  return { picks, undecisive: false, isCutOff, block: blocksOf(constraints, buckets) };
}

function firstOnes(question: SpreadQuestion, count: number): SpreadAnswer {
  const picks = Array.from({ length: count }, (_, candidate) => {
    return { candidate, spread: undefined, total: question.total(candidate) };
  });
  return { picks, undecisive: true, isCutOff: false, block: () => undefined };
}

/** A candidate that can be selected in this step. */
interface Choice {
  readonly candidate: number;
  readonly evenness: number;
  readonly spread: number;
  readonly total: number;
}

/** The best of the candidates that are first in rank in their queue. */
function bestOf(queues: SpreadQueues, question: SpreadQuestion): Choice | undefined {
  const lots = queues.lots();
  let least = Number.POSITIVE_INFINITY;
  let most = -1;
  for (const { base, heads } of lots) {
    least = Math.min(least, base + heads.leastEven);
    most = Math.max(most, base + heads.mostEven);
  }
  const choiceOf = (candidate: number, evenness: number): Choice => {
    const spread = most === least ? 100 : linearScore(evenness - least, most - least);
    return { candidate, evenness, spread, total: question.total(candidate) + question.weight * spread };
  };
  let best: Choice | undefined;
  for (const { base, heads } of lots) {
    // Upper bound for the lot: the best rank with the best evenness.
    const bound = choiceOf(heads.first, base + (question.weight < 0 ? heads.leastEven : heads.mostEven));
    if (best !== undefined && !isBetter(bound, best, question)) continue;
    queues.looks += heads.all.length;
    for (const { candidate, evenness } of heads.all) {
      const choice = choiceOf(candidate, base + evenness);
      if (best === undefined || isBetter(choice, best, question)) best = choice;
    }
  }
  return best;
}

function isBetter(one: Choice, other: Choice, { weight, isSoftTainted }: SpreadQuestion): boolean {
  const isLast = isSoftTainted(one.candidate);
  if (isLast !== isSoftTainted(other.candidate)) return !isLast;
  if (one.total !== other.total) return one.total > other.total;
  if (weight > 0 && one.evenness !== other.evenness) return one.evenness > other.evenness;
  return one.candidate < other.candidate;
}

/** The constraint that forbids each candidate. Many may be asked for, so values are looked up once. */
function blocksOf(constraints: readonly SpreadConstraint[], { ofCandidate }: Buckets): SpreadAnswer["block"] {
  const leastValues = new Map<Siblings, string | undefined>();
  return (candidate) => {
    const bucket = ofCandidate[candidate];
    if (bucket === undefined) return undefined;
    if (typeof bucket === "number")
      return { constraint: bucket, value: undefined, count: 0, leastValue: undefined, leastCount: 0 };
    const next = bucket.members[bucket.taken];
    if (next === undefined || candidate < next) return undefined;
    const constraint = bucket.path.findIndex((it, index) =>
      isTooMany(skewOf(it), constraints[index] as SpreadConstraint),
    );
    const node = bucket.path[constraint];
    if (node === undefined) return undefined;
    const { siblings, count } = node;
    if (!leastValues.has(siblings)) leastValues.set(siblings, leastValueOf(siblings));
    const leastValue = leastValues.get(siblings);
    return { constraint, value: node.value, count, leastValue, leastCount: siblings.least };
  };
}
