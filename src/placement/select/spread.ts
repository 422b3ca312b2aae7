// Which clusters are chosen, one after another, so that they are spread over the values of labels and claims?

import type { SpreadConstraint } from "../../model/placement.ts";
import { linearScore } from "../score/linear-score.ts";
import {
  type Buckets,
  bucketsOf,
  isHard,
  isTooMany,
  leastValueOf,
  type Siblings,
  surplusOf,
} from "./spread-buckets.ts";
import { SpreadQueues } from "./spread-queues.ts";

/** Who may be chosen, and by what. Candidates are numbers from 0 on, in their rank order without spread. */
export interface SpreadQuestion {
  /** At most eight, as the API has it; earlier ones matter more. */
  readonly constraints: readonly SpreadConstraint[];
  /** Nothing: as many as may be chosen. */
  readonly count: number | undefined;
  /** Of the prioritizer Spread. With 0, ScheduleAnyway terms wish for nothing. */
  readonly weight: number;
  readonly size: number;
  /** The score without spread. */
  readonly total: (candidate: number) => number;
  /** Is it to be chosen only when no other is allowed? */
  readonly isSoftTainted: (candidate: number) => boolean;
  /** What the candidate has under the topology key of a constraint. */
  readonly value: (constraint: number, candidate: number) => string | undefined;
}

/** A candidate that was chosen. */
export interface SpreadPick {
  readonly candidate: number;
  /** From -100 to 100, at the moment of the choice; nothing where it does not count. */
  readonly spread: number | undefined;
  /** The score with the weighted spread. */
  readonly total: number;
}

/** Why a DoNotSchedule term keeps a candidate away, as things stand at the end. */
export interface SpreadBlock {
  /** The position of the term. */
  readonly constraint: number;
  /** What the candidate has under the topology key; nothing if it lacks the key, and then the numbers say nothing. */
  readonly value: string | undefined;
  /** How many with that value were chosen. */
  readonly count: number;
  /** The value next to it of which the fewest were chosen, and how many. */
  readonly leastValue: string | undefined;
  readonly leastCount: number;
  readonly maxSkew: number;
}

/** What was chosen. */
export interface SpreadAnswer {
  /** In the order of the choices. */
  readonly picks: readonly SpreadPick[];
  /**
   * There was nothing to decide: no term forbids anything, and everybody is chosen or wishes have no weight. Picks are then
   * in rank order, without a spread.
   */
  readonly undecisive: boolean;
  /** It would have taken too long; picks end where the work was stopped. */
  readonly isCutOff: boolean;
  /** Why a candidate that was not chosen could not be; nothing if no term stands against it. */
  readonly block: (candidate: number) => SpreadBlock | undefined;
}

/**
 * How much is looked at before the work is stopped: two or three seconds. What may reach it: a hundred thousand clusters with
 * three terms or more, if scores outweigh the spread so far that most values differ in their counts.
 */
const MAX_LOOKS = 2.5e7;

/**
 * Chooses greedily: in each step the one with the highest total + weight · spread among those that no DoNotSchedule term
 * forbids. Of equal ones the more even one comes first if the weight is positive, then the first in rank. A candidate that
 * lacks the key of a DoNotSchedule term is no candidate: its other values do not count as siblings.
 */
export function pickSpread(question: SpreadQuestion, maxLooks: number = MAX_LOOKS): SpreadAnswer {
  const { constraints, size } = question;
  const count = Math.min(size, question.count ?? size);
  if (!constraints.some(isHard) && (constraints.length === 0 || count === size || question.weight === 0))
    return firstOnes(question, count);
  const buckets = bucketsOf(constraints, size, question.value);
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

/** A candidate that could be chosen now. */
interface Choice {
  readonly candidate: number;
  readonly evenness: number;
  readonly spread: number;
  readonly total: number;
}

/** The best of the candidates that are the first in rank where they are. */
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
    // Nobody in the lot is better than one with the best of everything would be.
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

/** Says of each candidate what stands against it. There may be many to ask about, so that no value is looked for twice. */
function blocksOf(constraints: readonly SpreadConstraint[], { ofCandidate }: Buckets): SpreadAnswer["block"] {
  const leastValues = new Map<Siblings, string | undefined>();
  return (candidate) => {
    const bucket = ofCandidate[candidate];
    if (bucket === undefined) return undefined;
    if (typeof bucket === "number") {
      const { maxSkew } = constraints[bucket] as SpreadConstraint;
      return { constraint: bucket, value: undefined, count: 0, leastValue: undefined, leastCount: 0, maxSkew };
    }
    const next = bucket.members[bucket.taken];
    if (next === undefined || candidate < next) return undefined;
    const constraint = bucket.path.findIndex((it, index) =>
      isTooMany(surplusOf(it), constraints[index] as SpreadConstraint),
    );
    const node = bucket.path[constraint];
    if (node === undefined) return undefined;
    const { maxSkew } = constraints[constraint] as SpreadConstraint;
    const { siblings, count } = node;
    if (!leastValues.has(siblings)) leastValues.set(siblings, leastValueOf(siblings));
    const leastValue = leastValues.get(siblings);
    return { constraint, value: node.value, count, leastValue, leastCount: siblings.least, maxSkew };
  };
}
