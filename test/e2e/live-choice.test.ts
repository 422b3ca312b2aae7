// Which cluster, user and namespace does the command read, and what do files beside it change? As kubectl chooses them, and as
// the contract says.

import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { AUTHORITY } from "../certificates.ts";
import { type Environment, type Ran, runCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { startProxy } from "./proxy.ts";

const { server, tokens } = inject("cluster");
const folder = testFolder("choice");
const CATALOG = ["--catalog", "harbour=examples/harbour/catalog"];
const admin = { token: tokens.admin as string };

/** A kubeconfig of the administrator. */
function config(name: string, namespace?: string): string {
  return writeKubeconfig(folder, { server, name, user: admin, ...(namespace !== undefined && { namespace }) });
}

function ran(args: readonly string[], KUBECONFIG: string, more: Environment = {}): Promise<Ran> {
  return runCommand(args, folder, { KUBECONFIG, ...more });
}

/** The namespaces of an answer. */
const namespacesIn = ({ out }: Ran): readonly string[] =>
  [...out.matchAll(/in namespace (\S+):/g)].map(([, name = ""]) => name);

describe("the namespace", () => {
  test("is that of the context, if it has Subscriptions", async () => {
    expect(namespacesIn(await ran(["resolve", "--live", ...CATALOG], config("a", "chandlery")))).toEqual(["chandlery"]);
  });

  test.each([["default"], [undefined]])("is not %s, which has none: several have", async (namespace) => {
    const { code, out, err } = await ran(["resolve", "--live", ...CATALOG], config("a", namespace));
    expect(err).toContain("plimsoll: Subscriptions are in several namespaces: bridge, cargo, ");
    expect(err).toContain("; choose one with -n, or all with -A.");
    expect([code, out]).toEqual([2, ""]);
  });

  test("is that of -n, before that of the context", async () => {
    const answer = await ran(["resolve", "--live", "-n", "cargo", ...CATALOG], config("a", "chandlery"));
    expect(namespacesIn(answer)).toEqual(["cargo"]);
  });

  test("with -A is every one that has Subscriptions", async () => {
    const answer = await ran(["resolve", "--live", "-A", ...CATALOG], config("a", "chandlery"));
    expect(namespacesIn(answer)).toEqual([
      ...["bridge", "cargo", "chandlery", "drydock", "engine-room", "quay-north", "quay-south"],
    ]);
  });

  test("that does not exist is a no", async () => {
    const { code, err } = await ran(["resolve", "--live", "-n", "bridg", ...CATALOG], config("a"));
    expect(err).toContain("bridge");
    expect(code).toBe(1);
  });
});

/** What an answer does with each package. */
const actionsIn = ({ out }: Ran): readonly string[] =>
  [...out.matchAll(/^((?:update|keep|install) +\S+ +\S+(?: → \S+)?)/gm)].map(([, action = ""]) => action);

/** Writes a Subscription to a file. */
function subscription(name: string, spec: JsonObject, namespace?: string): string {
  const path = join(folder, `${name}-${Object.values(spec).join("-")}.json`);
  const object = {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { name, source: "harbour", sourceNamespace: "olm", ...spec },
  };
  writeFileSync(path, JSON.stringify(object));
  return path;
}

describe("files beside the cluster", () => {
  const kubeconfig = config("a", "bridge");

  test("add objects", async () => {
    const file = subscription("almanac", { channel: "stable" }, "bridge");
    const before = await ran(["resolve", "--live", ...CATALOG], kubeconfig);
    const after = await ran(["resolve", "--live", "-f", file, ...CATALOG], kubeconfig);
    expect(before.out).not.toContain("almanac");
    expect(after.out).toMatch(/install +almanac/);
    expect(after.out).toMatch(/update +sextant +1\.6\.0 → 2\.0\.0/);
  });

  test("without a namespace are in that of the context", async () => {
    const file = subscription("almanac", { channel: "stable", startingCSV: "" });
    expect((await ran(["resolve", "--live", "-f", file, ...CATALOG], kubeconfig)).out).toMatch(/install +almanac/);
  });

  test("replace objects of the same kind, namespace and name", async () => {
    const file = subscription("foghorn", { channel: "no-such-channel" }, "bridge");
    const { code, out } = await ran(["resolve", "--live", "-f", file, ...CATALOG], kubeconfig);
    expect(out).toContain("no-such-channel");
    expect(out).not.toContain("foghorn at 3.0.0; available: 3.1.0");
    expect(code).toBe(1);
  });

  test.each([
    ["broken YAML", "metadata: {name: foghorn, namespace: bridge", "Subscription", "error[PL003]"],
    ["an object of the wrong shape", "metadata: {name: foghorn, namespace: bridge}", "Subscription", "error[PL009]"],
    ["a misspelt kind", "metadata: {name: foghorn, namespace: bridge}", "Subscripton", "warning[PL008]"],
  ])("replace nothing if they cannot be read: %s", async (name, metadata, kind, finding) => {
    const file = join(folder, `${name.replaceAll(" ", "-")}.yaml`);
    const spec = "spec: {name: foghorn, channel: 2, source: harbour, sourceNamespace: olm}";
    writeFileSync(file, `apiVersion: operators.coreos.com/v1alpha1\nkind: ${kind}\n${metadata}\n${spec}\n`);
    const alone = await ran(["resolve", "--live", ...CATALOG], kubeconfig);
    const beside = await ran(["resolve", "--live", "-f", file, ...CATALOG], kubeconfig);
    expect(beside.err).toContain(finding);
    expect(actionsIn(alone)).toHaveLength(3);
    expect(actionsIn(beside)).toEqual(actionsIn(alone));
    expect([alone.code, beside.code]).toEqual([0, 3]);
  });

  test("of a fleet replace Placements", async () => {
    const args = ["place", "--live", "default/placement2", "-o", "name"];
    const files = [
      "-f",
      "examples/harbour/what-if/old-placements.yaml",
      "-f",
      "examples/harbour/what-if/decisions.yaml",
    ];
    const [before, after] = [await ran(args, kubeconfig), await ran([...args, ...files], kubeconfig)];
    expect(before.code).toBe(0);
    expect(after.out).not.toBe(before.out);
  });
});

describe("the cluster", () => {
  test.each([
    // The images of the example's catalogs do not exist.
    ["resolve", 4, "Undecided in namespace bridge"],
    ["plan", 4, "Nothing planned in namespace bridge"],
    ["explain foghorn", 4, "foghorn 3.0.0 runs in namespace bridge"],
    ["place", 1, "✓ default/placement1"],
  ])("of the current context is read by %s without any input, which says so", async (line, expected, part) => {
    const { code, out, err } = await ran(line.split(" "), config("harbour-hub", "bridge"));
    expect(err).toContain(`plimsoll: reading the cluster of context harbour-hub (${server})\n`);
    expect(out).toContain(part);
    expect(code).toBe(expected);
  });

  test("is not read if files or catalogs are given", async () => {
    const { code, err } = await ran(["resolve", "foghorn", ...CATALOG], join(folder, "no-such-file"));
    expect(err).not.toContain("reading the cluster");
    expect(code).toBe(0);
  });

  test("that is not configured is missing, with what to do", async () => {
    for (const line of ["resolve", "place"]) {
      const { code, out, err } = await runCommand([line], folder);
      expect(err).toContain("plimsoll: no input, and no cluster to read: there is no kubeconfig");
      expect([code, out]).toEqual([2, ""]);
    }
  });

  test("is that of --context, from several files of KUBECONFIG", async () => {
    const files = [config("first", "bridge"), config("second", "chandlery")].join(delimiter);
    expect(namespacesIn(await ran(["resolve", "--live", ...CATALOG], files))).toEqual(["bridge"]);
    const second = await ran(["resolve", "--context", "second", ...CATALOG], files);
    expect(second.err).toContain("reading the cluster of context second");
    expect(namespacesIn(second)).toEqual(["chandlery"]);
  });

  test("that --context does not find is exit 4, with the contexts that there are", async () => {
    const { code, err } = await ran(["resolve", "--context", "secnd", ...CATALOG, "-A"], config("second"));
    expect(err).toContain('has no context "secnd"');
    expect(err).toContain('"second"');
    expect(code).toBe(4);
  });

  test("is that of --kubeconfig before KUBECONFIG, and that before the one of the home", async () => {
    const answer = await ran(["resolve", "--kubeconfig", config("named", "cargo"), ...CATALOG], config("environment"));
    expect(namespacesIn(answer)).toEqual(["cargo"]);
    const gone = await runCommand(["resolve", "--kubeconfig", join(folder, "gone"), "-A"], folder);
    expect(gone.err).toContain("gone");
    expect(gone.code).toBe(4);
  });

  test("is asked through its proxy-url", async () => {
    const cluster = { "proxy-url": "http://captain:a-password@127.0.0.1:1" };
    const kubeconfig = writeKubeconfig(folder, { server, name: "a", user: admin, cluster });
    const { code, err } = await ran(["resolve", "--live", "-A"], kubeconfig);
    expect(err).toContain("the proxy http://127.0.0.1:1 does not answer: connection refused");
    expect(err).not.toContain("a-password");
    expect(code).toBe(4);
  });
});

describe("the user", () => {
  const READER = "system:serviceaccount:plimsoll:plimsoll-reader";

  test("of --as and --as-group is sent to the server, which checks the rights of it", async () => {
    const proxy = await startProxy({ server });
    const kubeconfig = writeKubeconfig(folder, { server: proxy.server, name: "a", user: admin, namespace: "bridge" });
    const groups = ["--as-group", "system:serviceaccounts", "--as-group", "system:authenticated"];
    const args = ["resolve", "--no-instances", "--as", READER, ...groups, ...CATALOG];
    const { code, out } = await ran(args, kubeconfig);
    await proxy.stop();
    expect(out).toContain("Resolved in namespace bridge");
    expect(code).toBe(0);
    expect(new Set(proxy.seen.map(({ headers }) => headers["impersonate-user"]))).toEqual(new Set([READER]));
    expect(proxy.seen[0]?.headers["impersonate-group"]).toBe("system:serviceaccounts, system:authenticated");
  });

  test("of --as without rights: what it may not is named", async () => {
    const { code, err } = await ran(["resolve", "--as", "stranger", "-A", ...CATALOG], config("a"));
    expect(err).toContain('User "stranger" cannot list resource "subscriptions"');
    expect(code).toBe(4);
  });

  test("of --as-group alone is a mistake", async () => {
    const { code, err } = await ran(["resolve", "--as-group", "admins", "-A"], config("a"));
    expect(err).toContain("a group to act as is given without a user");
    expect(code).toBe(4);
  });
});

test("certificates of files in the kubeconfig are relative to it", async () => {
  const path = config("a", "bridge");
  writeFileSync(join(path, "..", "authority.crt"), AUTHORITY);
  const cluster = { "certificate-authority": "authority.crt" };
  const other = writeKubeconfig(join(path, ".."), { server, name: "a", user: admin, namespace: "bridge", cluster });
  writeFileSync(join(other, "..", "authority.crt"), AUTHORITY);
  expect((await ran(["resolve", "--live", ...CATALOG], other)).code).toBe(0);
});
