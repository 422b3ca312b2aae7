// Which times of a Lease fit together? The controller's flags and the election have the same rules.

/** The times of leader election, in milliseconds. */
export interface LeaseTimes {
  /** How long others wait before they take over a Lease that is not renewed. */
  readonly leaseDuration: number;
  /** How long the leader retries a failed renewal before it stops writing. */
  readonly renewDeadline: number;
  /** Between two attempts to acquire or renew. */
  readonly retryPeriod: number;
}

/** Those of client-go. */
export const DEFAULT_LEASE_TIMES: LeaseTimes = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };

/** A time that does not fit, and the end of a sentence about it. */
export interface WrongLeaseTime {
  readonly time: keyof LeaseTimes;
  readonly rule: string;
}

const MIN_LEASE_DURATION = 5_000;
const MAX_LEASE_DURATION = 600_000;
/** The rest of the duration is for requests that are under way: at least a second. */
const MAX_RENEW_DEADLINE = 0.8;
const MIN_RETRY_PERIOD = 100;
/** The Lease is renewed before the deadline, even if that is a fifth of the period late. */
const MAX_RETRY_PERIOD = 0.5;

/** The first rule that the times break; undefined if they fit. */
export function wrongLeaseTime({ leaseDuration, renewDeadline, retryPeriod }: LeaseTimes): WrongLeaseTime | undefined {
  if (!(leaseDuration >= MIN_LEASE_DURATION && leaseDuration <= MAX_LEASE_DURATION))
    return { time: "leaseDuration", rule: "must be from 5s to 10m" };
  if (!(renewDeadline <= leaseDuration * MAX_RENEW_DEADLINE))
    return {
      time: "renewDeadline",
      rule: "must be at most 80% of the lease duration: the rest is for requests that are under way",
    };
  if (!(retryPeriod >= MIN_RETRY_PERIOD && retryPeriod <= renewDeadline * MAX_RETRY_PERIOD))
    return { time: "retryPeriod", rule: "must be at least 100ms and at most half of the renew deadline" };
  return undefined;
}
