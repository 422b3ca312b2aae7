// What does the reading thread do? Reflectors fill the mirror, the mirror says which Placements may have changed, the queue
// reconciles them. It never writes: plans go to the other thread.

import { setMaxListeners } from "node:events";
import { Alarm } from "../controller/alarm.ts";
import type { ReadingThreadOptions } from "../controller/enter-reading-thread.ts";
import { watchEventLoop } from "../controller/event-loop.ts";
import { FailingKinds } from "../controller/failing-kinds.ts";
import { Leadership } from "../controller/leadership.ts";
import { bugFields, type LogFields, type LogLevel } from "../controller/log.ts";
import { ReadingMetrics } from "../controller/reading-metrics.ts";
import { KINDS } from "../input/objects/kind-table.ts";
import { SharedTexts } from "../input/shared-texts.ts";
import { FLEET_LISTS } from "../model/cluster-objects.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../placement/placement-mode.ts";
import { debugAnswer } from "./debug-answer.ts";
import { FollowedFields } from "./followed-fields.ts";
import { HubMetrics } from "./hub-metrics.ts";
import { HubMirror } from "./hub-mirror.ts";
import { HubReflectors } from "./hub-reflectors.ts";
import { placeJson } from "./place-json.ts";
import { PlacementQueue } from "./placement-queue.ts";
import { readVersion } from "./read-version.ts";
import { Reconciler } from "./reconciler.ts";
import { CONTROLLER, type ReadingFunctions, type ReadingSetting, type WritingFunctions } from "./threads.ts";
import type { WatchedList } from "./watched-kinds.ts";

type Options = ReadingThreadOptions<ReadingSetting, WritingFunctions>;

/** How often the wall clock is read on an idle hub, in milliseconds: it may have been set, even backwards. */
const TIME_PERIOD = 30_000;

/** Starts reading; the functions are what the other thread may call. */
export function startReadingThread(options: Options): ReadingFunctions {
  const thread = new ReadingThread(options);
  thread.start();
  return thread.functions();
}

class ReadingThread {
  readonly #options: Options;
  readonly #mode: PlacementMode;
  readonly #shared = new SharedTexts();
  readonly #delays = watchEventLoop();
  readonly #stop = new AbortController();
  readonly #mirror: HubMirror;
  readonly #failingKinds: FailingKinds<WatchedList>;
  readonly #reflectors: HubReflectors;
  readonly #fields: FollowedFields;
  readonly #reconciler: Reconciler;
  readonly #metrics: HubMetrics;
  readonly #queue: PlacementQueue;
  readonly #alarm: Alarm;
  readonly #leadership: Leadership<WatchedList>;
  /** What can be read, when all Placements were last looked at because of that. */
  #readable = "";
  #reading: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    const { server, setting, clock, random } = options;
    this.#options = options;
    this.#mode = setting.compat === "ocm" ? OCM_MODE : DEFAULT_MODE;
    // Each reflector listens to it several times; there are no more than these.
    setMaxListeners(100, this.#stop.signal);
    this.#mirror = new HubMirror({
      placing: { mode: this.#mode, tieBreak: setting.tieBreak, onExpiredScore: setting.onExpiredScore },
      clock,
      onAffected: (keys, isUrgent) => (isUrgent ? this.#queue.add(keys) : this.#queue.addMoved(keys)),
      onKinds: () => this.#takeKinds(),
    });
    const [mirror, shared] = [this.#mirror, this.#shared];
    mirror.engine.writeScores(setting.decisionScores);
    this.#failingKinds = new FailingKinds({
      kinds: FLEET_LISTS,
      nameOf: (list) => KINDS[list].kind,
      clock,
      onChange: () => this.#report(),
    });
    const failingKinds = this.#failingKinds;
    this.#reflectors = new HubReflectors({
      ...{ server, mirror, failingKinds, shared, clock, random },
      onSkipped: (list, why) =>
        this.#log("error", "skipped an object that cannot be parsed", { kind: KINDS[list].kind, why }),
    });
    this.#fields = new FollowedFields({
      ...{ server, clock },
      onChange: ({ decision }) => {
        const hasScore = decision === undefined || decision.has("score");
        mirror.engine.writeScores(hasScore ? setting.decisionScores : "none");
        this.#queue.addAll();
      },
      onFailure: ({ message }) =>
        this.#log("warn", "the schemas of the CRDs cannot be read; fields that they do not have may be written", {
          why: message,
        }),
    });
    this.#alarm = new Alarm(clock, (keys) => {
      mirror.apply();
      this.#queue.add(keys);
    });
    this.#leadership = new Leadership<WatchedList>({
      kinds: FLEET_LISTS,
      listAgain: (list) => this.#reflectors.listAgain(list),
      clock,
      onReady: () => this.#queue.addAll(),
      onWaiting: (lists) => this.#logWaiting(lists),
    });
    this.#reconciler = this.#newReconciler();
    const common = new ReadingMetrics(CONTROLLER, clock);
    this.#metrics = new HubMetrics({ mirror, reconciler: this.#reconciler, failingKinds, common });
    this.#queue = new PlacementQueue({
      ...{ mirror, reconciler: this.#reconciler, metrics: common, clock, random },
      isLeading: () => this.#leadership.isReady,
      atOnce: setting.writesAtOnce,
      onError: (key, error) => this.#log("error", "failed to reconcile", { placement: key, ...bugFields(error) }),
    });
  }

  start(): void {
    const { signal } = this.#stop;
    this.#reading = this.#fields.follow(signal).then(() => this.#reflectors.run(signal));
    this.#lookAtTime();
  }

  /** What the other thread may call. */
  functions(): ReadingFunctions {
    const { setting, writing } = this.#options;
    const [mirror, mode] = [this.#mirror, this.#mode];
    return {
      lead: (term) => {
        if (term === undefined) this.#leadership.end();
        else void this.#leadership.begin(term);
      },
      debug: (request) => debugAnswer(request, mirror, { mode, review: (review) => writing().call("review", review) }),
      place: (request) => placeJson(mirror, { mode, tieBreak: setting.tieBreak }, request),
      metrics: () => ({ text: this.#metrics.text(), delays: this.#delays() }),
      ping: () => true,
      stop: async () => {
        this.#stop.abort();
        this.#leadership.end();
        this.#alarm.stop();
        // Before the queue: a read that is under way is cancelled.
        this.#options.server.close();
        await this.#queue.stop();
        await this.#reading;
      },
    };
  }

  #newReconciler(): Reconciler {
    const { server, clock, writing } = this.#options;
    return new Reconciler({
      ...{ mirror: this.#mirror, mode: this.#mode, clock, shared: this.#shared },
      isLeading: () => this.#leadership.isReady,
      storedFields: () => this.#fields.fields,
      carryOut: (writes) => writing().call("carryOut", { writes, term: this.#leadership.term }),
      readVersion: (list, namespace, name) => readVersion(server, list, { namespace, name }),
      record: (events) => writing().call("record", events),
      later: (key, milliseconds) => this.#queue.addAfter(key, milliseconds),
      wakeAt: (key, time) => this.#alarm.set(key, time),
      onFailure: (key, { message }, { during, isExpected }) =>
        this.#log(
          isExpected ? "debug" : "warn",
          during === "write" ? "failed to write" : "failed to read after a write without an answer",
          { placement: key, why: message },
        ),
    });
  }

  /** What can be read has changed. */
  #takeKinds(): void {
    this.#report();
    const readable = JSON.stringify([this.#mirror.isSettled, this.#mirror.unread.map(({ kind }) => kind)]);
    if (readable !== this.#readable) this.#queue.addAll();
    this.#readable = readable;
  }

  #report(): void {
    const { isSettled, unread } = this.#mirror;
    void this.#options.writing().call("report", { isSettled, failing: this.#failingKinds.report(unread) });
  }

  /** Time alone may change something, and the wall clock may be set. */
  #lookAtTime(): void {
    this.#options.clock.after(TIME_PERIOD, () => {
      if (this.#stop.signal.aborted) return;
      this.#mirror.apply();
      this.#lookAtTime();
    });
  }

  #logWaiting(lists: readonly WatchedList[]): void {
    for (const list of lists)
      this.#log("warn", "leading, but nothing is written before a kind is listed", {
        kind: KINDS[list].kind,
        why: this.#mirror.failureOf(list)?.message ?? "the list is not complete",
      });
  }

  #log(level: LogLevel, message: string, fields: LogFields): void {
    void this.#options.writing().call("log", { level, message, fields });
  }
}
