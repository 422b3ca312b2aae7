// What does a test of the resolution controller stand on? A cluster of its own with an audit log, catalogs behind lines that a test can
// break, and replicas of the controller, each with the token of a pod of its own and the rights of deploy/resolution.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type JsonObject, partOf } from "../../../src/model/json.ts";
import { documentsOf } from "../../case-documents.ts";
import { documentsOf as catalogOf, type StoryBundle } from "../../controller/resolution-story.ts";
import { catalogFiles, writeFiles } from "../catalog-files.ts";
import { type Cluster, type ClusterOptions, startCluster } from "../cluster.ts";
import { type Account, accountOf, installAccount } from "../controller/account.ts";
import { type ControllerOptions, type ControllerProcess, startController } from "../controller/controller-process.ts";
import {
  type AuditedWrite,
  type AuditLog,
  auditLog,
  hasVersion,
  isDone,
  isEvent,
  isLease,
  REVIEW,
  writeText,
} from "../controller/fault-audit.ts";
import { type AdminCalls, callsOf } from "../controller/hub.ts";
import { inNamespace } from "../controller/kinds.ts";
import { seriesOf } from "../controller/metrics.ts";
import { until } from "../controller/until.ts";
import { loadObjects } from "../load-objects.ts";
import { NAMESPACE } from "../manifests.ts";
import { type GrpcRegistry, startOpm } from "../opm.ts";
import { type CatalogLine, startCatalogLine } from "./catalog-line.ts";
import { COLLECTIONS, catalogSource, operatorGroup } from "./objects.ts";

/** A replica: the pod whose token it has. */
export type Replica = "one" | "two";

/** A Lease that a busy machine can renew in time, and catalogs that are looked at all the time. */
const FLAGS: readonly string[] = [
  ...["--lease-duration", "20s", "--renew-deadline", "10s", "--retry-period", "500ms"],
  ...["--catalog-period", "1s"],
];
/** Flags with which another replica soon takes over from one that is killed or frozen. */
export const SHORT_LEASE: readonly string[] = ["--lease-duration", "5s", "--renew-deadline", "3s"];
/** So long nothing is done where nothing is to be done: longer than a write or the reading of a catalog takes. */
const QUIET_MS = 1500;

/** The parts that tests use; they are there from `beforeAll` on. */
export interface ResolutionBed {
  readonly cluster: Cluster & AdminCalls;
  readonly audit: AuditLog;
  /** The line of the catalog `harbour`; `catalog` starts others. */
  readonly harbour: CatalogLine;
  /** Starts the line of a further catalog, and its CatalogSource. */
  catalog(name: string, bundles: readonly StoryBundle[]): Promise<CatalogLine>;
  /** A catalog server has this content from now on. */
  serve(line: CatalogLine, bundles: readonly StoryBundle[]): Promise<void>;
  /** Starts a replica. */
  run(replica: Replica, options?: Partial<ControllerOptions>): Promise<ControllerProcess>;
  /** The replica `one`, which is started if none runs. */
  running(): Promise<ControllerProcess>;
  /** The replicas that have not ended. */
  replicas(): readonly ControllerProcess[];
  /** Ends all of them properly. */
  stopAll(): Promise<void>;
  /** Creates a namespace for operators, with its OperatorGroup. */
  open(namespace: string): Promise<void>;
  /** How many requests the audit log has. */
  mark(): number;
  /** The writes of replicas since then, without those of the Lease; also those that were refused. */
  ownWrites(from?: number): readonly AuditedWrite[];
}

/** Starts everything but a controller before the tests of a file, and ends it after them. `alsoWritten` may be written besides advice. */
export function resolutionBed(
  bundles: readonly StoryBundle[],
  {
    apiServerFlags = [],
    alsoWritten = [],
    ...options
  }: ClusterOptions & { readonly alsoWritten?: readonly string[] } = {},
): ResolutionBed {
  const audit = auditLog();
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-resolution-"));
  let parts: { readonly cluster: Cluster & AdminCalls; readonly account: Account; readonly harbour: CatalogLine };
  const running = new Map<Replica, ControllerProcess>();
  const lines: CatalogLine[] = [];
  const registries = new Map<string, Promise<GrpcRegistry>>();
  const registryOf = (content: readonly StoryBundle[]): Promise<GrpcRegistry> => {
    const key = JSON.stringify(content);
    const directory = mkdtempSync(join(folder, "catalog-"));
    const registry = registries.get(key) ?? startOpm(writeFiles(directory, catalogFiles(catalogOf(content))));
    registries.set(key, registry);
    return registry;
  };
  const bed: ResolutionBed = {
    get cluster() {
      return parts.cluster;
    },
    audit,
    get harbour() {
      return parts.harbour;
    },
    async catalog(name, content) {
      const line = await startCatalogLine();
      lines.push(line);
      await bed.serve(line, content);
      await loadObjects(bed.cluster.admin, [catalogSource(name, line.address)]);
      return line;
    },
    async serve(line, content) {
      const { address } = await registryOf(content);
      line.become({ port: Number(address.slice(address.lastIndexOf(":") + 1)) });
    },
    async run(replica, others = {}) {
      const { account, cluster } = parts;
      const { flags = [], ...rest } = others;
      const started = await startController({
        ...{ controller: "resolution", server: cluster.server, token: await account.tokenOf(replica) },
        ...{ namespace: NAMESPACE, leaseName: accountOf("resolution"), identity: replica, ...rest },
        flags: [...FLAGS, ...flags],
      });
      running.set(replica, started);
      void started.ended.then(() => running.get(replica) === started && running.delete(replica));
      return started;
    },
    running: async () => running.get("one") ?? bed.run("one"),
    replicas: () => [...running.values()],
    async stopAll() {
      for (const controller of bed.replicas()) {
        const { code, signal } = await controller.stop();
        expect({ code, signal, stray: controller.stray }).toEqual({ code: 0, signal: undefined, stray: [] });
      }
    },
    open: (namespace) => loadObjects(bed.cluster.admin, [operatorGroup(namespace)]),
    mark: () => audit.writes().length,
    ownWrites: (from) =>
      audit
        .writes(from)
        .filter(({ user }) => user !== "admin" && !user.startsWith("system:"))
        .filter((write) => !isLease(write) && !REVIEW.test(write.path)),
  };
  beforeAll(async () => {
    const started = await startCluster({ ...options, apiServerFlags: [...apiServerFlags, ...audit.flags] });
    const cluster = { ...started, ...callsOf(started.admin) };
    const crds = ["test/e2e/crds.yaml", "deploy/resolution/crd.yaml"].flatMap((path) => documentsOf(path));
    const olm = { apiVersion: "v1", kind: "Namespace", metadata: { name: "olm" } };
    await loadObjects(cluster.admin, [...crds, olm]);
    const account = await installAccount(cluster, "resolution");
    const harbour = await startCatalogLine();
    lines.push(harbour);
    parts = { cluster, account, harbour };
    await bed.serve(harbour, bundles);
    await loadObjects(cluster.admin, [catalogSource("harbour", harbour.address)]);
  });
  let judged = 0;
  afterEach(() => {
    const before = judged;
    judged = bed.mark();
    // Whatever happened: nothing of OLM is written, and what is sent late must not change anything that has changed since.
    const ours = bed.ownWrites(before);
    const isOwn = (path: string): boolean => OWN.test(path) || alsoWritten.some((one) => path.startsWith(one));
    const foreign = ours.filter(({ path }) => !isOwn(path));
    expect(foreign.map(writeText)).toEqual([]);
    // A request that is refused before it is read has no body in the log.
    const isRead = (write: AuditedWrite): boolean => isDone(write) || Object.keys(write.body).length > 0;
    const advice = ours.filter((write) => OWN.test(write.path) && !isEvent(write) && isRead(write));
    const unversioned = advice.filter((write) => !hasVersion(write));
    expect(unversioned.map(writeText)).toEqual([]);
  });
  afterAll(async () => {
    for (const controller of [...running.values()]) await controller.kill();
    for (const line of lines) await line.stop();
    for (const registry of registries.values()) await (await registry).stop();
    await parts?.cluster.stop();
  });
  return bed;
}

/** What the controller may write: Resolutions, their status, and events. */
const OWN =
  /^\/apis\/(?:plimsoll\.dev\/v1alpha1\/namespaces\/[^/]+\/resolutions(?:$|[/?])|events\.k8s\.io\/v1\/namespaces\/)/;

/** The Resolution of a namespace; undefined if there is none. */
export async function resolutionOf(
  { cluster }: ResolutionBed,
  namespace: string,
  name = "plimsoll",
): Promise<JsonObject | undefined> {
  const { status, body } = await cluster.tryCall("GET", `${inNamespace(COLLECTIONS.resolutions, namespace)}/${name}`);
  return status === 200 ? body : undefined;
}

/** What a Resolution says, in short. */
export interface Said {
  readonly outcome: unknown;
  /** `install lamp.v1.0.0`, in the order of the answer. */
  readonly advised: readonly string[];
  /** By type: `True Reason: message`. */
  readonly conditions: Readonly<Record<string, string>>;
  readonly status: JsonObject;
}

function saidIn(resolution: JsonObject | undefined): Said {
  const status = partOf(resolution ?? {}, "status");
  const objects = (field: string): readonly JsonObject[] => (status[field] ?? []) as readonly JsonObject[];
  return {
    status,
    outcome: status.outcome,
    advised: objects("operators").map(({ action, bundle }) => `${action} ${bundle}`),
    conditions: Object.fromEntries(
      objects("conditions").map((one) => [one.type, `${one.status} ${one.reason}: ${one.message}`]),
    ),
  };
}

/** What a test expects: advice, or what is true of the answer. */
export type Expected = readonly string[] | ((said: Said) => boolean | undefined);

/** Waits until a Resolution says what is expected; returns all that it says. */
export async function reaches(
  bed: ResolutionBed,
  namespace: string,
  expected: Expected,
  patience?: number,
): Promise<Said> {
  let seen: Said | undefined;
  const isExpected = (said: Said): boolean =>
    typeof expected === "function" ? expected(said) === true : isDeepStrictEqual(said.advised, expected);
  const ask = async (): Promise<Said | undefined> => {
    seen = saidIn(await resolutionOf(bed, namespace));
    return isExpected(seen) ? seen : undefined;
  };
  return until(`the Resolution of ${namespace} says ${expected}`, ask, () => seen, patience);
}

/** All Resolutions without times and versions. */
export async function allSaid({ cluster }: ResolutionBed): Promise<JsonObject> {
  const { items } = await cluster.call("GET", COLLECTIONS.resolutions);
  const said = (items as readonly JsonObject[]).map((one) => {
    const { namespace, name, uid } = partOf(one, "metadata");
    return [`${namespace}/${name}`, { uid, spec: one.spec, status: one.status }] as const;
  });
  return Object.fromEntries(said) as JsonObject;
}

/** Waits until a replica has read everything, leads, and has looked at every namespace. */
export async function works(bed: ResolutionBed, controller: ControllerProcess): Promise<void> {
  await Promise.all([controller.says("synced"), controller.says("leading")]);
  const { items } = await bed.cluster.call("GET", COLLECTIONS.resolutions);
  await until("every namespace was looked at by the leader", async () => {
    const series = await seriesOf(controller);
    const { [RECONCILED]: reconciled = 0, [WAITING]: waiting = 0 } = series;
    return (reconciled >= (items as readonly unknown[]).length && waiting === 0) || undefined;
  });
}

const RECONCILED = 'plimsoll_reconcile_seconds_count{controller="resolution"}';
const WAITING = 'plimsoll_queue_depth{controller="resolution"}';

const RESOLVED = "plimsoll_resolves_total";

/** What the replicas have done until now, and undefined while something waits. */
async function workOf({ replicas }: ResolutionBed): Promise<readonly unknown[] | undefined> {
  const all = await Promise.all(replicas().map(seriesOf));
  if (all.some(({ [WAITING]: waiting = 0 }) => waiting > 0)) return undefined;
  return all.map((series) =>
    Object.entries(series).filter(([name]) => name === RECONCILED || name.startsWith(RESOLVED)),
  );
}

/** Waits until nothing is computed or written any more but the Lease, and events: many of them are sent slowly. */
export async function becomesIdle(bed: ResolutionBed): Promise<void> {
  await until("nothing is written any more", async () => {
    const from = bed.mark();
    const before = await workOf(bed);
    await sleep(QUIET_MS);
    const isSame = before !== undefined && isDeepStrictEqual(before, await workOf(bed));
    return (isSame && bed.ownWrites(from).every(isEvent)) || undefined;
  });
}

/** What is written is what a fresh start computes: a controller that starts now writes nothing. It runs afterwards. */
export async function sameAsFreshStart(bed: ResolutionBed): Promise<void> {
  await becomesIdle(bed);
  await bed.stopAll();
  const before = await allSaid(bed);
  // What the old one has sent before its end may be in the log only now.
  const since = Date.now();
  await works(bed, await bed.run("one"));
  await becomesIdle(bed);
  expect(await allSaid(bed)).toEqual(before);
  expect(
    bed
      .ownWrites()
      .filter(({ receivedAt }) => receivedAt >= since)
      .map(writeText),
  ).toEqual([]);
}
