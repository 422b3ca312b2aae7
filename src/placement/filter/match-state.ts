// How far did each cluster get with one Placement? What is known of it, and until when.
import { compareTimestamps, Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import type { Eligibility } from "../eligible/eligibility.ts";
import { isEligible } from "../eligible/eligibility.ts";
import type { Fleet, FleetCluster } from "../fleet.ts";
import { Judge, type Judging, STAGE } from "./judge.ts";
import { earlier } from "./taint-toleration.ts";
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

/** How far clusters stage. Invariant: `counts` counts `stage`, and `cost` is the sum of what the clusters cost. */
export class MatchState {
  readonly #matching: Matching;
  readonly #judge: Judge;
  /** By slot, one of {@link STAGE}. */
  stage: Uint8Array;
  #costs: Float64Array;
  #exceedsCostLimit = false;
  /** Was there no more time? Then it is too dear, too. */
  isLate = false;
  /** Which predicate held, where it is not the first. */
  readonly #matchedBy = new Map<number, number>();
  /** How many clusters stage so far, by {@link STAGE}. */
  readonly counts: number[] = Object.values(STAGE).map(() => 0);
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
    this.stage = new Uint8Array(fleet.size);
    this.#costs = new Float64Array(this.#hasExpressions ? fleet.size : 0);
    for (const slot of fleet.order) this.match(slot);
    const { othersEnd, canJudge } = matching;
    if (othersEnd !== undefined && canJudge) this.scoreEnds.set(ANY_CLUSTER, momentAfter(othersEnd));
  }

  /** Was it ever more than may be spent? Then whoever was not judged before counts as unmatched, and nothing can be relied on. */
  get exceedsCostLimit(): boolean {
    return this.#exceedsCostLimit;
  }

  /** Is anybody judged at all? */
  get isJudged(): boolean {
    return this.#matching.canJudge;
  }

  /** How many clusters are in the eligible sets and not on their way out. */
  get candidates(): number {
    return this.counts.reduce((sum, count, stage) => (stage > STAGE.terminating ? sum + count : sum), 0);
  }

  /** How many clusters could be chosen. */
  get feasibleCount(): number {
    return this.counts.reduce((sum, count, stage) => (stage >= STAGE.softTainted ? sum + count : sum), 0);
  }

  /** Could the cluster be chosen? */
  isThrough(slot: number): boolean {
    return (this.stage[slot] as number) >= STAGE.softTainted;
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
    if (slot >= this.stage.length) this.#grow(fleet.size);
    const entry = fleet.at(slot);
    const judge = this.#judge;
    let stage: number = STAGE.outside;
    judge.reset();
    if (entry?.isUnread === true) stage = judging.isDecided(entry.cluster.name) ? STAGE.unread : STAGE.outside;
    else if (entry !== undefined && isEligible(eligibility, entry.cluster)) {
      if (canJudge && !this.exceedsCostLimit && this.#matching.isLate()) {
        this.isLate = true;
        this.#exceedsCostLimit = true;
      }
      if (canJudge && !this.exceedsCostLimit) {
        stage = judge.judge(entry);
        this.judged++;
      } else stage = entry.cluster.terminating ? STAGE.terminating : STAGE.unmatched;
    }
    const before = this.stage[slot] as number;
    if (before !== STAGE.outside) (this.counts[before] as number)--;
    if (stage !== STAGE.outside) (this.counts[stage] as number)++;
    this.stage[slot] = stage;
    if (stage === STAGE.failed && judge.isLimited) this.limited.add(slot);
    else if (this.limited.size > 0) this.limited.delete(slot);
    if (stage >= STAGE.tainted && judge.matchedBy > 0) this.#matchedBy.set(slot, judge.matchedBy);
    else if (this.#matchedBy.size > 0) this.#matchedBy.delete(slot);
    if (this.#costs.length > 0) {
      this.cost += judge.cost - (this.#costs[slot] as number);
      this.#costs[slot] = judge.cost;
      if (this.cost > this.#matching.costLimit) this.#exceedsCostLimit = true;
    }
    this.tolerationEnds.set(slot, stage >= STAGE.softTainted ? judge.until : undefined);
    this.lookAtScores(slot);
  }

  /** Looks again when the scores of a cluster end, and which of them have. */
  lookAtScores(slot: number): void {
    const { scores, rankingScores, judging, fleet, canJudge } = this.#matching;
    const stage = this.stage[slot] as number;
    const entry = fleet.at(slot);
    const isJudged = canJudge && stage > STAGE.terminating && entry !== undefined;
    let first: Timestamp | undefined;
    let hasExpired = false;
    if (isJudged && scores?.size !== 0) {
      const { name } = entry.cluster;
      const addOnScores = judging.scoresFor(name);
      for (const resource of scores ?? judging.addOnScores.resources(name)) {
        const end = addOnScores.end(name, resource);
        if (end === undefined) continue;
        if (end instanceof CelError || compareTimestamps(end, judging.now) < 0)
          hasExpired ||= rankingScores.has(resource);
        else first = earlier(first, end);
      }
    }
    this.scoreEnds.set(slot, first === undefined ? undefined : momentAfter(first));
    if (hasExpired && stage >= STAGE.softTainted) this.expired.add(slot);
    else if (this.expired.size > 0) this.expired.delete(slot);
  }

  get #hasExpressions(): boolean {
    return this.#matching.judging.prepared.predicates.some(({ expressions }) => expressions.length > 0);
  }

  #grow(size: number): void {
    const room = size + (size >> 2) + 8;
    const stage = new Uint8Array(room);
    stage.set(this.stage);
    this.stage = stage;
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
