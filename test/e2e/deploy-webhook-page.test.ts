// Does docs/webhook.md work as it is written? Its commands run on a cluster, and its overlays give the pods of a controller what the webhook
// needs. There are no pods here: the API server accepts what the webhook would refuse.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { may } from "./account-rights.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";
import { commandsOf, type PageShell, pageShell, replicasRun } from "./page-commands.ts";
import { overlayOfPage } from "./page-overlay.ts";

const PAGE = "docs/webhook.md";
const NAMESPACE = "plimsoll-system";
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
const CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/plimsoll-webhook";
const SERVICE = `/api/v1/namespaces/${NAMESPACE}/services/plimsoll-webhook`;
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;
const SECRET = { group: "", resource: "secrets", namespace: NAMESPACE, name: "plimsoll-webhook-tls", verb: "update" };

const folder = testFolder("webhook-page");
let cluster: Cluster;
let page: PageShell;

beforeAll(async () => {
  cluster = await startCluster();
  const { server, tokens, servers } = cluster;
  const kubeconfig = writeKubeconfig(folder, { server, name: "my-cluster", user: { token: tokens.admin as string } });
  const overlay = { name: "cluster", page: PAGE, base: "../deploy/resolution" };
  page = pageShell(folder, { kubeconfig, programs: [servers], overlay });
  mkdirSync(join(folder, "hub"));
  writeFileSync(join(folder, "hub", "kustomization.yaml"), overlayOfPage(PAGE, "../deploy/placement"));
  const namespace = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "other", namespace: "olm" } };
  await loadObjects(cluster.admin, [...documentsOf("test/e2e/crds.yaml"), namespace]);
});
afterAll(() => cluster?.stop());

/** Runs a command of the page; what it printed. */
async function ran(command: string): Promise<string> {
  const { code, out, err } = await page.run(command);
  expect(code, `${command}\n${out}${err}`).toBe(0);
  await replicasRun(cluster.admin);
  return out;
}

/** The commands below a heading, up to the next one. */
function commandsBelow(heading: string): readonly string[] {
  const [, below = ""] = readFileSync(PAGE, "utf8").split(`\n${heading}\n`);
  const [part = ""] = below.split(/^##/m);
  writeFileSync(join(folder, "part.md"), part);
  return commandsOf(join(folder, "part.md"));
}

async function argsOf(name: string): Promise<readonly string[]> {
  const spec = partOf(partOf(partOf(await cluster.admin.get(`${DEPLOYMENTS}/${name}`), "spec"), "template"), "spec");
  const [container = {}] = spec.containers as readonly JsonObject[];
  return container.args as readonly string[];
}

/** Does the Service select the pods of a Deployment, and may their service account keep the certificate? */
async function fits(name: string): Promise<void> {
  const { template } = partOf(await cluster.admin.get(`${DEPLOYMENTS}/${name}`), "spec") as { template: JsonObject };
  const { selector } = partOf(await cluster.admin.get(SERVICE), "spec");
  expect(partOf(template, "metadata").labels).toMatchObject(selector as JsonObject);
  const account = `${partOf(template, "spec").serviceAccountName}`;
  expect(account).toBe(name);
  const configuration = { group: "admissionregistration.k8s.io", resource: "validatingwebhookconfigurations" };
  for (const attributes of [SECRET, { ...configuration, name: "plimsoll-webhook", verb: "patch" }])
    await expect.poll(() => may(cluster, account, attributes), { timeout: 30_000 }).toBe(true);
}

test("every command of the page is run", () => {
  const parts = ["## Install", "### Uninstall", "## Certificates"].flatMap(commandsBelow);
  expect(parts).toEqual(commandsOf(PAGE));
});

describe("in the pods of the resolution controller", () => {
  test("it is installed", async () => {
    const [apply = "", ...more] = commandsBelow("## Install");
    await ran(apply);
    const printed: string[] = [];
    for (const command of more) printed.push(await ran(command));
    expect(printed.at(-2)).toBe("constraints.plimsoll.dev\t\nplacements.plimsoll.dev\t\n");
    expect(printed.at(-1)).toContain("created (server dry run)");
    expect(await argsOf("plimsoll-resolution")).toEqual(
      expect.arrayContaining(["--controllers=resolution,webhook", "--webhook-address=:9443"]),
    );
    await fits("plimsoll-resolution");
  });

  test("a certificate is renewed", async () => {
    const data = Object.fromEntries(["tls.crt", "tls.key", "ca.crt", "ca.key"].map((field) => [field, "eA=="]));
    const secret = { metadata: { name: SECRET.name }, type: "kubernetes.io/tls", data };
    expect((await cluster.admin.call("POST", SECRETS, secret)).status).toBe(201);
    for (const command of commandsBelow("## Certificates")) await ran(command);
    expect((await cluster.admin.get(`${SECRETS}/${SECRET.name}`)).data).toEqual({
      ...data,
      "tls.crt": "",
      "tls.key": "",
    });
  });

  test("it is uninstalled, and the controller stays", async () => {
    const path = join(folder, "cluster", "kustomization.yaml");
    const [rest = ""] = readFileSync(path, "utf8").replace("  - ../deploy/webhook\n", "").split("patches:\n");
    writeFileSync(path, rest);
    for (const command of commandsBelow("### Uninstall")) await ran(command);
    expect((await argsOf("plimsoll-resolution")).join(" ")).not.toContain("webhook");
    for (const gone of [CONFIGURATION, SERVICE, `${SECRETS}/${SECRET.name}`])
      expect(await cluster.admin.status(gone), gone).toBe(404);
  });
});

test("on a hub, the overlay fits to the pods of the placement controller", async () => {
  await ran("kubectl apply -k hub");
  expect(await argsOf("plimsoll-placement")).toEqual(
    expect.arrayContaining(["--controllers=placement,webhook", "--webhook-address=:9443"]),
  );
  await fits("plimsoll-placement");
  expect(await may(cluster, "plimsoll-resolution", SECRET)).toBe(false);
});
