// How is the cluster reached that the flags name? Its API server, with progress and every retry on standard error.

import { ApiServer } from "../../kube/api-server.ts";
import { type Connection, openConnection } from "../../kube/connection.ts";
import { NetFailure } from "../../net/failure.ts";
import { type Progress, progressOf } from "../progress.ts";
import { note } from "../question/usage-error.ts";
import type { ReadingOptions } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import type { LiveFlags } from "./options.ts";

/** A server that is about to be read. */
export interface ReadableCluster {
  /** The cluster in sentences. */
  readonly name: string;
  readonly server: ApiServer;
  readonly progress: Progress;
}

/** The connection that the flags and the environment lead to, or why there is none. */
export function connected({ kubeconfig, context, as, asGroup = [] }: LiveFlags): Connection | NetFailure {
  const named = { ...(kubeconfig && { kubeconfig }), ...(context && { context }), ...(as && { as }) };
  try {
    return openConnection({ ...named, asGroups: asGroup }, process.env);
  } catch (failure) {
    if (failure instanceof NetFailure) return failure;
    throw failure;
  }
}

/** Says which cluster is read, and opens its server; the caller closes it. */
export function openServer(
  connection: Connection,
  flags: LiveFlags & ReadingOptions,
  terminal: Terminal,
): ReadableCluster {
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
  return { name, server, progress };
}

function clusterText({ context, server }: Connection): string {
  return context === undefined
    ? `the cluster of this pod (${server})`
    : `the cluster of context ${context} (${server})`;
}
