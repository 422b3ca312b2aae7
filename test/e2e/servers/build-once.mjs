// How are programs for the tests built with Go, once? From a folder with pinned modules into a folder of a cache outside the
// tree. Each part has its own modules, digest, lock and folder: a change to one does not build the others again. Uses nothing
// but Node, so it works in a fresh clone.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { takeLock } from "../../../scripts/lock.mjs";

/** No build takes this long, also on a busy machine. */
const STALE_MS = 90 * 60_000;
const ENVIRONMENT = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly -buildvcs=false" };

/** The programs cannot be had here; the message says what to do. */
export class NoServersError extends Error {}

/**
 * The folder with the programs of a part. Builds them if necessary. Throws NoServersError where they cannot be built. A part:
 * - `name`: the beginning of the name of its folder in the cache
 * - `sources`: the folder with its go.mod, and `files`: everything there that the build depends on
 * - `flags`: of `go build`
 * - `what` is built, and how long it `takes`: for messages
 * - `without`: what to do without Go, after "Go is not installed"
 * - `binary`: the name of the one binary of the folder, with other names as `links`; without it, the tools of go.mod are built
 * - `copied`: folders of a module, `to` one folder; only the files with an `ending`, if there is one
 * - `edited`: one `file` of a module in which texts are `replaced` for this build, `[from, to]` each
 */
export async function buildOnce(part) {
  const cache = cacheFolder();
  const folder = join(cache, `${part.name}-${digest(part)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  await takeLock({
    path: join(cache, `.lock-${part.name}`),
    staleMs: STALE_MS,
    waiting: (pid) => console.error(`plimsoll: waiting for process ${pid}, which builds ${part.what} for the tests…`),
  });
  if (!existsSync(folder)) await build(part, folder);
  return folder;
}

function cacheFolder() {
  const { PLIMSOLL_TESTBED_CACHE, XDG_CACHE_HOME } = process.env;
  return resolve(PLIMSOLL_TESTBED_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "plimsoll-testbed"));
}

/** A build has the name of what it was made from: a changed pin makes another folder, an unchanged one costs nothing. */
function digest(part) {
  const { sources, files, flags, copied = {}, edited = {} } = part;
  const made = [goVersion(part), ...flags, ...Object.values(copied), ...Object.values(edited)];
  const hash = createHash("sha256").update(made.join("\0"));
  for (const name of files) hash.update(`\0${name}\0`).update(readFileSync(join(sources, name)));
  return hash.digest("hex").slice(0, 12);
}

/** The version of Go and what it builds for. In that folder, an older Go rejects go.mod or uses a newer toolchain. */
function goVersion({ sources, without }) {
  const result = spawnSync("go", ["env", "GOVERSION", "GOOS", "GOARCH"], {
    cwd: sources,
    env: ENVIRONMENT,
    encoding: "utf8",
  });
  if (result.status === 0 && !olderThan(result.stdout)) return result.stdout;
  const reason = result.error
    ? "Go is not installed"
    : `Go does not work here: ${(result.stderr || result.stdout).trim().split("\n")[0]}`;
  throw new NoServersError(`${reason}${without}`);
}

/** Whether `go env` answers for a Go that is too old: some versions read go.mod only when they build. */
function olderThan(printed) {
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(printed) ?? [];
  return Number(major) === 1 && Number(minor) < 26;
}

/** Builds next to the folder and renames at the end: the folder is complete as soon as it exists. */
async function build({ name, sources, flags: given, what, takes, binary, links = [], copied, edited }, folder) {
  const cache = dirname(folder);
  const prefix = `.build-${name}-`;
  // What a build left behind that was interrupted; the lock says that none is running.
  for (const left of readdirSync(cache))
    if (left.startsWith(prefix)) rmSync(join(cache, left), { recursive: true, force: true });
  const temporary = mkdtempSync(join(cache, prefix));
  process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
  console.error(
    `plimsoll: building ${what} for the tests with Go, once, into ${folder}; this takes ${takes} the first time…`,
  );
  const started = Date.now();
  const flags =
    edited === undefined
      ? given
      : [...given, `-modfile=${await withEditedModule(sources, edited, join(temporary, ".edited"))}`];
  if (binary === undefined) await go(sources, ["build", ...flags, "-o", `${temporary}/`, "tool"]);
  else await go(sources, ["build", ...flags, "-o", join(temporary, binary), "."]);
  for (const link of links) symlinkSync(binary, join(temporary, link));
  if (copied !== undefined) copyFolders(moduleFolder(sources, copied.module), copied, join(temporary, copied.to));
  rmSync(join(temporary, ".edited"), { recursive: true, force: true });
  renameSync(temporary, folder);
  console.error(`plimsoll: ${what}: built in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Copies a module into a new folder, edits a file of it, and returns a go.mod with the copy in place of the module. */
async function withEditedModule(sources, { module, file, replaced }, folder) {
  await go(sources, ["mod", "download", module]);
  const copy = join(folder, "module");
  cpSync(moduleFolder(sources, module), copy, { recursive: true });
  makeWritable(copy);
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  for (const [from] of replaced) if (!text.includes(from)) throw new Error(`${module} has no "${from}" in ${file}`);
  writeFileSync(
    path,
    replaced.reduce((edited, [from, to]) => edited.replace(from, to), text),
  );
  const modules = readFileSync(join(sources, "go.mod"), "utf8");
  writeFileSync(join(folder, "go.mod"), `${modules}\nreplace ${module} => ${copy}\n`);
  copyFileSync(join(sources, "go.sum"), join(folder, "go.sum"));
  return join(folder, "go.mod");
}

/** Go keeps its modules read-only, and a copy is as its original. */
function makeWritable(path) {
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(path, entry.name));
    else chmodSync(join(path, entry.name), 0o644);
}

/** Runs Go in a folder; it ends together with this process. */
function go(sources, args) {
  return new Promise((done, failed) => {
    const child = spawn("go", args, { cwd: sources, env: ENVIRONMENT, stdio: ["ignore", 2, 2] });
    process.on("exit", () => child.kill());
    child.once("error", failed);
    child.once("exit", (code, signal) => {
      if (code === 0) done();
      else failed(new Error(`"go ${args[0]}" ended with ${code ?? signal}; its output is above`));
    });
  });
}

/** Where Go keeps a module of a folder's go.mod. */
function moduleFolder(sources, module) {
  const { status, stdout, stderr } = spawnSync("go", ["list", "-m", "-f", "{{.Dir}}", module], {
    cwd: sources,
    env: ENVIRONMENT,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`"go list -m ${module}" ended with ${status}: ${stderr.trim()}`);
  return stdout.trim();
}

/** Go keeps its modules read-only; a copy can be removed. */
function copyFolders(module, { from, ending = "" }, to) {
  mkdirSync(to);
  for (const folder of from)
    for (const name of readdirSync(join(module, folder)))
      if (name.endsWith(ending)) copyFileSync(join(module, folder, name), join(to, name));
}
