// What does a gRPC registry of the tests do? It serves the packages and bundles of a script on loopback, or misbehaves.

import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { certificate } from "../certificates.ts";
import {
  bundleMessage,
  nameInRequest,
  packageMessage,
  packageName,
  type TestBundle,
  type TestPackage,
} from "./registry-messages.ts";

export interface Content {
  readonly packages: readonly TestPackage[];
  readonly bundles: readonly TestBundle[];
}

/** Answers a call, whose whole request was read. `hangUp` closes all connections without a word. */
export type Answer = (stream: ServerHttp2Stream, request: Buffer, hangUp: () => void) => void;

type Method = "ListPackages" | "GetPackage" | "ListBundles";

export interface Script {
  /** Answers of some methods that are not those of a sound registry. */
  readonly answers?: Partial<Record<Method, Answer>>;
  /** The name of its certificate; without one it has no TLS. */
  readonly certificate?: string;
  readonly host?: string;
}

export interface ScriptedRegistry {
  readonly port: number;
  /** The methods that were called, and their headers, in order. */
  readonly calls: { readonly method: string; readonly headers: IncomingHttpHeaders }[];
  /** How many connections were made. */
  readonly connections: () => number;
  /** Ends once the clients have closed all connections. */
  readonly unused: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function scriptedRegistry(content: Content, script: Script = {}): Promise<ScriptedRegistry> {
  const { certificate: name, host = "127.0.0.1" } = script;
  const server: Http2Server =
    name === undefined
      ? createServer()
      : createSecureServer({ cert: certificate(`${name}.crt`), key: certificate(`${name}.key`) });
  const calls: ScriptedRegistry["calls"] = [];
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  let connections = 0;
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) server.emit("unused");
    });
  });
  server.on("session", (session) => {
    connections++;
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => undefined);
  });
  server.on("stream", (stream, headers) => {
    const method = (headers[":path"] ?? "").replace(/^\/api\.Registry\//, "");
    calls.push({ method, headers });
    const chunks: Buffer[] = [];
    stream.on("error", () => undefined);
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const sound = soundAnswers(content);
      const answers: Readonly<Record<string, Answer>> = { ...sound, ...script.answers };
      (answers[method] ?? refusal(12, `unknown method ${method}`))(stream, Buffer.concat(chunks), hangUp);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    connections: () => connections,
    unused: () =>
      new Promise((resolve) => {
        if (sockets.size === 0) resolve();
        else server.once("unused", resolve);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

/** What a sound registry answers. */
function soundAnswers({ packages, bundles }: Content): Readonly<Record<Method, Answer>> {
  return {
    ListPackages: (stream) => respond(stream, [...new Set(packages.map(({ name }) => packageName(name)))]),
    GetPackage: (stream, request) => {
      const asked = nameInRequest(request);
      const found = packages.find(({ name }) => name === asked);
      if (found === undefined) refuse(stream, 2, `package "${asked}" not found`);
      else respond(stream, [packageMessage(found)]);
    },
    ListBundles: (stream) => respond(stream, bundles.map(bundleMessage)),
  };
}

export interface Response {
  /** The status in the trailers; `""` is none. */
  readonly status?: string;
  readonly words?: string;
  /** Compressed messages. */
  readonly gzip?: boolean;
  /** Other headers than those of a sound response. */
  readonly headers?: Readonly<Record<string, string | number>>;
}

/** Sends messages and the trailers. */
export function respond(
  stream: ServerHttp2Stream,
  messages: readonly Buffer[],
  { status = "0", words, gzip = false, headers = {} }: Response = {},
): void {
  begin(stream, { ...(gzip && { "grpc-encoding": "gzip" }), ...headers });
  stream.on("wantTrailers", () =>
    stream.sendTrailers({
      ...(status !== "" && { "grpc-status": status }),
      ...(words !== undefined && { "grpc-message": words }),
    }),
  );
  stream.end(Buffer.concat(messages.map((message) => (gzip ? frame(gzipSync(message), 1) : frame(message)))));
}

/** Sends the headers of a response. */
export function begin(stream: ServerHttp2Stream, headers: Readonly<Record<string, string | number>> = {}): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc", ...headers }, { waitForTrailers: true });
}

/** The message with its head. */
export function frame(message: Buffer, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** A response of headers only, with a status. */
export function refusal(code: number, words: string): Answer {
  return (stream) => refuse(stream, code, words);
}

function refuse(stream: ServerHttp2Stream, code: number, words: string): void {
  const status = { "grpc-status": String(code), "grpc-message": encodeURIComponent(words) };
  stream.respond({ ":status": 200, "content-type": "application/grpc", ...status }, { endStream: true });
}

/** Sends a message again and again, many at once. */
export function endless(message: Buffer): Answer {
  const one = frame(message);
  const bytes = Buffer.alloc(one.length * Math.ceil(65_536 / one.length), one);
  return (stream) => {
    begin(stream);
    const more = (): void => {
      while (!stream.destroyed && stream.writable && stream.write(bytes));
    };
    stream.on("drain", more);
    more();
  };
}

/** Sends these bytes, and no end. */
export function hang(bytes: Buffer = Buffer.alloc(0)): Answer {
  return (stream) => {
    begin(stream);
    stream.write(bytes);
  };
}

/** Sends these bytes, and resets the response with an error code of HTTP/2. */
export function reset(code: number, bytes: Buffer = Buffer.alloc(0)): Answer {
  return (stream) => {
    begin(stream);
    stream.write(bytes, () => stream.close(code));
  };
}

/** Sends these bytes, and closes the connection without a word. */
export function dropping(bytes: Buffer = Buffer.alloc(0)): Answer {
  return (stream, _, hangUp) => {
    begin(stream);
    stream.write(bytes, hangUp);
  };
}

/** Sends these bytes, and ends the connection as a server does that stops. */
export function stopping(bytes: Buffer = Buffer.alloc(0)): Answer {
  return (stream) => {
    begin(stream);
    stream.write(bytes, () => stream.session?.destroy());
  };
}
