// How does one request get its response? Over node:http and node:https with kept-alive connections, decompressed, in pieces of
// at most 64 KiB, and within limits of time. Reads are GETs, and a POST that asks a token server for a token. Writes can be withdrawn
// until the moment in which they are sent; their connection is reset if they are given up.
//
// For API servers: client-node makes a new agent, and so a new TLS connection, for each request, and holds a whole response in memory.

import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { checkServerIdentity, connect as connectTls, type SecureContext } from "node:tls";
import { createGunzip } from "node:zlib";
import { quoted, timeText } from "../text/words.ts";
import { Agents } from "./agents.ts";
import { withEither } from "./either-signal.ts";
import { cancelled, NetFailure } from "./failure.ts";
import { withoutSecrets } from "./hide-secrets.ts";
import { hostOf, portOf } from "./proxy.ts";
import { TOO_SLOW, TransferRate } from "./transfer-rate.ts";
import { type ProxyServer, tunnelThrough } from "./tunnel.ts";
import { userAgent } from "./user-agent.ts";
import { completeConnections, resetConnection } from "./write-connections.ts";

/** Bytes that are processed before other work gets its turn. */
export const PIECE: number = 64 * 1024;

/** What is read of a response that is not wanted, such as a redirect, so that its connection can be used again. */
const MAX_REST = 64 * 1024;
/** Milliseconds for it. */
const REST_LIMIT = 1000;

/** Connections for reads at the same time, besides those of responses without an end; and by default as many for writes. */
const MAX_CONNECTIONS = 10;

export interface Request {
  readonly url: URL;
  /** The fields of a form: with them it is a POST. */
  readonly form?: URLSearchParams;
  /** What changes something on the server. Without it, and without a form, the request is a GET. */
  readonly write?: Write;
  readonly accept: string;
  /** Other headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The bytes are wanted as they are: the server must not compress them. */
  readonly isExact?: boolean;
  /** Finds the address of a host; by default that of the system. */
  readonly lookup?: LookupFunction;
  readonly authorization: Authorization;
  /** Cancels it. */
  readonly signal: AbortSignal;
  /** Milliseconds until the response is complete; undefined is no limit. */
  readonly timeout: number | undefined;
  /** Milliseconds without a byte. */
  readonly idleLimit: number;
  /** The response has no end, and may be slow: milliseconds without a byte, once it has begun. */
  readonly endlessIdleLimit?: number;
  /** The clock of the limit of slow transfers, in milliseconds. */
  readonly now?: (() => number) | undefined;
  /** The server, for messages: `the API server https://…`. */
  readonly peer: string;
  /** What to do if it takes too long. */
  readonly timeoutHelp: string;
  /** What to do if the server is not what it should be. */
  readonly peerHelp: string;
}

export interface Write {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The type of the body, and its text. */
  readonly type: string;
  readonly body: string;
  /** Asked in the turn of the event loop in which all of it is handed to a connection; false withdraws it. */
  readonly mayStillSend?: () => boolean;
}

/** What a request needs besides its path. */
export interface Authorization {
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Undefined for http. */
  readonly tls: TlsOptions | undefined;
  readonly proxy: ProxyServer | undefined;
  /** What messages must not contain. */
  readonly secrets: readonly string[];
}

export interface TlsOptions {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
  /** The name that the certificate must have; undefined is that of the address. */
  readonly serverName: string | undefined;
}

export interface Response {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** The decompressed bytes. A piece is at most 64 KiB, and other work gets its turn between two of them. */
  readonly body: AsyncGenerator<Uint8Array>;
}

export interface OpenResponse extends Response {
  end(): void;
}

export interface TransportOptions {
  /** Connections for writes at the same time; 10. A write that finds none free waits, and its time passes. */
  readonly writeConnections?: number;
}

/** The connections to one server. */
export class Transport {
  readonly #writeConnections: number;
  readonly #agents = new Agents();
  readonly #writeAgents = new Agents();
  /** Gives up each write that is under way. */
  readonly #writes = new Set<() => void>();
  readonly #closed = new AbortController();

  constructor({ writeConnections = MAX_CONNECTIONS }: TransportOptions = {}) {
    this.#writeConnections = writeConnections;
  }

  close(): void {
    this.#closed.abort();
    for (const giveUp of this.#writes) giveUp();
    // The connections of writes that are given up are reset first.
    setImmediate(() => this.#writeAgents.destroy());
    this.#agents.destroy();
  }

  /**
   * Sends the request, and passes its response to `use`. It ends with `use`: what was not read is dropped with its
   * connection.
   */
  async request<Result>(request: Request, use: (response: Response) => Promise<Result>): Promise<Result> {
    const limits = new Limits(request);
    const { response, end } = await this.#open(request, limits);
    try {
      return await limits.race(use(response));
    } finally {
      end();
    }
  }

  /**
   * Sends the request. Its response must be ended by who reads it: what was not read is dropped with its connection, unless it is
   * short.
   */
  async open(request: Request): Promise<OpenResponse> {
    const limits = new Limits(request);
    const { response, end } = await this.#open(request, limits);
    return { ...response, body: raced(response.body, limits), end };
  }

  async #open(request: Request, limits: Limits): Promise<{ readonly response: Response; readonly end: () => void }> {
    const { write, endlessIdleLimit } = request;
    const agent = this.#agent(request);
    let sent: http.ClientRequest | undefined;
    let isOver = false;
    const over = (): void => {
      limits.end();
      this.#writes.delete(drop);
      if (!isOver && endlessIdleLimit !== undefined) agent.maxSockets--;
      isOver = true;
    };
    const drop = (): void => {
      over();
      sent?.on("error", () => undefined);
      // A response that was read to its end has given its connection back already.
      if (write !== undefined && sent?.writableEnded === true && !sent.destroyed) resetConnection(sent);
      else sent?.destroy();
    };
    if (write !== undefined) this.#writes.add(drop);
    if (endlessIdleLimit !== undefined) agent.maxSockets++;
    try {
      const response = await limits.race(send({ request, agent, limits, onSent: (started) => (sent = started) }));
      limits.begun();
      const body = pieces(response, limits, request);
      const end = (): void => {
        // Not awaited: it may itself wait for the server.
        void body.return(undefined).catch(() => undefined);
        over();
        leave(response, drop);
      };
      return { response: { status: response.statusCode ?? 0, headers: response.headers, body }, end };
    } catch (error) {
      drop();
      throw error;
    }
  }

  #agent(request: Request): http.Agent {
    const agents = request.write === undefined ? this.#agents : this.#writeAgents;
    return agents.of(request.authorization.tls, () => this.#newAgent(request));
  }

  #newAgent({ write, authorization: { tls, proxy }, url, timeout, idleLimit }: Request): http.Agent {
    const maxSockets = write === undefined ? MAX_CONNECTIONS : this.#writeConnections;
    const options: https.AgentOptions = { keepAlive: true, maxSockets };
    const tlsOptions = tls === undefined ? undefined : tlsConnectOptions(tls, url);
    const agent = tlsOptions === undefined ? new http.Agent(options) : new https.Agent({ ...options, ...tlsOptions });
    const tunnel = proxy === undefined ? undefined : tunnelTo(url, proxy, tls !== undefined);
    const { signal } = this.#closed;
    if (write !== undefined)
      completeConnections(agent, {
        tls: tlsOptions,
        tunnel,
        signal,
        limit: Math.min(idleLimit, timeout ?? idleLimit),
      });
    else if (tunnel !== undefined) tunnelled(agent, { tunnel, tls: tlsOptions, signal, idleLimit });
    return agent;
  }
}

interface Sending {
  readonly request: Request;
  readonly agent: http.Agent;
  readonly limits: Limits;
  readonly onSent: (sent: http.ClientRequest) => void;
}

/** Sends a request; the response without its body. */
function send({ request, agent, limits, onSent }: Sending): Promise<http.IncomingMessage> {
  const { url, form, write, accept, authorization, headers, isExact = false, lookup, peer } = request;
  return new Promise((resolve, reject) => {
    const options: https.RequestOptions = {
      method: write?.method ?? (form === undefined ? "GET" : "POST"),
      ...(lookup && { lookup }),
      agent,
      headers: {
        ...headers,
        ...authorization.headers,
        ...(form && { "Content-Type": "application/x-www-form-urlencoded" }),
        ...(write && { "Content-Type": write.type, "Content-Length": Buffer.byteLength(write.body) }),
        Accept: accept,
        "Accept-Encoding": isExact ? "identity" : "gzip",
        "User-Agent": userAgent(),
      },
    };
    const sent = url.protocol === "https:" ? https.request(url, options) : http.request(url, options);
    onSent(sent);
    sent.on("error", reject);
    sent.on("response", resolve);
    if (write !== undefined) {
      // Its connection is complete: what is written now is handed to the system in this turn.
      sent.on("socket", () => {
        limits.progress();
        if (write.mayStillSend?.() === false) reject(withdrawn(peer));
        else sent.end(write.body);
      });
      return;
    }
    sent.on("socket", (socket) => {
      // A kept connection is never made again: listeners would pile up on it, one for each request. `reusedSocket` is not set of a
      // request that has waited for a connection to become free.
      if (sent.reusedSocket || begun.has(socket)) return;
      begun.add(socket);
      socket.once("connect", () => limits.progress());
      socket.once("secureConnect", () => limits.progress());
    });
    sent.end(form?.toString());
  });
}

/** Connections whose beginning was followed. */
const begun = new WeakSet<Duplex>();

function withdrawn(peer: string): NetFailure {
  return new NetFailure("not-sent", `nothing was sent to ${peer}: the write was withdrawn`);
}

/**
 * Node sends no address as the name of a server, and warns of one; kubectl accepts an address as tls-server-name. An
 * explicit `rejectUnauthorized` is needed: otherwise NODE_TLS_REJECT_UNAUTHORIZED could turn the check off.
 */
function tlsConnectOptions(
  { secureContext, rejectUnauthorized, serverName }: TlsOptions,
  url: URL,
): https.AgentOptions {
  const name = serverName ?? hostOf(url);
  return {
    secureContext,
    rejectUnauthorized,
    servername: isIP(name) === 0 ? name : "",
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  };
}

/** Drops a response, unless nothing was read of it and it soon comes to its end. */
function leave(response: http.IncomingMessage, drop: () => void): void {
  let rest = MAX_REST;
  if (response.readableDidRead || Number(response.headers["content-length"] ?? 0) > rest) {
    drop();
    return;
  }
  const timer = setTimeout(drop, REST_LIMIT);
  response.on("error", () => undefined);
  response.once("close", () => clearTimeout(timer));
  response.on("data", ({ length }: Buffer) => {
    rest -= length;
    if (rest < 0) drop();
  });
}

type Connected = (error: Error | null, stream: Duplex) => void;

type Tunnel = (signal: AbortSignal) => Promise<Socket>;

/** Makes connections to the server of an address through a proxy. */
function tunnelTo(url: URL, proxy: ProxyServer, isTls: boolean): Tunnel {
  return async (signal) => {
    const socket = await tunnelThrough(proxy, hostOf(url), portOf(url), signal);
    // A tunnel is paused, and Node's HTTP does not resume it: nothing arrives before the request is sent.
    return isTls ? socket : socket.resume();
  };
}

interface Tunnelling extends Pick<Request, "idleLimit"> {
  /** Not that of a request: others use the connection after it. */
  readonly signal: AbortSignal;
  readonly tunnel: Tunnel;
  readonly tls: https.AgentOptions | undefined;
}

/** Connections of the agent go through the proxy. A proxy that says nothing is left after the limit. */
function tunnelled(agent: http.Agent, { tunnel, tls, signal, idleLimit }: Tunnelling): void {
  const connect = async (): Promise<Socket> => {
    const socket = await withEither(signal, AbortSignal.timeout(idleLimit), tunnel);
    return tls === undefined ? socket : connectTls({ socket, ...tls });
  };
  agent.createConnection = (_options: unknown, done?: Connected) => {
    connect().then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined as unknown as Duplex;
  };
}

/** Ends a request that takes too long, and one that is cancelled. */
class Limits {
  readonly #failed: Promise<never>;
  #fail: (failure: NetFailure) => void = () => undefined;
  readonly #tooLong: (what: string) => void;
  readonly #now: (() => number) | undefined;
  #idle: NodeJS.Timeout;
  readonly #endlessIdleLimit: number | undefined;
  /** Of the body, once it comes. */
  #rate: TransferRate | undefined;
  #isPaused = false;
  readonly #whole: NodeJS.Timeout | undefined;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;

  constructor({ signal, timeout, idleLimit, endlessIdleLimit, now, peer, timeoutHelp, write }: Request) {
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#failed.catch(() => undefined);
    this.#now = now;
    this.#tooLong = (what) => this.#fail(new NetFailure("timeout", `${peer} ${what}`, { help: timeoutHelp }));
    this.#idle = this.#idleTimer(idleLimit);
    this.#endlessIdleLimit = endlessIdleLimit;
    if (timeout !== undefined)
      this.#whole = setTimeout(
        () => this.#tooLong(`did not complete its response within ${timeText(timeout)}`),
        timeout,
      );
    this.#signal = signal;
    this.#onAbort = () => this.#fail(cancelled(write === undefined ? "read" : "write"));
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  #idleTimer(limit: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (!this.#isPaused) this.#tooLong(`sent nothing for ${timeText(limit)}`);
    }, limit);
  }

  /** The response has begun. */
  begun(): void {
    this.progress();
    if (this.#endlessIdleLimit === undefined) return;
    clearTimeout(this.#idle);
    this.#idle = this.#idleTimer(this.#endlessIdleLimit);
  }

  /** Something has arrived. */
  progress(): void {
    this.#idle.refresh();
  }

  /** So many bytes of the body have arrived. */
  received(bytes: number): void {
    this.progress();
    if (this.#endlessIdleLimit !== undefined) return;
    this.#rate ??= new TransferRate(this.#now);
    if (!this.#rate.add(bytes)) this.#tooLong(TOO_SLOW);
  }

  /** Nothing is waited for. */
  pause(): void {
    this.#isPaused = true;
    this.#rate?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#rate?.resume();
    this.progress();
  }

  race<Result>(work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined);
    return Promise.race([this.#failed, work]);
  }

  end(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#whole);
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

async function* pieces(
  response: http.IncomingMessage,
  limits: Limits,
  { peer, peerHelp, authorization: { secrets } }: Request,
): AsyncGenerator<Uint8Array> {
  response.on("data", (chunk: Uint8Array) => limits.received(chunk.length));
  response.pause();
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (!/^(?:identity|gzip)$/i.test(encoding)) {
    const shown = quoted(withoutSecrets(encoding, secrets), 60);
    throw new NetFailure("malformed", `${peer} encodes its response as ${shown}`, { help: peerHelp });
  }
  const stream = /^gzip$/i.test(encoding) ? gunzipped(response) : response;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      yield chunk.subarray(at, at + PIECE);
      // Without a turn of the event loop, what is buffered would be read in one go.
      await nextTurn();
    }
  }
}

/** The same pieces; the limits of time end it, except while the reader works on one. */
async function* raced(body: AsyncGenerator<Uint8Array>, limits: Limits): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await limits.race(body.next());
    if (done) return;
    limits.pause();
    yield value;
    limits.resume();
  }
}

/** Decompressed in pieces, in another thread, and no faster than they are read. */
function gunzipped(response: http.IncomingMessage): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE });
  response.on("error", (error) => gunzip.destroy(error));
  gunzip.on("close", () => response.destroy());
  response.pipe(gunzip);
  return gunzip;
}
