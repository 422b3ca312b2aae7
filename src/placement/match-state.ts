// How far did each cluster get with one Placement? What is known of it, and until when.
import { compareTimestamps, Timestamp } from "../cel/value/timestamp.ts";
import { CelError } from "../cel/value/value.ts";
import type { Eligibility } from "./eligibility.ts";
import { isEligible } from "./eligibility.ts";
import type { Fleet, FleetCluster } from "./fleet.ts";
import { GOT, Judge, type Judging } from "./judge.ts";
import { earlier } from "./tolerance.ts";
import { WakeTimes } from "./wake-times.ts";

/** By what clusters are matched. */
export interface Matching {
  readonly fleet: Fleet;
  readonly eligibility: Eligibility;
  readonly judging: Judging;
  /** False: the Placement is so broken that nobody is judged; all members count as unmatched. */
  readonly canJudge: boolean;
  /** The AddOnPlacementScores whose end makes a difference, by name; undefined: any. */
  readonly scores: ReadonlySet<string> | undefined;
  /** Those that prioritizers read. */
  readonly rankingScores: ReadonlySet<string>;
  /** The next end of scores of clusters other than the one that is judged, if such are read. */
  readonly othersEnd: Timestamp | undefined;
  /** What all evaluations may cost together. */
  readonly costLimit: number;
  /** Is there no more time? */
  readonly isLate: () => boolean;
}

/** Stands for the slot of all clusters, where a score of one may concern another. */
export const ANY_CLUSTER = -1;

/** How far clusters got. Invariant: `counts` counts `got`, and `cost` is the sum of what the clusters cost. */
export class MatchState {
  readonly #matching: Matching;
  readonly #judge: Judge;
  /** By slot, one of {@link GOT}. */
  got: Uint8Array;
  #costs: Float64Array;
  #isTooDear = false;
  /** Was there no more time? Then it is too dear, too. */
  isLate = false;
  /** Which predicate held, where it is not the first. */
  readonly #matchedBy = new Map<number, number>();
  /** How many clusters got so far, by {@link GOT}. */
  readonly counts: number[] = Object.values(GOT).map(() => 0);
  cost = 0;
  /** How many clusters were judged. */
  judged = 0;
  /** When tolerations end that clusters owe their place to. */
  readonly tolerationEnds: WakeTimes = new WakeTimes();
  /** Clusters for which an expression was stopped at its limit. */
  readonly limited: Set<number> = new Set();
  /** Clusters that could be chosen and have a score that would count if it had not expired. */
  readonly expired: Set<number> = new Set();
  /** When scores expire that are read. */
  readonly scoreEnds: WakeTimes = new WakeTimes();

  /** Matches all clusters, as long as that does not cost too much. */
  constructor(matching: Matching) {
    this.#matching = matching;
    this.#judge = new Judge(matching.judging);
    const { fleet } = matching;
    this.got = new Uint8Array(fleet.size);
    this.#costs = new Float64Array(this.#hasExpressions ? fleet.size : 0);
    for (const slot of fleet.order) this.match(slot);
    const { othersEnd, canJudge } = matching;
    if (othersEnd !== undefined && canJudge) this.scoreEnds.set(ANY_CLUSTER, momentAfter(othersEnd));
  }

  /** Was it ever more than may be spent? Then whoever was not judged before counts as unmatched, and nothing can be relied on. */
  get isTooDear(): boolean {
    return this.#isTooDear;
  }

  /** Is anybody judged at all? */
  get isJudged(): boolean {
    return this.#matching.canJudge;
  }

  /** How many clusters are in the eligible sets and not on their way out. */
  get candidates(): number {
    return this.counts.reduce((sum, count, got) => (got > GOT.terminating ? sum + count : sum), 0);
  }

  /** How many clusters could be chosen. */
  get throughCount(): number {
    return this.counts.reduce((sum, count, got) => (got >= GOT.lastResort ? sum + count : sum), 0);
  }

  /** Could the cluster be chosen? */
  isThrough(slot: number): boolean {
    return (this.got[slot] as number) >= GOT.lastResort;
  }

  /** The position of the predicate that held for a cluster that could be chosen. */
  matchedBy(slot: number): number {
    return this.#matchedBy.get(slot) ?? 0;
  }

  /** The clusters that could be chosen, by name. */
  *through(): Generator<FleetCluster> {
    const { fleet } = this.#matching;
    for (const slot of fleet.order) if (this.isThrough(slot)) yield fleet.at(slot) as FleetCluster;
  }

  /** Matches a cluster, for the first time or again. */
  match(slot: number): void {
    const { fleet, eligibility, judging, canJudge } = this.#matching;
    if (slot >= this.got.length) this.#grow(fleet.size);
    const entry = fleet.at(slot);
    const judge = this.#judge;
    let got: number = GOT.outside;
    judge.reset();
    if (entry?.isUnread === true) got = judging.isDecided(entry.cluster.name) ? GOT.unread : GOT.outside;
    else if (entry !== undefined && isEligible(eligibility, entry.cluster)) {
      if (canJudge && !this.isTooDear && this.#matching.isLate()) {
        this.isLate = true;
        this.#isTooDear = true;
      }
      if (canJudge && !this.isTooDear) {
        got = judge.judge(entry);
        this.judged++;
      } else got = entry.cluster.terminating ? GOT.terminating : GOT.unmatched;
    }
    const before = this.got[slot] as number;
    if (before !== GOT.outside) (this.counts[before] as number)--;
    if (got !== GOT.outside) (this.counts[got] as number)++;
    this.got[slot] = got;
    if (got === GOT.failed && judge.isLimited) this.limited.add(slot);
    else if (this.limited.size > 0) this.limited.delete(slot);
    if (got >= GOT.tainted && judge.matchedBy > 0) this.#matchedBy.set(slot, judge.matchedBy);
    else if (this.#matchedBy.size > 0) this.#matchedBy.delete(slot);
    if (this.#costs.length > 0) {
      this.cost += judge.cost - (this.#costs[slot] as number);
      this.#costs[slot] = judge.cost;
      if (this.cost > this.#matching.costLimit) this.#isTooDear = true;
    }
    this.tolerationEnds.set(slot, got >= GOT.lastResort ? judge.until : undefined);
    this.lookAtScores(slot);
  }

  /** Looks again when the scores of a cluster end, and which of them have. */
  lookAtScores(slot: number): void {
    const { scores, rankingScores, judging, fleet, canJudge } = this.#matching;
    const got = this.got[slot] as number;
    const entry = fleet.at(slot);
    const isJudged = canJudge && got > GOT.terminating && entry !== undefined;
    let first: Timestamp | undefined;
    let hasExpired = false;
    if (isJudged && scores?.size !== 0) {
      const { name } = entry.cluster;
      const book = judging.bookOf(name);
      for (const resource of scores ?? judging.book.resources(name)) {
        const end = book.end(name, resource);
        if (end === undefined) continue;
        if (end instanceof CelError || compareTimestamps(end, judging.now) < 0)
          hasExpired ||= rankingScores.has(resource);
        else first = earlier(first, end);
      }
    }
    this.scoreEnds.set(slot, first === undefined ? undefined : momentAfter(first));
    if (hasExpired && got >= GOT.lastResort) this.expired.add(slot);
    else if (this.expired.size > 0) this.expired.delete(slot);
  }

  get #hasExpressions(): boolean {
    return this.#matching.judging.prepared.predicates.some(({ expressions }) => expressions.length > 0);
  }

  #grow(size: number): void {
    const room = size + (size >> 2) + 8;
    const got = new Uint8Array(room);
    got.set(this.got);
    this.got = got;
    if (!this.#hasExpressions) return;
    const costs = new Float64Array(room);
    costs.set(this.#costs);
    this.#costs = costs;
  }
}

/** At the very moment of validUntil scores still count. */
function momentAfter({ seconds, nanos }: Timestamp): Timestamp {
  return nanos === 999_999_999 ? new Timestamp(seconds + 1, 0) : new Timestamp(seconds, nanos + 1);
}
