// What is the answer to one Placement now? Holds what is known of every cluster, and works out again only what a change can
// have touched.
import { compareTimestamps } from "../cel/value/timestamp.ts";
import type { Json } from "../model/json.ts";
import { textUnder } from "../model/labels.ts";
import type { Placement } from "../model/placement.ts";
import type { ClusterDecision } from "../model/placement-decision.ts";
import { DecidedSlices } from "./decide/decided-slices.ts";
import { DecisionDelta } from "./decide/decision-delta.ts";
import { type Eligibility, eligibilityOf, isEligible } from "./eligible/eligibility.ts";
import type { Evaluation, PlacementWorld } from "./evaluation.ts";
import { type Judging, STAGE } from "./filter/judge.ts";
import { ANY_CLUSTER, MatchState } from "./filter/match-state.ts";
import type { FleetCluster } from "./fleet.ts";
import { type Interests, interestsOf, isSame } from "./interests.ts";
import type { PlacementMode } from "./placement-mode.ts";
import type { PlacementResult, Slice } from "./placement-result.ts";
import { preparePlacement } from "./prepare/prepare.ts";
import { prioritiesOf } from "./prepare/prioritizer.ts";
import { composeResult, isStopped } from "./report/compose-result.ts";
import type { AddOnScores } from "./score/add-on-scores.ts";
import { Scoring } from "./score/scoring.ts";
import type { Flip } from "./select/selected-names.ts";
import { Selection } from "./select/selection.ts";
import { type TieBreak, tiesOf } from "./select/tie-break.ts";
import type { OtherDecisions, Turn } from "./turns.ts";
import { type SliceWrites, writesOf } from "./write/writes.ts";

/** A Placement with this annotation set to "true" is left alone. */
const DISABLED = "cluster.open-cluster-management.io/experimental-scheduling-disable";

/** One Placement. Invariant: when nothing is marked as changed, `#evaluation` is true of the world as it is. */
export class PlacementState implements Turn {
  readonly key: string;
  #placement: Placement;
  readonly #world: PlacementWorld;
  readonly #sources: {
    readonly mode: PlacementMode;
    readonly scoresFor: (cluster: string) => AddOnScores;
    decided: DecidedSlices;
    others: OtherDecisions;
  };
  /** The answer that those after it know. */
  #told: PlacementResult | undefined;
  /** What was selected or left since then; undefined if that is not known. */
  #flips: Flip[] | undefined;
  #evaluation: Evaluation | undefined;
  #result: PlacementResult | undefined;
  #written: { readonly writes: SliceWrites; readonly result: PlacementResult } | undefined;
  /** Clusters that have changed, as they were when they were last looked at. */
  readonly #touched = new Map<number, FleetCluster | undefined>();
  /** Those of them that have to be judged again; the others only have another score. */
  readonly #unjudged = new Set<number>();
  #isRedecided = false;
  #isRebalanced = false;
  /** How many clusters were judged before the last time that everything was worked out. */
  #judgedBefore = 0;

  constructor(placement: Placement, world: PlacementWorld) {
    this.key = `${placement.namespace}/${placement.name}`;
    this.#placement = placement;
    this.#world = world;
    this.#sources = {
      mode: world.mode,
      decided: this.#readDecided(),
      others: NOBODY,
      scoresFor: (cluster) =>
        this.#sources.decided.has(cluster) ? (world.scoresWithoutExpiry ?? world.addOnScores) : world.addOnScores,
    };
  }

  get placement(): Placement {
    return this.#placement;
  }

  /** How many clusters were judged. */
  get judged(): number {
    return this.#judgedBefore + (this.#evaluation?.match.judged ?? 0);
  }

  /** What decides between equal scores. */
  get tieBreak(): TieBreak {
    return this.#world.tieBreak;
  }

  /** Its decisions so far. */
  get decided(): DecidedSlices {
    this.#settled();
    return this.#sources.decided;
  }

  /** Is it left alone, by its own wish or because it is being deleted? */
  get isIgnored(): boolean {
    return isLeftAlone(this.#placement);
  }

  /** Does it matter to it what others have chosen? */
  get balances(): boolean {
    const { prioritizers } = this.#evaluation?.prepared ?? prioritiesOf(this.#placement, this.#world.mode);
    return prioritizers.some(({ kind }) => kind === "Balance");
  }

  /** Does it have an answer that is still true, or was true when something last changed? */
  get isWorkedOut(): boolean {
    return this.#evaluation !== undefined;
  }

  /** What it reads of clusters; undefined if nothing is known of it any more, so that everything will be worked out. */
  get interests(): Interests | undefined {
    return this.#evaluation?.interests;
  }

  /** A score of a cluster, which need not be there, has changed. Can that matter? */
  takeScore(entry: FleetCluster | undefined, name: string): boolean {
    if (this.#evaluation === undefined) return false;
    const { scores, rankingScores, readsOthers } = this.#evaluation.interests;
    if (readsOthers && (scores === undefined || scores.has(name))) {
      this.forget();
      return true;
    }
    if (entry === undefined || !this.looksAt(entry.slot)) return false;
    if (scores === undefined || scores.has(name)) this.touch(entry.slot, entry);
    else if (!rankingScores.has(name)) return false;
    this.#rescore(entry.cluster.name);
    this.#reopen();
    return true;
  }

  /** The Placement has come again; what it asks for may be the same. */
  replace(placement: Placement): void {
    const before = this.#placement;
    this.#reopen();
    this.#placement = placement;
    const isIgnored = isLeftAlone(placement);
    if (isIgnored !== isLeftAlone(before) || !isSame(asked(before), asked(placement))) this.forget();
  }

  /** Sets or bindings have changed. Can that matter? */
  rebind(): boolean {
    if (this.#evaluation === undefined) return true;
    const before = this.#evaluation.eligibility;
    const after = this.#readEligibility();
    const isSameSets =
      before.sets.length === after.sets.length && before.sets.every((set, index) => set === after.sets[index]);
    if (!isSameSets || before.unreadable.length !== after.unreadable.length) {
      this.forget();
      return true;
    }
    this.#evaluation = { ...this.#evaluation, eligibility: after };
    if (isSame(rest(before), rest(after))) return false;
    this.#reopen();
    return true;
  }

  /** Everything has changed: nothing is known any more. */
  forget(): void {
    this.#reopen();
    this.#judgedBefore = this.judged;
    this.#evaluation = undefined;
    this.#flips = undefined;
    this.#touched.clear();
    this.#unjudged.clear();
  }

  /** Is the cluster one of its candidates, or was it one, or is it decided? */
  concerns(slot: number): boolean {
    return this.looksAt(slot) || this.#sources.decided.has(this.#world.fleet.nameOf(slot));
  }

  /** Is the cluster one of its candidates, or was it when it was last looked at? */
  looksAt(slot: number): boolean {
    const got = this.#evaluation?.match.stage[slot];
    if (got !== undefined && got !== STAGE.outside) return true;
    const entry = this.#world.fleet.at(slot);
    if (entry === undefined || entry.isUnread || this.#evaluation === undefined) return false;
    return isEligible(this.#evaluation.eligibility, entry.cluster);
  }

  /** A cluster has changed, come or gone; `before` is what it was. */
  touch(slot: number, before: FleetCluster | undefined): void {
    if (this.#evaluation === undefined) return;
    if (!this.#touched.has(slot)) this.#touched.set(slot, before);
    this.#unjudged.add(slot);
    this.#reopen();
  }

  /** Its own decisions have changed, for these clusters. */
  redecide(clusters: Iterable<string>): void {
    this.#isRedecided = true;
    this.#isRebalanced = true;
    this.#reopen();
    const isKeeping = this.#world.scoresWithoutExpiry !== undefined;
    for (const name of clusters) {
      const entry = this.#rescore(name);
      // NoSelectIfNew asks whether it was chosen before, and so does what could not be read, or has an expired score.
      if (entry !== undefined && (isKeeping || entry.isUnread || entry.cluster.taints.length > 0))
        this.#unjudged.add(entry.slot);
    }
  }

  /** The decisions of others have changed, for these clusters. Can that matter? */
  rebalance(clusters: Iterable<string>): boolean {
    this.#isRebalanced = true;
    if (!this.balances) return false;
    if (this.#evaluation === undefined) return true;
    this.#reopen();
    for (const name of clusters) this.#rescore(name);
    return true;
  }

  /** Time has moved on. Can that matter? */
  advance(): boolean {
    if (this.#evaluation === undefined) return true;
    const { match } = this.#evaluation;
    const due = [...match.tolerationEnds.due(this.#world.now), ...match.scoreEnds.due(this.#world.now)];
    if (due.includes(ANY_CLUSTER)) this.forget();
    else for (const slot of due) this.touch(slot, this.#world.fleet.at(slot));
    return due.length > 0;
  }

  /** The answer. */
  result(): PlacementResult {
    if (this.#result !== undefined) return this.#result;
    const evaluation = this.#settled();
    this.#result = composeResult({
      placement: this.#placement,
      world: this.#world,
      evaluation,
      decided: this.#sources.decided,
      isIgnored: this.isIgnored,
    });
    return this.#result;
  }

  /**
   * Takes note that those after it know its answer; gives the clusters that are more often or less often in its decisions than
   * they knew before.
   */
  tell(): () => readonly string[] {
    const result = this.result();
    const before = this.#told;
    const flips = this.#flips;
    this.#told = result;
    this.#flips = [];
    if (before === result) return () => [];
    if (flips !== undefined && before?.state === "placed" && result.state === "placed")
      return () => flips.map(({ name }) => name);
    const had = before?.slices ?? this.#sources.decided.slices;
    return () => differing(clustersIn(had), clustersIn(result.slices));
  }

  eachShift(take: (cluster: string, step: number) => void): void {
    const told = this.#told;
    const { decided } = this.#sources;
    if (told === undefined || told.state === "ignored") return;
    if (told.state === "placed") {
      this.#evaluation?.delta.each(take);
      for (const cluster of decided.surplus) take(cluster, -1);
      return;
    }
    for (const cluster of clustersIn(decided.slices)) take(cluster, -1);
    for (const cluster of clustersIn(told.slices)) take(cluster, 1);
  }

  /** The writes that make its PlacementDecisions what they are to be. */
  writes(): SliceWrites {
    const result = this.result();
    if (this.isIgnored) return { writes: [], wakeAt: undefined };
    const { now, mode } = this.#world;
    if (this.#written?.result === result) {
      const { writes } = this.#written;
      if (writes.wakeAt === undefined || compareTimestamps(now, writes.wakeAt) < 0) return writes;
    }
    const { decided } = this.#sources;
    const { slices } = result;
    const writes = writesOf({ placement: this.placement, slices, decided, entry: this.entries(), mode, now });
    this.#written = { writes, result };
    return writes;
  }

  /** What a PlacementDecision says of a cluster that is selected or kept. */
  entries(): (name: string) => ClusterDecision {
    const { state } = this.result();
    const { match, selection, prepared } = this.#settled();
    const { fleet, mode } = this.#world;
    const { decided } = this.#sources;
    if (!mode.writesScores) return (clusterName) => ({ clusterName, reason: "" });
    if (state !== "placed") return (clusterName) => decided.decisionOf(clusterName) ?? { clusterName, reason: "" };
    const hasPredicates = prepared.predicates.length > 0;
    return (clusterName) => {
      const slot = fleet.slotOf(clusterName) as number;
      if (match.stage[slot] === STAGE.unread) return decided.decisionOf(clusterName) ?? { clusterName, reason: "" };
      const reason = hasPredicates
        ? `predicates[${match.matchedBy(slot)}] holds`
        : "every cluster of the eligible sets is wanted";
      return { clusterName, reason, score: selection.total(slot) };
    };
  }

  /** What the answer was made of. */
  evaluation(): Evaluation {
    // While there is an answer, it is made of what is known.
    return this.#result !== undefined && this.#evaluation !== undefined ? this.#evaluation : this.#settled();
  }

  /** Another answer may be true from now on. */
  #reopen(): void {
    this.#world.reopen(this.key);
    this.#result = undefined;
  }

  #rescore(name: string): FleetCluster | undefined {
    const entry = this.#world.fleet.get(name);
    if (entry === undefined || this.#evaluation === undefined) return undefined;
    if (!this.#touched.has(entry.slot)) this.#touched.set(entry.slot, entry);
    return entry;
  }

  #readEligibility(): Eligibility {
    const { bindings, sets, rejected } = this.#world;
    return eligibilityOf(this.placement, bindings(this.placement.namespace), sets, rejected);
  }

  #readDecided(): DecidedSlices {
    const { counts } = this.#world;
    const { namespace, name } = this.placement;
    return new DecidedSlices(name, counts.of(this.key), (slice) => counts.has(namespace, slice));
  }

  /** Works out what is not known. */
  #settled(): Evaluation {
    const isRedecided = this.#isRedecided;
    if (isRedecided) this.#sources.decided = this.#readDecided();
    const { most } = this.#sources.others;
    if ((this.#isRebalanced || this.#evaluation === undefined) && this.balances) {
      this.#sources.others = this.#world.others(this.key);
      this.#isRebalanced = false;
    }
    const isRescored = this.#sources.others.most !== most;
    this.#isRedecided = false;
    // What cost too much may be cheap now; nobody knows how far it had got.
    if (this.#evaluation?.match.exceedsCostLimit === true && this.#unjudged.size > 0) this.forget();
    if (this.#evaluation === undefined) this.#evaluation = this.#workOut();
    else if (this.#touched.size > 0 || isRescored) {
      const { match, selection, delta } = this.#evaluation;
      const rematch = (): void => {
        for (const slot of this.#touched.keys())
          if (this.#unjudged.has(slot)) match.match(slot);
          else match.lookAtScores(slot);
      };
      selection.change(this.#touched, rematch, isRescored);
      this.#note(selection.flips);
      if (match.exceedsCostLimit) {
        this.forget();
        this.#evaluation = this.#workOut();
      } else if (selection.flips === undefined || isRedecided)
        delta.restart(this.#sources.decided, selection.names.current());
      else delta.change(selection.flips);
    } else if (isRedecided)
      this.#evaluation.delta.restart(this.#sources.decided, this.#evaluation.selection.names.current());
    this.#touched.clear();
    this.#unjudged.clear();
    return this.#evaluation;
  }

  #note(flips: readonly Flip[] | undefined): void {
    if (flips === undefined) this.#flips = undefined;
    else this.#flips?.push(...flips);
  }

  #workOut(): Evaluation {
    const world = this.#world;
    const { fleet, mode } = world;
    const sources = this.#sources;
    const prepared = preparePlacement(this.placement, mode, world.compile);
    const eligibility = this.#readEligibility();
    const interests = interestsOf(prepared, eligibility);
    const isBroken = prepared.mistakes.some(({ plugin }) => mode.judgesWithoutClusters || plugin === "Predicate");
    const judging: Judging = {
      prepared,
      mode,
      addOnScores: world.addOnScores,
      get now() {
        return world.now;
      },
      get wanted() {
        return world.wanted;
      },
      isDecided: (cluster) => sources.decided.has(cluster),
      scoresFor: sources.scoresFor,
    };
    const match = new MatchState({
      fleet,
      eligibility,
      judging,
      canJudge: !isBroken && !this.isIgnored && eligibility.unreadable.length === 0 && !isStopped(eligibility, mode),
      scores: endingScores(interests, mode),
      rankingScores: interests.rankingScores,
      othersEnd:
        interests.readsOthers && mode.expiredScoresAreErrors ? world.addOnScores.nextEnd(interests.scores) : undefined,
      costLimit: world.placementCostLimit,
      isLate: world.isLate,
    });
    const scoring = new Scoring(prepared.prioritizers, sources);
    const selection = new Selection({
      fleet,
      match,
      scoring,
      ties: tiesOf(world.tieBreak, fleet, this.key),
      count: this.placement.numberOfClusters === undefined ? undefined : Math.max(0, this.placement.numberOfClusters),
      spreadConstraints: mode.spreads && prepared.mistakes.length === 0 ? this.placement.spreadConstraints : [],
      spreadWeight: prepared.spreadWeight,
    });
    const delta = new DecisionDelta(sources.decided, selection.names.current());
    return { prepared, eligibility, interests, judging, match, scoring, selection, delta };
  }
}

/** Before anything is known: nobody has chosen anything. */
const NOBODY: OtherDecisions = { most: 0, of: () => 0 };

/** All clusters of some slices, as often as they are there. */
function clustersIn(slices: readonly Pick<Slice, "clusters">[]): readonly string[] {
  return slices.flatMap(({ clusters }) => clusters);
}

/** The names that one list has more often than the other. */
function differing(names: readonly string[], others: readonly string[]): readonly string[] {
  const surplus = new Map<string, number>();
  for (const name of names) surplus.set(name, (surplus.get(name) ?? 0) + 1);
  for (const name of others) surplus.set(name, (surplus.get(name) ?? 0) - 1);
  return [...surplus].filter(([, count]) => count !== 0).map(([name]) => name);
}

/** The scores whose end makes a difference: to OCM, expired ones are as good as any in an expression. */
function endingScores({ scores, rankingScores }: Interests, mode: PlacementMode): ReadonlySet<string> | undefined {
  if (!mode.expiredScoresAreErrors) return rankingScores;
  return scores === undefined ? undefined : new Set([...scores, ...rankingScores]);
}

function isLeftAlone({ terminating, annotations }: Placement): boolean {
  return terminating || textUnder(annotations, DISABLED) === "true";
}

/** What of an eligibility is told beside the sets themselves. */
function rest({ bound, unusable, unreadable }: Eligibility): Json {
  return { isAnyBound: bound.length > 0, unusable, unreadable } as unknown as Json;
}

/** What a Placement asks for: all but what a controller writes into it. */
function asked({ generation: _, annotations: __, lastScoreUpdateTime: ___, ...rest }: Placement): Json {
  return rest as unknown as Json;
}
