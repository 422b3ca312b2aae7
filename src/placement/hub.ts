// What does a Placement see of its hub? The objects as they are now, indexed, and the options to place with.
import type { Program } from "../cel/program.ts";
import type { Timestamp } from "../cel/value/timestamp.ts";
import type { RejectedObject } from "../model/cluster-objects.ts";
import type { ManagedClusterSetBinding } from "../model/cluster-set.ts";
import { getOrAdd, removeFrom } from "../model/grouped.ts";
import { compareText } from "../model/json.ts";
import type { Placement } from "../model/placement.ts";
import { type WantedFields, wantedFields } from "./cel/managed-cluster-value.ts";
import { placementExpression } from "./cel/placement-environment.ts";
import { DecidedSlices } from "./decide/decided-slices.ts";
import { DecisionIndex } from "./decide/decision-index.ts";
import { type ReadSet, readSet } from "./eligible/eligibility.ts";
import { type UnreadSet, unreadClusters, unreadSets } from "./eligible/unread.ts";
import type { FleetObjects, PlacingOptions } from "./engine.ts";
import { type BindingSource, Fleet } from "./fleet.ts";
import { readBy } from "./interests.ts";
import { DEFAULT_MODE, type PlacementMode, type ScoredDecisions } from "./placement-mode.ts";
import type { CompileExpression } from "./prepare/prepare.ts";
import { AddOnScores } from "./score/add-on-scores.ts";
import { type UnreadScores, unreadScores } from "./score/unread-scores.ts";
import type { TieBreak } from "./select/tie-break.ts";

/** About ten seconds of evaluation. */
const PLACEMENT_COST_LIMIT = 1_000_000_000;

/** The objects of a hub. The engine changes them in place, so readers keep no copies. */
export class Hub implements BindingSource {
  readonly mode: PlacementMode;
  readonly tieBreak: TieBreak;
  /** Limit for the cost of all evaluations for one Placement. */
  readonly placementCostLimit: number;
  /** Has the deadline passed? */
  readonly isLate: () => boolean;
  readonly sets: Map<string, ReadSet> = new Map();
  readonly decisions: DecisionIndex;
  readonly addOnScores: AddOnScores;
  /** Scores of clusters that a Placement has already, if those stay valid after `validUntil`. */
  readonly scoresWithoutExpiry: AddOnScores | undefined;
  /** Scores that cannot be read: they are not absent. */
  readonly unreadScores: UnreadScores;
  fleet: Fleet;
  scoredDecisions: ScoredDecisions = "all";
  /** Sets and bindings that could not be read, and have not been replaced since. */
  unreadSets: readonly UnreadSet[];
  /** The fields of clusters that any compiled expression reads; undefined: all. */
  wanted: WantedFields | undefined = new Map();
  readonly #bindings = new Map<string, Map<string, ManagedClusterSetBinding>>();
  /** All paths that compiled expressions read, by their text. */
  readonly #paths = new Map<string, readonly string[]>();
  readonly #compiled = new Map<string, ReturnType<CompileExpression>>();
  readonly #costLimit: number | undefined;

  /** `count` is called for each cluster that a PlacementDecision names more (above 0) or less often than before. */
  constructor(objects: FleetObjects, options: PlacingOptions, count?: (cluster: string, step: number) => void) {
    this.mode = options.mode ?? DEFAULT_MODE;
    this.tieBreak = options.tieBreak ?? "name";
    this.placementCostLimit = options.placementCostLimit ?? PLACEMENT_COST_LIMIT;
    this.isLate = options.isLate ?? (() => false);
    this.#costLimit = options.costLimit;
    this.decisions = new DecisionIndex(count);
    this.fleet = new Fleet(objects.managedClusters, unreadClusters(objects));
    this.unreadSets = unreadSets(objects);
    const ignoreExpiry = !this.mode.expiredScoresAreErrors;
    this.addOnScores = AddOnScores.of(objects.addOnPlacementScores, { now: options.now, ignoreExpiry });
    this.unreadScores = unreadScores(objects);
    this.scoresWithoutExpiry = options.onExpiredScore === "keep" ? this.addOnScores.eternal() : undefined;
    for (const set of objects.managedClusterSets) this.sets.set(set.name, readSet(set));
    for (const binding of objects.managedClusterSetBindings) this.bind(binding.namespace, binding.name, binding);
    for (const decision of objects.placementDecisions)
      this.decisions.change(decision.namespace, decision.name, decision);
  }

  /** The time at which tolerations and scores are evaluated. */
  get now(): Timestamp {
    return this.addOnScores.now;
  }

  set now(now: Timestamp) {
    this.addOnScores.now = now;
  }

  /** Are the clusters of a Placement in the order of their scores? */
  sortsByScore({ sortBy }: Pick<Placement, "sortBy">): boolean {
    return this.mode.writesScores && sortBy === "Score";
  }

  /** Do the PlacementDecisions of a Placement have scores? */
  writesScoresOf(placement: Pick<Placement, "sortBy">): boolean {
    if (this.scoredDecisions === "sorted") return this.sortsByScore(placement);
    return this.mode.writesScores && this.scoredDecisions === "all";
  }

  /** The PlacementDecisions that a Placement has. */
  decidedBy({ namespace, name }: Placement): DecidedSlices {
    const owned = this.decisions.of(`${namespace}/${name}`);
    return new DecidedSlices(name, owned, (slice) => this.decisions.has(namespace, slice));
  }

  /** The bindings of a namespace. */
  bindings(namespace: string): readonly ManagedClusterSetBinding[] {
    return [...(this.#bindings.get(namespace)?.values() ?? [])];
  }

  /** Does the namespace have a binding to the set? */
  isBound(namespace: string, set: string): boolean {
    return this.#bindings.get(namespace)?.has(set) === true;
  }

  /** Adds, replaces or removes a binding. */
  bind(namespace: string, name: string, binding: ManagedClusterSetBinding | undefined): void {
    if (binding === undefined) removeFrom(this.#bindings, namespace, name);
    else getOrAdd(this.#bindings, namespace, () => new Map()).set(name, binding);
  }

  /** A set or a binding cannot be read; without a name, no object of its kind can be. */
  lose(object: RejectedObject): void {
    const { kind, name, namespace } = object;
    this.dropUnread((one) => one.kind === kind && one.name === name && one.namespace === namespace);
    this.unreadSets = [...this.unreadSets, object];
  }

  /** Can no ManagedCluster be read? Then it is unknown which of them exist. */
  get isFleetUnread(): boolean {
    return this.unreadSets.some(({ kind }) => kind === "ManagedCluster");
  }

  /** Drops unread objects that have been replaced or deleted since. */
  dropUnread(isMeant: (object: RejectedObject) => boolean): void {
    if (this.unreadSets.some(isMeant)) this.unreadSets = this.unreadSets.filter((object) => !isMeant(object));
  }

  setsByName(): readonly ReadSet[] {
    return [...this.sets.values()].sort((a, b) => compareText(a.set.name, b.set.name));
  }

  /** Compiles an expression; equal texts once. */
  readonly compile: CompileExpression = (text) => {
    const found = this.#compiled.get(text);
    if (found !== undefined) return found;
    const compiled = placementExpression(text, { compat: !this.mode.strictExpressions });
    if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
    if (this.#costLimit !== undefined) compiled.program?.limit({ cost: this.#costLimit });
    this.#compiled.set(text, compiled);
    if (compiled.program !== undefined) this.#want(compiled.program);
    return compiled;
  };

  #want(program: Program): void {
    const { size } = this.#paths;
    for (const path of readBy(program).paths) {
      const fields = path.slice(0, 2);
      this.#paths.set(JSON.stringify(fields), fields);
    }
    if (this.#paths.size > size) this.wanted = wantedFields(this.#paths.values());
  }
}

/** The cache of compiled expressions is emptied at this size. */
const MAX_COMPILED = 10_000;
