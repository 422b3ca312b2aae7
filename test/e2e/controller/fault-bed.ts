// What does a test of faults stand on? A hub whose API server keeps an audit log, and replicas of the controller, each with the token
// of a pod of its own, so that the log says which of them has written what.

import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterEach, expect } from "vitest";
import { type JsonObject, own, partOf } from "../../../src/model/json.ts";
import { type Bed, type BedOptions, controllerBed } from "./bed.ts";
import type { ControllerOptions, ControllerProcess } from "./controller-process.ts";
import {
  type AuditedWrite,
  type AuditLog,
  auditLog,
  hasVersion,
  isChange,
  isDone,
  isEvent,
  writeText,
} from "./fault-audit.ts";
import type { Hub } from "./hub.ts";
import { DECISIONS, inNamespace, PLACEMENTS } from "./kinds.ts";
import { seriesOf } from "./metrics.ts";
import { isSettled, objectsOf, selectedOf, viewOf } from "./placement-view.ts";
import { until } from "./until.ts";

/** A replica of the controller: the pod whose token it has, and its identity. */
export type Replica = (typeof REPLICAS)[number];
const REPLICAS = ["one", "two", "three"] as const;

/** A lease that is over soon: a test waits for its end. */
export const SHORT_LEASE: readonly string[] = [
  ...["--lease-duration", "5s", "--renew-deadline", "3s", "--retry-period", "500ms"],
];
export const LEASE_MS = 5000;

export interface FaultBed {
  readonly bed: Bed;
  readonly audit: AuditLog;
  /** Starts a replica, by default behind the recording proxy. */
  run(replica: Replica, options?: Partial<ControllerOptions>): Promise<ControllerProcess>;
  /** Ends all replicas properly that have not ended. */
  stopAll(): Promise<void>;
  /** The changes of the hub by replicas, since the log had so many requests; also those that were refused. */
  changes(from?: number): readonly AuditedWrite[];
  /** How many requests the log has. */
  mark(): number;
}

/** The hub of a file of tests, without a running controller. */
export function faultBed({ apiServerFlags = [], ...options }: BedOptions = {}): FaultBed {
  const audit = auditLog();
  const bed = controllerBed({
    ...options,
    apiServerFlags: [...apiServerFlags, ...audit.flags],
    flags: SHORT_LEASE,
    isStarted: false,
  });
  const running = new Set<ControllerProcess>();
  /** Those that the test has ended by a signal that they cannot handle. */
  const killed = new Set<ControllerProcess>();
  const changes = (from?: number): readonly AuditedWrite[] =>
    audit.writes(from).filter((write) => isOfController(write) && isChange(write));
  let judged = 0;
  afterEach(async () => {
    await Promise.all([...running].map((controller) => controller.kill()));
    running.clear();
    const before = judged;
    judged = audit.writes().length;
    // Whatever happened: what is sent late must not change anything that has changed since.
    const ours = changes(before).filter(
      (write) => REPLICAS.some((replica) => replica === write.user) && !isEvent(write),
    );
    // Of what is forbidden, the audit log has no content.
    const unversioned = ours.filter((write) => write.code !== FORBIDDEN && !hasVersion(write));
    expect(unversioned.map(writeText)).toEqual([]);
  });
  return {
    ...{ bed, audit },
    async run(replica, others = {}) {
      const started = await bed.start({ identity: replica, ...others });
      const controller: ControllerProcess = {
        ...started,
        kill(signal) {
          killed.add(controller);
          return started.kill(signal);
        },
      };
      running.add(controller);
      return controller;
    },
    async stopAll() {
      const stopping = [...running].filter((controller) => !killed.has(controller));
      for (const { code, signal, ms } of await Promise.all(stopping.map((controller) => controller.stop()))) {
        expect({ code, signal }).toEqual({ code: 0, signal: undefined });
        expect(ms).toBeLessThan(STOP_MS);
      }
      running.clear();
    },
    changes,
    mark: () => audit.writes().length,
  };
}

/** Waits until a replica leads, or does not. Its log says so only once a minute. */
export async function leads(controller: ControllerProcess, isLeading: boolean = true): Promise<void> {
  const line = `plimsoll_leading{controller="placement"} ${isLeading ? 1 : 0}`;
  await until(line, async () => (await metricsOf(controller)).split("\n").includes(line) || undefined);
}

export async function metricsOf(controller: ControllerProcess): Promise<string> {
  return (await controller.ask("metrics", "/metrics")).text();
}

/** Neither of the test nor of the API server itself. */
function isOfController({ user }: AuditedWrite): boolean {
  return user !== "admin" && user !== "system:apiserver";
}

const FORBIDDEN = 403;

/** A graceful stop takes at most so long, on a busy machine. */
export const STOP_MS = 7000;
/** So long nothing is written where nothing is to be done. */
const QUIET_MS = 1500;
/** If only numbers of a status change, they may be written so much later. */
const NUMBERS_MS = 6000;

/** What counts where nothing may be written. */
interface IdleOptions {
  /** Everything since the log had so many requests; by default what is received from now on, and not what is logged only now. */
  readonly from?: number;
  readonly isExcepted?: (write: AuditedWrite) => boolean;
}

/** Nothing is written by the replicas that run, but what is excepted, and events: those of a fault may be sent later. */
export async function staysIdle(
  { changes, mark }: FaultBed,
  { from, isExcepted = () => false }: IdleOptions = {},
): Promise<void> {
  const [first, since] = from === undefined ? [mark(), Date.now()] : [from, 0];
  await sleep(QUIET_MS);
  const counted = changes(first).filter((write) => write.receivedAt >= since && !isEvent(write) && !isExcepted(write));
  expect(counted.map(writeText)).toEqual([]);
}

/** Waits until a replica has read everything, leads, and has written every Placement, or found that there is nothing to write. */
export async function works(controller: ControllerProcess): Promise<void> {
  await Promise.all([controller.says("synced"), controller.says("leading")]);
  await until("every Placement is reconciled by the leader", async () => {
    const series = await seriesOf(controller);
    const { [RECONCILED]: reconciled = 0, [WAITING]: waiting = 0 } = series;
    return (reconciled >= (series[ALL_PLACEMENTS] ?? 0) && waiting === 0) || undefined;
  });
}

/** The series of what was reconciled, of what waits for it, and of the Placements that were read. */
const RECONCILED = 'plimsoll_reconcile_seconds_count{controller="placement"}';
const WAITING = 'plimsoll_queue_depth{controller="placement"}';
const ALL_PLACEMENTS = 'plimsoll_objects{controller="placement",kind="Placement"}';

/** Waits until the replicas that run have nothing left to write, or to try again after a fault; returns what they wrote until then. */
export async function becomesIdle(faults: FaultBed): Promise<readonly AuditedWrite[]> {
  const { bed, changes, mark } = faults;
  const start = mark();
  let quiet = 0;
  await until("nothing is written any more", async () => {
    const from = mark();
    await sleep(QUIET_MS);
    quiet = changes(from).every(isEvent) ? quiet + QUIET_MS : 0;
    return quiet >= NUMBERS_MS || (quiet > 0 && (await areSettled(bed.hub))) || undefined;
  });
  await staysIdle(faults);
  return changes(start);
}

/**
 * What the replicas have left is what a fresh start computes: a controller that starts now writes nothing, and one that starts without
 * any PlacementDecision selects the same clusters. Ends all replicas.
 */
export async function sameAsFreshStart(faults: FaultBed): Promise<void> {
  const { bed, run, stopAll, changes, mark } = faults;
  await becomesIdle(faults);
  await stopAll();
  const before = await stateOf(bed.hub);
  const from = mark();
  const fresh = await run("one");
  await works(fresh);
  await sleep(QUIET_MS);
  expect(changes(from).map(writeText)).toEqual([]);
  expect(await stateOf(bed.hub)).toEqual(before);
  await stopAll();
  await bed.watcher.settled();

  const answers = await answersOf(bed.hub);
  expect(
    Object.entries(answers).flatMap(([key, answer]) => (answer === undefined ? [`${key} is not settled`] : [])),
  ).toEqual([]);
  const namespaces = new Set(Object.keys(answers).map((key) => key.slice(0, key.indexOf("/"))));
  for (const namespace of namespaces) await bed.hub.call("DELETE", inNamespace(DECISIONS, namespace));
  try {
    await run("one");
    await until("the same clusters are selected", async () => {
      return isDeepStrictEqual(await answersOf(bed.hub), answers) || undefined;
    });
    await stopAll();
  } finally {
    await bed.watcher.settled({ byHand: Object.keys(answers) });
  }
}

/** Everything that the controller writes, without times. */
async function stateOf(hub: Hub): Promise<JsonObject> {
  const { items: placements } = await hub.call("GET", PLACEMENTS);
  const { items: decisions } = await hub.call("GET", DECISIONS);
  const withoutTimes = (status: JsonObject): JsonObject => {
    const { lastScoreUpdateTime: _, ...rest } = status;
    const conditions = objectsOf(rest.conditions).map(({ lastTransitionTime: __, ...condition }) => condition);
    return { ...rest, conditions };
  };
  return {
    placements: objectsOf(placements).map((one) => ({ key: keyOf(one), status: withoutTimes(partOf(one, "status")) })),
    decisions: objectsOf(decisions).map((one) => ({
      key: keyOf(one),
      labels: partOf(partOf(one, "metadata"), "labels"),
      owners: own(partOf(one, "metadata"), "ownerReferences") ?? [],
      status: partOf(one, "status"),
    })),
  };
}

/** Does the status of every Placement speak of its decisions? False, too, if that cannot be found out. */
async function areSettled(hub: Hub): Promise<boolean> {
  const answers = await answersOf(hub).catch(() => ({ unknown: undefined }));
  return Object.values(answers).every((answer) => answer !== undefined);
}

/** What every Placement has, as far as it does not depend on what was before: its clusters, or how many, or its mistake; undefined: not settled. */
async function answersOf(hub: Hub): Promise<Readonly<Record<string, unknown>>> {
  const { items } = await hub.call("GET", PLACEMENTS);
  const answers = objectsOf(items).map(async (placement) => {
    const { namespace, name } = partOf(placement, "metadata");
    const get = (path: string) => hub.call("GET", path);
    const view = await viewOf({ get, namespace: `${namespace}`, shortName: (cluster) => cluster }, `${name}`);
    const isFaulty = view.conditions.PlacementMisconfigured?.status === "True";
    const selected = selectedOf(view);
    // One with a mistake keeps the clusters that it had.
    const mistake = view.conditions.PlacementMisconfigured?.message;
    const answer = isFaulty ? mistake : isWithoutMemory(placement, selected.length) ? selected : selected.length;
    return [keyOf(placement), isFaulty || isSettled(view) ? answer : undefined] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

/** Prioritizers that look at the decisions that there are. */
const WITH_MEMORY = ["Balance", "Steady"];

/** Does a Placement select the same clusters whatever was selected before? It takes all of them, or the best by scores alone. */
function isWithoutMemory(placement: JsonObject, selected: number): boolean {
  const spec = partOf(placement, "spec");
  const { mode, configurations } = partOf(spec, "prioritizerPolicy");
  if (spec.numberOfClusters === undefined || selected < Number(spec.numberOfClusters)) return true;
  const plugins = objectsOf(configurations).map((one) => `${partOf(one, "scoreCoordinate").builtIn}`);
  return mode === "Exact" && !plugins.some((name) => WITH_MEMORY.includes(name));
}

function keyOf(object: JsonObject): string {
  const { namespace, name } = partOf(object, "metadata");
  return `${namespace}/${name}`;
}

/** The writes that were carried out. */
export function done(writes: readonly AuditedWrite[]): readonly AuditedWrite[] {
  return writes.filter(isDone);
}
