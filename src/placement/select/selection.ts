// Which feasible clusters are selected? All of them, the best N, or those that keep an even spread.
import { countsOf, getOrAdd } from "../../model/grouped.ts";
import { textUnder } from "../../model/labels.ts";
import type { SpreadConstraint } from "../../model/placement.ts";
import type { EvaluationInput } from "../evaluation.ts";
import { STAGE } from "../filter/filter-cluster.ts";
import type { MatchState } from "../filter/match-state.ts";
import type { Fleet, FleetCluster } from "../fleet.ts";
import type { PreparedPlacement } from "../prepare/prepare.ts";
import { claimOf } from "../prepare/selector.ts";
import type { Scores } from "../score/scores.ts";
import { positionIn, type RankedBy, rankAll } from "./ranking.ts";
import { type Flip, SelectedNames } from "./selected-names.ts";
import { pickSpread, type SpreadAnswer, type SpreadPick, type SpreadValue } from "./spread.ts";
import { type Ties, tiesOf } from "./tie-break.ts";

/** What clusters are selected by. */
interface SelectionInput {
  readonly fleet: Fleet;
  readonly match: MatchState;
  readonly scores: Scores;
  readonly ties: Ties;
  /** numberOfClusters; undefined: all. */
  readonly count: number | undefined;
  /** Empty without a spreadPolicy. */
  readonly spreadConstraints: readonly SpreadConstraint[];
  readonly spreadWeight: number;
}

/** Clusters that could not be read keep their place before all others; those with a PreferNoSelect taint come last. */
const TIERS: Readonly<Record<number, number>> = { [STAGE.unread]: -1, [STAGE.softTainted]: 1 };

/** With more changes than this, all are ranked from scratch. */
const MAX_CHANGES = 64;

/** Step 5: ranks the feasible clusters, spreads them and takes as many as asked for. */
export function selectClusters(
  { placement, hub }: EvaluationInput,
  prepared: PreparedPlacement,
  match: MatchState,
  scores: Scores,
): Selection {
  const { fleet, mode } = hub;
  const selection = new Selection({
    fleet,
    match,
    scores,
    ties: tiesOf(hub.tieBreak, fleet, `${placement.namespace}/${placement.name}`),
    count: placement.numberOfClusters === undefined ? undefined : Math.max(0, placement.numberOfClusters),
    spreadConstraints: mode.spreads && prepared.mistakes.length === 0 ? placement.spreadConstraints : [],
    spreadWeight: prepared.spreadWeight,
  });
  selection.selectAll();
  return selection;
}

/** The selected clusters. Invariant: `names` has the names of `#selected`. */
export class Selection {
  readonly #by: SelectionInput;
  readonly #rankedBy: RankedBy;
  #selected: Uint8Array;
  /** Feasible slots by rank; undefined until needed. */
  #ranked: number[] | undefined;
  /** The order with the spread, and the position of each slot in it; undefined until needed. */
  #order: readonly number[] | undefined;
  #ranks: Int32Array | undefined;
  #spread: { readonly answer: SpreadAnswer; readonly picks: ReadonlyMap<number, SpreadPick> } | undefined;
  readonly #spreadCounts = new Map<number, Map<string | undefined, number>>();
  readonly names: SelectedNames = new SelectedNames();
  /** The names that the last update selected or dropped; undefined if it selected from scratch. */
  flips: readonly Flip[] | undefined;

  constructor(input: SelectionInput) {
    this.#by = input;
    this.#selected = new Uint8Array(input.fleet.size);
    this.#rankedBy = {
      tier: (slot) => TIERS[input.match.stage[slot] as number] ?? 0,
      total: (slot) => input.scores.total(slot),
      tie: input.ties.of,
      tied: input.ties.slot,
    };
  }

  /** Is the cluster selected? */
  isSelected(slot: number): boolean {
    return this.#selected[slot] === 1;
  }

  /** The score of a feasible cluster, its spread included. */
  total(slot: number): number {
    return this.#spread?.picks.get(slot)?.total ?? this.#by.scores.total(slot);
  }

  /** The Spread score of a cluster at the step that selected it; undefined if the spread decided nothing. */
  spread(slot: number): number | undefined {
    return this.#spread?.answer.undecisive === false ? this.#spread.picks.get(slot)?.spread : undefined;
  }

  /** The spread constraint that forbids a cluster. */
  block(slot: number): ReturnType<SpreadAnswer["block"]> {
    const position = this.#ranked === undefined ? undefined : this.#rankOf(slot, this.#ranked);
    return position === undefined ? undefined : this.#spread?.answer.block(position - this.#staying);
  }

  /** Was the search for an even spread stopped at its limit? */
  get isCutOff(): boolean {
    return this.#spread?.answer.isCutOff === true;
  }

  /** The rank of a cluster among the feasible ones, from 1; selected clusters come first. */
  rank(slot: number): number | undefined {
    if (!this.#by.match.isFeasible(slot)) return undefined;
    this.#ranks ??= this.#ranksOf(this.order());
    return this.#ranks[slot];
  }

  /** All feasible slots, by rank. */
  order(): readonly number[] {
    const ranked = this.#ranking();
    if (this.#spread === undefined) return ranked;
    const { picks } = this.#spread;
    const staying = ranked.slice(0, this.#staying);
    this.#order ??= [...staying, ...picks.keys(), ...ranked.slice(staying.length).filter((slot) => !picks.has(slot))];
    return this.#order;
  }

  /** The selected cluster with the lowest rank; undefined if all selected ones are unread clusters. */
  get last(): number | undefined {
    const { count } = this.names;
    return count > this.#staying ? this.order()[count - 1] : undefined;
  }

  /** Takes clusters out of the ranking, while it can still be searched with their old scores. */
  withdraw(changed: ReadonlyMap<number, unknown>): void {
    this.#ranks = undefined;
    this.#order = undefined;
    if (changed.size > MAX_CHANGES) this.#ranked = undefined;
    if (this.#ranked !== undefined)
      for (const slot of changed.keys()) if (this.#by.scores.has(slot)) this.#unrank(this.#ranked, slot);
  }

  /** Selects again where withdrawn clusters, filtered and scored again by now, may make a difference. */
  update(changed: ReadonlyMap<number, unknown>, isRescored: boolean): void {
    const { match, count } = this.#by;
    const isRanked = count !== undefined || this.isSpread;
    if (isRanked && (isRescored || changed.size > MAX_CHANGES)) {
      this.selectAll();
      return;
    }
    // All feasible clusters are selected, whatever their scores.
    if (isRescored) this.#ranked = undefined;
    if (this.#ranked !== undefined)
      for (const slot of changed.keys())
        if (match.isFeasible(slot)) this.#ranked.splice(positionIn(this.#ranked, slot, this.#rankedBy), 0, slot);
    if (this.isSpread) this.#selectSpread();
    else this.#selectSome(changed.keys());
  }

  /** Selects from scratch. */
  selectAll(): void {
    const { match, count } = this.#by;
    this.#ranked = undefined;
    if (this.isSpread) this.#selectSpread();
    else if (count === undefined) this.#select(Array.from(match.feasible(), ({ slot }) => slot));
    else this.#select(this.#ranking().slice(0, count));
  }

  /** The value of a cluster under the topology key of a constraint, and how many selected clusters have the same. */
  spreadOver(constraint: number, slot: number): SpreadValue {
    const { fleet } = this.#by;
    const counts = getOrAdd(this.#spreadCounts, constraint, () => {
      const selected = fleet.order.filter((other) => this.isSelected(other));
      return countsOf(selected.map((other) => this.#topologyValue(constraint, other)));
    });
    const value = this.#topologyValue(constraint, slot);
    return { value, count: counts.get(value) ?? 0 };
  }

  /** Does the Placement have spread constraints that count? */
  get isSpread(): boolean {
    return this.#by.spreadConstraints.length > 0;
  }

  /** How many unread clusters come before all others. */
  get #staying(): number {
    return this.#by.match.counts[STAGE.unread] ?? 0;
  }

  #ranksOf(order: readonly number[]): Int32Array {
    const ranks = new Int32Array(this.#by.fleet.size);
    for (let index = 0; index < order.length; index++) ranks[order[index] as number] = index + 1;
    return ranks;
  }

  #topologyValue(constraint: number, slot: number): string | undefined {
    const { topologyKey, topologyKeyType } = this.#by.spreadConstraints[constraint] as SpreadConstraint;
    const { labels, claims } = (this.#by.fleet.at(slot) as FleetCluster).cluster;
    return topologyKeyType === "Claim" ? claimOf(claims, topologyKey) : textUnder(labels, topologyKey);
  }

  #unrank(ranked: number[], slot: number): void {
    const position = positionIn(ranked, slot, this.#rankedBy);
    // The tie of a removed cluster may belong to another one by now.
    ranked.splice(ranked[position] === slot ? position : ranked.indexOf(slot), 1);
  }

  #ranking(): number[] {
    if (this.#ranked === undefined)
      this.#ranked = rankAll(
        Array.from(this.#by.match.feasible(), ({ slot }) => slot),
        this.#rankedBy,
      );
    return this.#ranked;
  }

  #rankOf(slot: number, ranked: readonly number[]): number | undefined {
    const position = positionIn(ranked, slot, this.#rankedBy);
    return ranked[position] === slot ? position : undefined;
  }

  #selectSpread(): void {
    const { match, scores, count, spreadConstraints, spreadWeight } = this.#by;
    this.#spreadCounts.clear();
    const ranked = this.#ranking();
    // Unread clusters are not spread: their topology is unknown, unless only a score of them is.
    const staying = this.#staying;
    const first = ranked.slice(0, Math.min(staying, count ?? staying));
    const known = first.filter((slot) => match.unreadScores.has(slot));
    const at = (candidate: number): number => ranked[staying + candidate] as number;
    const answer = pickSpread({
      constraints: spreadConstraints,
      count: count === undefined ? undefined : Math.max(0, count - staying),
      weight: spreadWeight,
      size: ranked.length - staying,
      total: (candidate) => scores.total(at(candidate)),
      isSoftTainted: (candidate) => match.stage[at(candidate)] === STAGE.softTainted,
      value: (constraint, candidate) => this.#topologyValue(constraint, at(candidate)),
      selected: known.map((slot) => spreadConstraints.map((_, constraint) => this.#topologyValue(constraint, slot))),
    });
    this.#spread = { answer, picks: new Map(answer.picks.map((pick) => [at(pick.candidate), pick])) };
    this.#select([...first, ...this.#spread.picks.keys()]);
  }

  /** Selects exactly these. */
  #select(slots: readonly number[]): void {
    const { fleet } = this.#by;
    this.flips = undefined;
    this.#selected = new Uint8Array(fleet.size);
    for (const slot of slots) this.#selected[slot] = 1;
    this.names.replace(fleet.order.filter((slot) => this.#selected[slot] === 1).map((slot) => fleet.nameOf(slot)));
  }

  /** Selects again among clusters that changed and those near the cut. */
  #selectSome(changed: Iterable<number>): void {
    const { fleet, match, count } = this.#by;
    if (this.#selected.length < fleet.size) this.#grow(fleet.size);
    const slots = new Set(changed);
    const flips: Flip[] = [];
    if (count === undefined) {
      for (const slot of slots) this.#flip(slot, match.isFeasible(slot), flips);
    } else {
      const ranked = this.#ranking();
      for (const slot of ranked.slice(Math.max(0, count - slots.size), count + slots.size)) slots.add(slot);
      for (const slot of slots) {
        const position = match.isFeasible(slot) ? (this.#rankOf(slot, ranked) as number) : count;
        this.#flip(slot, position < count, flips);
      }
    }
    this.flips = flips;
    this.names.change(flips);
  }

  #flip(slot: number, isSelected: boolean, flips: Flip[]): void {
    if (this.isSelected(slot) === isSelected) return;
    this.#selected[slot] = isSelected ? 1 : 0;
    flips.push({ name: this.#by.fleet.nameOf(slot), isSelected });
  }

  #grow(size: number): void {
    const larger = new Uint8Array(size + (size >> 2) + 8);
    larger.set(this.#selected);
    this.#selected = larger;
  }
}
