// What does an API server of the tests say? A server on loopback whose answers are a script, and the kubeconfig for it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiServer, type ApiServerOptions } from "../../src/kube/api-server.ts";
import { type Connection, type ConnectionChoice, openConnection } from "../../src/kube/connection.ts";
import { NetFailure } from "../../src/net/failure.ts";
import { atEnd } from "../at-end.ts";
import { AUTHORITY, base64, certificate } from "../certificates.ts";

export { base64, certificate };

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  /** The paths with their queries, and the headers, in order; the body, once it is complete. */
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
    body: string;
  }[];
  /** How many connections were made. */
  connections: number;
}

/** A server that answers the n-th request with the n-th answer, and all further ones with the last. */
export async function scripted(
  answers: readonly Answer[] | Answer,
  {
    plain = false,
    name = "server",
    clientAuthority = false,
  }: { readonly plain?: boolean; readonly name?: string; readonly clientAuthority?: boolean } = {},
): Promise<ScriptedServer> {
  const script = typeof answers === "function" ? [answers] : answers;
  const sockets = new Set<Socket>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const answer = script[Math.min(scriptedServer.requests.length, script.length - 1)] as Answer;
    const { method = "", url: path = "", headers } = request;
    const seen = { method, path, headers, body: "" };
    scriptedServer.requests.push(seen);
    if (method === "GET") answer(request, response);
    else {
      request.setEncoding("utf8").on("data", (text: string) => (seen.body += text));
      request.on("end", () => answer(request, response));
    }
  };
  const tls = {
    cert: certificate(`${name}.crt`),
    key: certificate(`${name}.key`),
    ...(clientAuthority ? { requestCert: true, rejectUnauthorized: true, ca: AUTHORITY } : {}),
  };
  const server: Server = plain ? createHttpServer(onRequest) : createHttpsServer(tls, onRequest);
  server.on(plain ? "connection" : "secureConnection", () => scriptedServer.connections++);
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("tlsClientError", () => undefined);
  const port = await listening(server);
  const scriptedServer: ScriptedServer = {
    url: `${plain ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    requests: [],
    connections: 0,
  };
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return scriptedServer;
}

export function listening(server: {
  listen(port: number, host: string, done: () => void): unknown;
  address(): unknown;
}): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(value));
  };
}

/** A watch: these texts are sent, in so many pieces, and then it is ended, or left open. */
export function watching(
  texts: readonly (string | Uint8Array)[],
  { isLeftOpen = false }: { readonly isLeftOpen?: boolean } = {},
): Answer {
  return async (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    for (const text of texts) await new Promise<void>((resolve) => response.write(text, () => setImmediate(resolve)));
    if (!isLeftOpen) response.end();
  };
}

/** A line of a watch. */
export function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

/** A failure as an API server reports it. */
export function status(code: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return json({ kind: "Status", apiVersion: "v1", status: "Failure", message, code }, code, headers);
}

export function thing(number: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: `thing-${number}` }, ...more };
}

export function things(items: readonly unknown[], next = "", resourceVersion = "7"): Record<string, unknown> {
  return { kind: "ThingList", apiVersion: "example.com/v1", metadata: { continue: next, resourceVersion }, items };
}

export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "plimsoll-kube-"));
  atEnd(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A file with the value as JSON, which is YAML. */
export function file(value: unknown, path: string = join(folder(), "config")): string {
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

/** A kubeconfig for one server. */
export function kubeconfig(
  server: string,
  { user = {}, cluster = {} }: { readonly user?: object; readonly cluster?: object } = {},
): Record<string, unknown> {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "here", user: "me", namespace: "shop" } }],
    clusters: [
      {
        name: "here",
        cluster: {
          server,
          ...(server.startsWith("http:") ? {} : { "certificate-authority-data": base64(AUTHORITY) }),
          ...cluster,
        },
      },
    ],
    users: [{ name: "me", user }],
  };
}

export function connection(
  config: unknown,
  choice: Partial<ConnectionChoice> = {},
  environment: NodeJS.ProcessEnv = {},
): Connection {
  return openConnection(
    { kubeconfig: choice.kubeconfig ?? file(config), asGroups: [], ...choice },
    { PATH: process.env.PATH, ...environment },
  );
}

/** An ApiServer that does not wait between attempts, and what it wanted to wait. */
export function api(
  config: unknown,
  options: ApiServerOptions = {},
  choice: Partial<ConnectionChoice> = {},
  environment: NodeJS.ProcessEnv = {},
): { readonly server: ApiServer; readonly waits: number[] } {
  const waits: number[] = [];
  const server = new ApiServer(connection(config, choice, environment), {
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...options,
  });
  atEnd(() => server.close());
  return { server, waits };
}

export async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<NetFailure> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (error) {
    if (error instanceof NetFailure) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
