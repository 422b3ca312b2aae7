// Is OCM's own placement controller running? Two controllers that write the same PlacementDecisions would undo each other's work. It
// counts as running while its Lease is renewed or its Deployment has replicas, and while either cannot be read. A single request that fails
// or is refused does not change that: the last answer counts for some seconds.

import { type Clock, sleep } from "../controller/clock.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { objectPath } from "../kube/path.ts";
import { isObject, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import { NetFailure } from "../net/failure.ts";
import { parsedJson } from "../net/json-fields.ts";

/** What OCM calls its own: the Lease of the component `placement`, and the Deployment that its operator makes. */
const LEASE = { group: "coordination.k8s.io", version: "v1", plural: "leases", name: "placement-lock" };
const DEPLOYMENT = {
  group: "apps",
  version: "v1",
  plural: "deployments",
  name: "cluster-manager-placement-controller",
};

/** How often Lease and Deployment are read, in milliseconds. */
const PERIOD = 2000;
/** Milliseconds for an answer. */
const TIMEOUT = 5000;
/** How long an answer counts, in milliseconds. */
const VALID_FOR = 15_000;
/** The longest and the shortest lease duration that is accepted, in milliseconds. */
const MAX_LEASE = 10 * 60_000;
const MIN_LEASE = 1000;

/** Why nothing may be written. `unknown`: one of Lease and Deployment cannot be read, and the other one does not show that it runs. */
export type Rival =
  | { readonly is: "lease"; readonly holder: string }
  | { readonly is: "deployment"; readonly replicas: number }
  | { readonly is: "unknown"; readonly failure: NetFailure };

export interface RivalWatchOptions {
  readonly server: Pick<ApiServer, "getOnce">;
  /** Where OCM's controller runs. */
  readonly namespace: string;
  readonly clock: Clock;
  /** It was found, or is gone (undefined). */
  readonly onChange: (rival: Rival | undefined) => void;
}

export class RivalWatch {
  readonly #options: RivalWatchOptions;
  /** What the Lease said last, and when that was new, in monotonic milliseconds. */
  #seen: { readonly text: string; readonly at: number } | undefined;
  #reported: string | undefined;
  /** When it was last known not to run, in monotonic milliseconds. */
  #clearAt = Number.NEGATIVE_INFINITY;

  constructor(options: RivalWatchOptions) {
    this.#options = options;
  }

  /** Is OCM's controller known not to run? An old answer does not count. */
  get isClear(): boolean {
    return this.#options.clock.monotonic() - this.#clearAt < VALID_FOR;
  }

  /** Checks periodically until it is stopped. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const askedAt = this.#options.clock.monotonic();
      const found = await this.#find();
      if (signal.aborted) return;
      if (found === undefined) this.#clearAt = askedAt;
      else if (found.is !== "unknown") this.#clearAt = Number.NEGATIVE_INFINITY;
      const rival = this.isClear ? undefined : found;
      const reported = JSON.stringify(rival === undefined ? null : [rival.is, textOf(rival)]);
      if (reported !== this.#reported) this.#options.onChange(rival);
      this.#reported = reported;
      await sleep(this.#options.clock, PERIOD, signal).catch(() => undefined);
    }
  }

  /** What is found in either of them counts, even if the other one cannot be read. */
  async #find(): Promise<Rival | undefined> {
    const found = await Promise.all([
      this.#look(LEASE, (lease) => this.#ofLease(partOf(lease, "spec"))),
      this.#look(DEPLOYMENT, ofDeployment),
    ]);
    return found.find((rival) => rival !== undefined && rival.is !== "unknown") ?? found[0] ?? found[1];
  }

  /** What an object says; nothing if it does not exist. */
  async #look(of: typeof LEASE, rivalIn: (object: JsonObject) => Rival | undefined): Promise<Rival | undefined> {
    try {
      const path = objectPath(of, this.#options.namespace, of.name);
      const object = parsedJson(await this.#options.server.getOnce(path, TIMEOUT)) as Json;
      return rivalIn(isObject(object) ? object : {});
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error;
      return error.kind === "not-found" ? undefined : { is: "unknown", failure: error };
    }
  }

  /** A Lease counts until it has not changed for its duration on our own clock: the clocks of others may be wrong. */
  #ofLease(spec: JsonObject): Rival | undefined {
    const holder = own(spec, "holderIdentity");
    if (typeof holder !== "string" || holder === "") {
      this.#seen = undefined;
      return undefined;
    }
    const now = this.#options.clock.monotonic();
    const text = JSON.stringify([holder, own(spec, "renewTime") ?? null]);
    if (this.#seen?.text !== text) this.#seen = { text, at: now };
    const seconds = Number(own(spec, "leaseDurationSeconds"));
    const duration = Math.min(Math.max(seconds > 0 ? seconds * 1000 : MAX_LEASE, MIN_LEASE), MAX_LEASE);
    return now - this.#seen.at < duration ? { is: "lease", holder } : undefined;
  }
}

function ofDeployment(deployment: JsonObject): Rival | undefined {
  const wanted = own(partOf(deployment, "spec"), "replicas") ?? 1;
  const running = own(partOf(deployment, "status"), "replicas") ?? 0;
  const replicas = Math.max(Number(wanted), Number(running));
  return replicas === 0 ? undefined : { is: "deployment", replicas };
}

/** What distinguishes a rival from another one that was reported. */
function textOf(rival: Rival): string | number {
  switch (rival.is) {
    case "lease":
      return rival.holder;
    case "deployment":
      return rival.replicas;
    case "unknown":
      return rival.failure.message;
  }
}
