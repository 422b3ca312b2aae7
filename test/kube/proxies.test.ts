// Is a server reached through a proxy, and what is said if it is not?
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { atEnd } from "../at-end.ts";
import {
  api,
  base64,
  certificate,
  failureOf,
  file,
  json,
  kubeconfig,
  listening,
  scripted,
  status,
  thing,
  things,
} from "./scripted-server.ts";

const OK = json({ kind: "Thing" });

function joined(a: Socket, b: Socket): void {
  a.pipe(b).pipe(a);
  for (const socket of [a, b]) {
    socket.on("error", () => socket.destroy());
    atEnd(() => socket.destroy());
  }
}

interface ProxyChoice {
  readonly refuse?: boolean;
  /** The certificate of a proxy that is reached by https. */
  readonly name?: string;
}

/** A proxy that understands CONNECT; `to` is where every connection goes. */
async function httpProxy(
  to: number,
  { refuse = false, name }: ProxyChoice = {},
): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = [];
  const proxy =
    name === undefined
      ? createHttpServer()
      : createHttpsServer({ cert: certificate(`${name}.crt`), key: certificate(`${name}.key`) });
  proxy.on("tlsClientError", () => undefined);
  proxy.on("connect", (request, socket: Socket, head) => {
    seen.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
    if (refuse) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const target = connect(to, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.length > 0) target.write(head);
      joined(socket, target);
    });
  });
  const port = await listening(proxy);
  atEnd(() => proxy.close());
  return { port, seen };
}

test("proxy-url: one CONNECT for several requests, and the certificate is still checked", async () => {
  const server = await scripted([OK, json(things([thing(1)]))]);
  const { port, seen } = await httpProxy(server.port);
  const cluster = { "proxy-url": `http://me:p%40ss@127.0.0.1:${port}` };
  const { server: asked } = api(kubeconfig(server.url, { cluster }));
  await asked.get("/version");
  await asked.list("/a", {}, () => undefined);
  expect(seen).toEqual([`127.0.0.1:${server.port} Basic ${base64("me:p@ss")}`]);
  expect(server.connections).toBe(1);
  const other = { ...cluster, "tls-server-name": "other.example" };
  expect((await failureOf(api(kubeconfig(server.url, { cluster: other })).server.get("/version"))).kind).toBe(
    "certificate",
  );
});

test("HTTPS_PROXY: the proxy looks up the name", async () => {
  const server = await scripted(OK);
  const { port, seen } = await httpProxy(server.port);
  const environment = { HTTPS_PROXY: `http://127.0.0.1:${port}` };
  const config = kubeconfig("https://only-the-proxy-knows.invalid:6443", {
    cluster: { "tls-server-name": "localhost" },
  });
  await api(config, {}, {}, environment).server.get("/version");
  expect(seen).toEqual(["only-the-proxy-knows.invalid:6443 "]);
});

test("a proxy that refuses, one that says nothing, and one that is not there", async () => {
  const server = await scripted(OK);
  const { port } = await httpProxy(server.port, { refuse: true });
  const through = (proxy: string, options = {}): Promise<unknown> =>
    api(kubeconfig(server.url, { cluster: { "proxy-url": proxy } }), options).server.get("/version");
  const refused = await failureOf(through(`http://me:hunter22@127.0.0.1:${port}`));
  expect(refused).toMatchObject({
    kind: "unreachable",
    message: `the proxy http://127.0.0.1:${port} makes no connection: it answers "HTTP/1.1 407 Proxy Authentication Required"`,
  });
  const silent = createServer((socket) => socket.resume());
  const silentPort = await listening(silent);
  expect((await failureOf(through(`http://127.0.0.1:${silentPort}`, { idleLimit: 60 }))).kind).toBe("timeout");
  // It ends only if the connection to it was given up.
  await new Promise((resolve) => silent.close(resolve));
  const gone = createServer();
  const gonePort = await listening(gone);
  await new Promise((resolve) => gone.close(resolve));
  expect((await failureOf(through(`http://127.0.0.1:${gonePort}`))).message).toBe(
    `the proxy http://127.0.0.1:${gonePort} does not answer: connection refused`,
  );
});

/** A socks5 proxy that wants a user name and a password. */
async function socksProxy(to: number): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = [];
  const proxy = createServer((socket) => {
    atEnd(() => socket.destroy());
    let step = 0;
    const onData = (data: Buffer): void => {
      step++;
      if (step === 1) socket.write(Buffer.from([5, 2]));
      else if (step === 2) {
        seen.push(data.subarray(2).toString("latin1"));
        socket.write(Buffer.from([1, 0]));
      } else {
        seen.push(data.subarray(5, -2).toString());
        socket.off("data", onData);
        const target = connect(to, "127.0.0.1", () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          joined(socket, target);
        });
      }
    };
    socket.on("data", onData);
  });
  const port = await listening(proxy);
  atEnd(() => proxy.close());
  return { port, seen };
}

test("a server without TLS", async () => {
  const server = await scripted(OK, { plain: true });
  const { port, seen } = await httpProxy(server.port);
  await api(kubeconfig(server.url, { cluster: { "proxy-url": `http://127.0.0.1:${port}` } })).server.get("/version");
  expect(seen).toEqual([`127.0.0.1:${server.port} `]);
});

test("a socks5 proxy", async () => {
  const server = await scripted(OK);
  const { port, seen } = await socksProxy(server.port);
  const cluster = { "proxy-url": `socks5://me:pw@127.0.0.1:${port}`, "tls-server-name": "localhost" };
  await api(kubeconfig("https://behind.invalid", { cluster })).server.get("/version");
  expect(seen).toEqual(["me\u0002pw", "behind.invalid"]);
});

test("the password of a proxy is in no message, whichever server repeats it", async () => {
  const server = await scripted(status(403, "the login hunter22 is unknown here"));
  const { port } = await httpProxy(server.port);
  const cluster = { "proxy-url": `http://me:hunter22@127.0.0.1:${port}` };
  const failure = await failureOf(api(kubeconfig(server.url, { cluster })).server.get("/version"));
  expect(failure.message).toContain("the login [hidden] is unknown here");
  expect(`${failure.words}${failure.help}${failure.stack}`).not.toContain("hunter22");
});

test("a proxy that does not speak socks5", async () => {
  const { port } = await httpProxy(1);
  const cluster = { "proxy-url": `socks5://127.0.0.1:${port}` };
  expect((await failureOf(api(kubeconfig("https://x", { cluster })).server.get("/version"))).kind).toBe("unreachable");
});

/** The outcome of a request through an https proxy with a certificate of the test's authority. */
async function throughHttps(
  cluster: (proxy: string) => object,
  { environment = {}, plain = false, name = "server" } = {},
): Promise<{ readonly port: number; readonly seen: readonly string[]; readonly failure: unknown }> {
  const server = await scripted(OK, { plain });
  const { port, seen } = await httpProxy(server.port, { name });
  const config = kubeconfig(server.url, { cluster: cluster(`https://me:hunter22@127.0.0.1:${port}`) });
  const failure = await api(config, {}, {}, environment)
    .server.get("/version")
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  return { port, seen, failure };
}

test("an https proxy may have a certificate of the cluster's authority", async () => {
  const { seen, failure } = await throughHttps((proxy) => ({ "proxy-url": proxy }));
  expect({ failure, seen: seen.length }).toEqual({ failure: undefined, seen: 1 });
});

test.each(["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"])(
  "an https proxy may have one of the authority in %s",
  async (key) => {
    const environment = { [key]: file(certificate("authority.crt")) };
    const { seen, failure } = await throughHttps((proxy) => ({ "proxy-url": proxy }), { environment, plain: true });
    expect({ failure, seen: seen.length }).toEqual({ failure: undefined, seen: 1 });
  },
);

test("the certificate of an https proxy is checked, even if that of the server is not", async () => {
  const message = (port: number, reason: string): object => ({
    kind: "certificate",
    message: `the certificate of the proxy https://127.0.0.1:${port} is not accepted: ${reason}`,
  });
  const unknown = await throughHttps((proxy) => ({
    "proxy-url": proxy,
    "certificate-authority-data": "",
    "insecure-skip-tls-verify": true,
  }));
  expect(unknown.failure).toMatchObject(message(unknown.port, "it is signed by an unknown authority"));
  const expired = await throughHttps((proxy) => ({ "proxy-url": proxy }), { name: "expired" });
  expect(expired.failure).toMatchObject(message(expired.port, "it has expired"));
  expect([...unknown.seen, ...expired.seen]).toEqual([]);
});
