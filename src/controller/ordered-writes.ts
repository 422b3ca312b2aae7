// How is a plan of writes carried out? One after the other, each based on the version that its planner saw, and only while this process
// leads. The first that fails ends it: what follows may depend on it.

import type { ApiServer, WriteRequest } from "../kube/api-server.ts";
import { type JsonObject, partOf } from "../model/json.ts";
import { type FailureKind, NetFailure } from "../net/failure.ts";
import { field, parsedJson, textField } from "../net/json-fields.ts";
import type { LeaderElector } from "./leader-election.ts";

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
      /** Of the object, also if a subresource is written. */
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
       * replaces the whole status; but a server before Kubernetes 1.36 removes what the metadata leave out from the managedFields of
       * the client that set it. An update costs the server less than a patch.
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

export interface WrittenObject {
  /** Of the write in its plan. */
  readonly index: number;
  /** The object as the server answers it; empty if a delete has removed it: a finalizer of another client may keep it. */
  readonly text: string;
}

/** What was written, in order; and which write failed, if one did. None behind it was tried. */
export interface WriteOutcome {
  readonly written: readonly WrittenObject[];
  readonly failure?: { readonly index: number; readonly failure: NetFailure };
}

export interface WriteOptions {
  readonly server: Pick<ApiServer, "write">;
  readonly elector: Pick<LeaderElector, "mayWrite" | "writeTimeout">;
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
export function isUnanswered(kind: FailureKind): boolean {
  return UNANSWERED.has(kind);
}

/**
 * Carries a plan out. A failure `conflict` or `exists` says that the plan is based on a state that is over: it has to be made again. After
 * `not-sent`, this process does not lead. Of others, see `isUnanswered`.
 */
export async function carryOut(writes: readonly PlannedWrite[], options: WriteOptions): Promise<WriteOutcome> {
  const { onWrite } = options;
  const latest = new Map<string, LatestMetadata>();
  const written: WrittenObject[] = [];
  for (const [index, write] of writes.entries()) {
    try {
      written.push({ index, text: await carryOutOne(write, latest, options) });
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error;
      onWrite?.(write.verb, error.kind);
      return { written, failure: { index, failure: error } };
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
  { server, elector }: WriteOptions,
): Promise<string> {
  if (!elector.mayWrite()) throw new NetFailure("not-sent", "this process does not lead, so it does not write");
  const path = write.verb === "create" ? `${write.path}/${encodeURIComponent(write.name)}` : write.path;
  const request = {
    ...requestOf(write, latest.get(path)),
    timeout: elector.writeTimeout,
    mayStillSend: () => elector.mayWrite(),
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

/** Is it an object that is going to be deleted, and not the word that it is? */
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
