// What do the readers of PlacementDecisions see? A watcher from outside: it records every revision in etcd from before the controller
// starts, also while the API server is away or a kind is not served, and judges every instant between two settled states.

import { setTimeout as sleep } from "node:timers/promises";
import { isList, isObject, type JsonObject, partOf } from "../../../src/model/json.ts";
import { followCollection, readCollection, type StoredChange, type StoredObject } from "../etcd.ts";
import type { Hub } from "./hub.ts";
import { groupText, judgeSettled, judgeStep, type SeenSlice, type SliceEvent, stateAfter } from "./judge.ts";
import { DECISIONS, GROUP_INDEX_LABEL, GROUP_NAME_LABEL, PLACEMENT_LABEL, PLACEMENTS } from "./kinds.ts";
import { until } from "./until.ts";

/** How a step is judged. */
export interface StepOptions {
  /** NAMESPACE/NAME of Placements whose PlacementDecisions the test itself changed. */
  readonly byHand?: readonly string[];
  /** Clusters that a Placement did not select for a while, by NAMESPACE/NAME of the Placement. */
  readonly away?: Readonly<Record<string, readonly string[]>>;
}

/** A PlacementDecision as it was after an event. */
export interface SeenChange {
  readonly slice: SeenSlice;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** A running watcher. */
export interface DecisionWatcher {
  /** What was wrong until the last mark, a sentence each. */
  readonly violations: readonly string[];
  /** Every PlacementDecision that was made or changed, in the order of the events, and when that was seen. */
  readonly history: readonly SeenChange[];
  /** How many events were judged. */
  readonly judged: number;
  /** Marks a settled state: everything since the last mark is judged against both. Returns what was wrong. */
  settled(options?: StepOptions): Promise<readonly string[]>;
  stop(): void;
}

/** Starts to watch all PlacementDecisions and Placements of a cluster. */
export async function watchDecisions({ etcd, call }: Pick<Hub, "etcd" | "call">): Promise<DecisionWatcher> {
  const events: SliceEvent[] = [];
  const history: SeenChange[] = [];
  const violations: string[] = [];
  let judged = 0;
  const stopping = new AbortController();
  const { signal } = stopping;
  const decisions = new WatchedCollection(DECISIONS, (change, isNew) => {
    if ("deleted" in change) {
      events.push({ is: "deleted", key: change.deleted });
      return;
    }
    const slice = sliceOf(change.put);
    events.push({ is: isNew ? "added" : "modified", slice });
    history.push({ slice, at: Date.now() });
  });
  const placements = new WatchedCollection(PLACEMENTS, () => undefined);
  let before: readonly SeenSlice[] = (await decisions.follow(etcd, signal)).map(sliceOf);
  await placements.follow(etcd, signal);
  let uidsBefore = placements.uids();
  return {
    ...{ violations, history },
    get judged() {
      return judged;
    },
    async settled({ byHand = [], away = {} } = {}) {
      await until("the watcher has seen everything", async () => {
        const isServed = (await decisions.isServed(call)) && (await placements.isServed(call));
        return isServed || undefined;
      });
      const step = events.splice(0);
      const uids = placements.uids();
      const others = [...uidsBefore].filter(([key, uid]) => uids.get(key) !== uid).map(([key]) => key);
      const exempt = new Set([...byHand, ...others]);
      const awayOf = new Map(Object.entries(away).map(([placement, clusters]) => [placement, new Set(clusters)]));
      const found = judgeStep({ before, events: step, exempt, away: awayOf });
      before = stateAfter(before, step);
      uidsBefore = uids;
      judged += step.length;
      const all = [...found, ...judgeSettled(before)];
      violations.push(...all);
      return all;
    },
    stop: () => stopping.abort(),
  };
}

const PATIENCE = 10;

/** The versions of the objects of a collection, as etcd has brought them. */
class WatchedCollection {
  /** Of the list on the API server. */
  readonly #path: string;
  readonly #onChange: (change: StoredChange, isNew: boolean) => void;
  readonly #objects = new Map<string, { readonly uid: string; readonly version: string }>();
  #failure: unknown;

  constructor(path: string, onChange: (change: StoredChange, isNew: boolean) => void) {
    this.#path = path;
    this.#onChange = onChange;
  }

  /** Follows the collection; the result is what it has at the beginning. */
  async follow(etcd: string, signal: AbortSignal): Promise<readonly StoredObject[]> {
    const [, , group, , plural] = this.#path.split("/");
    const resource = `${group}/${plural}`;
    const { revision, objects } = await readCollection(etcd, resource);
    for (const put of objects) this.#change({ put });
    const take = (change: StoredChange): void => {
      const isNew = this.#change(change);
      this.#onChange(change, isNew);
    };
    followCollection(etcd, { resource, after: revision, signal }, take).catch((error: unknown) => {
      this.#failure = error;
    });
    return objects;
  }

  /** Is it an object that was not there? */
  #change(change: StoredChange): boolean {
    if ("deleted" in change) {
      this.#objects.delete(change.deleted);
      return false;
    }
    const { key, resourceVersion, object } = change.put;
    const isNew = !this.#objects.has(key);
    this.#objects.set(key, { uid: `${partOf(object, "metadata").uid}`, version: resourceVersion });
    return isNew;
  }

  uids(): ReadonlyMap<string, string> {
    return new Map([...this.#objects].map(([key, { uid }]) => [key, uid]));
  }

  /** Does the API server list just what etcd has brought? A list may be older: then it has to be made again. */
  async isServed(call: Hub["call"]): Promise<boolean> {
    const { items } = await call("GET", this.#path);
    const listed = (isList(items) ? items.filter(isObject) : []).map((object) => partOf(object, "metadata"));
    const isKnown = ({ namespace, name, resourceVersion }: JsonObject): boolean =>
      this.#objects.get(`${namespace}/${name}`)?.version === resourceVersion;
    for (let tries = 0; tries < PATIENCE; tries++) {
      if (this.#failure !== undefined) throw this.#failure;
      if (listed.length === this.#objects.size && listed.every(isKnown)) return true;
      await sleep(20);
    }
    return false;
  }
}

/** A PlacementDecision for the judge. */
function sliceOf({ key, object }: StoredObject): SeenSlice {
  const { namespace, uid } = partOf(object, "metadata");
  const labels = partOf(partOf(object, "metadata"), "labels");
  const { decisions } = partOf(object, "status");
  const placement = labels[PLACEMENT_LABEL];
  return {
    key,
    uid: `${uid}`,
    placement: placement === undefined ? undefined : `${namespace}/${placement}`,
    group: groupText(`${labels[GROUP_INDEX_LABEL]}`, `${labels[GROUP_NAME_LABEL]}`),
    clusters: (isList(decisions) ? decisions.filter(isObject) : []).map(({ clusterName }) => `${clusterName}`),
  };
}
