// To whom are credentials sent, and is any of them ever in a message?
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { NetFailure } from "../../src/net/failure.ts";
import { type Credentials, type Login, loginOf } from "../../src/oci/login.ts";
import { failureOf } from "../kube/scripted-server.ts";
import {
  bytesOf,
  errors,
  NEVER,
  opened,
  type ScriptedRegistry,
  scriptedRegistry,
  testImage,
} from "./scripted-registry.ts";

const IMAGE = testImage([Buffer.from("layer")]);
const [LAYER] = IMAGE.layers as [(typeof IMAGE.layers)[number]];
const PASSWORD = "hunter2-hunter2";
const IDENTITY = "identity~token~1";
const TOKEN = "opaque-token-of-the-server";
const LOGIN = loginOf('the file "auth.json"', "me", PASSWORD);
const WANTED = 'Bearer realm="REALM/token",service="registry.test",scope="repository:a/b:pull"';

/** Logins by host. */
function stored(logins: Readonly<Record<string, Login>>): Credentials & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    login: async (registry, repository) => {
      asked.push(repository === undefined ? registry : `${registry}/${repository}`);
      return Object.hasOwn(logins, registry) ? logins[registry] : undefined;
    },
  };
}

/** A registry that wants a token from a server: itself, or another one. */
async function wantingToken(realm?: string): Promise<ScriptedRegistry> {
  const registry = await scriptedRegistry(IMAGE, {
    challenge: ({ host }) => WANTED.replace("REALM", realm ?? `https://${host}`),
    accepts: [`Bearer ${TOKEN}`],
  });
  givingToken(registry);
  return registry;
}

function givingToken({ faults }: ScriptedRegistry, answer: unknown = { token: TOKEN }): void {
  faults.set("/token", (_, response) => response.writeHead(200, {}).end(JSON.stringify(answer)));
}

/** Whatever prints it: neither the password nor a token. */
function expectNoSecrets(failure: NetFailure): void {
  const shown = [failure.message, failure.stack, failure.help, JSON.stringify(failure), inspect(failure, { depth: 9 })];
  for (const secret of [PASSWORD, IDENTITY, TOKEN, LOGIN.basic().slice(6)]) expect(shown.join()).not.toContain(secret);
}

test("an anonymous token, asked for once", async () => {
  const registry = await wantingToken();
  const image = opened(`${registry.host}/a/b:v1`);
  await image.manifest(NEVER);
  await bytesOf(image.blob(LAYER, NEVER));
  expect(registry.asked.map(({ path, authorization }) => [path, authorization])).toEqual([
    ["/v2/a/b/manifests/v1", undefined],
    ["/token?service=registry.test&scope=repository%3Aa%2Fb%3Apull", undefined],
    ["/v2/a/b/manifests/v1", `Bearer ${TOKEN}`],
    [`/v2/a/b/blobs/${LAYER.digest}`, `Bearer ${TOKEN}`],
  ]);
});

test("a token for a login, on the host of the registry; access_token is one, too", async () => {
  const registry = await wantingToken();
  givingToken(registry, { access_token: TOKEN });
  const credentials = stored({ [registry.host]: LOGIN });
  await opened(`${registry.host}/a/b:v1`, { credentials }).manifest(NEVER);
  expect(registry.asked[1]?.authorization).toBe(LOGIN.basic());
  expect(credentials.asked).toEqual([`${registry.host}/a/b`]);
});

test("an identity token is posted", async () => {
  const registry = await wantingToken();
  const credentials = stored({ [registry.host]: loginOf("x", "<token>", IDENTITY) });
  await opened(`${registry.host}/a/b:v1`, { credentials }).manifest(NEVER);
  expect(registry.asked[1]).toMatchObject({ method: "POST", path: "/token", authorization: undefined });
  expect(Object.fromEntries(new URLSearchParams(registry.asked[1]?.body))).toEqual({
    grant_type: "refresh_token",
    client_id: "plimsoll",
    refresh_token: IDENTITY,
    service: "registry.test",
    scope: "repository:a/b:pull",
  });
});

test("a token that has expired is renewed once", async () => {
  const registry = await wantingToken();
  const image = opened(`${registry.host}/a/b:v1`);
  await image.manifest(NEVER);
  registry.faults.set("/blobs/", (_, response) => {
    registry.faults.delete("/blobs/");
    errors(response, 401, "UNAUTHORIZED", "expired", {
      "www-authenticate": WANTED.replace("REALM", `https://${registry.host}`),
    });
  });
  expect(await bytesOf(image.blob(LAYER, NEVER))).toHaveLength(LAYER.size);
  expect(registry.asked.filter(({ path }) => path.startsWith("/token"))).toHaveLength(2);
});

test("a token server on another host: the credentials are not sent, the token is anonymous", async () => {
  const other = await scriptedRegistry(IMAGE);
  givingToken(other, { token: "anonymous" });
  // The same machine, but another name.
  const realm = `https://localhost:${other.port}`;
  const registry = await wantingToken(realm);
  const credentials = stored({ [registry.host]: LOGIN });
  const failure = await failureOf(opened(`${registry.host}/a/b:v1`, { credentials }).manifest(NEVER));
  expect(other.asked.map(({ authorization }) => authorization)).toEqual([undefined]);
  expect(failure).toMatchObject({
    kind: "unauthorized",
    message: `the registry ${registry.host} wants credentials for the image ${registry.host}/a/b:v1 on another host, localhost:${other.port}, and those for ${registry.host} were not sent there`,
    help: `if you trust both, log in to ${registry.host} and to localhost:${other.port}: credentials that are stored for localhost:${other.port} are used then`,
  });
  expectNoSecrets(failure);
  // An anonymous token may be enough.
  givingToken(other);
  expect((await opened(`${registry.host}/a/b:v1`, { credentials }).manifest(NEVER)).digest).toBe(IMAGE.digest);
  // Credentials that are stored for that host are meant for it.
  const both = stored({ [registry.host]: LOGIN, [`localhost:${other.port}`]: loginOf("x", "you", "other-password") });
  await opened(`${registry.host}/a/b:v1`, { credentials: both }).manifest(NEVER);
  expect(other.asked.at(-1)?.authorization).toBe(loginOf("x", "you", "other-password").basic());
});

test("a registry without a login gets no token that a login for another host gives", async () => {
  const other = await scriptedRegistry(IMAGE);
  givingToken(other);
  const [elsewhere, registry] = [`localhost:${other.port}`, await wantingToken(`https://localhost:${other.port}`)];
  const credentials = stored({ [elsewhere]: LOGIN });
  await opened(`${registry.host}/a/b:v1`, { credentials }).manifest(NEVER);
  expect(other.asked.map(({ authorization }) => authorization)).toEqual([undefined]);
  expect(credentials.asked).not.toContain(elsewhere);
});

test.for([
  ["http://token.example", "by http, and only https is used"],
  ["ftp://token.example", "by ftp, and only https is used"],
  ["https://169.254.169.254", ", which is a link-local address"],
  ["https://metadata.google.internal", ", which is a metadata service"],
  ["not an address", "and does not say where from"],
])("a token server that is not asked: %s", async ([realm, message]) => {
  const registry = await wantingToken(realm as string);
  const credentials = stored({ [registry.host]: LOGIN });
  const failure = await failureOf(opened(`${registry.host}/a/b:v1`, { credentials }).manifest(NEVER));
  expect(failure.message).toContain(`the registry ${registry.host} wants a token`);
  expect(failure.message).toContain(message as string);
});

test.for<[string, (registry: ScriptedRegistry) => void, RegExp]>([
  ["rubbish", (registry) => givingToken(registry, "x"), /gives no token$/],
  ["a number", (registry) => givingToken(registry, { token: 7 }), /gives a token that is no text$/],
  [
    "a header of its own",
    (registry) => givingToken(registry, { token: "a\r\nX-Injected: 1" }),
    /gives a token that cannot be sent$/,
  ],
  [
    "a long token",
    (registry) => givingToken(registry, { token: "a".repeat(70_000) }),
    /gives a token that cannot be sent$/,
  ],
  [
    "a redirect",
    ({ faults }) =>
      faults.set("/token", (_, response) => response.writeHead(302, { location: "https://x.example" }).end()),
    /answers with status 302 instead of a token$/,
  ],
  [
    "an error",
    ({ faults }) => faults.set("/token", (_, response) => response.writeHead(404).end()),
    /answers with status 404 instead of a token$/,
  ],
  [
    "an outage",
    ({ faults }) => faults.set("/token", (_, response) => response.writeHead(503).end()),
    /fails to read the token with status 503: .* \(after 5 attempts\)$/,
  ],
])("a token server that gives %s", async ([, script, message]) => {
  const registry = await wantingToken();
  script(registry);
  const failure = await failureOf(opened(`${registry.host}/a/b:v1`).manifest(NEVER));
  expect(failure.message).toMatch(message);
  expect(failure.message).toContain(`the token server ${registry.host}`);
});

test("a token server without an end is left after 256 KiB", async () => {
  const registry = await wantingToken();
  let sent = 0;
  const ended = new Promise<void>((resolve) => {
    registry.faults.set("/token", (_, response) => {
      response.on("close", resolve);
      const more = (): void => {
        if (response.destroyed || sent > 1e9) return;
        sent += 65_536;
        response.write(Buffer.alloc(65_536, "x"), () => setImmediate(more));
      };
      more();
    });
  });
  const failure = await failureOf(opened(`${registry.host}/a/b:v1`).manifest(NEVER));
  expect(failure.message).toMatch(/answers with more than 256 KiB$/);
  await ended;
  expect(sent).toBeLessThan(100e6);
});

test("a registry that refuses every token", async () => {
  const registry = await wantingToken();
  givingToken(registry, { token: "never enough".replaceAll(" ", "-") });
  const credentials = stored({ [registry.host]: LOGIN });
  const failure = await failureOf(opened(`${registry.host}/a/b:v1`, { credentials }).manifest(NEVER));
  expect(failure.message).toBe(
    `the registry ${registry.host} does not accept the credentials of the file "auth.json" for the image ${registry.host}/a/b:v1`,
  );
  expect(registry.asked).toHaveLength(3);
  expectNoSecrets(failure);
});

test("wrong credentials at the token server", async () => {
  const registry = await wantingToken();
  registry.faults.set("/token", (request, response) =>
    errors(response, 401, "UNAUTHORIZED", `no: ${request.headers.authorization} ${PASSWORD}`),
  );
  const failure = await failureOf(
    opened(`${registry.host}/a/b:v1`, { credentials: stored({ [registry.host]: LOGIN }) }).manifest(NEVER),
  );
  expect(failure).toMatchObject({ kind: "unauthorized", help: `log in again: podman login ${registry.host}` });
  expectNoSecrets(failure);
});

test("no credentials", async () => {
  const registry = await scriptedRegistry(IMAGE, { challenge: () => 'Basic realm="Registry"' });
  expect(await failureOf(opened(`${registry.host}/a/b:v1`).manifest(NEVER))).toMatchObject({
    kind: "unauthorized",
    message: `the registry ${registry.host} wants credentials for the image ${registry.host}/a/b:v1, and there are none for it`,
    help: `log in with podman login ${registry.host}, or check the name: registries also refuse images that do not exist`,
  });
  expect(registry.asked).toHaveLength(1);
});

test.for([
  ["Negotiate", 'in a way that is not supported: "negotiate"'],
  ["", "in a way that is not supported: it does not say how"],
  ["\u00e9\u00e9, ,,= x", "in a way that is not supported"],
])("another challenge: %j", async ([challenge, message]) => {
  const registry = await scriptedRegistry(IMAGE, { challenge: () => challenge as string });
  const failure = await failureOf(
    opened(`${registry.host}/a/b:v1`, { credentials: stored({ [registry.host]: LOGIN }) }).manifest(NEVER),
  );
  expect(failure.message).toContain(message as string);
  expect(registry.asked).toHaveLength(1);
});

test("a program that fails to give the login is a reason only if the registry refuses", async () => {
  const broken = new NetFailure("credentials", "the credential helper is not installed");
  const credentials: Credentials = { login: () => Promise.reject(broken) };
  const open = await wantingToken();
  expect((await opened(`${open.host}/a/b:v1`, { credentials }).manifest(NEVER)).digest).toBe(IMAGE.digest);
  const closed = await scriptedRegistry(IMAGE, { challenge: () => 'Basic realm="Registry"' });
  expect(await failureOf(opened(`${closed.host}/a/b:v1`, { credentials }).manifest(NEVER))).toBe(broken);
});

test("another scope than reading is not asked for", async () => {
  const registry = await scriptedRegistry(IMAGE, {
    challenge: ({ host }) => `Bearer realm="https://${host}/token",scope="repository:a/b:pull,push registry:catalog:*"`,
    accepts: [`Bearer ${TOKEN}`],
  });
  givingToken(registry);
  await opened(`${registry.host}/a/b:v1`).manifest(NEVER);
  expect(registry.asked[1]?.path).toBe("/token?scope=repository%3Aa%2Fb%3Apull");
});
