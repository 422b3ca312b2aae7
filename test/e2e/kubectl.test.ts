// Does kubectl see the same cluster, with a kubeconfig of the tests and through their proxy?

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { CERTIFICATES } from "./authority.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type ApiProxy, startProxy } from "./proxy.ts";

const { server, tokens, servers } = inject("cluster");
const folder = mkdtempSync(join(tmpdir(), "plimsoll-kubectl-"));
let proxy: ApiProxy;
beforeAll(async () => {
  proxy = await startProxy({ server });
});
afterAll(async () => {
  await proxy.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What kubectl prints for a user. */
async function kubectl(user: JsonObject, at: string, ...args: readonly string[]): Promise<string> {
  const kubeconfig = writeKubeconfig(folder, { server: at, name: "tester", user, namespace: "cargo" });
  const flags = ["--kubeconfig", kubeconfig, "--cache-dir", join(folder, "cache")];
  const { stdout } = await promisify(execFile)(join(servers, "kubectl"), [...args, ...flags]);
  return stdout;
}

test("it reads through the proxy", async () => {
  const printed = await kubectl({ token: tokens.admin as string }, proxy.server, "get", "mcl", "-o", "name");
  expect(printed.split("\n")).toContain("managedcluster.cluster.open-cluster-management.io/auckland");
  expect(proxy.seen.some(({ path }) => path.endsWith("/managedclusters"))).toBe(true);
});

test("the namespace of the context counts", async () => {
  const printed = await kubectl({ token: tokens.admin as string }, server, "get", "subs", "-o", "name");
  expect(printed.split("\n").filter(Boolean)).toHaveLength(2);
});

test("it may show a client certificate", async () => {
  const data = (name: string) => readFileSync(join(CERTIFICATES, name)).toString("base64");
  const user = { "client-certificate-data": data("client.pem"), "client-key-data": data("client.key") };
  expect(await kubectl(user, server, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")).toBe("cert-user");
});
