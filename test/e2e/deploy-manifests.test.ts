// Are the manifests of the placement controller what a hub accepts? Those of kustomize and of the chart are the same, the API
// server admits them under the restricted profile, and the chart says what is wrong with a value.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leaseNameOf, withControllerOptions } from "../../src/cli/controller/options.ts";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { runCommand, testFolder } from "./command.ts";
import { CHART, helmOutput, runHelm } from "./helm.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { type Kubectl, kubectlOutput, runKubectl } from "./kubectl.ts";
import {
  asKustomized,
  BASE,
  charted,
  IMAGE,
  kustomized,
  type Manifests,
  NAMESPACE,
  OF_RELEASES,
  podOf,
} from "./manifests.ts";
import { overlayOfPage } from "./page-overlay.ts";

const { version: VERSION } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = testFolder("manifests");
let cluster: Cluster;
let kubectl: Kubectl;

beforeAll(async () => {
  cluster = await startCluster();
  const { server, tokens, servers } = cluster;
  const kubeconfig = writeKubeconfig(folder, { server, name: "admin", user: { token: tokens.admin as string } });
  kubectl = { servers, kubeconfig, home: folder };
});
afterAll(() => cluster?.stop());

const AFFINITY = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }] }],
    },
  },
};

/** What the chart renders; `values` are flags of helm. */
function rendered(values?: readonly string[]): Promise<Manifests> {
  return charted(folder, values);
}

/** The flags that say more than the defaults of the command. */
function withoutDefaults(args: readonly string[]): readonly string[] {
  const { options } = withControllerOptions(new Command());
  const leaseName = `--lease-name=${leaseNameOf("placement", {})}`;
  return args.filter(
    (arg) =>
      arg !== leaseName &&
      !options.some(({ long, defaultValue }) => defaultValue !== undefined && arg === `${long}=${defaultValue}`),
  );
}

/** What the command says of these flags: where there is no cluster, it refuses only those that are wrong. */
async function refusalOf(args: unknown): Promise<string | undefined> {
  const { code, err } = await runCommand(args as readonly string[], join(folder, "nobody"));
  return code === 4 && err.includes("there is no kubeconfig") ? undefined : err;
}

/** Writes a file; returns its path. */
function written(name: string, content: JsonObject): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe("kustomize and the chart", () => {
  test("render the same objects, but the namespace, which a release cannot contain, and labels of releases", async () => {
    const { "Namespace plimsoll-system": namespace, ...others } = await kustomized(kubectl);
    const objects = Object.entries(await rendered());
    expect(Object.fromEntries(objects.map(([key, object]) => [key, asKustomized(object, withoutDefaults)]))).toEqual(
      others,
    );
    for (const [, object] of objects) expect(partOf(object, "metadata").labels).toMatchObject(OF_RELEASES);
    expect(objects).toHaveLength(7);
    expect(partOf(namespace as JsonObject, "metadata").labels).toMatchObject({
      "pod-security.kubernetes.io/enforce": "restricted",
    });
  });

  test("the PodDisruptionBudget selects the pods of the Deployment", async () => {
    for (const manifests of [
      await kustomized(kubectl),
      await rendered(),
      await rendered([...IMAGE, "--set", "labels.team=quay"]),
    ]) {
      const deployment = manifests["Deployment plimsoll-placement"] as JsonObject;
      const budget = manifests["PodDisruptionBudget plimsoll-placement"] as JsonObject;
      const { selector, template } = partOf(deployment, "spec");
      const { matchLabels, ...others } = partOf(partOf(budget, "spec"), "selector");
      expect([matchLabels, others]).toEqual([partOf(selector as JsonObject, "matchLabels"), {}]);
      expect(Object.keys(matchLabels as JsonObject)).not.toEqual([]);
      expect(partOf(partOf(template as JsonObject, "metadata"), "labels")).toMatchObject(matchLabels as JsonObject);
      expect(partOf(budget, "metadata").namespace).toBe(partOf(deployment, "metadata").namespace);
    }
  });

  test("have the version of the package", async () => {
    const [chart] = documentsOf(join(CHART, "Chart.yaml"));
    expect([chart?.version, chart?.appVersion]).toEqual([VERSION, VERSION]);
    expect(podOf(await rendered()).container.image).toBe(`plimsoll:${VERSION}`);
    expect(readFileSync("Containerfile", "utf8")).toContain(`plimsoll:${VERSION} .`);
  });

  test("the image of kustomize is replaced in the overlay of the page", async () => {
    const overlay = join(folder, "overlay");
    mkdirSync(overlay);
    const text = overlayOfPage("docs/controller.md").replace("../deploy/placement", relative(overlay, BASE));
    writeFileSync(join(overlay, "kustomization.yaml"), text);
    const objects = await kustomized(kubectl, overlay);
    expect(podOf(objects).container.image).toBe("registry.example.com/plimsoll:0.1.0");

    const [patch = ""] = /^patches:[\s\S]*?(?=^```$)/m.exec(readFileSync("docs/controller.md", "utf8")) ?? [];
    writeFileSync(join(overlay, "kustomization.yaml"), `${text}${patch}`);
    const { args } = podOf(await kustomized(kubectl, overlay)).container;
    expect(args).toContain("--log-level=debug");
    expect(await refusalOf(args)).toBeUndefined();
  });

  test.each([
    "--compat=ocm",
    "--decision-scores=all",
    "--identity=hub",
    "--lease-duration=30s",
    "--lease-name=other",
    "--log-level=debug",
    "--ocm-namespace=hub",
    "--on-expired-score=keep",
    "--retry-period=1s",
    "--tie-break=hash",
    "--writes-at-once=4",
  ])("a further flag of kustomize: %s", async (flag) => {
    const { args } = podOf(await kustomized(kubectl)).container;
    expect(await refusalOf([...(args as readonly string[]), flag])).toBeUndefined();
  });
});

/** Why the chart refuses a flag. */
const OF_CHART = "this flag belongs to the chart: its values, or the namespace of the release";

describe("values of the chart", () => {
  test("are rendered", async () => {
    const values = written("values.json", {
      image: { repository: "registry.example.com:5000/team/plimsoll", tag: "1.2.3", pullSecrets: ["pull", "123"] },
      replicas: 3,
      compat: "ocm",
      tieBreak: "hash",
      onExpiredScore: "keep",
      decisionScores: "all",
      writesAtOnce: 4,
      logLevel: "debug",
      ocmNamespace: "hub",
      leaseName: "lease",
      extraArgs: ["--lease-duration=30s", "--identity=a: b"],
      resources: { limits: { memory: "2Gi" } },
      nodeSelector: { "node-role.kubernetes.io/infra": "" },
      tolerations: [{ key: "node-role.kubernetes.io/infra", operator: "Exists", effect: "NoSchedule" }],
      affinity: AFFINITY,
      topologySpreadConstraints: [{ maxSkew: 2, topologyKey: "rack", whenUnsatisfiable: "DoNotSchedule" }],
      priorityClassName: "system-cluster-critical",
      serviceAccount: { annotations: { "example.com/role": "reader" } },
      podAnnotations: { "prometheus.io/scrape": "true" },
      labels: { team: "quay", on: "true" },
    });
    const objects = await rendered(["-f", values]);
    for (const object of Object.values(objects))
      expect(partOf(object, "metadata").labels).toMatchObject({ team: "quay", on: "true" });
    const { pod, container } = podOf(objects);
    const { replicas, selector, template } = partOf(objects["Deployment plimsoll-placement"] as JsonObject, "spec");
    expect([replicas, partOf(template as JsonObject, "metadata").labels]).toMatchObject([3, { team: "quay" }]);
    expect(partOf(template as JsonObject, "metadata").annotations).toEqual({ "prometheus.io/scrape": "true" });
    expect(partOf(selector as JsonObject, "matchLabels")).not.toHaveProperty("team");
    expect(pod).toMatchObject({
      imagePullSecrets: [{ name: "pull" }, { name: "123" }],
      nodeSelector: { "node-role.kubernetes.io/infra": "" },
      tolerations: [{ key: "node-role.kubernetes.io/infra", operator: "Exists", effect: "NoSchedule" }],
      affinity: AFFINITY,
      topologySpreadConstraints: [
        {
          ...{ maxSkew: 2, topologyKey: "rack", whenUnsatisfiable: "DoNotSchedule" },
          labelSelector: { matchLabels: partOf(selector as JsonObject, "matchLabels") },
        },
      ],
      priorityClassName: "system-cluster-critical",
    });
    const account = objects["ServiceAccount plimsoll-placement"] as JsonObject;
    expect(partOf(account, "metadata").annotations).toEqual({ "example.com/role": "reader" });
    const role = objects["Role plimsoll-placement"] as JsonObject;
    expect((role.rules as readonly JsonObject[])[1]?.resourceNames).toEqual(["lease"]);
    expect(container.image).toBe("registry.example.com:5000/team/plimsoll:1.2.3");
    expect(container.resources).toEqual({ requests: { cpu: "100m", memory: "512Mi" }, limits: { memory: "2Gi" } });
    expect(container.args).toEqual([
      ...["controller", "--controllers=placement", "--health-address=:8081", "--metrics-address=:8080"],
      ...["--lease-name=lease", "--ocm-namespace=hub", "--log-level=debug", "--tie-break=hash"],
      ...["--on-expired-score=keep", "--decision-scores=all", "--writes-at-once=4", "--compat=ocm"],
      ...["--lease-duration=30s", "--identity=a: b"],
    ]);
    expect(await refusalOf(container.args)).toBeUndefined();
  });

  test.each([
    ["replica=3", "additional properties 'replica' not allowed"],
    ["image.name=x", "at '/image': additional properties 'name' not allowed"],
    ["replicas=two", "at '/replicas': got string, want integer"],
    ["replicas=-1", "at '/replicas': minimum: got -1, want 0"],
    ["image.repository=", "at '/image/repository': minLength: got 0, want 1"],
    ["compat=OCM", "at '/compat': value must be one of '', 'ocm'"],
    ["logLevel=trace", "at '/logLevel': value must be one of 'error', 'warn', 'info', 'debug'"],
    ["tieBreak=score", "at '/tieBreak': value must be one of 'name', 'hash'"],
    ["decisionScores=none", "at '/decisionScores': value must be one of 'sorted', 'all'"],
    ["onExpiredScore=drop", "at '/onExpiredScore': value must be one of 'error', 'keep'"],
    ["writesAtOnce=0", "at '/writesAtOnce': minimum: got 0, want 1"],
    ["extraArgs={lease-duration}", "at '/extraArgs/0': 'lease-duration' does not match pattern"],
    ["extraArgs={--namespace=x}", `extraArgs: --namespace=x: ${OF_CHART}`],
    ["extraArgs={--lease-name=x}", `extraArgs: --lease-name=x: ${OF_CHART}`],
    ["leaseName=Lease", "at '/leaseName': 'Lease' does not match pattern"],
    ["topologySpreadConstraints[0].maxSkew=1", "at '/topologySpreadConstraints/0': missing properties"],
    ["serviceAccount.name=x", "at '/serviceAccount': additional properties 'name' not allowed"],
    ["affinity.nodes=x", "at '/affinity': additional properties 'nodes' not allowed"],
    ["priorityClassName=High", "at '/priorityClassName': 'High' does not match pattern"],
    ["podAnnotations.scrape=true", "at '/podAnnotations/scrape': got boolean, want string"],
    ["ocmNamespace=Hub", "at '/ocmNamespace': 'Hub' does not match pattern"],
    ["image.tag=1:2", "at '/image/tag': '1:2' does not match pattern"],
    ["image.pullPolicy=Sometimes", "at '/image/pullPolicy': value must be one of"],
    ["resources.limit.memory=1Gi", "at '/resources': additional properties 'limit' not allowed"],
    ["resources.limits.memory=much", "at '/resources/limits/memory': 'much' does not match pattern"],
    ["tolerations[0].operator=Is", "at '/tolerations/0/operator': value must be one of 'Exists', 'Equal'"],
    ["nodeSelector.ssd=true", "at '/nodeSelector/ssd': got boolean, want string"],
    ["labels.app\\.kubernetes\\.io/name=other", "at '/labels/app.kubernetes.io~1name': false schema"],
  ])("%s is refused", async (value, message) => {
    const { code, out, err } = await runHelm(folder, ["template", "plimsoll", CHART, ...IMAGE, "--set", value]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
  });

  test("the flags that the chart sets are refused among further flags", async () => {
    const { args } = podOf(await rendered([...IMAGE, "--set", "compat=ocm"])).container;
    const flags = (args as readonly string[]).slice(1);
    expect(flags).toHaveLength(11);
    for (const flag of flags) {
      const { code, err } = await runHelm(folder, [
        "template",
        "plimsoll",
        CHART,
        ...IMAGE,
        "--set",
        `extraArgs={${flag}}`,
      ]);
      expect([code, err]).toEqual([1, expect.stringContaining(`extraArgs: ${flag}: ${OF_CHART}`)]);
    }
  });

  test("an image is required: there is none that everybody can pull", async () => {
    const { code, err } = await runHelm(folder, ["template", "plimsoll", CHART]);
    expect([code, err]).toEqual([1, expect.stringContaining("at '/image': missing property 'repository'")]);
  });
});

describe("the API server", () => {
  test("admits the objects of kustomize, in a dry run and for real, without a warning", async () => {
    await kubectlOutput(kubectl, ["apply", "-f", join(BASE, "namespace.yaml")]);
    const dry = await runKubectl(kubectl, ["apply", "--dry-run=server", "-k", BASE]);
    expect([dry.code, dry.err]).toEqual([0, ""]);
    expect(dry.out.match(/\(server dry run\)$/gm)).toHaveLength(8);
    const real = await runKubectl(kubectl, ["apply", "-k", BASE]);
    expect([real.code, real.err]).toEqual([0, ""]);
    const again = await kubectlOutput(kubectl, ["apply", "-k", BASE]);
    // kubectl sends the selector of a PodDisruptionBudget every time.
    expect(again.replace(/^poddisruptionbudget.*\n/m, "").match(/ unchanged$/gm)).toHaveLength(7);
  });

  /** The answer to a pod of the Deployment with other settings, in the namespace of the manifests. */
  async function admitted(change: (pod: JsonObject, container: JsonObject) => JsonObject): Promise<string> {
    const { pod, container } = podOf(await kustomized(kubectl));
    const path = written("pod.json", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "replica", namespace: NAMESPACE },
      spec: change(pod, container),
    });
    const { out, err } = await runKubectl(kubectl, ["apply", "--dry-run=server", "-f", path]);
    return out + err;
  }

  test("admits the pods under the restricted profile", async () => {
    expect(await admitted((pod) => pod)).toBe("pod/replica created (server dry run)\n");
  });

  test.each<readonly [string, (pod: JsonObject, container: JsonObject) => JsonObject]>([
    ["runAsNonRoot", (pod) => ({ ...pod, securityContext: { seccompProfile: { type: "RuntimeDefault" } } })],
    ["seccompProfile", (pod) => ({ ...pod, securityContext: { runAsNonRoot: true } })],
    [
      "allowPrivilegeEscalation",
      (pod, container) => ({
        ...pod,
        containers: [{ ...container, securityContext: { capabilities: { drop: ["ALL"] } } }],
      }),
    ],
    [
      "unrestricted capabilities",
      (pod, container) => ({
        ...pod,
        containers: [{ ...container, securityContext: { allowPrivilegeEscalation: false } }],
      }),
    ],
    ["restricted volume types", (pod) => ({ ...pod, volumes: [{ name: "node", hostPath: { path: "/" } }] })],
  ])("refuses them without what the profile asks for: %s", async (what, change) => {
    expect(await admitted(change)).toMatch(new RegExp(`violates PodSecurity "restricted:latest": .*${what}`));
  });

  test("the root file system of the container is read-only", async () => {
    expect(podOf(await rendered()).container.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
  });

  test("takes a release of the chart, an upgrade, and its end", async () => {
    // The names of cluster-wide objects are fixed: a hub has one placement controller.
    await kubectlOutput(kubectl, ["delete", "clusterrole,clusterrolebinding", "plimsoll-placement"]);
    const environment = { KUBECONFIG: kubectl.kubeconfig };
    const release = ["plimsoll", CHART, "-n", "release"];
    const notes = await helmOutput(folder, ["install", ...release, ...IMAGE, "--create-namespace"], environment);
    expect(notes).toContain("kubectl rollout status deployment plimsoll-placement -n release\n");
    const deployment = "/apis/apps/v1/namespaces/release/deployments/plimsoll-placement";
    const argsNow = async () =>
      podOf({ "Deployment plimsoll-placement": await cluster.admin.get(deployment) }).container.args;
    expect(await argsNow()).toEqual(podOf(await rendered()).container.args);
    await helmOutput(folder, ["upgrade", ...release, "--reset-then-reuse-values", "--set", "compat=ocm"], environment);
    expect(await argsNow()).toContain("--compat=ocm");
    await helmOutput(folder, ["uninstall", "plimsoll", "-n", "release"], environment);
    expect(await cluster.admin.status(deployment)).toBe(404);
    expect(await cluster.admin.status("/apis/rbac.authorization.k8s.io/v1/clusterroles/plimsoll-placement")).toBe(404);
  });
});
