// Which flags say how catalogs are read that are not files?

import type { Command } from "commander";
import { hidden, notEmpty, repeatable } from "../option-values.ts";

/** The flags about the sources of catalogs. */
export interface SourceFlags {
  /** Hosts, with or without a port. */
  readonly insecureRegistry?: readonly string[];
  readonly pullSecrets?: boolean;
}

/** Adds the flags. */
export function withSourceOptions(command: Command): Command {
  const insecure = "a registry that may be read without verified TLS";
  return command
    .addOption(repeatable("--insecure-registry <HOST[:PORT]>", insecure, notEmpty).hideHelp())
    .addOption(hidden("--pull-secrets", "also use the pull secrets that the cluster's catalogs name"));
}
