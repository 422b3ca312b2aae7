// Are the manifests of the resolution controller what a cluster accepts? Those of kustomize and of the chart are the same, the API server
// admits them under the restricted profile, and the chart says what is wrong with a value.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { documentedFlags } from "../deploy/flag-table.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { runCommand, testFolder } from "./command.ts";
import { until } from "./controller/until.ts";
import { CHART, runHelm } from "./helm.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type Kubectl, kubectlOutput, runKubectl } from "./kubectl.ts";
import {
  asKustomized,
  charted,
  IMAGE,
  kustomized,
  type Manifests,
  NAMESPACE,
  OF_RELEASES,
  podOf,
  RESOLUTION,
  RESOLUTION_BASE,
} from "./manifests.ts";
import { overlayOfPage } from "./page-overlay.ts";

const PAGE = "docs/resolution.md";
const CRD = "CustomResourceDefinition resolutions.plimsoll.dev";
const DEPLOYMENT = "Deployment plimsoll-resolution";
const folder = testFolder("resolution");
let cluster: Cluster;
let kubectl: Kubectl;

beforeAll(async () => {
  cluster = await startCluster();
  const { server, tokens, servers } = cluster;
  const kubeconfig = writeKubeconfig(folder, { server, name: "admin", user: { token: tokens.admin as string } });
  kubectl = { servers, kubeconfig, home: folder };
});
afterAll(() => cluster?.stop());

/** What kustomize renders, by default without an overlay. */
function base(overlay: string = RESOLUTION_BASE): Promise<Manifests> {
  return kustomized(kubectl, overlay);
}

/** What the chart renders; `values` are flags of helm. */
function rendered(values: readonly string[] = RESOLUTION): Promise<Manifests> {
  return charted(folder, values);
}

function argsOf(manifests: Manifests): readonly string[] {
  return podOf(manifests, "resolution").container.args as readonly string[];
}

/** The flags that say more than the defaults that the page states. */
function withoutDefaults(args: readonly string[]): readonly string[] {
  const defaults = documentedFlags(PAGE).map(({ flag, byDefault }) => `${flag}=${byDefault}`);
  return args.filter((arg) => !defaults.includes(arg));
}

/** An object without the annotation that keeps it when a release ends. */
function withoutPolicy(object: JsonObject): JsonObject {
  const { annotations, ...metadata } = partOf(object, "metadata");
  if (object.kind !== "CustomResourceDefinition") return object;
  expect(annotations).toEqual({ "helm.sh/resource-policy": "keep" });
  return { ...object, metadata };
}

/** What the command says of these flags: where there is no cluster, it refuses only those that are wrong. */
async function refusalOf(args: readonly string[]): Promise<string | undefined> {
  const { code, err } = await runCommand(args, join(folder, "nobody"));
  return code === 4 && err.includes("there is no kubeconfig") ? undefined : err;
}

/** Writes a file; returns its path. */
function written(name: string, content: JsonObject): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** The overlay of the page with a patch of the page; returns its folder. */
function overlayWith(name: string, patch = ""): string {
  const overlay = join(folder, name);
  mkdirSync(overlay);
  const text = overlayOfPage(PAGE).replace("../deploy/resolution", relative(overlay, RESOLUTION_BASE));
  writeFileSync(join(overlay, "kustomization.yaml"), `${text}${patch}`);
  return overlay;
}

/** The patches that the page shows. */
const PATCHES: readonly string[] = [...readFileSync(PAGE, "utf8").matchAll(/^patches:[\s\S]*?(?=^```$)/gm)].map(
  ([patch]) => patch,
);

describe("kustomize and the chart", () => {
  test("render the same objects, but the namespace, which a release cannot contain, and labels of releases", async () => {
    const { "Namespace plimsoll-system": namespace, ...others } = await base();
    const objects = Object.entries(await rendered());
    const ofChart = objects.map(([key, object]) => [key, withoutPolicy(asKustomized(object, withoutDefaults))]);
    expect(Object.fromEntries(ofChart)).toEqual(others);
    for (const [, object] of objects) expect(partOf(object, "metadata").labels).toMatchObject(OF_RELEASES);
    expect(objects).toHaveLength(8);
    expect(partOf(namespace as JsonObject, "metadata").labels).toMatchObject({
      "pod-security.kubernetes.io/enforce": "restricted",
    });
  });

  test("render the same objects with the webhook", async () => {
    const overlay = join(folder, "with-webhook");
    mkdirSync(overlay);
    const text = overlayOfPage("docs/webhook.md", "../deploy/resolution")
      .replaceAll("../deploy", relative(overlay, "deploy"))
      .replace(/^images:\n(?: .*\n)+/m, "");
    writeFileSync(join(overlay, "kustomization.yaml"), text);
    const { "Namespace plimsoll-system": _, ...others } = await base(overlay);
    const objects = Object.entries(await rendered([...RESOLUTION, "--set", "resolution.webhook.enabled=true"]));
    const ofChart = objects.map(([key, object]) => [key, withoutPolicy(asKustomized(object, withoutDefaults))]);
    expect(Object.fromEntries(ofChart)).toEqual(others);
    expect(objects).toHaveLength(14);
    const elsewhere = await rendered([
      ...[...RESOLUTION, "--set", "resolution.webhook.enabled=true"],
      ...["--set", "resolution.runtimeConstraintsConfigMap=rules/mine"],
    ]);
    const configuration = elsewhere["ValidatingWebhookConfiguration plimsoll-webhook"]
      ?.webhooks as readonly JsonObject[];
    expect(configuration[0]?.namespaceSelector).toEqual({ matchLabels: { "kubernetes.io/metadata.name": "rules" } });
    expect(JSON.stringify(configuration[0]?.matchConditions)).toContain("oldObject.metadata.name == 'mine'");
  });

  test("the chart has the controllers that are enabled, at least one", async () => {
    const both = Object.keys(await rendered([...IMAGE, "--set", "resolution.enabled=true"]));
    const [placement, resolution] = [Object.keys(await rendered(IMAGE)), Object.keys(await rendered())];
    expect(placement).toHaveLength(7);
    expect(both.sort()).toEqual([...placement, ...resolution].sort());
    expect(new Set(both).size).toBe(15);
    const none = await runHelm(folder, ["template", "plimsoll", CHART, ...IMAGE, "--set", "placement.enabled=false"]);
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining("nothing is enabled: set placement.enabled or resolution.enabled to true"),
    ]);
  });

  test("the PodDisruptionBudget selects the pods of the Deployment, and not those of the other controller", async () => {
    const both = await rendered([...IMAGE, "--set", "resolution.enabled=true"]);
    for (const manifests of [await base(), await rendered(), both]) {
      const { selector, template } = partOf(manifests[DEPLOYMENT] as JsonObject, "spec");
      const budget = partOf(manifests["PodDisruptionBudget plimsoll-resolution"] as JsonObject, "spec");
      expect(budget.selector).toEqual(selector);
      const labels = partOf(partOf(template as JsonObject, "metadata"), "labels");
      const matched = partOf(selector as JsonObject, "matchLabels");
      expect(labels).toMatchObject(matched);
      const other = partOf(partOf(both["Deployment plimsoll-placement"] as JsonObject, "spec"), "selector");
      expect(matched).not.toEqual(other.matchLabels);
    }
  });

  test("the cache is smaller than its volume, and the process has a directory of its own in it", async () => {
    for (const manifests of [await base(), await rendered([...RESOLUTION, "--set", "resolution.cacheGiB=2"])]) {
      const { pod, container } = podOf(manifests, "resolution");
      expect(pod.volumes).toEqual([{ name: "cache", emptyDir: { sizeLimit: "2Gi" } }]);
      expect(container.volumeMounts).toEqual([{ name: "cache", mountPath: "/cache" }]);
      expect(container.env).toEqual([
        { name: "PLIMSOLL_CACHE_DIR", value: "/cache/plimsoll" },
        { name: "PLIMSOLL_CACHE_MAX_BYTES", value: `${1.5 * 1024 ** 3}` },
      ]);
    }
  });

  test("the image of kustomize is replaced in the overlay of the page", async () => {
    const objects = await base(overlayWith("overlay"));
    expect(podOf(objects, "resolution").container.image).toBe("registry.example.com/plimsoll:0.1.0");
  });

  test("the patches of the page", async () => {
    expect(PATCHES).toHaveLength(2);
    expect(argsOf(await base(overlayWith("flag", PATCHES[0])))).toContain("--log-level=debug");
    const { pod, container } = podOf(await base(overlayWith("logins", PATCHES[1])), "resolution");
    const { pod: asChart, container: ofChart } = podOf(
      await rendered([...RESOLUTION, "--set", "resolution.registrySecret=registries"]),
      "resolution",
    );
    const byName = (list: unknown) =>
      [...(list as readonly JsonObject[])].sort((a, b) => (`${a.name}` < `${b.name}` ? -1 : 1));
    expect(byName(pod.volumes)).toEqual(byName(asChart.volumes));
    for (const field of ["env", "volumeMounts"]) expect(byName(container[field])).toEqual(byName(ofChart[field]));
  });
});

describe("the command", () => {
  test.each([
    ["of kustomize", () => base()],
    ["of the chart", () => rendered()],
    ["of the overlay with a further flag", () => base(overlayWith("further", PATCHES[0]))],
  ])("takes the flags %s", async (_, manifests) => {
    expect(await refusalOf(argsOf(await manifests()))).toBeUndefined();
  });
});

const OF_CHART = "this flag belongs to the chart: its values, or the namespace of the release";

describe("values of the chart", () => {
  test("are rendered", async () => {
    const values = written("values.json", {
      image: { repository: "registry.example.com:5000/team/plimsoll", tag: "1.2.3", pullSecrets: ["pull"] },
      placement: { enabled: false },
      replicas: 3,
      logLevel: "debug",
      resolution: {
        enabled: true,
        workers: 4,
        catalogPeriod: "1m30s",
        runtimeConstraintsConfigMap: "platform/rules",
        leaseName: "lease",
        cacheGiB: 4,
        registrySecret: "registries",
        authoritiesConfigMap: "authorities",
        env: { HTTPS_PROXY: "http://proxy.example.com:3128", NO_PROXY: ".svc" },
        extraArgs: ["--identity=a: b"],
        resources: { limits: { memory: "2Gi" } },
      },
      nodeSelector: { "node-role.kubernetes.io/infra": "" },
      serviceAccount: { annotations: { "example.com/role": "reader" } },
      labels: { team: "quay" },
    });
    const objects = await rendered(["-f", values]);
    for (const object of Object.values(objects))
      expect(partOf(object, "metadata").labels).toMatchObject({ team: "quay" });
    const { pod, container } = podOf(objects, "resolution");
    expect(partOf(objects[DEPLOYMENT] as JsonObject, "spec").replicas).toBe(3);
    expect(pod).toMatchObject({
      imagePullSecrets: [{ name: "pull" }],
      nodeSelector: { "node-role.kubernetes.io/infra": "" },
      volumes: [
        { name: "cache", emptyDir: { sizeLimit: "4Gi" } },
        { name: "registry", secret: { secretName: "registries" } },
        { name: "authorities", configMap: { name: "authorities" } },
      ],
    });
    expect(container).toMatchObject({
      image: "registry.example.com:5000/team/plimsoll:1.2.3",
      resources: { requests: { cpu: "100m", memory: "384Mi" }, limits: { memory: "2Gi" } },
      env: [
        { name: "PLIMSOLL_CACHE_DIR" },
        { name: "PLIMSOLL_CACHE_MAX_BYTES", value: `${3 * 1024 ** 3}` },
        { name: "REGISTRY_AUTH_FILE", value: "/registry/config.json" },
        { name: "NODE_EXTRA_CA_CERTS", value: "/authorities/ca.crt" },
        { name: "HTTPS_PROXY", value: "http://proxy.example.com:3128" },
        { name: "NO_PROXY", value: ".svc" },
      ],
    });
    const mounts = (container.volumeMounts as readonly JsonObject[]).map(({ name, mountPath }) => [name, mountPath]);
    expect(mounts).toEqual([
      ["cache", "/cache"],
      ["registry", "/registry"],
      ["authorities", "/authorities"],
    ]);
    expect(container.args).toEqual([
      ...["controller", "--controllers=resolution", "--health-address=:8081", "--metrics-address=:8080"],
      ...["--lease-name=lease", "--log-level=debug", "--resolve-workers=4", "--catalog-period=1m30s"],
      ...["--runtime-constraints-configmap=platform/rules", "--identity=a: b"],
    ]);
    const account = objects["ServiceAccount plimsoll-resolution"] as JsonObject;
    expect(partOf(account, "metadata").annotations).toEqual({ "example.com/role": "reader" });
    const named = (key: string, of: string): unknown =>
      ((objects[key] as JsonObject).rules as readonly JsonObject[]).flatMap(({ resources = [], resourceNames }) =>
        (resources as readonly string[]).includes(of) && resourceNames !== undefined ? [resourceNames] : [],
      );
    expect(named("Role plimsoll-resolution", "leases")).toEqual([["lease"]]);
    expect(named("ClusterRole plimsoll-resolution", "configmaps")).toEqual([["rules"]]);
  });

  test.each([
    ["resolution.worker=3", "at '/resolution': additional properties 'worker' not allowed"],
    ["resolution.enabled=yes", "at '/resolution/enabled': got string, want boolean"],
    ["placement.enabled=1", "at '/placement/enabled': got number, want boolean"],
    ["placement.replicas=1", "at '/placement': additional properties 'replicas' not allowed"],
    ["resolution.workers=0", "at '/resolution/workers': minimum: got 0, want 1"],
    ["resolution.catalogPeriod=often", "at '/resolution/catalogPeriod': 'often' does not match pattern"],
    [
      "resolution.runtimeConstraintsConfigMap=rules",
      "at '/resolution/runtimeConstraintsConfigMap': 'rules' does not match",
    ],
    ["resolution.leaseName=Lease", "at '/resolution/leaseName': 'Lease' does not match pattern"],
    ["resolution.cacheGiB=0", "at '/resolution/cacheGiB': minimum: got 0, want 1"],
    ["resolution.registrySecret=A", "at '/resolution/registrySecret': 'A' does not match pattern"],
    ["resolution.env.REGISTRY_AUTH_FILE=x", "at '/resolution/env/REGISTRY_AUTH_FILE': false schema"],
    ["resolution.env.1=x", "invalid propertyName '1'"],
    ["resolution.resources.limit.memory=1Gi", "at '/resolution/resources': additional properties 'limit' not allowed"],
    ["resolution.extraArgs={workers}", "at '/resolution/extraArgs/0': 'workers' does not match pattern"],
    ["resolution.extraArgs={--namespace=x}", `resolution.extraArgs: --namespace=x: ${OF_CHART}`],
  ])("%s is refused", async (value, message) => {
    const { code, out, err } = await runHelm(folder, ["template", "plimsoll", CHART, ...RESOLUTION, "--set", value]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
  });

  test("the flags that the chart sets are refused among further flags", async () => {
    const flags = argsOf(await rendered()).slice(1);
    expect(flags).toHaveLength(8);
    for (const flag of flags) {
      const value = ["--set", `resolution.extraArgs={${flag}}`];
      const { code, err } = await runHelm(folder, ["template", "plimsoll", CHART, ...RESOLUTION, ...value]);
      expect([code, err]).toEqual([1, expect.stringContaining(`resolution.extraArgs: ${flag}: ${OF_CHART}`)]);
    }
  });
});

describe("the API server", () => {
  test("admits the objects of kustomize, without a warning, and once more without a change", async () => {
    const real = await runKubectl(kubectl, ["apply", "-k", RESOLUTION_BASE]);
    expect([real.code, real.err]).toEqual([0, ""]);
    expect(real.out.match(/ created$/gm)).toHaveLength(9);
    const again = await kubectlOutput(kubectl, ["apply", "-k", RESOLUTION_BASE]);
    // kubectl sends the selector of a PodDisruptionBudget every time.
    expect(again.replace(/^poddisruptionbudget.*\n/m, "").match(/ unchanged$/gm)).toHaveLength(8);
  });

  test("admits the pods under the restricted profile, also with logins and authorities", async () => {
    const secrets = ["--set", "resolution.registrySecret=registries,resolution.authoritiesConfigMap=authorities"];
    for (const manifests of [await base(), await rendered([...RESOLUTION, ...secrets])]) {
      const path = written("pod.json", {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "replica", namespace: NAMESPACE },
        spec: podOf(manifests, "resolution").pod,
      });
      const { out, err } = await runKubectl(kubectl, ["apply", "--dry-run=server", "-f", path]);
      expect(out + err).toBe("pod/replica created (server dry run)\n");
    }
  });

  test("loses everything but the namespaces by kubectl delete", async () => {
    const objects = Object.values(await base()).filter(({ kind }) => kind !== "Namespace");
    await kubectlOutput(kubectl, [
      "delete",
      "-f",
      written("all.json", { apiVersion: "v1", kind: "List", items: objects }),
    ]);
    const resolutions = "/apis/plimsoll.dev/v1alpha1/resolutions";
    // The API server notices a little later.
    await until("the kind is gone", async () => (await cluster.admin.status(resolutions)) === 404 || undefined);
  });
});

test("the CRD of the chart is that of kustomize", async () => {
  expect((await rendered())[CRD]?.spec).toEqual((await base())[CRD]?.spec);
});
