// What does a test do to the etcd of its cluster, and what does it read there? Through its JSON gateway: forget old revisions, make room
// after its quota was exceeded, follow what is stored.

import { Buffer } from "node:buffer";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";

/** How much etcd may store, in bytes, before it refuses every write: a flag for `startCluster`. */
export function quotaFlag(bytes: number): string {
  return `--quota-backend-bytes=${bytes}`;
}

/** Lets etcd forget all revisions but the last. */
export async function compact(etcd: string): Promise<void> {
  const { header } = (await ask(etcd, "maintenance/status")) as { readonly header?: { readonly revision?: string } };
  await ask(etcd, "kv/compaction", { revision: header?.revision, physical: true });
}

/** An alarm of a member; etcd refuses writes while there is one. */
interface Alarm {
  readonly memberID: string;
  readonly alarm: string;
}

/** Gives back the space that is not used, and ends the alarm that the quota was exceeded (NOSPACE). */
export async function makeRoom(etcd: string): Promise<void> {
  await compact(etcd);
  await ask(etcd, "maintenance/defragment");
  const { alarms = [] } = (await ask(etcd, "maintenance/alarm", { action: "GET" })) as {
    readonly alarms?: readonly Alarm[];
  };
  for (const { memberID, alarm } of alarms)
    await ask(etcd, "maintenance/alarm", { action: "DEACTIVATE", memberID, alarm });
}

/** An object as etcd stores it: a custom resource is stored as JSON, without its resourceVersion, which is the revision. */
export interface StoredObject {
  /** NAMESPACE/NAME. */
  readonly key: string;
  readonly resourceVersion: string;
  readonly object: JsonObject;
}

/** A change of a collection: an object as it is now, or that it is gone. */
export type StoredChange = { readonly put: StoredObject } | { readonly deleted: string };

/** All objects of a custom resource at one revision of etcd. */
export interface StoredCollection {
  readonly revision: string;
  readonly objects: readonly StoredObject[];
}

/** A key and its value, both as base64. A number of 64 bits is a text. */
interface KeyValue {
  readonly key: string;
  readonly value?: string;
  readonly mod_revision: string;
}

interface WatchAnswer {
  readonly canceled?: boolean;
  readonly events?: readonly { readonly type?: "DELETE"; readonly kv: KeyValue }[];
}

/** The objects of a custom resource, such as `cluster.open-cluster-management.io/placements`. */
export async function readCollection(etcd: string, resource: string): Promise<StoredCollection> {
  const { kvs = [], header } = (await ask(etcd, "kv/range", rangeOf(resource))) as {
    readonly kvs?: readonly KeyValue[];
    readonly header: { readonly revision: string };
  };
  return { revision: header.revision, objects: kvs.map((kv) => storedObject(kv, resource)) };
}

/** Stores an object of a custom resource as it is, which an API server would not do. */
export async function putObject(
  etcd: string,
  resource: string,
  { key, object }: Omit<StoredObject, "resourceVersion">,
): Promise<void> {
  await ask(etcd, "kv/put", { key: base64(`/registry/${resource}/${key}`), value: base64(JSON.stringify(object)) });
}

/**
 * Follows the objects of a custom resource after a revision, until it is aborted. Nothing is missed, whatever happens to the API server:
 * etcd brings every revision, in order, and what it forgets later was brought before. Rejects when it ends.
 */
export async function followCollection(
  etcd: string,
  { resource, after, signal }: { readonly resource: string; readonly after: string; readonly signal: AbortSignal },
  take: (change: StoredChange) => void,
): Promise<never> {
  const start_revision = `${BigInt(after) + 1n}`;
  const body = JSON.stringify({ create_request: { ...rangeOf(resource), start_revision } });
  // Not `fetch`: it ends an answer that brings nothing for five minutes.
  const sent = request(`${etcd}/v3/watch`, { method: "POST", signal }).end(body);
  const answer: IncomingMessage = (await once(sent, "response"))[0];
  await followLines(answer, (line) => {
    const { result } = JSON.parse(line) as { readonly result?: WatchAnswer };
    if (result === undefined || result.canceled) throw new Error(`etcd ends the watch of ${resource}: ${line}`);
    for (const { type, kv } of result.events ?? [])
      take(type === "DELETE" ? { deleted: keyOf(kv, resource) } : { put: storedObject(kv, resource) });
  });
  throw new Error(`the watch of ${resource} in etcd has ended`);
}

/** All keys of a resource: those that begin with its name and a slash, and 0 is the character after the slash. */
function rangeOf(resource: string): object {
  return { key: base64(`/registry/${resource}/`), range_end: base64(`/registry/${resource}0`) };
}

function keyOf({ key }: KeyValue, resource: string): string {
  return text(key).slice(`/registry/${resource}/`.length);
}

function storedObject(kv: KeyValue, resource: string): StoredObject {
  const object = JSON.parse(text(kv.value ?? "")) as Json;
  const key = keyOf(kv, resource);
  if (!isObject(object)) throw new Error(`etcd stores something at ${key} that is not an object`);
  return { key, resourceVersion: kv.mod_revision, object };
}

/** Takes every line of an answer as it comes. */
async function followLines(answer: IncomingMessage, take: (line: string) => void): Promise<void> {
  let rest = "";
  for await (const part of answer.setEncoding("utf8")) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  }
}

function base64(value: string): string {
  return Buffer.from(value).toString("base64");
}

function text(value: string): string {
  return Buffer.from(value, "base64").toString();
}

async function ask(etcd: string, path: string, body: object = {}): Promise<object> {
  const answer = await fetch(`${etcd}/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd answers ${answer.status} to ${path}: ${await answer.text()}`);
  return (await answer.json()) as object;
}
