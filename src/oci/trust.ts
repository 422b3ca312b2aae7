// Whose certificate does a registry need? That of an authority of the system, or of the directory that container engines have for
// its host.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { systemAuthorities, trusting } from "../net/authorities.ts";
import { fileText } from "../net/file-text.ts";
import { hostOf, isLoopback, portOf } from "../net/proxy.ts";
import type { TlsOptions } from "../net/transport.ts";
import type { ProxyServer } from "../net/tunnel.ts";
import { type ConfigPlace, systemPath, userContainers } from "./config-paths.ts";

const MAX_AUTHORITIES = 100;

/** May the host be asked without a certificate that is trusted, and by http? `insecure` are hosts with their ports, or without for all ports. */
export function isInsecure(url: URL, insecure: readonly string[]): boolean {
  const names = [url.host, url.hostname, `${url.hostname}:${portOf(url)}`];
  return isLoopback(hostOf(url)) || insecure.some((host) => names.includes(host.toLowerCase()));
}

/** How TLS is spoken with the host of an address; `names` are other names of the host. */
export function tlsFor(
  url: URL,
  insecure: readonly string[],
  place: ConfigPlace,
  names: readonly string[] = [],
): TlsOptions {
  const isUnverified = isInsecure(url, insecure);
  const ca = isUnverified
    ? []
    : [
        ...systemAuthorities(place.environment),
        ...[url.host, ...names].flatMap((host) => hostAuthorities(host, place)),
      ];
  return { secureContext: trusting(ca), rejectUnauthorized: !isUnverified, serverName: undefined };
}

/** A proxy, and how TLS is spoken with it, if it is. */
export function proxyServer(proxy: URL, environment: NodeJS.ProcessEnv): ProxyServer {
  const secureContext = proxy.protocol === "https:" ? trusting(systemAuthorities(environment)) : undefined;
  return { url: proxy, secureContext };
}

/** The directories in which container engines look for the authorities of a host. */
function hostAuthorities(host: string, place: ConfigPlace): readonly string[] {
  return [
    ...userContainers(place, "certs.d"),
    systemPath(place, "containers", "certs.d"),
    systemPath(place, "docker", "certs.d"),
  ].flatMap((directory) =>
    certificatesIn(join(directory, host)).map((file) =>
      fileText(file, `the certificate authority of the registry ${host}`, "check its permissions, or remove it"),
    ),
  );
}

function certificatesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(".crt"))
      .sort()
      .slice(0, MAX_AUTHORITIES)
      .map((name) => join(directory, name));
  } catch {
    // Most registries have no directory of their own.
    return [];
  }
}
