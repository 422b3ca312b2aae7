// What has OLM made of the namespaces of a cluster, and is it done? Its objects say the first, its log says when it has looked last.

import { isList, isObject, type Json, type JsonObject, partOf } from "../../../src/model/json.ts";
import type { ApiClient } from "../api-client.ts";
import { type Ending, OLM_CORE } from "./world.ts";

const KINDS = ["subscriptions", "clusterserviceversions", "installplans"] as const;

/** OLM's objects of one namespace. */
export type OlmState = Readonly<Record<(typeof KINDS)[number], readonly JsonObject[]>>;

/** OLM's objects, by namespace; copies of ClusterServiceVersions are left out. */
export async function olmStates(client: ApiClient): Promise<ReadonlyMap<string, OlmState>> {
  const lists = await Promise.all(
    KINDS.map(async (kind) => objectsOf((await client.get(`/apis/${OLM_CORE}/${kind}`)).items)),
  );
  const states = new Map<string, Record<string, JsonObject[]>>();
  for (const [at, kind] of KINDS.entries())
    for (const object of lists[at] ?? []) {
      const { namespace, labels } = partOf(object, "metadata");
      if (isObject(labels) && labels["olm.copiedFrom"] !== undefined) continue;
      const state = states.get(`${namespace}`) ?? Object.fromEntries(KINDS.map((name) => [name, []]));
      state[kind]?.push(object);
      states.set(`${namespace}`, state);
    }
  return states as unknown as ReadonlyMap<string, OlmState>;
}

/** How a namespace ends that has settled; `prefix` is what all its packages have in front of their names. */
export function endingOf(state: OlmState, prefix: string = ""): Required<Ending> {
  const { subscriptions, clusterserviceversions, installplans } = state;
  const phases = clusterserviceversions.map((csv) => [shortName(nameOf(csv), prefix), phaseOf(csv)] as const);
  const refused = subscriptions.filter((one) =>
    conditionsOf(one).some(({ type, status }) => type === "ResolutionFailed" && status === "True"),
  );
  const waiting = installplans.filter((plan) => phaseOf(plan) === "RequiresApproval").flatMap(csvNames);
  const waitingNames = waiting.map((name) => shortName(name, prefix));
  return {
    operators: phases.flatMap(([name, phase]) => (phase === "Succeeded" ? [name] : [])).sort(),
    refused: refused.map(nameOf).sort(),
    waiting: [...new Set(waitingNames)].sort(),
    broken: phases.flatMap(([name, phase]) => (phase === "Succeeded" ? [] : [`${name}: ${phase}`])).sort(),
  };
}

/** A name without a prefix, if it has it. */
export function shortName(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** What tells two states apart; not the messages, which OLM may write in another order each time. */
export function versionOf({ subscriptions, clusterserviceversions, installplans }: OlmState): string {
  return JSON.stringify([
    subscriptions.map((one) => {
      const { state, currentCSV, installedCSV } = partOf(one, "status");
      const conditions = conditionsOf(one).map(({ type, status, reason }) => [type, status, reason] as Json);
      return [nameOf(one), state, currentCSV, installedCSV, conditions] as Json;
    }),
    [...clusterserviceversions, ...installplans].map((one) => [nameOf(one), phaseOf(one)]),
  ] as Json);
}

const UNDER_WAY: ReadonlySet<string> = new Set(["", "Planning", "Installing"]);
const IN_BETWEEN: ReadonlySet<string> = new Set([
  ...["", "Pending", "InstallReady", "Installing", "Replacing", "Deleting"],
]);

/** Is something being carried out, or would be if it could? */
export function isUnderWay(state: OlmState): boolean {
  return hasOpenPlan(state) || state.clusterserviceversions.some((csv) => IN_BETWEEN.has(phaseOf(csv)));
}

/** Does the catalog-operator still have something to write? What it has written is the business of the olm-operator. */
export function hasOpenPlan({ installplans }: OlmState): boolean {
  return installplans.some((plan) => UNDER_WAY.has(phaseOf(plan)));
}

/** How many resolutions of each namespace have begun, says the log of the catalog-operator: one after the other, each to its end. */
export function passesIn(log: string): ReadonlyMap<string, number> {
  const passes = new Map<string, number>();
  for (const [, namespace = ""] of log.matchAll(/msg="resolving sources".* namespace=(\S+)/g))
    passes.set(namespace, (passes.get(namespace) ?? 0) + 1);
  return passes;
}

function csvNames(plan: JsonObject): readonly string[] {
  const { clusterServiceVersionNames: names } = partOf(plan, "spec");
  return isList(names) ? names.map(String) : [];
}

function conditionsOf(subscription: JsonObject): readonly JsonObject[] {
  return objectsOf(partOf(subscription, "status").conditions);
}

function phaseOf(object: JsonObject): string {
  return `${partOf(object, "status").phase ?? ""}`;
}

function nameOf(object: JsonObject): string {
  return `${partOf(object, "metadata").name}`;
}

function objectsOf(values: Json | undefined): readonly JsonObject[] {
  return isList(values) ? values.filter(isObject) : [];
}
