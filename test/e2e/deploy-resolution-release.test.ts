// Does a release of the chart with the resolution controller live and end as it should? It upgrades the CRD, and never loses it: what
// administrators have set in Resolutions outlives the release.

import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { AUTHORITY, base64 } from "../certificates.ts";
import { resolutionObject } from "../deploy/resolution-examples.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { testFolder } from "./command.ts";
import { CHART, helmOutput } from "./helm.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type Kubectl, kubectlOutput } from "./kubectl.ts";
import { RESOLUTION } from "./manifests.ts";

const folder = testFolder("release");
let cluster: Cluster;
let kubectl: Kubectl;

beforeAll(async () => {
  cluster = await startCluster();
  const { server, tokens, servers } = cluster;
  const kubeconfig = writeKubeconfig(folder, { server, name: "admin", user: { token: tokens.admin as string } });
  kubectl = { servers, kubeconfig, home: folder };
});
afterAll(() => cluster?.stop());

const NAMED = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/resolutions.plimsoll.dev";
const RESOLUTIONS = "/apis/plimsoll.dev/v1alpha1/namespaces/default/resolutions";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/release/deployments";
const CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/plimsoll-webhook";
const release = (chart: string): readonly string[] => ["plimsoll", chart, "-n", "release"];

function helm(...args: readonly string[]): Promise<string> {
  return helmOutput(folder, args, { KUBECONFIG: kubectl.kubeconfig });
}

/** The columns of `kubectl get`. */
async function columns(): Promise<readonly unknown[]> {
  const [version = {}] = partOf(await cluster.admin.get(NAMED), "spec").versions as readonly JsonObject[];
  return (version.additionalPrinterColumns as readonly JsonObject[]).map(({ name }) => name);
}

/** The chart as it was, with fewer columns. */
function olderChart(): string {
  const chart = join(folder, "older");
  cpSync(CHART, chart, { recursive: true });
  const file = join(chart, "files", "resolution-crd.yaml");
  const text = readFileSync(file, "utf8");
  const older = text.replace(/ {8}- name: Why\n(?: {10}.*\n)*/, "");
  expect(older).not.toBe(text);
  writeFileSync(file, older);
  return chart;
}

test("is installed with the CRD, says how to go on, and upgrades the CRD", async () => {
  const notes = await helm("install", ...release(olderChart()), ...RESOLUTION, "--create-namespace");
  expect(notes).toContain("kubectl rollout status deployment plimsoll-resolution -n release\n");
  expect(notes).not.toContain("placement");
  await kubectlOutput(kubectl, [
    "wait",
    "--for=condition=Established",
    "crd/resolutions.plimsoll.dev",
    "--timeout=60s",
  ]);
  expect(await columns()).not.toContain("Why");
  const kept = { ...resolutionObject(), metadata: { name: "plimsoll", namespace: "default" } };
  writeFileSync(join(folder, "kept.json"), JSON.stringify(kept));
  await kubectlOutput(kubectl, ["apply", "-f", join(folder, "kept.json")]);
  await helm("upgrade", ...release(CHART), "--reset-then-reuse-values");
  expect(await columns()).toContain("Why");
  expect(await cluster.admin.status(`${RESOLUTIONS}/plimsoll`)).toBe(200);
});

test("gets the other controller, and loses this one without its Resolutions", async () => {
  const both = ["--reset-then-reuse-values", "--set", "placement.enabled=true"];
  const notes = await helm("upgrade", ...release(CHART), ...both);
  expect(notes).toContain("deployment plimsoll-placement -n release\n");
  expect(notes).toContain("deployment plimsoll-resolution -n release\n");
  await helm("upgrade", ...release(CHART), ...both, "--set", "resolution.enabled=false");
  expect(await cluster.admin.status(`${DEPLOYMENTS}/plimsoll-placement`)).toBe(200);
  expect(await cluster.admin.status(`${DEPLOYMENTS}/plimsoll-resolution`)).toBe(404);
  expect(await cluster.admin.status(`${RESOLUTIONS}/plimsoll`)).toBe(200);
  await helm("upgrade", ...release(CHART), ...both, "--set", "resolution.enabled=true");
  expect(await cluster.admin.status(`${DEPLOYMENTS}/plimsoll-resolution`)).toBe(200);
});

test("gets the webhook, keeps its authorities at an upgrade, and loses it", async () => {
  const notes = await helm(
    "upgrade",
    ...release(CHART),
    "--reset-then-reuse-values",
    "--set",
    "resolution.webhook.enabled=true",
  );
  expect(notes).toContain("kubectl delete secret plimsoll-webhook-tls -n release\n");
  const bundles = async (): Promise<readonly unknown[]> =>
    ((await cluster.admin.get(CONFIGURATION)).webhooks as readonly JsonObject[]).map(
      (one) => partOf(one, "clientConfig").caBundle,
    );
  // As the controller does.
  const authority = base64(AUTHORITY);
  const { webhooks } = await cluster.admin.get(CONFIGURATION);
  const known = (webhooks as readonly JsonObject[]).map((one) => ({
    ...one,
    clientConfig: { ...partOf(one, "clientConfig"), caBundle: authority },
  }));
  expect((await cluster.admin.call("PATCH", CONFIGURATION, { webhooks: known })).status).toBe(200);
  await helm("upgrade", ...release(CHART), "--reset-then-reuse-values", "--set", "logLevel=debug");
  expect(await bundles()).toEqual([authority, authority]);
  await helm("upgrade", ...release(CHART), "--reset-then-reuse-values", "--set", "resolution.webhook.enabled=false");
  expect(await cluster.admin.status(CONFIGURATION)).toBe(404);
  expect(await cluster.admin.status("/api/v1/namespaces/release/services/plimsoll-webhook")).toBe(404);
});

test("ends without its Resolutions, and a new one takes them over", async () => {
  expect(await helm("uninstall", "plimsoll", "-n", "release")).toContain("resolutions.plimsoll.dev");
  for (const name of ["placement", "resolution"])
    expect(await cluster.admin.status(`${DEPLOYMENTS}/plimsoll-${name}`)).toBe(404);
  expect(await cluster.admin.status(`${RESOLUTIONS}/plimsoll`)).toBe(200);
  await helm("install", ...release(CHART), ...RESOLUTION);
  expect(await cluster.admin.status(`${RESOLUTIONS}/plimsoll`)).toBe(200);
  const { metadata } = await cluster.admin.get(NAMED);
  expect(metadata).toMatchObject({ annotations: { "helm.sh/resource-policy": "keep" } });
});
