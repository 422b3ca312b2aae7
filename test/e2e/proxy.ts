// What does a client do when the API server misbehaves? This proxy in front of it records every request, and injects the
// faults that a test asks for.

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { AUTHORITY, certificate } from "../certificates.ts";

/** A request that the proxy has seen. Credentials are not kept. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** It has an Authorization header. */
  readonly isAuthorized: boolean;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What happens to a request in place of the answer of the API server. */
export type Fault =
  /** An error as the API server writes it: a Status. */
  | {
      readonly is: "status";
      readonly code: number;
      readonly reason: string;
      readonly message: string;
      /** Retry-After, in seconds. */
      readonly retryAfter?: number;
    }
  /** An answer of any content, as something in between would give it. */
  | { readonly is: "answer"; readonly code: number; readonly type: string; readonly text: string }
  /** The answer of the API server ends properly after so many bytes of its body. */
  | { readonly is: "truncated"; readonly bytes: number }
  /** The connection is cut after so many bytes of the body. */
  | { readonly is: "cut"; readonly bytes: number }
  /** The answer stops after so many bytes of the body, and never ends; `onAnswer` is called when the API server begins to answer. */
  | { readonly is: "stalled"; readonly bytes: number; readonly onAnswer?: () => void }
  /** None: the answer is passed on, and the test gets the parts of its body. */
  | { readonly is: "heard"; readonly take: (part: string, request: SeenRequest) => void }
  /** There is no answer. */
  | { readonly is: "silent" }
  /** The API server is asked when the test has done something. */
  | { readonly is: "held"; readonly until: Promise<void> };

/** Which requests have a fault. */
export interface FaultRule {
  readonly when: (request: SeenRequest) => boolean;
  readonly fault: Fault;
  /** How often; always if it is not given. */
  readonly times?: number;
}

/** A running proxy. */
export interface ApiProxy {
  /** Its address. */
  readonly server: string;
  /** All requests until now, in their order. */
  readonly seen: readonly SeenRequest[];
  /** Adds a rule. The first rule that matches applies. */
  inject(rule: FaultRule): void;
  /** Resolves as soon as the proxy has seen a request that matches; for tests that interrupt a client in the middle. */
  sees(when: (request: SeenRequest) => boolean): Promise<void>;
  /** Has so many idle connections to the API server: what is sent over a new one is not under way before its handshake has ended. */
  connect(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** What a proxy needs. */
export interface ProxyOptions {
  /** The address of the API server. */
  readonly server: string;
  /** The certificate of the proxy, of the folder `test/certificates`. */
  readonly certificate?: "server" | "elsewhere" | "expired";
}

/** Starts a proxy on 127.0.0.1. */
export async function startProxy({ server: target, certificate: name = "server" }: ProxyOptions): Promise<ApiProxy> {
  const agent = new Agent({ keepAlive: true, ca: AUTHORITY });
  const seen: SeenRequest[] = [];
  const rules: { readonly rule: FaultRule; used: number }[] = [];
  const waiting: { readonly when: (request: SeenRequest) => boolean; readonly done: () => void }[] = [];
  const faultOf = (asked: SeenRequest): Fault | undefined => {
    const found = rules.find(({ rule, used }) => used < (rule.times ?? Number.POSITIVE_INFINITY) && rule.when(asked));
    if (found !== undefined) found.used++;
    return found?.rule.fault;
  };
  const keys = {
    cert: certificate(`${name}.crt`),
    key: certificate(`${name}.key`),
  };
  const server = createServer(keys, (asked, answer) => {
    const now = seenRequest(asked);
    seen.push(now);
    for (const { when, done } of waiting) if (when(now)) done();
    const fault = faultOf(now);
    if (fault?.is === "status") sendStatus(answer, fault);
    else if (fault?.is === "answer") send(answer, fault.code, fault.type, fault.text);
    else if (fault?.is === "held") void fault.until.then(() => forward(asked, answer, { agent, target }));
    else if (fault?.is === "heard") forward(asked, answer, { agent, target, onPart: (part) => fault.take(part, now) });
    else if (fault?.is !== "silent") forward(asked, answer, { agent, target, ...(fault && { fault }) });
  });
  const sockets = new Set<Duplex>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => {}); // a client that does not trust the certificate
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    inject: (rule) => void rules.push({ rule, used: 0 }),
    sees: (when) => (seen.some(when) ? Promise.resolve() : new Promise((done) => waiting.push({ when, done }))),
    async connect(count) {
      // Requests of the same moment do not share connections.
      await Promise.all(Array.from({ length: count }, () => answered(`${target}/livez`, agent)));
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Resolves when a request of the proxy itself is answered. */
function answered(url: string, agent: Agent): Promise<void> {
  return new Promise((done, failed) => {
    const sent = request(url, { agent }, (received) => void received.resume().once("end", done).once("error", failed));
    sent.once("error", failed).end();
  });
}

function seenRequest({ method = "", url = "", headers }: IncomingMessage): SeenRequest {
  const { pathname, searchParams } = new URL(url, "https://127.0.0.1");
  const { authorization, ...rest } = headers;
  return { method, path: pathname, query: searchParams, isAuthorized: authorization !== undefined, headers: rest };
}

function sendStatus(answer: ServerResponse, fault: Fault & { readonly is: "status" }): void {
  const { code, reason, message, retryAfter } = fault;
  if (retryAfter !== undefined) answer.setHeader("retry-after", retryAfter);
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
  send(answer, code, "application/json", JSON.stringify(status));
}

function send(answer: ServerResponse, code: number, type: string, text: string): void {
  answer.writeHead(code, { "content-type": type, "content-length": Buffer.byteLength(text) });
  answer.end(text);
}

/** How an answer is passed on. */
interface Forwarding {
  readonly agent: Agent;
  readonly target: string;
  /** A fault in the middle of the answer. */
  readonly fault?: Extract<Fault, { readonly bytes: number }>;
  /** Gets the body of the answer. */
  readonly onPart?: (part: string) => void;
}

/** Passes a request on to the API server, and its answer back as far as the fault permits. */
function forward(asked: IncomingMessage, answer: ServerResponse, { agent, target, fault, onPart }: Forwarding): void {
  const { host: _, connection: __, ...headers } = asked.headers;
  // A fault counts bytes of text, and a test reads text: what a client understands is then not compressed.
  if (fault !== undefined || onPart !== undefined) delete headers["accept-encoding"];
  const sent = request(`${target}${asked.url}`, { method: asked.method, headers, agent }, (received) => {
    const { connection: ___, "content-length": length, ...rest } = received.headers;
    answer.writeHead(received.statusCode ?? 502, {
      ...rest,
      ...(fault === undefined && length !== undefined && { "content-length": length }),
    });
    answer.flushHeaders(); // a watch has a head long before it has a body
    if (fault?.is === "stalled") fault.onAnswer?.();
    received.on("error", () => answer.destroy()); // the API server was cut off in the middle
    if (onPart !== undefined) received.on("data", (part: Buffer) => onPart(part.toString()));
    if (fault === undefined) received.pipe(answer);
    else passPart(received, answer, fault);
  });
  sent.on("error", () => answer.destroy());
  answer.on("close", () => sent.destroy());
  asked.pipe(sent);
}

/** Passes on the first bytes of an answer, then does what the fault says; a shorter answer ends as it is. */
function passPart(
  received: IncomingMessage,
  answer: ServerResponse,
  fault: Extract<Fault, { readonly bytes: number }>,
): void {
  let left = fault.bytes;
  received.on("data", (chunk: Buffer) => {
    if (left === 0) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (left > 0) answer.write(part);
    else if (fault.is === "truncated") answer.end(part);
    else answer.write(part, () => fault.is === "cut" && answer.socket?.destroy());
  });
  received.on("end", () => {
    if (left > 0) answer.end();
  });
}
