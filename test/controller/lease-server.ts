// Which API server has one Lease, and a network to it that can be slow, lose and break things? For tests of leader election.

import type { Clock } from "../../src/controller/clock.ts";
import type { ApiServer, WriteRequest } from "../../src/kube/api-server.ts";
import { NetFailure } from "../../src/net/failure.ts";
import type { ManualClock } from "./manual-clock.ts";

export const LEASES = "/apis/coordination.k8s.io/v1/namespaces/harbour/leases";

interface StoredLease {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A Lease in memory, with the rules of an API server about versions. */
export class LeaseServer {
  lease: StoredLease | undefined;
  #changes = 0;

  /** What a person writes with kubectl. */
  edit(spec: Readonly<Record<string, unknown>>): void {
    this.#store({ ...this.lease?.spec, ...spec });
  }

  answer(method: "GET" | WriteRequest["method"], body?: unknown): string {
    const sent = body as StoredLease | undefined;
    if (method === "POST") {
      if (this.lease !== undefined) throw new NetFailure("exists", "it exists");
      this.#store(sent?.spec ?? {});
      return JSON.stringify(this.lease);
    }
    if (this.lease === undefined) throw new NetFailure("not-found", "there is none");
    if (method === "GET") return JSON.stringify(this.lease);
    if (sent?.metadata.resourceVersion !== this.lease.metadata.resourceVersion)
      throw new NetFailure("conflict", "it has changed");
    // What changes nothing is not stored, and gets no new version.
    if (JSON.stringify(sent.spec) !== JSON.stringify(this.lease.spec)) this.#store(sent.spec);
    return JSON.stringify(this.lease);
  }

  #store(spec: Readonly<Record<string, unknown>>): void {
    const uid = this.lease?.metadata.uid ?? `uid-${this.#changes}`;
    this.lease = { metadata: { name: "controller", uid, resourceVersion: String(++this.#changes) }, spec };
  }
}

/** What happens to one request: milliseconds on the way to the server and back, and what is lost. */
export interface Fate {
  readonly there: number;
  readonly back: number;
  readonly fails?: "request lost" | "answer lost" | "refused" | "forbidden";
}

/** A process: it can be frozen, and then runs no timer and receives no answer, while the time goes on. */
export class SimulatedProcess implements Clock, Pick<ApiServer, "write" | "getOnce"> {
  /** What happens to the next requests. */
  fate: () => Fate = () => ({ there: 0, back: 0 });
  readonly requests: string[] = [];
  readonly #time: ManualClock;
  readonly #server: LeaseServer;
  #wallOffset = 0;
  #isFrozen = false;
  #held: (() => void)[] = [];

  constructor(time: ManualClock, server: LeaseServer) {
    this.#time = time;
    this.#server = server;
  }

  now(): number {
    return this.#time.now() + this.#wallOffset;
  }

  monotonic(): number {
    return this.#time.monotonic();
  }

  after(milliseconds: number, call: () => void): () => void {
    let isCancelled = false;
    const cancel = this.#time.after(milliseconds, () => this.#run(() => isCancelled || call()));
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  getOnce(path: string): Promise<string> {
    return this.#request({ method: "GET", path, timeout: 60_000 });
  }

  write(request: WriteRequest): Promise<string> {
    return this.#request(request);
  }

  /** Sets the wall clock of this machine. */
  stepWall(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  /** Everything that was due meanwhile happens now, one after the other, in its order or the other way round. */
  thaw(isReversed = false): void {
    this.#isFrozen = false;
    const held = isReversed ? this.#held.reverse() : this.#held;
    this.#held = [];
    for (const call of held) this.#time.after(0, () => this.#run(call));
  }

  #run(call: () => void): void {
    if (this.#isFrozen) this.#held.push(call);
    else call();
  }

  #request({
    method,
    path,
    body,
    timeout,
  }: {
    method: "GET" | WriteRequest["method"];
    path: string;
    body?: unknown;
    timeout: number;
  }): Promise<string> {
    const { there, back, fails } = this.fate();
    this.requests.push(`${method} ${path.replace(LEASES, "leases")}`);
    return new Promise((done, failed) => {
      this.after(timeout, () => failed(new NetFailure("timeout", "no answer")));
      if (fails === "request lost") return;
      this.#time.after(there, () => {
        const answer = this.#answer(method, body, fails);
        if (fails === "answer lost") return;
        this.#time.after(back, () => this.#run(() => (answer instanceof NetFailure ? failed(answer) : done(answer))));
      });
    });
  }

  #answer(method: "GET" | WriteRequest["method"], body: unknown, fails: Fate["fails"]): string | NetFailure {
    if (fails === "refused") return new NetFailure("server", "it is not well");
    if (fails === "forbidden") return new NetFailure("forbidden", "not for you");
    try {
      return this.#server.answer(method, body);
    } catch (error) {
      return error as NetFailure;
    }
  }
}
