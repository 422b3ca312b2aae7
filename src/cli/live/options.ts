// Which flags name a live cluster, and is one read? Their meaning is kubectl's.

import { type Command, InvalidArgumentError } from "commander";
import { hidden, notEmpty, repeatable } from "../option-values.ts";

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

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MAX_DURATION = 24 * 3_600_000;

/** A time as kubectl reads it: `1m30s`, or a number of seconds. */
function readDuration(text: string): number {
  const parts = [...text.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join("") === text;
  const milliseconds = /^[0-9]{1,9}$/.test(text)
    ? Number(text) * 1000
    : isWhole
      ? parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0), 0)
      : Number.NaN;
  if (!(milliseconds <= MAX_DURATION))
    throw new InvalidArgumentError("It must be a time up to 24h, such as 30s or 1m30s; 0 for no limit.");
  return milliseconds;
}
