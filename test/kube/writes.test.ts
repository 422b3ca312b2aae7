// Does a server get exactly the writes that it should get, and what is said if it refuses one?
import { writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { isUnanswered } from "../../src/controller/ordered-writes.ts";
import type { ApiServerOptions, WriteRequest } from "../../src/kube/api-server.ts";
import type { FailureKind } from "../../src/net/failure.ts";
import { atEnd } from "../at-end.ts";
import {
  type Answer,
  api,
  failureOf,
  file,
  folder,
  json,
  kubeconfig,
  listening,
  scripted,
  status,
  thing,
} from "./scripted-server.ts";

const OK = json(thing(1));
const PATH = "/apis/example.com/v1/things/thing-1";
const PATCH: WriteRequest = { method: "PATCH", path: PATH, body: { metadata: { uid: "u" } }, timeout: 5000 };
const silent: Answer = () => undefined;

test.for<[WriteRequest["method"], string]>([
  ["POST", "application/json"],
  ["PUT", "application/json"],
  ["PATCH", "application/merge-patch+json"],
  ["DELETE", "application/json"],
])("%s", async ([method, type]) => {
  const { url, requests } = await scripted(json(thing(1), method === "POST" ? 201 : 200));
  const { server } = api(kubeconfig(url, { user: { token: "abc" } }));
  const body = { metadata: { name: "é😀" } };
  expect(await server.write({ method, path: PATH, body, timeout: 5000 })).toBe(JSON.stringify(thing(1)));
  expect(requests).toMatchObject([
    {
      method,
      path: PATH,
      body: JSON.stringify(body),
      headers: {
        "content-type": type,
        "content-length": String(Buffer.byteLength(JSON.stringify(body))),
        authorization: "Bearer abc",
        accept: "application/json",
        "user-agent": expect.stringMatching(/^plimsoll\/0\.0\.0 \([a-z0-9]+\/[a-z0-9]+\)$/),
      },
    },
  ]);
});

test("an integer of 64 bits, such as the server itself has sent, is written with every digit", async () => {
  const { url, requests } = await scripted(OK);
  const { server } = api(kubeconfig(url));
  await server.write({ ...PATCH, body: { status: { observedGeneration: 9223372036854775807n } } });
  expect(requests).toMatchObject([{ body: '{"status":{"observedGeneration":9223372036854775807}}' }]);
});

test("writes use one connection, also after a refused one; reads have another", async () => {
  const server = await scripted([OK, status(409, "no"), OK, OK, OK]);
  const { server: asked } = api(kubeconfig(server.url));
  await asked.write(PATCH);
  await failureOf(asked.write(PATCH));
  await asked.write(PATCH);
  expect(server.connections).toBe(1);
  await asked.get("/a");
  await asked.write(PATCH);
  expect(server.connections).toBe(2);
});

const TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl";

function refusal(code: number, reason: string): Answer {
  return json({ kind: "Status", status: "Failure", message: `no ${TOKEN}`, reason, code }, code);
}

test.for<[WriteRequest["method"], number, string, FailureKind, string]>([
  ["POST", 403, "Forbidden", "forbidden", `forbids creating objects in ${PATH}`],
  ["PUT", 403, "Forbidden", "forbidden", `forbids updating ${PATH}`],
  ["PATCH", 403, "Forbidden", "forbidden", `forbids patching ${PATH}`],
  ["DELETE", 403, "Forbidden", "forbidden", `forbids deleting ${PATH}`],
  ["PATCH", 401, "Unauthorized", "unauthorized", "does not accept the credentials"],
  ["PATCH", 404, "NotFound", "not-found", `has no ${PATH}`],
  ["PATCH", 409, "Conflict", "conflict", `refuses to patch ${PATH} because of a conflict`],
  ["DELETE", 409, "Conflict", "conflict", `refuses to delete ${PATH} because of a conflict`],
  ["POST", 409, "AlreadyExists", "exists", `refuses to create an object in ${PATH} because it exists`],
  ["PATCH", 422, "Invalid", "invalid", `does not accept what it was sent to patch ${PATH}`],
  ["POST", 400, "BadRequest", "invalid", `does not accept what it was sent to create an object in ${PATH}`],
  ["PUT", 413, "RequestEntityTooLarge", "invalid", `does not accept what it was sent to update ${PATH}`],
  ["PUT", 410, "Gone", "invalid", `does not accept what it was sent to update ${PATH}`],
  ["PATCH", 415, "UnsupportedMediaType", "invalid", `does not accept what it was sent to patch ${PATH}`],
  ["PATCH", 429, "TooManyRequests", "throttled", "has too many requests"],
  ["PATCH", 500, "InternalError", "server", `fails to patch ${PATH} with status 500`],
  ["DELETE", 503, "ServiceUnavailable", "server", `fails to delete ${PATH} with status 503`],
])("%s gets %i %s", async ([method, code, reason, kind, message]) => {
  const { url, requests } = await scripted(refusal(code, reason));
  const { server, waits } = api(kubeconfig(url, { user: { token: TOKEN } }));
  const failure = await failureOf(server.write({ ...PATCH, method }));
  expect(failure).toMatchObject({ kind, status: code, message: `the API server ${url} ${message}: no [hidden]` });
  expect(failure.retryAfter).toBeUndefined();
  expect({ requests: requests.length, waits }).toEqual({ requests: 1, waits: [] });
});

test("how long a server wants us to wait", async () => {
  const { url } = await scripted([
    status(429, "slow", { "retry-after": "2" }),
    status(503, "starting", { "retry-after": "5" }),
  ]);
  const { server } = api(kubeconfig(url));
  expect(await failureOf(server.write(PATCH))).toMatchObject({ kind: "throttled", retryAfter: 2000 });
  expect(await failureOf(server.write(PATCH))).toMatchObject({ kind: "server", retryAfter: 5000 });
});

test("an answer that is not JSON, and one that breaks off", async () => {
  const half: Answer = (_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"a":');
  const breaks: Answer = (_, response) => response.socket?.destroy();
  const { url, requests } = await scripted([half, breaks]);
  const { server } = api(kubeconfig(url));
  expect((await failureOf(server.write(PATCH))).kind).toBe("malformed");
  expect((await failureOf(server.write(PATCH))).kind).toBe("unreachable");
  expect(requests).toHaveLength(2);
});

test("no server at the address", async () => {
  const failure = await failureOf(api(kubeconfig("https://127.0.0.1:1")).server.write(PATCH));
  expect(failure).toMatchObject({
    kind: "unreachable",
    message: "the API server https://127.0.0.1:1 does not answer: connection refused",
  });
});

test("a certificate of an unknown authority: nothing is sent", async () => {
  const { url, requests } = await scripted(OK);
  const cluster = { "tls-server-name": "other.example" };
  let asked = 0;
  const mayStillSend = (): boolean => ++asked > 0;
  const failure = await failureOf(api(kubeconfig(url, { cluster })).server.write({ ...PATCH, mayStillSend }));
  expect(failure.kind).toBe("certificate");
  expect({ asked, requests }).toEqual({ asked: 0, requests: [] });
});

test("refused credentials are renewed once, and it is asked again whether it may be sent", async () => {
  const directory = folder();
  writeFileSync(join(directory, "token"), "old");
  const renews: Answer = (request, response) => {
    writeFileSync(join(directory, "token"), "new");
    status(401, "Unauthorized")(request, response);
  };
  const { url, requests } = await scripted([renews, OK, renews]);
  const path = file(kubeconfig(url, { user: { tokenFile: "token" } }), join(directory, "config"));
  let asked = 0;
  const write = { ...PATCH, mayStillSend: () => ++asked > 0 };
  await api(undefined, {}, { kubeconfig: path }).server.write(write);
  expect(asked).toBe(2);
  expect(requests.map(({ headers, body }) => [headers.authorization, body])).toEqual([
    ["Bearer old", JSON.stringify(PATCH.body)],
    ["Bearer new", JSON.stringify(PATCH.body)],
  ]);
  writeFileSync(join(directory, "token"), "old");
  asked = 0;
  const onlyOnce = { ...PATCH, mayStillSend: () => ++asked < 2 };
  expect((await failureOf(api(undefined, {}, { kubeconfig: path }).server.write(onlyOnce))).kind).toBe("not-sent");
  expect(requests).toHaveLength(3);
});

test.for([{ plain: true }, { plain: false }])("a write that is withdrawn is not sent: %j", async (choice) => {
  const { url, requests } = await scripted(OK, choice);
  const { server } = api(kubeconfig(url));
  const withdrawn = { ...PATCH, mayStillSend: () => false };
  // Over a new connection, and over a kept one.
  expect(await failureOf(server.write(withdrawn))).toMatchObject({
    kind: "not-sent",
    message: `nothing was sent to the API server ${url}: the write was withdrawn`,
  });
  await server.write({ ...PATCH, mayStillSend: () => true });
  expect((await failureOf(server.write(withdrawn))).kind).toBe("not-sent");
  await server.write(PATCH);
  expect(requests).toHaveLength(2);
});

/** TCP in front of a server: what the client sends waits until it is let through, and how its connections end. */
async function gate(port: number): Promise<{ port: number; open(): void; ends: Promise<string> }> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let onEnd = (_: string): void => undefined;
  const ends = new Promise<string>((resolve) => {
    onEnd = resolve;
  });
  const server = createServer((client: Socket) => {
    client.on("error", ({ message }) => onEnd(message));
    client.on("end", () => onEnd("end"));
    const behind = connect(port, "127.0.0.1");
    behind.on("error", () => undefined);
    behind.pipe(client);
    atEnd(() => [client, behind].map((socket) => socket.destroy()));
    void opened.then(() => client.pipe(behind));
  });
  atEnd(() => server.close());
  return { port: await listening(server), open, ends };
}

test("withdrawn while its connection is made", async () => {
  const { port, requests } = await scripted(OK);
  const gated = await gate(port);
  let asked = 0;
  const mayStillSend = (): boolean => {
    asked++;
    return false;
  };
  const { server } = api(kubeconfig(`https://127.0.0.1:${gated.port}`));
  const write = failureOf(server.write({ ...PATCH, mayStillSend }));
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  // The handshake is not over: it would be too early.
  expect(asked).toBe(0);
  gated.open();
  expect((await write).kind).toBe("not-sent");
  expect({ asked, requests }).toEqual({ asked: 1, requests: [] });
});

/** A server that holds its answers back, and writes of which each has a connection. */
async function busy(count: number, options: ApiServerOptions = {}) {
  const held: (() => void)[] = [];
  const { url, requests } = await scripted((request, response) => held.push(() => OK(request, response)));
  const { server } = api(kubeconfig(url), options);
  const writes = Array.from({ length: count }, () => server.write(PATCH));
  while (held.length < count) await nextTurn();
  return { server, writes, requests, held };
}

test("time that is over before there is a connection: it was never sent", async () => {
  const { server, writes, requests, held } = await busy(10);
  const late = await failureOf(server.write({ ...PATCH, timeout: 60 }));
  expect(late).toMatchObject({ kind: "timeout", help: "try again", isUnsent: true });
  expect(isUnanswered(late)).toBe(false);
  expect(requests).toHaveLength(10);
  for (const answer of held.splice(0)) answer();
  await Promise.all(writes);
  const sent = await failureOf(server.write({ ...PATCH, timeout: 60 }));
  expect([sent.kind, isUnanswered(sent), requests.length]).toEqual(["timeout", true, 11]);
});

test("as many at the same time as there are connections for them", async () => {
  const { server, writes, held } = await busy(10, { writeConnections: 12 });
  writes.push(server.write(PATCH), server.write(PATCH));
  while (held.length < 12) await nextTurn();
  for (const answer of held) answer();
  await Promise.all(writes);
});

test("withdrawn while it waits for a connection", async () => {
  const { server, writes, requests, held } = await busy(10);
  let mayStillSend = true;
  const late = failureOf(server.write({ ...PATCH, mayStillSend: () => mayStillSend }));
  mayStillSend = false;
  for (const answer of held.splice(0)) answer();
  await Promise.all(writes);
  expect((await late).kind).toBe("not-sent");
  expect(requests).toHaveLength(10);
});

test.for([{ plain: true }, { plain: false }])("a write that is given up resets its connection: %j", async (choice) => {
  const { url, port } = await scripted(silent, choice);
  const [given, closed, answered] = [await gate(port), await gate(port), await gate(port)];
  const at = (gated: { port: number }): string => url.replace(String(port), String(gated.port));
  for (const gated of [given, closed, answered]) gated.open();

  const { server } = api(kubeconfig(at(given)));
  expect(await failureOf(server.write({ ...PATCH, timeout: 60 }))).toMatchObject({
    kind: "timeout",
    message: `the API server ${at(given)} did not complete its response within 60 ms`,
    help: "try again",
  });
  expect(await given.ends).toContain("ECONNRESET");

  const { server: closing } = api(kubeconfig(at(closed)));
  const write = failureOf(closing.write({ ...PATCH, mayStillSend: () => setImmediate(() => closing.close()) && true }));
  expect(await write).toMatchObject({ kind: "cancelled", message: "the write was cancelled" });
  expect(await closed.ends).toContain("ECONNRESET");

  // A read that is given up ends its connection as usual.
  const { server: reading } = api(kubeconfig(at(answered)), { requestTimeout: 60 });
  expect((await failureOf(reading.get("/a"))).kind).toBe("timeout");
  expect(await answered.ends).toBe("end");
});

test("a connection that is not made in time", async () => {
  const { port } = await scripted(OK);
  const gated = await gate(port);
  const { server } = api(kubeconfig(`https://127.0.0.1:${gated.port}`));
  expect((await failureOf(server.write({ ...PATCH, timeout: 60 }))).kind).toBe("timeout");
  gated.open();
  await gated.ends;
});

test("through a proxy", async () => {
  const { url, requests, port } = await scripted(OK);
  const proxy = createServer((client) => {
    client.on("error", () => undefined);
    client.once("data", () => {
      const behind = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
      behind.on("error", () => undefined);
      client.pipe(behind).pipe(client);
    });
    atEnd(() => client.destroy());
  });
  atEnd(() => proxy.close());
  const cluster = { "proxy-url": `http://127.0.0.1:${await listening(proxy)}` };
  const { server } = api(kubeconfig(url, { cluster }));
  await server.write(PATCH);
  expect((await failureOf(server.write({ ...PATCH, mayStillSend: () => false }))).kind).toBe("not-sent");
  expect(requests).toHaveLength(1);
});
