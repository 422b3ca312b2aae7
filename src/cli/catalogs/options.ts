// Which flags say how catalogs are read that are not files?

import { type Command, InvalidArgumentError } from "commander";
import { hidden, repeatable } from "../option-values.ts";

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
    .addOption(repeatable("--insecure-registry <HOST[:PORT]>", insecure, readHost).hideHelp())
    .addOption(hidden("--pull-secrets", "also use the pull secrets that the cluster's catalogs name"));
}

const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::[0-9]{1,5})?$/i;

function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`https://${text}`);
}

/** Reads a host with or without a port: anything else would never be the host of a registry. */
function readHost(text: string): string {
  if (isHost(text)) return text;
  const meant = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/\/.*$/s, "");
  throw new InvalidArgumentError(
    `It must be a host without a scheme and a path: write ${isHost(meant) ? meant : "HOST[:PORT]"}.`,
  );
}
