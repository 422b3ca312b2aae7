// What is the state of the hub, and which Placements may be affected by a change? The stores of all watched kinds, and the engine that
// follows them. Changes are collected for a moment and applied together: a burst of updates costs one evaluation.

import { Timestamp } from "../cel/value/timestamp.ts";
import type { Clock } from "../controller/clock.ts";
import type { LostKind } from "../controller/failing-kinds.ts";
import type { ReflectorState } from "../controller/reflector.ts";
import { Store, type StoreChange } from "../controller/store.ts";
import { KINDS } from "../input/objects/kind-table.ts";
import { kindPlace } from "../live/gap.ts";
import { FLEET_LISTS, type RejectedObject } from "../model/cluster-objects.ts";
import type { TextMap } from "../model/labels.ts";
import { controllingPlacement } from "../model/placement-decision.ts";
import type { NetFailure } from "../net/failure.ts";
import { probablePlacementOf } from "../placement/decide/decision-index.ts";
import {
  type AffectedPlacements,
  type FleetChange,
  PlacementEngine,
  type PlacingOptions,
} from "../placement/engine.ts";
import type { WrittenList } from "./decision-writes.ts";
import type { WatchedItem, WatchedList } from "./watched-kinds.ts";

export interface HubMirrorOptions {
  readonly placing: Omit<PlacingOptions, "now">;
  readonly clock: Clock;
  /**
   * The results of these Placements may have changed. `isUrgent` is false if writes of this controller are the only cause: they were
   * planned, and for other Placements they only change how often decisions name a cluster (Balance).
   */
  readonly onAffected: (keys: readonly string[], isUrgent: boolean) => void;
  /** What can be read has changed. */
  readonly onKinds: () => void;
}

/** How long changes are collected, in milliseconds. */
const COLLECTING = 20;
/** How long answers to own writes are collected. Applying them may evaluate every Placement again: it gets at most this share of the time. */
const COLLECTING_ANSWERS = 100;
const SHARE_OF_ANSWERS = 0.2;

type Stores = { readonly [List in WatchedList]: Store<WatchedItem<List>> };

export class HubMirror {
  readonly engine: PlacementEngine;
  readonly stores: Stores;
  readonly #clock: Clock;
  readonly #options: HubMirrorOptions;
  readonly #states = new Map<WatchedList, ReflectorState>();
  readonly #unread = new Map<WatchedList, LostKind<WatchedList>>();
  /** Changes by kind and key: the last one counts. */
  readonly #collected = new Map<string, Collected>();
  #isScheduled = false;
  /** The same, for changes by this controller; and which of them are about a Placement, by its key. */
  readonly #answers = new Map<string, Collected>();
  readonly #answersOf = new Map<string, Set<string>>();
  #areAnswersScheduled = false;
  /** The keys of the Placements whose plans are carried out. */
  readonly #underWay = new Set<string>();
  /** What the watch delivers of these Placements and their decisions meanwhile: the last change of each object. */
  readonly #held = new Map<string, Held>();
  /** PlacementDecisions that cannot be read, by key. */
  readonly #unreadDecisions = new Map<string, WatchedItem<"placementDecisions">>();

  constructor(options: HubMirrorOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.engine = new PlacementEngine(NOTHING, { ...options.placing, now: this.now() });
    const stores = FLEET_LISTS.map((list) => [list, new Store<WatchedItem>((change) => this.#collect(list, change))]);
    this.stores = Object.fromEntries(stores) as Stores;
  }

  /** The time of the wall clock. */
  now(): Timestamp {
    const milliseconds = this.#clock.now();
    const seconds = Math.floor(milliseconds / 1000);
    return new Timestamp(seconds, Math.floor(milliseconds - seconds * 1000) * 1_000_000);
  }

  /** Takes the state of the reflector of a kind. What cannot be read is not removed. */
  setState(list: WatchedList, state: ReflectorState): void {
    this.#states.set(list, state);
    this.apply();
    const { kind } = KINDS[list];
    const isLost = this.#unread.has(list);
    if (state.is === "failing" && (state.isLost || isLost)) {
      if (!isLost) this.#options.onAffected(this.engine.lose({ kind, place: kindPlace(kind) }), true);
      this.#unread.set(list, { kind: list, failure: state.failure });
    } else if (state.is === "synced" && this.#unread.delete(list)) {
      this.#options.onAffected(this.engine.regain(kind), true);
    }
    this.#options.onKinds();
  }

  /** Is it known of every kind which objects there are, or that it cannot be read? Before that, nothing is decided. */
  get isSettled(): boolean {
    return FLEET_LISTS.every((list) => {
      const state = this.#states.get(list);
      return state?.is === "synced" || this.#unread.has(list) || (state?.is === "failing" && state.isSynced);
    });
  }

  /** The kinds that cannot be read, and why. */
  get unread(): readonly LostKind<WatchedList>[] {
    return [...this.#unread.values()];
  }

  /** Why a kind cannot be listed or watched at the moment; undefined if it can, or that is not known yet. */
  failureOf(list: WatchedList): NetFailure | undefined {
    const state = this.#states.get(list);
    return state?.is === "failing" ? state.failure : undefined;
  }

  /** The kinds that have not been read completely yet, or can no longer be read. */
  get unsynced(): readonly WatchedList[] {
    return FLEET_LISTS.filter((list) => {
      const state = this.#states.get(list);
      const wasRead = state?.is === "synced" || (state?.is === "failing" && state.isSynced);
      return !wasRead || this.#unread.has(list);
    });
  }

  /** A PlacementDecision of a Placement that cannot be read. */
  unreadDecisionOf({ key }: Pick<WatchedItem, "key">): WatchedItem<"placementDecisions"> | undefined {
    return [...this.#unreadDecisions.values()].find((decision) => placementOf(decision) === key);
  }

  /**
   * Carries out the plan of a Placement with `write`. What the watch delivers of the Placement and its decisions meanwhile waits for the
   * answers, which identify the controller's own writes. The answers are put into the stores, so that the next plan is not based on
   * outdated state. If the watch has already delivered something newer, that wins.
   */
  async writing<Result>(
    { key }: Pick<WatchedItem, "key">,
    write: () => Promise<Result>,
    answersOf: (result: Result) => readonly WriteAnswer[],
  ): Promise<Result> {
    this.#underWay.add(key);
    let answers: readonly WriteAnswer[] = [];
    try {
      const result = await write();
      answers = answersOf(result);
      return result;
    } finally {
      this.#underWay.delete(key);
      const waiting = unseen(answers, this.#held);
      for (const [id, { collected, waitsFor }] of this.#held) {
        if (waitsFor !== key) continue;
        this.#held.delete(id);
        if (isOwn(id, collected.change, answers)) this.#collectAnswer(id, collected);
        else this.#collectChange(id, collected);
      }
      for (const { list, key: object, item } of waiting) (this.stores[list] as Store<WatchedItem>).answer(object, item);
    }
  }

  /** The results of these Placements may have changed; after a simulation, although the hub has not. */
  affect({ direct, rebalanced }: AffectedPlacements): void {
    if (direct.length > 0) this.#options.onAffected(direct, true);
    if (rebalanced.length > 0) this.#options.onAffected(rebalanced, false);
  }

  /** Applies what was collected, and moves time on. */
  apply(): void {
    const affected = new Set(this.engine.advance(this.now()));
    const collected = [...this.#collected.values()];
    this.#collected.clear();
    for (const { list, change } of collected) {
      if (list === "placements") affected.add(change.key);
      // The engine knows neither a decision that cannot be read nor its Placement.
      for (const decision of list === "placementDecisions" ? [change.item, change.before] : [])
        if (decision !== undefined && decision.model === undefined) affected.add(placementOf(decision));
    }
    const { direct, rebalanced } = this.#applyAll(collected);
    for (const key of direct) affected.add(key);
    this.affect({ direct: [...affected], rebalanced });
  }

  /**
   * Applies what was collected, and then the answers to writes: all of them, or those of the PlacementDecisions and the status of one
   * Placement. In this order: an answer is newer than what the watch has delivered of its object before.
   */
  applyAnswers(of?: Pick<WatchedItem, "key">): void {
    this.apply();
    const ids = of === undefined ? [...this.#answers.keys()] : [...(this.#answersOf.get(of.key) ?? [])];
    const answers = ids.flatMap((id) => this.#answers.get(id) ?? []);
    for (const id of ids) this.#answers.delete(id);
    if (of === undefined) this.#answersOf.clear();
    else this.#answersOf.delete(of.key);
    if (answers.length === 0) return;
    const { direct, rebalanced } = this.#applyAll(answers);
    this.#options.onAffected([...direct, ...rebalanced], false);
  }

  #applyAll(collected: readonly Collected[]): AffectedPlacements {
    const lost: RejectedObject[] = [];
    const changes: FleetChange[] = [];
    for (const { list, change } of collected) {
      const { item } = change;
      const { kind } = KINDS[list];
      const { namespace, name } = item ?? (change.before as WatchedItem);
      if (item !== undefined && item.model === undefined && KEPT_UNREAD.has(list))
        lost.push({ kind, namespace, name, place: item.place });
      else changes.push({ kind, namespace, name, object: item?.model } as unknown as FleetChange);
    }
    const direct = new Set(this.engine.loseAll(lost));
    const affected = this.engine.applyChanges(changes);
    for (const key of affected.direct) direct.add(key);
    return { direct: [...direct], rebalanced: affected.rebalanced.filter((key) => !direct.has(key)) };
  }

  #collect(list: WatchedList, change: StoreChange<WatchedItem>): void {
    const id = idOf(list, change.key);
    if (list === "placementDecisions" && change.item !== undefined && change.item.model === undefined)
      this.#unreadDecisions.set(change.key, change.item as WatchedItem<"placementDecisions">);
    else if (list === "placementDecisions") this.#unreadDecisions.delete(change.key);
    const collected = { list, change };
    if (change.source === "own-write") this.#collectAnswer(id, collected);
    else {
      // A change that follows one that waits has to wait with it, whatever it says now.
      const waitsFor = this.#held.get(id)?.waitsFor ?? placementsOf(collected).find((key) => this.#underWay.has(key));
      if (waitsFor === undefined) this.#collectChange(id, collected);
      else this.#held.set(id, { collected, waitsFor });
    }
  }

  /** A change by this controller. */
  #collectAnswer(id: string, collected: Collected): void {
    this.#answers.set(id, collected);
    for (const key of placementsOf(collected))
      this.#answersOf.set(key, (this.#answersOf.get(key) ?? new Set()).add(id));
    this.#scheduleAnswers(COLLECTING_ANSWERS);
  }

  /** Any other change. It is newer than an answer that is not applied yet. */
  #collectChange(id: string, collected: Collected): void {
    this.#answers.delete(id);
    this.#collected.set(id, collected);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.after(COLLECTING, () => {
      this.#isScheduled = false;
      this.apply();
    });
  }

  #scheduleAnswers(milliseconds: number): void {
    if (this.#areAnswersScheduled) return;
    this.#areAnswersScheduled = true;
    this.#clock.after(milliseconds, () => {
      const begun = this.#clock.monotonic();
      this.applyAnswers();
      const took = this.#clock.monotonic() - begun;
      this.#clock.after(took / SHARE_OF_ANSWERS, () => {
        this.#areAnswersScheduled = false;
        if (this.#answers.size > 0) this.#scheduleAnswers(COLLECTING_ANSWERS);
      });
    });
  }
}

/** A change of an object, not applied yet. */
interface Collected {
  readonly list: WatchedList;
  readonly change: StoreChange<WatchedItem>;
}

/** A change that waits until the plan of a Placement, given by its key, is carried out. */
interface Held {
  readonly collected: Collected;
  readonly waitsFor: string;
}

/** The key of the Placement that a PlacementDecision belongs to, also if it cannot be read. There need not be such a Placement. */
function placementOf({ namespace, name, written }: WatchedItem): string {
  const labels = (written?.labels ?? {}) as TextMap;
  const owner = controllingPlacement(written?.ownerReferences);
  return `${namespace}/${probablePlacementOf({ name, labels, owner }) ?? name}`;
}

/** The keys of the Placements that an object belongs to: one, unless the label of a PlacementDecision has changed. None for other kinds. */
function placementsOf({ list, change }: Collected): readonly string[] {
  if (list === "placements") return [change.key];
  if (list !== "placementDecisions") return [];
  return [...new Set([change.before, change.item].flatMap((item) => (item === undefined ? [] : [placementOf(item)])))];
}

/** Is a change that the watch has delivered one of the answers? */
function isOwn(id: string, { item }: StoreChange<WatchedItem>, answers: readonly WriteAnswer[]): boolean {
  return answers.some((answer) => isAnswer(answer, id, item?.resourceVersion));
}

function isAnswer({ list, key, item }: WriteAnswer, id: string, version: string | undefined): boolean {
  return idOf(list, key) === id && item?.resourceVersion === version;
}

/** The answers that the watch has yet to deliver: those after the one it delivered last; none if it delivered anything else last. */
function unseen(answers: readonly WriteAnswer[], held: ReadonlyMap<string, Held>): readonly WriteAnswer[] {
  return answers.filter(({ list, key }, index) => {
    const id = idOf(list, key);
    const brought = held.get(id);
    if (brought === undefined) return true;
    const version = brought.collected.change.item?.resourceVersion;
    const last = answers.findLastIndex((one) => isAnswer(one, id, version));
    return last >= 0 && index > last;
  });
}

/** What a write has made of an object; no item: it is deleted. */
export interface WriteAnswer {
  readonly list: WrittenList;
  readonly key: string;
  readonly item: WatchedItem | undefined;
}

function idOf(list: WatchedList, key: string): string {
  return `${list} ${key}`;
}

/** Kinds of which an object that cannot be read must not count as removed. */
const KEPT_UNREAD: ReadonlySet<WatchedList> = new Set<WatchedList>([
  "managedClusters",
  "managedClusterSets",
  "managedClusterSetBindings",
  "addOnPlacementScores",
]);

const NOTHING = {
  managedClusters: [],
  managedClusterSets: [],
  managedClusterSetBindings: [],
  placements: [],
  placementDecisions: [],
  addOnPlacementScores: [],
};
