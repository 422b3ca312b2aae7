// How does a controller run? This file is its part of the main thread: it holds a Lease of its own, and writes for a reading thread of its own,
// which watches and computes. A process can have several of them (controller-process.ts).

import { Worker } from "node:worker_threads";
import { ApiServer } from "../kube/api-server.ts";
import type { Connection } from "../kube/connection.ts";
import { type Clock, sleep } from "./clock.ts";
import type { Controller } from "./controller-process.ts";
import type {
  CommonReadingFunctions,
  CommonWritingFunctions,
  PlanOfTerm,
  ReadingReport,
} from "./controller-threads.ts";
import { EventRecorder } from "./event-recorder.ts";
import { LeaderElector } from "./leader-election.ts";
import { LeadingMetrics } from "./leading-metrics.ts";
import type { LeaseTimes } from "./lease-times.ts";
import { type Logger, withFields } from "./log.ts";
import { carryOut, type WriteFence, type WriteOutcome } from "./ordered-writes.ts";
import { PendingWrites } from "./pending-writes.ts";
import { type Functions, ThreadLink } from "./thread-link.ts";

/** Who leads, and how it writes. */
export interface LeadingSetting extends LeaseTimes {
  /** Of the Lease. */
  readonly namespace: string;
  readonly leaseName: string;
  readonly identity: string;
  /** How many plans are carried out at the same time. */
  readonly writesAtOnce: number;
}

/** What all controllers of a process share. */
export interface ControllerSurroundings {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}

/** What writing depends on besides the Lease. */
export interface WriteCondition {
  /** Is nothing known that forbids to write? */
  readonly isClear: boolean;
  /** Looks for it until it is stopped. */
  run(signal: AbortSignal): Promise<void>;
}

/** What a condition is made of. */
export interface ConditionOptions {
  /** For few and short requests: renewals of the Lease use it, too. */
  readonly server: ApiServer;
  readonly log: Logger;
  /** To be called when `isClear` has changed. Otherwise that is noticed within some seconds; no write is sent meanwhile. */
  readonly onChange: () => void;
}

export interface LeadingOptions extends ControllerSurroundings {
  /** Of the controller, in logs and metrics. */
  readonly name: string;
  readonly setting: LeadingSetting;
  /** The file of the reading thread. */
  readonly thread: URL;
  /** What the reading thread starts with: `ReadingThreadData` if it is started by `enterReadingThread`. */
  readonly workerData: unknown;
  /** What the reading thread may call besides {@link CommonWritingFunctions}. */
  readonly functions?: Functions;
  /** By default only the Lease counts. */
  readonly condition?: (options: ConditionOptions) => WriteCondition;
}

/** A graceful stop takes at most this long, in milliseconds: for the last writes and events, and for the release of the Lease. */
const STOP_LIMIT = 3000;
const RELEASE_LIMIT = 1500;
/** The reading thread is dead if it has not answered for so long, in milliseconds. */
const DEAD_AFTER = 60_000;
const PING_PERIOD = 5000;
/** Large enough that short-lived values, such as the texts of objects, are collected before they are promoted: fewer and shorter pauses. */
const YOUNG_MEGABYTES = 96;
/** Milliseconds for the last events. */
const FLUSH_LIMIT = 1000;

/** `Reading`: what the reading thread offers. */
export class LeadingController<Reading extends CommonReadingFunctions> implements Controller {
  readonly name: string;
  /** The reading thread. */
  readonly reading: Pick<ThreadLink<Reading>, "call">;
  /** Its lines name the controller. */
  readonly log: Logger;
  readonly #identity: string;
  readonly #clock: Clock;
  /** For plans and events. */
  readonly #server: ApiServer;
  readonly #writes: PendingWrites;
  /** For the Lease, and for what else writing depends on: few and short requests, which wait for no others. */
  readonly #leasing: ApiServer;
  readonly #worker: Worker;
  readonly #link: ThreadLink<CommonReadingFunctions>;
  readonly #elector: LeaderElector;
  readonly #condition: WriteCondition | undefined;
  readonly #recorder: EventRecorder;
  readonly #metrics: LeadingMetrics;
  /** What every write depends on. */
  readonly #fence: WriteFence;
  /** Ends the election and all watching, after the last write. */
  readonly #over = new AbortController();
  /** The reading thread has failed. */
  readonly #failed: Promise<never>;
  #fail: (error: Error) => void = () => undefined;
  #work: Promise<unknown> = Promise.resolve();
  #report: ReadingReport = { isSettled: false, failing: [] };
  #lastAnswer: number;
  #isLeading = false;
  /** The number of the time during which this process leads without a break. */
  #term = 0;
  #isStopping = false;

  /** Starts the reading thread. */
  constructor(options: LeadingOptions) {
    const { name, setting, connection, clock, condition } = options;
    const log = withFields(options.log, { controller: name });
    this.name = name;
    this.#identity = setting.identity;
    this.#clock = clock;
    this.log = log;
    this.#metrics = new LeadingMetrics(name);
    // One for each plan that is carried out, and one for events, which are sent one after the other.
    this.#server = new ApiServer(connection, { writeConnections: setting.writesAtOnce + 1 });
    this.#writes = new PendingWrites({
      server: this.#server,
      clock,
      // A Lease that expires gives them at least as much time.
      doubt: setting.leaseDuration - setting.renewDeadline,
    });
    this.#leasing = new ApiServer(connection);
    this.#lastAnswer = clock.monotonic();
    this.#elector = this.#newElector(options);
    this.#condition = condition?.({ server: this.#leasing, log, onChange: () => this.#decideWhoLeads() });
    this.#fence = { writeTimeout: this.#elector.writeTimeout, mayWrite: () => this.#mayWrite() };
    this.#recorder = this.#newRecorder(options);
    this.#worker = new Worker(options.thread, {
      workerData: options.workerData,
      // Do not pass on this process's Node flags, such as --import.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#failed = new Promise((_, failed) => {
      this.#fail = failed;
    });
    this.#worker.once("error", this.#fail);
    this.#worker.once("exit", (code) => this.#fail(new Error(`the reading thread ended with ${code}`)));
    this.#failed.catch((error: Error) => {
      // What ends it is not a failure.
      if (!this.#isStopping) this.log.error("the reading thread failed", { why: error.message });
      this.#link.close(error);
    });
    const reading = new ThreadLink<Reading>(this.#worker, { ...options.functions, ...this.#functions() });
    this.reading = reading;
    this.#link = reading;
  }

  /** Does the reading thread answer? */
  get isAlive(): boolean {
    return this.#clock.monotonic() - this.#lastAnswer < DEAD_AFTER;
  }

  /** Has the reading thread read everything that can be read? */
  get isSettled(): boolean {
    return this.#report.isSettled;
  }

  /** What is measured in both threads, in the text format of Prometheus. */
  async metrics(): Promise<string> {
    return this.#metrics.text(await this.#link.call("metrics", undefined));
  }

  /** Works until it is stopped; rejects if the reading thread fails. */
  async run(): Promise<void> {
    const over = this.#over.signal;
    this.#work = Promise.all([this.#elector.run(over), this.#condition?.run(over), this.#ping()]);
    await Promise.race([this.#failed, this.#work]);
  }

  /**
   * Makes no new plans, finishes writes and events, and gives up what has no answer in time. Then it releases the Lease for the other
   * replica; but if a write has no answer, the server may still carry it out, and the Lease expires.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#within(STOP_LIMIT, async () => {
      await this.#link.call("stop", undefined).catch(() => undefined);
      // A thread that has failed does not wait for them.
      await this.#writes.ended();
      await this.#recorder.flush(FLUSH_LIMIT);
    });
    this.#server.close();
    this.#over.abort();
    await this.#within(RELEASE_LIMIT, async () => void (await this.#work.catch(() => undefined)));
    this.#leasing.close();
    await this.#worker.terminate();
  }

  #newElector({ setting, clock, random }: LeadingOptions): LeaderElector {
    const { namespace, leaseName, identity, leaseDuration, renewDeadline, retryPeriod } = setting;
    return new LeaderElector({
      server: this.#leasing,
      ...{ clock, random, namespace, name: leaseName, identity, leaseDuration, renewDeadline, retryPeriod },
      onChange: () => this.#decideWhoLeads(),
      onTrouble: (failure) => {
        if (failure === undefined) this.log.info("the Lease can be read and renewed again");
        else this.log.warn("cannot read or renew the Lease", { why: failure.message });
      },
      mayRelease: () => this.#writes.areOver,
    });
  }

  #newRecorder({ setting, clock, random }: LeadingOptions): EventRecorder {
    return new EventRecorder({
      server: this.#writes,
      ...{ clock, random, fence: this.#fence },
      reportingInstance: setting.identity,
      onDrop: (reason, failure) => {
        this.#metrics.droppedEvent(reason);
        if (reason === "failed") this.log.warn("an event could not be sent", { why: failure?.message });
      },
    });
  }

  /** What every reading thread may call. */
  #functions(): CommonWritingFunctions {
    return {
      carryOut: (plan) => this.#carryOut(plan),
      record: (events) => {
        for (const event of events) this.#recorder.record(event);
        return Math.max(...events.map(({ regarding }) => this.#recorder.mutedFor(regarding)));
      },
      log: ({ level, message, fields }) => this.log[level](message, fields),
      report: (report) => this.#takeReport(report),
    };
  }

  async #carryOut({ writes, term }: PlanOfTerm): Promise<WriteOutcome> {
    const outcome = await carryOut(writes, {
      server: this.#writes,
      // A plan may end after any of its writes: they are in a safe order.
      fence: { ...this.#fence, mayWrite: () => !this.#isStopping && term === this.#term && this.#mayWrite() },
      onWrite: (verb, result) => this.#metrics.wrote(verb, result),
    });
    for (const { verb, path } of writes.slice(0, outcome.written.length)) this.log.debug("written", { verb, path });
    return outcome;
  }

  #takeReport(report: ReadingReport): void {
    const log = this.log;
    if (report.isSettled && !this.#report.isSettled) log.info("synced");
    const known = new Map(this.#report.failing.map(({ kind, isLost }) => [kind, isLost]));
    for (const { kind, why, isLost } of report.failing) {
      if (isLost && known.get(kind) !== true)
        log.error("a kind cannot be read; nothing is removed because of it", { kind, why });
      else if (!known.has(kind)) log.warn("cannot list or watch; trying again", { kind, why });
      known.delete(kind);
    }
    for (const kind of known.keys()) log.info("a kind can be read again", { kind });
    this.#report = report;
  }

  /** May a request that changes something be sent now? */
  #mayWrite(): boolean {
    return this.#elector.mayWrite() && (this.#condition?.isClear ?? true);
  }

  #decideWhoLeads(): void {
    const leads = this.#mayWrite();
    if (leads === this.#isLeading) return;
    this.#isLeading = leads;
    this.#metrics.lead(leads);
    this.log.info(leads ? "leading" : "standing by", { identity: this.#identity });
    if (leads) this.#term++;
    void this.#link.call("lead", leads ? this.#term : undefined).catch(() => undefined);
  }

  /** Asks the reading thread now and then whether it still answers. One that does not has failed, although it has not ended. */
  async #ping(): Promise<void> {
    const { signal } = this.#over;
    let isAsked = false;
    // Counted, not measured: after this process was frozen, the thread has time to answer.
    let silentPeriods = 0;
    while (!signal.aborted) {
      if (isAsked) {
        silentPeriods++;
      } else {
        isAsked = true;
        silentPeriods = 0;
        const answered = (): void => {
          isAsked = false;
          this.#lastAnswer = this.#clock.monotonic();
        };
        void this.#link.call("ping", undefined).then(answered, () => undefined);
      }
      if (silentPeriods * PING_PERIOD > DEAD_AFTER) this.#fail(new Error("the reading thread does not answer"));
      this.#decideWhoLeads();
      await sleep(this.#clock, PING_PERIOD, signal).catch(() => undefined);
    }
  }

  /** Waits for work, at most the given number of milliseconds. */
  async #within(milliseconds: number, work: () => Promise<void>): Promise<void> {
    const late = new AbortController();
    await Promise.race([work(), sleep(this.#clock, milliseconds, late.signal).catch(() => undefined)]);
    late.abort();
  }
}
