// What does the reading thread do? Reflectors fill the stores, changes go to the engines, and namespaces that they may affect are
// reconciled. It neither resolves nor writes.

import { setMaxListeners } from "node:events";
import type { ReadingThreadOptions as CommonOptions } from "../controller/enter-reading-thread.ts";
import { watchEventLoop } from "../controller/event-loop.ts";
import { FailingKinds } from "../controller/failing-kinds.ts";
import { Leadership } from "../controller/leadership.ts";
import { bugFields, type LogFields, type LogLevel } from "../controller/log.ts";
import { ReadingMetrics } from "../controller/reading-metrics.ts";
import type { StoreChange } from "../controller/store.ts";
import { WorkQueue } from "../controller/work-queue.ts";
import { unreadConfigMap } from "../live/gap.ts";
import { UNKNOWN_WITHOUT } from "../live/wanted-kinds.ts";
import { isSame } from "../model/json.ts";
import { CLUSTER_RESOLUTION, NAMESPACE_RESOLUTION } from "../model/resolution-object.ts";
import type { Subscription } from "../model/subscription.ts";
import { backoffAfter } from "../net/backoff.ts";
import { CatalogFollower } from "./catalog-follower.ts";
import { ClusterInputs, isRequest, saysTheSame } from "./cluster-inputs.ts";
import { EnginePool, type EnginePoolOptions } from "./engine-pool.ts";
import { FollowedFacts } from "./followed-facts.ts";
import { Reconciler } from "./reconciler.ts";
import { ResolutionMetrics } from "./resolution-metrics.ts";
import { termsOfAll } from "./resolution-spec.ts";
import {
  type ClusterFacts,
  CONTROLLER,
  type ObjectChange,
  type ReadingFunctions,
  type ReadingSetting,
  type WritingFunctions,
} from "./threads.ts";
import { apiOf, type EngineList, WATCHED_LISTS, type WatchedInput, type WatchedList } from "./watched-kinds.ts";

export interface ReadingThreadOptions extends CommonOptions<ReadingSetting, WritingFunctions> {
  /** Starts an engine worker. */
  readonly startEngine: EnginePoolOptions["start"];
}

/** Changes that arrive within this time are sent together; longer while namespaces wait. In milliseconds. */
const TOGETHER = 50;
const TOGETHER_WHILE_BUSY = 500;
/** Milliseconds after which advice is given although a catalog has not been read. */
const CATALOGS_LIMIT = 20_000;
/** The waits after failures, in milliseconds. */
const RETRIES = { first: 100, max: 30_000 };

/** Kinds whose objects matter to their own namespace only. */
const OF_NAMESPACE: ReadonlySet<EngineList> = new Set<EngineList>([
  "subscriptions",
  "operatorConditions",
  "installPlans",
]);

/** Starts reading; the functions are what the other thread may call. */
export function startReadingThread(options: ReadingThreadOptions): ReadingFunctions {
  const thread = new ReadingThread(options);
  thread.start();
  return thread.functions();
}

class ReadingThread {
  readonly #options: ReadingThreadOptions;
  readonly #delays = watchEventLoop();
  readonly #stop = new AbortController();
  readonly #failingKinds: FailingKinds<WatchedList>;
  readonly #inputs: ClusterInputs;
  readonly #facts: FollowedFacts;
  readonly #catalogs: CatalogFollower;
  readonly #pool: EnginePool;
  readonly #reconciler: Reconciler;
  readonly #queue: WorkQueue;
  readonly #leadership: Leadership<WatchedList>;
  readonly #readingMetrics: ReadingMetrics;
  readonly #metrics = new ResolutionMetrics();
  /** What the engines do not know yet. */
  #pending: ObjectChange[] = [];
  /** What to do when they know it: a catalog is read by an engine, which must know its object. */
  readonly #afterPending: (() => void)[] = [];
  readonly #affected = new Set<string>();
  #areAllAffected = false;
  #isFlushing = false;
  #knownFacts = "";
  #isSettled = false;
  /** Catalogs that could not be read in time are not waited for. */
  #isCatalogTimeOver = false;
  #catalogTimer: (() => void) | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(options: ReadingThreadOptions) {
    const { server, setting, clock, random, writing } = options;
    this.#options = options;
    setMaxListeners(100, this.#stop.signal);
    this.#readingMetrics = new ReadingMetrics(CONTROLLER, clock);
    this.#failingKinds = new FailingKinds({
      ...{ kinds: WATCHED_LISTS, clock },
      nameOf: (list) => apiOf(list).kind,
      onChange: () => this.#report(),
    });
    this.#inputs = new ClusterInputs({
      ...{ server, configMap: setting.configMap, failingKinds: this.#failingKinds, clock, random },
      onInput: (list, change) => this.#takeInput(list, change),
      onResolution: ({ key, source }) => {
        if (source === "list-or-watch") this.#add([key]);
      },
      onKinds: () => this.#takeFacts(),
      onSkipped: (list, why) =>
        this.#log("error", "skipped an object that cannot be parsed", { kind: apiOf(list).kind, why }),
    });
    this.#facts = new FollowedFacts({
      ...{ server, clock },
      onChange: () => this.#takeFacts(),
      onFailure: ({ message }) =>
        this.#log("warn", "the version or the APIs of the server cannot be read", { why: message }),
    });
    this.#pool = new EnginePool({
      start: options.startEngine,
      size: setting.resolveWorkers,
      state: () => ({
        changes: this.#inputs.changes(),
        facts: this.#clusterFacts(),
        catalogs: this.#catalogs?.states() ?? [],
      }),
      clock,
      onReplaced: (why) => {
        this.#metrics.replacedEngine();
        this.#log("error", "an engine worker ended and is replaced", { why });
      },
    });
    this.#catalogs = new CatalogFollower({
      read: (request) => this.#pool.read(request),
      ...{ clock, random, period: setting.catalogPeriod },
      onChange: () => this.#takeCatalogs(),
      onNews: ({ namespace = "", name }, news) => {
        this.#metrics.read(news);
        if (news.is === "failed") this.#log("warn", "a catalog cannot be read", { namespace, name, why: news.why });
        if (news.is === "not-asked") this.#log("warn", "a catalog was not asked", { namespace, name, why: news.why });
        if (news.is === "changed")
          this.#log("info", "read a catalog", { namespace, name, from: news.way, bundles: news.content.bundles });
      },
    });
    this.#leadership = new Leadership<WatchedList>({
      ...{ kinds: WATCHED_LISTS, clock },
      listAgain: (list) => this.#inputs.listAgain(list),
      onReady: () => {
        // What the new lists have brought comes first.
        this.#flush();
        this.#addAll();
      },
      onWaiting: (lists) =>
        this.#log("warn", "leading, but nothing is written before these kinds are listed", {
          kinds: lists.map((list) => apiOf(list).kind).join(","),
        }),
    });
    this.#reconciler = new Reconciler({
      ...{ inputs: this.#inputs, namespace: setting.namespace, clock },
      isLeading: () => this.#leadership.isReady,
      advise: (request) => this.#pool.advise(request),
      lostKinds: () => this.#lostKinds(),
      configMap: setting.configMap,
      unreadGroups: () => this.#facts.facts?.unreadGroups ?? [],
      carryOut: (writes) => writing().call("carryOut", { writes, term: this.#leadership.term }),
      record: (events) => {
        for (const event of events) void writing().call("record", [event]);
      },
      later: (key, milliseconds) => this.#queue.addAfter(key, milliseconds),
      onAnswer: (result, took) => this.#metrics.answered(result, took),
      onFailure: (key, { message }) => this.#log("warn", "failed to write", { resolution: key, why: message }),
    });
    this.#queue = new WorkQueue({
      process: (key) => this.#readingMetrics.timed(key, () => this.#reconciler.reconcile(key)),
      atOnce: setting.writesAtOnce,
      clock,
      backoff: (attempt) => backoffAfter(attempt, { ...RETRIES, random }),
      onDepth: (depth) => this.#readingMetrics.setDepth(depth),
      onError: (key, error) => this.#log("error", "failed to reconcile", { resolution: key, ...bugFields(error) }),
    });
  }

  start(): void {
    const { signal } = this.#stop;
    // In a later turn: the other thread can be called only when this one has offered its functions.
    this.#reading = Promise.resolve().then(() => Promise.all([this.#inputs.run(signal), this.#facts.follow(signal)]));
  }

  /** What the other thread may call. */
  functions(): ReadingFunctions {
    return {
      lead: (term) => {
        if (term === undefined) {
          this.#leadership.end();
          this.#reconciler.forgetAll();
        } else void this.#leadership.begin(term);
      },
      metrics: () => ({ text: this.#metricsText(), delays: this.#delays() }),
      ping: () => true,
      radius: async ({ text }) => {
        if (!this.#isSettled || this.#inputs.unread.length > 0) return undefined;
        const terms = termsOfAll(this.#inputs.resolutions.values(), this.#options.setting.namespace);
        return this.#pool.radius({ text, terms });
      },
      stop: async () => {
        this.#stop.abort();
        this.#leadership.end();
        this.#catalogs.stop();
        this.#options.server.close();
        this.#pool.stop();
        await this.#queue.stop();
        await this.#reading;
      },
    };
  }

  #takeInput(list: EngineList, change: StoreChange<WatchedInput>): void {
    const { key, item, before } = change;
    if (list === "catalogSources" || list === "clusterCatalogs") {
      const id = `${list} ${key}`;
      if (item === undefined) this.#catalogs.remove(id);
      else
        this.#afterPending.push(() => {
          const now = this.#inputs.store(list).get(key);
          if (now !== undefined) this.#catalogs.put(id, now);
        });
    }
    if (list === "customResourceDefinitions") this.#facts.soon();
    this.#flushSoon();
    // A sign of new content is none for the engines.
    if (saysTheSame(change)) return;
    this.#pending.push({ list, key, part: item?.part });
    const { namespace } = (item ?? before) as WatchedInput;
    this.#affected.add(list === "clusterExtensions" ? this.#clusterKey : `${namespace}/${NAMESPACE_RESOLUTION}`);
    const isOwn = OF_NAMESPACE.has(list) && !changesOperators(list, change) && !this.#changesAsked(list, change);
    if (!isOwn) this.#areAllAffected = true;
  }

  /** Has a namespace got its first request, or lost its last one? Others see which namespaces are resolved. */
  #changesAsked(list: EngineList, { item, before }: StoreChange<WatchedInput>): boolean {
    if (list !== "subscriptions" || isRequest(item) === isRequest(before)) return false;
    const { namespace } = (item ?? before) as WatchedInput;
    return this.#inputs.requestsIn(namespace) === Number(isRequest(item));
  }

  #flushSoon(): void {
    if (this.#isFlushing || this.#stop.signal.aborted) return;
    this.#isFlushing = true;
    const wait = this.#queue.depth > 0 ? TOGETHER_WHILE_BUSY : TOGETHER;
    this.#options.clock.after(wait, () => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  /** Sends changes to the engines, and then reconciles what they may affect. */
  #flush(): void {
    this.#sendPending();
    for (const work of this.#afterPending.splice(0)) work();
    const affected = [...this.#affected];
    this.#affected.clear();
    for (const key of affected) this.#reconciler.takeOwnChange(key);
    const areAll = this.#areAllAffected;
    this.#areAllAffected = false;
    if (areAll) this.#addAll();
    else this.#add(affected);
    this.#settle();
  }

  /** Engines learn of everything in the order in which it has happened. */
  #sendPending(): void {
    const changes = this.#pending;
    this.#pending = [];
    if (changes.length > 0) this.#pool.change(changes);
  }

  /** What the server says, or which kinds can be read, has changed. */
  #takeFacts(): void {
    this.#report();
    const facts = this.#clusterFacts();
    const unreadGroups = this.#facts?.facts?.unreadGroups;
    const text = JSON.stringify([facts, unreadGroups, this.#lostKinds(), this.#inputs.isSettled]);
    if (text === this.#knownFacts) return;
    this.#knownFacts = text;
    if (this.#pool === undefined) return;
    this.#sendPending();
    this.#pool.know(facts);
    this.#areAllAffected = true;
    this.#flushSoon();
  }

  #takeCatalogs(): void {
    this.#sendPending();
    this.#pool.hold(this.#catalogs.states());
    this.#areAllAffected = true;
    this.#flushSoon();
  }

  #clusterFacts(): ClusterFacts {
    const { versions = [], apis = [] } = this.#facts?.facts ?? {};
    const lost = this.#inputs.lost.flatMap(({ kind }) => (kind === "resolutions" ? [] : [kind]));
    const ofConstraints = this.#inputs.lost.find(({ kind }) => kind === "configMaps");
    const { configMap } = this.#options.setting;
    return {
      ...{ versions, apis, lost },
      ...(ofConstraints && {
        unreadConstraints: unreadConfigMap(configMap, UNKNOWN_WITHOUT.runtimeConstraints, ofConstraints.failure),
      }),
    };
  }

  #lostKinds(): readonly { readonly kind: string; readonly why: string }[] {
    return this.#inputs.lost.map(({ kind, failure }) => ({ kind: apiOf(kind).kind, why: failure.message }));
  }

  /** Everything is read that can be: advice can be given. */
  #settle(): void {
    if (this.#isSettled || !this.#inputs.isSettled || this.#facts.facts === undefined) return;
    if (!this.#catalogs.isSettled && !this.#isCatalogTimeOver) {
      this.#catalogTimer ??= this.#options.clock.after(CATALOGS_LIMIT, () => {
        this.#isCatalogTimeOver = true;
        this.#settle();
      });
      return;
    }
    this.#catalogTimer?.();
    this.#isSettled = true;
    this.#report();
    this.#addAll();
  }

  /** The key of the Resolution of the ClusterExtensions. */
  get #clusterKey(): string {
    return `${this.#options.setting.namespace}/${CLUSTER_RESOLUTION}`;
  }

  #addAll(): void {
    const keys = new Set<string>();
    for (const namespace of this.#inputs.namespaces) keys.add(`${namespace}/${NAMESPACE_RESOLUTION}`);
    for (const { key } of this.#inputs.resolutions.values()) keys.add(key);
    keys.add(this.#clusterKey);
    this.#add([...keys]);
  }

  #add(keys: readonly string[]): void {
    if (!this.#isSettled || !this.#leadership.isReady) return;
    for (const key of keys) {
      this.#readingMetrics.changed(key);
      this.#queue.add(key);
    }
  }

  #report(): void {
    const lost = this.#inputs?.lost ?? [];
    const isSettled = this.#isSettled;
    void this.#options.writing().call("report", { isSettled, failing: this.#failingKinds.report(lost) });
  }

  #metricsText(): string {
    for (const list of WATCHED_LISTS)
      this.#readingMetrics.setKind(apiOf(list).kind, {
        objects: this.#inputs.sizeOf(list),
        isSynced: this.#inputs.isSynced(list),
        isFailing: this.#failingKinds.failureOf(list) !== undefined,
      });
    const own = this.#metrics.text({
      advised: this.#reconciler.advised,
      off: this.#reconciler.off,
      catalogs: this.#catalogs.states(),
      areConstraintsValid: this.#reconciler.areConstraintsValid,
      engines: this.#pool.size,
    });
    return this.#readingMetrics.text() + own;
  }

  #log(level: LogLevel, message: string, fields: LogFields): void {
    void this.#options.writing().call("log", { level, message, fields });
  }
}

/** Does a Subscription say of another operator what its package is? Other namespaces see that. */
function changesOperators(list: EngineList, { item, before }: StoreChange<WatchedInput>): boolean {
  if (list !== "subscriptions") return false;
  const claim = (one: WatchedInput | undefined): readonly unknown[] => {
    const { installedCSV, package: owner } = (one?.part.model ?? {}) as Partial<Subscription>;
    return installedCSV === undefined ? [] : [installedCSV, owner];
  };
  return !isSame(claim(item), claim(before));
}
