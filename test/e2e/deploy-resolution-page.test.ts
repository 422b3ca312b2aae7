// Does docs/resolution.md work as it is written? Its commands run one after the other on a cluster, with kustomize and with Helm, and so do
// those of docs/operations.md. There are no pods here: the test writes what the controller has written for the example, and the page shows what kubectl prints.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { type Cluster, canRunControllers, startCluster } from "./cluster.ts";
import { COMMAND, startProgram, testFolder } from "./command.ts";
import { helmFolder } from "./helm.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { commandsOf, type PageShell, pageShell, replicasRun } from "./page-commands.ts";

const PAGE = "docs/resolution.md";
const TEXT = readFileSync(PAGE, "utf8");
const DEPLOYMENT = "/apis/apps/v1/namespaces/plimsoll-system/deployments/plimsoll-resolution";
const RESOLUTION = "/apis/plimsoll.dev/v1alpha1/namespaces/cargo/resolutions/plimsoll";
const CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/resolutions.plimsoll.dev";
const folder = testFolder("page");
let cluster: Cluster;
let page: PageShell;
let kubeconfig: string;

beforeAll(async () => {
  const controllers = canRunControllers() ? ["namespace-controller"] : [];
  cluster = await startCluster({ controllers });
  const { server, tokens } = cluster;
  kubeconfig = writeKubeconfig(folder, { server, name: "my-cluster", user: { token: tokens.admin as string } });
  const programs = [cluster.servers, helmFolder()];
  page = pageShell(folder, { kubeconfig, programs, overlay: { name: "cluster", page: PAGE } });
  const subscription = { metadata: { namespace: "cargo", name: "lading" }, spec: { name: "lading" } };
  await loadObjects(cluster.admin, [
    ...documentsOf("test/e2e/crds.yaml"),
    ...monitoringDefinitions(),
    { apiVersion: "operators.coreos.com/v1alpha1", kind: "Subscription", ...subscription },
  ]);
});
afterAll(() => cluster?.stop());

/** The kinds of the Prometheus operator; they accept every field. */
function monitoringDefinitions(): readonly JsonObject[] {
  return [
    ["PodMonitor", "podmonitors"],
    ["PrometheusRule", "prometheusrules"],
  ].map(([kind = "", plural = ""]) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.monitoring.coreos.com` },
    spec: {
      group: "monitoring.coreos.com",
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          ...{ name: "v1", served: true, storage: true },
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  }));
}

/** Runs a command of the page; what it printed. */
async function ran(command: string): Promise<string> {
  const { code, out, err } = await page.run(command);
  expect(code, `${command}\n${out}${err}`).toBe(0);
  await replicasRun(cluster.admin);
  return out;
}

/** The advice for namespace cargo of the bundled example. */
const [{ items = [] } = {}] = documentsOf("examples/harbour/advice/resolutions.yaml") as readonly {
  readonly items?: readonly JsonObject[];
}[];
const STATUS = partOf(items.find(({ metadata }) => (metadata as JsonObject).namespace === "cargo") ?? {}, "status");

/** Writes what the controller would, for namespace cargo. */
async function advise(): Promise<void> {
  await page.run("kubectl wait --for=condition=Established crd/resolutions.plimsoll.dev --timeout=60s");
  const object = { apiVersion: "plimsoll.dev/v1alpha1", kind: "Resolution", metadata: { name: "plimsoll" } };
  expect((await cluster.admin.call("POST", RESOLUTION.replace(/\/plimsoll$/, ""), object)).status).toBe(201);
  expect((await cluster.admin.call("PATCH", `${RESOLUTION}/status`, { status: STATUS })).status).toBe(200);
}

async function specNow(): Promise<JsonObject> {
  return partOf(await cluster.admin.get(RESOLUTION), "spec");
}

/** The text block of the page that has some text. */
function blockOf(kind: "console" | "text", part: string): string {
  const blocks = [...TEXT.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, block = ""]) => block,
  );
  const [block = "", ...others] = blocks.filter((one) => one.includes(part));
  expect([block === "", others]).toEqual([false, []]);
  return block;
}

/** What is so after a command, by a part of it; `out` is what it printed. */
const AFTER: Readonly<Record<string, (out: string) => Promise<void> | void>> = {
  "apply -k cluster": async () => {
    expect(partOf(await cluster.admin.get(DEPLOYMENT), "spec").replicas).toBe(2);
    await advise();
  },
  "get resolutions.plimsoll.dev -A -o wide": (out) => expect(out).toContain("WHY"),
  "describe resolution plimsoll": (out) => expect(out).toContain(blockOf("text", "Held Back:")),
  "explain resolution.status": (out) => expect(out).toContain("heldBack"),
  "get resolutions.plimsoll.dev -A -o jsonpath": (out) => expect(out).toBe(`cargo\t${STATUS.reason}\n`),
  '"hold":["lading"]': async () => expect(await specNow()).toMatchObject({ mode: "Advise", hold: ["lading"] }),
  '"mode":"Off"': async () => expect(await specNow()).toMatchObject({ mode: "Off" }),
  '"hold":null': async () => {
    expect(await specNow()).toEqual({ mode: "Advise", approval: "FromSubscriptions", allOrNothing: false });
    const block = blockOf("console", "kubectl get resolutions.plimsoll.dev -n cargo");
    const printed = await ran("kubectl get resolutions.plimsoll.dev -n cargo");
    expect(`$ kubectl get resolutions.plimsoll.dev -n cargo\n${printed.replace(/\S+\n$/, "3d\n")}`).toBe(block);
  },
  "delete customresourcedefinitions.apiextensions.k8s.io resolutions": async () =>
    expect(await cluster.admin.status(CRD)).toBe(404),
  "delete deployments.apps,": async () => {
    expect(await cluster.admin.status(DEPLOYMENT)).toBe(404);
    expect(await cluster.admin.status("/api/v1/namespaces/plimsoll-system")).toBe(200);
  },
  "delete customresourcedefinitions.apiextensions.k8s.io,": async () => {
    const role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/plimsoll-resolution";
    expect(await cluster.admin.status(role)).toBe(404);
  },
};

const COMMANDS = commandsOf(PAGE);
const OF_HELM = COMMANDS.filter((command) => command.startsWith("helm "));
const CONTROLLER = COMMANDS.filter((command) => command.startsWith("plimsoll "));

/** The commands of the table about upgrades, by what they do and with what. */
function tableCommand(row: "upgrade" | "uninstall", program: "kubectl" | "helm"): string {
  const [, cells = ""] = new RegExp(`^\\| ${row} \\| (.*) \\|$`, "m").exec(TEXT) ?? [];
  const [, command] = new RegExp(`\`(${program} [^\`]+)\``).exec(cells) ?? [];
  if (command === undefined) throw new Error(`the row ${row} has no command of ${program}`);
  return command;
}

test("the commands of the page run one after the other", async () => {
  const checked = new Set<string>();
  for (const command of COMMANDS.filter((one) => !OF_HELM.includes(one) && !CONTROLLER.includes(one))) {
    const out = await ran(command);
    for (const [part, check] of Object.entries(AFTER))
      if (command.includes(part)) {
        await check(out);
        checked.add(part);
      }
  }
  expect([...checked].sort()).toEqual(Object.keys(AFTER).sort());
});

test("so do those with Helm, up to the end of the release", async () => {
  expect(OF_HELM).toHaveLength(2);
  for (const command of [...OF_HELM, tableCommand("upgrade", "helm")]) await ran(command);
  expect(await cluster.admin.status(DEPLOYMENT)).toBe(200);
  await ran(tableCommand("uninstall", "helm"));
  expect([await cluster.admin.status(DEPLOYMENT), await cluster.admin.status(CRD)]).toEqual([404, 200]);
  await ran("kubectl delete customresourcedefinitions.apiextensions.k8s.io resolutions.plimsoll.dev");
});

test.skipIf(!canRunControllers())("an upgrade and the end with kustomize", async () => {
  for (let times = 0; times < 2; times++) await ran(tableCommand("upgrade", "kubectl"));
  expect(await cluster.admin.status(DEPLOYMENT)).toBe(200);
  await ran(tableCommand("uninstall", "kubectl"));
  for (const path of [CRD, "/api/v1/namespaces/plimsoll-system"]) expect(await cluster.admin.status(path)).toBe(404);
});

/** What every controller needs. */
describe("with the namespace and the CRD", () => {
  beforeAll(() => {
    const files = ["namespace", "crd"].map((name) => documentsOf(`deploy/resolution/${name}.yaml`));
    return loadObjects(cluster.admin, files.flat());
  });

  describe("the commands of docs/operations.md", () => {
    const OPERATIONS = "docs/operations.md";

    test("in its text run, and find what they are for", async () => {
      const metadata = { namespace: "plimsoll-system", name: "harbour" };
      const conditions = [
        { type: "PlacementSatisfied", status: "False" },
        { type: "PlacementMisconfigured", status: "True" },
      ].map((one) => ({ ...one, reason: "Test", message: "", lastTransitionTime: "2026-10-05T08:00:00Z" }));
      const placements = "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/plimsoll-system/placements";
      await loadObjects(cluster.admin, [
        { apiVersion: "operators.coreos.com/v1alpha1", kind: "CatalogSource", metadata, spec: { sourceType: "grpc" } },
        { apiVersion: "cluster.open-cluster-management.io/v1beta1", kind: "Placement", metadata, spec: {} },
        {
          ...{ apiVersion: "coordination.k8s.io/v1", kind: "Lease", spec: { holderIdentity: "pod-1" } },
          metadata: { ...metadata, name: "plimsoll-resolution" },
        },
        {
          ...{
            apiVersion: "v1",
            kind: "Secret",
            type: "kubernetes.io/tls",
            data: { "tls.crt": "eA==", "tls.key": "eA==" },
          },
          metadata: { ...metadata, name: "plimsoll-webhook-tls" },
        },
      ]);
      await cluster.admin.call("PATCH", `${placements}/harbour/status`, { status: { conditions } });
      await advise();
      await cluster.admin.call("PATCH", `${RESOLUTION}/status`, { status: { outcome: "Undecided" } });
      const finds: Readonly<Record<string, string>> = {
        "get leases": "pod-1",
        "grep plimsoll": "plimsoll-resolution",
        "grep True": "plimsoll-system/harbour\tTrue\n",
        "get catalogsources": "sourceType: grpc",
        ConstraintsValid: "4 runtime constraints in ConfigMap olm/olm-runtime-constraints.",
        "grep Undecided": "cargo",
        "patch secrets": "patched",
      };
      const found = new Set<string>();
      const words = { NAMESPACE: "plimsoll-system", NAME: "harbour", ANY: "cargo" };
      // One word is the name of a command.
      const commands = [...readFileSync(OPERATIONS, "utf8").matchAll(/`(kubectl \w+ [^`]+)`/g)].map(
        ([, text = ""]) => text,
      );
      for (const command of commands) {
        const whole = Object.entries(words).reduce(
          (text, [word, value]) => text.replace(new RegExp(`(?<= )${word}(?= |$)`, "g"), value),
          command,
        );
        const out = await ran(whole);
        for (const [part, text] of Object.entries(finds))
          if (command.includes(part)) {
            expect(out, command).toContain(text);
            found.add(part);
          }
      }
      expect([...found].sort()).toEqual(Object.keys(finds).sort());
      const { body } = await cluster.admin.call(
        "GET",
        "/api/v1/namespaces/plimsoll-system/secrets/plimsoll-webhook-tls",
      );
      expect(body.data).toEqual({ "tls.crt": "", "tls.key": "" });
    });

    test("in its blocks run", async () => {
      const commands = commandsOf(OPERATIONS);
      expect(commands).toHaveLength(2);
      for (const command of commands) await ran(command);
      const rules = "/apis/monitoring.coreos.com/v1/namespaces/plimsoll-system/prometheusrules/plimsoll";
      expect(await cluster.admin.status(rules)).toBe(200);
    });
  });

  test("the controller runs outside of the cluster, as the page says", async () => {
    const [command = "", ...others] = CONTROLLER;
    expect(others).toEqual([]);
    const flags = ["--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0"];
    const args = [COMMAND, ...command.split(" ").slice(1), ...flags];
    const running = startProgram(process.execPath, args, folder, { KUBECONFIG: kubeconfig });
    try {
      await running.says('"message":"leading"');
    } finally {
      running.process.kill("SIGTERM");
    }
    expect((await running.ended).code).toBe(0);
  });
});
