// Does a registry become the catalog that it serves?
import { createServer as createHttpServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CERTIFICATES } from "../../test/certificates.ts";
import { bundleMessage } from "../../test/grpc/registry-messages.ts";
import { CONTENT, failureOf, listening, property, readAt, serving, WINCH } from "../../test/grpc/registry-reading.ts";
import { frame, refusal, respond } from "../../test/grpc/scripted-registry.ts";

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

test("an empty registry", async () => {
  const { port } = await serving({ packages: [], bundles: [] });
  expect(await readAt(port)).toMatchObject({ documents: [], bundles: 0, without: { objects: 0, metadata: 0 } });
});

test("rows that contradict each other: all of it is a document, so that the reader of catalogs reports it", async () => {
  const again = { ...WINCH, version: "2.0.0", properties: [property("t", 1)] };
  const bundles = [WINCH, WINCH, again, { ...WINCH, replaces: "winch.v0.9.0" }];
  const read = await readAt((await serving({ packages: [], bundles })).port);
  const { documents, bundles: count } = read;
  expect(await readAt((await serving({ packages: [], bundles: bundles.toReversed() })).port)).toEqual(read);
  const found = (schema: string): readonly unknown[] => documents.filter((one) => one.schema === schema);
  expect(count).toBe(1);
  expect(found("olm.bundle")).toHaveLength(2);
  expect(found("olm.channel")).toEqual([
    {
      ...{ schema: "olm.channel", package: "winch", name: "stable" },
      entries: [{ name: "winch.v1.0.0", replaces: "winch.v0.9.0" }, { name: "winch.v1.0.0" }],
    },
  ]);
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
