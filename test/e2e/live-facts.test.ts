// Does what the API server says about itself count: its version, and the APIs that it serves? And do flags override it?

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { type Ran, runCommand, testFolder } from "./command.ts";
import { writeKubeconfig } from "./kubeconfig.ts";

const { server, tokens } = inject("cluster");
const folder = testFolder("facts");
const catalog = join(folder, "catalog.jsonl");
const kubeconfig = writeKubeconfig(folder, { server, name: "admin", user: { token: tokens.admin as string } });

/** A package with one bundle. */
function packaged(name: string, property: JsonObject): readonly JsonObject[] {
  const bundle = `${name}.v1.0.0`;
  const version = { type: "olm.package", value: { packageName: name, version: "1.0.0" } };
  return [
    { schema: "olm.package", name, defaultChannel: "stable" },
    { schema: "olm.channel", package: name, name: "stable", entries: [{ name: bundle }] },
    { schema: "olm.bundle", package: name, name: bundle, image: "x", properties: [version, property] },
  ];
}

function requiring(group: string, kind: string): JsonObject {
  return { type: "olm.gvk.required", value: { group, version: "v1", kind } };
}

beforeAll(() => {
  const documents = [
    ...packaged("of-the-server", requiring("apps", "Deployment")),
    ...packaged("of-a-definition", requiring("cluster.open-cluster-management.io", "ManagedCluster")),
    ...packaged("of-the-future", { type: "olm.csv.metadata", value: { minKubeVersion: "99.0.0" } }),
  ];
  writeFileSync(catalog, documents.map((document) => `${JSON.stringify(document)}\n`).join(""));
});

function resolved(name: string, ...flags: readonly string[]): Promise<Ran> {
  return runCommand(["resolve", name, "-n", "new", "--catalog", `more=${catalog}`, ...flags], folder);
}

const LIVE = ["--kubeconfig", kubeconfig];

test("an API of the server itself is there, and without a cluster it is not known to be", async () => {
  const { code, out } = await resolved("of-the-server", ...LIVE);
  expect(out).toMatch(/install +of-the-server +1\.0\.0/);
  expect(code).toBe(0);
  const without = await resolved("of-the-server");
  expect(without.out).toContain("requires the API Deployment (apps/v1)");
  expect(without.code).toBe(1);
});

test("a definition without an operator provides no API", async () => {
  const { code, out } = await resolved("of-a-definition", ...LIVE);
  expect(out).toContain("its CRD exists on the cluster, but no operator provides it");
  expect(code).toBe(1);
});

test("the version of the server counts, and --kube-version before it", async () => {
  const { code, out } = await resolved("of-the-future", ...LIVE);
  expect(out).toMatch(/of-the-future 1\.0\.0 needs Kubernetes 99\.0\.0 or newer, and the cluster has 1\.\d+\.\d+\./);
  expect(code).toBe(1);
  const newer = await resolved("of-the-future", ...LIVE, "--kube-version", "99.1.0");
  expect(newer.out).toMatch(/install +of-the-future +1\.0\.0/);
  expect(newer.code).toBe(0);
});
