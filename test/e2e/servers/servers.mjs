// Where are etcd, kube-apiserver and kubectl for the tests? In the folder of KUBEBUILDER_ASSETS; else they are built with
// Go from the pinned modules here, once, into a cache outside the tree. Uses nothing but Node, so it works in a fresh clone.
//   node test/e2e/servers/servers.mjs      prints the folder; builds if necessary
// PLIMSOLL_TESTBED_CACHE names the cache; the default is ${XDG_CACHE_HOME:-~/.cache}/plimsoll-testbed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { takeLock } from "../../../scripts/lock.mjs";

const SOURCES = dirname(fileURLToPath(import.meta.url));
/** Everything that a build depends on, besides Go and its flags. */
const SOURCE_FILES = ["go.mod", "go.sum", "main.go"];
const NAMES = ["etcd", "kube-apiserver", "kubectl"];
/** No build takes this long, also on a busy machine. */
const STALE_MS = 90 * 60_000;

/** The pinned version of Kubernetes, which the API server reports as its own. */
const VERSION = /^\s*k8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(SOURCES, "go.mod"), "utf8"))[1];
const [, MAJOR, MINOR] = VERSION.split(/[v.]/);
const STAMP = "-X k8s.io/component-base/version";
const FLAGS = [
  "-trimpath",
  `-ldflags=-s -w ${STAMP}.gitVersion=${VERSION} ${STAMP}.gitMajor=${MAJOR} ${STAMP}.gitMinor=${MINOR} ${STAMP}.gitTreeState=clean`,
];
const ENVIRONMENT = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly -buildvcs=false" };

/** The servers cannot be had here; the message says what to do. */
export class NoServersError extends Error {}

/** The folder with the servers. Builds them if necessary. Throws NoServersError where they cannot be built. */
export async function serversFolder() {
  const assets = process.env.KUBEBUILDER_ASSETS;
  if (assets) return checkedAssets(resolve(assets));
  const folder = join(cacheFolder(), `servers-${digest(goVersion())}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cacheFolder(), { recursive: true });
  await takeLock({
    path: join(cacheFolder(), ".lock-servers"),
    staleMs: STALE_MS,
    waiting: (pid) => console.error(`plimsoll: waiting for process ${pid}, which builds the servers for the tests…`),
  });
  if (!existsSync(folder)) await build(folder);
  return folder;
}

function checkedAssets(folder) {
  const missing = NAMES.filter((name) => !isExecutable(join(folder, name)));
  if (missing.length === 0) return folder;
  throw new Error(
    `KUBEBUILDER_ASSETS is ${folder}, where ${missing.join(", ")} cannot be executed; set it to a folder that has ${NAMES.join(", ")}, or unset it to build them with Go`,
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function cacheFolder() {
  const { PLIMSOLL_TESTBED_CACHE, XDG_CACHE_HOME } = process.env;
  return resolve(PLIMSOLL_TESTBED_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "plimsoll-testbed"));
}

/** The version of Go and what it builds for. In this folder, an older Go rejects go.mod or uses a newer toolchain. */
function goVersion() {
  const result = spawnSync("go", ["env", "GOVERSION", "GOOS", "GOARCH"], {
    cwd: SOURCES,
    env: ENVIRONMENT,
    encoding: "utf8",
  });
  if (result.status === 0 && !olderThan(result.stdout)) return result.stdout;
  const reason = result.error
    ? "Go is not installed"
    : `Go does not work here: ${(result.stderr || result.stdout).trim().split("\n")[0]}`;
  throw new NoServersError(
    `${reason}, and KUBEBUILDER_ASSETS is not set; install Go 1.26 or newer, or set KUBEBUILDER_ASSETS to a folder that has ${NAMES.join(", ")}`,
  );
}

/** Whether `go env` answers for a Go that is too old: some versions read go.mod only when they build. */
function olderThan(printed) {
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(printed) ?? [];
  return Number(major) === 1 && Number(minor) < 26;
}

/** A build has the name of what it was made from: a changed pin makes another folder, an unchanged one costs nothing. */
function digest(version) {
  const hash = createHash("sha256").update([version, ...FLAGS].join("\0"));
  for (const name of SOURCE_FILES) hash.update(`\0${name}\0`).update(readFileSync(join(SOURCES, name)));
  return hash.digest("hex").slice(0, 12);
}

/** Builds next to the folder and renames at the end: the folder is complete as soon as it exists. */
async function build(folder) {
  const cache = dirname(folder);
  // What a build left behind that was interrupted; the lock says that none is running.
  for (const name of readdirSync(cache))
    if (name.startsWith(".build-servers-")) rmSync(join(cache, name), { recursive: true, force: true });
  const temporary = mkdtempSync(join(cache, ".build-servers-"));
  process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
  console.error(
    `plimsoll: building etcd and kube-apiserver ${VERSION} for the tests with Go, once, into ${folder}; this takes 5 to 15 minutes the first time…`,
  );
  const started = Date.now();
  await go(["build", ...FLAGS, "-o", join(temporary, "servers"), "."]);
  for (const name of NAMES) symlinkSync("servers", join(temporary, name));
  renameSync(temporary, folder);
  console.error(`plimsoll: the servers were built in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Runs Go in this folder; it ends together with this process. */
function go(args) {
  return new Promise((done, failed) => {
    const child = spawn("go", args, { cwd: SOURCES, env: ENVIRONMENT, stdio: ["ignore", 2, 2] });
    process.on("exit", () => child.kill());
    child.once("error", failed);
    child.once("exit", (code, signal) => {
      if (code === 0) done();
      else failed(new Error(`"go ${args[0]}" ended with ${code ?? signal}; its output is above`));
    });
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    console.log(await serversFolder());
  } catch (error) {
    console.error(`plimsoll: ${error.message}.`);
    process.exitCode = 1;
  }
}
