// How is a connection to a gRPC server made? Plain, or with TLS for HTTP/2, then also through a proxy.

import { connect as connectTcp, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type TLSSocket } from "node:tls";
import { systemAuthorities, trusting } from "../net/authorities.ts";
import { connectedSocket } from "../net/connected-socket.ts";
import { NetFailure } from "../net/failure.ts";
import { type Asked, networkFailure } from "../net/network-failure.ts";
import { proxyFor } from "../net/proxy.ts";
import { tunnelThrough } from "../net/tunnel.ts";
import { quoted } from "../text/words.ts";

/** Where a registry listens. */
export interface RegistryAddress {
  /** A name or an address; that of IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

/** HOST:PORT, as a URL has it. */
export function hostAndPort({ host, port }: RegistryAddress): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** What messages say about the server. */
export function askedRegistry(address: RegistryAddress): Asked {
  return {
    peer: `the gRPC registry ${hostAndPort(address)}`,
    address: "the address of the registry",
    plain: `allow it with --insecure-registry ${hostAndPort(address)}`,
    trust: "name a file with the authority that signed it in SSL_CERT_FILE or NODE_EXTRA_CA_CERTS",
    rename: "use one of the names of its certificate as the address",
    renew: "read the catalog in another way: client certificates for gRPC registries are not supported",
  };
}

/** What to do if another server is there. */
export function checkAddress({ tls }: RegistryAddress): string {
  const other = tls ? "" : "; the port may be that of a server with TLS";
  return `check the address: a registry usually listens on port 50051${other}`;
}

export function notHttp2({ peer }: Asked, address: RegistryAddress): NetFailure {
  return new NetFailure("malformed", `${peer} does not speak HTTP/2, so it is no gRPC server`, {
    help: checkAddress(address),
  });
}

/** A connection that is ready for HTTP/2. Throws a {@link NetFailure}. */
export async function openSocket(
  address: RegistryAddress,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Socket> {
  const { host, port } = address;
  if (/[\s/?#@\\]/.test(host) || !URL.canParse(`https://${hostAndPort(address)}`))
    throw new NetFailure("config", `${quoted(hostAndPort(address))} is not the address of a gRPC registry`, {
      help: "write HOST:PORT",
    });
  const asked = askedRegistry(address);
  try {
    if (!address.tls) return await connectedSocket(connectTcp({ host, port }), "connect", signal);
    const socket = await openTls(address, environment, signal);
    if (socket.alpnProtocol === "h2") return socket;
    socket.destroy();
  } catch (error) {
    if (!/NO_APPLICATION_PROTOCOL/.test((error as NodeJS.ErrnoException).code ?? ""))
      throw networkFailure(error, asked, []);
  }
  throw notHttp2(asked, address);
}

async function openTls(
  address: RegistryAddress,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const { host, port } = address;
  const secureContext = trusting(systemAuthorities(environment));
  const proxy = proxyFor(new URL(`https://${hostAndPort(address)}`), undefined, environment);
  const through = { url: proxy as URL, secureContext: proxy?.protocol === "https:" ? secureContext : undefined };
  const tunnel = proxy === undefined ? undefined : await tunnelThrough(through, host, port, signal);
  const socket = connectTls({
    ...(tunnel === undefined ? { host, port } : { socket: tunnel }),
    secureContext,
    ALPNProtocols: ["h2"],
    // Explicit, as NODE_TLS_REJECT_UNAUTHORIZED could turn the check off.
    rejectUnauthorized: true,
    servername: isIP(host) === 0 ? host : "",
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
  });
  return connectedSocket(socket, "secureConnect", signal);
}
