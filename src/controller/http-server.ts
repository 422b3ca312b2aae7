// Who answers `/livez`, `/readyz` and `/metrics`? A small HTTP server. Its clients are not trusted, so everything about a request is
// limited: its size, its method, the time in which it arrives and is answered, the time in which nothing of the answer is read, and, on
// a loopback address, its Host. The same over TLS answers the API server.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { Turns } from "./turns.ts";

export interface Request {
  readonly method: string;
  /** Without the query, as it was sent: nothing is decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of a POST; at most one byte more than the route accepts. */
  readonly body: Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

export interface Route {
  /** GET if not given. Where GET is allowed, HEAD is, too. */
  readonly methods?: readonly ("GET" | "POST")[];
  /** Bytes of a body that are accepted; 0 if not given. A longer body is cut after one byte more, and the handler refuses it. */
  readonly maxBody?: number;
  readonly handle: (request: Request) => Answer | Promise<Answer>;
}

export interface HttpServerOptions {
  /** HOST:PORT, such as `127.0.0.1:8080`, `[::1]:8080` or `:8080` for all addresses. With port 0 the system chooses one. */
  readonly address: string;
  /** By path, or the route of a path. */
  readonly routes: Readonly<Record<string, Route>> | ((path: string) => Route | undefined);
  readonly clock?: Clock;
  /** Milliseconds for a request to arrive, and for a handler to answer; 10 seconds. A client may read nothing for three times as long. */
  readonly timeLimit?: number;
  /** Milliseconds for which a connection is kept without a request; 5 seconds. */
  readonly idleLimit?: number;
  /** How many requests are read and handled at the same time; others wait. No limit if not given. */
  readonly atOnce?: number;
  /** Receives what a handler throws. The client is answered with a plain 500. */
  readonly onError?: (error: unknown) => void;
}

/** A certificate and its key, in PEM. */
export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface HttpServer {
  /** HOST:PORT, with the port that it really has. */
  readonly address: string;
  /** Stops accepting requests, waits up to a second for those in progress, then ends them. */
  close(): Promise<void>;
}

/** A server that speaks TLS 1.2 or newer. */
export interface HttpsServer extends HttpServer {
  /** The certificate of all connections from now on; before the first one there are none. */
  present(certificate: TlsCertificate): void;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 256;
const TIME_LIMIT = 10_000;
const IDLE_LIMIT = 5000;
const CLOSE_LIMIT = 900;

/** Rejects if it cannot listen, or if the address is none. */
export function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  return started(createServer(limitsOf(options)), options);
}

/** The same, over TLS. */
export async function startHttpsServer(options: HttpServerOptions): Promise<HttpsServer> {
  const handshakeTimeout = options.timeLimit ?? TIME_LIMIT;
  const server = createTlsServer({ ...limitsOf(options), ...TLS, handshakeTimeout });
  const listening = await started(server, options);
  return { ...listening, present: (certificate) => server.setSecureContext({ ...TLS, ...certificate }) };
}

const TLS = { minVersion: "TLSv1.2" } as const;

function limitsOf({ timeLimit = TIME_LIMIT, idleLimit = IDLE_LIMIT }: HttpServerOptions) {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeLimit,
    requestTimeout: timeLimit,
    keepAliveTimeout: idleLimit,
    connectionsCheckingInterval: Math.min(1000, timeLimit),
  };
}

async function started(server: Server | TlsServer, options: HttpServerOptions): Promise<HttpServer> {
  const { address, clock = SYSTEM_CLOCK, timeLimit = TIME_LIMIT, onError = () => undefined } = options;
  const parts = addressParts(address);
  if (parts === undefined) throw new RangeError(`${JSON.stringify(address)} is not HOST:PORT`);
  const { host, port } = parts;
  const turns = new Turns(options.atOnce ?? Number.POSITIVE_INFINITY);
  server.maxConnections = MAX_CONNECTIONS;
  // Also those whose TLS handshake is not complete.
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  // A client that does not read its answers holds no connection. No request needs so long without a byte, in either direction.
  server.setTimeout(timeLimit * 3);
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(host === "" ? { port } : { host, port }, done);
  });
  const { address: listening, port: realPort } = server.address() as AddressInfo;
  const isLocal = isLoopback(listening);
  server.on("error", (error) => onError(error));
  server.on("request", (request, response) => {
    answered(request, { ...options, clock, timeLimit, isLocal, turns })
      .catch((error: unknown) => {
        onError(error);
        return plainText(500, "internal error");
      })
      .then((answer) => send(request, response, answer))
      .catch((error: unknown) => {
        onError(error);
        response.destroy();
      });
  });
  return {
    address: `${host === "" ? "" : listening.includes(":") ? `[${listening}]` : listening}:${realPort}`,
    close: () => closed(server, connections, clock),
  };
}

/** An answer of text. */
export function plainText(status: number, text: string): Answer {
  return { status, contentType: "text/plain; charset=utf-8", body: `${text}\n` };
}

/** The parts of HOST:PORT, an IPv6 address without its brackets; undefined for any other text. The host may be empty. */
export function addressParts(address: string): { readonly host: string; readonly port: number } | undefined {
  const [, bracketed, plain = "", digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/]*)):(\d{1,5})$/.exec(address) ?? [];
  const port = Number(digits);
  return port <= 65_535 ? { host: bracketed ?? plain, port } : undefined;
}

/** Can only this machine reach the host? Its names and addresses, IPv6 without brackets. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}

/** Does a Host header, with or without a port, name this machine? */
function isLocalHost(host: string): boolean {
  const parts = addressParts(host) ?? addressParts(`${host}:80`);
  return parts !== undefined && isLoopback(parts.host);
}

interface Answering extends HttpServerOptions {
  readonly clock: Clock;
  readonly timeLimit: number;
  /** It listens on a loopback address. */
  readonly isLocal: boolean;
  readonly turns: Turns;
}

/** The answer, and the methods that are allowed if this one is not. */
type Answered = Answer & { readonly allow?: string };

async function answered(request: IncomingMessage, answering: Answering): Promise<Answered> {
  const { clock, timeLimit, isLocal, turns } = answering;
  const { method = "", url = "", headers } = request;
  // DNS rebinding: a web page can make a browser send requests to a loopback address under a name of its own.
  if (isLocal && !isLocalHost(headers.host ?? ""))
    return plainText(403, "this server answers requests to localhost, 127.x.x.x and [::1] only");
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const route = routeOf(answering, path);
  if (route === undefined) return plainText(404, "not found");
  const methods: readonly string[] = route.methods ?? ["GET"];
  if (!methods.includes(method === "HEAD" ? "GET" : method))
    return { ...plainText(405, "method not allowed"), allow: methods.join(", ") };
  let cancel: () => void = () => undefined;
  let isOver = false;
  const late = plainText(503, "the answer takes too long");
  const tooLate = new Promise<Answer>((done) => {
    cancel = clock.after(timeLimit, () => {
      isOver = true;
      done(late);
    });
  });
  const handled = async (): Promise<Answer> => {
    if (isOver) return late;
    const body = method === "POST" ? await readBody(request, route.maxBody ?? 0) : new Uint8Array();
    if (body === undefined) return plainText(400, "the body is incomplete");
    return route.handle({ method, path, query: new URLSearchParams(query), headers, body });
  };
  return Promise.race([turns.take(handled), tooLate]).finally(cancel);
}

function routeOf({ routes }: Answering, path: string): Route | undefined {
  if (typeof routes === "function") return routes(path);
  return Object.hasOwn(routes, path) ? routes[path] : undefined;
}

/** The beginning of a body; one byte more than is accepted shows that it is too long. Undefined if the client goes away. */
async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > limit) break;
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces).subarray(0, limit + 1);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, contentType, body, allow }: Answered,
): void {
  response.writeHead(status, {
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...(allow !== undefined && { Allow: allow }),
    // What is left of a body is not read: the connection cannot be used again.
    ...(!request.complete && { Connection: "close" }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function closed(server: Server | TlsServer, connections: ReadonlySet<Socket>, clock: Clock): Promise<void> {
  return new Promise((done) => {
    const cancel = clock.after(CLOSE_LIMIT, () => {
      for (const connection of connections) connection.destroy();
    });
    server.close(() => {
      cancel();
      done();
    });
    server.closeIdleConnections();
  });
}
