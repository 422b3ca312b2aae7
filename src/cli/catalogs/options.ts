// Which flags say how catalogs are read that are not files? And how are the names of hosts and objects read, wherever a flag has one?

import { isIP } from "node:net";
import { type Command, InvalidArgumentError } from "commander";
import { isName } from "../../input/objects/identity.ts";
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

/** A host, and what is behind the colon if there is one. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::([^:@/]*))?$/i;
const NETWORK = /^\[?([0-9a-f.:]+)\]?\/[0-9]{1,3}$/i;
const FORM = "HOST[:PORT]";

/** Reads a host with or without a port: anything else would never be the host of a registry. */
export function readHost(text: string): string {
  const fault = hostFault(text);
  if (fault === undefined) return text;
  throw new InvalidArgumentError(`It must be ${fault}.`);
}

/** What a text must be that is not a host. Nothing before or behind an @ is repeated: it may be a password. */
function hostFault(text: string): string | undefined {
  const trimmed = text.trim();
  if (isIP(NETWORK.exec(trimmed)?.[1] ?? "") !== 0) return `one host, and not a network: write ${FORM}`;
  const meant = trimmed.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/\/.*$/s, "");
  const [, host, port] = text.includes("@") ? [] : (HOST.exec(meant) ?? []);
  const isHost = host !== undefined && URL.canParse(`https://${host}`);
  if (isHost && port !== undefined && !isPort(port)) return `a host with a port from 1 to 65535: write ${FORM}`;
  if (isHost && meant === text) return undefined;
  return `a host without a scheme, a user name and a path: write ${isHost ? meant : FORM}`;
}

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** Reads the name of a ConfigMap with its namespace. */
export function readConfigMapName(text: string): { readonly namespace: string; readonly name: string } {
  const [namespace = "", name = "", ...more] = text.split("/");
  if (!isName(namespace, "DNS label") || !isName(name, "DNS subdomain") || more.length > 0)
    throw new InvalidArgumentError("Write NAMESPACE/NAME, for example olm/olm-runtime-constraints.");
  return { namespace, name };
}
