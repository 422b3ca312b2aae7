// What time is it, and when is it later? Everything in a controller that depends on time asks a Clock, so that tests can move it.

import { setTimeout as startTimer } from "node:timers";
import { cancelled } from "../net/failure.ts";

/** Two times, as an operating system has them, and timers. */
export interface Clock {
  /** The wall clock, in milliseconds since 1970. It can be set forwards and backwards at any moment. */
  now(): number;
  /** Milliseconds since some moment; never goes backwards. Durations, such as that of a lease, are measured with it. */
  monotonic(): number;
  /** Calls `call` once, after the given number of milliseconds of `monotonic`, without an upper limit; the result cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}

/** Node's timers take at most 2^31 - 1 milliseconds, 24.8 days; a longer one would end at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, call) => {
    let cancel = (): void => undefined;
    inParts(milliseconds, call, (part, next) => {
      const timer = startTimer(next, part);
      cancel = () => clearTimeout(timer);
    });
    return () => cancel();
  },
};

/** Chains timers, each as long as a timer can be. */
export function inParts(
  milliseconds: number,
  call: () => void,
  start: (milliseconds: number, next: () => void) => void,
): void {
  const part = Math.min(Math.max(0, milliseconds), MAX_TIMER);
  start(part, () => (milliseconds > part ? inParts(milliseconds - part, call, start) : call()));
}

/** Waits; throws if it is cancelled. */
export function sleep(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    if (signal.aborted) {
      failed(cancelled());
      return;
    }
    const stop = (): void => {
      cancel();
      failed(cancelled());
    };
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener("abort", stop);
      done();
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}
