// What does the reading thread do? Reflectors fill the mirror, the mirror says which Placements may have changed, the queue
// reconciles them. It never writes: plans go to the other thread.

import { setMaxListeners } from "node:events";
import { Alarm } from "../controller/alarm.ts";
import { backoffAfter } from "../controller/backoff.ts";
import type { Clock } from "../controller/clock.ts";
import { watchEventLoop } from "../controller/event-loop.ts";
import { Reflector } from "../controller/reflector.ts";
import type { Store } from "../controller/store.ts";
import type { ThreadLink } from "../controller/thread-link.ts";
import { WorkQueue } from "../controller/work-queue.ts";
import { KINDS } from "../input/objects/kind-table.ts";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import { SharedTexts } from "../input/shared-texts.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { listPath } from "../kube/path.ts";
import { clusterItem } from "../live/cluster-item.ts";
import { FLEET_LISTS } from "../model/cluster-objects.ts";
import type { Placement } from "../model/placement.ts";
import { NetFailure } from "../net/failure.ts";
import { answerDebugRequest, type DebugAnswer, type DebugRequest } from "../placement/ocm/debug-request.ts";
import { DEFAULT_MODE, OCM_MODE } from "../placement/placement-mode.ts";
import { faultMessage } from "../render/sentence/placement-fault.ts";
import { HubMetrics } from "./hub-metrics.ts";
import { HubMirror } from "./hub-mirror.ts";
import { placeJson, whyUnreadable } from "./place-json.ts";
import { Reconciler } from "./reconciler.ts";
import { ALL_FIELDS, type ReadFields, storedFields } from "./stored-fields.ts";
import type { HubFunctions, HubReport, HubSetting, WritingFunctions } from "./threads.ts";
import { apiOf, type WatchedItem, watchedItem } from "./watched-kinds.ts";

export interface HubSideOptions {
  readonly server: ApiServer;
  readonly setting: Omit<HubSetting, "connection">;
  readonly clock: Clock;
  readonly random: () => number;
  /** The other thread; it is known after the functions of this one. */
  readonly writing: () => Pick<ThreadLink<WritingFunctions>, "call">;
}

/** The waits after failures, in milliseconds. */
const RETRIES = { first: 100, max: 30_000 };
/** How long a Placement waits that is affected only by what was written for others, in milliseconds; doubled each time that it moves by that. */
const FIRST_MOVE = 500;
const MAX_MOVE = 10 * 60_000;
/** How often the wall clock is looked at although nothing happens, in milliseconds: it may have been set, also backwards. */
const TIME_PERIOD = 30_000;
/** How often the schemas of the CRDs are looked at, in milliseconds. */
const SCHEMA_PERIOD = 60_000;
/** The same, while they are not published. */
const UNPUBLISHED_PERIOD = 5000;

/** Starts reading; the functions are what the other thread may call. */
export function startHubSide({ server, setting, clock, random, writing }: HubSideOptions): HubFunctions {
  const stop = new AbortController();
  // Each reflector listens to it several times; there are no more than these.
  setMaxListeners(100, stop.signal);
  const delays = watchEventLoop();
  const mode = setting.compat === "ocm" ? OCM_MODE : DEFAULT_MODE;
  const shared = new SharedTexts();
  let isLeading = false;
  /** Counts how often this process began or ceased to lead. */
  let terms = 0;
  /** Placements that wait and have changed by themselves. */
  const urgent = new Set<string>();
  let schema: ReadFields | undefined;
  /** What can be read, when all Placements were last looked at because of that. */
  let readable = "";

  const mirror = new HubMirror({
    placing: { mode, tieBreak: setting.tieBreak, onExpiredScore: setting.onExpiredScore },
    clock,
    onAffected: (keys, isUrgent) => (isUrgent ? add(keys) : addLater(keys)),
    onKinds: () => {
      void writing().call("reportHub", report());
      const now = JSON.stringify([mirror.isSettled, mirror.unread.map(({ list }) => list)]);
      if (now !== readable) addAll();
      readable = now;
    },
  });
  const alarm = new Alarm(clock, (keys) => {
    mirror.apply();
    add(keys);
  });
  const reconciler = new Reconciler({
    ...{ mirror, mode, clock, shared },
    isLeading: () => isLeading,
    storedFields: () => schema?.fields ?? ALL_FIELDS,
    carryOut: (writes) => writing().call("carryOut", writes),
    // As a list: that needs no other right than following the collection.
    readObject: async (list, namespace, name) => {
      let text: string | undefined;
      await server.list(listPath(apiOf(list), namespace), { name, signal: stop.signal }, (found) => {
        text = found;
      });
      return text;
    },
    record: (events) => writing().call("record", events),
    later: (key, milliseconds) => queue.addAfter(key, milliseconds),
    wakeAt: (key, time) => alarm.set(key, time),
    onFailure: (key, { kind, message }) =>
      void writing().call("log", {
        level: kind === "conflict" ? "debug" : "warn",
        message: "not written",
        fields: { placement: key, why: message },
      }),
  });
  const metrics = new HubMetrics(mirror, reconciler, clock);
  const queue = new WorkQueue({
    process: async (key) => {
      const isUrgent = urgent.delete(key);
      const processed = await metrics.timed(key, () => reconciler.reconcile(key, isUrgent));
      if (isUrgent && processed !== "done") urgent.add(key);
      return processed;
    },
    atOnce: setting.writesAtOnce,
    clock,
    backoff: (attempt) => backoffAfter(attempt, { ...RETRIES, random }),
    onDepth: (depth) => metrics.setDepth(depth),
    onError: (key, error) =>
      void writing().call("log", {
        level: "error",
        message: "not reconciled",
        fields: { placement: key, why: String(error) },
      }),
  });
  const add = (keys: readonly string[]): void => {
    if (!mirror.isSettled) return;
    for (const key of keys) {
      if (isLeading) metrics.changed(key);
      urgent.add(key);
      queue.add(key);
    }
  };
  const addLater = (keys: readonly string[]): void => {
    if (!mirror.isSettled) return;
    for (const key of keys)
      if (!urgent.has(key)) queue.addAfter(key, Math.min(FIRST_MOVE * 2 ** reconciler.movesOf(key), MAX_MOVE));
  };
  const addAll = (): void => add([...mirror.stores.placements.values()].map(({ key }) => key));

  const report = (): HubReport => {
    const why = new Map(mirror.unread.map(({ list, failure }) => [list, failure.message]));
    const missing = mirror.unsynced.map((list) => {
      const text = why.get(list);
      return { kind: KINDS[list].kind, ...(text !== undefined && { why: text }) };
    });
    return { isSettled: mirror.isSettled, missing };
  };

  const lookAtTime = (): void => {
    if (stop.signal.aborted) return;
    mirror.apply();
    clock.after(TIME_PERIOD, lookAtTime);
  };
  clock.after(TIME_PERIOD, lookAtTime);

  const readSchema = async (): Promise<void> => {
    try {
      const read = await storedFields(server, schema);
      // Without a CRD, or before its schema is published, the last one counts; without any, all fields are assumed.
      const isNew = read !== undefined && read.version !== schema?.version;
      schema = read ?? schema;
      if (isNew) {
        const { decision } = read.fields;
        mirror.engine.storeScores(decision === undefined || decision.has("score"));
        addAll();
      }
      if (!stop.signal.aborted)
        clock.after(read === undefined ? UNPUBLISHED_PERIOD : SCHEMA_PERIOD, () => void readSchema());
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error;
      if (stop.signal.aborted) return;
      void writing().call("log", {
        level: "warn",
        message: "the schemas of the CRDs cannot be read; fields that they do not have may be written",
        fields: { why: error.message },
      });
      clock.after(UNPUBLISHED_PERIOD, () => void readSchema());
    }
  };

  const reflectors = FLEET_LISTS.map(
    (list) =>
      new Reflector<WatchedItem>({
        path: listPath(apiOf(list)),
        server,
        store: mirror.stores[list] as Store<WatchedItem>,
        read: (text: string) => watchedItem(list, text, shared),
        onState: (state) => mirror.setState(list, state),
        onSkipped: (why) =>
          void writing().call("log", {
            level: "error",
            message: "an object cannot be read at all",
            fields: { kind: KINDS[list].kind, why },
          }),
        clock,
        random,
      }),
  );
  const reading = readSchema().then(() => Promise.all(reflectors.map((reflector) => reflector.run(stop.signal))));

  /**
   * The last writes of another leader may not have arrived yet, nor the changes that they follow: a watch can be late or cut off. The
   * first plans are based on lists that begin now.
   */
  const startLeading = async (): Promise<void> => {
    const term = ++terms;
    await Promise.all(reflectors.map((reflector) => reflector.refresh()));
    if (term !== terms) return;
    isLeading = true;
    addAll();
  };

  return {
    lead: (leads) => {
      isLeading = false;
      if (leads) void startLeading();
      else terms++;
    },
    debug: (request) => answerDebug(request),
    place: (request) => placeJson(mirror, { mode, tieBreak: setting.tieBreak }, request),
    metrics: () => ({ text: metrics.text(), delays: delays() }),
    ping: report,
    stop: async () => {
      stop.abort();
      alarm.stop();
      await queue.stop();
      server.close();
      await reading;
    },
  };

  function answerDebug(request: DebugRequest): Promise<DebugAnswer> {
    mirror.apply();
    return answerDebugRequest(request, {
      engine: mirror.engine,
      mode,
      faultMessage,
      review: (review) => writing().call("review", review),
      read: placementIn,
      unreadable: (key) => whyUnreadable(mirror, key),
    });
  }
}

/** The Placement of a JSON text; or why there is none. */
function placementIn(text: string): Placement | string {
  const item = clusterItem(text, apiOf("placements"));
  if (typeof item === "string") return item;
  const faults: string[] = [];
  const reader = new ObjectsReader((finding) => {
    if (finding.severity === "error") faults.push(finding.message);
  });
  reader.add(item.object, item.place);
  const [placement] = reader.finish().placements;
  return placement ?? faults.join("; ");
}
