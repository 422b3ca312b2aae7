// What does a test beside OLM stand on? A cluster with OLM's CRDs and its own operators, a gRPC registry for each catalog, and worlds, a
// namespace each. OLM is held while a question is asked, and then goes on until it has nothing left to do.

import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, partOf } from "../../../src/model/json.ts";
import { type ApiClient, openClient } from "../api-client.ts";
import { type Cluster, type ClusterOptions, startCluster } from "../cluster.ts";
import { type AuditedWrite, auditLog } from "../controller/fault-audit.ts";
import { until } from "../controller/until.ts";
import { loadObjects } from "../load-objects.ts";
import { listPath, ServedKinds } from "../served-kinds.ts";
import { OLM_USER, type OlmOperators, olmDefinitions, startOlmOperators } from "./olm-operators.ts";
import { hasOpenPlan, isUnderWay, type OlmState, olmStates, passesIn, versionOf } from "./olm-state.ts";
import { startReadyDeployments } from "./ready-deployments.ts";
import { NOWHERE, Registries } from "./registries.ts";
import { OLM_CORE, subscriptionsOf, type Wanted, type World } from "./world.ts";

export interface OlmBed {
  readonly cluster: Cluster;
  /** Makes worlds as OLM has left them before, and waits until OLM has done so; then OLM is held. */
  prepare(worlds: readonly World[]): Promise<void>;
  /** Makes everything that the question is about: the catalogs as they are now, and the Subscriptions. */
  ask(worlds: readonly World[]): Promise<void>;
  /** Lets OLM go on, and returns what it has made of each namespace when nothing changes any more. */
  answers(worlds: readonly World[]): Promise<ReadonlyMap<string, OlmState>>;
  /** Every request of a user that changes something, or would have, by resource: `group/resource`. */
  writesBy(user: string): ReadonlyMap<string, readonly AuditedWrite[]>;
  stop(): Promise<void>;
}

/** The users of the bed besides the administrator. */
const DEPLOYMENTS_USER = "deployments";
const USERS = { [OLM_USER]: ["system:masters"], [DEPLOYMENTS_USER]: ["system:masters"] };
const PAUSE_MS = 500;
/** Far more than OLM needs for all worlds, also on a busy machine. */
const PATIENCE_MS = 240_000;

/** Starts a cluster beside OLM. OLM itself starts with the first worlds. */
export async function startOlmBed(options: ClusterOptions = {}): Promise<OlmBed> {
  const audit = auditLog();
  const { users, apiServerFlags = [] } = options;
  const flags = [...apiServerFlags, ...audit.flags];
  const cluster = await startCluster({ ...options, users: { ...USERS, ...users }, apiServerFlags: flags });
  const { admin, server, tokens } = cluster;
  const deployments = openClient({ server, token: tokens[DEPLOYMENTS_USER] as string });
  const ready = startReadyDeployments(deployments);
  const kinds = new ServedKinds(admin);
  const registries = new Registries();
  let olm: OlmOperators | undefined;
  const running = (): OlmOperators => {
    if (olm === undefined) throw new Error("OLM was not started: prepare comes first");
    return olm;
  };
  const bed: OlmBed = {
    cluster,
    async prepare(worlds) {
      const sources = await registries.sourcesOf(worlds, ({ catalogs, before }) => before?.catalogs ?? catalogs);
      const begun = worlds.filter(({ before }) => before !== undefined);
      const wanted = begun.flatMap((world) => subscriptionsOf(world, wantedBefore(world)));
      await loadObjects(admin, [...worlds.flatMap(groupsOf), ...sources, ...wanted]);
      olm ??= startOlmOperators(cluster);
      olm.goOn();
      await areConnected(admin, worlds);
      await settled(admin, olm, begun, isUnderWay);
      olm.freeze();
    },
    async ask(worlds) {
      const sources = await registries.sourcesOf(worlds, ({ catalogs }) => catalogs);
      const wanted = worlds.flatMap((world) => subscriptionsOf(world, world.subscriptions));
      const paths = new Set(await Promise.all(wanted.map((object) => kinds.pathOf(object))));
      // What is gone goes first: OLM must not see the old and the new Subscription of a package side by side.
      for (const object of worlds.flatMap((world) => subscriptionsOf(world, wantedBefore(world)))) {
        const path = await kinds.pathOf(object);
        if (!paths.has(path)) await admin.call("DELETE", path);
      }
      for (const object of [...sources, ...worlds.flatMap(({ objects = [] }) => objects), ...wanted])
        await put(admin, kinds, object);
    },
    async answers(worlds) {
      const olm = running();
      // In an update of several operators it may learn of the new CRDs before the new ClusterServiceVersions, and get stuck: it starts
      // again when the first InstallPlans are carried out, and then knows of both.
      await olm.withoutOlmOperator(async () => {
        olm.goOn();
        await areConnected(admin, worlds);
        await settled(admin, olm, worlds, hasOpenPlan);
      });
      return settled(admin, olm, worlds, isUnderWay);
    },
    writesBy: (user) => byResource(audit.writes().filter((write) => write.user === user)),
    async stop() {
      await ready.stop();
      deployments.close();
      await olm?.stop();
      await registries.stop();
      await cluster.stop();
    },
  };
  try {
    await loadObjects(admin, [...olmDefinitions(), { apiVersion: "v1", kind: "Namespace", metadata: { name: "olm" } }]);
    return bed;
  } catch (error) {
    await bed.stop();
    throw error;
  }
}

/** The Subscriptions that OLM has served before. */
function wantedBefore({ before, subscriptions }: World): readonly Wanted[] {
  return before === undefined ? [] : (before.subscriptions ?? subscriptions);
}

function groupsOf({ name, groups = [{ targetNamespaces: [name] }] }: World): readonly JsonObject[] {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  const objects = groups.map((spec, at) => ({
    ...{
      apiVersion: "operators.coreos.com/v1",
      kind: "OperatorGroup",
      metadata: { namespace: name, name: `own-${at}` },
    },
    spec,
  }));
  return [namespace, ...objects];
}

/** Creates an object, or sets the fields of the spec of the one that is there. */
async function put(admin: ApiClient, kinds: ServedKinds, object: JsonObject): Promise<void> {
  const { namespace, name } = partOf(object, "metadata");
  const created = await admin.call("POST", listPath(await kinds.of(object), `${namespace}`), object);
  if (created.status === 201) return;
  const { status, body } = await admin.call("PATCH", await kinds.pathOf(object), { spec: partOf(object, "spec") });
  if (status !== 200) throw new Error(`${object.kind} ${namespace}/${name}: ${status} ${body.message}`);
}

/** Waits until OLM is connected to all catalogs that answer, where they are now. */
async function areConnected(admin: ApiClient, worlds: readonly World[]): Promise<void> {
  const names = new Set(worlds.map(({ name }) => name));
  await until(
    "OLM is connected to all catalogs",
    async () => {
      await sleep(PAUSE_MS);
      const { items } = await admin.get(`/apis/${OLM_CORE}/catalogsources`);
      const open = (items as readonly JsonObject[]).filter(
        (one) => names.has(`${partOf(one, "metadata").namespace}`) && !isConnected(one),
      );
      return open.length === 0 || undefined;
    },
    () => undefined,
    PATIENCE_MS,
  );
}

function isConnected(source: JsonObject): boolean {
  const { address, lastObservedState } = partOf(partOf(source, "status"), "connectionState");
  const { address: wanted } = partOf(source, "spec");
  return address === wanted && (lastObservedState === "READY" || wanted === NOWHERE);
}

/** When two resolutions have begun since the last change, the first of them is over, and has changed nothing. */
const OVER = 2;
/** What is under way for so many resolutions without any change will not go on. */
const STUCK = 8;

/** Waits until OLM has nothing left to do in the namespaces of worlds, or cannot go on. */
async function settled(
  admin: ApiClient,
  olm: OlmOperators,
  worlds: readonly World[],
  isOpen: (state: OlmState) => boolean,
): Promise<ReadonlyMap<string, OlmState>> {
  const seen = new Map<string, { readonly version: string; readonly passes: number }>();
  let open: readonly string[] = [];
  return until(
    "OLM has nothing left to do",
    async () => {
      await sleep(PAUSE_MS);
      const passes = passesIn(olm.log());
      const states = await olmStates(admin);
      open = worlds.flatMap(({ name }) => {
        const state = states.get(name);
        const version = state === undefined ? "" : versionOf(state);
        const known = seen.get(name);
        const now = passes.get(name) ?? 0;
        if (known?.version !== version) seen.set(name, { version, passes: now });
        if (state === undefined || known?.version !== version) return [name];
        return now < known.passes + (isOpen(state) ? STUCK : OVER) ? [name] : [];
      });
      return open.length === 0 ? states : undefined;
    },
    () => open,
    PATIENCE_MS,
  );
}

/** Writes by resource. */
function byResource(writes: readonly AuditedWrite[]): ReadonlyMap<string, readonly AuditedWrite[]> {
  const found = new Map<string, AuditedWrite[]>();
  for (const write of writes) {
    const resource = resourceOf(write.path);
    found.set(resource, [...(found.get(resource) ?? []), write]);
  }
  return found;
}

/** `group/resource` or, of the core, `resource`; with the subresource behind another slash. */
function resourceOf(path: string): string {
  const [route = ""] = path.split("?");
  const [root, ...parts] = route.split("/").filter(Boolean);
  const group = root === "apis" ? `${parts[0]}/` : "";
  const rest = parts.slice(root === "apis" ? 2 : 1);
  const [resource, , subresource] = rest[0] === "namespaces" && rest.length > 2 ? rest.slice(2) : rest;
  return `${group}${resource}${subresource === undefined ? "" : `/${subresource}`}`;
}
