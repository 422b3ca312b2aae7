// Where does a registry lead a client, and what does it get there? Credentials stay with the registry.
import type { LookupFunction } from "node:net";
import { expect, test } from "vitest";
import { loginOf } from "../../src/oci/login.ts";
import { CERTIFICATES } from "../certificates.ts";
import { failureOf } from "../kube/scripted-server.ts";
import {
  bytesOf,
  errors,
  NEVER,
  opened,
  proxyTo,
  type ScriptedRegistry,
  scriptedRegistry,
  testImage,
} from "./scripted-registry.ts";

const IMAGE = testImage([Buffer.from("layer")]);
const [LAYER] = IMAGE.layers as [(typeof IMAGE.layers)[number]];
const LOGIN = loginOf("the test", "me", "pass-word-1");
const credentials = { login: async () => LOGIN };
const BASIC = LOGIN.basic();

/** Blobs are elsewhere. */
function redirecting({ faults }: ScriptedRegistry, location: string | undefined, status = 307): void {
  faults.set("/blobs/", (_, response) => response.writeHead(status, location === undefined ? {} : { location }).end());
}

/** A registry that is not on loopback, with a certificate that is trusted. */
async function outside(registry: ScriptedRegistry, more: Readonly<Record<string, number>> = {}) {
  const proxy = await proxyTo({ "elsewhere.example:443": registry.port, ...more });
  const environment = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, SSL_CERT_FILE: `${CERTIFICATES}/authority.crt` };
  return { environment, proxy };
}

test.for([301, 302, 303, 307, 308])(
  "a redirect with status %i to another port: without the credentials",
  async (status) => {
    const store = await scriptedRegistry(IMAGE);
    const registry = await scriptedRegistry(IMAGE, { challenge: () => 'Basic realm="x"', accepts: [BASIC] });
    const image = opened(`${registry.host}/a/b:v1`, { credentials });
    await image.manifest(NEVER);
    redirecting(registry, `https://${store.host}/v2/a/b/blobs/${LAYER.digest}?signature=abc`, status);
    store.faults.set("?signature", (_, response) => response.end(IMAGE.blobs[LAYER.digest]));
    expect(await bytesOf(image.blob(LAYER, NEVER))).toHaveLength(LAYER.size);
    expect(registry.asked.at(-1)?.authorization).toBe(BASIC);
    expect(store.asked).toMatchObject([{ authorization: undefined }]);
  },
);

test.for([{}, { "content-length": "0" }, { "content-length": "900" }])(
  "the connection is used again after a refusal and after redirects: %o",
  async (headers) => {
    const store = await scriptedRegistry(IMAGE);
    const registry = await scriptedRegistry(IMAGE, { challenge: () => 'Basic realm="x"', accepts: [BASIC] });
    const image = opened(`${registry.host}/a/b:v1`, { credentials });
    const location = `https://${store.host}/v2/a/b/blobs/${LAYER.digest}`;
    registry.faults.set("/blobs/", ({ headers: { authorization } }, response) =>
      authorization === undefined
        ? false
        : response.writeHead(307, { location, ...headers }).end("x".repeat(Number(headers["content-length"] ?? 0))),
    );
    for (let count = 0; count < 5; count++) await bytesOf(image.blob(LAYER, NEVER));
    expect(registry.asked).toHaveLength(6);
    // The answer to a refusal may be sent before the refusal has come to its end.
    expect(registry.connections).toBeLessThanOrEqual(2);
    expect(store.connections).toBe(1);
  },
);

test("a redirect that does not end is left", async () => {
  const store = await scriptedRegistry(IMAGE);
  const registry = await scriptedRegistry(IMAGE);
  const closed = new Promise((resolve) => {
    registry.faults.set("/blobs/", (_, response) => {
      response.on("close", resolve);
      response.writeHead(307, { location: `https://${store.host}/v2/a/b/blobs/${LAYER.digest}` }).write("x");
    });
  });
  expect(await bytesOf(opened(`${registry.host}/a/b:v1`).blob(LAYER, NEVER))).toHaveLength(LAYER.size);
  await closed;
});

test("a redirect on the same host and port keeps them", async () => {
  const registry = await scriptedRegistry(IMAGE, { challenge: () => 'Basic realm="x"', accepts: [BASIC] });
  registry.faults.set("/a/b/blobs/", (_, response) =>
    response.writeHead(307, { location: `/v2/c/blobs/${LAYER.digest}` }).end(),
  );
  const image = opened(`${registry.host}/a/b:v1`, { credentials });
  expect(await bytesOf(image.blob(LAYER, NEVER))).toHaveLength(LAYER.size);
  expect(registry.asked.at(-1)).toMatchObject({ path: `/v2/c/blobs/${LAYER.digest}`, authorization: BASIC });
});

test("there and back again: still without them, and another host that wants credentials gets none", async () => {
  const registry = await scriptedRegistry(IMAGE, { challenge: () => 'Basic realm="x"', accepts: [BASIC] });
  const store = await scriptedRegistry(IMAGE, { challenge: () => 'Basic realm="y"', accepts: [BASIC] });
  const image = opened(`${registry.host}/a/b:v1`, { credentials });
  redirecting(registry, `https://${store.host}/v2/a/b/blobs/${LAYER.digest}`);
  const failure = await failureOf(bytesOf(image.blob(LAYER, NEVER)));
  expect(failure.message).toContain(
    `the host ${store.host}, to which the registry ${registry.host} redirects, fails to read`,
  );
  store.faults.set("/blobs/", (_, response) =>
    response.writeHead(307, { location: `https://${registry.host}/v2/back/manifests/v1` }).end(),
  );
  await failureOf(bytesOf(image.blob(LAYER, NEVER)));
  expect(registry.asked.at(-1)).toMatchObject({ path: "/v2/back/manifests/v1", authorization: undefined });
  expect(store.asked.map(({ authorization }) => authorization)).toEqual(store.asked.map(() => undefined));
});

test.for([
  ["http://HOST/x", 'redirects to "HOST" by http, and only https is followed'],
  ["ftp://HOST/x", 'redirects to "HOST" by ftp, and only https is followed'],
  ["file:///etc/passwd", 'redirects to "file:" by file, and only https is followed'],
  ["javascript:alert(1)", 'redirects to "javascript:" by javascript, and only https is followed'],
  ["https://169.254.169.254/latest/meta-data", 'redirects to "169.254.169.254", which is a link-local address'],
  ["https://user:pass@169.254.1.1:8443/", 'redirects to "169.254.1.1:8443", which is a link-local address'],
  ["https://0xa9fea9fe/", 'redirects to "169.254.169.254", which is a link-local address'],
  ["https://[fe80::1]/", 'redirects to "[fe80::1]", which is a link-local address'],
  ["https://[::ffff:169.254.169.254]/", 'redirects to "[::ffff:a9fe:a9fe]", which is a link-local address'],
  ["https://[64:ff9b::169.254.169.254]/", 'redirects to "[64:ff9b::a9fe:a9fe]", which is a link-local address'],
  ["https://[fd00:ec2::254]/", 'redirects to "[fd00:ec2::254]", which is a metadata service'],
  ["https://metadata.google.internal/", 'redirects to "metadata.google.internal", which is a metadata service'],
  ["https://Metadata.Google.Internal./", 'redirects to "metadata.google.internal.", which is a metadata service'],
  ["https://[bad/", "redirects to something that is not an address"],
  ["", "redirects without an address"],
])("refused, also on loopback: %s", async ([location, message]) => {
  const registry = await scriptedRegistry(IMAGE);
  const at = (text: string): string => text.replaceAll("HOST", registry.host);
  const image = opened(`${registry.host}/a/b:v1`);
  redirecting(registry, location === "" ? undefined : at(location as string));
  const failure = await failureOf(bytesOf(image.blob(LAYER, NEVER)));
  expect(failure.message).toBe(`the registry ${registry.host} ${at(message as string)}`);
  expect(failure.help).toBeDefined();
  expect(registry.asked).toHaveLength(1);
});

test.for([
  "https://127.0.0.1:PORT/",
  "https://localhost:PORT/",
  "https://[::1]:PORT/",
  "https://0.0.0.0:PORT/",
  "https://a.localhost:PORT/",
])("refused from outside: %s", async (location) => {
  const here = await scriptedRegistry(IMAGE);
  const registry = await scriptedRegistry(IMAGE, { name: "elsewhere" });
  redirecting(registry, location.replace("PORT", String(here.port)));
  const { environment } = await outside(registry);
  const failure = await failureOf(bytesOf(opened("elsewhere.example/a/b:v1", { environment }).blob(LAYER, NEVER)));
  expect(failure.message).toMatch(/^the registry elsewhere\.example redirects to ".*:\d+", which is this machine$/);
  expect(here.asked).toHaveLength(0);
});

test("a long address", async () => {
  const registry = await scriptedRegistry(IMAGE);
  redirecting(registry, `https://x.example/${"a".repeat(9000)}`);
  const failure = await failureOf(bytesOf(opened(`${registry.host}/a/b:v1`).blob(LAYER, NEVER)));
  expect(failure.message).toBe(`the registry ${registry.host} redirects to an address of more than 8 KiB`);
});

function resolving(addresses: Readonly<Record<string, readonly string[]>>): LookupFunction {
  return (name, options, done) => {
    const found = (addresses[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    if (options.all) done(null, found);
    else done(null, found[0]?.address ?? "", found[0]?.family);
  };
}

test.for([
  ["169.254.169.254", "a link-local address"],
  ["fe80::7", "a link-local address"],
  ["::ffff:169.254.0.1", "a link-local address"],
  ["100.100.100.200", "a metadata service"],
])("a name whose address is %s", async ([address, what]) => {
  const registry = await scriptedRegistry(IMAGE);
  redirecting(registry, "https://cdn.example/x");
  const lookup = resolving({ "cdn.example": ["192.0.2.1", address as string] });
  const failure = await failureOf(bytesOf(opened(`${registry.host}/a/b:v1`, { lookup }).blob(LAYER, NEVER)));
  expect(failure.message).toBe(
    `the registry ${registry.host} redirects to "cdn.example", whose address "${address}" is ${what}`,
  );
});

test("a name that leads to this machine: from loopback it may, from outside not", async () => {
  const store = await scriptedRegistry(IMAGE, { name: "elsewhere" });
  const lookup = resolving({ "elsewhere.example": ["127.0.0.1"], "registry.example": ["127.0.0.1"] });
  const environment = { SSL_CERT_FILE: `${CERTIFICATES}/authority.crt` };
  const location = `https://elsewhere.example:${store.port}/v2/a/b/blobs/${LAYER.digest}`;
  const here = await scriptedRegistry(IMAGE);
  redirecting(here, location);
  const image = opened(`${here.host}/a/b:v1`, { environment, lookup });
  expect(await bytesOf(image.blob(LAYER, NEVER))).toHaveLength(LAYER.size);
  const registry = await scriptedRegistry(IMAGE);
  redirecting(registry, location);
  const name = `registry.example:${registry.port}`;
  const outer = opened(`${name}/a/b:v1`, { environment, lookup, insecure: [name] });
  expect((await failureOf(bytesOf(outer.blob(LAYER, NEVER)))).message).toBe(
    `the registry ${name} redirects to "elsewhere.example:${store.port}", whose address "127.0.0.1" is that of this machine`,
  );
});

test("from http to https", async () => {
  const store = await scriptedRegistry(IMAGE);
  const registry = await scriptedRegistry(IMAGE, { plain: true });
  redirecting(registry, `https://${store.host}/v2/a/b/blobs/${LAYER.digest}`);
  expect(await bytesOf(opened(`${registry.host}/a/b:v1`).blob(LAYER, NEVER))).toHaveLength(LAYER.size);
});

test("five redirects are followed, and a loop ends", async () => {
  const registry = await scriptedRegistry(IMAGE);
  registry.faults.set("/blobs/", ({ url = "" }, response) => {
    const count = Number(/\?(\d)/.exec(url)?.[1] ?? 0);
    if (count === 5) response.end(IMAGE.blobs[LAYER.digest]);
    else response.writeHead(302, { location: `${url.replace(/\?.*/, "")}?${count + 1}` }).end();
  });
  const image = opened(`${registry.host}/a/b:v1`);
  expect(await bytesOf(image.blob(LAYER, NEVER))).toHaveLength(LAYER.size);
  redirecting(registry, `/v2/a/b/blobs/${LAYER.digest}`);
  const failure = await failureOf(bytesOf(image.blob(LAYER, NEVER)));
  expect(failure.message).toBe(
    `the registry ${registry.host} redirects again and again, the last time from "${registry.host}"`,
  );
  expect(registry.asked).toHaveLength(12);
});

test("a certificate of an unknown authority, and of another host", async () => {
  const registry = await scriptedRegistry(IMAGE, { name: "elsewhere" });
  const { environment, proxy } = await outside(registry, { "other.example:443": registry.port });
  expect((await opened("elsewhere.example/a/b:v1", { environment }).manifest(NEVER)).digest).toBe(IMAGE.digest);
  const renamed = await failureOf(opened("other.example/a/b:v1", { environment }).manifest(NEVER));
  expect(renamed).toMatchObject({
    kind: "certificate",
    message:
      'the certificate of the registry other.example is not accepted: it is for "elsewhere.example", not for "other.example"',
  });
  const strange = opened("elsewhere.example/a/b:v1", { environment: { HTTPS_PROXY: proxy.url } });
  expect(await failureOf(strange.manifest(NEVER))).toMatchObject({
    kind: "certificate",
    help: "put the authority that signed it into ~/.config/containers/certs.d/elsewhere.example/ca.crt, or name its file in SSL_CERT_FILE",
  });
  // Named insecure, it is not verified.
  const insecure = opened("other.example/a/b:v1", { environment, insecure: ["other.example"] });
  expect((await insecure.manifest(NEVER)).digest).toBe(IMAGE.digest);
});

test("a registry that is named insecure may speak http, others not", async () => {
  const registry = await scriptedRegistry(IMAGE, { plain: true });
  const { proxy } = await outside(registry);
  const port = registry.port;
  const routed = await proxyTo({ [`plain.example:${port}`]: port });
  const environment = { HTTPS_PROXY: routed.url, HTTP_PROXY: routed.url };
  const name = `plain.example:${port}`;
  expect((await opened(`${name}/a/b:v1`, { environment, insecure: [name] }).manifest(NEVER)).digest).toBe(IMAGE.digest);
  const failure = await failureOf(opened(`${name}/a/b:v1`, { environment }).manifest(NEVER));
  expect(failure.message).toBe(`the registry ${name} does not speak TLS`);
  expect(proxy.asked).toHaveLength(0);
});

test("a server's words are shown without the credentials that it repeats", async () => {
  const registry = await scriptedRegistry(IMAGE, { challenge: () => 'Basic realm="x"', accepts: [BASIC] });
  registry.faults.set("/blobs/", ({ headers }, response) =>
    headers.authorization === undefined
      ? false
      : errors(response, 403, "DENIED", `you sent ${headers.authorization} or pass-word-1`),
  );
  const failure = await failureOf(bytesOf(opened(`${registry.host}/a/b:v1`, { credentials }).blob(LAYER, NEVER)));
  expect(failure.message).toContain("you sent Basic [hidden] or [hidden]");
});
