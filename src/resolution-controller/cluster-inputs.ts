// What does the reading thread know of the cluster? A store for each kind, kept by a reflector. A change that leaves the model of an object
// as it was is none for the engines.

import type { Clock } from "../controller/clock.ts";
import type { FailingKinds, LostKind } from "../controller/failing-kinds.ts";
import { Reflector, type ReflectorState } from "../controller/reflector.ts";
import { Store, type StoreChange } from "../controller/store.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { listPath } from "../kube/path.ts";
import { isSame } from "../model/json.ts";
import type { NetFailure } from "../net/failure.ts";
import type { ObjectChange, ObjectName, ObjectPart } from "./threads.ts";
import {
  apiOf,
  ENGINE_LISTS,
  type EngineList,
  selectorsOf,
  WATCHED_LISTS,
  type WatchedInput,
  type WatchedList,
  type WatchedResolution,
  watchedInput,
  watchedResolution,
} from "./watched-kinds.ts";

export interface ClusterInputsOptions {
  readonly server: Pick<ApiServer, "list" | "watch">;
  readonly configMap: ObjectName;
  readonly failingKinds: FailingKinds<WatchedList>;
  readonly clock: Clock;
  readonly random: () => number;
  /** What an object says has changed. */
  readonly onInput: (list: EngineList, change: StoreChange<WatchedInput>) => void;
  readonly onResolution: (change: StoreChange<WatchedResolution>) => void;
  /** What can be read has changed. */
  readonly onKinds: () => void;
  readonly onSkipped: (list: WatchedList, why: string) => void;
}

/** How long any kind may fail to be listed while it is waited for, in milliseconds. */
const LOST_AFTER = 30_000;
/** Without them nothing is written: who requests something, and what is there already, would be a guess. */
const NECESSARY: ReadonlySet<WatchedList> = new Set<WatchedList>(["subscriptions", "resolutions"]);
/**
 * If nothing is known of them, an answer would be wrong: what runs would be installed again, or updated although something forbids it.
 * Requests without catalogs, and without runtime constraints, are undecided by themselves; InstallPlans only add to an answer.
 */
const DECISIVE: ReadonlySet<WatchedList> = new Set<WatchedList>([
  "installedOperators",
  "operatorGroups",
  "operatorConditions",
  "clusterExtensions",
  "customResourceDefinitions",
]);
/** A cluster that has Subscriptions has these kinds of OLM v0: if they are not found, they cannot be read. */
const BESIDE_SUBSCRIPTIONS: ReadonlySet<WatchedList> = new Set<WatchedList>([
  "catalogSources",
  "installedOperators",
  "operatorGroups",
  "installPlans",
]);

type AnyReflector = Pick<Reflector<WatchedInput>, "run" | "refresh">;

export class ClusterInputs {
  readonly #options: ClusterInputsOptions;
  readonly #stores: ReadonlyMap<EngineList, Store<WatchedInput>>;
  readonly resolutions: Store<WatchedResolution>;
  readonly #reflectors: ReadonlyMap<WatchedList, AnyReflector>;
  readonly #states = new Map<WatchedList, ReflectorState>();
  /** Why kinds are lost. The first reason stays: otherwise each attempt that fails in another way would be written to every namespace. */
  readonly #losses = new Map<WatchedList, NetFailure>();
  /** The number of Subscriptions, by namespace. */
  readonly #subscriptions = new Map<string, number>();
  /** Of these, how many can be read. */
  readonly #requests = new Map<string, number>();

  constructor(options: ClusterInputsOptions) {
    this.#options = options;
    const { onInput, onResolution } = options;
    this.#stores = new Map(
      ENGINE_LISTS.map((list) => [
        list,
        new Store<WatchedInput>((change) => {
          if (list === "subscriptions") this.#count(change);
          if (hasChanged(list, change)) onInput(list, change);
        }),
      ]),
    );
    this.resolutions = new Store<WatchedResolution>(onResolution);
    this.#reflectors = new Map(WATCHED_LISTS.map((list) => [list, this.#reflectorOf(list)]));
  }

  store(list: EngineList): Store<WatchedInput> {
    return this.#stores.get(list) as Store<WatchedInput>;
  }

  hasSubscriptions(namespace: string): boolean {
    return this.#subscriptions.has(namespace);
  }

  /** How many Subscriptions of a namespace can be read. */
  requestsIn(namespace: string): number {
    return this.#requests.get(namespace) ?? 0;
  }

  /** The namespaces that have Subscriptions. */
  get namespaces(): Iterable<string> {
    return this.#subscriptions.keys();
  }

  sizeOf(list: WatchedList): number {
    return list === "resolutions" ? this.resolutions.size : this.store(list).size;
  }

  async run(stop: AbortSignal): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map((reflector) => reflector.run(stop)));
  }

  async listAgain(list: WatchedList): Promise<void> {
    await this.#reflectors.get(list)?.refresh();
  }

  /** Has everything been read that can be? */
  get isSettled(): boolean {
    return WATCHED_LISTS.every((list) => this.isSynced(list) || this.#isGivenUp(list));
  }

  isSynced(list: WatchedList): boolean {
    const state = this.#states.get(list);
    return state?.is === "synced" || (state?.is === "failing" && state.isSynced && !state.isLost);
  }

  /** May something be written about the Subscriptions of namespaces, or about the ClusterExtensions? */
  areRequestsKnown(list: "subscriptions" | "clusterExtensions"): boolean {
    const isKnown = this.isSynced("subscriptions") || (list === "clusterExtensions" && this.#isWithoutSubscriptions);
    return isKnown && this.isSynced("resolutions");
  }

  /** The cluster has OLM v1 only. */
  get #isWithoutSubscriptions(): boolean {
    const state = this.#states.get("subscriptions");
    // If they were read, they have gone before their kind: OLM v0 was uninstalled.
    const isAbsent =
      state?.is === "failing" && state.failure.kind === "not-found" && this.sizeOf("subscriptions") === 0;
    return isAbsent && this.isSynced("clusterExtensions");
  }

  /** Kinds that exist and cannot be read. A kind that is not installed has no objects. */
  get lost(): readonly LostKind<WatchedList>[] {
    return WATCHED_LISTS.flatMap((kind) => {
      const failure = this.#lossOf(kind);
      const isMissing = failure?.kind === "not-found" && !this.#isExpected(kind);
      return failure === undefined || isMissing ? [] : [{ kind, failure }];
    });
  }

  /** Of these, the kinds that were never read, and without which an answer would be wrong. */
  get unread(): readonly LostKind<WatchedList>[] {
    return this.lost.filter(({ kind }) => {
      const state = this.#states.get(kind);
      return DECISIVE.has(kind) && state?.is === "failing" && !state.isSynced;
    });
  }

  /** Everything that the engines have to know. */
  changes(): readonly ObjectChange[] {
    return ENGINE_LISTS.flatMap((list) => [...this.store(list).values()].map(({ key, part }) => ({ list, key, part })));
  }

  #count({ item, before }: StoreChange<WatchedInput>): void {
    const { namespace } = (item ?? before) as WatchedInput;
    addTo(this.#subscriptions, namespace, Number(item !== undefined) - Number(before !== undefined));
    addTo(this.#requests, namespace, Number(isRequest(item)) - Number(isRequest(before)));
  }

  /** Has the cluster this kind? */
  #isExpected(list: WatchedList): boolean {
    if (list === "subscriptions") return !this.#isWithoutSubscriptions;
    return NECESSARY.has(list) || (BESIDE_SUBSCRIPTIONS.has(list) && this.isSynced("subscriptions"));
  }

  #isGivenUp(list: WatchedList): boolean {
    const state = this.#states.get(list);
    return state?.is === "failing" && state.isLost;
  }

  #lossOf(list: WatchedList): NetFailure | undefined {
    return this.#losses.get(list);
  }

  #reflectorOf(list: WatchedList): AnyReflector {
    const { server, configMap, failingKinds, clock, random, onKinds, onSkipped } = this.#options;
    const shared = {
      path: listPath(apiOf(list), list === "configMaps" ? configMap.namespace : undefined),
      selectors: selectorsOf(list, configMap),
      ...{ server, clock, random },
      onState: (state: ReflectorState) => {
        failingKinds.set(list, state);
        this.#states.set(list, state);
        if (state.is !== "failing" || !state.isLost) this.#losses.delete(list);
        else if (!this.#losses.has(list)) this.#losses.set(list, state.failure);
        onKinds();
      },
      onSkipped: (why: string) => onSkipped(list, why),
      ...(!NECESSARY.has(list) && { lostAfter: LOST_AFTER }),
    };
    return list === "resolutions"
      ? new Reflector({ ...shared, store: this.resolutions, read: watchedResolution })
      : new Reflector({ ...shared, store: this.store(list), read: (text) => watchedInput(list, text) });
  }
}

/** Zero is left out. */
function addTo(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Can it be read? */
export function isRequest(subscription: WatchedInput | undefined): boolean {
  return subscription?.part.model !== undefined;
}

/** A new version that says the same changes nothing; of a catalog, it may be the sign of new content. */
function hasChanged(list: EngineList, change: StoreChange<WatchedInput>): boolean {
  const { item, before } = change;
  const isCatalog = list === "catalogSources" || list === "clusterCatalogs";
  return !saysTheSame(change) || (isCatalog && item?.refresh !== before?.refresh);
}

/** Does an object say the same as before? */
export function saysTheSame({ item, before }: StoreChange<WatchedInput>): boolean {
  return item !== undefined && before !== undefined && isSamePart(item.part, before.part);
}

function isSamePart(a: ObjectPart, b: ObjectPart): boolean {
  return isSame(a.model, b.model) && isSame(a.rejected, b.rejected) && isSame(a.findings, b.findings);
}
