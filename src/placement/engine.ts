// Which clusters does every Placement of a hub get, now and after each change? The cache of the pipeline: answers are evaluated
// when they are asked for, and updated only where a change can make a difference.
import { compareTimestamps, parseTimestamp, type Timestamp } from "../cel/value/timestamp.ts";
import type { FLEET_LISTS, KnownObjects, RejectedObject } from "../model/cluster-objects.ts";
import type { ManagedClusterSet, ManagedClusterSetBinding } from "../model/cluster-set.ts";
import { compareText } from "../model/json.ts";
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
import { ChangedParts, isSame } from "./interests.ts";
import type { PlacementMode } from "./placement-mode.ts";
import type { ClusterReport, PlacementDecisions, PlacementResult } from "./placement-result.ts";
import { PlacementState } from "./placement-state.ts";
import { type ReportOptions, reporterOf, rulePlaces } from "./report/cluster-report.ts";
import { positionOf, SchedulingOrder } from "./scheduling-order.ts";
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

/** All Placements of a hub: the cache of their evaluations. */
export class PlacementEngine {
  readonly #hub: Hub;
  readonly #states = new Map<string, PlacementState>();
  /** The same by key, in which order they are scheduled; undefined until needed. */
  #sorted: readonly PlacementState[] | undefined;
  readonly #order = new SchedulingOrder(() => this.#inOrder());
  /** How many Placements, from the first, have published their result to those after them. */
  #published = 0;
  /** How many clusters were evaluated for Placements that are gone. */
  #evaluations = 0;
  /** Placements that are affected if the largest number of decisions has changed. */
  readonly #doubtful = new Set<PlacementState>();

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
      const { wakeAt } = this.#answer(state);
      if (wakeAt !== undefined) first = earlier(first, parseTimestamp(wakeAt) as Timestamp);
    }
    return first;
  }

  /** The answer to a Placement. */
  result(key: string): PlacementResult | undefined {
    const state = this.#states.get(key);
    return state && this.#answer(state);
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

  /** The places of the rules that reports refer to, except taints. */
  rulePlaces(key: string): readonly Place[] {
    const state = this.#answered(key);
    return state === undefined ? [] : rulePlaces(state.evaluation());
  }

  /** The API calls that bring the PlacementDecisions up to date, in a safe order. */
  writes(key: string): SliceWrites {
    return this.#answered(key)?.writes() ?? { writes: [] };
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

  /** Sets whether PlacementDecisions on the hub have a score; returns the keys of the Placements whose writes may change. */
  storeScores(storesScores: boolean): readonly string[] {
    if (this.#hub.storesScores === storesScores) return [];
    this.#hub.storesScores = storesScores;
    for (const state of this.#states.values()) state.invalidate();
    return this.keys();
  }

  /** Moves time on; returns the sorted keys of the Placements whose answer may have changed. */
  advance(now: Timestamp): readonly string[] {
    const isBackwards = compareTimestamps(now, this.#hub.now) < 0;
    this.#hub.now = now;
    const states = [...this.#states.values()];
    // Tolerations and scores that have ended are not remembered.
    if (isBackwards) for (const state of states) state.invalidate();
    return this.#affectedKeys(new Set(states.filter((state) => state.advance())));
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
    const direct = new Set<PlacementState>();
    const rebalanced = new Set<PlacementState>();
    for (const change of changes) {
      if (change.kind === "PlacementDecision") this.#applyDecision(change, direct, rebalanced);
      else for (const state of this.#apply(change)) direct.add(state);
    }
    const all = new Set([...direct, ...rebalanced]);
    // Without those that a later change removed.
    for (const state of all) if (this.#states.get(state.key) !== state) all.delete(state);
    const keys = this.#affectedKeys(all);
    const isDirect = new Set([...direct].map(({ key }) => key));
    return { direct: keys.filter((key) => isDirect.has(key)), rebalanced: keys.filter((key) => !isDirect.has(key)) };
  }

  /**
   * An object exists, or may exist, and cannot be read; without a name, no object of its kind can be read. It is not removed: clusters keep
   * their place, and Placements that may use a set keep their decisions. Returns the sorted keys of the Placements whose
   * answer may have changed.
   */
  lose(object: RejectedObject): readonly string[] {
    return this.#affectedKeys(new Set(this.#lose(object)));
  }

  /** The objects of a kind can be read again; those that exist follow as changes. Returns the keys as {@link lose} does. */
  regain(kind: string): readonly string[] {
    this.#hub.dropUnread((one) => one.kind === kind && one.name === undefined);
    return this.#affectedKeys(new Set(this.#changeSets(() => true)));
  }

  /** A Placement, after its answer was found. */
  #answered(key: string): PlacementState | undefined {
    const state = this.#states.get(key);
    if (state !== undefined) this.#answer(state);
    return state;
  }

  /** The Placements by key. */
  #inOrder(): readonly PlacementState[] {
    this.#sorted ??= [...this.#states.values()].sort((a, b) => compareText(a.key, b.key));
    return this.#sorted;
  }

  #reporter(state: PlacementState, options: ReportOptions): (entry: FleetCluster) => ClusterReport {
    const result = this.#answer(state);
    return reporterOf(state.evaluation(), result, options);
  }

  /** The answer to a Placement. With Balance it depends on the decisions of those before it. */
  #answer(state: PlacementState): PlacementResult {
    const position = positionOf(this.#inOrder(), state.key);
    if (state.balances) for (; this.#published < position; this.#published++) this.#publish(this.#published);
    this.#publish(position);
    if (this.#published === position) this.#published++;
    for (const doubtful of this.#doubtful) doubtful.mayBeRescaled();
    this.#doubtful.clear();
    return state.answer().result;
  }

  /** Makes the result of a Placement known to those after it; returns those whose answer may change with it. */
  #publish(position: number): readonly PlacementState[] {
    const order = this.#inOrder();
    const moved = (order[position] as PlacementState).publish();
    let clusters: readonly string[] | undefined;
    return order.slice(position + 1).filter((state) => {
      if (!state.isEvaluated) return false;
      clusters ??= moved();
      return clusters.length > 0 && this.#changeOthers(state, clusters);
    });
  }

  /** The decisions of others have changed: is the answer to a Placement affected, as far as that is known now? */
  #changeOthers(state: PlacementState, clusters: Iterable<string>): boolean {
    const effect = state.changeOthers(clusters);
    if (effect === "if-rescaled") this.#doubtful.add(state);
    return effect === "yes";
  }

  /** The keys of `affected`, and of the Placements after them whose Balance scores change with their decisions. */
  #affectedKeys(affected: Set<PlacementState>): readonly string[] {
    const order = this.#inOrder();
    const last = order.findLastIndex((state) => state.isEvaluated && state.balances);
    for (const [position, state] of order.entries()) {
      if (position > last) break;
      if (!affected.has(state) && this.#doubtful.has(state) && state.isRescaled()) affected.add(state);
      if (position < last && affected.has(state)) for (const other of this.#publish(position)) affected.add(other);
    }
    this.#doubtful.clear();
    return [...affected].map(({ key }) => key).sort(compareText);
  }

  /** The decisions of a Placement may change: those after it have to wait for it. */
  #reopen(key: string): void {
    this.#order.rewind(key);
    this.#published = Math.min(this.#published, positionOf(this.#inOrder(), key));
  }

  /** Applies a change; returns the Placements whose answer may have changed. */
  #apply(change: InputChange): readonly PlacementState[] {
    const hub = this.#hub;
    switch (change.kind) {
      case "ManagedCluster":
        return this.#applyCluster(change.name, change.object);
      case "AddOnPlacementScore":
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
          this.#reopen(key);
          return [this.#add(change.object)];
        }
        state.changePlacement(change.object);
        return [state];
      }
    }
  }

  #add(placement: Placement): PlacementState {
    const state = new PlacementState(placement, this.#hub, {
      others: (key) => this.#order.others(key, this.#hub.decisions.namedBy(key)),
      reopen: (key) => this.#reopen(key),
    });
    this.#states.set(state.key, state);
    this.#sorted = undefined;
    return state;
  }

  /** A Placement is gone; its PlacementDecisions count until they are deleted, too. */
  #remove(state: PlacementState): readonly PlacementState[] {
    const moved: string[] = [];
    state.eachDecisionChange((cluster) => moved.push(cluster));
    this.#reopen(state.key);
    this.#evaluations += state.evaluations;
    this.#states.delete(state.key);
    this.#sorted = undefined;
    if (moved.length === 0) return [];
    const after = this.#inOrder().slice(positionOf(this.#inOrder(), state.key));
    return after.filter((other) => other.isEvaluated && this.#changeOthers(other, moved));
  }

  #lose(object: RejectedObject): readonly PlacementState[] {
    const { kind, namespace = "", name, place } = object;
    if (kind === "ManagedCluster" && name !== undefined)
      return this.#applyCluster(name, { name, place, isSupposed: false });
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
    const affected = [...this.#states.values()].filter(
      (state) => state.interests !== undefined && state.concerns(slot) && changed.concern(state.interests),
    );
    for (const state of affected) state.changeCluster(slot, before);
    return affected;
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
    const { addOnScores, fleet } = this.#hub;
    if (score === undefined) addOnScores.remove(cluster, name);
    else addOnScores.add(cluster, name, score);
    const entry = fleet.get(cluster);
    return [...this.#states.values()].filter((state) => state.changeScore(entry, name));
  }

  /** Applies a change of a PlacementDecision: its Placement is affected, and those that count decisions. */
  #applyDecision(
    { namespace, name, object }: DecisionChange,
    direct: Set<PlacementState>,
    rebalanced: Set<PlacementState>,
  ): void {
    const { decisions } = this.#hub;
    const owners = [...decisions.ownersOf(namespace, name, object)];
    for (const owner of owners) if (owner !== undefined && this.#states.has(owner)) this.#reopen(owner);
    const clusters = decisions.change(namespace, name, object);
    // Of any owner: the name is now taken, or free again.
    const named = `${namespace}/${name.replace(/-decision-[0-9]+$/, "")}`;
    // Placements after an owner count its new decisions, not those on the hub.
    const isCounted = (key: string): boolean =>
      owners.some((owner) => owner === undefined || !this.#states.has(owner) || compareText(key, owner) < 0);
    for (const state of this.#states.values()) {
      const isOwn = owners.includes(state.key);
      if (isOwn) state.changeDecisions(clusters);
      else if (state.key === named) state.changeDecisions([]);
      const isRebalanced = isCounted(state.key) && this.#changeOthers(state, clusters);
      if (isOwn || state.key === named) direct.add(state);
      else if (isRebalanced) rebalanced.add(state);
    }
  }
}
