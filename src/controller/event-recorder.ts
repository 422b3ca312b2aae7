// How are Kubernetes events sent? In the background, best effort: equal events are aggregated into a series, bursts are rate-limited. An
// event is news, not state: one that cannot be sent is dropped, and nothing waits for it.

import type { ApiServer, WriteRequest } from "../kube/api-server.ts";
import { type FailureKind, NetFailure } from "../net/failure.ts";
import { type Clock, sleep } from "./clock.ts";
import { EventLimits } from "./event-limits.ts";
import {
  boundedEvent,
  eventName,
  eventObject,
  eventPath,
  eventsPath,
  type RecordedEvent,
  seriesPatch,
} from "./event-object.ts";
import type { WriteFence } from "./ordered-writes.ts";

/**
 * Why an event or the count of a series was not sent: its object has too many, too many are waiting, the request failed, this process no
 * longer leads, or it was stopped.
 */
export type DropReason = "spam" | "queue-full" | "failed" | "not-leading" | "stopped";

export interface EventRecorderOptions {
  readonly server: Pick<ApiServer, "write">;
  readonly fence: WriteFence;
  /** Which process reports the events: such as the name of its pod. */
  readonly reportingInstance: string;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly onDrop?: (reason: DropReason, failure?: NetFailure) => void;
}

/** An event that has happened, perhaps more than once. */
interface Series {
  /** Equal for equal events. */
  readonly key: string;
  readonly event: RecordedEvent;
  /** Of the event in the cluster. */
  readonly name: string;
  count: number;
  /** The monotonic time of the last occurrence. */
  lastSeen: number;
  /** The time of the wall clock, for people. */
  lastTime: number;
  /** The monotonic time of the last request about it. */
  lastSent: number;
  /** Set while its count waits to be sent. */
  cancelUpdate?: () => void;
}

interface Sending {
  readonly series: Series;
  readonly request: Pick<WriteRequest, "method" | "path" | "body">;
}

/** Equal events within 10 minutes of each other are a series. */
const SERIES_WINDOW = 10 * 60 * 1000;
/** The count of a series is sent at most once a minute. */
const UPDATE_PERIOD = 60 * 1000;
const MAX_SERIES = 4096;
const MAX_QUEUED = 1000;
const RETRY_AFTER = 5000;
/** Size of a burst, and milliseconds per event after it: other writes of the controller have priority. */
const BURST = 100;
const SEND_PERIOD = 50;
/**
 * Failures after which there is no second attempt. A namespace that is gone is `not-found`; after `not-sent` this process does not lead, and
 * events that wait behind this one must not wait for that to change.
 */
const FINAL: ReadonlySet<FailureKind> = new Set([
  "not-found",
  "forbidden",
  "invalid",
  "conflict",
  "cancelled",
  "not-sent",
]);

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #limits: EventLimits;
  /** In the order of their last occurrence. */
  readonly #series = new Map<string, Series>();
  /** Resolves when everything recorded so far was sent or dropped: requests are sent one after the other. */
  #sending: Promise<void> = Promise.resolve();
  /** Requests that have not ended. */
  #queued = 0;
  /** The monotonic time from which the next one may be sent. */
  #nextSend = Number.NEGATIVE_INFINITY;
  readonly #flushed = new AbortController();
  readonly #stopped = new AbortController();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#limits = new EventLimits(options.clock);
  }

  /** Returns at once; the event is sent later, or dropped. */
  record(recorded: RecordedEvent): void {
    const { clock, random, reportingInstance } = this.#options;
    if (this.#flushed.signal.aborted) {
      this.#drop("stopped");
      return;
    }
    const event = boundedEvent(recorded);
    const key = textOf(event);
    const [now, time] = [clock.monotonic(), clock.now()];
    this.#forgetOld(now);
    const series = this.#series.get(key);
    if (series !== undefined) {
      this.#repeat(series, now, time);
    } else if (this.#limits.take(textOf(event.regarding))) {
      const name = eventName(event.regarding, random);
      const begun: Series = { key, event, name, count: 1, lastSeen: now, lastTime: time, lastSent: now };
      this.#series.set(key, begun);
      const body = eventObject(event, { name, time, reportingInstance });
      this.#enqueue({ series: begun, request: { method: "POST", path: eventsPath(event), body } });
    } else {
      this.#drop("spam");
    }
  }

  /** For how many milliseconds an object has too many events: one that is not equal to an earlier one would be dropped. */
  mutedFor(regarding: RecordedEvent["regarding"]): number {
    return this.#limits.wait(textOf(regarding));
  }

  /** Sends what is waiting, for at most the given number of milliseconds, then stops for good. */
  async flush(milliseconds: number): Promise<void> {
    this.#flushed.abort();
    for (const series of this.#series.values()) if (series.cancelUpdate !== undefined) this.#update(series);
    await new Promise<void>((done) => {
      const cancel = this.#options.clock.after(milliseconds, done);
      void this.#sending.finally(cancel).then(done);
    });
    this.#stopped.abort();
  }

  #repeat(series: Series, now: number, time: number): void {
    series.count++;
    series.lastSeen = now;
    series.lastTime = time;
    this.#series.delete(series.key);
    this.#series.set(series.key, series);
    if (series.cancelUpdate !== undefined) return;
    const wait = Math.max(0, series.lastSent + UPDATE_PERIOD - now);
    series.cancelUpdate = this.#options.clock.after(wait, () => this.#update(series));
  }

  /** Sends the count. If the object has too many events, a later occurrence sends it. */
  #update(series: Series): void {
    const { event, name, count, lastTime } = series;
    series.cancelUpdate?.();
    delete series.cancelUpdate;
    series.lastSent = this.#options.clock.monotonic();
    if (!this.#limits.take(textOf(event.regarding))) return;
    const path = eventPath(event, name);
    this.#enqueue({ series, request: { method: "PATCH", path, body: seriesPatch(count, lastTime) } });
  }

  /** Series that have ended, and the oldest if there are too many. */
  #forgetOld(now: number): void {
    for (const series of this.#series.values()) {
      const isOver = now - series.lastSeen > SERIES_WINDOW;
      if (!isOver && this.#series.size < MAX_SERIES) break;
      if (series.cancelUpdate === undefined) this.#series.delete(series.key);
      else this.#giveUp(series, "queue-full");
    }
  }

  #enqueue(sending: Sending): void {
    if (this.#queued >= MAX_QUEUED) {
      this.#giveUp(sending.series, "queue-full");
      return;
    }
    this.#queued++;
    this.#sending = this.#sending.then(async () => {
      await this.#send(sending);
      this.#queued--;
    });
  }

  /** Waits until another request may be sent; after a flush there is no time for that. */
  async #pace(): Promise<void> {
    const { clock } = this.#options;
    const now = clock.monotonic();
    const due = Math.max(this.#nextSend, now - (BURST - 1) * SEND_PERIOD);
    this.#nextSend = due + SEND_PERIOD;
    if (due > now) await sleep(clock, due - now, this.#flushed.signal).catch(() => undefined);
  }

  /** One attempt, and a second one where that can help. */
  async #send({ series, request }: Sending): Promise<void> {
    await this.#pace();
    if (this.#stopped.signal.aborted) {
      this.#giveUp(series, "stopped");
      return;
    }
    for (const isLast of [false, true]) {
      const failure = await this.#attempt(request);
      if (failure === undefined) return;
      if (isLast || FINAL.has(failure.kind)) {
        this.#giveUp(series, failure.kind === "not-sent" ? "not-leading" : "failed", failure);
        return;
      }
      await sleep(this.#options.clock, failure.retryAfter ?? RETRY_AFTER, this.#stopped.signal).catch(() => undefined);
      if (!this.#stopped.signal.aborted) continue;
      this.#giveUp(series, "stopped");
      return;
    }
  }

  /** The server may not have the event, so the series ends: the next occurrence is a new event. */
  #giveUp(series: Series, reason: DropReason, failure?: NetFailure): void {
    series.cancelUpdate?.();
    if (this.#series.get(series.key) === series) this.#series.delete(series.key);
    this.#drop(reason, failure);
  }

  async #attempt(request: Sending["request"]): Promise<NetFailure | undefined> {
    const { server, fence } = this.#options;
    if (!fence.mayWrite()) return new NetFailure("not-sent", "this process does not lead, so it sends no events");
    try {
      await server.write({ ...request, timeout: fence.writeTimeout, mayStillSend: () => fence.mayWrite() });
      return undefined;
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error;
      // The first attempt has created it, although its answer was lost.
      return error.kind === "exists" ? undefined : error;
    }
  }

  #drop(reason: DropReason, failure?: NetFailure): void {
    this.#options.onDrop?.(reason, failure);
  }
}

/** Equal for equal values: the same fields in any order. */
function textOf(value: object): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
