// What is the answer to one Placement now? The cache of its evaluation: changes that can affect it are collected, and the next question
// updates what depends on them.
import { compareTimestamps, parseTimestamp, type Timestamp } from "../cel/value/timestamp.ts";
import { countsOf, sameItems } from "../model/grouped.ts";
import { isSame } from "../model/json.ts";
import type { Placement } from "../model/placement.ts";
import type { DecidedSlices } from "./decide/decided-slices.ts";
import { type Eligibility, eligibleSets, isEligible } from "./eligible/eligibility.ts";
import type { Evaluation, EvaluationInput } from "./evaluation.ts";
import { STAGE } from "./filter/filter-cluster.ts";
import { ANY_CLUSTER } from "./filter/match-state.ts";
import type { FleetCluster } from "./fleet.ts";
import type { Hub } from "./hub.ts";
import type { Interests } from "./interests.ts";
import { type Answer, answer, evaluate, update, writes } from "./pipeline.ts";
import type { Slice } from "./placement-result.ts";
import { isIgnored, selectsByScore } from "./prepare/prepare.ts";
import { prioritiesOf } from "./prepare/prioritizer.ts";
import type { ScheduledPlacement } from "./scheduling-order.ts";
import type { OtherDecisions } from "./score/scores.ts";
import type { Flip } from "./select/selected-names.ts";
import type { SliceWrites } from "./write/writes.ts";

/** What a Placement needs from the engine in addition to the hub. */
export interface Scheduler {
  /** The decisions of others when the Placement is scheduled; `own` are its own ones on the hub. */
  readonly others: (key: string, own: DecidedSlices) => OtherDecisions;
  /** The decisions of the Placement may change: those after it have to wait. */
  readonly reopen: (key: string) => void;
}

/** One Placement. Invariant: while no change is collected, `#evaluation` is what `evaluate` gives for the hub as it is. */
export class PlacementState implements ScheduledPlacement {
  readonly key: string;
  readonly #hub: Hub;
  readonly #scheduler: Scheduler;
  readonly #input: { -readonly [Field in keyof EvaluationInput]: EvaluationInput[Field] };
  #evaluation: Evaluation | undefined;
  #answer: Answer | undefined;
  #writes: { readonly of: Answer; readonly writes: SliceWrites } | undefined;
  /** The last answer that the Placements after this one have been updated with. */
  #published: Answer | undefined;
  /** What became selected or unselected since then; undefined if that is unknown. */
  #flips: Flip[] | undefined;
  /** Clusters that changed, by slot, as they were at the last evaluation. */
  readonly #changed = new Map<number, FleetCluster | undefined>();
  /** Those of them that have to be filtered again. */
  readonly #refiltered = new Set<number>();
  /** Have its own decisions changed, or those of others? */
  #isRedecided = false;
  #isRebalanced = false;
  /** Are the scores of all clusters out of date? Where they decide nothing, they are computed when they are asked for. */
  #areScoresStale = false;
  /** May other clusters be selected than in the published answer? Then those after it wait. */
  mayHaveMoved = true;
  /** How many clusters were evaluated before the last evaluation from scratch. */
  #evaluationsBefore = 0;

  constructor(placement: Placement, hub: Hub, scheduler: Scheduler) {
    this.key = `${placement.namespace}/${placement.name}`;
    this.#hub = hub;
    this.#scheduler = scheduler;
    this.#input = { placement, hub, decided: hub.decidedBy(placement), others: NO_DECISIONS };
  }

  get placement(): Placement {
    return this.#input.placement;
  }

  /** How many times a cluster was evaluated. */
  get evaluations(): number {
    return this.#evaluationsBefore + (this.#evaluation?.match.evaluations ?? 0);
  }

  /** Does it have a Balance prioritizer, which reads the decisions of others? */
  get balances(): boolean {
    const { prioritizers } = this.#evaluation?.prepared ?? prioritiesOf(this.placement, this.#hub.mode);
    return prioritizers.some(({ kind }) => kind === "Balance");
  }

  /** Is there an evaluation, up to date or with changes collected for it? */
  get isEvaluated(): boolean {
    return this.#evaluation !== undefined;
  }

  /** What it reads of clusters; undefined if it has to be evaluated from scratch anyway. */
  get interests(): Interests | undefined {
    return this.#evaluation?.interests;
  }

  /**
   * A score of a cluster, which need not exist, has changed. Can that affect the answer? `isFiltered`: it could not be read before, or
   * cannot be now, so that the filter depends on it wherever it is read.
   */
  changeScore(entry: FleetCluster | undefined, name: string, isFiltered: boolean): boolean {
    if (this.#evaluation === undefined) return false;
    const { scores, rankingScores, readsOthers } = this.#evaluation.interests;
    const isRead = scores === undefined || scores.has(name);
    if (readsOthers && isRead) {
      this.invalidate();
      return true;
    }
    if (entry === undefined || !this.isCandidate(entry.slot)) return false;
    if (!isRead && !rankingScores.has(name)) return false;
    if (isRead || isFiltered) this.#refilter(entry.slot, entry);
    this.#rescore(entry.cluster.name);
    this.#reopen();
    return true;
  }

  /** The Placement was written; its spec may be the same. */
  changePlacement(placement: Placement): void {
    const before = this.placement;
    this.#reopen();
    this.#input.placement = placement;
    if (isIgnored(placement) !== isIgnored(before) || !isSame(specOf(before), specOf(placement))) this.invalidate();
  }

  /** Sets or bindings have changed. Can that affect the answer? */
  changeSets(): boolean {
    if (this.#evaluation === undefined) return true;
    const before = this.#evaluation.eligibility;
    const after = eligibleSets(this.placement, this.#hub);
    if (!sameItems(before.sets, after.sets) || before.unreadable.length !== after.unreadable.length) {
      this.invalidate();
      return true;
    }
    this.#evaluation = { ...this.#evaluation, eligibility: after };
    if (isSame(reportedOf(before), reportedOf(after))) return false;
    this.#reopen();
    return true;
  }

  /**
   * A cluster was added, changed or removed; `before` is what it was. Can that affect the answer? Not if no predicate matches it, as before:
   * most clusters of a fleet are of no interest to most Placements, also when a label changes that all of them read.
   */
  changeCluster(slot: number, before: FleetCluster | undefined): boolean {
    if (this.#evaluation === undefined) return false;
    const { match } = this.#evaluation;
    const isUnmatched = (): boolean => match.stage[slot] === STAGE.unmatched && !match.exceedsCostLimit;
    if (!isUnmatched() || this.#changed.has(slot)) {
      this.#refilter(slot, before);
      return true;
    }
    // It has no score and no rank, so that it can be filtered at once.
    match.update(slot);
    if (isUnmatched()) return false;
    this.#changed.set(slot, before);
    this.#reopen();
    return true;
  }

  /** Its own PlacementDecisions have changed, for these clusters. */
  changeDecisions(clusters: Iterable<string>): void {
    this.#isRedecided = true;
    this.#isRebalanced = true;
    this.#reopen();
    const keepsExpiredScores = this.#hub.scoresWithoutExpiry !== undefined;
    for (const name of clusters) {
      const entry = this.#rescore(name);
      if (entry === undefined) continue;
      // Unread clusters and scores, NoSelectIfNew taints and kept scores depend on whether the cluster was selected before.
      const isUnread = entry.isUnread || this.#evaluation?.match.unreadScores.has(entry.slot) === true;
      if (keepsExpiredScores || isUnread || entry.cluster.taints.length > 0) this.#refiltered.add(entry.slot);
    }
  }

  /**
   * The decisions of other Placements have changed, for these clusters. Can that affect the answer? Not where scores decide nothing. If none
   * of the clusters can be selected here, it depends on the largest number of decisions: see {@link isRescaled}. Nor if it has to be
   * evaluated from scratch anyway: whatever made that necessary has affected it.
   */
  changeOthers(clusters: ReadonlySet<string>): "yes" | "no" | "if-rescaled" {
    if (this.#evaluation === undefined || clusters.size === 0 || !this.balances) return "no";
    this.#isRebalanced = true;
    if (!this.#dependsOnScores) {
      this.#areScoresStale = true;
      return "no";
    }
    const { match } = this.#evaluation;
    const areMany = clusters.size > match.feasibleCount * LARGE_PART;
    let isConcerned = false;
    for (const name of clusters) {
      const slot = this.#hub.fleet.slotOf(name);
      if (slot === undefined || !match.isFeasible(slot)) continue;
      isConcerned = true;
      if (areMany) break;
      this.#rescore(name);
    }
    if (!isConcerned) return "if-rescaled";
    if (areMany) this.#areScoresStale = true;
    this.#reopenScores();
    return "yes";
  }

  /** Has the largest number of decisions changed, which all Balance scores depend on? Those before must have published theirs. */
  isRescaled(): boolean {
    if (this.#scheduler.others(this.key, this.#input.decided).most === this.#input.others.most) return false;
    this.#reopenScores();
    return true;
  }

  /** The largest number of decisions may have changed; that is found out when the answer is asked for. */
  mayBeRescaled(): void {
    this.#reopenScores();
  }

  /** Time has moved on. Can that affect the answer? */
  advance(): boolean {
    // It has been affected since it was evaluated, or it was never asked for.
    if (this.#evaluation === undefined) return false;
    const { match } = this.#evaluation;
    if (!match.tolerationEnds.isDue(this.#hub.now) && !match.scoreEnds.isDue(this.#hub.now)) return false;
    const due = [...match.tolerationEnds.due(this.#hub.now), ...match.scoreEnds.due(this.#hub.now)];
    if (due.includes(ANY_CLUSTER)) this.invalidate();
    else for (const slot of due) this.#refilter(slot, this.#hub.fleet.at(slot));
    return true;
  }

  /** Drops the evaluation: the next question evaluates from scratch. */
  invalidate(): void {
    this.#reopen();
    this.#evaluationsBefore = this.evaluations;
    this.#evaluation = undefined;
    this.#flips = undefined;
    this.#changed.clear();
    this.#refiltered.clear();
  }

  /** Is the cluster a candidate, or was it one at the last evaluation, or is it in a PlacementDecision? */
  concerns(slot: number): boolean {
    return this.isCandidate(slot) || this.#input.decided.has(this.#hub.fleet.nameOf(slot));
  }

  /** Is the cluster a candidate, or was it one at the last evaluation? */
  isCandidate(slot: number): boolean {
    const stage = this.#evaluation?.match.stage[slot];
    if (stage !== undefined && stage !== STAGE.outside) return true;
    const entry = this.#hub.fleet.at(slot);
    if (entry === undefined || entry.isUnread || this.#evaluation === undefined) return false;
    return isEligible(this.#evaluation.eligibility, entry.cluster);
  }

  /** Do Placements after this one count its new decisions? Until it has published them, they count those on the hub. */
  get hasPublished(): boolean {
    return this.#published !== undefined;
  }

  /** The answer. */
  answer(): Answer {
    this.#answer ??= answer(this.#evaluated());
    return this.#answer;
  }

  /**
   * Makes the result count for later Placements; returns a function that lists the clusters that it gained or lost. Undefined if there are
   * none; then it need not be evaluated.
   */
  publish(): (() => readonly string[]) | undefined {
    if (!this.mayHaveMoved) return undefined;
    const after = this.answer();
    const before = this.#published;
    const flips = this.#flips;
    this.#published = after;
    this.#flips = [];
    this.mayHaveMoved = false;
    if (before === after) return undefined;
    if (flips !== undefined && before?.result.state === "placed" && after.result.state === "placed")
      return () => flips.map(({ name }) => name);
    const had = before?.decisions.slices() ?? this.#input.decided.slices;
    return () => differing(clustersIn(had), clustersIn(after.decisions.slices()));
  }

  eachDecisionChange(take: (cluster: string, step: number) => void): void {
    const published = this.#published;
    const { decided } = this.#input;
    if (published === undefined || published.result.state === "ignored") return;
    if (published.result.state === "placed" && this.#evaluation !== undefined) {
      this.#evaluation.delta.each(take);
      for (const cluster of decided.surplus) take(cluster, -1);
      return;
    }
    for (const cluster of clustersIn(decided.slices)) take(cluster, -1);
    for (const cluster of clustersIn(published.decisions.slices())) take(cluster, 1);
  }

  /** The API calls that bring its PlacementDecisions up to date. */
  writes(): SliceWrites {
    const of = this.answer();
    const wakeAt = this.#writes?.writes.wakeAt;
    const isDue = wakeAt !== undefined && compareTimestamps(this.#hub.now, parseTimestamp(wakeAt) as Timestamp) >= 0;
    if (this.#writes?.of !== of || isDue) this.#writes = { of, writes: writes(this.#evaluated(), of) };
    return this.#writes.writes;
  }

  /** Can a score change the answer? Not if all clusters are selected anyway, and decisions have no scores. */
  get #dependsOnScores(): boolean {
    const hub = this.#hub;
    const { placement } = this;
    return placement.numberOfClusters !== undefined || hub.sortsByScore(placement) || hub.writesScoresOf(placement);
  }

  /** Can a score change which clusters are selected? At the cost limit, an update evaluates from scratch. */
  get #selectsByScore(): boolean {
    return selectsByScore(this.placement) || this.#evaluation === undefined || this.#evaluation.match.exceedsCostLimit;
  }

  /** The answer may change. */
  #reopen(): void {
    if (!this.mayHaveMoved) this.#scheduler.reopen(this.key);
    this.mayHaveMoved = true;
    this.#answer = undefined;
  }

  /** The same, by scores alone: those after it need not wait if the same clusters stay selected. */
  #reopenScores(): void {
    if (this.#selectsByScore) this.#reopen();
    else this.#answer = undefined;
  }

  /** A cluster has to be filtered again; `before` is what it was. */
  #refilter(slot: number, before: FleetCluster | undefined): void {
    if (!this.#changed.has(slot)) this.#changed.set(slot, before);
    this.#refiltered.add(slot);
    this.#reopen();
  }

  #rescore(name: string): FleetCluster | undefined {
    const entry = this.#hub.fleet.get(name);
    if (entry === undefined || this.#evaluation === undefined) return undefined;
    if (!this.#changed.has(entry.slot)) this.#changed.set(entry.slot, entry);
    return entry;
  }

  /** The evaluation, with all collected changes applied. */
  evaluation(): Evaluation {
    return this.#evaluated(true);
  }

  /** The same; scores that decide nothing may be out of date unless it is `isScored`. */
  #evaluated(isScored = this.#dependsOnScores): Evaluation {
    const input = this.#input;
    const isRedecided = this.#isRedecided;
    this.#isRedecided = false;
    if (isRedecided) input.decided = this.#hub.decidedBy(input.placement);
    const { most } = input.others;
    if (!isScored && this.#isRebalanced) this.#areScoresStale = true;
    if (isScored && this.#isRebalanced) this.#countOthers();
    const isRescored = input.others.most !== most || (isScored && this.#areScoresStale);
    const isChanged = this.#changed.size > 0 || isRescored;
    // At the cost limit it is unknown which clusters were evaluated.
    if (isChanged && this.#evaluation?.match.exceedsCostLimit === true) this.invalidate();
    if (this.#evaluation !== undefined && (isChanged || isRedecided)) {
      const change = { clusters: this.#changed, refiltered: this.#refiltered, isRescored, isRedecided };
      this.#collect(update(this.#evaluation, change));
      if (this.#evaluation.match.exceedsCostLimit) this.invalidate();
    }
    this.#changed.clear();
    this.#refiltered.clear();
    if (isRescored) this.#areScoresStale = false;
    if (this.#evaluation === undefined) {
      this.#countOthers();
      this.#areScoresStale = false;
      this.#evaluation = evaluate(input);
    }
    return this.#evaluation;
  }

  #countOthers(): void {
    this.#isRebalanced = false;
    if (this.balances) this.#input.others = this.#scheduler.others(this.key, this.#input.decided);
  }

  #collect(flips: readonly Flip[] | undefined): void {
    if (flips === undefined) this.#flips = undefined;
    else this.#flips?.push(...flips);
  }
}

/** If the decisions of others have changed for more than this part of the clusters, all are scored again. */
const LARGE_PART = 0.25;

const NO_DECISIONS: OtherDecisions = { most: 0, of: () => 0 };

/** All clusters of some slices, as often as they are named. */
function clustersIn(slices: readonly Pick<Slice, "clusters">[]): readonly string[] {
  return slices.flatMap(({ clusters }) => clusters);
}

/** The names that one list has more often than the other. */
function differing(names: readonly string[], others: readonly string[]): readonly string[] {
  const surplus = countsOf(names);
  for (const name of others) surplus.set(name, (surplus.get(name) ?? 0) - 1);
  return [...surplus].filter(([, count]) => count !== 0).map(([name]) => name);
}

/** What a result reports about an eligibility in addition to the sets. */
function reportedOf({ bound, unusable, unreadable }: Eligibility): object {
  return { isAnyBound: bound.length > 0, unusable, unreadable };
}

/** A Placement without what controllers write into it. */
function specOf({ generation: _, annotations: __, lastScoreUpdateTime: ___, ...rest }: Placement): object {
  return rest;
}
