// What does the command do with a cluster that has less than it could have: rights, API groups, objects that can be read? Each gap
// is named with what is unknown because of it, and everything else is answered.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { exampleDocuments } from "../example-documents.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { type Ran, runCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { namesOf, rolesOf, type UserRights } from "./user-rights.ts";

const folder = testFolder("gaps");
const RESOLVE = ["resolve", "--catalog", "harbour=examples/harbour/catalog"];
const OLM = "operators.coreos.com";
const FLEET = "cluster.open-cluster-management.io";
let cluster: Cluster;

const COMMON = { "apiextensions.k8s.io": ["customresourcedefinitions"], "": ["configmaps"] };

/** The users and what they may read. */
const USERS: UserRights = {
  "no-operators": {
    ...COMMON,
    [OLM]: ["subscriptions", "catalogsources", "operatorgroups", "operatorconditions", "installplans"],
    [FLEET]: ["managedclusters", "managedclustersetbindings", "managedclustersets", "placements"],
  },
  "no-subscriptions": { ...COMMON, [OLM]: ["catalogsources", "clusterserviceversions", "operatorgroups"] },
  "no-groups": {
    ...COMMON,
    [OLM]: ["subscriptions", "catalogsources", "clusterserviceversions", "operatorconditions", "installplans"],
  },
};

/** What the user `team` may read in a namespace. */
function teamRole(namespace: string, rule: JsonObject): readonly JsonObject[] {
  const apiGroup = "rbac.authorization.k8s.io";
  const metadata = { name: "team", namespace };
  const roleRef = { apiGroup, kind: "Role", name: "team" };
  const subjects = [{ apiGroup, kind: "User", name: "team" }];
  return [
    { apiVersion: `${apiGroup}/v1`, kind: "Role", metadata, rules: [rule] },
    { apiVersion: `${apiGroup}/v1`, kind: "RoleBinding", metadata, roleRef, subjects },
  ];
}

/** Operators of one namespace, as a team may read them, and the runtime constraints. */
const TEAM = [
  ...teamRole("chandlery", { apiGroups: [OLM], resources: ["*"], verbs: ["get", "list"] }),
  ...teamRole("olm", { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }),
];

/** A Subscription whose channel is a number: the API server of the tests accepts it, the model does not. */
const INVALID: JsonObject = {
  apiVersion: `${OLM}/v1alpha1`,
  kind: "Subscription",
  metadata: { name: "slipway", namespace: "bridge" },
  spec: { name: "slipway", channel: 2, source: "harbour", sourceNamespace: "olm" },
};

beforeAll(async () => {
  cluster = await startCluster({
    users: { ...namesOf(USERS), team: [] },
  });
  const definitions = documentsOf("test/e2e/crds.yaml");
  const isInstalled = ({ metadata }: JsonObject): boolean =>
    !/olm\.operatorframework\.io|placementdecisions|openshift/.test(`${(metadata as JsonObject).name}`);
  await loadObjects(cluster.admin, definitions.filter(isInstalled));
  await loadObjects(cluster.admin, [
    ...exampleDocuments("cluster"),
    ...exampleDocuments("fleet"),
    INVALID,
    ...rolesOf(USERS),
    ...TEAM,
  ]);
});
afterAll(() => cluster?.stop());

async function ranAs(user: string, args: readonly string[], namespace?: string): Promise<Ran> {
  const parts = { server: cluster.server, name: user, user: { token: cluster.tokens[user] as string } };
  const kubeconfig = writeKubeconfig(folder, { ...parts, ...(namespace !== undefined && { namespace }) });
  const { code, out, err } = await runCommand([...args, "--kubeconfig", kubeconfig], folder);
  return { code, out, err: err.replaceAll(cluster.server, "SERVER") };
}

describe("a forbidden kind", () => {
  test("is named with what is unknown, and the rest is answered", async () => {
    const { code, out, err } = await ranAs("no-operators", [...RESOLVE, "--no-instances", "-n", "chandlery"]);
    expect(err).toContain(
      "error[PL014]: reading ClusterServiceVersion objects is forbidden, so the installed operators are unknown, and the answer is as if there were none\n",
    );
    expect(err).toContain('User "no-operators" cannot list resource "clusterserviceversions" in API group');
    expect(err).toContain(" (the role that is needed: docs/live.md#rights)\n");
    expect(err.match(/error\[PL014\]/g)).toHaveLength(1);
    expect(out).toContain("in namespace chandlery");
    expect(code).toBe(4);
  });

  test("is in the JSON, too", async () => {
    const { out } = await ranAs("no-operators", [...RESOLVE, "--no-instances", "-n", "chandlery", "-o", "json"]);
    const { inputFindings } = JSON.parse(out);
    expect(inputFindings.map(({ code, at }: JsonObject) => [code, at])).toContainEqual([
      "PL014",
      "cluster/ClusterServiceVersion",
    ]);
  });

  test("of requests leaves those that are named", async () => {
    const { code, out, err } = await ranAs("no-subscriptions", [...RESOLVE, "-n", "chandlery", "almanac"]);
    expect(err).toContain("reading Subscription objects is forbidden");
    expect(err).toContain("the requests of OLM v0 are unknown");
    expect(out).toContain("almanac");
    expect(code).toBe(4);
    const without = await ranAs("no-subscriptions", [...RESOLVE, "-A"]);
    expect(without.err).toContain("plimsoll: the requests could not be read; fix the input, or name a package.");
    expect([without.code, without.out]).toEqual([4, ""]);
  });

  test.each([
    ["the context", [], "chandlery"],
    ["-n", ["-n", "chandlery"], undefined],
  ])("in all namespaces is read in that of %s", async (_, flags, namespace) => {
    const { code, out, err } = await ranAs("team", [...RESOLVE, ...flags], namespace);
    expect(err).toContain(
      "error[PL014]: reading Subscription objects outside the namespace chandlery is forbidden, so those of other namespaces are unknown\n",
    );
    expect(err).toContain("reading CustomResourceDefinition objects is forbidden");
    expect(out).toMatch(/Resolved in namespace chandlery: 2 to update/);
    expect(out).toMatch(/update +bilge-pump +1\.16\.1 → 1\.21\.1/);
    expect(code).toBe(4);
  });

  test("of OperatorGroups: install modes are not checked, and a namespace is not said to have none", async () => {
    const args = [...RESOLVE, "--no-instances", "-n", "cargo", "--add", "gantry"];
    const known = await ranAs("admin", args);
    expect(known.out).toContain("gantry does not support the install mode OwnNamespace");
    const { code, out, err } = await ranAs("no-groups", args);
    expect(err).toContain(
      "error[PL014]: reading OperatorGroup objects is forbidden, so the target namespaces of operators are unknown, and install modes are not checked\n",
    );
    expect(err.match(/error\[PL014\]/g)).toHaveLength(1);
    expect(out).toMatch(/install +gantry +3\.1\.0/);
    expect(out).not.toContain("OLM needs exactly one OperatorGroup");
    expect(code).toBe(4);
  });

  test("of a fleet: scores", async () => {
    const { code, out, err } = await ranAs("no-operators", ["place", "default/placement2"]);
    expect(err).toContain("reading AddOnPlacementScore objects is forbidden");
    expect(err).toContain("scores of add-ons are unknown and count as missing");
    expect(out).toContain("default/placement2: ");
    expect(code).toBe(4);
  });

  test("of custom resources is a warning", async () => {
    const { code, out, err } = await ranAs("no-subscriptions", [
      "crd",
      "check",
      "examples/harbour/bundles/winch/2.0.0",
    ]);
    expect(err).toContain(
      "warning[PL016]: reading custom resources is forbidden (winches.machinery.harbour.example.com), so changes of their definitions are checked without them\n",
    );
    expect(err).toContain("--no-instances leaves custom resources out\n");
    expect(err.match(/PL016/g)).toHaveLength(1);
    expect(out).toContain("unsafe: 2 errors");
    expect(code).toBe(1);
  });
});

describe("API groups that are not installed", () => {
  test("are named, and the answer is for a cluster without them", async () => {
    const { code, out, err } = await ranAs("admin", [...RESOLVE, "-n", "chandlery", "-v"]);
    expect(out).toContain("Resolved in namespace chandlery");
    expect(code).toBe(0);
    expect(err).toContain("warning[PL015]: the cluster does not serve ClusterExtension and ClusterCatalog");
    expect(err).not.toContain("PL014");
    const linted = await ranAs("admin", ["lint", "-o", "json"]);
    const findings = JSON.parse(linted.out).findings as readonly JsonObject[];
    expect(findings.filter((found) => found.code === "PL015").map(({ message }) => message)).toEqual([
      "the cluster does not serve ClusterExtension and ClusterCatalog (olm.operatorframework.io): OLM v1 is not installed, or not completely",
      "the cluster does not serve PlacementDecision (cluster.open-cluster-management.io): the cluster is not a hub of Open Cluster Management, or not completely",
    ]);
  });
});

describe("an object that cannot be read", () => {
  test("has a place and exit 3, and everything else is answered", async () => {
    const { code, out, err } = await ranAs("admin", RESOLVE, "bridge");
    expect(err).toContain("error[PL009]: spec.channel must be text, but is a number\n");
    expect(err).toContain("  --> cluster/bridge/Subscription/slipway:spec.channel\n");
    expect(err).toContain("1 error and 1 warning in the input; the rest is used");
    expect(out).toContain("Resolved in namespace bridge: 2 to update, 1 kept; 1 held back");
    expect(code).toBe(3);
  });

  test("of another namespace does not change the exit code", async () => {
    const { code, out, err } = await ranAs("admin", RESOLVE, "chandlery");
    expect(err).toContain("cluster/bridge/Subscription/slipway:spec.channel");
    expect(out).toContain("Resolved in namespace chandlery");
    expect(code).toBe(0);
  });
});
