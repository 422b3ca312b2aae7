// Are lists of several pages complete, whatever happens between the pages? And is progress shown, without a change of the answer?

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { type Ran, type Running, startCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { type ApiProxy, type Fault, type FaultRule, startProxy } from "./proxy.ts";

const folder = testFolder("pages");
const GROUP = "cluster.open-cluster-management.io";
const CLUSTERS = `/apis/${GROUP}/v1/managedclusters`;
const COUNT = 1_200;
let cluster: Cluster;
let good: Ran;

const FLEET: readonly JsonObject[] = [
  ...Array.from({ length: COUNT }, (_, index) => ({
    apiVersion: `${GROUP}/v1`,
    kind: "ManagedCluster",
    metadata: { name: `c${index}`, labels: { [`${GROUP}/clusterset`]: "all", odd: `${index % 2 === 1}` } },
    spec: { hubAcceptsClient: true },
  })),
  { apiVersion: `${GROUP}/v1beta2`, kind: "ManagedClusterSet", metadata: { name: "all" }, spec: {} },
  {
    apiVersion: `${GROUP}/v1beta2`,
    kind: "ManagedClusterSetBinding",
    metadata: { name: "all", namespace: "default" },
    spec: { clusterSet: "all" },
  },
  {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "Placement",
    metadata: { name: "odd", namespace: "default" },
    spec: {
      clusterSets: ["all"],
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { odd: "true" } } } }],
    },
  },
];

beforeAll(async () => {
  cluster = await startCluster();
  await loadObjects(cluster.admin, documentsOf("test/e2e/crds.yaml"));
  await loadObjects(cluster.admin, FLEET);
  good = (await ranWith([])).ran;
});
afterAll(() => cluster?.stop());

/** A page of the list of clusters, counted from 0. */
const page = (number: number, fault: Fault, times?: number): FaultRule => ({
  when: ({ path, query }) => path === CLUSTERS && query.has("continue") === number > 0,
  fault,
  ...(times !== undefined && { times }),
});

/** Runs `place` through a proxy with faults; `meanwhile` happens while it runs. */
async function ranWith(
  rules: readonly FaultRule[],
  flags: readonly string[] = [],
  meanwhile: (running: Running, proxy: ApiProxy) => Promise<void> = async () => {},
): Promise<{ readonly ran: Ran; readonly pages: readonly boolean[] }> {
  const proxy = await startProxy({ server: cluster.server });
  try {
    for (const rule of rules) proxy.inject(rule);
    const user = { token: cluster.tokens.admin as string };
    const kubeconfig = writeKubeconfig(folder, { server: proxy.server, name: "tester", user });
    const args = ["place", "-o", "json", "--now", "2026-11-01T00:00:00Z", "--kubeconfig", kubeconfig, ...flags];
    const running = startCommand(args, folder);
    await meanwhile(running, proxy);
    const ran = await running.ended;
    const lists = proxy.seen.filter(({ path }) => path === CLUSTERS);
    return { ran, pages: lists.map(({ query }) => query.has("continue")) };
  } finally {
    await proxy.stop();
  }
}

const EXPIRED: Fault = {
  is: "status",
  code: 410,
  reason: "Expired",
  message: "the provided continue parameter is too old",
};
const LATER: Fault = { is: "status", code: 429, reason: "TooManyRequests", message: "busy", retryAfter: 1 };

test("all pages are one list", async () => {
  const { ran, pages } = await ranWith([]);
  expect(pages).toEqual([false, true, true]);
  const [placement] = JSON.parse(ran.out).placements;
  expect(placement.clusters.length).toBe(COUNT);
});

describe("what happens between the pages does not change the answer", () => {
  test("410 for a continue token: the list begins again", async () => {
    const { ran, pages } = await ranWith([page(1, EXPIRED, 1)], ["-v"]);
    expect([ran.code, ran.out]).toEqual([good.code, good.out]);
    expect(ran.err).toContain("the provided continue parameter is too old; the list begins again");
    expect(ran.err).toMatch(new RegExp(`read the cluster .*: ${COUNT + 3} objects`));
    expect(pages).toEqual([false, true, false, true, true]);
  });

  test("a continue token that the API server itself has forgotten", async () => {
    let release = (): void => {};
    const until = new Promise<void>((done) => {
      release = done;
    });
    const { ran, pages } = await ranWith([page(1, { is: "held", until }, 1)], [], async (_, proxy) => {
      await proxy.sees(({ query }) => query.has("continue"));
      await loadObjects(cluster.admin, [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "written-later" } }]);
      await cluster.forgetHistory();
      release();
    });
    expect([ran.code, ran.out]).toEqual([good.code, good.out]);
    expect(ran.err).toContain("the list begins again");
    expect(pages.filter((isFurther) => !isFurther)).toHaveLength(2);
  });

  test("a connection that is cut in the second page: only that page is read again", async () => {
    const { ran, pages } = await ranWith([page(1, { is: "cut", bytes: 90_000 }, 1)]);
    expect([ran.code, ran.out]).toEqual([good.code, good.out]);
    expect(pages).toEqual([false, true, true, true]);
  });
});

test("410 for ever is exit 4, and names the kind", async () => {
  const { ran, pages } = await ranWith([page(1, EXPIRED)]);
  expect(ran.err).toContain("error[PL014]: ManagedCluster objects could not be read, so the clusters are unknown: ");
  expect(ran.code).toBe(4);
  expect(pages).toEqual([false, true, false, true, false, true, false, true]);
});

describe("progress", () => {
  test("is a line for each doubling of the number of objects, if it takes long", async () => {
    const { ran } = await ranWith([page(1, LATER, 1)], ["--progress", "plain"]);
    expect(ran.err).toContain("reading the cluster: 1000 objects\n");
    expect([ran.code, ran.out]).toEqual([good.code, good.out]);
  });

  test.each([["-v"], ["-q"], ["--progress=none"], ["--progress=auto"]])(
    "%s does not change the answer",
    async (flag) => {
      const { ran } = await ranWith([], [flag]);
      expect([ran.code, ran.out]).toEqual([good.code, good.out]);
      expect(ran.err).not.toContain("reading the cluster:");
      expect(ran.err.includes("reading the cluster of context tester")).toBe(flag !== "-q");
    },
  );
});
