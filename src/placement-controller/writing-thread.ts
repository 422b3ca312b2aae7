// How does the placement controller run? The writing thread, which this file is, holds the lease, writes, and answers probes; the reading
// thread watches and computes. The controller ends when it is asked to, or when the reading thread fails.

import { Worker } from "node:worker_threads";
import { type Clock, sleep } from "../controller/clock.ts";
import { EventRecorder } from "../controller/event-recorder.ts";
import { healthRoute } from "../controller/health-checks.ts";
import { type HttpServer, type Route, startHttpServer } from "../controller/http-server.ts";
import { LeaderElector } from "../controller/leader-election.ts";
import type { LeaseTimes } from "../controller/lease-times.ts";
import { bugFields, type Log } from "../controller/log.ts";
import { METRICS_TYPE } from "../controller/metrics.ts";
import { carryOut, type WriteFence, type WriteOutcome } from "../controller/ordered-writes.ts";
import { PendingWrites } from "../controller/pending-writes.ts";
import { ThreadLink } from "../controller/thread-link.ts";
import { ApiServer } from "../kube/api-server.ts";
import type { Connection } from "../kube/connection.ts";
import type { NetFailure } from "../net/failure.ts";
import { isAllowed } from "./caller.ts";
import { debugRoutes } from "./debug-routes.ts";
import { type Rival, RivalWatch } from "./rival.ts";
import type { PlanOfTerm, ReadingFunctions, ReadingReport, ReadingSetting, WritingFunctions } from "./threads.ts";
import { WritingMetrics } from "./writing-metrics.ts";

export interface ControllerSetting extends ReadingSetting, LeaseTimes {
  /** Of this program. */
  readonly version: string;
  /** Of the Lease. */
  readonly namespace: string;
  readonly leaseName: string;
  readonly identity: string;
  /** Where OCM's own controller runs. */
  readonly ocmNamespace: string;
  /** `HOST:PORT`; undefined: not at all. */
  readonly healthAddress: string | undefined;
  readonly metricsAddress: string | undefined;
  readonly debugAddress: string | undefined;
}

export interface ControllerSurroundings {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Asks it to end. */
  readonly signal: AbortSignal;
  /** The file of the reading thread; by default beside this one. */
  readonly thread?: URL;
}

/** A graceful stop takes at most this long, in milliseconds: for the last writes and events, and for the release of the Lease. */
const STOP_LIMIT = 3000;
const RELEASE_LIMIT = 1500;
/** The reading thread is dead if it has not answered for so long, in milliseconds. */
const DEAD_AFTER = 60_000;
const PING_PERIOD = 5000;
/** Large enough that short-lived values, such as the texts of objects, are collected before they are promoted: fewer and shorter pauses. */
const YOUNG_MEGABYTES = 96;
/** Milliseconds for a request and its answer: reasons of a large fleet take long, probes must not wait behind slow clients. */
const ANSWER_LIMIT = 30_000;
const PROBE_LIMIT = 2000;
/** Milliseconds for the last events. */
const FLUSH_LIMIT = 1000;

/** Runs until it is asked to end; rejects if the reading thread fails. */
export async function runPlacementController(
  setting: ControllerSetting,
  surroundings: ControllerSurroundings,
): Promise<void> {
  const controller = new PlacementController(setting, surroundings);
  await controller.run();
}

class PlacementController {
  readonly #setting: ControllerSetting;
  readonly #surroundings: ControllerSurroundings;
  /** For plans and events. */
  readonly #server: ApiServer;
  readonly #writes: PendingWrites;
  /** For the Lease, and for looking whether OCM's controller runs: few and short requests, which wait for no others. */
  readonly #leasing: ApiServer;
  /** For questions about callers of the debug address. */
  readonly #reviews: ApiServer;
  readonly #worker: Worker;
  readonly #reading: ThreadLink<ReadingFunctions>;
  readonly #elector: LeaderElector;
  readonly #rivals: RivalWatch;
  readonly #recorder: EventRecorder;
  readonly #metrics: WritingMetrics;
  /** What every write depends on. */
  readonly #fence: WriteFence;
  /** Ends the election and all watching, after the last write. */
  readonly #over = new AbortController();
  /** The reading thread has failed. */
  readonly #failed: Promise<never>;
  #fail: (error: Error) => void = () => undefined;
  #report: ReadingReport = { isSettled: false, failing: [] };
  #lastAnswer: number;
  #isLeading = false;
  /** The number of the time during which this process leads without a break. */
  #term = 0;
  #isStopping = false;

  constructor(setting: ControllerSetting, surroundings: ControllerSurroundings) {
    const { connection, clock, random, log } = surroundings;
    this.#setting = setting;
    this.#surroundings = surroundings;
    this.#metrics = new WritingMetrics(setting.version);
    // One for each plan that is carried out, and one for events, which are sent one after the other.
    this.#server = new ApiServer(connection, { writeConnections: setting.writesAtOnce + 1 });
    this.#writes = new PendingWrites({
      server: this.#server,
      clock,
      // A Lease that expires gives them at least as much time.
      doubt: setting.leaseDuration - setting.renewDeadline,
    });
    this.#leasing = new ApiServer(connection);
    this.#reviews = new ApiServer(connection);
    this.#lastAnswer = clock.monotonic();
    this.#elector = new LeaderElector({
      server: this.#leasing,
      clock,
      random,
      namespace: setting.namespace,
      name: setting.leaseName,
      identity: setting.identity,
      leaseDuration: setting.leaseDuration,
      renewDeadline: setting.renewDeadline,
      retryPeriod: setting.retryPeriod,
      onChange: () => this.#decideWhoLeads(),
      onTrouble: (failure) => {
        if (failure === undefined) log.info("the Lease can be read and renewed again");
        else log.warn("cannot read or renew the Lease", { why: failure.message });
      },
      mayRelease: () => this.#writes.areOver,
    });
    this.#rivals = new RivalWatch({
      server: this.#leasing,
      namespace: setting.ocmNamespace,
      clock,
      onChange: (rival) => {
        this.#logRival(rival);
        this.#metrics.detectOcm(rival !== undefined);
        this.#decideWhoLeads();
      },
    });
    this.#fence = { writeTimeout: this.#elector.writeTimeout, mayWrite: () => this.#mayWrite() };
    this.#recorder = new EventRecorder({
      server: this.#writes,
      clock,
      random,
      reportingInstance: setting.identity,
      fence: this.#fence,
      onDrop: (reason, failure) => {
        this.#metrics.droppedEvent(reason);
        if (reason === "failed") log.warn("an event could not be sent", { why: failure?.message });
      },
    });
    const { connection: choice, compat, tieBreak, onExpiredScore, decisionScores, writesAtOnce } = setting;
    const placing = { compat, tieBreak, onExpiredScore, decisionScores };
    const workerData: ReadingSetting = { connection: choice, ...placing, writesAtOnce };
    // Do not pass on this process's Node flags, such as --import.
    const options = { workerData, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES } };
    this.#worker = new Worker(surroundings.thread ?? new URL("./reading-thread-entry.js", import.meta.url), options);
    this.#failed = new Promise((_, failed) => {
      this.#fail = failed;
    });
    this.#worker.once("error", this.#fail);
    this.#worker.once("exit", (code) => this.#fail(new Error(`the reading thread ended with ${code}`)));
    this.#failed.catch((error: Error) => this.#reading.close(error));
    this.#reading = new ThreadLink<ReadingFunctions>(this.#worker, this.#functions());
  }

  async run(): Promise<void> {
    const { log, signal } = this.#surroundings;
    const servers: HttpServer[] = [];
    let work: Promise<unknown> = Promise.resolve();
    try {
      await this.#startServers(servers);
      const over = this.#over.signal;
      work = Promise.all([this.#elector.run(over), this.#rivals.run(over), this.#ping()]);
      await Promise.race([this.#failed, aborted(signal), work]);
      log.info("stopping");
    } finally {
      await Promise.all([this.#stop(work), ...servers.map((server) => server.close())]);
    }
    log.info("stopped");
  }

  /** What the reading thread may call. */
  #functions(): WritingFunctions {
    const { log } = this.#surroundings;
    return {
      carryOut: (plan) => this.#carryOut(plan),
      record: (events) => {
        for (const event of events) this.#recorder.record(event);
        return Math.max(...events.map(({ regarding }) => this.#recorder.mutedFor(regarding)));
      },
      log: ({ level, message, fields }) => log[level](message, fields),
      report: (report) => this.#takeReport(report),
      review: (review) => isAllowed(this.#reviews, review),
    };
  }

  async #carryOut({ writes, term }: PlanOfTerm): Promise<WriteOutcome> {
    const outcome = await carryOut(writes, {
      server: this.#writes,
      // A plan may end after any of its writes: they are in a safe order.
      fence: { ...this.#fence, mayWrite: () => !this.#isStopping && term === this.#term && this.#mayWrite() },
      onWrite: (verb, result) => this.#metrics.wrote(verb, result),
    });
    const { log } = this.#surroundings;
    for (const { verb, path } of writes.slice(0, outcome.written.length)) log.debug("written", { verb, path });
    return outcome;
  }

  #takeReport(report: ReadingReport): void {
    const { log } = this.#surroundings;
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
    return this.#elector.mayWrite() && this.#rivals.isClear;
  }

  #decideWhoLeads(): void {
    const leads = this.#mayWrite();
    if (leads === this.#isLeading) return;
    this.#isLeading = leads;
    this.#metrics.lead(leads);
    this.#surroundings.log.info(leads ? "leading" : "standing by", { identity: this.#setting.identity });
    if (leads) this.#term++;
    void this.#reading.call("lead", leads ? this.#term : undefined).catch(() => undefined);
  }

  #logRival(rival: Rival | undefined): void {
    const { log } = this.#surroundings;
    const { ocmNamespace: namespace } = this.#setting;
    if (rival === undefined) log.info("OCM's placement controller does not run", { namespace });
    else if (rival.is === "unknown")
      log.error("nothing is written: it cannot be found out whether OCM's placement controller runs", {
        namespace,
        why: rival.failure.message,
      });
    else
      log.warn("nothing is written: OCM's own placement controller is alive", {
        namespace,
        ...(rival.is === "lease" ? { lease: "placement-lock", holder: rival.holder } : { replicas: rival.replicas }),
        help: "stop it first: docs/moving-from-ocm.md",
      });
  }

  /** Starts the servers that are wanted, one after the other. */
  async #startServers(servers: HttpServer[]): Promise<void> {
    const { log } = this.#surroundings;
    const { healthAddress, metricsAddress, debugAddress } = this.#setting;
    const alive = { "reading-thread": () => this.#surroundings.clock.monotonic() - this.#lastAnswer < DEAD_AFTER };
    const ready = { ...alive, synced: () => this.#report.isSettled };
    const metrics: Route = {
      handle: async () => {
        const body = this.#metrics.text(await this.#reading.call("metrics", undefined));
        return { status: 200, contentType: METRICS_TYPE, body };
      },
    };
    const onUnreviewed = ({ message }: NetFailure): void =>
      log.warn("a caller of the debug address cannot be reviewed", { why: message });
    const probes = { "/livez": healthRoute("livez", alive), "/readyz": healthRoute("readyz", ready) };
    const wanted = [
      ["health", healthAddress, probes, PROBE_LIMIT],
      ["metrics", metricsAddress, { "/metrics": metrics }, ANSWER_LIMIT],
      ["debug", debugAddress, debugRoutes(this.#reviews, this.#reading, onUnreviewed), ANSWER_LIMIT],
    ] as const;
    for (const [name, address, routes, timeLimit] of wanted) {
      if (address === undefined) continue;
      const onError = (error: unknown): void => log.error("a request failed", { server: name, ...bugFields(error) });
      const server = await startHttpServer({ address, routes, timeLimit, onError });
      log.info("listening", { server: name, address: server.address });
      servers.push(server);
    }
  }

  /** Asks the reading thread now and then whether it still answers. One that does not has failed, although it has not ended. */
  async #ping(): Promise<void> {
    const { clock } = this.#surroundings;
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
          this.#lastAnswer = clock.monotonic();
        };
        void this.#reading.call("ping", undefined).then(answered, () => undefined);
      }
      if (silentPeriods * PING_PERIOD > DEAD_AFTER) this.#fail(new Error("the reading thread does not answer"));
      this.#decideWhoLeads();
      await sleep(clock, PING_PERIOD, signal).catch(() => undefined);
    }
  }

  /**
   * Makes no new plans, finishes writes and events, and gives up what has no answer in time. Then it releases the Lease for the other
   * replica; but if a write has no answer, the server may still carry it out, and the Lease expires.
   */
  async #stop(work: Promise<unknown>): Promise<void> {
    this.#isStopping = true;
    await this.#within(STOP_LIMIT, async () => {
      await this.#reading.call("stop", undefined).catch(() => undefined);
      // A thread that has failed does not wait for them.
      await this.#writes.ended();
      await this.#recorder.flush(FLUSH_LIMIT);
    });
    this.#server.close();
    this.#over.abort();
    await this.#within(RELEASE_LIMIT, async () => void (await work.catch(() => undefined)));
    for (const server of [this.#leasing, this.#reviews]) server.close();
    await this.#worker.terminate();
    this.#surroundings.log.flush();
  }

  /** Waits for work, at most the given number of milliseconds. */
  async #within(milliseconds: number, work: () => Promise<void>): Promise<void> {
    const late = new AbortController();
    const { clock } = this.#surroundings;
    await Promise.race([work(), sleep(clock, milliseconds, late.signal).catch(() => undefined)]);
    late.abort();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}
