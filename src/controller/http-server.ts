// Who answers `/livez`, `/readyz` and `/metrics`? A small HTTP server. Anyone who reaches its port can send it anything, so that everything
// about a request is limited: its size, its time, its method, and, on a loopback address, its Host.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";

export interface Request {
  readonly method: string;
  /** Without the query, as it was sent: nothing is decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** At most {@link MAX_BODY} + 1 bytes: a handler refuses a body that is longer than MAX_BODY. Empty unless the route takes POST. */
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
  readonly handle: (request: Request) => Answer | Promise<Answer>;
}

export interface HttpServerOptions {
  /** HOST:PORT, such as `127.0.0.1:8080`, `[::1]:8080` or `:8080` for all addresses. With port 0 the system chooses one. */
  readonly address: string;
  /** By path, or the route of a path. */
  readonly routes: Readonly<Record<string, Route>> | ((path: string) => Route | undefined);
  readonly clock?: Clock;
  /** Milliseconds for a request to arrive, and for a handler to answer; 10 seconds. */
  readonly timeLimit?: number;
  /** What a handler throws. The client sees only that there was an error. */
  readonly onError?: (error: unknown) => void;
}

export interface HttpServer {
  /** HOST:PORT, with the port that it really has. */
  readonly address: string;
  /** Accepts nothing more, lets requests under way end for up to a second, then ends them. */
  close(): Promise<void>;
}

/** Bytes of a body that are accepted. */
export const MAX_BODY: number = 1024 * 1024;

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 256;
const TIME_LIMIT = 10_000;
const IDLE_LIMIT = 5000;
const CLOSE_LIMIT = 900;
const LOOPBACK = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Rejects if it cannot listen; throws a RangeError for an address that is none. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { address, clock = SYSTEM_CLOCK, timeLimit = TIME_LIMIT, onError = () => undefined } = options;
  const { host, port } = parsedAddress(address);
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeLimit,
    requestTimeout: timeLimit,
    keepAliveTimeout: IDLE_LIMIT,
    connectionsCheckingInterval: Math.min(1000, timeLimit),
  };
  const server = createServer(limits);
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(host === "" ? { port } : { host, port }, done);
  });
  const { address: listening, port: realPort } = server.address() as AddressInfo;
  const isLoopback = LOOPBACK.test(listening);
  server.on("error", (error) => onError(error));
  server.on("request", (request, response) => {
    answered(request, { ...options, clock, timeLimit, isLoopback })
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
    close: () => closed(server, clock),
  };
}

/** An answer of text. */
export function plainText(status: number, text: string): Answer {
  return { status, contentType: "text/plain; charset=utf-8", body: `${text}\n` };
}

function parsedAddress(address: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/]*)):(\d{1,5})$/.exec(address) ?? [];
  const port = Number(digits);
  if (!(port <= 65_535)) throw new RangeError(`${JSON.stringify(address)} is not HOST:PORT`);
  return { host: bracketed ?? plain ?? "", port };
}

interface Answering extends HttpServerOptions {
  readonly clock: Clock;
  readonly timeLimit: number;
  readonly isLoopback: boolean;
}

/** The answer, and the methods that are allowed if this one is not. */
type Answered = Answer & { readonly allow?: string };

async function answered(request: IncomingMessage, answering: Answering): Promise<Answered> {
  const { clock, timeLimit, isLoopback } = answering;
  const { method = "", url = "", headers } = request;
  // A page of the internet can make a browser ask a loopback address, by a name of its own that leads there (DNS rebinding).
  if (isLoopback && !LOCAL_HOST.test(headers.host ?? ""))
    return plainText(403, "this server answers requests to localhost, 127.0.0.1 and [::1] only");
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const route = routeOf(answering, path);
  if (route === undefined) return plainText(404, "not found");
  const methods: readonly string[] = route.methods ?? ["GET"];
  if (!methods.includes(method === "HEAD" ? "GET" : method))
    return { ...plainText(405, "method not allowed"), allow: methods.join(", ") };
  let cancel: () => void = () => undefined;
  const tooLate = new Promise<Answer>((done) => {
    cancel = clock.after(timeLimit, () => done(plainText(503, "the answer takes too long")));
  });
  const handled = async (): Promise<Answer> => {
    const body = method === "POST" ? await readBody(request) : new Uint8Array();
    if (body === undefined) return plainText(400, "the body is incomplete");
    return route.handle({ method, path, query: new URLSearchParams(query), headers, body });
  };
  return Promise.race([handled(), tooLate]).finally(cancel);
}

function routeOf({ routes }: Answering, path: string): Route | undefined {
  if (typeof routes === "function") return routes(path);
  return Object.hasOwn(routes, path) ? routes[path] : undefined;
}

/** The beginning of a body; one byte more than is accepted shows that it is too long. Undefined if the client goes away. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_BODY) break;
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces).subarray(0, MAX_BODY + 1);
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

function closed(server: Server, clock: Clock): Promise<void> {
  return new Promise((done) => {
    const cancel = clock.after(CLOSE_LIMIT, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      done();
    });
    server.closeIdleConnections();
  });
}
