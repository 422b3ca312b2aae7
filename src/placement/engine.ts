// Which clusters does every Placement of a hub get, now and after each change? The cache of the pipeline: answers are evaluated
// when they are asked for, and updated only where a change can make a difference.
import { compareTimestamps, parseTimestamp, type Timestamp } from "../cel/value/timestamp.ts";
import type { FLEET_LISTS, KnownObjects, RejectedObject } from "../model/cluster-objects.ts";
import type { ManagedClusterSet, ManagedClusterSetBinding } from "../model/cluster-set.ts";
import { compareText, isSame } from "../model/json.ts";
import type { LostText } from "../model/lost-text.ts";
import type { ManagedCluster } from "../model/managed-cluster.ts";
import type { Place } from "../model/place.ts";
import type { Placement } from "../model/placement.ts";
import type { PlacementDecision } from "../model/placement-decision.ts";
import type { AddOnPlacementScore } from "../model/placement-score.ts";
import { readSet } from "./eligible/eligibility.ts";
import type { UnreadCluster } from "./eligible/unread.ts";
import { earlier } from "./filter/taint-toleration.ts";
import { Fleet, type FleetCluster } from "./fleet.ts";
import { Hub } from "./hub.ts";
import { ChangedParts } from "./interests.ts";
import type { PlacementMode, ScoredDecisions } from "./placement-mode.ts";
import type { ClusterReport, PlacementDecisions, PlacementResult } from "./placement-result.ts";
import { PlacementState } from "./placement-state.ts";
import { type Affected, type DecidedClusters, Publishing } from "./publishing.ts";
import { type ReportOptions, reporterOf, rulePlaces } from "./report/cluster-report.ts";
import { positionOf, SchedulingOrder } from "./scheduling-order.ts";
import type { UnreadScore } from "./score/unread-scores.ts";
import type { TieBreak } from "./select/tie-break.ts";
import type { SliceWrites } from "./write/writes.ts";

/** The objects that placement is about. */
export type FleetObjects = Pick<KnownObjects, (typeof FLEET_LISTS)[number]> & {
  /** Objects that could not be read. */
  readonly rejected?: readonly RejectedObject[];
  /** What could not be read as objects at all. Clusters of these PlacementDecisions may be in it. */
  readonly lost?: LostText;
};

/** How to place. */
export interface PlacingOptions {
  /** The time at which tolerations and scores are evaluated. */
  readonly now: Timestamp;
  readonly mode?: PlacementMode | undefined;
  readonly tieBreak?: TieBreak | undefined;
  /** Cost limit for one evaluation of an expression. */
  readonly costLimit?: number | undefined;
  /** Cost limit for all evaluations for one Placement. */
  readonly placementCostLimit?: number | undefined;
  /** Has the deadline passed? From then on Placements are undecided. */
  readonly isLate?: (() => boolean) | undefined;
  /** Do scores of a cluster that the Placement has already count after they expire? */
  readonly onExpiredScore?: "error" | "keep" | undefined;
}

type ChangeOf<Kind, Object> = { readonly kind: Kind; readonly name: string; readonly object: Object | undefined };
type ChangeIn<Kind, Object> = ChangeOf<Kind, Object> & { readonly namespace: string };

type DecisionChange = ChangeIn<"PlacementDecision", PlacementDecision>;
type InputChange =
  | ChangeOf<"ManagedCluster", ManagedCluster>
  | ChangeOf<"ManagedClusterSet", ManagedClusterSet>
  | ChangeIn<"ManagedClusterSetBinding", ManagedClusterSetBinding>
  | ChangeIn<"Placement", Placement>
  | ChangeIn<"AddOnPlacementScore", AddOnPlacementScore>;

/** An object that was added or changed; undefined: removed. */
export type FleetChange = InputChange | DecisionChange;

/** The keys of the Placements whose answer may have changed, sorted. */
export interface AffectedPlacements {
  readonly direct: readonly string[];
  /** Only the decisions of others have changed: Balance counts them. */
  readonly rebalanced: readonly string[];
}

const SET = "ManagedClusterSet";
const BINDING = "ManagedClusterSetBinding";
const SCORE = "AddOnPlacementScore";

/** All Placements of a hub: the cache of their evaluations. */
export class PlacementEngine {
  readonly #hub: Hub;
  readonly #states = new Map<string, PlacementState>();
  /** The same by key, in which order they are scheduled; undefined until needed. */
  #sorted: readonly PlacementState[] | undefined;
  readonly #order = new SchedulingOrder(() => this.#inOrder());
  readonly #publishing = new Publishing(
    () => this.#inOrder(),
    (key) => this.#order.rewind(key),
  );
  /** How many clusters were evaluated for Placements that are gone. */
  #evaluations = 0;

  constructor(objects: FleetObjects, options: PlacingOptions) {
    this.#hub = new Hub(objects, options, (cluster, step) => this.#order.count(cluster, step));
    for (const placement of objects.placements) this.#add(placement);
  }

  /** The keys `namespace/name` of the Placements, sorted. */
  keys(): readonly string[] {
    return this.#inOrder().map(({ key }) => key);
  }

  /** How many times a cluster was evaluated for a Placement. */
  get evaluations(): number {
    let evaluations = this.#evaluations;
    for (const state of this.#states.values()) evaluations += state.evaluations;
    return evaluations;
  }

  /** The next moment at which time alone may change some answer. */
  get wakeAt(): Timestamp | undefined {
    let first: Timestamp | undefined;
    for (const state of this.#inOrder()) {
      const { wakeAt } = this.#publishing.answer(state);
      if (wakeAt !== undefined) first = earlier(first, parseTimestamp(wakeAt) as Timestamp);
    }
    return first;
  }

  /** The answer to a Placement. */
  result(key: string): PlacementResult | undefined {
    const state = this.#states.get(key);
    return state && this.#publishing.answer(state);
  }

  /** Which clusters a Placement has, and how they are divided. */
  decisions(key: string): PlacementDecisions | undefined {
    const decisions = this.#answered(key)?.answer().decisions;
    return decisions && { selected: decisions.selected(), groups: decisions.groups(), slices: decisions.slices() };
  }

  /** What each rule says of a cluster. */
  report(key: string, cluster: string, options: ReportOptions = {}): ClusterReport | undefined {
    const state = this.#states.get(key);
    const entry = this.#hub.fleet.get(cluster);
    if (state === undefined || entry === undefined) return undefined;
    return this.#reporter(state, options)(entry);
  }

  /** The reports of every member of the eligible sets, and of every cluster that is kept, by name. */
  reports(key: string, options: ReportOptions = {}): readonly ClusterReport[] {
    return [...this.eachReport(key, options)];
  }

  /** The same, one at a time: there may be very many. Nothing may change before the last one is read. */
  *eachReport(key: string, options: ReportOptions = {}): Generator<ClusterReport> {
    const state = this.#states.get(key);
    if (state === undefined) return;
    const reportOf = this.#reporter(state, options);
    const isKept = state.answer().result.state !== "placed";
    const { decided } = state.evaluation().input;
    for (const entry of this.#hub.fleet.clusters())
      if (state.isCandidate(entry.slot) || (isKept && decided.has(entry.cluster.name))) yield reportOf(entry);
  }

  /** Is a cluster in the sets that a Placement may choose from? */
  isCandidate(key: string, cluster: string): boolean {
    const slot = this.#hub.fleet.slotOf(cluster);
    return slot !== undefined && this.#answered(key)?.isCandidate(slot) === true;
  }

  /** The places of the rules that reports refer to, except taints. */
  rulePlaces(key: string): readonly Place[] {
    const state = this.#answered(key);
    return state === undefined ? [] : rulePlaces(state.evaluation());
  }

  /** The API calls that bring the PlacementDecisions up to date, in a safe order. */
  writes(key: string): SliceWrites {
    return this.#answered(key)?.writes() ?? { writes: [], isMove: false };
  }

  /** The weighted sums of the first clusters that were ranked, by name. */
  scores(key: string, most: number): ReadonlyMap<string, number> {
    const scores = new Map<string, number>();
    const { match, selection } = this.#answered(key)?.evaluation() ?? {};
    for (const { cluster, slot } of match?.feasible() ?? []) {
      if (scores.size === most) break;
      scores.set(cluster.name, selection?.total(slot) ?? 0);
    }
    return scores;
  }

  /** Sets whose PlacementDecisions have scores, by default all; returns the keys of the Placements whose writes may change. */
  writeScores(scoredDecisions: ScoredDecisions): readonly string[] {
    if (this.#hub.scoredDecisions === scoredDecisions) return [];
    this.#hub.scoredDecisions = scoredDecisions;
    for (const state of this.#states.values()) state.invalidate();
    return this.keys();
  }

  /** Do the decisions of a Placement have scores? */
  writesScoresOf(key: string): boolean {
    const state = this.#states.get(key);
    return state !== undefined && this.#hub.writesScoresOf(state.placement);
  }

  /** Moves time on; returns the sorted keys of the Placements whose answer may have changed. */
  advance(now: Timestamp): readonly string[] {
    const isBackwards = compareTimestamps(now, this.#hub.now) < 0;
    this.#hub.now = now;
    const affected = new Set<PlacementState>();
    for (const state of this.#states.values()) {
      // Tolerations and scores that have ended are not remembered.
      if (isBackwards) state.invalidate();
      if (isBackwards || state.advance()) affected.add(state);
    }
    return this.#keysOf(affected);
  }

  /**
   * Applies changes; returns the sorted keys of the Placements whose answer may have changed. A Placement that was returned before
   * and whose result has not been read since is not returned again.
   */
  apply(changes: readonly FleetChange[]): readonly string[] {
    const { direct, rebalanced } = this.applyChanges(changes);
    return [...direct, ...rebalanced].sort(compareText);
  }

  /** The same, with those apart that are affected only by how many decisions of others name a cluster. */
  applyChanges(changes: readonly FleetChange[]): AffectedPlacements {
    const affected: Affected = { direct: new Set(), rebalanced: new Set() };
    let decided: DecidedClusters[] = [];
    for (const change of changes) {
      if (change.kind === "PlacementDecision") this.#applyDecision(change, affected.direct, decided);
      else {
        // Which Placements count the decisions on the hub depends on which Placements there are.
        if (change.kind === "Placement") {
          this.#publishing.countDecided(decided, affected);
          decided = [];
        }
        for (const state of this.#apply(change)) affected.direct.add(state);
      }
    }
    this.#publishing.countDecided(decided, affected);
    return this.#followed(affected);
  }

  /**
   * An object exists, or may exist, and cannot be read; without a name, no object of its kind can be read. It is not removed: clusters keep
   * their place, also in Placements that may read a score, and Placements that may use a set keep their decisions. Returns the sorted
   * keys of the Placements whose answer may have changed.
   */
  lose(object: RejectedObject): readonly string[] {
    return this.loseAll([object]);
  }

  /** The same for many: what they affect is evaluated once. */
  loseAll(objects: readonly RejectedObject[]): readonly string[] {
    return this.#keysOf(new Set(objects.flatMap((object) => this.#lose(object))));
  }

  /** The objects of a kind can be read again; those that exist follow as changes. Returns the keys as {@link lose} does. */
  regain(kind: string): readonly string[] {
    this.#hub.dropUnread((one) => one.kind === kind && one.name === undefined);
    return this.#keysOf(new Set(this.#changeSets(() => true)));
  }

  /** The sorted keys of affected Placements, and of those that count their decisions. */
  #keysOf(direct: Set<PlacementState>): readonly string[] {
    const affected = this.#followed({ direct, rebalanced: new Set() });
    return [...affected.direct, ...affected.rebalanced].sort(compareText);
  }

  /** The same, apart, and without those that a later change removed. */
  #followed(affected: Affected): AffectedPlacements {
    this.#publishing.follow(affected);
    const { direct, rebalanced } = affected;
    const keysOf = (states: Iterable<PlacementState>): readonly string[] =>
      [...states].flatMap((state) => (this.#states.get(state.key) === state ? [state.key] : [])).sort(compareText);
    return { direct: keysOf(direct), rebalanced: keysOf([...rebalanced].filter((state) => !direct.has(state))) };
  }

  /** A Placement, after its answer was found. */
  #answered(key: string): PlacementState | undefined {
    const state = this.#states.get(key);
    if (state !== undefined) this.#publishing.answer(state);
    return state;
  }

  /** The Placements by key. */
  #inOrder(): readonly PlacementState[] {
    this.#sorted ??= [...this.#states.values()].sort((a, b) => compareText(a.key, b.key));
    return this.#sorted;
  }

  #reporter(state: PlacementState, options: ReportOptions): (entry: FleetCluster) => ClusterReport {
    const result = this.#publishing.answer(state);
    return reporterOf(state.evaluation(), result, options);
  }

  /** Applies a change; returns the Placements whose answer may have changed. */
  #apply(change: InputChange): readonly PlacementState[] {
    const hub = this.#hub;
    switch (change.kind) {
      case "ManagedCluster":
        return this.#applyCluster(change.name, change.object);
      case SCORE:
        return this.#applyScore(change.namespace, change.name, change.object);
      case SET: {
        const { name, object } = change;
        hub.dropUnread((one) => one.kind === SET && one.name === name);
        if (object === undefined) hub.sets.delete(name);
        else if (!isSame(hub.sets.get(name)?.set, object)) hub.sets.set(name, readSet(object));
        return this.#changeSets(
          ({ namespace, clusterSets }) => hub.isBound(namespace, name) || clusterSets.includes(name),
        );
      }
      case BINDING: {
        const { namespace, name, object } = change;
        hub.dropUnread(
          (one) => one.kind === BINDING && one.name === name && (one.namespace ?? namespace) === namespace,
        );
        hub.bind(namespace, name, object);
        return this.#changeSets((placement) => placement.namespace === namespace);
      }
      case "Placement": {
        const key = `${change.namespace}/${change.name}`;
        const state = this.#states.get(key);
        if (change.object === undefined) return state === undefined ? [] : this.#remove(state);
        if (state === undefined) {
          this.#publishing.reopen(key);
          return [this.#add(change.object)];
        }
        state.changePlacement(change.object);
        return [state];
      }
    }
  }

  #add(placement: Placement): PlacementState {
    const state = new PlacementState(placement, this.#hub, {
      others: (key, own) => this.#order.others(key, own),
      reopen: (key) => this.#publishing.reopen(key),
    });
    this.#states.set(state.key, state);
    this.#sorted = undefined;
    return state;
  }

  /** A Placement is gone; its PlacementDecisions count until they are deleted, too. */
  #remove(state: PlacementState): readonly PlacementState[] {
    const moved = new Set<string>();
    state.eachDecisionChange((cluster) => moved.add(cluster));
    this.#publishing.reopen(state.key);
    this.#evaluations += state.evaluations;
    this.#states.delete(state.key);
    this.#sorted = undefined;
    if (moved.size === 0) return [];
    const after = this.#inOrder().slice(positionOf(this.#inOrder(), state.key));
    return after.filter((other) => this.#publishing.changeOthers(other, moved));
  }

  #lose(object: RejectedObject): readonly PlacementState[] {
    const { kind, namespace = "", name, place } = object;
    if (kind === "ManagedCluster" && name !== undefined)
      return this.#applyCluster(name, { name, place, isSupposed: false });
    if (kind === SCORE && name !== undefined) return this.#loseScore({ cluster: namespace, name, place });
    if (kind === SET && name !== undefined) this.#hub.sets.delete(name);
    if (kind === BINDING && name !== undefined) this.#hub.bind(namespace, name, undefined);
    this.#hub.lose(object);
    return this.#changeSets(() => true);
  }

  #changeSets(isMeant: (placement: Placement) => boolean): readonly PlacementState[] {
    return [...this.#states.values()].filter((state) => isMeant(state.placement) && state.changeSets());
  }

  #applyCluster(name: string, cluster: ManagedCluster | UnreadCluster | undefined): readonly PlacementState[] {
    const isCompacted = this.#hub.fleet.isSparse;
    if (isCompacted) this.#compactFleet();
    const { fleet } = this.#hub;
    const before = cluster === undefined ? fleet.remove(name) : fleet.put(cluster);
    if (isCompacted) return [...this.#states.values()];
    const slot = fleet.slotOf(name);
    if (slot === undefined) return [];
    const changed = new ChangedParts(before, fleet.at(slot), this.#hub);
    return [...this.#states.values()].filter(
      (state) =>
        state.interests !== undefined &&
        state.concerns(slot) &&
        changed.concern(state.interests) &&
        state.changeCluster(slot, before),
    );
  }

  /** Gives all clusters new slots. */
  #compactFleet(): void {
    const entries = [...this.#hub.fleet.clusters()];
    const clusters = entries.filter(({ isUnread }) => !isUnread).map((entry) => entry.cluster);
    this.#hub.fleet = new Fleet(
      clusters,
      entries.flatMap((entry) => entry.unread ?? []),
    );
    for (const state of this.#states.values()) state.invalidate();
  }

  #applyScore(cluster: string, name: string, score: AddOnPlacementScore | undefined): readonly PlacementState[] {
    const { addOnScores, unreadScores } = this.#hub;
    const wasUnread = unreadScores.remove(cluster, name);
    if (score === undefined) addOnScores.remove(cluster, name);
    else addOnScores.add(cluster, name, score);
    return this.#changeScore(cluster, name, wasUnread);
  }

  #loseScore(score: UnreadScore): readonly PlacementState[] {
    const { cluster, name } = score;
    this.#hub.addOnScores.remove(cluster, name);
    this.#hub.unreadScores.add(score);
    return this.#changeScore(cluster, name, true);
  }

  /** `isFiltered`: it could not be read before, or cannot be now. */
  #changeScore(cluster: string, name: string, isFiltered: boolean): readonly PlacementState[] {
    const entry = this.#hub.fleet.get(cluster);
    return [...this.#states.values()].filter((state) => state.changeScore(entry, name, isFiltered));
  }

  /** Applies a change of a PlacementDecision: its Placement is affected, and those that count decisions, which follow together. */
  #applyDecision(
    { namespace, name, object }: DecisionChange,
    direct: Set<PlacementState>,
    decided: DecidedClusters[],
  ): void {
    const { decisions } = this.#hub;
    const owners = decisions.ownersOf(namespace, name, object);
    for (const owner of owners) if (owner !== undefined && this.#states.has(owner)) this.#publishing.reopen(owner);
    const clusters = decisions.change(namespace, name, object);
    // Of any owner: the name is now taken, or free again.
    const named = this.#states.get(`${namespace}/${name.replace(/-decision-[0-9]+$/, "")}`);
    if (named !== undefined && !owners.has(named.key)) {
      named.changeDecisions([]);
      direct.add(named);
    }
    // Placements after an owner that has published new decisions count those, not the ones on the hub.
    let end = 0;
    for (const owner of owners) {
      const state = owner === undefined ? undefined : this.#states.get(owner);
      state?.changeDecisions(clusters);
      if (state !== undefined) direct.add(state);
      end = Math.max(end, state?.hasPublished ? positionOf(this.#inOrder(), state.key) : Number.POSITIVE_INFINITY);
    }
    if (clusters.size > 0) decided.push({ clusters, end });
  }
}
