// Which API server is fast enough for thousands of stories? One in memory, with what a controller depends on: resourceVersions and their
// conflicts, uids, finalizers, merge patches, updates, status subresources, lists, watches with history and its end (410). Faults are
// injected.

import { isDeepStrictEqual } from "node:util";
import { type Clock, sleep } from "../../src/controller/clock.ts";
import type { WriteRequest } from "../../src/kube/api-server.ts";
import type { WatchEvent } from "../../src/kube/watch-events.ts";
import { isObject, type Json, type JsonObject, own, partOf } from "../../src/model/json.ts";
import { cancelled, NetFailure } from "../../src/net/failure.ts";

/** What happens to a request: it is refused; or it is carried out, and its answer is lost. */
export type Fault = { readonly refuse: NetFailure } | { readonly lose: NetFailure };

/** A change that watchers see. */
interface Change {
  readonly version: number;
  readonly collection: string;
  readonly event: WatchEvent;
}

interface Watcher {
  readonly collection: string;
  readonly take: (event: WatchEvent) => void;
  readonly end: (failure?: NetFailure) => void;
}

export class MemoryApi {
  /** With a clock, watches lag behind; writes, and reads of one object, take their time, in milliseconds each. */
  readonly #clock: Clock | undefined;
  lagOf: () => number = () => 0;
  delayOf: () => number = () => 0;
  /** By path of the object. */
  readonly #objects = new Map<string, JsonObject>();
  readonly #history: Change[] = [];
  readonly #watchers = new Set<Watcher>();
  #version = 100;
  #uids = 0;
  /** Versions before this one are forgotten. */
  #oldest = 0;
  /** Requests that change something, in their order: `PATCH /apis/…`. */
  readonly writes: string[] = [];
  /** Requests that no controller should send, and that a real server would carry out. */
  readonly mistakes: string[] = [];
  /** Decides about each request that changes something. */
  faultOf: (request: WriteRequest) => Fault | undefined = () => undefined;
  /** Decides about each read of a single object. */
  faultOfRead: () => NetFailure | undefined = () => undefined;
  /** Collections that cannot be listed or watched. */
  readonly unreadable: Map<string, NetFailure> = new Map();
  /** Sees every change. */
  onChange: (event: WatchEvent, collection: string) => void = () => undefined;

  constructor(clock?: Clock) {
    this.#clock = clock;
  }

  /** Creates or replaces an object, as another client; without bookkeeping. */
  put(path: string, object: JsonObject): void {
    const before = this.#objects.get(path);
    const metadata = partOf(object, "metadata");
    const uid = before === undefined ? `uid-${++this.#uids}` : own(partOf(before, "metadata"), "uid");
    const generation = this.#generation(before, object);
    this.#store(path, { ...object, metadata: { ...metadata, uid: uid as string, generation } });
  }

  object(path: string): JsonObject | undefined {
    return this.#objects.get(path);
  }

  /** Applies a merge patch, as another client. */
  patch(path: string, patch: JsonObject): void {
    const before = this.#objects.get(path);
    if (before !== undefined) this.put(path, merged(before, patch) as JsonObject);
  }

  remove(path: string): void {
    const before = this.#objects.get(path);
    if (before === undefined) return;
    this.#objects.delete(path);
    this.#announce(path, "DELETED", this.#versioned(before));
  }

  /** The objects of a collection, by path. */
  collection(collection: string): readonly JsonObject[] {
    return [...this.#objects].filter(([path]) => collectionOf(path) === collection).map(([, object]) => object);
  }

  /** Breaks all watches; with `forgets`, they cannot be continued (410). */
  breakWatches(forgets = false): void {
    if (forgets) this.#oldest = this.#version;
    for (const watcher of [...this.#watchers]) watcher.end(new NetFailure("unreachable", "the connection broke"));
  }

  readonly list = async (
    path: string,
    _: object,
    take: (text: string) => void,
  ): Promise<{
    items: number;
    isCutOff: boolean;
    kind: string;
    apiVersion: string;
    overlong: number;
    resourceVersion: string;
  }> => {
    const failure = this.unreadable.get(path);
    if (failure !== undefined) throw failure;
    const objects = this.collection(wholeCollection(path));
    const resourceVersion = String(this.#version);
    for (const object of objects) take(sentText(object));
    const result = { items: objects.length, isCutOff: false, kind: "", apiVersion: "", overlong: 0 };
    return { ...result, resourceVersion };
  };

  /** The list of one object: a path with a fieldSelector for its name. */
  readonly getOnce = async (path: string): Promise<string> => {
    const [collection = "", query] = path.split("?");
    const name = new URLSearchParams(query).get("fieldSelector")?.replace("metadata.name=", "");
    await this.#takeTime();
    const fault = this.faultOfRead();
    if (fault !== undefined) throw fault;
    const object = this.object(`${collection}/${name}`);
    // What it was is known some time later.
    await this.#takeTime();
    return JSON.stringify({ items: object === undefined ? [] : [object] });
  };

  readonly watch = (
    path: string,
    options: { readonly resourceVersion: string; readonly signal?: AbortSignal; readonly onOpen?: () => void },
    take: (event: WatchEvent) => void,
  ): Promise<void> =>
    new Promise((done, failed) => {
      const { signal, onOpen } = options;
      const collection = wholeCollection(path);
      const from = Number(options.resourceVersion);
      const refusal =
        this.unreadable.get(path) ??
        (from < this.#oldest ? new NetFailure("expired", "too old resource version") : undefined);
      if (refusal !== undefined) {
        failed(refusal);
        return;
      }
      const watcher: Watcher = {
        collection,
        take: this.#lagging(take),
        end: (failure) => {
          this.#watchers.delete(watcher);
          if (failure === undefined) done();
          else failed(failure);
        },
      };
      signal?.addEventListener("abort", () => watcher.end(cancelled()), { once: true });
      this.#watchers.add(watcher);
      onOpen?.();
      for (const { version, event, ...change } of this.#history)
        if (version > from && change.collection === collection) watcher.take(event);
    });

  /** Takes events in their order, each some time after it happened. */
  #lagging(take: (event: WatchEvent) => void): (event: WatchEvent) => void {
    const clock = this.#clock;
    if (clock === undefined) return take;
    let last = 0;
    return (event) => {
      last = Math.max(last, clock.monotonic() + this.lagOf());
      clock.after(last - clock.monotonic(), () => take(event));
    };
  }

  /** There are no schemas: every field is stored. */
  readonly read = async (path: string): Promise<never> => {
    throw new NetFailure("not-found", `there is no ${path}`, { status: 404 });
  };

  readonly write = async (request: WriteRequest): Promise<string> => {
    if (request.mayStillSend?.() === false) throw new NetFailure("not-sent", "not sent");
    const fault = this.faultOf(request);
    if (fault !== undefined && "refuse" in fault) throw fault.refuse;
    await this.#takeTime();
    const text = this.#carryOut(request);
    if (fault !== undefined) throw fault.lose;
    return text;
  };

  async #takeTime(): Promise<void> {
    const delay = this.delayOf();
    if (this.#clock !== undefined && delay > 0) await sleep(this.#clock, delay, new AbortController().signal);
  }

  readonly close = (): void => undefined;

  #carryOut({ method, path, body }: WriteRequest): string {
    this.writes.push(`${method} ${path}`);
    const sent = body as JsonObject;
    if (method === "POST") {
      const name = own(partOf(sent, "metadata"), "name");
      const target = `${path}/${name}`;
      if (this.#objects.has(target)) throw new NetFailure("exists", `${target} exists`, { status: 409 });
      const { status: _, ...object } = sent;
      this.put(target, object);
      return this.#answer(target);
    }
    const isStatus = path.endsWith("/status");
    const target = isStatus ? path.slice(0, -"/status".length) : path;
    const before = this.#objects.get(target);
    if (before === undefined) throw new NetFailure("not-found", `there is no ${target}`, { status: 404 });
    const expected = method === "DELETE" ? partOf(sent, "preconditions") : partOf(sent, "metadata");
    for (const field of ["uid", "resourceVersion"])
      if (own(expected, field) !== own(partOf(before, "metadata"), field))
        throw new NetFailure("conflict", `${target} has another ${field}`, { status: 409 });
    if (method === "DELETE") {
      const metadata = partOf(before, "metadata");
      if (metadata.finalizers !== undefined) {
        if (metadata.deletionTimestamp === undefined)
          this.patch(target, { metadata: { deletionTimestamp: "2026-03-01T12:00:00Z" } });
        return this.#answer(target);
      }
      this.remove(target);
      return "{}";
    }
    if (method === "PUT") {
      // An update of the status ignores everything else, but an older server takes fields that are missing away from their manager.
      if (!isStatus) throw new Error("only a status is updated");
      if (!isDeepStrictEqual(sent.metadata, before.metadata))
        this.mistakes.push(
          `the update of ${target} has other metadata than the server: ${JSON.stringify(sent.metadata)}`,
        );
      const after = { ...before, status: partOf(sent, "status") };
      const lost = Object.keys(partOf(before, "status")).filter((field) => !Object.hasOwn(after.status, field));
      // The status of a Resolution belongs to its controller alone.
      if (lost.length > 0 && !target.includes("/resolutions/"))
        this.mistakes.push(`the update of ${target} removes ${lost} from its status`);
      if (JSON.stringify(after) !== JSON.stringify(before)) this.put(target, after);
      return this.#answer(target);
    }
    const { status: _, ...others } = sent;
    const patch = isStatus ? { status: partOf(sent, "status") } : others;
    const { resourceVersion: __, ...metadata } = partOf(patch as JsonObject, "metadata");
    const after = merged(before, { ...patch, ...(!isStatus && { metadata }) }) as JsonObject;
    if (JSON.stringify(after) !== JSON.stringify(before)) this.put(target, after);
    return this.#answer(target);
  }

  #answer(path: string): string {
    return sentText(this.#objects.get(path) as JsonObject);
  }

  #generation(before: JsonObject | undefined, object: JsonObject): number {
    const last = before === undefined ? 0 : Number(own(partOf(before, "metadata"), "generation"));
    return before !== undefined && JSON.stringify(before.spec) === JSON.stringify(object.spec) ? last : last + 1;
  }

  #store(path: string, object: JsonObject): void {
    const type = this.#objects.has(path) ? "MODIFIED" : "ADDED";
    const stored = this.#versioned(object);
    this.#objects.set(path, stored);
    this.#announce(path, type, stored);
  }

  #versioned(object: JsonObject): JsonObject {
    const resourceVersion = String(++this.#version);
    return { ...object, metadata: { ...partOf(object, "metadata"), resourceVersion } };
  }

  #announce(path: string, type: WatchEvent["type"], object: JsonObject): void {
    const collection = collectionOf(path);
    const event = { type, object: sentText(object) };
    this.#history.push({ version: this.#version, collection, event });
    this.onChange(event, collection);
    for (const watcher of [...this.#watchers]) if (watcher.collection === collection) watcher.take(event);
  }
}

/** What a server sends: it adds managedFields, which no client sends back. */
function sentText(object: JsonObject): string {
  const managedFields = [{ manager: "another-client", operation: "Update", fieldsV1: { "f:status": {} } }];
  return JSON.stringify({ ...object, metadata: { ...partOf(object, "metadata"), managedFields } });
}

/** The path of the collection of all namespaces that an object is in. */
function collectionOf(path: string): string {
  return path.replace(/\/namespaces\/[^/]+(?=\/[^/]+\/)/, "").replace(/\/[^/]+$/, "");
}

/** Objects of all namespaces are in one collection: tests have no others in it. */
function wholeCollection(path: string): string {
  return path.replace(/\/namespaces\/[^/]+(?=\/[^/]+$)/, "");
}

/** A merge patch (RFC 7386). */
function merged(value: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = isObject(value) ? { ...value } : {};
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else result[key] = merged(result[key] ?? null, change);
  }
  return result;
}
