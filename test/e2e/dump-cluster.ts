// How does a user get the objects of a cluster as files? With kubectl, as docs/quickstart.md says; one file of everything.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { KINDS } from "../../src/input/objects/kind-table.ts";
import { type Kubectl, kubectlOutput } from "./kubectl.ts";

/** Kinds of operators of the bundled example, as PLURAL.GROUP. */
const CUSTOM = [
  "winches.machinery.harbour.example.com",
  "flagsets.signals.harbour.example.com",
  "billsoflading.cargo.longshore.example.org",
];

/** Writes all objects that Plimsoll reads, and custom resources, to files in a folder. */
export async function dumpCluster(folder: string, kubectl: Kubectl): Promise<void> {
  const known = Object.values(KINDS)
    .filter(({ kind }) => kind !== "ConfigMap")
    .map(({ group, kind }) => `${kind.toLowerCase()}.${group}`);
  const listed = await kubectlOutput(kubectl, ["get", [...known, ...CUSTOM].join(","), "-A", "-o", "yaml"]);
  writeFileSync(join(folder, "objects.yaml"), listed);
  const configMap = ["get", "configmap", "olm-runtime-constraints", "-n", "olm", "-o", "yaml"];
  writeFileSync(join(folder, "runtime-constraints.yaml"), await kubectlOutput(kubectl, configMap));
}

/** Writes one object, named KIND/NAME, to a file. */
export async function dumpObject(path: string, name: string, kubectl: Kubectl): Promise<void> {
  writeFileSync(path, await kubectlOutput(kubectl, ["get", name, "-o", "yaml"]));
}

/** The version of the server, as `--kube-version` takes it. */
export async function serverVersion(kubectl: Kubectl): Promise<string> {
  const { gitVersion } = JSON.parse(await kubectlOutput(kubectl, ["get", "--raw", "/version"]));
  return String(gitVersion).replace(/^v/, "");
}
