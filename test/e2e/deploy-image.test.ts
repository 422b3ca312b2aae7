// Does the image of the Containerfile work in a restricted pod? Its build stage gets all files that the build needs; its last
// stage has exactly the files of the command, and they run as another user than root, without HOME, where nothing can be
// written. The image itself is built where a container engine runs.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { type Ran, testFolder } from "./command.ts";
import { inEffect } from "./controller/account.ts";
import { watchDecisions } from "./controller/decision-watcher.ts";
import { accountFiles, copied, freeFlagsOf, probesOf, STAGES, startImage, urlOf } from "./image.ts";
import { loadObjects } from "./load-objects.ts";
import { charted, kustomized, NAMESPACE, podOf } from "./manifests.ts";
import { ocmDefinitions } from "./ocm.ts";

const folder = testFolder("image");
const VERSION: string = JSON.parse(readFileSync("package.json", "utf8")).version;

/** The names of the parts of the command, without their digests. */
function partsOf(directory: string): readonly string[] {
  return readdirSync(directory)
    .map((name) => name.replace(/-[0-9A-Z]{8}\.js$/, ""))
    .sort();
}

test("the build stage has every file that the build reads", () => {
  const source = copied(0, join(folder, "source"));
  expect(existsSync(join(source, "test"))).toBe(false);
  symlinkSync(join(process.cwd(), "node_modules"), join(source, "node_modules"));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: source, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  expect(partsOf(join(source, "dist", "bin"))).toEqual(partsOf("dist/bin"));
});

test("the last stage has the command, and its user is not root", () => {
  const image = copied(1, join(folder, "listed"));
  expect(readdirSync(image).sort()).toEqual(["LICENSE", "dist", "package.json"]);
  expect(readdirSync(join(image, "dist")).sort()).toEqual(["THIRD-PARTY-NOTICES.txt", "bin"]);
  const [user] = (STAGES[1] ?? []).filter(([instruction]) => instruction === "USER");
  expect(user).toEqual(["USER", "65532:65532"]);
});

test("the command works there without HOME and without a place to write", async () => {
  const image = copied(1, join(folder, "image"));
  const fleet = join(process.cwd(), "examples/harbour/fleet");
  const runImage = (...args: readonly string[]): Promise<Ran> =>
    startImage(image, { input: fleet }, folder, args).ended;
  expect(await runImage("version")).toMatchObject({
    code: 0,
    out: expect.stringContaining(VERSION),
    err: "",
  });
  const placed = await runImage("place", "-f", ".");
  expect(placed.err).not.toContain("warning");
  expect(placed.out).toContain("✓ default/placement1");
});

describe("the controller", () => {
  const OCM = "cluster.open-cluster-management.io";
  const DECISION = `/apis/${OCM}/v1beta1/namespaces/apps/placementdecisions/everywhere-decision-1`;
  const HUB_OBJECTS: readonly JsonObject[] = [
    {
      apiVersion: `${OCM}/v1`,
      kind: "ManagedCluster",
      metadata: { name: "lisbon", labels: { [`${OCM}/clusterset`]: "quay" } },
      spec: { hubAcceptsClient: true },
    },
    { apiVersion: `${OCM}/v1beta2`, kind: "ManagedClusterSet", metadata: { name: "quay" }, spec: {} },
    {
      apiVersion: `${OCM}/v1beta2`,
      kind: "ManagedClusterSetBinding",
      metadata: { namespace: "apps", name: "quay" },
      spec: { clusterSet: "quay" },
    },
    { apiVersion: `${OCM}/v1beta1`, kind: "Placement", metadata: { namespace: "apps", name: "everywhere" }, spec: {} },
  ];
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
    const roles = ["service-account", "cluster-role", "lease-role"].flatMap((name) =>
      documentsOf(`deploy/placement/${name}.yaml`),
    );
    await loadObjects(cluster.admin, [...ocmDefinitions(), ...roles, ...HUB_OBJECTS]);
    for (const role of roles.filter(({ rules }) => rules !== undefined)) await inEffect({ call }, role);
  });
  afterAll(() => cluster?.stop());

  /** The answer to a request of the administrator. */
  async function call(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    return (await cluster.admin.call(method, path, body)).body;
  }

  /** The containers of kustomize and of the chart. */
  async function containers(): Promise<readonly [kustomize: JsonObject, chart: JsonObject]> {
    const kubectl = { servers: cluster.servers, kubeconfig: join(folder, "none"), home: folder };
    return [podOf(await kustomized(kubectl)).container, podOf(await charted(folder)).container];
  }

  test("leads and writes there with the service account of its pod, and answers the probes of the manifests", async () => {
    const [container, ofChart] = await containers();
    const image = copied(1, join(folder, "controller"));
    const { hostname, port } = new URL(cluster.server);
    const environment = [`KUBERNETES_SERVICE_HOST=${hostname}`, `KUBERNETES_SERVICE_PORT=${port}`];
    const account = await accountFiles(cluster, "plimsoll-placement", join(folder, "account"));
    const watcher = await watchDecisions({ etcd: cluster.etcd, call });
    const running = startImage(image, { input: account, account, environment }, folder, [
      ...freeFlagsOf(container),
      "--debug-address=127.0.0.1:0",
    ]);
    let log = "";
    running.process.stderr.on("data", (text: string) => {
      log += text;
    });
    try {
      await running.says('"message":"synced"');
      await running.says('"message":"leading"');
      await vi.waitFor(
        async () => {
          const { decisions } = partOf(await cluster.admin.get(DECISION), "status");
          expect(decisions).toEqual([expect.objectContaining({ clusterName: "lisbon" })]);
        },
        { timeout: 60_000, interval: 100 },
      );
      for (const probes of [probesOf(container), probesOf(ofChart)]) {
        expect(probes.map(({ probe }) => probe)).toEqual(["livenessProbe", "readinessProbe"]);
        for (const { probe, path, server } of probes) {
          const answer = await fetch(`${urlOf(log, server)}${path}`);
          expect([probe, answer.status, await answer.text()]).toEqual([probe, 200, "ok\n"]);
        }
      }
      expect(await watcher.settled()).toEqual([]);
      expect(watcher.judged).toBeGreaterThan(0);
    } finally {
      watcher.stop();
      running.process.kill("SIGTERM");
    }
    const { code, out, err } = await running.ended;
    expect([code, out]).toEqual([0, ""]);
    expect(err).not.toMatch(/"level":"(?:warn|error)"/);
    const lease = await cluster.admin.get(
      `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/plimsoll-placement`,
    );
    expect(lease.kind).toBe("Lease");
  });
});

test("no file that the build stage copies is ignored", () => {
  const ignored = readFileSync(".dockerignore", "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const sources = (STAGES[0] ?? []).flatMap(([instruction, ...words]) =>
    instruction === "COPY" ? words.slice(0, -1) : [],
  );
  expect(sources).toContain("src");
  expect(sources.filter((path) => ignored.includes(path))).toEqual([]);
  expect(ignored).toEqual(expect.arrayContaining([".git", "node_modules", "dist"]));
});

/** The container engine that runs here, if any. */
function engine(): string | undefined {
  return ["podman", "docker", "buildah"].find((name) => spawnSync(name, ["info"]).status === 0);
}

test("the image is built where a container engine runs", () => {
  const name = engine();
  if (name === undefined) {
    console.warn("no container engine runs here: the image was not built, only its files were run");
    return;
  }
  const run = (...args: readonly string[]) => spawnSync(name, args, { encoding: "utf8" });
  const built = run("build", "-q", "-f", "Containerfile", ".");
  expect([built.status, built.stderr]).toEqual([0, ""]);
  if (name === "buildah") return; // it builds, and runs no images
  const id = built.stdout.trim();
  const { status, stdout } = run("run", "--rm", "--read-only", "--cap-drop=ALL", "--network=none", id, "version");
  run("rmi", id);
  expect([status, stdout]).toEqual([0, expect.stringContaining(VERSION)]);
});
