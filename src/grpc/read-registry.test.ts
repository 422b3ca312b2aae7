// Does a registry become the catalog that it serves, and does every way in which a server can fail end with a clear failure?
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { CERTIFICATES, certificate } from "../../test/certificates.ts";
import { bundleMessage, field, packageName, type TestBundle } from "../../test/grpc/registry-messages.ts";
import {
  type Content,
  dropping,
  endless,
  frame,
  hang,
  refusal,
  reset,
  respond,
  type Script,
  scriptedRegistry,
  stopping,
} from "../../test/grpc/scripted-registry.ts";
import { NetFailure } from "../net/failure.ts";
import { type ReadRegistryOptions, type RegistryRead, readRegistry } from "./read-registry.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

const property = (type: string, value: unknown): { type: string; value: string } => ({
  type,
  value: JSON.stringify(value),
});

const WINCH: TestBundle = {
  name: "winch.v1.0.0",
  package: "winch",
  channel: "stable",
  image: "registry.example/winch:1.0.0",
  version: "1.0.0",
  properties: [property("olm.package", { packageName: "winch", version: "1.0.0" })],
};

const CONTENT: Content = {
  packages: [
    {
      name: "winch",
      defaultChannel: "stable",
      channels: [
        { name: "stable", head: "winch.v1.1.0" },
        { name: "beta", deprecation: "use stable" },
      ],
      deprecation: "use crane",
    },
    { name: "anchor", defaultChannel: "c", channels: [{ name: "c" }] },
  ],
  bundles: [
    { ...WINCH, channel: "beta" },
    WINCH,
    {
      ...WINCH,
      name: "winch.v1.1.0",
      replaces: "winch.v1.0.0",
      skips: ["winch.v1.0.1", "winch.v1.0.2"],
      skipRange: "<1.1.0",
      image: "",
      csv: '{"kind":"ClusterServiceVersion"}',
      objects: ['{"kind":"ConfigMap"}', '{"kind":"ClusterServiceVersion"}'],
      version: "1.1.0",
      properties: [
        property("olm.package", { packageName: "winch", version: "1.1.0" }),
        property("olm.gvk.required", { group: "g", version: "v1", kind: "K" }),
      ],
      dependencies: [property("olm.gvk", { group: "g", version: "v1", kind: "K" })],
      requiredApis: [{ group: "g", version: "v1", kind: "K", plural: "ks" }],
      deprecation: "too new",
    },
    {
      ...WINCH,
      name: "anchor.v1.0.0",
      package: "anchor",
      channel: "c",
      properties: [],
      providedApis: [{ group: "g", version: "v1", kind: "K" }],
    },
  ],
};

type Options = Partial<ReadRegistryOptions>;

function readAt(port: number, options: Options = {}, tls = false, host = "127.0.0.1"): Promise<RegistryRead> {
  const signal = new AbortController().signal;
  return readRegistry({ host, port, tls }, { signal, environment: {}, idleLimit: 20_000, ...options });
}

async function serving(content: Content, script: Script = {}): Promise<Awaited<ReturnType<typeof scriptedRegistry>>> {
  const registry = await scriptedRegistry(content, script);
  cleanups.push(registry.close);
  return registry;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

async function failureOf(
  work: Promise<unknown>,
): Promise<{ readonly kind: string; readonly message: string; readonly help: string | undefined }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof NetFailure)) throw new Error(`no NetFailure, but ${String(error)}`);
  return { kind: error.kind, message: error.message.replace(/127\.0\.0\.1:\d+/, "HOST:PORT"), help: error.help };
}

/** The failure if one method is answered in another way. */
async function failureWith(
  answers: Script["answers"],
  options: Options = {},
): Promise<Awaited<ReturnType<typeof failureOf>>> {
  const { port } = await serving(CONTENT, { ...(answers && { answers }) });
  return failureOf(readAt(port, options));
}

test("the documents of a file-based catalog", async () => {
  const registry = await serving(CONTENT);
  let bytes = 0;
  const counts: number[] = [];
  const onBytes = (more: number): void => {
    bytes += more;
  };
  const read = await readAt(registry.port, { onBytes, onBundles: (count) => counts.push(count) });
  const identity = (name: string, version: string) => ({ type: "olm.package", value: { packageName: name, version } });
  expect(read.documents).toEqual([
    { schema: "olm.package", name: "anchor", defaultChannel: "c" },
    { schema: "olm.channel", package: "anchor", name: "c", entries: [{ name: "anchor.v1.0.0" }] },
    {
      schema: "olm.bundle",
      package: "anchor",
      name: "anchor.v1.0.0",
      image: "registry.example/winch:1.0.0",
      properties: [{ type: "olm.gvk", value: { group: "g", version: "v1", kind: "K" } }, identity("anchor", "1.0.0")],
    },
    { schema: "olm.package", name: "winch", defaultChannel: "stable" },
    { schema: "olm.channel", package: "winch", name: "beta", entries: [{ name: "winch.v1.0.0" }] },
    {
      schema: "olm.channel",
      package: "winch",
      name: "stable",
      entries: [
        { name: "winch.v1.0.0" },
        {
          name: "winch.v1.1.0",
          replaces: "winch.v1.0.0",
          skips: ["winch.v1.0.1", "winch.v1.0.2"],
          skipRange: "<1.1.0",
        },
      ],
    },
    {
      schema: "olm.bundle",
      package: "winch",
      name: "winch.v1.0.0",
      image: "registry.example/winch:1.0.0",
      properties: [identity("winch", "1.0.0")],
    },
    {
      schema: "olm.bundle",
      package: "winch",
      name: "winch.v1.1.0",
      properties: [
        identity("winch", "1.1.0"),
        { type: "olm.gvk.required", value: { group: "g", version: "v1", kind: "K" } },
        { type: "olm.bundle.object", value: { data: Buffer.from('{"kind":"ConfigMap"}').toString("base64") } },
        {
          type: "olm.bundle.object",
          value: { data: Buffer.from('{"kind":"ClusterServiceVersion"}').toString("base64") },
        },
      ],
    },
    {
      schema: "olm.deprecations",
      package: "winch",
      entries: [
        { reference: { schema: "olm.bundle", name: "winch.v1.1.0" }, message: "too new" },
        { reference: { schema: "olm.channel", name: "beta" }, message: "use stable" },
        { reference: { schema: "olm.package" }, message: "use crane" },
      ],
    },
  ]);
  expect(read).toMatchObject({ bundles: 3, without: { objects: 2, metadata: 2 } });
  expect(counts).toEqual([1, 1, 2, 3]);
  expect(bytes).toBeGreaterThan(500);
  expect(registry.connections()).toBe(1);
  expect(registry.calls.map(({ method }) => method).sort()).toEqual([
    "GetPackage",
    "GetPackage",
    "ListBundles",
    "ListPackages",
  ]);
  expect(registry.calls[0]?.headers).toMatchObject({ te: "trailers", "content-type": "application/grpc" });
});

test("the order of the rows changes neither the documents nor the digest; their content does", async () => {
  const read = await readAt((await serving(CONTENT)).port);
  const { packages, bundles } = CONTENT;
  const turned = await readAt((await serving({ packages: packages.toReversed(), bundles: bundles.toReversed() })).port);
  expect(turned).toEqual(read);
  expect(read.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  const other = { packages, bundles: [...bundles.slice(1), { ...WINCH, channel: "beta", replaces: "x" }] };
  expect((await readAt((await serving(other)).port)).digest).not.toBe(read.digest);
});

test("gzip, and chunks that end anywhere", async () => {
  const { documents } = await readAt((await serving(CONTENT)).port);
  const gzip = await serving(CONTENT, {
    answers: { ListBundles: (stream) => respond(stream, CONTENT.bundles.map(bundleMessage), { gzip: true }) },
  });
  expect((await readAt(gzip.port)).documents).toEqual(documents);
  const split = await serving(CONTENT, {
    answers: {
      ListBundles: async (stream) => {
        stream.respond({ ":status": 200, "content-type": "application/grpc+proto" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        const bytes = Buffer.concat(CONTENT.bundles.map((row) => frame(bundleMessage(row))));
        for (let at = 0; at < bytes.length; at += 7)
          await new Promise<void>((resolve) => stream.write(bytes.subarray(at, at + 7), () => resolve()));
        stream.end();
      },
    },
  });
  expect((await readAt(split.port)).documents).toEqual(documents);
});

test("a package that is listed and not known is left to the reader of catalogs, also NOT_FOUND", async () => {
  for (const code of [2, 5]) {
    const registry = await serving(CONTENT, { answers: { GetPackage: refusal(code, 'package "winch" not found') } });
    const { documents } = await readAt(registry.port);
    expect(documents.filter(({ schema }) => schema === "olm.package")).toEqual([]);
    expect(documents.filter(({ schema }) => schema === "olm.bundle")).toHaveLength(3);
  }
});

test("the answer is another package than the one that was asked for", async () => {
  const answer: Script["answers"] = { GetPackage: (stream) => respond(stream, [packageName("x")]) };
  expect((await failureWith(answer)).message).toMatch(
    /^the gRPC registry HOST:PORT answers GetPackage for "(winch|anchor)" with "x"$/,
  );
});

test("an empty registry", async () => {
  const { port } = await serving({ packages: [], bundles: [] });
  expect(await readAt(port)).toMatchObject({ documents: [], bundles: 0, without: { objects: 0, metadata: 0 } });
});

test("TLS, with the authority of the environment; the name of the certificate is checked", async () => {
  const environment = { SSL_CERT_FILE: join(CERTIFICATES, "authority.crt") };
  const { port } = await serving(CONTENT, { certificate: "server" });
  expect((await readAt(port, { environment }, true)).bundles).toBe(3);
  expect(await failureOf(readAt(port, {}, true))).toMatchObject({
    kind: "certificate",
    message: "the certificate of the gRPC registry HOST:PORT is not accepted: it is signed by an unknown authority",
  });
  const { port: elsewhere } = await serving(CONTENT, { certificate: "elsewhere" });
  expect((await failureOf(readAt(elsewhere, { environment }, true))).message).toBe(
    'the certificate of the gRPC registry HOST:PORT is not accepted: it is for "elsewhere.example", not for "127.0.0.1"',
  );
});

test("through a proxy with TLS; a plain registry is reached without it", async () => {
  const registry = await serving(CONTENT, { certificate: "elsewhere" });
  const seen: string[] = [];
  const proxy = createHttpServer();
  proxy.on("connect", (request, socket) => {
    seen.push(request.url ?? "");
    const target = connect(registry.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    for (const one of [socket, target]) one.on("error", () => undefined);
  });
  const proxyPort = await listening(proxy);
  const environment = {
    HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
    HTTP_PROXY: `http://127.0.0.1:${proxyPort}`,
    SSL_CERT_FILE: join(CERTIFICATES, "authority.crt"),
  };
  expect((await readAt(50051, { environment }, true, "elsewhere.example")).bundles).toBe(3);
  expect(seen).toEqual(["elsewhere.example:50051"]);
  const plain = await serving(CONTENT);
  await readAt(plain.port, { environment });
  expect(seen).toHaveLength(1);
});

test("nothing listens", async () => {
  const server = createServer();
  const port = await listening(server);
  await cleanups.pop()?.();
  for (const tls of [false, true])
    expect(await failureOf(readAt(port, {}, tls))).toEqual({
      kind: "unreachable",
      message: "the gRPC registry HOST:PORT does not answer: connection refused",
      help: "check the address of the registry, and the network",
    });
});

test("a server of HTTP/1, with and without TLS, and one with TLS that is asked without", async () => {
  const not = "the gRPC registry HOST:PORT does not speak HTTP/2, so it is no gRPC server";
  const plain = await listening(createHttpServer((_, response) => response.end("hello")));
  expect(await failureOf(readAt(plain))).toMatchObject({ kind: "malformed", message: not });
  const keys = { cert: certificate("server.crt"), key: certificate("server.key") };
  const secure = await listening(createHttpsServer(keys, (_, response) => response.end("hello")));
  const environment = { SSL_CERT_FILE: join(CERTIFICATES, "authority.crt") };
  expect(await failureOf(readAt(secure, { environment }, true))).toMatchObject({ kind: "malformed", message: not });
  expect(await failureOf(readAt(secure))).toMatchObject({
    kind: "unreachable",
    message: "the gRPC registry HOST:PORT closed the connection without an answer",
    help: "check the address: a registry usually listens on port 50051; the port may be that of a server with TLS",
  });
  expect(await failureOf(readAt(plain, {}, true))).toMatchObject({
    kind: "unreachable",
    message: "the gRPC registry HOST:PORT does not speak TLS",
  });
  const noise = await listening(
    createServer((socket) =>
      socket
        .resume()
        .on("error", () => undefined)
        .end("220 ready\r\n"),
    ),
  );
  expect(await failureOf(readAt(noise))).toMatchObject({ kind: "malformed", message: not });
});

test("a server that closes each connection at once, or resets it", async () => {
  const port = await listening(createServer((socket) => socket.destroy()));
  expect((await failureOf(readAt(port))).message).toMatch(
    /^the gRPC registry HOST:PORT (does not answer: the connection was closed|closed the connection without an answer)$/,
  );
  const resets = await listening(createServer((socket) => socket.once("data", () => socket.resetAndDestroy())));
  expect((await failureOf(readAt(resets))).message).toBe(
    "the gRPC registry HOST:PORT does not answer: the connection was closed",
  );
});

test("HTTP/2, but not gRPC", async () => {
  const page: Script["answers"] = {
    ListPackages: (stream) => respond(stream, [], { headers: { "content-type": "text/html" } }),
  };
  expect(await failureWith(page)).toMatchObject({
    kind: "malformed",
    message: 'the gRPC registry HOST:PORT is no gRPC server: it answers ListPackages with "text/html"',
  });
  const missing: Script["answers"] = {
    ListPackages: (stream) => stream.respond({ ":status": 404 }, { endStream: true }),
  };
  expect((await failureWith(missing)).message).toBe(
    "the gRPC registry HOST:PORT is no gRPC server: it answers ListPackages with status 404",
  );
});

test("statuses", async () => {
  expect(await failureWith({ ListPackages: refusal(12, "unknown service api.Registry") })).toEqual({
    kind: "not-found",
    message: "the gRPC registry HOST:PORT is not an operator registry: it does not know api.Registry/ListPackages",
    help: "check the address: this is a gRPC server, but not one of `opm serve`",
  });
  expect(await failureWith({ ListBundles: refusal(14, "über-full\nBearer abcdefghijklmnop") })).toMatchObject({
    kind: "server",
    message: "the gRPC registry HOST:PORT fails to answer ListBundles: UNAVAILABLE, über-full Bearer [hidden]",
  });
  const after: Script["answers"] = {
    ListBundles: (stream) => respond(stream, [bundleMessage(WINCH)], { status: "13", words: "disk%20full%zz" }),
  };
  expect((await failureWith(after)).message).toBe(
    "the gRPC registry HOST:PORT fails to answer ListBundles: INTERNAL, disk%20full%zz",
  );
  expect((await failureWith({ GetPackage: refusal(16, "") })).kind).toBe("unauthorized");
  expect((await failureWith({ GetPackage: refusal(99, "x") })).message).toMatch(/GetPackage: code 99, x$/);
  const wrong: Script["answers"] = { ListBundles: (stream) => respond(stream, [], { status: "fine" }) };
  expect((await failureWith(wrong)).message).toMatch(/ListBundles: UNKNOWN$/);
});

test("responses that end before they are complete", async () => {
  const row = frame(bundleMessage(WINCH));
  const noStatus: Script["answers"] = {
    ListBundles: (stream) => respond(stream, [bundleMessage(WINCH)], { status: "" }),
  };
  const ends = "the gRPC registry HOST:PORT ends its response to ListBundles before it is complete";
  expect(await failureWith(noStatus)).toMatchObject({ kind: "server", message: ends });
  const half: Script["answers"] = {
    ListBundles: (stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(row.subarray(0, -1));
    },
  };
  expect((await failureWith(half)).message).toBe(ends);
  expect((await failureWith({ ListBundles: reset(11, row) })).message).toBe(
    "the gRPC registry HOST:PORT resets (ENHANCE_YOUR_CALM) its response to ListBundles before it is complete",
  );
  expect(await failureWith({ ListBundles: dropping(row) })).toMatchObject({
    kind: "unreachable",
    message: expect.stringMatching(/closed the connection|the connection was closed/),
  });
  expect((await failureWith({ ListBundles: stopping(row) })).message).toMatch(
    /closed the connection|(ends|resets \(\w+\)) its response to \w+ before it is complete$/,
  );
});

test("too much of anything ends the read", async () => {
  const row = bundleMessage(WINCH);
  const all = { ListBundles: endless(row) };
  expect((await failureWith(all, { limits: { messages: 1000 } })).message).toBe(
    "the gRPC registry HOST:PORT sends more than 1000 messages",
  );
  expect((await failureWith(all, { limits: { bytes: 1024 * 1024 } })).message).toBe(
    "the gRPC registry HOST:PORT sends more than 1 MiB",
  );
  expect((await failureWith({ ListPackages: endless(Buffer.alloc(0)) }, { limits: { messages: 1000 } })).kind).toBe(
    "malformed",
  );
  const announced = Buffer.from([0, 0x04, 0, 0, 1]);
  expect((await failureWith({ ListBundles: hang(announced) })).message).toBe(
    "the gRPC registry HOST:PORT sends a message of more than 64 MiB",
  );
  const bomb: Script["answers"] = {
    ListBundles: (stream) => respond(stream, [Buffer.alloc(2 * 1024 * 1024)], { gzip: true }),
  };
  expect((await failureWith(bomb, { limits: { messageBytes: 1024 * 1024 } })).message).toBe(
    "the gRPC registry HOST:PORT sends a message of more than 1 MiB",
  );
});

test("bytes that are no messages", async () => {
  const sent = (bytes: Buffer, gzip?: string): Promise<{ readonly message: string }> =>
    failureWith({
      ListBundles: (stream) => {
        stream.respond(
          { ":status": 200, "content-type": "application/grpc", ...(gzip && { "grpc-encoding": gzip }) },
          { waitForTrailers: true },
        );
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.end(bytes);
      },
    });
  const cases: readonly (readonly [Buffer, string, string?])[] = [
    [Buffer.from("\u0002garbage"), "sends bytes that are no message of gRPC"],
    [frame(Buffer.from("x"), 1), "sends a message with a compression that it does not announce"],
    [frame(Buffer.from("x"), 1), "sends a message that is not valid gzip", "gzip"],
    [frame(Buffer.from([0x0a, 5, 0x61])), "sends a message that ends in the middle of a field"],
    [frame(field(1, Buffer.from([0xff]))), "sends a message that has a text that is not UTF-8"],
  ];
  for (const [bytes, words, gzip] of cases)
    expect((await sent(bytes, gzip)).message).toBe(`the gRPC registry HOST:PORT ${words}`);
});

test("a server that is silent, and one that does not end", async () => {
  const silent = await listening(createServer((socket) => socket.resume().on("error", () => undefined)));
  expect(await failureOf(readAt(silent, { idleLimit: 50 }))).toMatchObject({
    kind: "timeout",
    message: "the gRPC registry HOST:PORT sent nothing for 50 ms",
  });
  expect((await failureOf(readAt(silent, { idleLimit: 50 }, true))).kind).toBe("timeout");
  expect((await failureWith({ ListBundles: hang() }, { idleLimit: 100 })).kind).toBe("timeout");
  expect(
    (await failureWith({ ListBundles: endless(Buffer.alloc(0)) }, { timeout: 100, limits: { messages: 1e12 } }))
      .message,
  ).toBe("the gRPC registry HOST:PORT did not list its bundles within 100 ms");
});

test("it can be cancelled, before and while it reads; no connection is left", async () => {
  const aborted = AbortSignal.abort();
  const registry = await serving(CONTENT, { answers: { ListBundles: hang() } });
  expect((await failureOf(readAt(registry.port, { signal: aborted }))).kind).toBe("cancelled");
  const controller = new AbortController();
  const work = readAt(registry.port, { signal: controller.signal, onBytes: () => controller.abort() });
  expect(await failureOf(work)).toMatchObject({ kind: "cancelled", message: "the read was cancelled" });
});
