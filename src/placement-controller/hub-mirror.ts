// What does the hub look like now, and which Placements may have another answer? The stores of all watched kinds, and the engine that
// follows them. Changes are collected for a moment and applied together: a burst of updates costs one evaluation.

import { Timestamp } from "../cel/value/timestamp.ts";
import type { Clock } from "../controller/clock.ts";
import type { ReflectorState } from "../controller/reflector.ts";
import { Store, type StoreChange } from "../controller/store.ts";
import { KINDS } from "../input/objects/kind-table.ts";
import { kindPlace } from "../live/gap.ts";
import { FLEET_LISTS } from "../model/cluster-objects.ts";
import { own } from "../model/json.ts";
import type { NetFailure } from "../net/failure.ts";
import { PLACEMENT_LABEL } from "../placement/decide/decided-slices.ts";
import { type FleetChange, PlacementEngine, type PlacingOptions } from "../placement/engine.ts";
import type { WatchedItem, WatchedList } from "./watched-kinds.ts";

/** Why a kind cannot be read, until an administrator changes something: it is forbidden, or not installed. */
export interface UnreadKind {
  readonly list: WatchedList;
  readonly failure: NetFailure;
}

export interface HubMirrorOptions {
  readonly placing: Omit<PlacingOptions, "now">;
  readonly clock: Clock;
  /** The answers to these Placements may have changed. */
  readonly onAffected: (keys: readonly string[]) => void;
  /** What can be read has changed. */
  readonly onKinds: () => void;
}

/** How long changes are collected, in milliseconds. */
const COLLECTING = 20;

type Stores = { readonly [List in WatchedList]: Store<WatchedItem<List>> };

export class HubMirror {
  readonly engine: PlacementEngine;
  readonly stores: Stores;
  readonly #clock: Clock;
  readonly #options: HubMirrorOptions;
  readonly #states = new Map<WatchedList, ReflectorState>();
  readonly #unread = new Map<WatchedList, UnreadKind>();
  /** Changes by kind and key: the last one counts. */
  readonly #collected = new Map<string, { readonly list: WatchedList; readonly change: StoreChange<WatchedItem> }>();
  #isScheduled = false;
  /** Of each plan that is being carried out, the objects that the watch has said something about meanwhile. */
  readonly #touched = new Set<Set<string>>();
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
    if (state.is === "failing" && (state.failure.kind === "forbidden" || state.failure.kind === "not-found")) {
      if (!this.#unread.has(list)) this.#options.onAffected(this.engine.lose({ kind, place: kindPlace(kind) }));
      this.#unread.set(list, { list, failure: state.failure });
    } else if (state.is === "synced" && this.#unread.delete(list)) {
      this.#options.onAffected(this.engine.regain(kind));
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
  get unread(): readonly UnreadKind[] {
    return [...this.#unread.values()];
  }

  /** The kinds that have not been read completely yet. */
  get unsynced(): readonly WatchedList[] {
    return FLEET_LISTS.filter((list) => {
      const state = this.#states.get(list);
      return state?.is !== "synced" && !(state?.is === "failing" && state.isSynced);
    });
  }

  /** Can a PlacementDecision of a Placement not be read? Its name or its label says whose it is. */
  hasUnreadDecision({ namespace, name }: Pick<WatchedItem, "namespace" | "name">): boolean {
    return [...this.#unreadDecisions.values()].some(
      (decision) =>
        decision.namespace === namespace &&
        (own(decision.written?.labels ?? {}, PLACEMENT_LABEL) === name ||
          decision.name.startsWith(`${name}-decision-`)),
    );
  }

  /**
   * While `write` writes objects, the watch goes on. The answers are put into the stores, so that the next plan is not based on
   * what is over; but not where the watch was faster: then its word counts.
   */
  async writing<Result>(
    write: () => Promise<Result>,
    answersOf: (result: Result) => readonly WriteAnswer[],
  ): Promise<Result> {
    const touched = new Set<string>();
    this.#touched.add(touched);
    try {
      const result = await write();
      this.#touched.delete(touched);
      for (const { list, key, item } of answersOf(result)) {
        if (touched.has(idOf(list, key))) continue;
        const store = this.stores[list] as Store<WatchedItem>;
        if (item === undefined) store.remove(key);
        else store.put(item);
      }
      return result;
    } finally {
      this.#touched.delete(touched);
    }
  }

  /** Applies what was collected, and moves time on. */
  apply(): void {
    const collected = [...this.#collected.values()];
    this.#collected.clear();
    const affected = new Set(this.engine.advance(this.now()));
    const changes: FleetChange[] = [];
    for (const { list, change } of collected) {
      const { key, item } = change;
      const { kind } = KINDS[list];
      const { namespace, name } = item ?? (change.before as WatchedItem);
      if (list === "placements") affected.add(key);
      if (item !== undefined && item.model === undefined && KEPT_UNREAD.has(list)) {
        for (const one of this.engine.lose({ kind, namespace, name, place: item.place })) affected.add(one);
      } else changes.push({ kind, namespace, name, object: item?.model } as unknown as FleetChange);
    }
    for (const key of this.engine.apply(changes)) affected.add(key);
    if (affected.size > 0) this.#options.onAffected([...affected]);
  }

  #collect(list: WatchedList, change: StoreChange<WatchedItem>): void {
    const id = idOf(list, change.key);
    for (const touched of this.#touched) touched.add(id);
    if (list === "placementDecisions" && change.item !== undefined && change.item.model === undefined)
      this.#unreadDecisions.set(change.key, change.item as WatchedItem<"placementDecisions">);
    else if (list === "placementDecisions") this.#unreadDecisions.delete(change.key);
    this.#collected.set(id, { list, change });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.after(COLLECTING, () => {
      this.#isScheduled = false;
      this.apply();
    });
  }
}

/** What a write has made of an object; no item: it is deleted. */
export interface WriteAnswer {
  readonly list: "placements" | "placementDecisions";
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
]);

const NOTHING = {
  managedClusters: [],
  managedClusterSets: [],
  managedClusterSetBindings: [],
  placements: [],
  placementDecisions: [],
  addOnPlacementScores: [],
};
