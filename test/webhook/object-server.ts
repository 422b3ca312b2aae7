// Which API server has a few objects, with the rules about names and versions? One in memory, for tests of the webhook.

import type { ApiServer, WriteRequest } from "../../src/kube/api-server.ts";
import { type Json, type JsonObject, partOf } from "../../src/model/json.ts";
import { NetFailure } from "../../src/net/failure.ts";

export class ObjectServer implements Pick<ApiServer, "getOnce" | "write"> {
  /** By path, as JSON texts. */
  readonly #objects = new Map<string, string>();
  readonly requests: string[] = [];
  #version = 0;
  /** What happens to a request instead of an answer. */
  failureOf: (request: string) => NetFailure | undefined = () => undefined;
  /** Is called before a request is carried out: another client can be faster. */
  before: (request: string) => void = () => undefined;

  async getOnce(path: string): Promise<string> {
    this.#begin(`GET ${path}`);
    const text = this.#objects.get(path);
    if (text === undefined) throw new NetFailure("not-found", `there is no ${path}`);
    return text;
  }

  async write({ method, path, body }: WriteRequest): Promise<string> {
    this.#begin(`${method} ${path}`);
    const sent = body as JsonObject;
    const metadata = partOf(sent, "metadata");
    if (method === "POST") {
      const target = `${path}/${metadata.name}`;
      if (this.#objects.has(target)) throw new NetFailure("exists", `${target} exists`);
      return this.put(target, sent);
    }
    const before = this.object(path);
    if (before === undefined) throw new NetFailure("not-found", `there is no ${path}`);
    if (metadata.resourceVersion !== partOf(before, "metadata").resourceVersion)
      throw new NetFailure("conflict", `${path} has changed`);
    return this.put(path, method === "PUT" ? sent : (merged(before, sent) as JsonObject));
  }

  /** Creates or replaces an object, as another client. */
  put(path: string, object: JsonObject): string {
    const metadata = { ...partOf(object, "metadata"), resourceVersion: String(++this.#version) };
    const text = JSON.stringify({ ...object, metadata });
    this.#objects.set(path, text);
    return text;
  }

  /** A text that is no object, as a broken proxy gives it. */
  garble(path: string, text: string): void {
    this.#objects.set(path, text);
  }

  object(path: string): JsonObject | undefined {
    const text = this.#objects.get(path);
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
  }

  remove(path: string): void {
    this.#objects.delete(path);
  }

  /** The requests until now that change something. */
  get writes(): readonly string[] {
    return this.requests.filter((request) => !request.startsWith("GET "));
  }

  #begin(request: string): void {
    this.requests.push(request);
    this.before(request);
    const failure = this.failureOf(request);
    if (failure !== undefined) throw failure;
  }
}

/** A merge patch (RFC 7386). */
function merged(value: Json, patch: Json): Json {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, Json> =
    typeof value === "object" && !Array.isArray(value) ? { ...(value as JsonObject) } : {};
  for (const [key, change] of Object.entries(patch as JsonObject)) {
    if (change === null) delete result[key];
    else result[key] = merged(result[key] ?? null, change);
  }
  return result;
}
