// What do the readers of PlacementDecisions see? A watcher from outside, with a client of its own: it records every event from
// before the controller starts, and judges every instant between two settled states.

import { setTimeout as sleep } from "node:timers/promises";
import { isList, isObject, type JsonObject, partOf } from "../../../src/model/json.ts";
import { type ApiClient, openClient } from "../api-client.ts";
import { groupText, judgeSettled, judgeStep, type SeenSlice, type SliceEvent, stateAfter } from "./judge.ts";
import { DECISIONS, GROUP_INDEX_LABEL, GROUP_NAME_LABEL, PLACEMENT_LABEL, PLACEMENTS } from "./kinds.ts";
import { until } from "./until.ts";
import { startWatch } from "./watch.ts";

/** How a step is judged. */
export interface StepOptions {
  /** NAMESPACE/NAME of Placements whose PlacementDecisions the test itself changed. */
  readonly byHand?: readonly string[];
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
  /** How often the watch had a gap, so that something may have been missed. */
  readonly gaps: number;
  /** Every PlacementDecision that was made or changed, in the order of the events, and when that was seen. */
  readonly history: readonly SeenChange[];
  /** How many events were judged. */
  readonly judged: number;
  /** Marks a settled state: everything since the last mark is judged against both. Returns what was wrong. */
  settled(options?: StepOptions): Promise<readonly string[]>;
  stop(): void;
}

/** Where the watcher looks. */
export interface WatchedServer {
  /** The API server itself, not a proxy of the test. */
  readonly server: string;
  readonly token: string;
}

/** Starts to watch all PlacementDecisions and Placements. */
export async function watchDecisions({ server, token }: WatchedServer): Promise<DecisionWatcher> {
  const client = openClient({ server, token });
  const decisions = new WatchedCollection();
  const placements = new WatchedCollection();
  const events: SliceEvent[] = [];
  const history: SeenChange[] = [];
  const violations: string[] = [];
  let before: readonly SeenSlice[] = [];
  let uidsBefore: ReadonlyMap<string, string> = new Map();
  let judged = 0;
  const watches = [
    startWatch({
      ...{ server, token, path: DECISIONS },
      onList(objects) {
        decisions.replace(objects);
        events.push({ is: "listed", slices: objects.map(sliceOf) });
      },
      onEvent(type, object) {
        decisions.change(type, object);
        const slice = sliceOf(object);
        if (type === "DELETED") events.push({ is: "deleted", key: slice.key });
        else {
          events.push({ is: type === "ADDED" ? "added" : "modified", slice });
          history.push({ slice, at: Date.now() });
        }
      },
    }),
    startWatch({
      ...{ server, token, path: PLACEMENTS },
      onList: (objects) => placements.replace(objects),
      onEvent: (type, object) => placements.change(type, object),
    }),
  ];
  await Promise.all(watches.map(({ listed }) => listed));
  before = stateAfter([], events.splice(0));
  uidsBefore = placements.uids();
  return {
    ...{ violations, history },
    get gaps() {
      return decisions.lists - 1;
    },
    get judged() {
      return judged;
    },
    async settled({ byHand = [] } = {}) {
      await until("the watcher has seen everything", async () => {
        const isSame = await isUpToDate(client, [
          [DECISIONS, decisions],
          [PLACEMENTS, placements],
        ]);
        return isSame || undefined;
      });
      const step = events.splice(0);
      const uids = placements.uids();
      const others = [...uidsBefore].filter(([key, uid]) => uids.get(key) !== uid).map(([key]) => key);
      const exempt = new Set([...byHand, ...others]);
      const found = judgeStep({ before, events: step, exempt });
      before = stateAfter(before, step);
      uidsBefore = uids;
      judged += step.length;
      const all = [...found, ...judgeSettled(before)];
      violations.push(...all);
      return all;
    },
    stop() {
      for (const watch of watches) watch.stop();
      client.close();
    },
  };
}

/** The versions of the objects of a collection, as a watch has brought them. */
class WatchedCollection {
  /** How often it was listed. */
  lists = 0;
  readonly #objects = new Map<string, { readonly uid: string; readonly version: string }>();

  replace(objects: readonly JsonObject[]): void {
    this.lists++;
    this.#objects.clear();
    for (const object of objects) this.change("ADDED", object);
  }

  change(type: string, object: JsonObject): void {
    const { uid, resourceVersion } = partOf(object, "metadata");
    if (type === "DELETED") this.#objects.delete(keyOf(object));
    else this.#objects.set(keyOf(object), { uid: `${uid}`, version: `${resourceVersion}` });
  }

  uids(): ReadonlyMap<string, string> {
    return new Map([...this.#objects].map(([key, { uid }]) => [key, uid]));
  }

  /** Has it just these objects, in these versions? */
  isSame(objects: readonly JsonObject[]): boolean {
    const isKnown = (object: JsonObject): boolean =>
      this.#objects.get(keyOf(object))?.version === partOf(object, "metadata").resourceVersion;
    return objects.length === this.#objects.size && objects.every(isKnown);
  }
}

const PATIENCE = 10;

/** Has every watch brought what the server has? A list may be older than the watch: then it is made again. */
async function isUpToDate(
  client: ApiClient,
  collections: readonly (readonly [string, WatchedCollection])[],
): Promise<boolean> {
  for (const [path, collection] of collections) {
    const { items } = await client.get(path);
    const objects = isList(items) ? items.filter(isObject) : [];
    for (let tries = 0; !collection.isSame(objects); tries++) {
      if (tries === PATIENCE) return false;
      await sleep(20);
    }
  }
  return true;
}

function keyOf(object: JsonObject): string {
  const { namespace, name } = partOf(object, "metadata");
  return `${namespace}/${name}`;
}

/** A PlacementDecision for the judge. */
function sliceOf(object: JsonObject): SeenSlice {
  const { namespace, uid } = partOf(object, "metadata");
  const labels = partOf(partOf(object, "metadata"), "labels");
  const { decisions } = partOf(object, "status");
  const placement = labels[PLACEMENT_LABEL];
  return {
    key: keyOf(object),
    uid: `${uid}`,
    placement: placement === undefined ? undefined : `${namespace}/${placement}`,
    group: groupText(`${labels[GROUP_INDEX_LABEL]}`, `${labels[GROUP_NAME_LABEL]}`),
    clusters: (isList(decisions) ? decisions.filter(isObject) : []).map(({ clusterName }) => `${clusterName}`),
  };
}
