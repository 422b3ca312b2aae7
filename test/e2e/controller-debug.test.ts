// What does the debug server of the controller answer, and to which users? OCM's endpoint for one Placement and for a simulation
// (K), and the report of `plimsoll place`, with real tokens and rights.

import { beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { openClient } from "./api-client.ts";
import { runCommand, testFolder } from "./command.ts";
import { HOME } from "./controller/account.ts";
import { controllerBed } from "./controller/bed.ts";
import { auditLog } from "./controller/fault-audit.ts";
import { API_VERSIONS, PLACEMENTS } from "./controller/kinds.ts";
import { objectsOf } from "./controller/placement-view.ts";
import type { Scope } from "./controller/scope.ts";
import { bestBy, expressed } from "./controller/specs.ts";
import { until } from "./controller/until.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";

const audit = auditLog();
const bed = controllerBed({ apiServerFlags: audit.flags });
const folder = testFolder("debug");
const ACCOUNTS = "accounts";
const RBAC = "rbac.authorization.k8s.io";
const PLACEMENT_GROUP = "cluster.open-cluster-management.io";

/** The tokens of service accounts, by name: `reader` may get Placements, `author` may also create them, `none` nothing. */
const tokens: Record<string, string> = {};
const RIGHTS: Readonly<Record<string, readonly string[]>> = { reader: ["get"], author: ["get", "create"], none: [] };

beforeAll(async () => {
  const { hub } = bed;
  await loadObjects(
    hub.admin,
    Object.entries(RIGHTS).flatMap(([name, verbs]) => [
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: ACCOUNTS } },
      {
        apiVersion: `${RBAC}/v1`,
        kind: "ClusterRole",
        metadata: { name: `debug-${name}` },
        rules: verbs.length === 0 ? [] : [{ apiGroups: [PLACEMENT_GROUP], resources: ["placements"], verbs }],
      },
      {
        apiVersion: `${RBAC}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name: `debug-${name}` },
        roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: `debug-${name}` },
        subjects: [{ kind: "ServiceAccount", name, namespace: ACCOUNTS }],
      },
    ]),
  );
  for (const name of Object.keys(RIGHTS)) {
    const path = `/api/v1/namespaces/${ACCOUNTS}/serviceaccounts/${name}/token`;
    const { status } = await hub.call("POST", path, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { expirationSeconds: 3600 },
    });
    tokens[name] = `${(status as JsonObject).token}`;
  }
});

/** What the debug server answers. */
interface DebugAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** Asks as one of the service accounts; as an unknown user without a name. */
async function asked(path: string, user?: string, request: RequestInit = {}): Promise<DebugAnswer> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (user !== undefined) headers.authorization = `Bearer ${tokens[user] ?? user}`;
  const answer = await bed.controller.ask("debug", path, { ...request, headers });
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
  const text = await answer.text();
  return { status: answer.status, body: isJson ? (JSON.parse(text) as JsonObject) : { text } };
}

/** Three clusters with scores, one of them tainted, and a Placement. */
async function fleet(name: string): Promise<Scope> {
  const scope = await bed.scope(name);
  await scope.clusters(["a", "b"]);
  await scope.clusters(["t"], { taints: [{ key: "slow", effect: "NoSelect" }] });
  await scope.score("b", "demo", { demo: 40 });
  await scope.placement("p", bestBy("demo", "demo", 1));
  await scope.settles("p", { selected: ["b"] });
  // The answers are also about the clusters that are not selected.
  await bed.fence();
  return scope;
}

const simulated = (scope: Scope, spec: JsonObject): RequestInit => ({
  method: "POST",
  body: JSON.stringify({
    apiVersion: API_VERSIONS.Placement,
    kind: "Placement",
    metadata: { name: "what-if", namespace: scope.namespace },
    spec,
  }),
});

describe("a Placement of the hub", () => {
  test("K1: filters, scores and sums", async () => {
    const scope = await fleet("k1");
    const { status, body } = await asked("/debug/placements/k1/p", "reader");
    expect(status).toBe(200);
    const [a, b, t] = ["a", "b", "t"].map((name) => scope.longName(name)) as [string, string, string];
    expect(body).toMatchObject({
      placement: { metadata: { name: "p", namespace: "k1" }, spec: { numberOfClusters: 1 } },
      filteredPipelineResults: [
        { name: "Predicate", filteredClusters: [a, b, t] },
        { name: "Predicate,TaintToleration", filteredClusters: [a, b] },
      ],
      prioritizeResults: [{ name: "AddOn/demo/demo", weight: 1, scores: { [a]: 0, [b]: 40 } }],
      aggregatedScores: [
        { clusterName: b, score: 40 },
        { clusterName: a, score: 0 },
      ],
    });
    expect(body.placement).not.toHaveProperty("status");
    expect(body.placement).not.toHaveProperty("metadata.uid");
    expect(body).not.toHaveProperty("error");
  });

  test("K4, K5, K6: a path without a name, a Placement that is missing, other methods", async () => {
    await fleet("k4");
    for (const path of ["/debug/placements/k4", "/debug/placements/", "/debug/placements/k4/p/more"]) {
      const { status, body } = await asked(path, "reader");
      expect({ path, status }).toEqual({ path, status: 400 });
      expect(body.error).toContain("namespace and name required");
    }
    const missing = await asked("/debug/placements/k4/absent", "reader");
    expect(missing).toMatchObject({ status: 404, body: { error: expect.stringContaining("k4/absent") } });
    for (const method of ["PUT", "PATCH", "DELETE"])
      expect((await asked("/debug/placements/k4/p", "author", { method })).status).toBe(405);
  });

  test("K8: an unknown user, one without rights, and a review that fails", async () => {
    const scope = await fleet("k8");
    expect((await asked("/debug/placements/k8/p")).status).toBe(401);
    expect((await asked("/debug/placements/k8/p", "not-a-token")).status).toBe(401);
    const denied = await asked("/debug/placements/k8/p", "none");
    expect(denied).toMatchObject({ status: 403, body: { error: expect.stringContaining("may not get") } });
    // Without rights nothing is said of what exists.
    expect((await asked("/debug/placements/k8/absent", "none")).status).toBe(403);
    expect((await asked("/debug/placements/", "reader", simulated(scope, {}))).status).toBe(403);
    let isFailing = true;
    bed.proxy.inject({
      when: ({ path }) => isFailing && path.endsWith("/subjectaccessreviews"),
      fault: { is: "status", code: 500, reason: "InternalError", message: "etcd is lost" },
    });
    await scope.placement("fresh");
    await scope.settles("fresh", { selected: ["a", "b"] });
    expect((await asked("/debug/placements/k8/fresh", "author")).status).toBe(500);
    isFailing = false;
    expect((await asked("/debug/placements/k8/fresh", "author")).status).toBe(200);
  });

  test("K9: the review of a caller has its groups, its uid and its extra fields", async () => {
    await fleet("k9");
    const token = await bed.tokenOf("asker");
    const client = openClient({ server: bed.hub.server, token });
    const whoAmI = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
    const { body } = await client.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", whoAmI);
    client.close();
    const { username, ...rest } = partOf(partOf(body, "status"), "userInfo");
    await loadObjects(bed.hub.admin, [
      {
        apiVersion: `${RBAC}/v1`,
        kind: "RoleBinding",
        metadata: { name: "asker", namespace: "k9" },
        roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "debug-reader" },
        subjects: [{ kind: "User", apiGroup: RBAC, name: `${username}` }],
      },
    ]);
    await until("the caller may get the Placement", async () => {
      return (await asked("/debug/placements/k9/p", token)).status === 200 || undefined;
    });
    const resourceAttributes = {
      verb: "get",
      group: PLACEMENT_GROUP,
      resource: "placements",
      namespace: "k9",
      name: "p",
    };
    const review = audit
      .writes()
      .filter(({ user, path }) => user === "controller" && path.endsWith("/subjectaccessreviews"))
      .at(-1);
    expect(review?.body.spec).toEqual({ user: username, ...rest, resourceAttributes });
    // Authorizers besides RBAC decide by these.
    expect(rest).toMatchObject({
      uid: expect.stringMatching(/./),
      groups: expect.arrayContaining(["system:serviceaccounts", `system:serviceaccounts:${HOME.namespace}`]),
      extra: { "authentication.kubernetes.io/pod-name": ["asker"] },
    });
  });

  test("K10: no binding, and no error", async () => {
    const scope = await fleet("k10");
    await scope.remove("binding", "main");
    await scope.settles("p", { selected: [] });
    const { status, body } = await asked("/debug/placements/k10/p", "reader");
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("error");
    expect(objectsOf(body.filteredPipelineResults).flatMap(({ filteredClusters }) => filteredClusters)).toEqual([]);
  });

  test("K12: a Placement with a mistake says which, and where", async () => {
    const scope = await fleet("k12");
    await scope.edit("placement", "p", { spec: expressed("managedCluster.metadata.name ==") });
    await scope.settles("p", { misconfigured: "True" });
    const { status, body } = await asked("/debug/placements/k12/p", "reader");
    expect(status).toBe(200);
    expect(body.error).toMatch(/predicates\[0\]\.celExpressions\[0\], column \d+/);
  });
});

describe("a simulation", () => {
  test("K2: a Placement that is not stored, and stays so", async () => {
    const scope = await fleet("k2");
    const { status, body } = await asked("/debug/placements/", "author", simulated(scope, { numberOfClusters: 2 }));
    expect(status).toBe(200);
    const [a, b] = [scope.longName("a"), scope.longName("b")];
    expect(body).toMatchObject({ placement: { metadata: { name: "what-if" } } });
    expect(objectsOf(body.aggregatedScores).map(({ clusterName }) => clusterName)).toEqual([a, b]);
    await bed.fence();
    const { items } = await bed.hub.call("GET", PLACEMENTS);
    expect(objectsOf(items).map(({ metadata }) => (metadata as JsonObject).name)).not.toContain("what-if");
    expect((await asked("/debug/placements/k2/what-if", "reader")).status).toBe(404);
  });

  test("K2: one of a Placement that is stored changes nothing of it", async () => {
    const scope = await fleet("k2b");
    const before = await scope.view("p");
    const body = JSON.stringify({
      apiVersion: API_VERSIONS.Placement,
      kind: "Placement",
      metadata: { name: "p", namespace: "k2b" },
      spec: expressed("false"),
    });
    const answer = await asked("/debug/placements/", "author", { method: "POST", body });
    expect(answer).toMatchObject({ status: 200, body: { aggregatedScores: [] } });
    await bed.fence();
    expect(await scope.view("p")).toEqual(before);
    // It follows the hub as before.
    await scope.score("a", "demo", { demo: 90 });
    await scope.settles("p", { selected: ["a"] });
  });

  test("K12: one with a mistake", async () => {
    const scope = await fleet("k12b");
    const { status, body } = await asked("/debug/placements/", "author", simulated(scope, expressed("xxxx.")));
    expect(status).toBe(200);
    expect(body.error).toMatch(/celExpressions\[0\]/);
  });

  test("a body that is not a Placement, or is too long", async () => {
    for (const body of ["", "{", "[]", JSON.stringify({ kind: "Pod" })])
      expect((await asked("/debug/placements/", "author", { method: "POST", body })).status).toBe(400);
    const body = JSON.stringify({ kind: "Placement", spec: { text: "x".repeat(1_100_000) } });
    const answer = await asked("/debug/placements/", "author", { method: "POST", body }).catch(() => undefined);
    expect([400, 413, undefined]).toContain(answer?.status);
    expect((await asked("/debug/placements/a/b", "reader")).status).toBe(404);
  });
});

describe("the report of plimsoll place", () => {
  test("is the same over HTTP as on the command line", async () => {
    await fleet("report");
    const token = bed.hub.tokens.admin as string;
    const kubeconfig = writeKubeconfig(folder, { server: bed.hub.server, name: "admin", user: { token } });
    const { out } = await runCommand(["place", "-o", "json", "--kubeconfig", kubeconfig, "report/p"], folder);
    const printed = comparable(JSON.parse(out) as JsonObject);
    const { status, body } = await asked("/placements/report/p", "reader");
    expect(status).toBe(200);
    expect(body.kind).toBe("PlacementReport");
    expect(comparable(body)).toEqual(printed);
  });

  test("explains a cluster of other sets only to callers who may get it", async () => {
    const scope = await fleet("outside");
    await scope.clusters(["theirs"], { set: "others", labels: { secret: "treasure" } });
    await scope.placement("curious", expressed('managedCluster.metadata.labels["secret"] == "rubbish"'));
    await scope.settles("curious", { selected: [] });
    await bed.fence();
    const explained = async (cluster: string, user: string): Promise<unknown> => {
      const { status, body } = await asked(`/placements/outside/curious?cluster=${scope.longName(cluster)}`, user);
      expect([status, body.kind]).toEqual([200, "PlacementExplanation"]);
      return (body.placements as readonly JsonObject[])[0]?.cluster;
    };
    expect(await explained("theirs", "author")).toBe(null);
    expect(await explained("absent", "author")).toBe(null);
    expect(JSON.stringify(await explained("a", "author"))).toContain('"trace"');
    expect(JSON.stringify(await explained("theirs", bed.hub.tokens.admin as string))).toContain("treasure");
  });

  test("needs the same rights", async () => {
    await fleet("rights");
    expect((await asked("/placements/rights/p")).status).toBe(401);
    expect((await asked("/placements/rights/p", "none")).status).toBe(403);
    expect((await asked("/placements/rights/absent", "reader")).status).toBe(404);
    expect((await asked("/placements/rights/p", "author", { method: "DELETE" })).status).toBe(405);
    expect((await asked("/elsewhere", "reader")).status).toBe(404);
  });
});

/** A report without its time, and without where its objects were read. */
function comparable({ now: _, ...report }: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(report, (key, value) => (key === "at" ? undefined : value))) as JsonObject;
}
