// Does kubectl see the same cluster, with a kubeconfig of the tests and through their proxy?

import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { base64, certificate } from "../certificates.ts";
import { testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { kubectlOutput } from "./kubectl.ts";
import { type ApiProxy, startProxy } from "./proxy.ts";

const { server, tokens, servers } = inject("cluster");
const folder = testFolder("kubectl");
let proxy: ApiProxy;
beforeAll(async () => {
  proxy = await startProxy({ server });
});
afterAll(() => proxy.stop());

/** What kubectl prints for a user. */
function kubectl(user: JsonObject, at: string, ...args: readonly string[]): Promise<string> {
  const kubeconfig = writeKubeconfig(folder, { server: at, name: "tester", user, namespace: "cargo" });
  return kubectlOutput({ servers, kubeconfig, home: folder }, args);
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
  const data = (name: string) => base64(certificate(name));
  const user = { "client-certificate-data": data("client.crt"), "client-key-data": data("client.key") };
  expect(await kubectl(user, server, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")).toBe("cert-user");
});
