// What does the command do when the API server, or the way to it, misbehaves? What passes is tried again and changes nothing;
// what stays is a sentence and exit 4, and everything else is still answered.

import { beforeAll, describe, expect, inject, test } from "vitest";
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
const INTERNAL: Fault = { is: "status", code: 500, reason: "InternalError", message: "etcd is lost", retryAfter: 0 };

/** Runs a command through a proxy of its own. */
async function ranWith(
  args: readonly string[],
  rules: readonly FaultRule[],
  options: Partial<ProxyOptions> = {},
): Promise<Ran & { readonly requests: (path: string) => number; readonly at: string }> {
  const proxy = await startProxy({ server, ...options });
  try {
    for (const rule of rules) proxy.inject(rule);
    const user = { token: tokens.admin as string };
    const kubeconfig = writeKubeconfig(folder, { server: proxy.server, name: "tester", user, namespace: "bridge" });
    const ran = await runCommand([...args, "--kubeconfig", kubeconfig], folder);
    const replaced = (text: string): string => text.replaceAll(proxy.server, "SERVER").replaceAll(kubeconfig, "CONFIG");
    return {
      ...ran,
      out: replaced(ran.out),
      err: replaced(ran.err),
      requests: (path) => proxy.seen.filter((request) => request.path === path).length,
      at: proxy.server,
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
    const { code, out, err, requests } = await ranWith([...args, "-v"], [rule]);
    const expected = good.get(args[0] as string) as Ran;
    expect([code, out]).toEqual([expected.code, expected.out]);
    expect(out).toContain(args === PLACE ? "✓ default/placement1" : "Resolved in namespace bridge: 2 to update");
    expect(err).toContain("plimsoll: trying again: the API server SERVER ");
    expect(err).not.toContain("PL014");
    expect(requests(args === PLACE ? CLUSTERS : OPERATORS)).toBeGreaterThan(0);
  });

  test("the wait is that of Retry-After", async () => {
    const { err, requests } = await ranWith([...RESOLVE, "-v"], [on(SUBSCRIPTIONS, BUSY, 1)]);
    expect(err).toContain(
      "trying again: the API server SERVER has too many requests: the queue is full; trying again in 1.0 s",
    );
    expect(requests(SUBSCRIPTIONS)).toBe(2);
  });
});

describe("what stays is named, and the rest is answered", () => {
  test.concurrent.each<[string, FaultRule, string]>([
    ["500", on(OPERATORS, INTERNAL), "fails to read PATH with status 500: etcd is lost (after 5 attempts)"],
    ["half a list", on(OPERATORS, { is: "truncated", bytes: 3_000 }), "answers PATH incompletely"],
    ["a cut connection", on(OPERATORS, { is: "cut", bytes: 3_000 }), "does not answer: the connection was closed"],
    ["HTML", on(OPERATORS, { is: "answer", code: 200, type: "text/html", text: "<p>Log in</p>" }), "instead of JSON"],
    ["not a list", on(OPERATORS, { is: "answer", code: 200, type: "application/json", text: "[]" }), "PATH"],
    ["no answer", on(OPERATORS, { is: "silent" }), "did not complete its response within 1 second"],
    ["half an answer", on(OPERATORS, { is: "stalled", bytes: 3_000 }), "did not complete its response within 1 second"],
  ])("%s", async (_, rule, sentence) => {
    const { code, out, err } = await ranWith([...RESOLVE, "--request-timeout", "1s"], [rule]);
    const words = sentence.replace("PATH", OPERATORS);
    expect(err).toContain("error[PL014]: ClusterServiceVersion objects could not be read (the API server SERVER ");
    expect(err).toContain(words);
    expect(err).toContain("the installed operators are unknown, and the answer is as if there were none");
    expect(err).toContain("  --> cluster/ClusterServiceVersion\n");
    expect(err).toContain("1 error in the input; the rest is used");
    expect(out).toContain("in namespace bridge");
    expect(out).toContain("foghorn");
    expect(code).toBe(4);
  });
});
