// How do objects get into the API server of a test as they are in a file, with their status? Namespaces are made, CRDs are
// waited for, and an object with a deletionTimestamp is deleted, so that its finalizers keep it.

import { setTimeout as sleep } from "node:timers/promises";
import { isList, isObject, type JsonObject, partOf } from "../../src/model/json.ts";
import type { ApiClient } from "./api-client.ts";
import { listPath, ServedKinds } from "./served-kinds.ts";

/** Fields of the metadata that the API server sets. */
const SET_BY_SERVER: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
]);

/** How many objects are written at the same time. */
const AT_ONCE = 16;
const ESTABLISHED_MS = 60_000;
const SHOWN = 10;

/** Creates the objects of documents; a List stands for its items. Throws if any is refused. */
export async function loadObjects(client: ApiClient, documents: readonly JsonObject[]): Promise<void> {
  const objects = documents.flatMap(itemsOf);
  const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
  const others = objects.filter(({ kind }) => kind !== "CustomResourceDefinition" && kind !== "Namespace");
  const refused: string[] = [];
  const create = async (kinds: ServedKinds, object: JsonObject): Promise<void> => {
    try {
      await createObject(client, kinds, object);
    } catch (error) {
      refused.push(`${object.kind} ${partOf(object, "metadata").name}: ${(error as Error).message}`);
    }
  };
  await atOnce(namespacesOf(objects), (name) => createNamespace(client, name));
  await atOnce(definitions, (definition) => create(new ServedKinds(client), definition));
  await established(client, definitions);
  const kinds = new ServedKinds(client);
  // In the order of the documents, kind by kind: what others refer to can be written above them.
  for (const kind of new Set(others.map((object) => object.kind)))
    await atOnce(
      others.filter((object) => object.kind === kind),
      (object) => create(kinds, object),
    );
  if (refused.length > 0)
    throw new Error(`the API server refused ${refused.length} objects:\n${refused.slice(0, SHOWN).join("\n")}`);
}

/** An object without what the API server sets: as a user would write it. */
export function asWritten(object: JsonObject): JsonObject {
  const metadata = Object.entries(partOf(object, "metadata")).filter(([field]) => !SET_BY_SERVER.has(field));
  return { ...object, metadata: Object.fromEntries(metadata) };
}

/** The objects of a document. */
export function itemsOf(document: JsonObject): readonly JsonObject[] {
  return document.kind === "List" && isList(document.items) ? document.items.filter(isObject) : [document];
}

function namespacesOf(objects: readonly JsonObject[]): readonly string[] {
  const names = objects.map((object) => {
    const { name, namespace } = partOf(object, "metadata");
    return object.kind === "Namespace" ? name : namespace;
  });
  return [...new Set(names)].filter((name) => typeof name === "string");
}

async function createNamespace(client: ApiClient, name: string): Promise<void> {
  const { status, body } = await client.call("POST", "/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name },
  });
  if (status !== 201 && status !== 409) throw new Error(`Namespace ${name}: ${status} ${body.message}`);
}

async function createObject(client: ApiClient, kinds: ServedKinds, object: JsonObject): Promise<void> {
  const kind = await kinds.of(object);
  const { name, namespace, deletionTimestamp } = partOf(object, "metadata");
  const { status, ...rest } = asWritten(object);
  const list = listPath(kind, namespace as string | undefined);
  const written = kind.hasStatus ? rest : { ...rest, ...(status !== undefined && { status }) };
  await expectDone(client, "POST", list, written as JsonObject);
  const set = object.kind === "CustomResourceDefinition" && isObject(status) ? storedVersionsOf(status) : status;
  if (kind.hasStatus && set !== undefined) await expectDone(client, "PATCH", `${list}/${name}/status`, { status: set });
  if (deletionTimestamp !== undefined) await expectDone(client, "DELETE", `${list}/${name}`);
}

/** The API server itself decides about the conditions and names of a CRD. */
function storedVersionsOf({ storedVersions }: JsonObject): JsonObject | undefined {
  return storedVersions === undefined ? undefined : { storedVersions };
}

async function expectDone(client: ApiClient, method: string, path: string, body?: JsonObject): Promise<void> {
  const answer = await client.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.body.message}`);
}

/** Discovery in one answer, as kubectl asks for it. */
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Waits until the API server serves every version of definitions, and says so. */
async function established(client: ApiClient, definitions: readonly JsonObject[]): Promise<void> {
  let waitingFor = new Set(definitions.flatMap(servedNames));
  const deadline = Date.now() + ESTABLISHED_MS;
  while (waitingFor.size > 0) {
    if (Date.now() > deadline) throw new Error(`the API server does not serve ${[...waitingFor].join(", ")}`);
    const found = discovered(await client.get("/apis", AGGREGATED));
    const isReady = async (name: string): Promise<boolean> =>
      found.has(name) && (await client.status(`/apis/${name}`)) === 200;
    const names = [...waitingFor];
    const ready = await Promise.all(names.map(isReady));
    waitingFor = new Set(names.filter((_, index) => !ready[index]));
    if (waitingFor.size > 0) await sleep(100);
  }
}

/** The served versions of a definition, as GROUP/VERSION/PLURAL. */
function servedNames(definition: JsonObject): readonly string[] {
  const { group, versions } = partOf(definition, "spec");
  const { plural } = partOf(partOf(definition, "spec"), "names");
  const all = isList(versions) ? versions.filter(isObject) : [];
  return all.filter(({ served }) => served === true).map(({ name }) => `${group}/${name}/${plural}`);
}

/** All kinds of a discovery, as GROUP/VERSION/PLURAL. */
function discovered({ items }: JsonObject): ReadonlySet<string> {
  const parts = (object: JsonObject, field: string) =>
    isList(object[field]) ? (object[field] as readonly JsonObject[]) : [];
  const groups = isList(items) ? items.filter(isObject) : [];
  return new Set(
    groups.flatMap((group) =>
      parts(group, "versions").flatMap((version) =>
        parts(version, "resources").map(
          ({ resource }) => `${partOf(group, "metadata").name}/${version.version}/${resource}`,
        ),
      ),
    ),
  );
}

async function atOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await work(items[next++] as Item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
