// Do credentials appear in any output? Every kind of credentials, good and wrong, with -v, with an answer and without one.

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { base64, certificate } from "../certificates.ts";
import { type Ran, runCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type ApiProxy, type Fault, startProxy } from "./proxy.ts";

const { server, tokens } = inject("cluster");
const token = tokens.admin as string;
const folder = testFolder("credentials");

const WRONG = "wrong-token-of-the-tests-0123456789";
const PASSWORD = "a-password-of-the-tests";
const PLUGIN_SECRET = "plugin-argument-of-the-tests";
const BASIC = Buffer.from(`captain:${PASSWORD}`).toString("base64");

/** A script that is a credential plugin. */
function plugin(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o700);
  return path;
}

function exec(command: string): JsonObject {
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command,
      args: [PLUGIN_SECRET],
      env: [{ name: "PLUGIN_SECRET", value: `${PLUGIN_SECRET}-in-the-environment` }],
      interactiveMode: "Never",
    },
  };
}

const printed = (status: JsonObject): string =>
  JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status });
const data = (name: string): string => base64(certificate(name));
const key = certificate("client.key");

/** Every text that must not be printed. */
const SECRETS = [token, WRONG, PASSWORD, BASIC, PLUGIN_SECRET, data("client.key"), key.split("\n")[1] as string];

/** No secret, and no beginning of one that was cut off. */
function expectNoSecret({ out, err }: Ran): void {
  for (const secret of SECRETS)
    expect(`${out}${err}`.includes(secret.slice(0, 12)), `a secret of ${secret.length} bytes`).toBe(false);
}

async function resolveAs(user: JsonObject, at = server, ...flags: readonly string[]): Promise<Ran> {
  const kubeconfig = writeKubeconfig(folder, { server: at, name: "tester", user, namespace: "bridge" });
  const args = ["resolve", "--kubeconfig", kubeconfig, "--catalog", "harbour=examples/harbour/catalog", ...flags];
  const ran = await runCommand(args, folder);
  expectNoSecret(ran);
  return ran;
}

describe("good credentials give an answer", () => {
  writeFileSync(join(folder, "token"), `${token}\n`, { mode: 0o600 });
  test.each<[string, JsonObject]>([
    ["a token", { token }],
    ["a token file", { tokenFile: join(folder, "token") }],
    ["a credential plugin", exec(plugin("good", `cat <<END\n${printed({ token })}\nEND`))],
  ])("%s", async (_, user) => {
    for (const flag of ["-v", "-q"]) {
      const { code, out } = await resolveAs(user, server, flag);
      expect(code).toBe(0);
      expect(out).toContain("Resolved in namespace bridge: 2 to update");
    }
  });

  test("a client certificate, of a user without rights", async () => {
    const user = { "client-certificate-data": data("client.crt"), "client-key-data": data("client.key") };
    const { code, err } = await resolveAs(user, server, "-v");
    expect(code).toBe(4);
    expect(err).toContain('User "cert-user" cannot list resource "subscriptions"');
  });
});

describe("wrong credentials give a sentence", () => {
  test.each<[string, JsonObject, string]>([
    ["a token", { token: WRONG }, "does not accept the credentials: Unauthorized"],
    ["a password", { username: "captain", password: PASSWORD }, 'User "system:anonymous" cannot get path "/api"'],
    ["a token with a line end", { token: `${WRONG}\nx` }, "characters that a request cannot contain"],
    [
      "a plugin that fails and repeats everything",
      exec(plugin("bad", `echo "token=${WRONG} $1 $PLUGIN_SECRET Bearer ${token}" >&2; exit 7`)),
      "failed with exit code 7: token=[hidden]",
    ],
    ["a plugin that prints nonsense", exec(plugin("nonsense", `echo ${WRONG}`)), "did not print an ExecCredential"],
    [
      "a plugin with a wrong token",
      exec(plugin("wrong", `cat <<END\n${printed({ token: WRONG })}\nEND`)),
      "does not accept the credentials: Unauthorized",
    ],
    [
      "a plugin with a key that is none",
      exec(plugin("key", `cat <<END\n${printed({ clientCertificateData: WRONG, clientKeyData: PASSWORD })}\nEND`)),
      "the client certificate and its key do not fit, or cannot be read",
    ],
    ["a plugin that is not there", exec(join(folder, "gone")), "is not installed"],
  ])("%s", async (_, user, sentence) => {
    const { code, out, err } = await resolveAs(user, server, "-v");
    expect(err).toContain(sentence);
    expect(err).not.toContain("    at "); // a stack
    expect([code, out]).toEqual([4, ""]);
  });

  test("a password in the address", async () => {
    const { code, err } = await resolveAs({}, server.replace("//", `//captain:${PASSWORD}@`), "-v");
    expect(err).toContain(`reading the cluster of context tester (${server})`);
    expect(code).toBe(4);
  });
});

describe("a server that repeats the credentials", () => {
  let proxy: ApiProxy;
  beforeAll(async () => {
    proxy = await startProxy({ server });
  });
  afterAll(() => proxy.stop());

  const UNREAD = "Subscription objects could not be read, so the requests of OLM v0 are unknown: ";
  test.each<[string, Fault, string]>([
    [
      "in a Status",
      { is: "status", code: 403, reason: "Forbidden", message: `Bearer ${token} may not, ${token}` },
      "reading Subscription objects outside the namespace bridge is forbidden, so those of other namespaces are unknown\n",
    ],
    ["in a failure", { is: "status", code: 400, reason: "BadRequest", message: `token: ${token}` }, UNREAD],
    ["in a redirection", { is: "answer", code: 302, type: "text/plain", text: token }, UNREAD],
    ["in HTML", { is: "answer", code: 200, type: `text/html; token=${token}`, text: token }, UNREAD],
  ])("%s", async (_, fault, sentence) => {
    proxy.inject({ when: ({ path }) => path.endsWith("/subscriptions"), fault, times: 1 });
    const { code, err } = await resolveAs({ token }, proxy.server, "-v");
    expect(err).toContain(sentence);
    expect(code).toBe(4);
  });
});
