// Which clusters does every Placement of a hub get, now and after each change? Answers are worked out when they are asked
// for, and again only where a change can have made a difference.
import type { Program } from "../cel/program.ts";
import { compareTimestamps, type Timestamp } from "../cel/value/timestamp.ts";
import type { KnownObjects, RejectedObject } from "../model/cluster-objects.ts";
import type { ManagedClusterSet, ManagedClusterSetBinding } from "../model/cluster-set.ts";
import { compareText, type Json } from "../model/json.ts";
import type { LostText } from "../model/lost-text.ts";
import type { ManagedCluster } from "../model/managed-cluster.ts";
import type { Place } from "../model/place.ts";
import type { Placement } from "../model/placement.ts";
import type { PlacementDecision } from "../model/placement-decision.ts";
import type { AddOnPlacementScore } from "../model/placement-score.ts";
import { type WantedFields, wantedFields } from "./cel/managed-cluster-value.ts";
import { placementExpression } from "./cel/placement-environment.ts";
import { DecisionCounts } from "./decide/decision-counts.ts";
import { type ReadSet, readSet } from "./eligible/eligibility.ts";
import { type UnreadSet, unreadClusters, unreadSets } from "./eligible/unread.ts";
import type { PlacementWorld } from "./evaluation.ts";
import type { CheckOptions } from "./filter/cluster-checks.ts";
import { earlier } from "./filter/taint-toleration.ts";
import { type BindingSource, Fleet, type FleetCluster } from "./fleet.ts";
import { type Interests, isSame, readBy } from "./interests.ts";
import { DEFAULT_MODE, type PlacementMode } from "./placement-mode.ts";
import type { ClusterReport, PlacementResult } from "./placement-result.ts";
import { PlacementState } from "./placement-state.ts";
import type { CompileExpression } from "./prepare/prepare.ts";
import { reportOf, rulePlaces } from "./report/cluster-report.ts";
import { AddOnScores } from "./score/add-on-scores.ts";
import type { TieBreak } from "./select/tie-break.ts";
import { Turns, turnOf } from "./turns.ts";
import type { SliceWrites } from "./write/writes.ts";

/** The objects that placement is about. */
export type FleetObjects = Pick<
  KnownObjects,
  | "managedClusters"
  | "managedClusterSets"
  | "managedClusterSetBindings"
  | "placements"
  | "placementDecisions"
  | "addOnPlacementScores"
> & {
  /** Objects that were given and could not be read. */
  readonly rejected?: readonly RejectedObject[];
  /** What could not be read as objects at all. Clusters of these PlacementDecisions may be in it. */
  readonly lost?: LostText;
};

/** How to place. */
export interface PlacingOptions {
  /** The time that taints and scores are judged by. */
  readonly now: Timestamp;
  readonly mode?: PlacementMode | undefined;
  readonly tieBreak?: TieBreak | undefined;
  /** What one evaluation of an expression may cost. */
  readonly costLimit?: number | undefined;
  /** What all evaluations for one Placement may cost. */
  readonly placementCostLimit?: number | undefined;
  /** Is there no more time? From then on Placements are undecided. */
  readonly isLate?: (() => boolean) | undefined;
  /** What becomes of a cluster that the Placement has when its score expires: as any other; or the score counts as it was. */
  readonly onExpiredScore?: "error" | "keep" | undefined;
}

type ChangeOf<Kind, Object> = { readonly kind: Kind; readonly name: string; readonly object: Object | undefined };
type ChangeIn<Kind, Object> = ChangeOf<Kind, Object> & { readonly namespace: string };

/** An object that is new or changed, or (undefined) gone. */
export type FleetChange =
  | ChangeOf<"ManagedCluster", ManagedCluster>
  | ChangeOf<"ManagedClusterSet", ManagedClusterSet>
  | ChangeIn<"ManagedClusterSetBinding", ManagedClusterSetBinding>
  | ChangeIn<"Placement", Placement>
  | ChangeIn<"PlacementDecision", PlacementDecision>
  | ChangeIn<"AddOnPlacementScore", AddOnPlacementScore>;

const SET = "ManagedClusterSet";
const BINDING = "ManagedClusterSetBinding";

/** About ten seconds of evaluation. */
const PLACEMENT_COST_LIMIT = 1_000_000_000;

/** All Placements of a hub. */
export class PlacementEngine {
  #fleet: Fleet;
  readonly #sets = new Map<string, ReadSet>();
  readonly #bindings = new Map<string, Map<string, ManagedClusterSetBinding>>();
  /** Sets and bindings that could not be read and have not come again since. */
  #rejected: readonly UnreadSet[];
  readonly #turns = new Turns(() => this.#inOrder());
  readonly #counts = new DecisionCounts((cluster, step) => this.#turns.give(cluster, step));
  readonly #addOnScores: AddOnScores;
  readonly #states = new Map<string, PlacementState>();
  /** The same by key; undefined while nobody needs it. */
  #order: readonly PlacementState[] | undefined;
  /** So many of them, from the first, have an answer that those after them know. */
  #answered = 0;
  readonly #world: PlacementWorld;
  #now: Timestamp;
  /** All paths that expressions have read so far, by their text, and the fields that they lead to. */
  readonly #paths = new Map<string, readonly string[]>();
  #wanted: WantedFields | undefined = new Map();
  /** How many clusters were judged for Placements that are gone. */
  #judged = 0;

  constructor(objects: FleetObjects, options: PlacingOptions) {
    const mode = options.mode ?? DEFAULT_MODE;
    this.#now = options.now;
    this.#fleet = new Fleet(objects.managedClusters, unreadClusters(objects));
    this.#rejected = unreadSets(objects);
    this.#addOnScores = AddOnScores.of(objects.addOnPlacementScores, {
      now: options.now,
      ignoreExpiry: !mode.expiredScoresAreErrors,
    });
    for (const set of objects.managedClusterSets) this.#sets.set(set.name, readSet(set));
    for (const binding of objects.managedClusterSetBindings) this.#bind(binding.namespace, binding.name, binding);
    for (const decision of objects.placementDecisions) this.#counts.change(decision.namespace, decision.name, decision);
    const now = (): Timestamp => this.#now;
    const fleet = (): Fleet => this.#fleet;
    const wanted = (): WantedFields | undefined => this.#wanted;
    const rejected = (): readonly UnreadSet[] => this.#rejected;
    const compile = compiler(mode, options.costLimit);
    this.#world = {
      get fleet() {
        return fleet();
      },
      sets: this.#sets,
      get rejected() {
        return rejected();
      },
      bindings: (namespace) => [...(this.#bindings.get(namespace)?.values() ?? [])],
      counts: this.#counts,
      others: (key) => this.#turns.others(key, this.#counts.chosenBy(key)),
      reopen: (key) => this.#reopen(key),
      addOnScores: this.#addOnScores,
      mode,
      tieBreak: options.tieBreak ?? "name",
      placementCostLimit: options.placementCostLimit ?? PLACEMENT_COST_LIMIT,
      isLate: options.isLate ?? (() => false),
      scoresWithoutExpiry: options.onExpiredScore === "keep" ? this.#addOnScores.eternal() : undefined,
      compile: (text) => {
        const compiled = compile(text);
        if (compiled.program !== undefined) this.#want(compiled.program);
        return compiled;
      },
      get wanted() {
        return wanted();
      },
      get now() {
        return now();
      },
    };
    for (const placement of objects.placements) this.#place(placement);
  }

  /** The keys `namespace/name` of the Placements, sorted. */
  keys(): readonly string[] {
    return this.#inOrder().map(({ key }) => key);
  }

  /** How many clusters have been judged by predicates, one for each cluster and Placement. */
  get judged(): number {
    let judged = this.#judged;
    for (const state of this.#states.values()) judged += state.judged;
    return judged;
  }

  /** The next moment at which time alone may change some answer. */
  get wakeAt(): Timestamp | undefined {
    let first: Timestamp | undefined;
    for (const state of this.#inOrder()) first = earlier(first, this.#answer(state).wakeAt);
    return first;
  }

  /** The answer to a Placement. */
  result(key: string): PlacementResult | undefined {
    const state = this.#states.get(key);
    return state && this.#answer(state);
  }

  /** What each rule says of a cluster. */
  report(key: string, cluster: string, options: CheckOptions = {}): ClusterReport | undefined {
    const state = this.#states.get(key);
    const entry = this.#fleet.get(cluster);
    if (state === undefined || entry === undefined) return undefined;
    this.#answer(state);
    return reportOf({ state, sets: this.#setsByName(), options }, entry);
  }

  /** The reports of every member of the eligible sets, and of every cluster that is kept, by name. */
  reports(key: string, options: CheckOptions = {}): readonly ClusterReport[] {
    return [...this.eachReport(key, options)];
  }

  /** The same, made one after the other: there may be very many. Until the last one nothing may change. */
  *eachReport(key: string, options: CheckOptions = {}): Generator<ClusterReport> {
    const state = this.#states.get(key);
    if (state === undefined) return;
    const asked = { state, sets: this.#setsByName(), options };
    const isKept = this.#answer(state).state !== "placed";
    const { decided } = state;
    for (const entry of this.#fleet.clusters())
      if (state.looksAt(entry.slot) || (isKept && decided.has(entry.cluster.name))) yield reportOf(asked, entry);
  }

  /** Where the rules of a Placement stand, but for those that come from clusters: all that the checks of a report name. */
  rulePlaces(key: string): readonly Place[] {
    const state = this.#states.get(key);
    if (state === undefined) return [];
    this.#answer(state);
    return rulePlaces(state.evaluation());
  }

  /** The writes that make the PlacementDecisions what they are to be, in a safe order. */
  writes(key: string): SliceWrites {
    const state = this.#states.get(key);
    if (state === undefined) return { writes: [], wakeAt: undefined };
    this.#answer(state);
    return state.writes();
  }

  /** Moves time on; the keys of the Placements whose answer may be another one now, sorted. */
  advance(now: Timestamp): readonly string[] {
    const isBackwards = compareTimestamps(now, this.#now) < 0;
    this.#now = now;
    this.#addOnScores.now = now;
    const states = [...this.#states.values()];
    // What has ended may not have ended yet: nobody keeps a list of that.
    if (isBackwards) for (const state of states) state.forget();
    return this.#passOn(new Set(states.filter((state) => state.advance())));
  }

  /**
   * Takes changes in; the keys of the Placements whose answer may be another one now, sorted. A Placement that was named before
   * and has not been asked about since then is not named again.
   */
  apply(changes: readonly FleetChange[]): readonly string[] {
    const affected = new Set<PlacementState>();
    for (const change of changes) for (const state of this.#take(change)) affected.add(state);
    // One that has gone since then is not named.
    for (const state of affected) if (this.#states.get(state.key) !== state) affected.delete(state);
    return this.#passOn(affected);
  }

  /** The Placements by key. */
  #inOrder(): readonly PlacementState[] {
    this.#order ??= [...this.#states.values()].sort((a, b) => compareText(a.key, b.key));
    return this.#order;
  }

  /** The answer to a Placement. What those before it have decided counts, if it matters to it. */
  #answer(state: PlacementState): PlacementResult {
    const order = this.#inOrder();
    const turn = turnOf(order, state.key);
    if (state.balances) for (; this.#answered < turn; this.#answered++) this.#hear(this.#answered);
    this.#hear(turn);
    if (this.#answered === turn) this.#answered++;
    return state.result();
  }

  /** Has a Placement answered, and tells those after it; the ones that may answer differently because of it. */
  #hear(turn: number): readonly PlacementState[] {
    const order = this.#inOrder();
    const clusters = (order[turn] as PlacementState).tell();
    let moved: readonly string[] | undefined;
    return order.filter((state, index) => {
      if (index <= turn || !state.isWorkedOut) return false;
      moved ??= clusters();
      return moved.length > 0 && state.rebalance(moved);
    });
  }

  /**
   * The keys of all Placements whose answer may be another one when those of `affected` may: somebody who has been answered, and
   * to whom it matters what those before it choose, hears of it if they choose differently.
   */
  #passOn(affected: Set<PlacementState>): readonly string[] {
    const order = this.#inOrder();
    const last = order.findLastIndex((state) => state.isWorkedOut && state.balances);
    for (const [turn, state] of order.entries()) {
      if (turn >= last) break;
      if (affected.has(state)) for (const other of this.#hear(turn)) affected.add(other);
    }
    return [...affected].map(({ key }) => key).sort(compareText);
  }

  /** The answer of a Placement is going to be another one. */
  #reopen(key: string): void {
    this.#turns.rewind(key);
    this.#answered = Math.min(this.#answered, turnOf(this.#inOrder(), key));
  }

  #take(change: FleetChange): readonly PlacementState[] {
    switch (change.kind) {
      case "ManagedCluster":
        return this.#takeCluster(change.name, change.object);
      case "AddOnPlacementScore":
        return this.#takeScore(change.namespace, change.name, change.object);
      case "PlacementDecision":
        return this.#takeDecision(change.namespace, change.name, change.object);
      case SET: {
        this.#mend(({ kind, name }) => kind === SET && name === change.name);
        if (change.object === undefined) this.#sets.delete(change.name);
        else if (!isSame(asJson(this.#sets.get(change.name)?.set), asJson(change.object)))
          this.#sets.set(change.name, readSet(change.object));
        return this.#rebind(
          ({ placement }) =>
            this.#bindings.get(placement.namespace)?.has(change.name) === true ||
            placement.clusterSets.includes(change.name),
        );
      }
      case BINDING: {
        const { namespace, name } = change;
        this.#mend((one) => one.kind === BINDING && one.name === name && (one.namespace ?? namespace) === namespace);
        this.#bind(change.namespace, change.name, change.object);
        return this.#rebind(({ placement }) => placement.namespace === change.namespace);
      }
      case "Placement": {
        const key = `${change.namespace}/${change.name}`;
        const state = this.#states.get(key);
        if (change.object === undefined) return state === undefined ? [] : this.#remove(state);
        if (state === undefined) {
          this.#reopen(key);
          return [this.#place(change.object)];
        }
        state.replace(change.object);
        return [state];
      }
    }
  }

  /** What has come again, or is gone, is known. */
  #mend(isMeant: (object: RejectedObject) => boolean): void {
    if (this.#rejected.some(isMeant)) this.#rejected = this.#rejected.filter((object) => !isMeant(object));
  }

  #want(program: Program): void {
    const { size } = this.#paths;
    for (const path of readBy(program).paths) {
      const fields = path.slice(0, 2);
      this.#paths.set(JSON.stringify(fields), fields);
    }
    if (this.#paths.size > size) this.#wanted = wantedFields(this.#paths.values());
  }

  #setsByName(): readonly ReadSet[] {
    return [...this.#sets.values()].sort((a, b) => compareText(a.set.name, b.set.name));
  }

  #place(placement: Placement): PlacementState {
    const state = new PlacementState(placement, this.#world);
    this.#states.set(state.key, state);
    this.#order = undefined;
    return state;
  }

  /** A Placement is gone; its decisions stay until somebody deletes them. */
  #remove(state: PlacementState): readonly PlacementState[] {
    const moved: string[] = [];
    state.eachShift((cluster) => moved.push(cluster));
    this.#reopen(state.key);
    this.#judged += state.judged;
    this.#states.delete(state.key);
    this.#order = undefined;
    return this.#inOrder().filter(
      (other) =>
        compareText(other.key, state.key) > 0 && moved.length > 0 && other.isWorkedOut && other.rebalance(moved),
    );
  }

  #bind(namespace: string, name: string, binding: ManagedClusterSetBinding | undefined): void {
    const bindings = this.#bindings.get(namespace) ?? new Map<string, ManagedClusterSetBinding>();
    this.#bindings.set(namespace, bindings);
    if (binding === undefined) bindings.delete(name);
    else bindings.set(name, binding);
  }

  #rebind(isMeant: (state: PlacementState) => boolean): readonly PlacementState[] {
    return [...this.#states.values()].filter((state) => isMeant(state) && state.rebind());
  }

  #takeCluster(name: string, cluster: ManagedCluster | undefined): readonly PlacementState[] {
    if (this.#fleet.isSparse) return this.#renew(name, cluster);
    const before = cluster === undefined ? this.#fleet.remove(name) : this.#fleet.put(cluster);
    const slot = this.#fleet.slotOf(name);
    if (slot === undefined) return [];
    const after = this.#fleet.at(slot);
    const affected: PlacementState[] = [];
    const changed = new ChangedParts(before, after, this.#world);
    for (const state of this.#states.values()) {
      const { interests } = state;
      if (interests === undefined) continue;
      if (!state.concerns(slot) || !changed.concern(interests)) continue;
      state.touch(slot, before);
      affected.push(state);
    }
    return affected;
  }

  /** Gives all clusters new slots. */
  #renew(name: string, cluster: ManagedCluster | undefined): readonly PlacementState[] {
    const entries = [...this.#fleet.clusters()].filter((entry) => entry.cluster.name !== name);
    const others = entries.filter(({ isUnread }) => !isUnread).map((entry) => entry.cluster);
    const unread = entries.flatMap((entry) => entry.unread ?? []);
    this.#fleet = new Fleet(cluster === undefined ? others : [...others, cluster], unread);
    for (const state of this.#states.values()) state.forget();
    return [...this.#states.values()];
  }

  #takeScore(cluster: string, name: string, score: AddOnPlacementScore | undefined): readonly PlacementState[] {
    if (score === undefined) this.#addOnScores.remove(cluster, name);
    else this.#addOnScores.add(cluster, name, score);
    const entry = this.#fleet.get(cluster);
    return [...this.#states.values()].filter((state) => state.takeScore(entry, name));
  }

  #takeDecision(namespace: string, name: string, decision: PlacementDecision | undefined): readonly PlacementState[] {
    const owners = [...this.#counts.ownersOf(namespace, name, decision)];
    for (const owner of owners) if (owner !== undefined && this.#states.has(owner)) this.#reopen(owner);
    const clusters = this.#counts.change(namespace, name, decision);
    // Whosever it is, the name is taken, or free again.
    const named = `${namespace}/${name.replace(/-decision-[0-9]+$/, "")}`;
    // Those after a Placement see what it decides, not what is written.
    const isSeen = (key: string): boolean =>
      owners.some((owner) => owner === undefined || !this.#states.has(owner) || compareText(key, owner) < 0);
    return [...this.#states.values()].filter((state) => {
      const isOwn = owners.includes(state.key);
      if (isOwn) state.redecide(clusters);
      else if (state.key === named) state.redecide([]);
      return (isSeen(state.key) && state.rebalance(clusters)) || isOwn || state.key === named;
    });
  }
}

/** The answers to all Placements, in the order of their keys. */
export function placeAll(objects: FleetObjects, options: PlacingOptions): readonly PlacementResult[] {
  const engine = new PlacementEngine(objects, options);
  return engine.keys().map((key) => engine.result(key) as PlacementResult);
}

/** What of a cluster is not what it was; each part is compared once, however many Placements read it. */
class ChangedParts {
  readonly #before: FleetCluster | undefined;
  readonly #after: FleetCluster | undefined;
  readonly #source: BindingSource;
  readonly #known = new Map<string, boolean>();

  constructor(before: FleetCluster | undefined, after: FleetCluster | undefined, source: BindingSource) {
    this.#before = before;
    this.#after = after;
    this.#source = source;
  }

  /** Is something of it read? */
  concern({ parts }: Interests): boolean {
    const before = this.#before;
    const after = this.#after;
    if (before === undefined || after === undefined) return before !== after;
    if (before.isUnread !== after.isUnread) return true;
    return parts.some(({ key, read }) => {
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      const isChanged = !isSame(read(before, this.#source), read(after, this.#source));
      this.#known.set(key, isChanged);
      return isChanged;
    });
  }
}

function asJson(set: ManagedClusterSet | undefined): Json | undefined {
  return set as unknown as Json | undefined;
}

/** So many compiled texts are remembered. */
const MAX_TEXTS = 10_000;

/** Compiles each text once. */
function compiler({ strictExpressions }: PlacementMode, costLimit: number | undefined): CompileExpression {
  const known = new Map<string, ReturnType<CompileExpression>>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const compiled = placementExpression(text, { compat: !strictExpressions });
    if (known.size >= MAX_TEXTS) known.clear();
    if (costLimit !== undefined) compiled.program?.limit({ cost: costLimit });
    known.set(text, compiled);
    return compiled;
  };
}
