// Is `kubectl plimsoll` the same command with kubectl's habits? kubectl finds it as kubectl-plimsoll in PATH.

import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { type Ran, runCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { makePlugin, PLUGIN, runKubectl } from "./kubectl.ts";

const { server, tokens, servers } = inject("cluster");
const folder = testFolder("plugin");
const { bin, PATH } = makePlugin(folder);
const CATALOG = ["--catalog", "harbour=examples/harbour/catalog"];
const user = { token: tokens.admin as string };
const KUBECONFIG = writeKubeconfig(folder, { server, name: "harbour-hub", user, namespace: "bridge" });

function kubectl(...args: readonly string[]): Promise<Ran> {
  return runKubectl({ servers, kubeconfig: KUBECONFIG, home: folder }, args, { PATH });
}

describe("kubectl plimsoll", () => {
  test.each([
    [["resolve", "--live", ...CATALOG]],
    [["resolve", "-n", "chandlery", "--context", "harbour-hub", ...CATALOG]],
    [["resolve", "-A", "--context=harbour-hub", ...CATALOG]],
    [["place", "-n", "default", "placement2"]],
    [["place", "-A", "-o", "name"]],
    [["explain", "foghorn", "-n", "bridge", "--live", ...CATALOG]],
    [["resolve", "--live", "-n", "no-such-namespace", ...CATALOG]],
  ])("%j", async (args) => {
    const [plugin, plain] = await Promise.all([kubectl("plimsoll", ...args), runCommand(args, folder, { KUBECONFIG })]);
    expect(plugin.out).toBe(plain.out);
    expect(plugin.err).toBe(plain.err);
    expect(plugin.code).toBe(plain.code);
    expect(plugin.err).toContain("reading the cluster of context harbour-hub");
  });

  test("is in the list of plugins", async () => {
    const { code, out } = await kubectl("plugin", "list");
    expect(out).toContain(join(bin, PLUGIN));
    expect(code).toBe(0);
  });
});
