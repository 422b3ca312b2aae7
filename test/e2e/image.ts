// How does a test run the image of the Containerfile without a container engine? The files of its last stage, as its user, in name spaces
// of its own where every file system is read-only; with what Kubernetes gives a pod.

import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { type JsonObject, partOf } from "../../src/model/json.ts";
import { AUTHORITY } from "../certificates.ts";
import { UNSHARE_FLAGS } from "./catalogd.ts";
import type { Cluster } from "./cluster.ts";
import { type Running, startProgram } from "./command.ts";
import { NAMESPACE } from "./manifests.ts";

/** The instructions of the stages of the Containerfile, each with its words. */
export const STAGES: readonly (readonly (readonly string[])[])[] = readFileSync("Containerfile", "utf8")
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) => stage.split("\n").map((line) => line.split(" ")));

/** Copies what a stage copies, from this repository in place of the build stage, into a new folder. */
export function copied(stage: number, target: string): string {
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

/** What a pod has besides its image. */
export interface Surroundings {
  /** A folder whose files are in the current directory. */
  readonly input: string;
  /** A folder with the files of the service account. */
  readonly account?: string;
  /** Variables of the environment, NAME=VALUE; no others are set. */
  readonly environment?: readonly string[];
  /** Where an empty volume is mounted that every user can write to; none by default. It must exist on this machine. */
  readonly volume?: string;
}

/** Starts the command of the last stage as its user, where every file system is read-only. */
export function startImage(
  image: string,
  { input, account = "", environment = [], volume = "" }: Surroundings,
  home: string,
  args: readonly string[],
): Running {
  const user = process.getuid?.() === 0 ? "setpriv --reuid=65532 --regid=65532 --clear-groups --no-new-privs" : "";
  const script = `set -e
    mount -t tmpfs tmpfs /mnt && mkdir /mnt/plimsoll /mnt/input
    cp -r "$0/." /mnt/plimsoll && cp -r "$1/." /mnt/input && chmod -R a+rX /mnt
    account=/run/secrets/kubernetes.io/serviceaccount
    mount -t tmpfs tmpfs /run && mkdir -p $account
    if [ -n "$2" ]; then cp "$2/"* $account && chmod -R a+rX /run; fi
    if [ -n "$3" ]; then mount -t tmpfs -o mode=0777 tmpfs "$3"; fi
    mount -t tmpfs -o ro tmpfs /tmp && mount -o remount,ro /run && mount -o remount,ro /mnt && mount -o remount,bind,ro /
    shift 3 && cd /mnt/input
    if [ -n "${user}" ] && [ "$(${user} id -u)" = 0 ]; then echo "it runs as root" >&2; exit 8; fi
    for place in /mnt/plimsoll /mnt/input /run $account /tmp /var/tmp; do
      if ${user} touch $place/file 2>/dev/null; then echo "$place can be written" >&2; exit 9; fi
    done
    exec ${user} env -i "$@"`;
  const command = [...environment, process.execPath, "/mnt/plimsoll/dist/bin/plimsoll.js", ...args];
  return startProgram(
    "unshare",
    [...UNSHARE_FLAGS, "sh", "-c", script, image, input, account, volume, ...command],
    home,
  );
}

/** The files that the kubelet writes for a service account. */
export async function accountFiles({ admin }: Cluster, account: string, files: string): Promise<string> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${account}/token`;
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { body } = await admin.call("POST", path, request);
  mkdirSync(files);
  writeFileSync(join(files, "token"), `${partOf(body, "status").token}`);
  writeFileSync(join(files, "ca.crt"), AUTHORITY);
  writeFileSync(join(files, "namespace"), NAMESPACE);
  return files;
}

function flagsOf({ args }: JsonObject): readonly string[] {
  return args as readonly string[];
}

/** The flags of a container, with ports that are free here. */
export function freeFlagsOf(container: JsonObject): readonly string[] {
  const flags = flagsOf(container);
  expect(flags).toEqual(expect.arrayContaining(["--health-address=:8081", "--metrics-address=:8080"]));
  return flags.map((flag) => flag.replace(/:80[0-9]{2}$/, ":0"));
}

/** A probe of a container: the path that it asks, and the server behind its port. */
interface Probe {
  readonly probe: string;
  readonly path: string;
  readonly server: string | undefined;
}

/** The probes of a container: each asks a path of the port that has a name, which a flag gives to a server. */
export function probesOf(container: JsonObject): readonly Probe[] {
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
export function urlOf(log: string, server: string | undefined): string {
  const lines = log.split("\n").filter((line) => line.startsWith("{") && line.endsWith("}"));
  const listening = lines
    .map((line): JsonObject => JSON.parse(line))
    .find((line) => line.message === "listening" && line.server === server);
  if (listening === undefined) throw new Error(`no server ${server}: ${log}`);
  return `http://127.0.0.1:${`${listening.address}`.split(":").at(-1)}`;
}
