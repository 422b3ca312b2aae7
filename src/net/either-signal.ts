// How is work cancelled by either of two signals? Without leaving anything on the one that lives longer: AbortSignal.any keeps a
// reference on each of them for as long as they live, and a controller makes requests for months.

import { setMaxListeners } from "node:events";

/** Does the work with a signal that is aborted with the first of them. */
export async function withEither<Result>(
  always: AbortSignal,
  sometimes: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (sometimes === undefined) return work(always);
  const either = new AbortController();
  const abort = (): void => either.abort();
  const signals = [always, sometimes];
  // There are as many as pieces of work at the same time; none is left behind.
  setMaxListeners(0, ...signals);
  if (signals.some((signal) => signal.aborted)) abort();
  for (const signal of signals) signal.addEventListener("abort", abort, { once: true });
  try {
    return await work(either.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}
