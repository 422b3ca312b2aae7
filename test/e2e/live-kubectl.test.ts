// Is `kubectl plimsoll` the same command with kubectl's habits? kubectl finds it as kubectl-plimsoll in PATH.

import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { COMMAND, type Ran, runCommand, startProgram, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";

const { server, tokens, servers } = inject("cluster");
const folder = testFolder("plugin");
const bin = join(folder, "bin");
const CATALOG = ["--catalog", "harbour=examples/harbour/catalog"];
const user = { token: tokens.admin as string };
const KUBECONFIG = writeKubeconfig(folder, { server, name: "harbour-hub", user, namespace: "bridge" });
const PATH = [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);

beforeAll(() => {
  mkdirSync(bin);
  symlinkSync(COMMAND, join(bin, "kubectl-plimsoll"));
});

function kubectl(...args: readonly string[]): Promise<Ran> {
  return startProgram(join(servers, "kubectl"), args, folder, { KUBECONFIG, PATH }).ended;
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
    expect(out).toContain(join(bin, "kubectl-plimsoll"));
    expect(code).toBe(0);
  });
});
