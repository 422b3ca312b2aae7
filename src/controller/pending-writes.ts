// Which writes of this process may the server still carry out? While there are any, no other process should lead.

import type { ApiServer, WriteRequest } from "../kube/api-server.ts";
import { NetFailure } from "../net/failure.ts";
import type { Clock } from "./clock.ts";
import { isUnanswered } from "./ordered-writes.ts";

export interface PendingWritesOptions {
  readonly server: Pick<ApiServer, "write">;
  readonly clock: Clock;
  /** Milliseconds after which a write that has failed without an answer is not carried out any more. */
  readonly doubt: number;
}

/** Sends writes, and remembers those that may still be carried out. */
export class PendingWrites {
  readonly #options: PendingWritesOptions;
  readonly #underWay = new Set<Promise<string>>();
  /** The monotonic time from which no write without an answer is carried out any more. */
  #clearAt = Number.NEGATIVE_INFINITY;

  constructor(options: PendingWritesOptions) {
    this.#options = options;
  }

  async write(request: WriteRequest): Promise<string> {
    const { server, clock, doubt } = this.#options;
    const sent = server.write(request);
    this.#underWay.add(sent);
    try {
      return await sent;
    } catch (error) {
      // After a bug it is unknown whether it was sent.
      if (!(error instanceof NetFailure) || isUnanswered(error)) this.#clearAt = clock.monotonic() + doubt;
      throw error;
    } finally {
      this.#underWay.delete(sent);
    }
  }

  /** Resolves when those that are under way have an answer or have failed. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /** Has every write been answered, or failed long enough ago? */
  get areOver(): boolean {
    return this.#underWay.size === 0 && this.#options.clock.monotonic() >= this.#clearAt;
  }
}
