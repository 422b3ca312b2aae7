// What does the command do when the API server, or the way to it, misbehaves? What passes is tried again and changes nothing;
// what stays is a sentence and exit 4, and everything else is still answered.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { AUTHORITY, base64 } from "../certificates.ts";
import { type Ran, runCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type Fault, type FaultRule, type ProxyOptions, startProxy } from "./proxy.ts";

const { server, tokens } = inject("cluster");
const folder = testFolder("faults");

const RESOLVE = ["resolve", "--catalog", "harbour=examples/harbour/catalog"];
const PLACE = ["place", "--now", "2026-11-01T00:00:00Z"];
/** The list with the requests of the namespace in question, and one with its clusters. */
const SUBSCRIPTIONS = "/apis/operators.coreos.com/v1alpha1/subscriptions";
const OPERATORS = "/apis/operators.coreos.com/v1alpha1/clusterserviceversions";
const CLUSTERS = "/apis/cluster.open-cluster-management.io/v1/managedclusters";

const BUSY: Fault = { is: "status", code: 429, reason: "TooManyRequests", message: "the queue is full", retryAfter: 1 };
const LOGIN: Fault = { is: "answer", code: 200, type: "text/html", text: "<p>Log in</p>" };
const HANGS: Fault = { is: "silent" };
const INTERNAL: Fault = { is: "status", code: 500, reason: "InternalError", message: "etcd is lost", retryAfter: 0 };

/** For tests in which something hangs: other requests of the command do not take this long, also on a busy machine. */
const SOON = ["--request-timeout", "5s"];
const TOO_LATE = "did not complete its response within 5 seconds";

/** A proxy of its own, and other fields of the cluster in the kubeconfig. */
interface Way extends Omit<ProxyOptions, "server"> {
  readonly cluster?: JsonObject;
}

/** Runs a command through a proxy. */
async function ranWith(
  args: readonly string[],
  rules: readonly FaultRule[],
  { cluster, ...options }: Way = {},
): Promise<Ran & { readonly requests: (path: string) => number }> {
  const proxy = await startProxy({ server, ...options });
  try {
    for (const rule of rules) proxy.inject(rule);
    const user = { token: tokens.admin as string };
    const parts = { server: proxy.server, name: "tester", user, namespace: "bridge", ...(cluster && { cluster }) };
    const kubeconfig = writeKubeconfig(folder, parts);
    const ran = await runCommand([...args, "--kubeconfig", kubeconfig], folder);
    const replaced = (text: string): string => text.replaceAll(proxy.server, "SERVER").replaceAll(kubeconfig, "CONFIG");
    return {
      ...ran,
      out: replaced(ran.out),
      err: replaced(ran.err),
      requests: (path) => proxy.seen.filter((request) => request.path === path).length,
    };
  } finally {
    await proxy.stop();
  }
}

const on = (path: string, fault: Fault, times?: number): FaultRule => ({
  when: (request) => request.path === path,
  fault,
  ...(times !== undefined && { times }),
});

describe("what passes changes nothing", () => {
  const good = new Map<string, Ran>();
  beforeAll(async () => {
    for (const args of [RESOLVE, PLACE]) good.set(args[0] as string, await ranWith(args, []));
  });

  test.concurrent.each<[string, readonly string[], FaultRule]>([
    ["429 with Retry-After", RESOLVE, on(SUBSCRIPTIONS, BUSY, 1)],
    ["500 once", RESOLVE, on(OPERATORS, INTERNAL, 1)],
    ["500 of the discovery", RESOLVE, on("/apis", INTERNAL, 2)],
    ["a gateway without words", PLACE, on(CLUSTERS, { is: "answer", code: 502, type: "text/html", text: "<p>" }, 1)],
    ["half a list", RESOLVE, on(OPERATORS, { is: "truncated", bytes: 3_000 }, 1)],
    ["half a discovery", PLACE, on("/apis", { is: "truncated", bytes: 3_000 }, 1)],
    ["a connection that is cut in the middle of a list", PLACE, on(CLUSTERS, { is: "cut", bytes: 5_000 }, 1)],
    ["a connection that is cut after the first byte", RESOLVE, on(SUBSCRIPTIONS, { is: "cut", bytes: 1 }, 1)],
  ])("%s", async (_, args, rule) => {
    const { code, out, err, requests } = await ranWith(args, [rule]);
    const expected = good.get(args[0] as string) as Ran;
    expect([code, out]).toEqual([expected.code, expected.out]);
    expect(out).toContain(args === PLACE ? "✓ default/placement1" : "Resolved in namespace bridge: 2 to update");
    expect(err).toMatch(/^plimsoll: the API server SERVER .*; trying again in [0-9.]+ s$/m);
    expect(err).not.toContain("PL014");
    expect(requests(args === PLACE ? CLUSTERS : OPERATORS)).toBeGreaterThan(0);
  });

  test("the wait is that of Retry-After", async () => {
    const { err, requests } = await ranWith(RESOLVE, [on(SUBSCRIPTIONS, BUSY, 1)]);
    expect(err).toContain(
      "plimsoll: the API server SERVER has too many requests: the queue is full; trying again in 1.0 s\n",
    );
    expect(requests(SUBSCRIPTIONS)).toBe(2);
  });

  test("with -q, nothing is said about it", async () => {
    const { code, err, requests } = await ranWith([...RESOLVE, "-q"], [on(SUBSCRIPTIONS, BUSY, 1)]);
    expect(err).not.toContain("trying again");
    expect(requests(SUBSCRIPTIONS)).toBe(2);
    expect(code).toBe(0);
  });
});

describe("what stays is named, and the rest is answered", () => {
  test.concurrent.each<[string, FaultRule, string]>([
    ["500", on(OPERATORS, INTERNAL), "fails to read PATH with status 500: etcd is lost (after 5 attempts)"],
    ["half a list", on(OPERATORS, { is: "truncated", bytes: 3_000 }), "answers PATH incompletely"],
    ["a cut connection", on(OPERATORS, { is: "cut", bytes: 3_000 }), "closed the connection"],
    ["HTML", on(OPERATORS, LOGIN), "instead of JSON"],
    ["not a list", on(OPERATORS, { is: "answer", code: 200, type: "application/json", text: "[]" }), "PATH"],
    ["no answer", on(OPERATORS, HANGS), TOO_LATE],
    ["half an answer", on(OPERATORS, { is: "stalled", bytes: 3_000 }), TOO_LATE],
  ])("%s", async (_, rule, sentence) => {
    const { code, out, err } = await ranWith([...RESOLVE, ...(sentence === TOO_LATE ? SOON : [])], [rule]);
    const words = sentence.replace("PATH", OPERATORS);
    expect(err).toContain(
      "error[PL014]: ClusterServiceVersion objects could not be read, so the installed operators are unknown, and the answer is as if there were none: ",
    );
    expect(err).toContain(words);
    expect(err).toContain("  --> cluster/ClusterServiceVersion\n");
    expect(err).toContain("1 error in the input; the rest is used");
    expect(out).toContain("in namespace bridge");
    expect(out).toContain("foghorn");
    expect(code).toBe(4);
  });
});

/** What a command prints of which nothing in the cluster could be read. */
const LOST = "  --> cluster\n";

describe("a cluster that cannot be read is one sentence, and what was given otherwise is answered", () => {
  test.concurrent.each<[string, readonly FaultRule[], Way, string]>([
    ["a server that hangs", [on("/version", HANGS)], {}, TOO_LATE],
    ["a server that fails", [on("/version", INTERNAL)], {}, "fails to read /version with status 500: etcd is lost"],
    ["a login page", [on("/version", LOGIN)], {}, 'answers /version with "text/html" instead of JSON'],
    ["half a discovery", [on("/apis", { is: "stalled", bytes: 3_000 })], {}, TOO_LATE],
    [
      "a certificate for another name",
      [],
      { certificate: "elsewhere" },
      'the certificate of the API server SERVER is not accepted: it is for "elsewhere.example", not for "127.0.0.1"',
    ],
    ["a certificate that has expired", [], { certificate: "expired" }, "is not accepted: it has expired"],
    ["an unknown authority", [], { cluster: {} }, "is not accepted: it is signed by an unknown authority"],
  ])("%s", async (_, rules, way, sentence) => {
    const flags = ["-f", "examples/harbour/cluster", ...(sentence === TOO_LATE ? SOON : [])];
    const { code, out, err } = await ranWith([...RESOLVE, ...flags], rules, way);
    expect(err).toContain("error[PL014]: ");
    expect(err).toContain(sentence);
    expect(err).toContain("  = help: ");
    expect(err).toContain(LOST);
    expect(err.match(/PL014/g)).toHaveLength(1);
    expect(out).toContain("Resolved in namespace bridge: 2 to update");
    expect(code).toBe(4);
  });

  test("with nothing else, there is no answer", async () => {
    for (const args of [[...RESOLVE, "-A"], PLACE]) {
      const { code, out, err } = await ranWith([...args, ...SOON], [on("/version", HANGS)]);
      expect(err).toContain(TOO_LATE);
      expect([code, out]).toEqual([4, ""]);
    }
  });

  test("runtime constraints may be in it", async () => {
    const { code, out } = await ranWith([...RESOLVE, "foghorn"], [on("/version", LOGIN)]);
    expect(out).toContain("Nothing is installed or updated while the runtime constraints cannot be read.");
    expect(code).toBe(4);
  });

  test("insecure-skip-tls-verify accepts any certificate", async () => {
    const way = { certificate: "expired", cluster: { "insecure-skip-tls-verify": true } } as const;
    expect((await ranWith(RESOLVE, [], way)).code).toBe(0);
  });

  test("tls-server-name is the name of the certificate", async () => {
    const trust = { "certificate-authority-data": base64(AUTHORITY) };
    const cluster = { ...trust, "tls-server-name": "elsewhere.example" };
    expect((await ranWith(RESOLVE, [], { certificate: "elsewhere", cluster })).code).toBe(0);
  });
});

describe("credential plugins", () => {
  test.concurrent.each([
    ["fails", "echo no network >&2; exit 3", "failed with exit code 3: no network"],
    ["hangs", "exec sleep 600", "did not end within 5 seconds"],
    ["prints nonsense", "echo hello", "did not print an ExecCredential"],
    ["prints nothing", "true", "did not print an ExecCredential"],
  ])("one that %s", async (name, script, sentence) => {
    const command = join(folder, `plugin-${name.replaceAll(" ", "-")}`);
    writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command, interactiveMode: "Never" };
    const kubeconfig = writeKubeconfig(folder, { server, name: "tester", user: { exec }, namespace: "bridge" });
    const files = ["-f", "examples/harbour/cluster", ...(name === "hangs" ? SOON : []), "--kubeconfig", kubeconfig];
    const { code, out, err } = await runCommand([...RESOLVE, ...files], folder);
    expect(err).toContain(`the credential plugin "${command}" of the user "tester" ${sentence}`);
    expect(err).toContain(LOST);
    expect(out).toContain("Resolved in namespace bridge: 2 to update");
    expect(code).toBe(4);
  });
});
