// Does the image of the Containerfile work in a restricted pod? Its build stage gets all files that the build needs; its last
// stage has exactly the files of the command, and they run as another user than root, without HOME, where nothing can be
// written. The image itself is built where a container engine runs.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import { AUTHORITY } from "../certificates.ts";
import { UNSHARE_FLAGS } from "./catalogd.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { type Ran, type Running, startProgram, testFolder } from "./command.ts";
import { inEffect } from "./controller/account.ts";
import { watchDecisions } from "./controller/decision-watcher.ts";
import { loadObjects } from "./load-objects.ts";
import { charted, kustomized, NAMESPACE, podOf } from "./manifests.ts";
import { ocmDefinitions } from "./ocm.ts";

const folder = testFolder("image");
const VERSION: string = JSON.parse(readFileSync("package.json", "utf8")).version;

/** The instructions of the stages of the Containerfile, each with its words. */
const STAGES: readonly (readonly (readonly string[])[])[] = readFileSync("Containerfile", "utf8")
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) => stage.split("\n").map((line) => line.split(" ")));

/** Copies what a stage copies, from this repository in place of the build stage, into a new folder. */
function copied(stage: number, name: string): string {
  const target = join(folder, name);
  for (const [instruction, ...words] of STAGES[stage] ?? []) {
    if (instruction !== "COPY") continue;
    const paths = words.filter((word) => !word.startsWith("--")).map((path) => path.replace("/src/", ""));
    const to = paths.pop() as string;
    for (const path of paths) {
      // As in a Containerfile: of a directory, its content is copied.
      const place = statSync(path).isDirectory() ? join(target, to) : join(target, to, basename(path));
      mkdirSync(dirname(place), { recursive: true });
      cpSync(path, place, { recursive: true });
    }
  }
  return target;
}

/** The names of the parts of the command, without their digests. */
function partsOf(directory: string): readonly string[] {
  return readdirSync(directory)
    .map((name) => name.replace(/-[0-9A-Z]{8}\.js$/, ""))
    .sort();
}

test("the build stage has every file that the build reads", () => {
  const source = copied(0, "source");
  expect(existsSync(join(source, "test"))).toBe(false);
  symlinkSync(join(process.cwd(), "node_modules"), join(source, "node_modules"));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: source, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  expect(partsOf(join(source, "dist", "bin"))).toEqual(partsOf("dist/bin"));
});

test("the last stage has the command, and its user is not root", () => {
  const image = copied(1, "listed");
  expect(readdirSync(image).sort()).toEqual(["LICENSE", "dist", "package.json"]);
  expect(readdirSync(join(image, "dist")).sort()).toEqual(["THIRD-PARTY-NOTICES.txt", "bin"]);
  const [user] = (STAGES[1] ?? []).filter(([instruction]) => instruction === "USER");
  expect(user).toEqual(["USER", "65532:65532"]);
});

/** What a pod has besides its image. */
interface Surroundings {
  /** A folder whose files are in the current directory. */
  readonly input: string;
  /** A folder with the files of the service account. */
  readonly account?: string;
  /** Variables of the environment, NAME=VALUE; no others are set. */
  readonly environment?: readonly string[];
}

/** Starts the command of the last stage as its user, where every file system is read-only. */
function startImage(
  image: string,
  { input, account = "", environment = [] }: Surroundings,
  args: readonly string[],
): Running {
  const user = process.getuid?.() === 0 ? "setpriv --reuid=65532 --regid=65532 --clear-groups --no-new-privs" : "";
  const script = `set -e
    mount -t tmpfs tmpfs /mnt && mkdir /mnt/plimsoll /mnt/input
    cp -r "$0/." /mnt/plimsoll && cp -r "$1/." /mnt/input && chmod -R a+rX /mnt
    account=/run/secrets/kubernetes.io/serviceaccount
    mount -t tmpfs tmpfs /run && mkdir -p $account
    if [ -n "$2" ]; then cp "$2/"* $account && chmod -R a+rX /run; fi
    mount -t tmpfs -o ro tmpfs /tmp && mount -o remount,ro /run && mount -o remount,ro /mnt && mount -o remount,bind,ro /
    shift 2 && cd /mnt/input
    if [ -n "${user}" ] && [ "$(${user} id -u)" = 0 ]; then echo "it runs as root" >&2; exit 8; fi
    for place in /mnt/plimsoll /mnt/input /run $account /tmp /var/tmp; do
      if ${user} touch $place/file 2>/dev/null; then echo "$place can be written" >&2; exit 9; fi
    done
    exec ${user} env -i "$@"`;
  const command = [...environment, process.execPath, "/mnt/plimsoll/dist/bin/plimsoll.js", ...args];
  return startProgram("unshare", [...UNSHARE_FLAGS, "sh", "-c", script, image, input, account, ...command], folder);
}

test("the command works there without HOME and without a place to write", async () => {
  const image = copied(1, "image");
  const fleet = join(process.cwd(), "examples/harbour/fleet");
  const runImage = (...args: readonly string[]): Promise<Ran> => startImage(image, { input: fleet }, args).ended;
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

  /** The files that the kubelet writes for a service account. */
  async function accountFiles(): Promise<string> {
    const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/plimsoll-placement/token`;
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const { body } = await cluster.admin.call("POST", path, request);
    const files = join(folder, "account");
    mkdirSync(files);
    writeFileSync(join(files, "token"), `${partOf(body, "status").token}`);
    writeFileSync(join(files, "ca.crt"), AUTHORITY);
    writeFileSync(join(files, "namespace"), NAMESPACE);
    return files;
  }

  /** The containers of kustomize and of the chart. */
  async function containers(): Promise<readonly [kustomize: JsonObject, chart: JsonObject]> {
    const kubectl = { servers: cluster.servers, kubeconfig: join(folder, "none"), home: folder };
    return [podOf(await kustomized(kubectl)).container, podOf(await charted(folder)).container];
  }

  function flagsOf({ args }: JsonObject): readonly string[] {
    return args as readonly string[];
  }

  /** The flags of a container, with ports that are free here. */
  function freeFlagsOf(container: JsonObject): readonly string[] {
    const flags = flagsOf(container);
    expect(flags).toEqual(expect.arrayContaining(["--health-address=:8081", "--metrics-address=:8080"]));
    return [...flags.map((flag) => flag.replace(/:80[0-9]{2}$/, ":0")), "--debug-address=127.0.0.1:0"];
  }

  /** The probes of a container: each asks a path of the port that has a name, which a flag gives to a server. */
  function probesOf(container: JsonObject) {
    const ports = container.ports as readonly JsonObject[];
    return ["startupProbe", "livenessProbe", "readinessProbe"].flatMap((probe) => {
      if (container[probe] === undefined) return [];
      const { path, port } = partOf(partOf(container, probe), "httpGet");
      const number = ports.find(({ name }) => name === port)?.containerPort;
      const flag = flagsOf(container).find((one) => one.endsWith(`-address=:${number}`));
      return [{ probe, path: `${path}`, server: flag?.replace(/^--|-address=.*$/g, "") }];
    });
  }

  /** Where a server of a controller listens on this machine, by its log. */
  function urlOf(log: string, server: string | undefined): string {
    const lines = log.split("\n").filter((line) => line.startsWith("{") && line.endsWith("}"));
    const listening = lines
      .map((line): JsonObject => JSON.parse(line))
      .find((line) => line.message === "listening" && line.server === server);
    if (listening === undefined) throw new Error(`no server ${server}: ${log}`);
    return `http://127.0.0.1:${`${listening.address}`.split(":").at(-1)}`;
  }

  test("leads and writes there with the service account of its pod, and answers the probes of the manifests", async () => {
    const [container, ofChart] = await containers();
    const image = copied(1, "controller");
    const { hostname, port } = new URL(cluster.server);
    const environment = [`KUBERNETES_SERVICE_HOST=${hostname}`, `KUBERNETES_SERVICE_PORT=${port}`];
    const account = await accountFiles();
    const watcher = await watchDecisions({ etcd: cluster.etcd, call });
    const running = startImage(image, { input: account, account, environment }, freeFlagsOf(container));
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
