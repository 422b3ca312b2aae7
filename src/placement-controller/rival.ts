// Is OCM's own placement controller alive? Two controllers that write the same PlacementDecisions would undo each other's work. It is
// alive while its Lease is renewed or its Deployment has replicas; also while that cannot be found out. One question without an answer, or
// with a refusal, is not enough for that: what was known counts for some seconds.

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

/** How often it is looked for, in milliseconds. */
const PERIOD = 2000;
/** Milliseconds for an answer. */
const TIMEOUT = 5000;
/** How long an answer counts, in milliseconds. */
const VALID_FOR = 15_000;
/** The longest and the shortest lease that is believed, in milliseconds. */
const MAX_LEASE = 10 * 60_000;
const MIN_LEASE = 1000;

/** Why nothing may be written. `unknown`: it cannot be found out. */
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
  /** When it was last known that there is none, in monotonic milliseconds. */
  #clearAt = Number.NEGATIVE_INFINITY;

  constructor(options: RivalWatchOptions) {
    this.#options = options;
  }

  /** Is it known that OCM's controller does not run? What was known long ago does not count. */
  get isClear(): boolean {
    return this.#options.clock.monotonic() - this.#clearAt < VALID_FOR;
  }

  /** Looks for it until it is stopped. */
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

  async #find(): Promise<Rival | undefined> {
    try {
      const [lease, deployment] = await Promise.all([this.#object(LEASE), this.#object(DEPLOYMENT)]);
      return (lease && this.#ofLease(partOf(lease, "spec"))) ?? (deployment && ofDeployment(deployment));
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error;
      return { is: "unknown", failure: error };
    }
  }

  /** The object; undefined if it does not exist. */
  async #object(of: typeof LEASE): Promise<JsonObject | undefined> {
    try {
      const path = objectPath(of, this.#options.namespace, of.name);
      const object = parsedJson(await this.#options.server.getOnce(path, TIMEOUT)) as Json;
      return isObject(object) ? object : {};
    } catch (error) {
      if (error instanceof NetFailure && error.kind === "not-found") return undefined;
      throw error;
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
