// What can happen to the definition of a kind? It is deleted with all its objects and made again, or it is not served for a while.

import { isDeepStrictEqual } from "node:util";
import { isList, isObject, type JsonObject, partOf } from "../../../src/model/json.ts";
import { asWritten, loadObjects } from "../load-objects.ts";
import { type Hub, schemasHave } from "./hub.ts";
import { API_VERSIONS, DECISIONS, inNamespace, PLACEMENTS } from "./kinds.ts";
import { until } from "./until.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function pathOf(plural: string): string {
  return `${DEFINITIONS}/${plural}.cluster.open-cluster-management.io`;
}

/** Deletes the definition of a kind, and waits until all its objects are gone; returns it. */
export async function deleteDefinition(hub: Hub, plural: string): Promise<JsonObject> {
  const definition = await hub.call("GET", pathOf(plural));
  await hub.call("DELETE", pathOf(plural));
  await until(`${plural} are gone`, async () => (await hub.tryCall("GET", pathOf(plural))).status === 404 || undefined);
  return definition;
}

/** Makes a definition again, and waits until the kind is served. */
export async function makeDefinition(hub: Hub, definition: JsonObject): Promise<void> {
  const { status: _, ...rest } = asWritten(definition);
  await loadObjects(hub.admin, [rest as JsonObject]);
}

/** Lets all versions of a kind have any field, and waits until the API server has noticed: it then keeps a field that was unknown. */
export async function loosenDefinition(hub: Hub, plural: string): Promise<void> {
  const definition = await hub.call("GET", pathOf(plural));
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const versions = versionsOf(definition).map((version) => ({
    ...version,
    schema: { openAPIV3Schema: open },
    additionalPrinterColumns: null,
  }));
  await hub.call("PATCH", pathOf(plural), { spec: { versions } });
  const { group, names, scope } = partOf(definition, "spec");
  const inside = scope === "Namespaced" ? "namespaces/default/" : "";
  for (const { name } of versionsOf(definition).filter(({ served }) => served === true)) {
    const path = `/apis/${group}/${name}/${inside}${plural}?dryRun=All`;
    const apiVersion = `${group}/${name}`;
    const probe = { apiVersion, kind: (names as JsonObject).kind, metadata: { name: "probe" }, garbage: "kept" };
    await until(`${plural} of ${name} have any field`, async () => {
      const { status, body } = await hub.tryCall("POST", path, probe as JsonObject);
      return (status === 201 && body.garbage === "kept") || undefined;
    });
  }
}

/**
 * Lets the API server keep what OCM 1.3 has and 1.2 does not: scores of decisions, when they were written, and the order by them. No
 * controller may run.
 */
export async function storeScores(hub: Hub): Promise<void> {
  const ofDecision = { decisions: { items: { properties: { score: { type: "integer" } } } } };
  const ofPlacement = { lastScoreUpdateTime: { type: "string", format: "date-time" } };
  await addFields(hub, "placementdecisions", { status: { properties: ofDecision } });
  await addFields(hub, "placements", {
    spec: { properties: { sortBy: { type: "string" } } },
    status: { properties: ofPlacement },
  });
  const decisions = [{ clusterName: "c1", reason: "", score: 1 }];
  await keepsStatus(hub, { list: DECISIONS, kind: "PlacementDecision", status: { decisions } });
  await keepsStatus(hub, {
    list: PLACEMENTS,
    kind: "Placement",
    status: { lastScoreUpdateTime: "1970-01-01T00:00:00Z" },
  });
  await schemasHave(hub.admin, ['"score":', '"lastScoreUpdateTime":']);
}

/** Adds fields to the schema of a kind, in all versions. */
async function addFields(hub: Hub, plural: string, properties: JsonObject): Promise<void> {
  const definition = await hub.call("GET", pathOf(plural));
  const addition = { schema: { openAPIV3Schema: { properties } } };
  const versions = versionsOf(definition).map((version) => withAddition(version, addition));
  await hub.call("PATCH", pathOf(plural), { spec: { versions } });
}

function withAddition(object: JsonObject, addition: JsonObject): JsonObject {
  const added = Object.entries(addition).map(([key, value]) => {
    const before = object[key];
    return [key, isObject(before) && isObject(value) ? withAddition(before, value) : value];
  });
  return { ...object, ...Object.fromEntries(added) };
}

/** A status that an object of some kind may have. */
interface KindStatus {
  /** The path of all objects. */
  readonly list: string;
  readonly kind: string;
  readonly status: JsonObject;
}

/** Waits until the API server keeps all fields of a status. */
async function keepsStatus(hub: Hub, { list, kind, status }: KindStatus): Promise<void> {
  const path = inNamespace(list, "default");
  const apiVersion = API_VERSIONS.Placement;
  await hub.call("POST", path, { ...{ apiVersion, kind, metadata: { name: "probe" } }, spec: {} });
  await until(`the status of a ${kind} is kept`, async () => {
    const kept = partOf(await hub.call("PATCH", `${path}/probe/status`, { status }), "status");
    return Object.entries(status).every(([field, value]) => isDeepStrictEqual(kept[field], value)) || undefined;
  });
  await hub.call("DELETE", `${path}/probe`);
}

/** Lets the API server serve a kind or not; its objects stay. */
export async function serveKind(hub: Hub, plural: string, served: boolean): Promise<void> {
  const definition = await hub.call("GET", pathOf(plural));
  const { group } = partOf(definition, "spec");
  const versions = versionsOf(definition);
  await hub.call("PATCH", pathOf(plural), { spec: { versions: versions.map((version) => ({ ...version, served })) } });
  const expected = served ? 200 : 404;
  await until(`${plural} are served: ${served}`, async () => {
    const answers = versions.map(({ name }) => hub.admin.status(`/apis/${group}/${name}/${plural}`));
    return (await Promise.all(answers)).every((status) => status === expected) || undefined;
  });
}

function versionsOf(definition: JsonObject): readonly JsonObject[] {
  const { versions } = partOf(definition, "spec");
  return isList(versions) ? versions.filter(isObject) : [];
}
