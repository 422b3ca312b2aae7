// What do the Resolutions of a cluster say, now and from now on? Loaded only if a cluster is read.

import { SYSTEM_CLOCK } from "../../controller/clock.ts";
import type { Connection } from "../../kube/connection.ts";
import { listResolutions, unreadResolutions } from "../../live/resolutions.ts";
import { compareFindings } from "../../model/finding.ts";
import { NetFailure } from "../../net/failure.ts";
import { watchText } from "../../render/status/render-status.ts";
import { counted } from "../../text/words.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openFiles, printFindings } from "../inputs.ts";
import { connected, openServer } from "../live/connect.ts";
import { namesCluster } from "../live/options.ts";
import { note, refuse } from "../question/usage-error.ts";
import type { Terminal } from "../terminal.ts";
import { followResolutions } from "./follow.ts";
import { invalidCodes, SHOWN_AS_UNKNOWN, type StatusInputs } from "./inputs.ts";
import type { StatusFlags } from "./options.ts";

/** Lists the Resolutions; a number is the exit code if they cannot be read, which is said. */
export async function loadStatusCluster(flags: StatusFlags, terminal: Terminal): Promise<StatusInputs | ExitCode> {
  const connection = connected(flags);
  if (connection instanceof NetFailure) return notConnected(connection, flags, terminal);
  const namespace = namespaceOf(connection, flags);
  const { name, server, progress } = openServer(connection, flags, terminal);
  try {
    const { resolutions, findings, isIncomplete } = await listResolutions(server, namespace, (count) =>
      progress.count(count, "object"),
    );
    progress.end();
    terminal.endPhase(() => `read ${name}: ${counted(resolutions.length, "Resolution")}`);
    return {
      resolutions,
      findings: findings.toSorted(compareFindings),
      codes: [...invalidCodes(findings, flags), ...(isIncomplete ? [EXIT.unreachable] : [])],
      files: openFiles([], flags, terminal).files,
      none: noneText(namespace),
    };
  } catch (error) {
    if (!(error instanceof NetFailure)) throw error;
    progress.end();
    return refuse(unreadResolutions(error, namespace, "list"), terminal, EXIT.unreachable);
  } finally {
    server.close();
  }
}

/** Prints the table, and then what changes, until the process is stopped or the Resolutions cannot be read any more. */
export async function watchStatusCluster(flags: StatusFlags, terminal: Terminal): Promise<ExitCode> {
  const connection = connected(flags);
  if (connection instanceof NetFailure) return notConnected(connection, flags, terminal);
  const namespace = namespaceOf(connection, flags);
  const { server, progress } = openServer(connection, flags, terminal);
  const { files } = openFiles([], flags, terminal);
  const look = { output: flags.output, style: terminal.outStyle, width: terminal.outWidth };
  const failure = await followResolutions({
    ...{ server, namespace, clock: SYSTEM_CLOCK, random: Math.random, signal: new AbortController().signal },
    begin: (resolutions) => {
      progress.end();
      if (resolutions.length === 0) note(`${noneText(namespace)}; waiting for one`, terminal);
      const text = watchText(resolutions, look);
      terminal.out(text.first);
      return (change, resolution) => terminal.out(text.change(change, resolution));
    },
    report: (findings) => void printFindings({ findings, files }, flags, terminal, SHOWN_AS_UNKNOWN),
    say: (sentence) => {
      if (!flags.quiet) note(sentence, terminal);
    },
  });
  progress.end();
  server.close();
  return refuse(unreadResolutions(failure, namespace, "list and watch"), terminal, EXIT.unreachable);
}

function namespaceOf(connection: Connection, { namespace, allNamespaces }: StatusFlags): string | undefined {
  return allNamespaces ? undefined : (namespace ?? connection.namespace ?? "default");
}

function noneText(namespace: string | undefined): string {
  return namespace === undefined
    ? "no Resolutions found: no namespace has Subscriptions, or the resolution controller has not run yet"
    : `no Resolutions found in namespace ${namespace}: it has no Subscriptions, or the resolution controller has not run yet; -A shows all namespaces`;
}

/** There is no cluster to read. Only one that is named is missing; without one, there is no input. */
function notConnected(failure: NetFailure, flags: StatusFlags, terminal: Terminal): ExitCode {
  const { kind, message, help } = failure;
  if (kind === "not-configured" && !namesCluster(flags))
    return refuse(
      `no input, and no cluster to read: ${message}; give Resolutions: kubectl get resolutions.plimsoll.dev -A -o yaml | plimsoll status -f -`,
      terminal,
    );
  return refuse(help === undefined ? message : `${message}; ${help}`, terminal, EXIT.unreachable);
}
