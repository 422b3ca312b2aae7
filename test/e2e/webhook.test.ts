// Does a real API server ask the webhook, trust it, and pass on what it says? With the manifests of deploy/webhook, the rights of its roles, and
// a URL in place of the Service, which needs a network of pods.

import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Log } from "../../src/controller/log.ts";
import { ApiServer } from "../../src/kube/api-server.ts";
import { openConnection } from "../../src/kube/connection.ts";
import { isList, isObject, type JsonObject, partOf } from "../../src/model/json.ts";
import { startWebhook, type Webhook, type WebhookOptions } from "../../src/webhook/start-webhook.ts";
import { caseDocuments, documentsOf } from "../case-documents.ts";
import { constraintsMap, expressions, placement } from "../webhook/review-body.ts";
import { ShiftedClock } from "../webhook/shifted-clock.ts";
import { type ApiClient, openClient } from "./api-client.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { testFolder } from "./command.ts";
import { until } from "./controller/until.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type Kubectl, kubectlOutput, runKubectl } from "./kubectl.ts";
import { asWritten, loadObjects } from "./load-objects.ts";

const NAMESPACE = "plimsoll-system";
const ACCOUNT = "plimsoll-resolution";
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const SECRET = `${SECRETS}/plimsoll-webhook-tls`;
const CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/plimsoll-webhook";
const MAPS = "/api/v1/namespaces/olm/configmaps";
const PLACEMENTS = "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/olm/placements";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const RADIUS = "hides 412 bundles, holds back 3 operators";
const GOOD = "- type: olm.constraint\n  value: {package: {packageName: etcd, versionRange: '>=1.0.0'}}\n";
const BROKEN = "- type: olm.constraint\n  value:\n    cel:\n      rule: properties.exists(p, p.type ==\n";
const BROKEN_LINE = "data.properties:4:";

const folder = testFolder("webhook");
/** Behind that of the machine, so that a certificate can be renewed, and the new one is valid now. */
const clock = new ShiftedClock(-61 * DAY);
const log: JsonObject[] = [];
let cluster: Cluster;
let kubectl: Kubectl;
let account: ApiClient;
let server: ApiServer;
let webhook: Webhook;

beforeAll(async () => {
  cluster = await startCluster();
  const { admin, server: address, tokens, servers } = cluster;
  const kubeconfig = writeKubeconfig(folder, {
    server: address,
    name: "admin",
    user: { token: tokens.admin as string },
  });
  kubectl = { servers, kubeconfig, home: folder };
  const definitions = documentsOf("test/e2e/crds.yaml").filter(({ metadata }) => {
    return isObject(metadata) && metadata.name === "placements.cluster.open-cluster-management.io";
  });
  await loadObjects(admin, [
    ...definitions,
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: ACCOUNT, namespace: NAMESPACE } },
    { apiVersion: "v1", kind: "Secret", metadata: { name: "other", namespace: NAMESPACE }, stringData: { a: "b" } },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "first", namespace: "olm" } },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "first", namespace: "shop" } },
  ]);
  const tokenPath = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${ACCOUNT}/token`;
  const asked = await admin.call("POST", tokenPath, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: {},
  });
  const token = `${partOf(asked.body, "status").token}`;
  account = openClient({ server: address, token });
  const own = writeKubeconfig(folder, { server: address, name: ACCOUNT, user: { token } });
  server = new ApiServer(openConnection({ kubeconfig: own, asGroups: [] }, {}));
  webhook = await started({});
});
afterAll(async () => {
  await webhook?.close();
  server?.close();
  account?.close();
  await cluster?.stop();
});

function started(options: Partial<WebhookOptions>): Promise<Webhook> {
  return startWebhook({
    ...{ address: "127.0.0.1:0", namespace: NAMESPACE, service: "plimsoll-webhook" },
    ...{ secret: "plimsoll-webhook-tls", configuration: "plimsoll-webhook" },
    ...{ configMap: { namespace: "olm", name: "olm-runtime-constraints" }, compat: false },
    ...{ server, clock, random: () => 0, blastRadius: async () => RADIUS },
    thread: pathToFileURL("dist/bin/review-thread-entry.js"),
    log: new Log({ level: "debug", clock, write: (line) => log.push(JSON.parse(line)) }),
    ...options,
  });
}

/** The objects of deploy/webhook, with a URL in place of the Service, and with time for a busy machine: after it, a write would pass. */
async function manifests(): Promise<readonly JsonObject[]> {
  const text = await kubectlOutput(kubectl, ["kustomize", "deploy/webhook"]);
  const objects = caseDocuments("rendered", Buffer.from(text), (value) => value);
  return objects.map((object) => {
    if (object.kind !== "ValidatingWebhookConfiguration" || !isList(object.webhooks)) return object;
    const clientConfig = { url: `https://${webhook.address}/validate` };
    return {
      ...object,
      webhooks: object.webhooks.filter(isObject).map((one) => ({ ...one, clientConfig, timeoutSeconds: 30 })),
    };
  });
}

/** Lets time pass until something is so. */
function timePasses<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined> | Answer | undefined,
): Promise<Answer> {
  return until(
    what,
    () => {
      clock.shift(MINUTE);
      return ask();
    },
    () => log.slice(-5),
  );
}

/** The authorities that API servers trust. */
async function caBundle(): Promise<string> {
  const { webhooks } = await cluster.admin.get(CONFIGURATION);
  const bundles = (isList(webhooks) ? webhooks : [])
    .filter(isObject)
    .map((one) => `${partOf(one, "clientConfig").caBundle ?? ""}`);
  expect(new Set(bundles).size).toBe(1);
  return Buffer.from(bundles[0] ?? "", "base64").toString();
}

const certificatesIn = (text: string): number => text.split("BEGIN CERTIFICATE").length - 1;

/** The answer to a creation that is not stored. */
async function tried(path: string, object: JsonObject): Promise<{ readonly status: number; readonly message: string }> {
  const written = asWritten(object);
  const { status, body } = await cluster.admin.call("POST", `${path}?dryRun=All`, written);
  return { status, message: `${body.message ?? ""}` };
}

/** How many reviews the webhook was asked for. */
function asked(): number {
  const counts = [...webhook.metricsText().matchAll(/^plimsoll_webhook_requests_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Writes a manifest; returns its path. */
function file(name: string, object: JsonObject): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(asWritten(object)));
  return path;
}

describe("from nothing", () => {
  test("without rights and without a configuration it waits, and every write passes", async () => {
    await timePasses("it says that it may not read the Secret", () =>
      log.find(({ level, why }) => level === "warn" && `${why}`.includes("secrets")),
    );
    expect(webhook.isServing).toBe(false);
    expect((await tried(MAPS, constraintsMap(BROKEN))).status).toBe(201);
  });

  test("with its roles it makes the Secret, and API servers trust it", async () => {
    const all = await manifests();
    await loadObjects(
      cluster.admin,
      all.filter(({ kind }) => kind !== "ValidatingWebhookConfiguration"),
    );
    await timePasses("it has a certificate", () => webhook.isServing || undefined);
    await timePasses("it says that there is no configuration", () =>
      log.find(({ level, why }) => level === "warn" && `${why}`.includes("validatingwebhookconfigurations")),
    );
    await loadObjects(
      cluster.admin,
      all.filter(({ kind }) => kind === "ValidatingWebhookConfiguration"),
    );
    await timePasses("the configuration has the authority", async () => (await caBundle()) !== "" || undefined);
    await timePasses(
      "a broken list is denied",
      async () => (await tried(MAPS, constraintsMap(BROKEN))).status === 422 || undefined,
    );
    const secret = await cluster.admin.get(SECRET);
    expect(secret.type).toBe("kubernetes.io/tls");
    expect(Object.keys(partOf(secret, "data")).sort()).toEqual(["ca.crt", "ca.key", "tls.crt", "tls.key"]);
    expect(Buffer.from(`${partOf(secret, "data")["ca.crt"]}`, "base64").toString()).toBe(await caBundle());
  });

  test("it can neither read nor change any other Secret or configuration", async () => {
    expect(await account.status(SECRET)).toBe(200);
    for (const path of [SECRETS, `${SECRETS}/other`, "/api/v1/secrets", "/api/v1/namespaces/olm/secrets"])
      expect(await account.status(path), path).toBe(403);
    for (const method of ["PUT", "PATCH"])
      expect((await account.call(method, `${SECRETS}/other`, {})).status, method).toBe(403);
    for (const path of [SECRET, `${SECRETS}/other`]) expect((await account.call("DELETE", path)).status).toBe(403);
    expect((await account.call("PATCH", CONFIGURATION.replace("plimsoll-webhook", "other"), {})).status).toBe(403);
    expect((await account.call("DELETE", CONFIGURATION)).status).toBe(403);
  });
});

describe("the ConfigMap of the runtime constraints", () => {
  test("is denied by kubectl apply with line and column, and is not stored", async () => {
    const { code, err } = await runKubectl(kubectl, ["apply", "-f", file("broken.json", constraintsMap(BROKEN))]);
    expect(code).toBe(1);
    expect(err).toContain(
      'admission webhook "constraints.plimsoll.dev" denied the request: the runtime constraints have 2 mistakes',
    );
    expect(err).toContain(`\n  ${BROKEN_LINE}`);
    expect(await cluster.admin.status(`${MAPS}/olm-runtime-constraints`)).toBe(404);
  });

  test("is allowed if it is good, with the blast radius as a warning", async () => {
    const { code, out, err } = await runKubectl(kubectl, ["apply", "-f", file("good.json", constraintsMap(GOOD))]);
    expect([code, out, err]).toEqual([0, "configmap/olm-runtime-constraints created\n", `Warning: ${RADIUS}\n`]);
  });

  test("is denied by an edit and by a patch, also in a dry run", async () => {
    const patch = (properties: string) => JSON.stringify({ data: { properties } });
    for (const more of [[], ["--dry-run=server"]]) {
      const args = ["patch", "configmap", "olm-runtime-constraints", "-n", "olm", "-p", patch(BROKEN), ...more];
      const { code, err } = await runKubectl(kubectl, args);
      expect([code, err]).toEqual([1, expect.stringContaining(BROKEN_LINE)]);
    }
    const applied = await runKubectl(kubectl, [
      "apply",
      "--server-side",
      "--force-conflicts",
      "-f",
      join(folder, "broken.json"),
    ]);
    expect([applied.code, applied.err]).toEqual([1, expect.stringContaining(BROKEN_LINE)]);
  });

  test("can be labelled without a question about the blast radius, and be deleted", async () => {
    const label = await runKubectl(kubectl, ["label", "configmap", "olm-runtime-constraints", "-n", "olm", "team=a"]);
    expect([label.code, label.err]).toEqual([0, ""]);
    const deleted = await runKubectl(kubectl, ["delete", "configmap", "olm-runtime-constraints", "-n", "olm"]);
    expect([deleted.code, deleted.err]).toEqual([0, `Warning: ${RADIUS}\n`]);
  });

  test("is the only one that reaches the webhook", async () => {
    const before = asked();
    const { admin } = cluster;
    for (const namespace of ["olm", "shop"]) {
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const named = namespace === "olm" ? "other" : "olm-runtime-constraints";
      const object = asWritten(constraintsMap(BROKEN, { name: named, namespace }));
      expect((await admin.call("POST", path, object)).status).toBe(201);
      expect((await admin.call("PATCH", `${path}/${named}`, { data: { a: "b" } })).status).toBe(200);
      expect((await admin.call("DELETE", `${path}/${named}`)).status).toBe(200);
      expect((await admin.call("POST", path, { metadata: { generateName: "olm-runtime-constraints" } })).status).toBe(
        201,
      );
      expect((await admin.call("DELETE", path)).status).toBe(200);
    }
    expect(asked()).toBe(before);
    expect((await tried(MAPS, constraintsMap(GOOD))).status).toBe(201);
    expect(asked()).toBe(before + 1);
  });

  test("is seen in a deletion of all", async () => {
    const before = asked();
    await cluster.admin.call("POST", MAPS, asWritten(constraintsMap(GOOD)));
    expect((await cluster.admin.call("DELETE", MAPS)).status).toBe(200);
    expect(asked()).toBe(before + 2);
  });
});

describe("a Placement", () => {
  const broken = { predicates: [expressions("true", "managedCluster.metadata.name ==")] };
  const line =
    "spec.predicates[0].requiredClusterSelector.celSelector.celExpressions[1]:1:32: the expression ends too early";

  test("with a mistake is denied by kubectl apply, at its path", async () => {
    const { code, err } = await runKubectl(kubectl, ["apply", "-f", file("placement.json", placement(broken))]);
    expect(code).toBe(1);
    expect(err).toContain(
      'admission webhook "placements.plimsoll.dev" denied the request: the Placement has 1 mistake',
    );
    expect(err).toContain(`\n  ${line}`);
  });

  test("with a doubtful field is allowed, with a warning", async () => {
    const spec = { predicates: [expressions('managedCluster.metadata.label["a"] == "b"')] };
    const { code, err } = await runKubectl(kubectl, ["apply", "-f", file("placement.json", placement(spec))]);
    expect([code, err]).toEqual([0, expect.stringMatching(/^Warning: spec\.predicates.*did you mean `labels`\?\)\n$/)]);
  });

  test("without a name yet is reviewed", async () => {
    const generated = { generateName: "web-" };
    expect((await tried(PLACEMENTS, { ...placement({}), metadata: generated })).status).toBe(201);
    expect((await tried(PLACEMENTS, { ...placement(broken), metadata: generated })).message).toContain(line);
  });

  test("that was broken before the webhook came can be changed elsewhere, and finalizers and status go on", async () => {
    const { admin } = cluster;
    const configuration = await admin.get(CONFIGURATION);
    expect((await admin.call("DELETE", CONFIGURATION)).status).toBe(200);
    const old = { ...placement(broken), metadata: { name: "old", namespace: "olm", finalizers: ["example.com/hold"] } };
    await until("the webhook is not asked", async () => (await tried(PLACEMENTS, old)).status === 201 || undefined);
    expect((await admin.call("POST", PLACEMENTS, old)).status).toBe(201);
    expect((await admin.call("POST", CONFIGURATION.replace(/\/[^/]*$/, ""), asWritten(configuration))).status).toBe(
      201,
    );
    await until(
      "the webhook is asked again",
      async () => (await tried(PLACEMENTS, placement(broken, { name: "new" }))).status === 422 || undefined,
    );
    const path = `${PLACEMENTS}/old`;
    const patched = async (patch: JsonObject) => (await admin.call("PATCH", path, patch)).status;
    expect(await patched({ metadata: { labels: { a: "b" } } })).toBe(200);
    expect(await patched({ spec: { clusterSets: ["blue"] } })).toBe(200);
    expect(await patched({ spec: { numberOfClusters: -1 } })).toBe(422);
    expect((await admin.call("PATCH", `${path}/status`, { status: { numberOfSelectedClusters: 1 } })).status).toBe(200);
    expect((await admin.call("DELETE", path)).status).toBe(200);
    expect(await patched({ metadata: { finalizers: [] } })).toBe(200);
    expect(await admin.status(path)).toBe(404);
  });
});

describe("the certificate", () => {
  /** What a client that trusts only the announced authorities is answered in a new connection. */
  async function newConnection(): Promise<number> {
    const { hostname: host, port } = new URL(`https://${webhook.address}`);
    const ca = await caBundle();
    return new Promise((done, failed) => {
      request({ host, port, ca, path: "/validate", method: "GET", agent: false }, (answer) =>
        done(answer.statusCode ?? 0),
      )
        .on("error", failed)
        .end();
    });
  }

  test("and its authority are renewed by two replicas while the API server keeps asking", async () => {
    const second = await started({});
    let isOver = false;
    const unexpected: string[] = [];
    let denied = 0;
    const asking = (async () => {
      while (!isOver) {
        const { status, message } = await tried(MAPS, constraintsMap(BROKEN));
        if (status === 422) denied++;
        else unexpected.push(`${status} ${message}`);
      }
    })();
    try {
      const first = await cluster.admin.get(SECRET);
      const bundle = await caBundle();
      // As if the authority had to be replaced: its key is lost.
      await cluster.admin.call("PATCH", SECRET, { data: { "ca.key": "bG9zdA==" } });
      const isAnnounced = async () => certificatesIn(await caBundle()) === 2 || undefined;
      await timePasses("two authorities are announced", async () => {
        return isAnnounced();
      });
      expect(await caBundle()).toContain(bundle);
      expect(partOf(await cluster.admin.get(SECRET), "data")["tls.crt"]).toBe(partOf(first, "data")["tls.crt"]);
      expect(await newConnection()).toBe(405);
      clock.shift(60 * DAY);
      await timePasses("the certificate is another one", async () => {
        return (
          partOf(await cluster.admin.get(SECRET), "data")["tls.crt"] !== partOf(first, "data")["tls.crt"] || undefined
        );
      });
      expect(await newConnection()).toBe(405);
      await timePasses("one authority is left", async () => {
        return certificatesIn(await caBundle()) === 1 || undefined;
      });
      expect(await caBundle()).not.toBe(bundle);
      expect(await newConnection()).toBe(405);
      const from = denied;
      await until("it is still asked", () => denied > from + 5 || undefined);
    } finally {
      isOver = true;
      await asking;
      await second.close();
    }
    expect(unexpected).toEqual([]);
  });

  test("is trusted by an API server that has just started", async () => {
    await cluster.restartApiServer();
    await until(
      "a broken list is denied",
      async () => (await tried(MAPS, constraintsMap(BROKEN))).status === 422 || undefined,
    );
  });

  test("its keys are not in the log", async () => {
    const said = JSON.stringify(log);
    expect(said).not.toContain("PRIVATE KEY");
    for (const value of Object.values(partOf(await cluster.admin.get(SECRET), "data")))
      expect(said).not.toContain(`${value}`.slice(60, 120));
  });
});

describe("docs/webhook.md", () => {
  const page = readFileSync("docs/webhook.md", "utf8");
  const shown = [...page.matchAll(/```yaml\n([\s\S]*?)```[\s\S]*?```\n\$ (kubectl apply -f (\S+))\n([\s\S]*?)```/g)];

  beforeAll(async () => {
    for (const path of [`${PLACEMENTS}/web`, `${MAPS}/olm-runtime-constraints`])
      await cluster.admin.call("DELETE", path);
  });

  test.each(shown.map(([, yaml = "", command = "", name = "", printed = ""]) => ({ command, yaml, name, printed })))(
    "$command prints what it shows",
    async ({ yaml, name, printed }) => {
      const path = join(folder, name);
      writeFileSync(path, yaml);
      const { out, err } = await runKubectl(kubectl, ["apply", "-f", path]);
      expect((err + out).replaceAll(path, name)).toBe(printed);
    },
  );

  test("has three of them", () => {
    expect(shown).toHaveLength(3);
  });
});

test("if the webhook is away, every write passes", async () => {
  await webhook.close();
  expect((await tried(MAPS, constraintsMap(BROKEN))).status).toBe(201);
  expect((await tried(PLACEMENTS, placement({ numberOfClusters: -1 }, { name: "away" }))).status).toBe(201);
});
