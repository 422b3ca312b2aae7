// With which credentials is a server asked, and what is said if there are none?
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ApiServer } from "../../src/kube/api-server.ts";
import { inClusterConnection } from "../../src/kube/connection.ts";
import { atEnd } from "../at-end.ts";
import {
  type Answer,
  api,
  base64,
  certificate,
  connection,
  failureOf,
  file,
  folder,
  json,
  kubeconfig,
  scripted,
  status,
} from "./scripted-server.ts";

const OK = json({ kind: "Thing" });
const API_VERSION = "client.authentication.k8s.io/v1";

/** The headers of a request by this user. */
async function headersOf(user: object, choice = {}): Promise<Record<string, unknown>> {
  const { url, requests } = await scripted(OK);
  await api(kubeconfig(url, { user }), {}, choice).server.get("/version");
  return requests[0]?.headers ?? {};
}

/** A credential plugin: a program for Node. */
function plugin(program: string, more: object = {}): { exec: object } {
  return {
    exec: {
      apiVersion: API_VERSION,
      command: process.execPath,
      args: ["-e", program],
      interactiveMode: "Never",
      ...more,
    },
  };
}

function printing(credential: object): string {
  return `console.log(${JSON.stringify(JSON.stringify(credential))})`;
}

function credential(credentialStatus: object): object {
  return { kind: "ExecCredential", apiVersion: API_VERSION, status: credentialStatus };
}

test("a token, of digits too", async () => {
  expect(await headersOf({ token: "abc" })).toMatchObject({ authorization: "Bearer abc" });
  const { url, requests } = await scripted(OK);
  const config = JSON.stringify(kubeconfig(url, { user: { token: "TOKEN" } })).replace('"TOKEN"', "00123e4");
  await api(config).server.get("/version");
  expect(requests[0]?.headers.authorization).toBe("Bearer 00123e4");
});

test("a token file counts before a token, is relative to the kubeconfig, and is read again after a 401", async () => {
  const directory = folder();
  const needsNew: Answer = (request, response) =>
    (request.headers.authorization === "Bearer new" ? OK : status(401, "Unauthorized"))(request, response);
  const { url, requests } = await scripted([needsNew]);
  writeFileSync(join(directory, "token"), "old\n");
  const path = file(kubeconfig(url, { user: { token: "wrong", tokenFile: "token" } }), join(directory, "config"));
  const { server } = api(undefined, {}, { kubeconfig: path });
  expect((await failureOf(server.get("/version"))).kind).toBe("unauthorized");
  expect(requests).toHaveLength(1);
  writeFileSync(join(directory, "token"), "new\n");
  await server.get("/version");
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer old", "Bearer new"]);
});

test("a user name and a password, also in the address", async () => {
  expect(await headersOf({ username: "ann", password: "pass:word" })).toMatchObject({
    authorization: `Basic ${base64("ann:pass:word")}`,
  });
  const { url, requests } = await scripted(OK);
  const address = url.replace("://", "://ann:p%40ss@");
  const { server } = api(kubeconfig(address));
  await server.get("/version");
  expect(requests[0]?.headers.authorization).toBe(`Basic ${base64("ann:p@ss")}`);
  expect(connection(kubeconfig(address)).server).toBe(url);
});

test("a client certificate, as data and as files", async () => {
  const { url } = await scripted(OK, { clientAuthority: true });
  const data = {
    "client-certificate-data": base64(certificate("client.crt")),
    "client-key-data": base64(certificate("client.key")),
  };
  await api(kubeconfig(url, { user: data })).server.get("/version");
  const directory = folder();
  for (const name of ["client.crt", "client.key", "authority.crt"])
    writeFileSync(join(directory, name), certificate(name));
  const files = { "client-certificate": "client.crt", "client-key": "client.key" };
  const config = kubeconfig(url, {
    user: files,
    cluster: { "certificate-authority-data": undefined, "certificate-authority": "authority.crt" },
  });
  await api(undefined, {}, { kubeconfig: file(config, join(directory, "config")) }).server.get("/version");
  const without = await failureOf(api(kubeconfig(url)).server.get("/version"));
  expect(without.kind).toBe("unauthorized");
  expect(without.message).toContain("does not accept the client certificate");
  const half = await failureOf(
    api(kubeconfig(url, { user: { "client-key": "client.key" } }), {}).server.get("/version"),
  );
  expect(half.kind).toBe("config");
});

test("a certificate and a key that do not fit", async () => {
  const { url } = await scripted(OK);
  const user = {
    "client-certificate-data": base64(certificate("client.crt")),
    "client-key-data": base64(certificate("server.key")),
  };
  expect((await failureOf(api(kubeconfig(url, { user })).server.get("/version"))).kind).toBe("credentials");
});

test("acting as another user", async () => {
  expect(await headersOf({}, { as: "système", asGroups: ["a", "b c"] })).toMatchObject({
    "impersonate-user": Buffer.from("système").toString("latin1"),
    "impersonate-group": "a, b c",
  });
  const written = { as: "bob", "as-groups": ["devs"], "as-uid": "42", "as-user-extra": { "a/b": ["x", "y"] } };
  expect(await headersOf(written)).toMatchObject({
    "impersonate-user": "bob",
    "impersonate-group": "devs",
    "impersonate-uid": "42",
    "impersonate-extra-a%2fb": "x, y",
  });
  const odd = { as: "bob", "as-user-extra": { "a(b)": ["x", { toString: "y" }], "\ud800": ["z"] } };
  expect(await headersOf(odd)).toMatchObject({
    "impersonate-extra-a%28b%29": "x",
    "impersonate-extra-%ef%bf%bd": "z",
  });
  expect(await headersOf(written, { as: "eve" })).toMatchObject({ "impersonate-user": "eve" });
  const alone = await failureOf(() => connection(kubeconfig("https://x"), { asGroups: ["g"] }));
  expect(alone).toMatchObject({ kind: "config", help: expect.stringContaining("--as") });
  const lines = await failureOf(() => connection(kubeconfig("https://x"), { as: "a\nAuthorization: b" }));
  expect(lines.kind).toBe("config");
});

test("over http, no credentials are sent", async () => {
  const { url, requests } = await scripted(OK, { plain: true });
  await api(kubeconfig(url, { user: { token: "abcdef" } })).server.get("/version");
  expect(requests[0]?.headers.authorization).toBeUndefined();
});

test("a credential plugin runs once, and again when the server refuses its token", async () => {
  const directory = folder();
  const count = join(directory, "count");
  const program = `
    const fs = require("node:fs");
    fs.appendFileSync(${JSON.stringify(count)}, "x");
    const token = "token-" + fs.readFileSync(${JSON.stringify(count)}).length;
    console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "${API_VERSION}", status: { token } }));`;
  const answers: Answer = (request, response) =>
    (request.headers.authorization === "Bearer token-1" && requests.length > 2 ? status(401, "expired") : OK)(
      request,
      response,
    );
  const { url, requests } = await scripted(answers);
  const { server } = api(kubeconfig(url, { user: plugin(program) }));
  await Promise.all([server.get("/a"), server.get("/b")]);
  expect(readFileSync(count, "utf8")).toBe("x");
  await Promise.all([server.get("/c"), server.get("/d")]);
  expect(readFileSync(count, "utf8")).toBe("xx");
  await server.get("/e");
  expect(readFileSync(count, "utf8")).toBe("xx");
  expect(requests.at(-1)?.headers.authorization).toBe("Bearer token-2");
});

test("a credential that has expired is asked for again, one that has not is kept", async () => {
  for (const [expirationTimestamp, runs] of [
    ["2001-01-01T00:00:00Z", 2],
    ["2999-01-01T00:00:00Z", 1],
  ] as const) {
    const count = join(folder(), "count");
    const program = `require("node:fs").appendFileSync(${JSON.stringify(count)}, "x");
      ${printing(credential({ token: "abcdef", expirationTimestamp }))}`;
    const { url } = await scripted(OK);
    const { server } = api(kubeconfig(url, { user: plugin(program) }));
    await server.get("/a");
    await server.get("/b");
    expect(readFileSync(count, "utf8")).toHaveLength(runs);
  }
});

test("a plugin that gives a client certificate", async () => {
  const { url } = await scripted(OK, { clientAuthority: true });
  const given = { clientCertificateData: certificate("client.crt"), clientKeyData: certificate("client.key") };
  await api(kubeconfig(url, { user: plugin(printing(credential(given))) })).server.get("/version");
});

test("what a plugin is given", async () => {
  const seen = join(folder(), "seen");
  const program = `
    require("node:fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify([process.env.KUBERNETES_EXEC_INFO, process.env.MINE]));
    ${printing(credential({ token: "abcdef" }))}`;
  const { url } = await scripted(OK);
  const cluster = {
    "tls-server-name": "localhost",
    extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "me" } }],
  };
  const user = plugin(program, { provideClusterInfo: true, env: [{ name: "MINE", value: "yes" }] });
  await api(kubeconfig(url, { user, cluster })).server.get("/version");
  const [info, mine] = JSON.parse(readFileSync(seen, "utf8"));
  expect(mine).toBe("yes");
  expect(JSON.parse(info)).toEqual({
    kind: "ExecCredential",
    apiVersion: API_VERSION,
    spec: {
      interactive: false,
      cluster: {
        server: url,
        "tls-server-name": "localhost",
        "certificate-authority-data": base64(certificate("authority.crt")),
        config: { audience: "me" },
      },
    },
  });
});

const SECRET = "s3cr3t-value-of-the-login";

test.for([
  [
    "fails",
    plugin(`console.error("no session\\nlog in: ${SECRET}"); process.exit(3)`, { env: [{ name: "S", value: SECRET }] }),
    /failed with exit code 3: no session log in: \[hidden\]$/,
  ],
  [
    "fails with a short password",
    plugin('console.error("not hunter2"); process.exit(3)', { env: [{ name: "S", value: "hunter2" }] }),
    /failed with exit code 3: not \[hidden\]$/,
  ],
  [
    "is killed",
    plugin('process.kill(process.pid, "SIGTERM"); setTimeout(() => undefined, 60000)'),
    /was ended by SIGTERM$/,
  ],
  ["prints nonsense", plugin(`console.log("${SECRET}")`), /did not print an ExecCredential$/],
  [
    "prints another version",
    plugin(printing({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1beta1", status: {} })),
    /printed an ExecCredential of "client.authentication.k8s.io\/v1beta1"/,
  ],
  ["prints no credential", plugin(printing(credential({}))), /neither a token nor a client certificate$/],
  ["prints half a certificate", plugin(printing(credential({ clientKeyData: SECRET }))), /certificate without its key/],
  [
    "prints a wrong time",
    plugin(printing(credential({ token: SECRET, expirationTimestamp: "soon" }))),
    /expirationTimestamp that is not a time$/,
  ],
  [
    "prints without end",
    plugin('process.stdout.write("x".repeat(3000000)); setInterval(() => undefined, 1000)'),
    /printed more than 1 MiB$/,
  ],
  [
    "is not installed",
    plugin("", { command: "no-such-plugin-for-plimsoll", installHint: "get it\nfrom https://example.com" }),
    /"no-such-plugin-for-plimsoll" of the user "me" is not installed$/,
  ],
  [
    "has an old apiVersion",
    plugin("", { apiVersion: "client.authentication.k8s.io/v1alpha1" }),
    /has the apiVersion "client.authentication.k8s.io\/v1alpha1"/,
  ],
  ["cannot be started", plugin("", { args: [`${SECRET}\u0000`] }), /cannot be started: ERR_INVALID_ARG_VALUE$/],
  ["has no command", plugin("", { command: undefined }), /has no command$/],
] as const)("a plugin that %s", async ([, user, message]) => {
  const { url, requests } = await scripted(OK);
  const failure = await failureOf(api(kubeconfig(url, { user })).server.get("/version"));
  expect(failure.message).toMatch(message);
  expect(["credentials", "config"]).toContain(failure.kind);
  expect(`${failure.message}${failure.help}${failure.stack}`).not.toContain(SECRET);
  expect(requests).toEqual([]);
  if (failure.message.endsWith("is not installed")) expect(failure.help).toBe("get it from https://example.com");
});

test("a plugin beside the kubeconfig", async () => {
  const { url } = await scripted(OK);
  const directory = folder();
  mkdirSync(join(directory, "bin"));
  writeFileSync(
    join(directory, "bin", "login"),
    `#!${process.execPath}\n${printing(credential({ token: "abcdef" }))}`,
    { mode: 0o755 },
  );
  const user = plugin("", { command: "./bin/login", args: [] });
  await api(undefined, {}, { kubeconfig: file(kubeconfig(url, { user }), join(directory, "config")) }).server.get(
    "/version",
  );
});

/** A plugin that hangs, with a child that hangs. */
function hanging(started: string): string {
  return `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "inherit" });
    require("node:fs").writeFileSync(${JSON.stringify(started)}, "");
    setInterval(() => undefined, 1000);`;
}

test("a plugin that hangs", async () => {
  const { url } = await scripted(OK);
  const user = plugin(hanging(join(folder(), "started")));
  const failure = await failureOf(api(kubeconfig(url, { user }), { requestTimeout: 50 }).server.get("/version"));
  expect(failure.kind).toBe("timeout");
  expect(failure.message).toMatch(/^the credential plugin ".*" of the user "me" did not end within 50 ms$/);
});

test("a plugin that hangs, and a user who does not wait", async () => {
  const { url } = await scripted(OK);
  const started = join(folder(), "started");
  const controller = new AbortController();
  const user = plugin(hanging(started));
  const asking = failureOf(api(kubeconfig(url, { user }), { signal: controller.signal }).server.get("/version"));
  while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  expect((await asking).kind).toBe("cancelled");
});

function webToken(payload: object): string {
  return ["{}", JSON.stringify(payload), "s"].map((part) => Buffer.from(part).toString("base64url")).join(".");
}

function oidc(config: object): object {
  return { "auth-provider": { name: "oidc", config } };
}

test("the token of an OIDC login, as long as it is valid", async () => {
  const token = webToken({ exp: 32_503_680_000 });
  expect(await headersOf(oidc({ "id-token": token }))).toMatchObject({ authorization: `Bearer ${token}` });
  const old = webToken({ exp: 1_000_000_000 });
  const expired = await failureOf(headersOf(oidc({ "id-token": old, "refresh-token": SECRET })));
  expect(expired).toMatchObject({ kind: "credentials", message: 'the id-token of the user "me" has expired' });
  expect((await failureOf(headersOf(oidc({})))).kind).toBe("credentials");
  const gcp = await failureOf(headersOf({ "auth-provider": { name: "gcp" } }));
  expect(gcp.message).toBe('the auth provider "gcp" of the user "me" is not supported');
});

test("inside of a cluster", async () => {
  const { url, port, requests } = await scripted(OK);
  const directory = folder();
  const environment = { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: String(port) };
  expect(inClusterConnection({ asGroups: [] }, environment, directory)).toBeUndefined();
  writeFileSync(join(directory, "token"), "pod-token\n");
  writeFileSync(join(directory, "namespace"), "shop\n");
  writeFileSync(join(directory, "ca.crt"), certificate("authority.crt"));
  const inside = inClusterConnection({ asGroups: [] }, environment, directory);
  expect(inside).toMatchObject({ context: undefined, server: url, namespace: "shop" });
  const server = new ApiServer(inside as NonNullable<typeof inside>);
  atEnd(() => server.close());
  await server.get("/version");
  expect(requests[0]?.headers.authorization).toBe("Bearer pod-token");
  expect(inClusterConnection({ asGroups: [] }, {}, directory)).toBeUndefined();
});
