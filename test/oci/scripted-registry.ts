// What does a registry of the tests answer? The images of a table, with or without a login, and with faults that a test switches on.

import { createHash } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { Descriptor } from "../../src/oci/image-source.ts";
import type { Credentials } from "../../src/oci/login.ts";
import { type ImageReference, readImageReference } from "../../src/oci/reference.ts";
import { type RegistryImage, registryImage } from "../../src/oci/registry.ts";
import type { RegistryOptions } from "../../src/oci/registry-client.ts";
import { atEnd } from "../at-end.ts";
import { certificate } from "../certificates.ts";
import { type Answer, listening } from "../kube/scripted-server.ts";

export const OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
export const OCI_INDEX = "application/vnd.oci.image.index.v1+json";

export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** What a registry has, by digest, and manifests also by tag. */
export interface Content {
  readonly manifests: Readonly<Record<string, { readonly mediaType: string; readonly bytes: Buffer }>>;
  readonly blobs: Readonly<Record<string, Buffer>>;
}

export interface TestImage extends Content {
  /** Of the manifest. */
  readonly digest: string;
  readonly layers: readonly Descriptor[];
}

/** An image with these layers, which are compressed, under a tag. */
export function testImage(
  layers: readonly Buffer[],
  tag = "v1",
  labels: Readonly<Record<string, string>> = {},
): TestImage {
  return packedImage(
    layers.map((layer) => gzipSync(layer, { level: 1 })),
    tag,
    labels,
  );
}

/** The same with layers as they are stored. */
export function packedImage(
  packed: readonly Buffer[],
  tag: string,
  labels: Readonly<Record<string, string>>,
): TestImage {
  const config = Buffer.from(JSON.stringify({ architecture: "amd64", os: "linux", config: { Labels: labels } }));
  const descriptor = (mediaType: string, bytes: Buffer): Descriptor => ({
    mediaType,
    digest: sha256(bytes),
    size: bytes.length,
  });
  const descriptors = packed.map((bytes) => descriptor("application/vnd.oci.image.layer.v1.tar+gzip", bytes));
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      config: descriptor("application/vnd.oci.image.config.v1+json", config),
      layers: descriptors,
    }),
  );
  const manifest = { mediaType: OCI_MANIFEST, bytes };
  return {
    digest: sha256(bytes),
    layers: descriptors,
    manifests: { [tag]: manifest, [sha256(bytes)]: manifest },
    blobs: Object.fromEntries([config, ...packed].map((blob) => [sha256(blob), blob])),
  };
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly host: string;
  /** What was posted. */
  body: string;
}

export interface ScriptedRegistry {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  readonly port: number;
  /** In order. */
  readonly asked: Asked[];
  /** How many connections were made. */
  connections: number;
  /** Answers instead of the registry, for paths that contain the key. One that returns false leaves it to the registry. */
  readonly faults: Map<string, (...request: Parameters<Answer>) => unknown>;
}

export interface RegistryScript {
  /** http instead of https. */
  readonly plain?: boolean;
  /** The certificate; `server` is that of loopback. */
  readonly name?: string;
  /** What it asks for without a valid Authorization. */
  readonly challenge?: (registry: ScriptedRegistry) => string;
  /** The values of Authorization that it accepts, if it asks. */
  readonly accepts?: readonly string[];
}

/** A registry with this content, whatever the name of the repository is. */
export async function scriptedRegistry(content: Content, script: RegistryScript = {}): Promise<ScriptedRegistry> {
  const { plain = false, name = "server", challenge, accepts = [] } = script;
  const sockets = new Set<Socket>();
  const answer: Answer = (request, response) => {
    const path = request.url ?? "";
    const { authorization, host = "" } = request.headers;
    const asked: Asked = { method: request.method ?? "", path, authorization, host, body: "" };
    registry.asked.push(asked);
    request.on("data", (data) => {
      asked.body += data;
    });
    for (const [part, fault] of registry.faults) if (path.includes(part) && fault(request, response) !== false) return;
    if (challenge !== undefined && !accepts.includes(authorization ?? "")) {
      errors(response, 401, "UNAUTHORIZED", "access to the requested resource is not authorized", {
        "www-authenticate": challenge(registry),
      });
      return;
    }
    serve(content, request, response);
  };
  const tls = { cert: certificate(`${name}.crt`), key: certificate(`${name}.key`) };
  const server: Server = plain ? createHttpServer(answer) : createHttpsServer(tls, answer);
  server.on("connection", (socket: Socket) => {
    registry.connections++;
    sockets.add(socket);
  });
  server.on("tlsClientError", () => undefined);
  const port = await listening(server);
  const registry: ScriptedRegistry = { host: `127.0.0.1:${port}`, port, asked: [], connections: 0, faults: new Map() };
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return registry;
}

function serve({ manifests, blobs }: Content, { url = "" }: IncomingMessage, response: ServerResponse): void {
  const [, kind, name = ""] = /^\/v2\/.+\/(manifests|blobs)\/([^/?]+)$/.exec(url) ?? [];
  const manifest = kind === "manifests" && Object.hasOwn(manifests, name) ? manifests[name] : undefined;
  const bytes = kind === "blobs" && Object.hasOwn(blobs, name) ? blobs[name] : manifest?.bytes;
  if (bytes === undefined) {
    errors(response, 404, kind === "blobs" ? "BLOB_UNKNOWN" : "MANIFEST_UNKNOWN", "unknown to registry");
    return;
  }
  response.writeHead(200, {
    "content-type": manifest?.mediaType ?? "application/octet-stream",
    "content-length": bytes.length,
    "docker-content-digest": sha256(bytes),
  });
  response.end(bytes);
}

/** A refusal as registries write it. */
export function errors(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ errors: [{ code, message }] }));
}

/** A proxy on loopback that leads hosts with their ports to ports of this machine. */
export async function proxyTo(
  routes: Readonly<Record<string, number>>,
): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createHttpServer((_, response) => response.writeHead(400).end());
  server.on("connect", ({ url = "" }: IncomingMessage, socket: Socket) => {
    asked.push(url);
    const port = Object.hasOwn(routes, url) ? routes[url] : undefined;
    if (port === undefined) return socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const behind = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(behind).pipe(socket);
    });
    for (const one of [socket, behind]) {
      sockets.add(one);
      one.on("error", () => undefined);
    }
    return undefined;
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  const port = await listening(server);
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://127.0.0.1:${port}`, asked };
}

export function reference(text: string): ImageReference {
  const read = readImageReference(text);
  if ("fault" in read) throw new Error(read.fault);
  return read;
}

/** An image of a registry, opened without files of this machine and without waiting between attempts. */
export function opened(
  text: string,
  options: Partial<RegistryOptions> = {},
): RegistryImage & { readonly waits: number[] } {
  const waits: number[] = [];
  const image = registryImage(reference(text), { ...testOptions(waits), ...options });
  atEnd(() => image.close());
  return { ...image, waits };
}

export const NO_CREDENTIALS: Credentials = { login: async () => undefined };

export function testOptions(waits: number[] = []): RegistryOptions {
  return {
    environment: {},
    home: "/nonexistent",
    system: "/nonexistent",
    insecure: [],
    credentials: NO_CREDENTIALS,
    wait: async (milliseconds) => void waits.push(milliseconds),
  };
}

export const NEVER: AbortSignal = new AbortController().signal;

/** All bytes. */
export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk.slice());
  return Buffer.concat(pieces);
}
