// Who answers? A few engine workers with the same objects and catalogs. One that ends, or that is silent for too long, is replaced; what it
// was asked fails, so that a namespace that no engine survives harms no other.

import type { Clock } from "../controller/clock.ts";
import type {
  AdviceAnswer,
  AdviceRequest,
  CatalogNews,
  CatalogRequest,
  CatalogState,
  ClusterFacts,
  EngineFunctions,
  ObjectChange,
  RadiusRequest,
} from "./threads.ts";

/** An engine worker. */
export interface EngineWorker {
  call<Name extends keyof EngineFunctions & string>(
    name: Name,
    argument: Parameters<EngineFunctions[Name]>[0],
  ): Promise<Awaited<ReturnType<EngineFunctions[Name]>>>;
  /** Ends it at once; its calls reject. */
  end(): void;
}

/** What a new engine has to know. */
export interface KnownState {
  readonly changes: readonly ObjectChange[];
  readonly facts: ClusterFacts;
  readonly catalogs: readonly CatalogState[];
}

export interface EnginePoolOptions {
  /** Starts a worker; `onEnd` is called if it ends by itself. */
  readonly start: (onEnd: (error: Error) => void) => EngineWorker;
  readonly size: number;
  readonly state: () => KnownState;
  readonly clock: Clock;
  /** A worker has ended, and is replaced. */
  readonly onReplaced: (why: string) => void;
}

/** Milliseconds for one answer. The engine itself ends its search long before. */
const ANSWER_LIMIT = 60_000;
/** Milliseconds until a worker that has ended is replaced: one that fails at once must not fail all the time. */
const RESTART_AFTER = 1000;

interface Slot {
  worker: EngineWorker | undefined;
  isBusy: boolean;
}

export class EnginePool {
  readonly #options: EnginePoolOptions;
  readonly #slots: readonly Slot[];
  /** Those who wait for a free worker. */
  readonly #waiting: ((slot: Slot) => void)[] = [];
  #isRadiusAsked = false;
  #isStopped = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.size }, () => ({ worker: undefined, isBusy: false }));
    for (const slot of this.#slots) this.#start(slot);
  }

  /** Workers that run. */
  get size(): number {
    return this.#slots.filter(({ worker }) => worker !== undefined).length;
  }

  change(changes: readonly ObjectChange[]): void {
    this.#tellAll((worker) => worker.call("change", changes));
  }

  know(facts: ClusterFacts): void {
    this.#tellAll((worker) => worker.call("know", facts));
  }

  hold(catalogs: readonly CatalogState[]): void {
    this.#tellAll((worker) => worker.call("hold", catalogs));
  }

  /** Rejects if the worker ends, or does not answer in time. */
  advise(request: AdviceRequest): Promise<AdviceAnswer> {
    return this.#asked((worker) => worker.call("advise", request));
  }

  /**
   * What other runtime constraints would do; rejects likewise. Anything in the network may ask, so advice comes first: one question at a
   * time, by a worker that is free, and never by the last one of several. Undefined if there is none.
   */
  async radius(request: RadiusRequest): Promise<string | undefined> {
    const free = this.#slots.filter(({ worker, isBusy }) => worker !== undefined && !isBusy).length;
    if (this.#isRadiusAsked || free < Math.min(2, this.#slots.length)) return undefined;
    this.#isRadiusAsked = true;
    try {
      return await this.#asked((worker) => worker.call("radius", request));
    } finally {
      this.#isRadiusAsked = false;
    }
  }

  async #asked<Result>(ask: (worker: EngineWorker) => Promise<Result>): Promise<Result> {
    const slot = await this.#free();
    const { worker } = slot;
    if (worker === undefined) throw new Error("the controller stops");
    const { clock } = this.#options;
    const late = `no answer within ${ANSWER_LIMIT / 1000} seconds`;
    const cancel = clock.after(ANSWER_LIMIT, () => this.#replace(slot, worker, late));
    try {
      return await ask(worker);
    } finally {
      cancel();
      if (slot.worker === worker) this.#release(slot);
    }
  }

  /** Reads a catalog; that is mostly waiting, so a busy worker can do it, too. */
  async read(request: CatalogRequest): Promise<CatalogNews> {
    const [slot] = [...this.#slots].filter(({ worker }) => worker !== undefined).sort((a, b) => +a.isBusy - +b.isBusy);
    const worker = slot?.worker;
    if (worker === undefined) return { is: "failed", why: "the engine is being started" };
    return worker
      .call("read", request)
      .catch((error: Error): CatalogNews => ({ is: "failed", why: `the engine failed: ${error.message}` }));
  }

  stop(): void {
    this.#isStopped = true;
    for (const slot of this.#slots) {
      slot.worker?.end();
      slot.worker = undefined;
    }
    for (const take of this.#waiting.splice(0)) take({ worker: undefined, isBusy: false });
  }

  #start(slot: Slot): void {
    const { start, state } = this.#options;
    const worker = start((error) => this.#replace(slot, worker, error.message));
    slot.worker = worker;
    const { changes, facts, catalogs } = state();
    for (const call of [
      worker.call("change", changes),
      worker.call("know", facts),
      worker.call("hold", catalogs),
    ] as readonly Promise<unknown>[])
      call.catch(() => undefined);
    this.#release(slot);
  }

  /** Ends a worker, if it is still there, and starts another one. */
  #replace(slot: Slot, worker: EngineWorker, why: string): void {
    if (this.#isStopped || slot.worker !== worker) return;
    slot.worker = undefined;
    slot.isBusy = true;
    worker.end();
    this.#options.onReplaced(why);
    this.#options.clock.after(RESTART_AFTER, () => {
      if (!this.#isStopped) this.#start(slot);
    });
  }

  #free(): Promise<Slot> {
    if (this.#isStopped) return Promise.resolve({ worker: undefined, isBusy: false });
    const slot = this.#slots.find(({ worker, isBusy }) => worker !== undefined && !isBusy);
    if (slot === undefined) return new Promise((take) => this.#waiting.push(take));
    slot.isBusy = true;
    return Promise.resolve(slot);
  }

  #release(slot: Slot): void {
    if (slot.worker === undefined) return;
    const next = this.#waiting.shift();
    slot.isBusy = next !== undefined;
    next?.(slot);
  }

  #tellAll(call: (worker: EngineWorker) => Promise<unknown>): void {
    for (const { worker } of this.#slots) if (worker !== undefined) call(worker).catch(() => undefined);
  }
}
