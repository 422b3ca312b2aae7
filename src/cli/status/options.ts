// Which flags does `status` have, and which of them cannot be combined?

import type { Command } from "commander";
import { FORMATS } from "../../render/output-formats.ts";
import { type LiveFlags, namesCluster, withLiveOptions } from "../live/options.ts";
import { oneOf } from "../option-values.ts";
import {
  filenameOption,
  isStdinTwice,
  type ReadingOptions,
  STDIN_TWICE,
  withReadingOptions,
} from "../shared-options.ts";

/** The flags of `status`. */
export interface StatusFlags extends ReadingOptions, LiveFlags {
  readonly filename: readonly string[];
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly watch?: boolean;
  readonly failOn?: "held-back";
}

/** Adds the flags of `status` to a command. */
export function withStatusOptions(command: Command): Command {
  return withReadingOptions(
    withLiveOptions(command.addOption(filenameOption()))
      .option("-n, --namespace <NAME>", "the namespace to show (default: that of the context; with -f: all)")
      .option("-A, --all-namespaces", "show all namespaces")
      .option("-w, --watch", "then print a row for each change, until it is stopped")
      .option("--fail-on <WHAT>", "held-back: exit 1 if an operator is held back", oneOf(["held-back"])),
    FORMATS.status,
  );
}

/** What is wrong with the command line as a whole. */
export function wrongForStatus(flags: StatusFlags): string | undefined {
  const { filename, namespace, allNamespaces, watch, failOn } = flags;
  if (isStdinTwice(filename)) return STDIN_TWICE;
  if (namespace === "") return "-n needs the name of a namespace.";
  if (namespace !== undefined && allNamespaces) return "-n and -A cannot be combined.";
  if (filename.length > 0 && namesCluster(flags))
    return "Resolutions are read from files (-f) or from a cluster, not from both.";
  if (filename.length > 0 && watch) return "--watch needs a cluster; files do not change.";
  if (watch && failOn !== undefined) return "--watch runs until it is stopped, so --fail-on has no effect with it.";
  return undefined;
}
