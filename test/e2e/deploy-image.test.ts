// Does the image of the Containerfile work in a restricted pod? Its build stage gets all files that the build needs; its last
// stage has exactly the files of the command, and they run as another user than root, without HOME, where nothing can be
// written. The image itself is built where a container engine runs.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { UNSHARE_FLAGS } from "./catalogd.ts";
import { type Ran, startProgram, testFolder } from "./command.ts";

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

/** Runs the files of the last stage as its user, where every file system is read-only. `input` is a folder with its files. */
function runImage(image: string, input: string, args: readonly string[]): Promise<Ran> {
  const user = process.getuid?.() === 0 ? "setpriv --reuid=65532 --regid=65532 --clear-groups --no-new-privs" : "";
  const script = `set -e
    mount -t tmpfs tmpfs /mnt && mkdir /mnt/plimsoll /mnt/input
    cp -r "$0/." /mnt/plimsoll && cp -r "$1/." /mnt/input && chmod -R a+rX /mnt
    mount -t tmpfs -o ro tmpfs /tmp && mount -o remount,ro /mnt && mount -o remount,bind,ro /
    node=$2 && shift 2 && cd /mnt/input
    for place in /mnt/plimsoll /tmp /var/tmp; do
      if ${user} touch $place/file 2>/dev/null; then echo "$place can be written" >&2; exit 9; fi
    done
    exec ${user} env -i "$node" /mnt/plimsoll/dist/bin/plimsoll.js "$@"`;
  const program = [...UNSHARE_FLAGS, "sh", "-c", script, image, input, process.execPath, ...args];
  return startProgram("unshare", program, folder).ended;
}

test("the command works there without HOME and without a place to write", async () => {
  const image = copied(1, "image");
  const fleet = join(process.cwd(), "examples/harbour/fleet");
  expect(await runImage(image, fleet, ["version"])).toMatchObject({
    code: 0,
    out: expect.stringContaining(VERSION),
    err: "",
  });
  const placed = await runImage(image, fleet, ["place", "-f", "."]);
  expect(placed.err).not.toContain("warning");
  expect(placed.out).toContain("✓ default/placement1");
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
