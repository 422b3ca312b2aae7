// What is said if a server cannot be read, and does it ever contain a secret?
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { serverVersion } from "../../src/kube/discovery.ts";
import type { FailureKind } from "../../src/net/failure.ts";
import { atEnd } from "../at-end.ts";
import {
  type Answer,
  api,
  base64,
  certificate,
  connection,
  failureOf,
  json,
  kubeconfig,
  listening,
  scripted,
  status,
  thing,
  things,
} from "./scripted-server.ts";

const OK = json({ kind: "Thing" });
const TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl";
/** A token that looks like none. */
const OPAQUE = "opaque!token?".repeat(20);
const SAYING = `User "x" cannot list resource "things" (${TOKEN} Bearer abcdefgh12345 http://u:pw@h/)`;
const HIDING = 'User "x" cannot list resource "things" ([hidden] Bearer [hidden] http://h/)';

test.for<[number, FailureKind, string]>([
  [400, "server", `fails to read /a with status 400: ${HIDING}`],
  [401, "unauthorized", `does not accept the credentials: ${HIDING}`],
  [403, "forbidden", `forbids reading /a: ${HIDING}`],
  [404, "not-found", `has no /a: ${HIDING}`],
  [410, "expired", `does not know this page of /a any more: ${HIDING}`],
  [429, "throttled", `has too many requests: ${HIDING} (after 5 attempts)`],
  [503, "server", `fails to read /a with status 503: ${HIDING} (after 5 attempts)`],
])("status %i", async ([code, kind, message]) => {
  const { url, requests } = await scripted(status(code, SAYING));
  const failure = await failureOf(api(kubeconfig(url, { user: { token: TOKEN } })).server.get("/a?continue=x"));
  expect(failure).toMatchObject({ kind, status: code, message: `the API server ${url} ${message}` });
  expect(`${failure.message}${failure.help}${failure.stack}`).not.toContain(TOKEN.slice(0, 12));
  expect(requests).toHaveLength(code === 429 || code === 503 ? 5 : 1);
});

test("a long message on many lines, with an opaque token and terminal escapes", async () => {
  const token = "opaque!token?";
  const { url } = await scripted(status(403, `a\n${token}\u001b[31m\u202e ${"long ".repeat(5000)}`));
  const { message } = await failureOf(api(kubeconfig(url, { user: { token } })).server.get("/a"));
  expect(message).toContain("a [hidden]\\u001b[31m\\u202e long");
  expect(message.length).toBeLessThan(500);
});

function text(body: string, headers: Readonly<Record<string, string>>, code = 200): Answer {
  return (_, response) => {
    response.writeHead(code, headers);
    response.end(body);
  };
}

test("a login page", async () => {
  const { url, requests } = await scripted(text("<html>log in</html>", { "content-type": "text/html; charset=utf-8" }));
  const failure = await failureOf(api(kubeconfig(url)).server.list("/a", {}, () => undefined));
  expect(failure).toMatchObject({
    kind: "malformed",
    message: `the API server ${url} answers /a with "text/html; charset=utf-8" instead of JSON`,
  });
  expect(requests).toHaveLength(1);
});

test("a redirect", async () => {
  const { url, requests } = await scripted(text("", { location: "https://u:pw@login.example/start?token=abc" }, 302));
  const failure = await failureOf(api(kubeconfig(url)).server.get("/a"));
  expect(failure).toMatchObject({
    kind: "malformed",
    status: 302,
    message: `the API server ${url} redirects /a to "https://login.example/start", which is not followed`,
  });
  expect(requests).toHaveLength(1);
});

test.for<[string, Readonly<Record<string, string>>, number, string]>([
  [
    "type",
    { "content-type": `text/html; x=${OPAQUE}` },
    200,
    'answers /a with "text/html; x=[hidden]" instead of JSON',
  ],
  ["target", { location: `/login/${OPAQUE}` }, 302, 'redirects /a to "/login/[hidden]", which is not followed'],
  [
    "encoding",
    { "content-type": "application/json", "content-encoding": OPAQUE },
    200,
    'encodes its response as "[hidden]"',
  ],
])("a %s that repeats the token, which is longer than what is quoted", async ([, headers, code, message]) => {
  const { url } = await scripted(text("{}", headers, code));
  const failure = await failureOf(api(kubeconfig(url, { user: { token: OPAQUE } })).server.get("/a"));
  expect(failure.message).toBe(`the API server ${url} ${message}`);
});

test("half an object, always; an unknown encoding; too many bytes", async () => {
  const type = { "content-type": "application/json" };
  const half = await scripted(text('{"kind":', type));
  expect(await failureOf(api(kubeconfig(half.url)).server.get("/a"))).toMatchObject({ kind: "malformed" });
  expect(half.requests).toHaveLength(5);
  const encoded = await scripted(text("{}", { ...type, "content-encoding": "br" }));
  expect(await failureOf(api(kubeconfig(encoded.url)).server.get("/a"))).toMatchObject({ kind: "malformed" });
  const endless: Answer = (_, response) => {
    response.writeHead(200, type);
    const more = (): void => void (response.destroyed || response.write(Buffer.alloc(1024 * 1024, " "), more));
    more();
  };
  const large = await scripted(endless, { plain: true });
  const failure = await failureOf(api(kubeconfig(large.url)).server.get("/a"));
  expect(failure.message).toBe(`the API server ${large.url} answers /a with more than 64 MiB`);
});

test("a response that is not a list", async () => {
  const { url } = await scripted(OK);
  const failure = await failureOf(api(kubeconfig(url)).server.list("/a", {}, () => undefined));
  expect(failure.message).toBe(
    `the API server ${url} answers /a incompletely: the response is not a list (after 5 attempts)`,
  );
});

test("a version without a version", async () => {
  const { url } = await scripted(OK);
  expect((await failureOf(serverVersion(api(kubeconfig(url)).server))).kind).toBe("malformed");
});

test("no server at the address: no second attempt", async () => {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  const { server: asked, waits } = api(kubeconfig(`https://127.0.0.1:${port}`));
  const failure = await failureOf(asked.get("/version"));
  expect(failure).toMatchObject({
    kind: "unreachable",
    message: `the API server https://127.0.0.1:${port} does not answer: connection refused`,
    help: 'check the server\'s address in the cluster of the context "test", and the network',
  });
  expect(waits).toEqual([]);
});

test("a host that does not exist", async () => {
  const failure = await failureOf(api(kubeconfig("https://nowhere.invalid:6443")).server.get("/version"));
  expect(failure.kind).toBe("unreachable");
});

test("a server without TLS", async () => {
  const { url } = await scripted(OK, { plain: true });
  const failure = await failureOf(api(kubeconfig(url.replace("http:", "https:"))).server.get("/version"));
  expect(failure.message).toBe(`the API server ${url.replace("http:", "https:")} does not speak TLS`);
});

test.for([
  [
    "server",
    { "certificate-authority-data": base64(certificate("other-authority.crt")) },
    "it is signed by an unknown authority",
  ],
  ["server", { "certificate-authority-data": undefined }, "it is signed by an unknown authority"],
  ["elsewhere", {}, 'it is for "elsewhere.example", not for "127.0.0.1"'],
  ["server", { "tls-server-name": "other.example" }, 'it is for "127.0.0.1" and "localhost", not for "other.example"'],
  ["expired", {}, "it has expired"],
] as const)("the certificate %s with %j", async ([name, cluster, reason]) => {
  const { url, requests } = await scripted(OK, { name });
  const { server, waits } = api(kubeconfig(url, { cluster, user: { token: TOKEN } }));
  const failure = await failureOf(server.get("/version"));
  expect(failure.kind).toBe("certificate");
  expect(failure.message).toBe(`the certificate of the API server ${url} is not accepted: ${reason}`);
  expect(requests).toEqual([]);
  expect(waits).toEqual([]);
});

test.for([
  ["elsewhere", { "tls-server-name": "elsewhere.example" }],
  ["server", { "tls-server-name": "127.0.0.1" }],
  ["expired", { "certificate-authority-data": undefined, "insecure-skip-tls-verify": true }],
] as const)("the certificate %s is accepted with %j", async ([name, cluster]) => {
  const { url } = await scripted(OK, { name });
  await api(kubeconfig(url, { cluster })).server.get("/version");
});

test.each(["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"])("%s without a file, and a server that needs none", async (name) => {
  const { url } = await scripted(OK);
  const trusting = (cluster: object) =>
    api(
      kubeconfig(url, { cluster: { "certificate-authority-data": undefined, ...cluster } }),
      {},
      {},
      { [name]: "/gone" },
    );
  expect(await failureOf(trusting({}).server.get("/version"))).toMatchObject({
    kind: "config",
    message: `the file of ${name} cannot be read: "/gone": no such file`,
    help: `correct ${name}, or unset it`,
  });
  await trusting({ "insecure-skip-tls-verify": true }).server.get("/version");
});

/** Headers and half of a body, and then nothing. */
const stalls: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"kind":"ThingList","apiVersion":"v1","items":[{"a":1},');
};
const silent: Answer = () => undefined;

test.for([
  ["says nothing", silent],
  ["stops in the middle", stalls],
] as const)("a server that %s", async ([, answer]) => {
  const { url, requests } = await scripted(answer);
  const idle = await failureOf(api(kubeconfig(url), { idleLimit: 60 }).server.list("/a", {}, () => undefined));
  expect(idle).toMatchObject({ kind: "timeout", message: `the API server ${url} sent nothing for 60 ms` });
  const whole = await failureOf(api(kubeconfig(url), { requestTimeout: 60 }).server.list("/a", {}, () => undefined));
  expect(whole.message).toBe(`the API server ${url} did not complete its response within 60 ms`);
  expect(requests).toHaveLength(2);
});

test("a host that speaks something else", async () => {
  const server = createServer((socket) => {
    atEnd(() => socket.destroy());
    socket.on("error", () => undefined);
    socket.write("SSH-2.0-OpenSSH_9.9\r\n");
  });
  const port = await listening(server);
  atEnd(() => server.close());
  const url = `http://127.0.0.1:${port}`;
  expect(await failureOf(api(kubeconfig(url)).server.get("/a"))).toMatchObject({
    kind: "malformed",
    message: `the API server ${url} does not answer with HTTP`,
  });
});

test("a host that accepts connections and says nothing", async () => {
  const server = createServer((socket) => atEnd(() => socket.destroy()));
  const port = await listening(server);
  atEnd(() => server.close());
  const failure = await failureOf(api(kubeconfig(`https://127.0.0.1:${port}`), { idleLimit: 60 }).server.get("/a"));
  expect(failure.kind).toBe("timeout");
});

test("a server that is slow but not silent is waited for", async () => {
  const slow: Answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const body = JSON.stringify(things([thing(1)]));
    let at = 0;
    const timer = setInterval(() => {
      response.write(body[at++]);
      if (at < body.length) return;
      clearInterval(timer);
      response.end();
    }, 5);
  };
  const { url } = await scripted(slow);
  expect(await api(kubeconfig(url), { idleLimit: 2000 }).server.list("/a", {}, () => undefined)).toMatchObject({
    items: 1,
  });
});

test.for([
  ["before it begins", OK, 0],
  ["while the server is silent", silent, 1],
  ["in the middle of a list", stalls, 1],
] as const)("cancelled %s", async ([, answer, requested]) => {
  const controller = new AbortController();
  const { url, requests } = await scripted((request, response) => {
    answer(request, response);
    setTimeout(() => controller.abort(), 10);
  });
  if (requested === 0) controller.abort();
  const { server } = api(kubeconfig(url), { signal: controller.signal });
  expect((await failureOf(server.list("/a", {}, () => undefined))).kind).toBe("cancelled");
  expect(requests).toHaveLength(requested);
});

test("cancelled while it waits for another attempt; and closed", async () => {
  const controller = new AbortController();
  const { url } = await scripted(status(503, "down"));
  const { server } = api(kubeconfig(url), {
    signal: controller.signal,
    onRetry: () => controller.abort(),
    wait: undefined as never,
  });
  expect((await failureOf(server.get("/a"))).kind).toBe("cancelled");
  const { url: other } = await scripted(silent);
  const { server: closing } = api(kubeconfig(other));
  const asked = failureOf(closing.get("/a"));
  setTimeout(() => closing.close(), 10);
  expect((await asked).kind).toBe("cancelled");
});

test("cancelled while items are taken", async () => {
  const controller = new AbortController();
  const { url } = await scripted(json(things([thing(1), thing(2)])));
  const { server } = api(kubeconfig(url), { signal: controller.signal });
  const taken: string[] = [];
  const take = (item: string): void => {
    taken.push(item);
    controller.abort();
  };
  expect((await failureOf(server.list("/a", {}, take))).kind).toBe("cancelled");
  expect(taken).toHaveLength(1);
});

test("connections are kept, also after a failure, and a closed one is replaced", async () => {
  const closes: Answer = ({ socket }, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end("{}", () => setImmediate(() => socket.destroy()));
  };
  const server = await scripted([OK, status(404, "no"), OK, closes, OK]);
  const { server: asked } = api(kubeconfig(server.url));
  await asked.get("/a");
  await failureOf(asked.get("/b"));
  await asked.get("/c");
  expect(server.connections).toBe(1);
  await asked.get("/d");
  await asked.get("/e");
  expect(server.requests).toHaveLength(5);
  expect(server.connections).toBe(2);
});

test("a retry is reported", async () => {
  const { url } = await scripted([status(429, "slow", { "retry-after": "2" }), OK]);
  const retries: string[] = [];
  await api(kubeconfig(url), { onRetry: (what) => retries.push(what) }).server.get("/a");
  expect(retries).toEqual([`the API server ${url} has too many requests: slow; trying again in 2.0 s`]);
});

test("no secret is a field of a connection", () => {
  const made = connection(kubeconfig("https://me:hunter22@127.0.0.1", { user: { token: TOKEN } }));
  expect(JSON.stringify(made)).toBe('{"context":"test","server":"https://127.0.0.1","namespace":"shop"}');
});
