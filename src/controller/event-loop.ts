// How long is a thread busy at a time? While its event loop is blocked, no timer fires and no answer is read.

import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";

/** Delays of the event loop since the start, in seconds. */
export interface LoopDelays {
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
  /** The longest collection of garbage, and all of them together. */
  readonly longestCollection: number;
  readonly collections: number;
}

/** How often it is measured, in milliseconds. */
const RESOLUTION = 10;

/** Measures the event loop of this thread from now on. */
export function watchEventLoop(): () => LoopDelays {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  let longestCollection = 0;
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      longestCollection = Math.max(longestCollection, duration / 1000);
      collections += duration / 1000;
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  // The histogram has the time between two measurements, in nanoseconds.
  const delay = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000);
  return () => ({
    median: delay(histogram.percentile(50)),
    p99: delay(histogram.percentile(99)),
    worst: delay(histogram.max),
    longestCollection,
    collections,
  });
}
