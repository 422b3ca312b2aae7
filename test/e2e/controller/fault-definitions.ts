// What can happen to the definition of a kind? It is deleted with all its objects and made again, or it is not served for a while.

import { isList, isObject, type JsonObject, partOf } from "../../../src/model/json.ts";
import { asWritten, loadObjects } from "../load-objects.ts";
import type { Hub } from "./hub.ts";
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

/** Changes the schemas of all versions of a kind, and waits until the API server has noticed: it then accepts any field. */
export async function loosenDefinition(hub: Hub, plural: string): Promise<void> {
  const definition = await hub.call("GET", pathOf(plural));
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const versions = versionsOf(definition).map((version) => ({
    ...version,
    schema: { openAPIV3Schema: open },
    additionalPrinterColumns: null,
  }));
  await hub.call("PATCH", pathOf(plural), { spec: { versions } });
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
