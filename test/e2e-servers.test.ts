// Are the servers of `npm run test:e2e` found, or built once, and is it clear what is missing? A small script stands for Go.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plimsoll-servers-"));
  mkdirSync(join(folder, "bin"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script of `test/e2e/` where nothing is installed but what `bin` has. */
async function run(script: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [resolve("test/e2e", script)], {
    env: { PATH: join(folder, "bin"), PLIMSOLL_TESTBED_CACHE: join(folder, "cache"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, out, err };
}

/** Executables that do nothing. */
function executables(directory: string, ...names: readonly string[]): void {
  mkdirSync(directory, { recursive: true });
  for (const name of names) {
    writeFileSync(join(directory, name), "#!/bin/sh\n");
    chmodSync(join(directory, name), 0o755);
  }
}

/** A Go that notes each build, by the folder it is in, and takes a while for it. Its modules are in a folder of the test. */
function fakeGo(version: string, ending = `echo built > "$out"`, rates = RATES): void {
  const script = `#!/bin/sh
if [ "$1" = env ]; then printf '${version}\\nlinux\\namd64\\n'; exit; fi
if [ "$1" = mod ]; then exit; fi
if [ "$1" = list ]; then echo ${JSON.stringify(join(folder, "module"))}; exit; fi
echo "\${PWD##*/}" >> ${JSON.stringify(join(folder, "builds"))}
all=$*
while [ "$1" != -o ]; do shift; done
out=$2
case "$out" in */) out=\${out}tool ;; esac
/bin/sleep 0.5
${ending}
`;
  writeFileSync(join(folder, "bin/go"), script);
  chmodSync(join(folder, "bin/go"), 0o755);
  for (const [directory, file] of CRDS) {
    mkdirSync(join(folder, "module", directory), { recursive: true });
    writeFileSync(join(folder, "module", directory, file), "kind: CustomResourceDefinition\n");
    if (directory !== CATALOGD) writeFileSync(join(folder, "module", directory, "types.go"), "package cluster\n");
  }
  mkdirSync(join(folder, "module/rest"), { recursive: true });
  writeFileSync(join(folder, "module/rest/config.go"), rates);
}

/** What the client of Kubernetes has as its rate of requests. */
const RATES = "\tDefaultQPS   float32 = 5.0\n\tDefaultBurst int     = 10\n";

/** Where the module of catalogd has its CRD. */
const CATALOGD = "helm/olmv1/base/catalogd/crd/standard";
/** Where the modules of catalogd, OCM and OLM have their CRDs; the folders of OCM and OLM have other files, too. */
const CRDS: readonly (readonly [directory: string, file: string])[] = [
  [CATALOGD, "clustercatalogs.yaml"],
  ["cluster/v1", "managedclusters.crd.yaml"],
  ["cluster/v1beta1", "placements.crd.yaml"],
  ["cluster/v1beta2", "managedclustersets.crd.yaml"],
  ["cluster/v1alpha1", "addonplacementscores.crd.yaml"],
  ["deploy/chart/crds", "0000_50_olm_00-subscriptions.crd.yaml"],
];
const ALL_SERVERS = ["etcd", "kube-apiserver", "kubectl", "kube-controller-manager"];

/** The parts that were built, in their order. */
function builds(): readonly string[] {
  return readFileSync(join(folder, "builds"), "utf8").split("\n").filter(Boolean);
}

describe("without servers", () => {
  const MISSING =
    "Go is not installed, and KUBEBUILDER_ASSETS is not set; install Go 1.26 or newer, or set KUBEBUILDER_ASSETS to a folder that has etcd, kube-apiserver, kubectl.\n";

  test("the tests are skipped, and it is said why", async () => {
    const err = `plimsoll: SKIPPED, no test on a real API server was run: ${MISSING}`;
    expect(await run("run.mjs")).toEqual({ code: 0, out: "", err });
  });

  test("it is a failure where they are required", async () => {
    expect(await run("run.mjs", { PLIMSOLL_E2E: "required" })).toEqual({
      code: 1,
      out: "",
      err: `plimsoll: ${MISSING}`,
    });
  });

  test("an older Go is as good as none", async () => {
    fakeGo("go1.25.3");
    const { code, err } = await run("run.mjs");
    expect([code, err]).toEqual([0, expect.stringContaining("Go does not work here: go1.25.3")]);
  });
});

describe("KUBEBUILDER_ASSETS", () => {
  test("names the folder of one part; the others are built", async () => {
    const assets = join(folder, "assets");
    executables(assets, "etcd", "kube-apiserver", "kubectl");
    fakeGo("go1.26.8");
    const { code, out } = await run("servers/servers.mjs", { KUBEBUILDER_ASSETS: assets });
    expect([code, out.split("\n")[0], builds()]).toEqual([0, assets, ["registry", "catalogs", "ocm", "helm", "olm"]]);
  });

  test("is not enough for all tests without Go", async () => {
    const assets = join(folder, "assets");
    executables(assets, ...ALL_SERVERS);
    const missing = "Go is not installed; install Go 1.26.3 or newer, which builds crane, opm and catalogd.\n";
    expect(await run("servers/servers.mjs", { KUBEBUILDER_ASSETS: assets })).toEqual({
      code: 1,
      out: `${assets}\n`,
      err: `plimsoll: ${missing}`,
    });
    expect(await run("run.mjs", { KUBEBUILDER_ASSETS: assets, PLIMSOLL_E2E: "required" })).toEqual({
      code: 1,
      out: "",
      err: `plimsoll: ${missing}`,
    });
  });

  test("is not enough where all tests are required, and it has no controllers", async () => {
    const assets = join(folder, "assets");
    executables(assets, "etcd", "kube-apiserver", "kubectl");
    expect(await run("run.mjs", { KUBEBUILDER_ASSETS: assets, PLIMSOLL_E2E: "required" })).toEqual({
      code: 1,
      out: "",
      err: `plimsoll: KUBEBUILDER_ASSETS is ${assets}, where kube-controller-manager cannot be executed; copy it there, or unset KUBEBUILDER_ASSETS to build it with Go.\n`,
    });
  });

  test("is a mistake if it has not all of them", async () => {
    const assets = join(folder, "assets");
    executables(assets, "etcd");
    const { code, err } = await run("run.mjs", { KUBEBUILDER_ASSETS: assets });
    expect([code, err]).toEqual([1, expect.stringContaining("where kube-apiserver, kubectl cannot be executed")]);
  });
});

describe("with Go", () => {
  test("two runs at the same time build each part once, a third none", async () => {
    fakeGo("go1.26.8");
    const both = await Promise.all([run("servers/servers.mjs"), run("servers/servers.mjs")]);
    const third = await run("servers/servers.mjs");
    expect([...builds()].sort()).toEqual(["catalogs", "helm", "kube", "ocm", "olm", "registry"]);
    const folders = third.out.trim().split("\n");
    expect([...folders].sort()).toEqual(
      readdirSync(join(folder, "cache"))
        .sort()
        .map((name) => join(folder, "cache", name)),
    );
    expect([...both, third].map((ran) => [ran.code, ran.out])).toEqual([0, 0, 0].map((code) => [code, third.out]));
    expect(third.err).toBe("");
    expect(folders.map((path) => readdirSync(path).sort())).toEqual([
      ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl", "servers"],
      ["tool"],
      ["crds", "tool"],
      ["crds", "decisions", "ocm", "placement"],
      ["tool"],
      ["crds", "tool"],
    ]);
    const [, , catalogs, ocm, , olm] = folders.map((path) => join(path, "crds"));
    expect(readdirSync(catalogs as string)).toEqual(["clustercatalogs.yaml"]);
    expect(readdirSync(ocm as string).sort()).toEqual([
      "addonplacementscores.crd.yaml",
      "managedclusters.crd.yaml",
      "managedclustersets.crd.yaml",
      "placements.crd.yaml",
    ]);
    expect(readdirSync(olm as string)).toEqual(["0000_50_olm_00-subscriptions.crd.yaml"]);
  });

  test("another version of Go has builds of its own", async () => {
    fakeGo("go1.26.8");
    const first = await run("servers/servers.mjs");
    fakeGo("go1.27.0");
    const second = await run("servers/servers.mjs");
    expect(builds()).toHaveLength(12);
    for (const path of second.out.trim().split("\n")) expect(first.out).not.toContain(path);
  });

  test("OLM is built without the rate of requests that its client has by default", async () => {
    const used = join(folder, "used");
    mkdirSync(used);
    // It keeps the modules that it was told to use.
    const kept = `for flag in $all; do
      case $flag in -modfile=*) file=\${flag#-modfile=}; /bin/cp "$file" "\${file%/*}/module/rest/config.go" ${used} ;; esac
    done
    echo built > "$out"`;
    fakeGo("go1.26.8", kept);
    const { code, out } = await run("servers/servers.mjs");
    expect(code).toBe(0);
    expect(readFileSync(join(used, "go.mod"), "utf8")).toMatch(/\nreplace k8s\.io\/client-go => .*\/module\n$/);
    expect(readFileSync(join(used, "config.go"), "utf8")).toBe(RATES.replace("5.0", "500.0").replace("10\n", "1000\n"));
    expect(readFileSync(join(folder, "module/rest/config.go"), "utf8")).toBe(RATES);
    for (const path of out.trim().split("\n")) expect(readdirSync(path)).not.toContain(".edited");
  });

  test("a client that has its rate elsewhere is a failure", async () => {
    fakeGo("go1.26.8", undefined, "");
    const { code, err } = await run("servers/servers.mjs");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('k8s.io/client-go has no "DefaultQPS   float32 = 5.0" in rest/config.go'),
    ]);
  });

  test("a build that fails leaves nothing behind, also where the tests are not required", async () => {
    fakeGo("go1.26.8", "echo 'no network' >&2; exit 1");
    const { code, err } = await run("run.mjs");
    expect([code, err]).toEqual([1, expect.stringContaining('no network\nplimsoll: "go build" ended with 1')]);
    expect(readdirSync(join(folder, "cache"))).toEqual([]);
  });
});
