// How is a plan of writes carried out? One after the other, each based on the version that its planner saw, and only while this process
// leads. The first that fails ends it: what follows may depend on it.

import type { ApiServer, WriteRequest } from "../kube/api-server.ts";
import { segment } from "../kube/path.ts";
import { type JsonObject, partOf } from "../model/json.ts";
import { type FailureKind, NetFailure } from "../net/failure.ts";
import { field, parsedJson, textField } from "../net/json-fields.ts";
import { plainError } from "./thread-link.ts";

/** What prevents two processes from writing at the same time: that this one leads, and whatever else writing depends on. */
export interface WriteFence {
  /** Asked in the turn of the event loop in which a request is written to its socket. */
  mayWrite(): boolean;
  /** Milliseconds that a request may take. */
  readonly writeTimeout: number;
}

/** Which version of an object a write is based on. */
export interface ObjectVersion {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** What a write is based on. An object that an earlier write of the plan creates has no version yet: that of the answer is used. */
export type Base = ObjectVersion | "created";

/**
 * One write of a plan. `base` matters for the first write of an object in a plan; every answer brings a new version, on which the next
 * write of the same object is based.
 */
export type PlannedWrite =
  | {
      readonly verb: "create";
      /** Of the collection. */
      readonly path: string;
      readonly name: string;
      readonly object: JsonObject;
    }
  | {
      readonly verb: "patch";
      /** Of the object, even if a subresource is written. */
      readonly path: string;
      readonly subresource?: "status";
      /** A merge patch (RFC 7386), without uid and resourceVersion. */
      readonly patch: JsonObject;
      readonly base: Base;
    }
  | {
      readonly verb: "update";
      /** Of the object. */
      readonly path: string;
      readonly subresource: "status";
      /**
       * The whole object, its metadata as the server has them, without managedFields. The server takes only the status of it, and
       * replaces the whole status: what belongs to others has to be in it. A server before Kubernetes 1.36 also removes what the
       * metadata leave out from the managedFields of the client that set it. An update costs the server less than a patch.
       */
      readonly object: JsonObject;
      readonly base: Base;
    }
  | {
      readonly verb: "delete";
      /** Of the object. */
      readonly path: string;
      readonly base: Base;
    };

/** What became of a plan: plain data, it crosses threads. */
export interface WriteOutcome {
  /**
   * For each write that was carried out, from the first one on, the object as the server answers it; empty if a delete has removed it: a
   * finalizer of another client may keep it.
   */
  readonly written: readonly string[];
  /** Why the next one failed; those after it were not tried. */
  readonly failure?: WriteFailure;
  /** In place of a failure: a bug has ended it. Whether the next one was sent is unknown. */
  readonly bug?: Error;
}

export interface WriteFailure {
  readonly kind: FailureKind;
  readonly message: string;
  /** Milliseconds to wait, as the server says (Retry-After). */
  readonly retryAfter?: number;
  /** The server has received nothing of the write. */
  readonly isUnsent?: boolean;
}

export interface WriteOptions {
  readonly server: Pick<ApiServer, "write">;
  readonly fence: WriteFence;
  /** Called after each write, for measuring. */
  readonly onWrite?: (verb: PlannedWrite["verb"], result: "ok" | FailureKind) => void;
}

const UNANSWERED: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "timeout",
  "unreachable",
  "server",
  "malformed",
  "cancelled",
]);

/** After such a failure the write may have happened or not: what the object is now has to be read. */
export function isUnanswered({ kind, isUnsent = false }: WriteFailure): boolean {
  return UNANSWERED.has(kind) && !isUnsent;
}

const STALE: ReadonlySet<FailureKind> = new Set<FailureKind>(["conflict", "exists", "not-found"]);

/** Such a failure says that the plan is based on an outdated state: it is made again when the watch has had time to deliver the newest one. */
export function isStale(kind: FailureKind): boolean {
  return STALE.has(kind);
}

/** Carries a plan out. After `not-sent`, this process does not lead. For the other failures, see `isStale` and `isUnanswered`. */
export async function carryOut(writes: readonly PlannedWrite[], options: WriteOptions): Promise<WriteOutcome> {
  const { onWrite } = options;
  const latest = new Map<string, LatestMetadata>();
  const written: string[] = [];
  for (const write of writes) {
    try {
      written.push(await carryOutOne(write, latest, options));
    } catch (error) {
      // What was written counts, whatever ends the plan.
      if (!(error instanceof NetFailure)) return { written, bug: plainError(error) };
      onWrite?.(write.verb, error.kind);
      const { kind, message, retryAfter, isUnsent } = error;
      const failure = { kind, message, ...(retryAfter !== undefined && { retryAfter }), ...(isUnsent && { isUnsent }) };
      return { written, failure };
    }
    onWrite?.(write.verb, "ok");
  }
  return { written };
}

/** Metadata as the server answers them, without managedFields. */
type LatestMetadata = ObjectVersion & JsonObject;

/** `latest` has the metadata of the objects that the plan has written so far, by path. */
async function carryOutOne(
  write: PlannedWrite,
  latest: Map<string, LatestMetadata>,
  { server, fence }: WriteOptions,
): Promise<string> {
  if (!fence.mayWrite()) throw new NetFailure("not-sent", "this process does not lead, so it does not write");
  const path = write.verb === "create" ? `${write.path}/${segment(write.name)}` : write.path;
  const request = {
    ...requestOf(write, latest.get(path)),
    timeout: fence.writeTimeout,
    mayStillSend: () => fence.mayWrite(),
  };
  if (write.verb === "delete") {
    const text = await server.write(request).catch(unlessGone);
    latest.delete(path);
    return isTerminating(text) ? text : "";
  }
  const text = await server.write(request);
  latest.set(path, metadataOf(text, path));
  return text;
}

function requestOf(
  write: PlannedWrite,
  latest: LatestMetadata | undefined,
): Pick<WriteRequest, "method" | "path" | "body"> {
  const { verb, path } = write;
  if (verb === "create") return { method: "POST", path, body: write.object };
  const base = latest ?? write.base;
  if (base === "created") throw new Error(`the plan writes ${path} before it creates it`);
  const { uid, resourceVersion } = base;
  if (verb === "patch") {
    const metadata = { ...partOf(write.patch, "metadata"), uid, resourceVersion };
    const subresource = write.subresource === undefined ? "" : `/${write.subresource}`;
    return { method: "PATCH", path: path + subresource, body: { ...write.patch, metadata } };
  }
  if (verb === "update") {
    const metadata = { ...(latest ?? partOf(write.object, "metadata")), uid, resourceVersion };
    return { method: "PUT", path: `${path}/${write.subresource}`, body: { ...write.object, metadata } };
  }
  const body = {
    apiVersion: "v1",
    kind: "DeleteOptions",
    preconditions: { uid, resourceVersion },
    // What the object owns is removed by the garbage collector; the object itself is gone at once, unless it has finalizers.
    propagationPolicy: "Background",
  };
  return { method: "DELETE", path, body };
}

/** An object that is not there needs no deletion. */
function unlessGone(error: unknown): string {
  if (!(error instanceof NetFailure && error.kind === "not-found")) throw error;
  return "";
}

/** Is it an object that is being deleted, and not a Status? */
function isTerminating(text: string): boolean {
  return textField(field(parsedJson(text), "metadata"), "deletionTimestamp") !== undefined;
}

function metadataOf(text: string, path: string): LatestMetadata {
  const metadata = field(parsedJson(text), "metadata");
  const uid = textField(metadata, "uid");
  const resourceVersion = textField(metadata, "resourceVersion");
  if (uid === undefined || resourceVersion === undefined)
    throw new NetFailure(
      "malformed",
      `the API server answers the write of ${path} with something that is not an object`,
    );
  return { ...withoutManagedFields(metadata as JsonObject), uid, resourceVersion };
}

/** What an update sends back. The server takes managedFields from the object that it has, and they are most of the text. */
function withoutManagedFields({ managedFields: _, ...metadata }: JsonObject): JsonObject {
  return metadata;
}
