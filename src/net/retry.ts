// When is a request sent again, and how long is the wait before it?

import { backoffAfter } from "./backoff.ts";
import { NetFailure } from "./failure.ts";

const ATTEMPTS = 5;
/** In milliseconds. */
const WAITS = { first: 500, max: 4000 };
const MAX_RETRY_AFTER = 30_000;

/** Statuses that another attempt may not have. */
export const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** A failure that another attempt may not have. */
export class Passing extends Error {
  readonly failure: NetFailure;
  /** Milliseconds that the server wants us to wait. */
  readonly retryAfter: number | undefined;

  constructor(failure: NetFailure, retryAfter?: number) {
    super(failure.message);
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}

/** Seconds of a Retry-After header as milliseconds, at most 30 seconds; undefined for anything else. */
export function retryAfterOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header)
    ? Math.min(Number(header) * 1000, MAX_RETRY_AFTER)
    : undefined;
}

export interface Retrying {
  readonly signal: AbortSignal;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onRetry: (what: string) => void;
}

/** Calls it until it succeeds or fails for good, at most 5 times. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, wait, onRetry }: Retrying,
): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      const { failure, retryAfter } = error;
      if (count === ATTEMPTS)
        throw new NetFailure(failure.kind, `${failure.message} (after ${ATTEMPTS} attempts)`, failure);
      const milliseconds = retryAfter ?? backoffAfter(count, { ...WAITS, random: Math.random });
      onRetry(`${failure.message}; trying again in ${(milliseconds / 1000).toFixed(1)} s`);
      await wait(milliseconds, signal);
    }
  }
}
