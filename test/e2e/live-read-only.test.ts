// What does each command ask an API server? A proxy before the real server records it: only GET, only the kinds that the question
// needs, one ConfigMap by its name, and never a Secret.

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { runCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type ApiProxy, type SeenRequest, startProxy } from "./proxy.ts";

const { server, tokens } = inject("cluster");
const folder = testFolder("read-only");
let proxy: ApiProxy;
let kubeconfig: string;
beforeAll(async () => {
  proxy = await startProxy({ server });
  kubeconfig = writeKubeconfig(folder, {
    server: proxy.server,
    name: "admin",
    user: { token: tokens.admin as string },
    namespace: "quay-south",
  });
});
afterAll(() => proxy?.stop());

const OLM = "/apis/operators.coreos.com";
const FLEET = "/apis/cluster.open-cluster-management.io";
const DISCOVERY = ["/api", "/apis", "/version"];
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const OWNERS = `${OLM}/v1alpha1/clusterserviceversions`;
const CONFIG_MAP = "/api/v1/namespaces/olm/configmaps/olm-runtime-constraints";
const OPENSHIFT = "/apis/config.openshift.io/v1/clusterversions/version";
const OPERATORS = [
  ...DISCOVERY,
  `${OLM}/v1alpha1/subscriptions`,
  `${OLM}/v1alpha1/catalogsources`,
  `${OLM}/v1alpha1/clusterserviceversions`,
  `${OLM}/v1alpha1/installplans`,
  `${OLM}/v1/operatorgroups`,
  `${OLM}/v2/operatorconditions`,
  "/apis/olm.operatorframework.io/v1/clusterextensions",
  "/apis/olm.operatorframework.io/v1/clustercatalogs",
  OPENSHIFT,
  DEFINITIONS,
  CONFIG_MAP,
];
const WINCHES = "/apis/machinery.harbour.example.com/v1beta1/winches";
/** Custom resources of the kinds that the operators of the example own, and that an update could change. */
const INSTANCES = [
  WINCHES,
  "/apis/cargo.longshore.example.org/v1/billsoflading",
  "/apis/signals.harbour.example.com/v1/flagsets",
];
const CLUSTERS = `${FLEET}/v1/managedclusters`;
const SCORES = `${FLEET}/v1alpha1/addonplacementscores`;
const PLACEMENTS = [
  ...DISCOVERY,
  CLUSTERS,
  `${FLEET}/v1beta2/managedclustersets`,
  `${FLEET}/v1beta2/managedclustersetbindings`,
  `${FLEET}/v1beta1/placements`,
  `${FLEET}/v1beta1/placementdecisions`,
  SCORES,
];
const CATALOG = ["--catalog", "harbour=examples/harbour/catalog"];

/** What a command asks the API server. */
async function askedBy(args: readonly string[]): Promise<readonly SeenRequest[]> {
  const before = proxy.seen.length;
  const { out, err } = await runCommand([...args, "--kubeconfig", kubeconfig], folder);
  expect(out).not.toBe("");
  expect(err).toContain(`reading the cluster of context admin (${proxy.server})`);
  return proxy.seen.slice(before);
}

describe("only GET, only what it needs", () => {
  test.each([
    ["resolve", ["resolve", ...CATALOG], [...OPERATORS, ...INSTANCES]],
    ["resolve -A", ["resolve", "-A", ...CATALOG], [...OPERATORS, ...INSTANCES]],
    ["resolve --no-instances", ["resolve", "--no-instances", ...CATALOG], OPERATORS],
    [
      "resolve --runtime-constraints",
      ["resolve", "--no-instances", "--runtime-constraints", "examples/harbour/cluster/runtime-constraints.yaml"],
      OPERATORS.filter((path) => path !== CONFIG_MAP),
    ],
    [
      "resolve --runtime-constraints-configmap",
      ["resolve", "--no-instances", "--runtime-constraints-configmap", "bridge/rules"],
      [...OPERATORS.filter((path) => path !== CONFIG_MAP), "/api/v1/namespaces/bridge/configmaps/rules"],
    ],
    ["plan", ["plan", "-v", ...CATALOG], [...OPERATORS, ...INSTANCES]],
    ["explain", ["explain", "winch", ...CATALOG], [...OPERATORS, ...INSTANCES]],
    ["place", ["place"], PLACEMENTS],
    ["place --explain", ["place", "--explain", "lisbon", "-o", "json"], PLACEMENTS],
    ["lint", ["lint", ...CATALOG], [...OPERATORS.filter((path) => path !== OPENSHIFT), ...PLACEMENTS]],
    ["cel eval", ["cel", "eval", "--env", "placement", "--all", "true"], [...DISCOVERY, CLUSTERS, SCORES]],
    [
      "cel check",
      ["cel", "check"],
      [...DISCOVERY, `${FLEET}/v1beta1/placements`, `${OLM}/v1alpha1/clusterserviceversions`, CONFIG_MAP],
    ],
    [
      "crd check",
      ["crd", "check", "examples/harbour/bundles/winch/2.0.0"],
      [...DISCOVERY, DEFINITIONS, OWNERS, WINCHES],
    ],
    [
      "crd check --no-instances",
      ["crd", "check", "--no-instances", "examples/harbour/bundles/winch/2.0.0"],
      [...DISCOVERY, DEFINITIONS, OWNERS],
    ],
  ])("%s", async (_, args, paths) => {
    const asked = await askedBy(args);
    expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect([...new Set(asked.map(({ path }) => path))].sort()).toEqual([...new Set(paths)].sort());
    expect(asked.filter(({ query }) => query.has("watch"))).toEqual([]);
    expect(asked.every(({ isAuthorized }) => isAuthorized)).toBe(true);
  });
});

test("after all commands: no Secret, and no ConfigMap but those named", () => {
  const paths = proxy.seen.map(({ path }) => path);
  expect(paths.filter((path) => path.includes("secrets"))).toEqual([]);
  expect(new Set(paths.filter((path) => path.includes("configmaps")))).toEqual(
    new Set([CONFIG_MAP, "/api/v1/namespaces/bridge/configmaps/rules"]),
  );
});

test("lists come in pages, and copies of operators are not asked for", async () => {
  const asked = await askedBy(["resolve", ...CATALOG]);
  const lists = asked.filter(({ query }) => query.has("limit"));
  expect(new Set(lists.map(({ query }) => query.get("limit")))).toEqual(new Set(["500"]));
  const selected = lists.filter(({ query }) => query.has("labelSelector"));
  expect(selected.map(({ path, query }) => [path, query.get("labelSelector")])).toEqual([
    [`${OLM}/v1alpha1/clusterserviceversions`, "!olm.copiedFrom"],
  ]);
});
