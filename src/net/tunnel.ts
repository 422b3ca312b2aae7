// How is a connection made through a proxy? HTTP CONNECT for http and https proxies, the protocol of RFC 1928 for socks5.
// The proxy resolves the name of the server, as with kubectl.

import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { quoted } from "../text/words.ts";
import { connectedSocket } from "./connected-socket.ts";
import { NetFailure } from "./failure.ts";
import { withoutSecrets } from "./hide-secrets.ts";
import { certificateReason, connectionReason } from "./network-failure.ts";
import { hostOf, loginIn, portOf, shownProxy } from "./proxy.ts";

const MAX_HEAD = 16 * 1024;
const CHECK_PROXY = "check proxy-url of the cluster, or HTTPS_PROXY and NO_PROXY";

/** A proxy, and the authorities that may have signed the certificate of one that is reached by https. */
export interface ProxyServer {
  readonly url: URL;
  /** Undefined for other schemes than https. */
  readonly secureContext: SecureContext | undefined;
}

/** A connection to the host and port behind the proxy. */
export async function tunnelThrough(
  through: ProxyServer,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await connected(through, signal);
  const { url: proxy } = through;
  const abort = (): void => void socket.destroy(new Error("aborted"));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const reader = new SocketReader(socket);
    const handshake = proxy.protocol.startsWith("socks") ? socksHandshake : httpConnect;
    await handshake(proxy, { host, port }, socket, reader);
    reader.release();
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function connected({ url, secureContext }: ProxyServer, signal: AbortSignal): Promise<Socket> {
  const host = hostOf(url);
  const port = portOf(url);
  const name = isIP(host) === 0 ? { servername: host } : {};
  try {
    if (secureContext === undefined) return await connectedSocket(connectTcp({ host, port }), "connect", signal);
    // Explicit, as NODE_TLS_REJECT_UNAUTHORIZED could turn the check off.
    const socket = connectTls({ host, port, secureContext, rejectUnauthorized: true, ...name });
    return await connectedSocket(socket, "secureConnect", signal);
  } catch (error) {
    throw unreachable(url, error as NodeJS.ErrnoException);
  }
}

function unreachable(proxy: URL, error: NodeJS.ErrnoException): NetFailure {
  const certificate = certificateReason(error);
  if (certificate !== undefined)
    return new NetFailure(
      "certificate",
      `the certificate of the proxy ${shownProxy(proxy)} is not accepted: ${certificate.reason}`,
      { help: "check the address of the proxy, or name a file with its authority in NODE_EXTRA_CA_CERTS" },
    );
  const { code = "no connection" } = error;
  return new NetFailure(
    "unreachable",
    `the proxy ${shownProxy(proxy)} does not answer: ${connectionReason(code) ?? code}`,
    { help: CHECK_PROXY },
  );
}

/** Reads exact numbers of bytes from a socket, and leaves the rest to its next reader. */
class SocketReader {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #error: Error | undefined;
  #wake: (() => void) | undefined;
  readonly #onData = (chunk: Buffer): void => {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    if (this.#bytes.length > MAX_HEAD) this.#socket.pause();
    this.#wake?.();
  };
  readonly #onEnd = (error?: Error): void => {
    this.#error = error ?? new Error("closed");
    this.#wake?.();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", this.#onData);
    socket.on("error", this.#onEnd);
    socket.on("end", this.#onEnd);
    socket.on("close", this.#onEnd);
  }

  /** The bytes up to the length that `needed` finds in those that have arrived; undefined if the proxy closed. */
  async read(needed: (bytes: Buffer) => number | undefined): Promise<Buffer | undefined> {
    for (;;) {
      const length = needed(this.#bytes);
      if (length !== undefined && length <= this.#bytes.length) {
        const taken = this.#bytes.subarray(0, length);
        this.#bytes = this.#bytes.subarray(length);
        return taken;
      }
      if (this.#error !== undefined || this.#bytes.length > MAX_HEAD) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  release(): void {
    this.#socket.off("data", this.#onData);
    this.#socket.off("error", this.#onEnd);
    this.#socket.off("end", this.#onEnd);
    this.#socket.off("close", this.#onEnd);
    this.#socket.pause();
    if (this.#bytes.length > 0) this.#socket.unshift(this.#bytes);
  }
}

function refused(proxy: URL, what: string): NetFailure {
  return new NetFailure("unreachable", `the proxy ${shownProxy(proxy)} makes no connection: ${what}`, {
    help: CHECK_PROXY,
  });
}

/** Makes the proxy connect to a host; its responses come from the reader. */
type Handshake = (
  proxy: URL,
  server: { readonly host: string; readonly port: number },
  socket: Socket,
  reader: SocketReader,
) => Promise<void>;

const httpConnect: Handshake = async (proxy, { host, port }, socket, reader) => {
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const user = loginIn(proxy);
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
  if (user !== undefined) lines.push(`Proxy-Authorization: Basic ${Buffer.from(user.join(":")).toString("base64")}`);
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const head = await reader.read((bytes) => {
    const end = bytes.indexOf("\r\n\r\n");
    return end === -1 ? undefined : end + 4;
  });
  if (head === undefined) throw refused(proxy, "it closed the connection");
  const [first = ""] = head.toString("latin1").split("\r\n");
  if (!/^HTTP\/1\.[01] 2\d\d\b/.test(first))
    throw refused(proxy, `it answers ${quoted(withoutSecrets(first, user === undefined ? [] : [user[1]]))}`);
};

const SOCKS_ERRORS = [
  "",
  "general failure",
  "not allowed",
  "the network is unreachable",
  "the host is unreachable",
  "connection refused",
  "time to live expired",
];

const socksHandshake: Handshake = async (proxy, { host, port }, socket, reader) => {
  const read = async (needed: (bytes: Buffer) => number | undefined): Promise<Buffer> => {
    const bytes = await reader.read(needed);
    if (bytes === undefined || bytes.length < 2) throw refused(proxy, "it closed the connection");
    return bytes;
  };
  const user = loginIn(proxy);
  socket.write(Buffer.from(user === undefined ? [5, 1, 0] : [5, 2, 0, 2]));
  const method = await read(() => 2);
  if (method[0] !== 5) throw refused(proxy, "it does not speak socks5");
  if (method[1] === 2 && user !== undefined) {
    const [name, password] = user.map((text) => Buffer.from(text).subarray(0, 255)) as [Buffer, Buffer];
    socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([password.length]), password]));
    if ((await read(() => 2))[1] !== 0) throw refused(proxy, "it does not accept the user name and password");
  } else if (method[1] !== 0) throw refused(proxy, "it wants another way to log in");
  const name = Buffer.from(host).subarray(0, 255);
  const address =
    isIP(host) === 4
      ? Buffer.from([1, ...host.split(".").map(Number)])
      : Buffer.concat([Buffer.from([3, name.length]), name]);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), address, Buffer.from([port >> 8, port & 255])]));
  const reply = await read((bytes) => socksReplyLength(bytes));
  if (reply[1] !== 0) throw refused(proxy, SOCKS_ERRORS[reply[1] as number] ?? `error ${reply[1]}`);
};

/** The length of a reply, as soon as its address says so. */
function socksReplyLength(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined;
  const type = bytes[3];
  if (type === 1) return 10;
  return type === 4 ? 22 : 7 + (bytes[4] as number);
}
