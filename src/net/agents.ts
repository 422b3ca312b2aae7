// Which connections does a request use? Those with its certificates. A renewed client certificate needs new ones; the earlier ones end
// with their requests.

import type { Agent } from "node:http";
import type { TlsOptions } from "./transport.ts";

/** The connections of one kind of request to a server. */
export class Agents {
  #newest: { readonly tls: TlsOptions | undefined; readonly agent: Agent } | undefined;
  /** Those of earlier certificates, as long as requests use them. */
  #earlier: Agent[] = [];

  /** The agent for these certificates; it is made if they are new. */
  of(tls: TlsOptions | undefined, make: () => Agent): Agent {
    if (this.#newest !== undefined && this.#newest.tls === tls) return this.#newest.agent;
    this.#earlier = this.#earlier.filter(isUsed);
    if (this.#newest !== undefined) {
      retire(this.#newest.agent);
      this.#earlier.push(this.#newest.agent);
    }
    const agent = make();
    this.#newest = { tls, agent };
    return agent;
  }

  /** Ends all connections, and the requests that use them. */
  destroy(): void {
    for (const agent of this.#earlier) agent.destroy();
    this.#newest?.agent.destroy();
    this.#earlier = [];
    this.#newest = undefined;
  }
}

/** No connection is kept any more: one that is used is closed after its request. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

function isUsed({ sockets, requests }: Agent): boolean {
  return Object.keys(sockets).length > 0 || Object.keys(requests).length > 0;
}
