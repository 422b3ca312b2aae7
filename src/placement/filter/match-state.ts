// How far does each cluster get in the filter of one Placement, and until when is that valid?
import { compareTimestamps, Timestamp } from "../../cel/value/timestamp.ts";
import { CelError } from "../../cel/value/value.ts";
import { type Eligibility, isEligible, isStopped } from "../eligible/eligibility.ts";
import { type EvaluationInput, scoresFor } from "../evaluation.ts";
import type { FleetCluster } from "../fleet.ts";
import type { Interests } from "../interests.ts";
import { isIgnored, type PreparedPlacement, selectsByScore } from "../prepare/prepare.ts";
import type { UnreadScore } from "../score/unread-scores.ts";
import { type ClusterMatch, filterCluster, OUTSIDE, STAGE, TERMINATING, UNMATCHED, UNREAD } from "./filter-cluster.ts";
import { earlier } from "./taint-toleration.ts";
import { WakeTimes } from "./wake-times.ts";

/** What clusters are filtered by. */
export interface FilterInput {
  readonly input: EvaluationInput;
  readonly prepared: PreparedPlacement;
  readonly eligibility: Eligibility;
  readonly interests: Interests;
}

/** Step 3: evaluates predicates and taints for every cluster, as long as that does not exceed the cost limit. */
export function filterClusters(filter: FilterInput): MatchState {
  const { hub } = filter.input;
  const match = new MatchState(filter);
  for (const slot of hub.fleet.order) match.update(slot);
  const { readsOthers, scores } = filter.interests;
  if (readsOthers && hub.mode.expiredScoresAreErrors && match.isEvaluated) {
    const end = hub.addOnScores.nextEnd(scores);
    if (end !== undefined) match.scoreEnds.set(ANY_CLUSTER, momentAfter(end));
  }
  return match;
}

/** Means the slots of all clusters: an expression reads scores of clusters other than the one it is evaluated for. */
export const ANY_CLUSTER = -1;

/** The stage of every cluster. Invariant: `counts` counts `stage`, and `cost` is the sum of the costs of all clusters. */
export class MatchState {
  readonly #filter: FilterInput;
  /** False: the Placement is ignored or so broken that no rule is evaluated; all members count as unmatched. */
  readonly isEvaluated: boolean;
  /** The AddOnPlacementScores whose end makes a difference, by name; undefined: any. */
  readonly #endingScores: ReadonlySet<string> | undefined;
  /** The AddOnPlacementScores that the selection may depend on without any expression, by name. */
  readonly #decidingScores: ReadonlySet<string>;
  /** By slot, one of {@link STAGE}. */
  stage: Uint8Array;
  #costs: Float64Array;
  /** Was the cost limit ever exceeded? Clusters that were not evaluated before count as unmatched, and no number can be relied on. */
  exceedsCostLimit = false;
  /** Was the deadline reached? Then `exceedsCostLimit` is true, too. */
  isLate = false;
  /** Which predicate holds, where it is not the first. */
  readonly #matchedBy = new Map<number, number>();
  /** How many clusters are at each {@link STAGE}. */
  readonly counts: number[] = Object.values(STAGE).map(() => 0);
  cost = 0;
  /** How many times a cluster was evaluated. */
  evaluations = 0;
  /** When tolerations end that keep clusters feasible. */
  readonly tolerationEnds: WakeTimes = new WakeTimes();
  /** Clusters for which an expression was stopped at its cost limit. */
  readonly limited: Set<number> = new Set();
  /** Feasible clusters with an expired score that a prioritizer reads. */
  readonly expired: Set<number> = new Set();
  /** When scores expire that are read. */
  readonly scoreEnds: WakeTimes = new WakeTimes();
  /** The scores that cannot be read and keep clusters at the stages `unread` and `withheld`. */
  readonly unreadScores: Map<number, UnreadScore> = new Map();

  constructor(filter: FilterInput) {
    this.#filter = filter;
    this.isEvaluated = canEvaluate(filter);
    const { fleet, mode } = filter.input.hub;
    const { scores, rankingScores } = filter.interests;
    this.#decidingScores = selectsByScore(filter.input.placement) ? rankingScores : NO_SCORES;
    // In OCM, expressions read expired scores like any other.
    if (!mode.expiredScoresAreErrors) this.#endingScores = rankingScores;
    else this.#endingScores = scores === undefined ? undefined : new Set([...scores, ...rankingScores]);
    this.stage = new Uint8Array(fleet.size);
    this.#costs = new Float64Array(this.#hasExpressions ? fleet.size : 0);
  }

  /** How many clusters are in the eligible sets and not terminating. */
  get candidates(): number {
    return this.counts.reduce((sum, count, stage) => (stage > STAGE.terminating ? sum + count : sum), 0);
  }

  /** How many clusters are feasible. */
  get feasibleCount(): number {
    return this.counts.reduce((sum, count, stage) => (stage >= STAGE.softTainted ? sum + count : sum), 0);
  }

  /** Did the cluster pass the filter? */
  isFeasible(slot: number): boolean {
    return (this.stage[slot] as number) >= STAGE.softTainted;
  }

  /** The position of the first predicate that holds for a cluster that matches. */
  matchedBy(slot: number): number {
    return this.#matchedBy.get(slot) ?? 0;
  }

  /** The feasible clusters, by name. */
  *feasible(): Generator<FleetCluster> {
    const { fleet } = this.#filter.input.hub;
    for (const slot of fleet.order) if (this.isFeasible(slot)) yield fleet.at(slot) as FleetCluster;
  }

  /** Filters a cluster, for the first time or again. */
  update(slot: number): void {
    const { hub } = this.#filter.input;
    if (slot >= this.stage.length) this.#grow(hub.fleet.size);
    const { stage, matchedBy, cost, isLimited, until, unread } = this.#match(hub.fleet.at(slot));
    const before = this.stage[slot] as number;
    if (before !== STAGE.outside) (this.counts[before] as number)--;
    if (stage !== STAGE.outside) (this.counts[stage] as number)++;
    this.stage[slot] = stage;
    if (stage === STAGE.failed && isLimited) this.limited.add(slot);
    else if (this.limited.size > 0) this.limited.delete(slot);
    if (stage >= STAGE.tainted && matchedBy > 0) this.#matchedBy.set(slot, matchedBy);
    else if (this.#matchedBy.size > 0) this.#matchedBy.delete(slot);
    if (this.#costs.length > 0) {
      this.cost += cost - (this.#costs[slot] as number);
      this.#costs[slot] = cost;
      if (this.cost > hub.placementCostLimit) this.exceedsCostLimit = true;
    }
    this.tolerationEnds.set(slot, stage > STAGE.tainted ? until : undefined);
    if (stage > STAGE.tainted && unread !== undefined) this.unreadScores.set(slot, unread);
    else if (this.unreadScores.size > 0) this.unreadScores.delete(slot);
    this.updateScoreEnds(slot);
  }

  /** Finds again when scores of a cluster expire, and whether one has. */
  updateScoreEnds(slot: number): void {
    const { input, interests } = this.#filter;
    const { fleet, now, addOnScores: allScores } = input.hub;
    const scores = this.#endingScores;
    const stage = this.stage[slot] as number;
    const entry = fleet.at(slot);
    const isRead = this.isEvaluated && stage > STAGE.terminating && entry !== undefined;
    let first: Timestamp | undefined;
    let hasExpired = false;
    if (isRead && scores?.size !== 0) {
      const { name } = entry.cluster;
      const addOnScores = scoresFor(input, name);
      for (const resource of scores ?? allScores.resources(name)) {
        const end = addOnScores.end(name, resource);
        if (end === undefined) continue;
        if (end instanceof CelError || compareTimestamps(end, now) < 0)
          hasExpired ||= interests.rankingScores.has(resource);
        else first = earlier(first, end);
      }
    }
    this.scoreEnds.set(slot, first === undefined ? undefined : momentAfter(first));
    if (hasExpired && stage >= STAGE.softTainted) this.expired.add(slot);
    else if (this.expired.size > 0) this.expired.delete(slot);
  }

  #match(entry: FleetCluster | undefined): ClusterMatch {
    const { input, prepared, eligibility } = this.#filter;
    if (entry === undefined) return OUTSIDE;
    if (entry.isUnread) return input.decided.has(entry.cluster.name) ? UNREAD : OUTSIDE;
    if (!isEligible(eligibility, entry.cluster)) return OUTSIDE;
    if (this.isEvaluated && !this.exceedsCostLimit && input.hub.isLate()) {
      this.isLate = true;
      this.exceedsCostLimit = true;
    }
    if (!this.isEvaluated || this.exceedsCostLimit) return entry.cluster.terminating ? TERMINATING : UNMATCHED;
    this.evaluations++;
    return filterCluster(entry, prepared, input, this.#decidingScores);
  }

  get #hasExpressions(): boolean {
    return this.#filter.prepared.predicates.some((rules) => rules.some(({ kind }) => kind === "cel"));
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

const NO_SCORES: ReadonlySet<string> = new Set();

/** Can rules be evaluated? Without candidates, OCM does not get as far as mistakes of other plugins. */
function canEvaluate({ input: { placement, hub }, prepared, eligibility }: FilterInput): boolean {
  const { mode } = hub;
  const isBroken = prepared.mistakes.some(({ plugin }) => mode.validatesWithoutClusters || plugin === "Predicate");
  return !isBroken && !isIgnored(placement) && eligibility.unreadable.length === 0 && !isStopped(eligibility, mode);
}

/** At the very moment of validUntil scores still count. */
function momentAfter({ seconds, nanos }: Timestamp): Timestamp {
  return nanos === 999_999_999 ? new Timestamp(seconds + 1, 0) : new Timestamp(seconds, nanos + 1);
}
