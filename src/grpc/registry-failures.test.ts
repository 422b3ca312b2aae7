// Does every way in which a registry can fail end with one clear sentence, and with no connection left?
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CERTIFICATES, certificate } from "../../test/certificates.ts";
import { bundleMessage, field, packageName } from "../../test/grpc/registry-messages.ts";
import {
  CONTENT,
  failureOf,
  failureWith,
  listening,
  readAt,
  serving,
  WINCH,
} from "../../test/grpc/registry-reading.ts";
import {
  begin,
  dropping,
  endless,
  frame,
  hang,
  refusal,
  reset,
  respond,
  type Script,
  stopping,
} from "../../test/grpc/scripted-registry.ts";

test("nothing listens", async () => {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  for (const tls of [false, true])
    expect(await failureOf(readAt(port, {}, tls))).toEqual({
      kind: "unreachable",
      message: "the gRPC registry HOST:PORT does not answer: connection refused",
      help: "check the address of the registry, and the network",
    });
});

test("an address that is none", async () => {
  for (const host of ["", "a b", "user@host", "host/path", "exa%mple"])
    expect((await failureOf(readAt(50051, {}, false, host))).message).toBe(
      `"${host}:50051" is not the address of a gRPC registry`,
    );
  expect((await failureOf(readAt(70_000, {}, false, "host"))).kind).toBe("config");
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
    /^the gRPC registry HOST:PORT closed the connection( without an answer)?$/,
  );
  const resets = await listening(createServer((socket) => socket.once("data", () => socket.resetAndDestroy())));
  expect((await failureOf(readAt(resets))).message).toBe("the gRPC registry HOST:PORT closed the connection");
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
    message: expect.stringMatching(/closed the connection/),
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
  await registry.unused();
});

test("GetPackage answers with another package, or with none", async () => {
  const other: Script["answers"] = { GetPackage: (stream) => respond(stream, [packageName("x")]) };
  expect((await failureWith(other)).message).toMatch(
    /^the gRPC registry HOST:PORT answers GetPackage for "(winch|anchor)" with "x"$/,
  );
  expect((await failureWith({ GetPackage: (stream) => respond(stream, []) })).message).toMatch(/with nothing$/);
});

test("a status before the messages says nothing about their end", async () => {
  const early: Script["answers"] = {
    ListBundles: (stream) => {
      begin(stream, { "grpc-status": "0" });
      stream.write(frame(bundleMessage(WINCH)), () => stream.close(2));
    },
  };
  expect((await failureWith(early)).message).toBe(
    "the gRPC registry HOST:PORT resets (INTERNAL_ERROR) its response to ListBundles before it is complete",
  );
});

test("a server that begins with HTTP/2, and then ends the connection with an error, or goes on with something else", async () => {
  const settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
  const sending = (bytes: Buffer): Promise<number> =>
    listening(
      createServer((socket) =>
        socket
          .resume()
          .on("error", () => undefined)
          .end(bytes),
      ),
    );
  const goAway = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];
  expect(await failureOf(readAt(await sending(Buffer.from([...settings, ...goAway]))))).toMatchObject({
    kind: "server",
    message: "the gRPC registry HOST:PORT breaks the connection of HTTP/2: session closed with error code 2",
  });
  // Node 20 says nothing about frames that are too large: the limit of time ends it.
  const other = await sending(Buffer.concat([Buffer.from(settings), Buffer.from("and now something else")]));
  expect((await failureOf(readAt(other, { idleLimit: 100 }))).message).toMatch(
    /^the gRPC registry HOST:PORT (breaks the connection of HTTP\/2: |closed the connection|sent nothing for 100 ms$)/,
  );
});
