// Which flags name a live cluster, and is one read? Their meaning is kubectl's.

import type { Command } from "commander";
import { hidden, notEmpty, readDuration, repeatable } from "../option-values.ts";

/** The flags that name a cluster, and how it is read. */
export interface LiveFlags {
  readonly live?: boolean;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  /** In milliseconds; 0 is no limit. */
  readonly requestTimeout?: number;
}

/** Adds the flags. */
export function withLiveOptions(command: Command): Command {
  return command
    .option("--live", "read the cluster of the current context")
    .option("--context <NAME>", "read the cluster of this context", notEmpty)
    .addOption(hidden("--kubeconfig <FILE>", "kubeconfig to use", notEmpty))
    .addOption(hidden("--as <USER>", "user to impersonate", notEmpty))
    .addOption(repeatable("--as-group <GROUP>", "group to impersonate", notEmpty).hideHelp())
    .addOption(hidden("--request-timeout <TIME>", "maximum time of one request: 30s, 2m; 0 for none", readDuration))
    .addHelpText("after", ALSO);
}

const ALSO = `
Flags that read a live cluster (plimsoll help cli):
  --live  --context NAME  --kubeconfig FILE  --as USER  --as-group GROUP  --request-timeout TIME`;

/** Is a cluster named? */
export function namesCluster({ live, context, kubeconfig, as, asGroup = [], requestTimeout }: LiveFlags): boolean {
  const named = [context, kubeconfig, as, requestTimeout].some((flag) => flag !== undefined);
  return live === true || named || asGroup.length > 0;
}
