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
/** A worker is told so many objects at a time, and so many milliseconds later more: all of a large cluster would hold up this thread. */
const PIECE = 200;
const PAUSE = 1;

type Tell = (worker: EngineWorker) => Promise<unknown>;

interface Slot {
  worker: EngineWorker | undefined;
  /** It is asked for advice, or is not yet ready for it. */
  isBusy: boolean;
  /** Catalogs that it reads. */
  reads: number;
  /** What a new worker has still to be told before it is asked, in this order. */
  untold: Tell[];
}

export class EnginePool {
  readonly #options: EnginePoolOptions;
  readonly #slots: readonly Slot[];
  /** Those who wait for a free worker. */
  readonly #waiting: ((slot: Slot | undefined) => void)[] = [];
  #isRadiusAsked = false;
  #isStopped = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.size }, () => ({
      worker: undefined,
      isBusy: false,
      reads: 0,
      untold: [],
    }));
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
    const worker = slot?.worker;
    if (slot === undefined || worker === undefined) throw new Error("the controller stops");
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
    const slot = leastBusy(this.#slots);
    const worker = slot?.worker;
    if (slot === undefined || worker === undefined) return { is: "not-asked", why: "the engine is being started" };
    slot.reads++;
    try {
      return await worker.call("read", request);
    } catch (error) {
      const { message } = error as Error;
      // Every catalog that it was reading fails when a worker ends, for whatever reason.
      const hasEnded = slot.worker !== worker;
      return hasEnded
        ? { is: "not-asked", why: `the engine ended: ${message}` }
        : { is: "failed", why: `the engine failed: ${message}` };
    } finally {
      slot.reads--;
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const slot of this.#slots) {
      slot.worker?.end();
      slot.worker = undefined;
    }
    for (const take of this.#waiting.splice(0)) take(undefined);
  }

  #start(slot: Slot): void {
    const { start, state } = this.#options;
    const worker = start((error) => this.#replace(slot, worker, error.message));
    slot.worker = worker;
    slot.isBusy = true;
    const { changes, facts, catalogs } = state();
    worker.call("know", facts).catch(() => undefined);
    worker.call("hold", catalogs).catch(() => undefined);
    slot.untold = piecesOf(changes).map((piece) => (one) => one.call("change", piece));
    this.#tellMore(slot, worker);
  }

  /** Tells a new worker the next piece; after the last one it can be asked. */
  #tellMore(slot: Slot, worker: EngineWorker): void {
    if (slot.worker !== worker) return;
    const tell = slot.untold.shift();
    tell?.(worker).catch(() => undefined);
    if (slot.untold.length === 0) this.#release(slot);
    else this.#options.clock.after(PAUSE, () => this.#tellMore(slot, worker));
  }

  /** Ends a worker, if it is still there, and starts another one. */
  #replace(slot: Slot, worker: EngineWorker, why: string): void {
    if (this.#isStopped || slot.worker !== worker) return;
    slot.worker = undefined;
    slot.isBusy = true;
    slot.untold = [];
    worker.end();
    this.#options.onReplaced(why);
    this.#options.clock.after(RESTART_AFTER, () => {
      if (!this.#isStopped) this.#start(slot);
    });
  }

  /** A worker that is not being asked; undefined at the end. */
  #free(): Promise<Slot | undefined> {
    if (this.#isStopped) return Promise.resolve(undefined);
    const slot = leastBusy(this.#slots.filter(({ isBusy }) => !isBusy));
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

  #tellAll(tell: Tell): void {
    for (const { worker, untold } of this.#slots)
      if (untold.length > 0) untold.push(tell);
      else if (worker !== undefined) tell(worker).catch(() => undefined);
  }
}

function piecesOf(changes: readonly ObjectChange[]): readonly (readonly ObjectChange[])[] {
  const pieces: (readonly ObjectChange[])[] = [];
  for (let start = 0; start < changes.length; start += PIECE) pieces.push(changes.slice(start, start + PIECE));
  return pieces;
}

/** The worker that can be asked and has the least to do. Reading is mostly waiting, but what was read is work. */
function leastBusy(slots: readonly Slot[]): Slot | undefined {
  const ready = slots.filter(({ worker, untold }) => worker !== undefined && untold.length === 0);
  return ready.sort((a, b) => a.reads + +a.isBusy - (b.reads + +b.isBusy))[0];
}
