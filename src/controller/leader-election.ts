// May this process write? Leader election on a Lease, as in client-go, and with fencing: a leader stops on time by its own clock, even if
// the server does not answer, or the process was frozen.
//
// Why two processes never write at the same time. All times are those of a monotonic clock; no process reads another's clock.
//
//   leader    sends a renewal at s ─────── may write until s + renewDeadline ──┐ its last request ends before
//                    │                                                         └ s + renewDeadline + writeTimeout
//   server           └ stores it at or after s                                                            ↓ is before
//   others             see it at or after s ─────── may take the Lease at or after s + leaseDuration
//
// Every update of the Lease has the resourceVersion of the one that was read, so one that comes late, or is based on an old one, is
// refused. What can defeat it: monotonic clocks that stand still, such as those of a suspended machine, and an edit or a deletion of the
// Lease by hand (see `#isFree`). Objects are then protected by their own resourceVersions.

import type { ApiServer, WriteRequest } from "../kube/api-server.ts";
import { listPath, objectPath } from "../kube/path.ts";
import { NetFailure } from "../net/failure.ts";
import { type Clock, sleep } from "./clock.ts";
import { type Holding, type Lease, newLease, readLease, releasedLease, takenLease } from "./lease.ts";
import { type LeaseTimes, wrongLeaseTime } from "./lease-times.ts";

export interface LeaderElectorOptions extends LeaseTimes {
  readonly server: Pick<ApiServer, "write" | "getOnce">;
  readonly namespace: string;
  /** Of the Lease. */
  readonly name: string;
  /** Of this process, among all that ever use the Lease: such as the name of the pod and something random. */
  readonly identity: string;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly onChange: (leading: boolean) => void;
  /** Called when the reason why the Lease cannot be read or written changes; undefined: it can again. */
  readonly onTrouble: (failure: NetFailure | undefined) => void;
  /** Asked when it is stopped: may another process lead at once? By default it may. If not, the Lease expires. */
  readonly mayRelease?: () => boolean;
}

const LEASES = { group: "coordination.k8s.io", version: "v1", plural: "leases" };

/** Attempts are up to a fifth of the period late, so that processes that started together do not stay together. */
const JITTER = 0.2;
/** The part of the time between the last moment of writing and the end of the Lease that a request may take. */
const USED_SLACK = 0.8;
/** No request takes longer, in milliseconds, however long the Lease is valid: one that hangs keeps other plans waiting. */
const MAX_WRITE_TIMEOUT = 30_000;

export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #leaseDuration: number;
  readonly #renewDeadline: number;
  readonly #retryPeriod: number;
  /** The Lease as it was last seen, and when this version of it was first seen. */
  #seen: { readonly lease: Lease; readonly since: number } | undefined;
  #isLeading = false;
  #isStopped = false;
  /** The moment by which the Lease must be renewed. */
  #validUntil = Number.NEGATIVE_INFINITY;
  #cancelDeadline: () => void = () => undefined;
  #trouble: NetFailure | undefined;

  /** Throws a RangeError if the times do not fit together. */
  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#leaseDuration = options.leaseDuration;
    this.#renewDeadline = options.renewDeadline;
    this.#retryPeriod = options.retryPeriod;
    const wrong = wrongLeaseTime(options);
    if (wrong !== undefined) throw new RangeError(`${wrong.time} ${wrong.rule}`);
  }

  /**
   * Whether a request may be sent at this moment. It is enough to ask in the turn of the event loop in which the request is written to the
   * socket, if the request has a time limit of {@link writeTimeout}.
   */
  mayWrite(): boolean {
    return this.#isLeading && this.#options.clock.monotonic() < this.#validUntil;
  }

  /** Milliseconds that a request of a leader may take. Every one that was sent has ended before another process can lead. */
  get writeTimeout(): number {
    return Math.min((this.#leaseDuration - this.#renewDeadline) * USED_SLACK, MAX_WRITE_TIMEOUT);
  }

  /**
   * Milliseconds that a request for the Lease may take. If a renewal hangs, a second attempt follows before the deadline, if the retry
   * period leaves time for it: up to 28% of the deadline.
   */
  get #attemptTimeout(): number {
    const wait = this.#retryPeriod * (1 + JITTER);
    const half = (this.#renewDeadline - wait) / 2;
    const hasSecond = wait + half + wait < this.#renewDeadline;
    return hasSecond ? Math.min(this.writeTimeout, half) : this.writeTimeout;
  }

  /**
   * Tries to lead, and to keep leading, until it is aborted; may be called once. On abort, writing ends at once and the Lease is released,
   * so that another process does not have to wait until it expires. `mayRelease` prevents that while own writes may still be carried out.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    let stopBy = Number.POSITIVE_INFINITY;
    const stop = (): void => {
      stopBy = clock.monotonic() + this.writeTimeout;
      this.#isStopped = true;
      this.#stepDown();
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!this.#isStopped) {
        await this.#attempt();
        await sleep(clock, this.#retryPeriod * (1 + JITTER * random()), signal).catch(() => undefined);
      }
      await this.#release(stopBy);
    } finally {
      signal.removeEventListener("abort", stop);
      this.#isStopped = true;
      this.#stepDown();
    }
  }

  async #attempt(): Promise<void> {
    try {
      await this.#acquireOrRenew();
      this.#report(undefined);
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error;
      // Another process was faster: what it wrote is read in the next attempt.
      if (!isRace(error)) this.#report(error);
    }
  }

  async #acquireOrRenew(): Promise<void> {
    if (this.#isLeading && this.#seen !== undefined) {
      try {
        await this.#take(this.#seen.lease);
        return;
      } catch (error) {
        // Another client has changed it: read it again.
        if (!(error instanceof NetFailure && (isRace(error) || error.kind === "not-found"))) throw error;
      }
    }
    if (this.#isStopped) return;
    const lease = await this.#read();
    if (this.#isStopped) return;
    if (this.#isFree(lease)) await this.#take(lease);
    else this.#stepDown();
  }

  /**
   * Whether the Lease may be taken: it is ours, it was released, or its holder has not renewed it for as long as it is valid, measured from
   * the moment at which this process saw it. A Lease that was deleted under its holder is not free before that, either; only a process
   * that has never seen it cannot know this.
   */
  #isFree(lease: Lease | undefined): boolean {
    const { identity, clock } = this.#options;
    if (this.#seen === undefined) return true;
    const { holder, duration } = lease ?? this.#seen.lease;
    return holder === "" || holder === identity || clock.monotonic() >= this.#seen.since + duration;
  }

  async #read(): Promise<Lease | undefined> {
    const { server } = this.#options;
    try {
      const lease = readLease(
        await this.#inTime(server.getOnce(this.#path, this.#attemptTimeout)),
        this.#leaseDuration,
      );
      this.#see(lease);
      return lease;
    } catch (error) {
      if (error instanceof NetFailure && error.kind === "not-found") return undefined;
      throw error;
    }
  }

  /** Writes this process into the Lease, or creates it. Leading counts from the moment at which the request was sent. */
  async #take(lease: Lease | undefined): Promise<void> {
    const { namespace, name, identity, clock } = this.#options;
    const holding: Holding = { identity, leaseDuration: this.#leaseDuration, now: clock.now() };
    const sent = clock.monotonic();
    const answer = await this.#write(
      lease === undefined
        ? { method: "POST", path: this.#collection, body: newLease(namespace, name, holding) }
        : { method: "PUT", path: this.#path, body: takenLease(lease, holding) },
    );
    if (answer.holder !== identity)
      throw new NetFailure("malformed", "the API server answers the update of a Lease with one of another holder");
    this.#lead(sent);
  }

  #lead(sent: number): void {
    const { clock, onChange } = this.#options;
    this.#validUntil = sent + this.#renewDeadline;
    this.#cancelDeadline();
    const left = this.#validUntil - clock.monotonic();
    // The answer can be late: because of the network, or because this process was frozen.
    if (this.#isStopped || left <= 0) {
      this.#stepDown();
      return;
    }
    this.#cancelDeadline = clock.after(left, () => this.#stepDown());
    if (this.#isLeading) return;
    this.#isLeading = true;
    onChange(true);
  }

  #stepDown(): void {
    this.#cancelDeadline();
    if (!this.#isLeading) return;
    this.#isLeading = false;
    this.#options.onChange(false);
  }

  /** Releases the Lease if this process holds it, and another one may lead. If that fails, it expires by itself. */
  async #release(stopBy: number): Promise<void> {
    const { identity, clock, mayRelease = () => true } = this.#options;
    if (!mayRelease()) return;
    let lease = this.#seen?.lease;
    while (lease?.holder === identity && clock.monotonic() < stopBy) {
      try {
        const timeout = stopBy - clock.monotonic();
        await this.#write({ method: "PUT", path: this.#path, body: releasedLease(lease, clock.now()) }, timeout);
        return;
      } catch (error) {
        if (!(error instanceof NetFailure)) throw error;
        if (!isRace(error)) return;
        // A renewal that seemed to have failed was stored nevertheless.
        lease = await this.#read().catch(() => undefined);
      }
    }
  }

  async #write(request: Omit<WriteRequest, "timeout">, timeout: number = this.#attemptTimeout): Promise<Lease> {
    const text = await this.#inTime(this.#options.server.write({ ...request, timeout }), timeout);
    const lease = readLease(text, this.#leaseDuration);
    this.#see(lease);
    return lease;
  }

  #see(lease: Lease): void {
    if (this.#seen?.lease.version === lease.version) return;
    this.#seen = { lease, since: this.#options.clock.monotonic() };
  }

  /** An answer that comes later is not used, whatever it is. */
  #inTime<Answer>(answer: Promise<Answer>, milliseconds: number = this.#attemptTimeout): Promise<Answer> {
    return new Promise((done, failed) => {
      const cancel = this.#options.clock.after(milliseconds, () =>
        failed(new NetFailure("timeout", "the API server does not answer a request for the Lease in time")),
      );
      answer.finally(cancel).then(done, failed);
    });
  }

  #report(trouble: NetFailure | undefined): void {
    if (trouble?.kind === this.#trouble?.kind) return;
    this.#trouble = trouble;
    this.#options.onTrouble(trouble);
  }

  get #collection(): string {
    return listPath(LEASES, this.#options.namespace);
  }

  get #path(): string {
    return objectPath(LEASES, this.#options.namespace, this.#options.name);
  }
}

/** Whether a write was refused because the Lease is not what it was when it was read. */
function isRace({ kind }: NetFailure): boolean {
  return kind === "conflict" || kind === "exists";
}
