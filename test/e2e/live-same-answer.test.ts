// Do the same objects, by file and by API server, give the same answer? Byte for byte but for places, with the same exit code.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { exampleDocuments } from "../example-documents.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { runCommand, testFolder } from "./command.ts";
import { comparableAnswer } from "./comparable-answer.ts";
import { dumpCluster, dumpObject, serverVersion } from "./dump-cluster.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { loadObjects } from "./load-objects.ts";

const folder = testFolder("same-answer");
const dump = join(folder, "dump");
const definition = join(folder, "winches.yaml");
let cluster: Cluster;
let live: readonly string[];
let versions: readonly string[];

/** What the bundled example does not have: decisions of before, an InstallPlan, OLM v1, OpenShift. */
const MORE: readonly JsonObject[] = [
  {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "InstallPlan",
    metadata: { name: "install-x7k2p", namespace: "bridge" },
    spec: { approval: "Automatic", approved: true, clusterServiceVersionNames: ["foghorn.v3.0.0"], generation: 4 },
    status: { phase: "Failed", bundleLookups: [], catalogSources: [] },
  },
  {
    apiVersion: "olm.operatorframework.io/v1",
    kind: "ClusterCatalog",
    metadata: { name: "harbour", labels: { "olm.operatorframework.io/metadata.name": "harbour" } },
    spec: { priority: 3, source: { type: "Image", image: { ref: "registry.example.com/harbour/catalog:1" } } },
  },
  {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    spec: { clusterID: "c4c5e0a0-7d7f-4f1b-8a4e-0e8a9a6d1f11" },
    status: { desired: { version: "4.21.0" }, history: [{ state: "Completed", version: "4.20.3" }] },
  },
];

beforeAll(async () => {
  cluster = await startCluster();
  const decisions = "examples/harbour/what-if/decisions.yaml";
  await loadObjects(cluster.admin, documentsOf("test/e2e/crds.yaml"));
  await loadObjects(cluster.admin, [
    ...exampleDocuments("cluster"),
    ...exampleDocuments("fleet"),
    ...documentsOf(decisions),
    ...documentsOf("examples/guides/extensions.yaml").slice(0, 1),
    ...MORE,
  ]);
  const user = { token: cluster.tokens.admin as string };
  const kubeconfig = writeKubeconfig(folder, { server: cluster.server, name: "admin", user });
  live = ["--live", "--kubeconfig", kubeconfig];
  const dumped = { servers: cluster.servers, kubeconfig, home: folder };
  mkdirSync(dump);
  await dumpCluster(dump, dumped);
  await dumpObject(definition, "crd/winches.machinery.harbour.example.com", dumped);
  versions = ["--kube-version", await serverVersion(dumped), "--openshift-version", "4.20.3"];
});
afterAll(() => cluster?.stop());

const CATALOGS = [
  ...["--catalog", "harbour=examples/harbour/catalog"],
  ...["--catalog", "partner=examples/harbour/partner-catalog"],
  ...["--catalog", "workshop=examples/harbour/bundles"],
];

/** What a command prints and its exit code, comparable; without the line that says which cluster is read. */
async function answerOf(args: readonly string[]): Promise<string> {
  const { code, out, err } = await runCommand(args, folder);
  const said = err.replace(/^plimsoll: reading the cluster of context admin .*\n/, "");
  return comparableAnswer(`exit ${code}\n${out}\n--- standard error\n${said}`, folder);
}

/** Compares the answers; `part` is in both. */
async function expectSame(args: readonly string[], fromFiles: readonly string[], part: string): Promise<void> {
  const [ofCluster, ofFiles] = await Promise.all([answerOf([...args, ...live]), answerOf(fromFiles)]);
  expect(ofCluster).toContain(part);
  expect(ofCluster).toBe(ofFiles);
}

describe("operators", () => {
  test.each([
    ["resolve -A", "exit 0\nResolved in namespace bridge: 2 to update, 1 kept; 1 held back"],
    ["resolve -A -o json", '"at": "PLACE"'],
    ["resolve --scope cluster", "in the cluster scope"],
    ["resolve --scope cluster -o json", '"scope": "cluster"'],
    ["resolve --scope cluster --compat olmv1", "in the cluster scope"],
    ["explain lantern --scope cluster", "lantern"],
    ["resolve -n cargo", "exit 0\nResolved in namespace cargo"],
    ["resolve -n chandlery -o yaml", "namespace: chandlery"],
    ["resolve -n bridge --remove sextant", "remove  sextant"],
    ["plan -A", "exit 0\n"],
    ["plan -A -o json", '"actions"'],
    ["plan -n bridge -o installplan", "kind: InstallPlan"],
    ["explain foghorn -n bridge", "PLACE  runtime constraint 3"],
    ["explain winch -n quay-north -o json", '"at": "PLACE"'],
    ["explain customs-broker -n cargo --who-needs", "customs-broker"],
    ["lint", "exit 1\n"],
    ["lint -o json", '"at": "PLACE"'],
  ])("%s", async (line, part) => {
    const args = [...line.split(" "), ...CATALOGS];
    await expectSame(args, [...args, "-f", dump, ...(line.startsWith("lint") ? [] : versions)], part);
  });
});

describe("a fleet", () => {
  test.each([
    ["place", "exit 1\n✓ default/placement1: 3 clusters selected"],
    ["place -o json", '"at": "PLACE"'],
    ["place -o json --all-checks", '"at":"PLACE"'],
    ["place -o matrix", "hamburg"],
    ["place -o placementdecision", "clusterName: hamburg"],
    ["place default/placement2", "exit 0\n"],
    ["place --explain lisbon", "lisbon"],
    ["place -n harbour-apps", "harbour-apps/quiet-clusters"],
    ["place --against examples/harbour/what-if/old-placements.yaml", "exit 1\n"],
  ])("%s", async (line, part) => {
    const args = [...line.split(" "), "--now", "2026-11-01T00:00:00Z"];
    await expectSame(args, [...args, "-f", dump], part);
  });
});

describe("expressions", () => {
  test.each([
    [["eval", "--env", "placement", "--all", 'managedCluster.metadata.name.startsWith("l")'], "lisbon"],
    [["eval", "--env", "placement", "--cluster", "lisbon", "managedCluster.status.version"], "kubernetes"],
    [["check"], "--> PLACE"],
    [["check", "-o", "json"], '"at": "PLACE"'],
  ])("cel %j", async (given, part) => {
    const args = ["cel", ...given];
    await expectSame(args, [...args, "-f", dump], part);
  });
});

describe("definitions", () => {
  test.each([
    ["2.0.0", [], "unsafe: 2 errors"],
    ["2.0.0", ["-o", "json"], '"at": "PLACE"'],
    ["2.1.0", [], "old-faithful"],
    ["1.3.0", ["--no-instances"], "exit"],
  ])("crd check of winch %s %j", async (version, flags, part) => {
    const now = `examples/harbour/bundles/winch/${version}`;
    const objects = flags.includes("--no-instances") ? [] : ["--instances", dump];
    // The cluster knows that operators of two namespaces own it.
    const fromFiles = ["crd", "check", definition, now, "--owners", "2", ...objects, ...flags];
    await expectSame(["crd", "check", now, ...flags], fromFiles, part);
  });
});
