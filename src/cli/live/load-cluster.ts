// What does the cluster contain that the flags name? Connects, reads with progress, and says which cluster that was.

import type { ObjectsReader } from "../../input/objects/read-objects.ts";
import { ApiServer } from "../../kube/api-server.ts";
import { type Connection, openConnection } from "../../kube/connection.ts";
import type { ServedApi } from "../../kube/discovery.ts";
import { unreachableCluster } from "../../live/gap.ts";
import { type ClusterQuestion, readCluster, unseenCluster } from "../../live/read-cluster.ts";
import { servedProperties } from "../../live/server-facts.ts";
import type { Property } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { JsonObject } from "../../model/json.ts";
import { NetFailure } from "../../net/failure.ts";
import { counted } from "../../text/words.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { progressOf } from "../progress.ts";
import { note } from "../question/usage-error.ts";
import type { ReadingOptions } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import type { LiveFlags } from "./options.ts";

/** What was read from a cluster. */
export interface LoadedCluster {
  readonly parts: readonly ObjectsReader[];
  readonly findings: readonly Finding[];
  readonly codes: readonly ExitCode[];
  /** The namespace of the context. */
  readonly namespace: string | undefined;
  /** What the server states about itself; `objects` are all that were given. */
  readonly properties: (objects: ClusterObjects) => readonly Property[];
  readonly texts: ReadonlyMap<string, JsonObject>;
}

/** The cluster of the current context; or, if none is configured, why there is none. */
export async function loadDefaultCluster(
  question: ClusterQuestion,
  flags: LiveFlags & ReadingOptions,
  terminal: Terminal,
): Promise<LoadedCluster | { readonly missing: string }> {
  const connection = connected(flags);
  if (connection instanceof NetFailure && connection.kind === "not-configured") return { missing: connection.message };
  return loadFrom(connection, question, flags, terminal);
}

/** The cluster that the flags name. */
export async function loadCluster(
  question: ClusterQuestion,
  flags: LiveFlags & ReadingOptions,
  terminal: Terminal,
): Promise<LoadedCluster> {
  return loadFrom(connected(flags), question, flags, terminal);
}

async function loadFrom(
  connection: Connection | NetFailure,
  question: ClusterQuestion,
  flags: LiveFlags & ReadingOptions,
  terminal: Terminal,
): Promise<LoadedCluster> {
  if (connection instanceof NetFailure) {
    const unread = unreachableCluster(connection);
    return {
      parts: [unseenCluster(question, unread)],
      findings: [unread],
      codes: [EXIT.unreachable],
      namespace: undefined,
      properties: () => [],
      texts: new Map(),
    };
  }
  const name = clusterText(connection);
  if (!flags.quiet) note(`reading ${name}`, terminal);
  const progress = progressOf(flags, terminal, "reading the cluster");
  const { requestTimeout } = flags;
  const server = new ApiServer(connection, {
    ...(requestTimeout !== undefined && { requestTimeout }),
    onRetry: (what) => {
      progress.end();
      if (!flags.quiet) note(what, terminal);
    },
  });
  try {
    const namespace = question.namespace ?? connection.namespace;
    const read = await readCluster(server, { ...question, namespace }, (count) => progress.count(count, "object"));
    progress.end();
    terminal.endPhase(() => `read ${name}: ${counted(read.count, "object")}`);
    return {
      parts: read.parts,
      findings: read.findings,
      codes: read.isIncomplete ? [EXIT.unreachable] : [],
      texts: read.texts,
      namespace: connection.namespace,
      properties: (objects) => [...read.versions, ...stated(read.apis, question, objects)],
    };
  } finally {
    server.close();
  }
}

function stated(
  apis: readonly ServedApi[],
  { wantsFacts }: ClusterQuestion,
  objects: ClusterObjects,
): readonly Property[] {
  return wantsFacts ? servedProperties(apis, objects) : [];
}

function connected({ kubeconfig, context, as, asGroup = [] }: LiveFlags): Connection | NetFailure {
  const named = { ...(kubeconfig && { kubeconfig }), ...(context && { context }), ...(as && { as }) };
  try {
    return openConnection({ ...named, asGroups: asGroup }, process.env);
  } catch (failure) {
    if (failure instanceof NetFailure) return failure;
    throw failure;
  }
}

function clusterText({ context, server }: Connection): string {
  return context === undefined
    ? `the cluster of this pod (${server})`
    : `the cluster of context ${context} (${server})`;
}
