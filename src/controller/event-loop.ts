// How long is a thread busy at a time? While its event loop is blocked, no timer fires and no answer is read.

import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";

/** How long a thread was blocked, in seconds. */
export interface LoopDelays {
  /** Delays of the event loop in the last one to two minutes. */
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
  /** The longest collection of garbage in the last one to two minutes. */
  readonly longestCollection: number;
  /** All collections of garbage since the start. */
  readonly collections: number;
}

/** How often it is measured, in milliseconds. */
const RESOLUTION = 10;
/** Milliseconds: a measurement of the time since the start would hide a stall after a week without one. */
const PERIOD = 60_000;

/** Measures the event loop of this thread from now on. */
export function watchEventLoop(): () => LoopDelays {
  const histograms = new RecentWindow(() => {
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
    histogram.enable();
    return histogram;
  });
  const longest = new RecentWindow(() => new Longest());
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      for (const one of longest.both) one.record(duration / 1000);
      collections += duration / 1000;
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  setInterval(() => {
    histograms.turn();
    longest.turn();
  }, PERIOD).unref();
  // The histogram has the time between two measurements, in nanoseconds.
  const delay = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000);
  return () => {
    const histogram = histograms.recent;
    return {
      median: delay(histogram.percentile(50)),
      p99: delay(histogram.percentile(99)),
      worst: delay(histogram.max),
      longestCollection: longest.recent.seconds,
      collections,
    };
  };
}

/** Two recorders of the same thing, reset in turn: the older one covers the last one to two periods. */
export class RecentWindow<Recorder extends { reset(): void }> {
  #older: Recorder;
  #newer: Recorder;

  constructor(begin: () => Recorder) {
    this.#older = begin();
    this.#newer = begin();
  }

  /** What is recorded goes into both. */
  get both(): readonly Recorder[] {
    return [this.#older, this.#newer];
  }

  /** The older one: it covers at least the last period, or everything since the start. */
  get recent(): Recorder {
    return this.#older;
  }

  /** A period has ended. */
  turn(): void {
    this.#older.reset();
    [this.#older, this.#newer] = [this.#newer, this.#older];
  }
}

/** The longest duration. */
export class Longest {
  seconds = 0;

  record(seconds: number): void {
    this.seconds = Math.max(this.seconds, seconds);
  }

  reset(): void {
    this.seconds = 0;
  }
}
