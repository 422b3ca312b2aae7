// Does docs/resolution.md work as it is written? Its commands run one after the other on a cluster, with kustomize and with Helm, and so do
// those of docs/operations.md. There are no pods here: the test writes what the controller would, and the page shows what kubectl prints.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import type { ResolutionStatus } from "../../src/model/resolution-object.ts";
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
const STATUS: ResolutionStatus = {
  observedGeneration: 1,
  outcome: "Resolved",
  summary: "nothing to change, 2 kept; 1 held back",
  counts: { operators: 2, updates: 0, heldBack: 1, unsatisfied: 0, pendingApproval: 0 },
  heldBack: [
    {
      package: "lading",
      bundle: "lading.v1.9.0",
      available: ["lading.v2.0.0"],
      summary: "lading cannot be updated to 2.0.0.",
      why: [
        "1. customs-broker 1.4.0 runs and stays: its channel has nothing newer.",
        "2. customs-broker 1.4.0 requires the API BillOfLading (cargo.longshore.example.org/v1beta1), which only lading 1.0.0 to 1.9.1 provides.",
        "3. Only one version of lading can run in a namespace. So, by (1) and (2), lading cannot be updated to 2.0.0.",
      ],
      whatWouldHelp: [
        "remove the installed customs-broker 1.4.0",
        "  plimsoll resolve --live -n cargo --remove customs-broker",
      ],
    },
  ],
  conditions: [
    {
      ...{ type: "ConstraintsValid", status: "True", reason: "Valid", message: "" },
      lastTransitionTime: "2026-10-05T08:00:00Z",
    },
  ],
};

/** Writes what the controller would, for namespace cargo. */
async function advise(): Promise<void> {
  await page.run("kubectl wait --for=condition=Established crd/resolutions.plimsoll.dev --timeout=60s");
  const object = { apiVersion: "plimsoll.dev/v1alpha1", kind: "Resolution", metadata: { name: "plimsoll" } };
  expect((await cluster.admin.call("POST", RESOLUTION.replace(/\/plimsoll$/, ""), object)).status).toBe(201);
  const status = STATUS as unknown as JsonObject;
  expect((await cluster.admin.call("PATCH", `${RESOLUTION}/status`, { status })).status).toBe(200);
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
  "get resolutions.plimsoll.dev -A -o jsonpath": (out) => expect(out).toBe("cargo\t\n"),
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

describe("the commands of docs/operations.md", () => {
  test("run", async () => {
    await loadObjects(cluster.admin, documentsOf("deploy/resolution/namespace.yaml"));
    const commands = commandsOf("docs/operations.md");
    expect(commands).toHaveLength(2);
    for (const command of commands) await ran(command);
    const rules = "/apis/monitoring.coreos.com/v1/namespaces/plimsoll-system/prometheusrules/plimsoll";
    expect(await cluster.admin.status(rules)).toBe(200);
  });
});

test("the controller runs outside of the cluster, as the page says", async () => {
  await loadObjects(cluster.admin, [
    ...documentsOf("deploy/resolution/namespace.yaml"),
    ...documentsOf("deploy/resolution/crd.yaml"),
  ]);
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
