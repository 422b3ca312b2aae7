// Does docs/moving-from-ocm.md work as it is written? Its commands run one after the other on a hub; and with its policy, what
// OCM's operator writes is accepted and starts nothing. The operator is played by the test: it writes as OCM's does.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Log } from "../../src/controller/log.ts";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { ManualClock } from "../controller/manual-clock.ts";
import { type Cluster, canRunControllers, startCluster } from "./cluster.ts";
import { type Ran, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { ocmDefinitions } from "./ocm.ts";
import { commandsOf, type PageShell, pageShell, replicasRun } from "./page-commands.ts";

const HUB = "open-cluster-management-hub";
const OCM_CONTROLLER = `/apis/apps/v1/namespaces/${HUB}/deployments/cluster-manager-placement-controller`;
const OPERATOR = "/apis/apps/v1/namespaces/open-cluster-management/deployments/cluster-manager";
const PLIMSOLL = "/apis/apps/v1/namespaces/plimsoll-system/deployments/plimsoll-placement";
/** Only a policy or a controller that does not work takes this long. */
const WAIT = { timeout: 60_000, interval: 100 };
const folder = testFolder("moving");
let cluster: Cluster;
let page: PageShell;

/** A Deployment of OCM. */
function deployment(namespace: string, name: string, replicas: number): JsonObject {
  const labels = { app: name };
  const containers = [{ name: "ocm", image: "quay.io/open-cluster-management/placement:v1.2.1" }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name, labels },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

const CLUSTER_API = "cluster.open-cluster-management.io";
/** A hub with a cluster that OCM has selected. */
const HUB_OBJECTS: readonly JsonObject[] = [
  deployment("open-cluster-management", "cluster-manager", 1),
  deployment(HUB, "cluster-manager-placement-controller", 3),
  {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace: HUB, name: "placement-lock" },
    spec: { holderIdentity: "pod-1", leaseDurationSeconds: 137 },
  },
  {
    apiVersion: `${CLUSTER_API}/v1`,
    kind: "ManagedCluster",
    metadata: { name: "lisbon", labels: { [`${CLUSTER_API}/clusterset`]: "quay" } },
    spec: { hubAcceptsClient: true },
  },
  { apiVersion: `${CLUSTER_API}/v1beta2`, kind: "ManagedClusterSet", metadata: { name: "quay" }, spec: {} },
  {
    apiVersion: `${CLUSTER_API}/v1beta2`,
    kind: "ManagedClusterSetBinding",
    metadata: { namespace: "apps", name: "quay" },
    spec: { clusterSet: "quay" },
  },
  {
    apiVersion: `${CLUSTER_API}/v1beta1`,
    kind: "Placement",
    metadata: { namespace: "apps", name: "everywhere" },
    spec: {},
  },
  {
    apiVersion: `${CLUSTER_API}/v1beta1`,
    kind: "PlacementDecision",
    metadata: {
      namespace: "apps",
      name: "everywhere-decision-1",
      labels: { [`${CLUSTER_API}/placement`]: "everywhere", [`${CLUSTER_API}/decision-group-index`]: "0" },
    },
    status: { decisions: [{ clusterName: "lisbon", reason: "" }] },
  },
];

beforeAll(async () => {
  const controllers = canRunControllers() ? ["namespace-controller"] : [];
  cluster = await startCluster({ controllers });
  const { server, tokens } = cluster;
  const kubeconfig = writeKubeconfig(folder, { server, name: "admin", user: { token: tokens.admin as string } });
  await loadObjects(cluster.admin, [...ocmDefinitions(), ...HUB_OBJECTS]);
  const overlay = { name: "hub", page: "docs/controller.md" };
  page = pageShell(folder, { kubeconfig, programs: [cluster.servers], overlay });
});
afterAll(() => cluster?.stop());

/** Runs a command of the page. */
function shell(command: string): Promise<Ran> {
  return page.run(command);
}

/** The number of replicas that a Deployment wants; undefined if there is none. */
async function replicasOf(path: string): Promise<unknown> {
  const { status, body } = await cluster.admin.call("GET", path);
  return status === 200 ? partOf(body, "spec").replicas : undefined;
}

describe("with deploy/ocm-placement-stopped.yaml", () => {
  /** Writes the whole spec with three replicas, as OCM's operator does; returns the Deployment as stored. */
  async function operatorWrites(path: string): Promise<JsonObject> {
    const existing = await cluster.admin.get(path);
    const spec = { ...partOf(existing, "spec"), replicas: 3 };
    const { status, body } = await cluster.admin.call("PUT", path, { ...existing, spec });
    expect(status).toBe(200);
    return body;
  }
  const generationOf = (object: JsonObject) => partOf(object, "metadata").generation;

  test("OCM's operator starts nothing, and what it wrote is what it finds", async () => {
    expect((await shell("kubectl apply -f deploy/ocm-placement-stopped.yaml")).err).toBe("");
    await vi.waitFor(async () => expect(partOf(await operatorWrites(OCM_CONTROLLER), "spec").replicas).toBe(0), WAIT);
    const first = await operatorWrites(OCM_CONTROLLER);
    const second = await operatorWrites(OCM_CONTROLLER);
    // It compares the generation with that of its last write: without a difference it does not write again.
    expect(generationOf(second)).toBe(generationOf(first));
    expect(generationOf(await cluster.admin.get(OCM_CONTROLLER))).toBe(generationOf(second));
  });

  test("other Deployments are as they are written", async () => {
    await loadObjects(cluster.admin, [deployment(HUB, "cluster-manager-registration-controller", 1)]);
    const other = `/apis/apps/v1/namespaces/${HUB}/deployments/cluster-manager-registration-controller`;
    expect(partOf(await operatorWrites(other), "spec").replicas).toBe(3);
    await loadObjects(cluster.admin, [deployment("apps", "cluster-manager-placement-controller", 2)]);
    expect(await replicasOf("/apis/apps/v1/namespaces/apps/deployments/cluster-manager-placement-controller")).toBe(2);
  });

  test("without it, OCM's operator starts its controller again", async () => {
    expect((await shell("kubectl delete -f deploy/ocm-placement-stopped.yaml")).code).toBe(0);
    await vi.waitFor(async () => expect(partOf(await operatorWrites(OCM_CONTROLLER), "spec").replicas).toBe(3), WAIT);
  });
});

/** The commands of the page, in their order. */
const COMMANDS: readonly string[] = commandsOf("docs/moving-from-ocm.md")
  // In place of the overlay.
  .filter((command) => !command.startsWith("helm "));

/** What is so after a command, by a part of it. */
const AFTER: Readonly<Record<string, () => Promise<void>>> = {
  "place --live --against": async () => expect(await replicasOf(PLIMSOLL)).toBeUndefined(),
  "apply -k": async () => expect(await replicasOf(PLIMSOLL)).toBe(2),
  "-n open-cluster-management-hub --replicas 0": async () => expect(await replicasOf(OCM_CONTROLLER)).toBe(0),
  "cluster-manager -n open-cluster-management --replicas 0": async () => expect(await replicasOf(OPERATOR)).toBe(0),
  "place --live --compat ocm": async () => expect(await replicasOf(PLIMSOLL)).toBe(2),
  "patch deployment": async () => {
    const template = partOf(partOf(await cluster.admin.get(PLIMSOLL), "spec"), "template");
    const [container = {}] = partOf(template, "spec").containers as readonly JsonObject[];
    expect(container.args).toContain("--compat=ocm");
  },
  "plimsoll-placement -n plimsoll-system --replicas 0": async () => expect(await replicasOf(PLIMSOLL)).toBe(0),
  "-n open-cluster-management-hub --replicas 1": async () => expect(await replicasOf(OCM_CONTROLLER)).toBe(1),
  "delete -k": async () => expect(await cluster.admin.status("/api/v1/namespaces/plimsoll-system")).toBe(404),
};

/** What the leader logs: there are no pods here. */
function leadingLine(): string {
  let line = "";
  const write = (text: string): void => {
    line = text;
  };
  new Log({ level: "info", clock: new ManualClock(), write }).info("leading", { identity: "pod-1" });
  return line;
}

test("a preview names what a mistake costs: nothing on the way there, all clusters on the way back", async () => {
  const previews = COMMANDS.flatMap((command, at) =>
    command.startsWith("plimsoll place ") ? [`${COMMANDS[at - 1]} && ${command}`] : [],
  );
  const placement = `/apis/${CLUSTER_API}/v1beta1/namespaces/apps/placements/everywhere`;
  const mistake = { requiredClusterSelector: { celSelector: { celExpressions: ["managedCluster.metadata.name ="] } } };
  await cluster.admin.call("PATCH", placement, { spec: { predicates: [mistake] } });
  const [there, back] = [await shell(`${previews[0]}`), await shell(`${previews[1]}`)];
  await cluster.admin.call("PATCH", placement, { spec: { predicates: null } });
  expect(previews).toHaveLength(2);
  expect([there.code, back.code]).toEqual([1, 1]);
  expect(there.out).toContain("no change, the 1 cluster stays");
  expect(back.out).toContain("loses 1, gains none\n    - lisbon: ");
});

test.skipIf(!canRunControllers())("the commands of the page run one after the other", async () => {
  const checked = new Set<string>();
  for (const command of COMMANDS) {
    const [main = "", filter] = command.split(" | ");
    const { code, out, err } = await shell(main);
    expect(code, `${command}\n${out}${err}`).toBe(0);
    if (filter !== undefined) {
      writeFileSync(join(folder, "log"), leadingLine());
      expect((await shell(`${filter} log`)).out, command).toBe(leadingLine());
    }
    for (const [part, check] of Object.entries(AFTER))
      if (command.includes(part)) {
        await check();
        checked.add(part);
      }
    await replicasRun(cluster.admin);
  }
  expect([...checked].sort()).toEqual(Object.keys(AFTER).sort());
});
