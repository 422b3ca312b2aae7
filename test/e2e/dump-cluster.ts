// How does a user get the objects of a cluster as files? With kubectl, as docs/quickstart.md says; one file of everything.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { KINDS } from "../../src/input/objects/kind-table.ts";
import { startProgram } from "./command.ts";

/** Which cluster is dumped, and with what. */
export interface DumpedCluster {
  /** The folder of kubectl. */
  readonly servers: string;
  readonly kubeconfig: string;
  /** The home of kubectl. */
  readonly home: string;
}

/** Kinds of operators of the bundled example, as PLURAL.GROUP. */
const CUSTOM = [
  "winches.machinery.harbour.example.com",
  "flagsets.signals.harbour.example.com",
  "billsoflading.cargo.longshore.example.org",
];

/** Writes all objects that Plimsoll reads, and custom resources, to files in a folder. */
export async function dumpCluster(folder: string, cluster: DumpedCluster): Promise<void> {
  const known = Object.values(KINDS)
    .filter(({ kind }) => kind !== "ConfigMap")
    .map(({ group, kind }) => `${kind.toLowerCase()}.${group}`);
  const listed = await kubectl(cluster, ["get", [...known, ...CUSTOM].join(","), "-A", "-o", "yaml"]);
  writeFileSync(join(folder, "objects.yaml"), listed);
  const configMap = ["get", "configmap", "olm-runtime-constraints", "-n", "olm", "-o", "yaml"];
  writeFileSync(join(folder, "runtime-constraints.yaml"), await kubectl(cluster, configMap));
}

/** Writes one object, named KIND/NAME, to a file. */
export async function dumpObject(path: string, name: string, cluster: DumpedCluster): Promise<void> {
  writeFileSync(path, await kubectl(cluster, ["get", name, "-o", "yaml"]));
}

/** The version of the server, as `--kube-version` takes it. */
export async function serverVersion(cluster: DumpedCluster): Promise<string> {
  const { gitVersion } = JSON.parse(await kubectl(cluster, ["get", "--raw", "/version"]));
  return String(gitVersion).replace(/^v/, "");
}

async function kubectl({ servers, kubeconfig, home }: DumpedCluster, args: readonly string[]): Promise<string> {
  const { code, out, err } = await startProgram(join(servers, "kubectl"), args, home, { KUBECONFIG: kubeconfig }).ended;
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${err}`);
  return out;
}
