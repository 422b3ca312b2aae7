// How does a test run the commands of a page? In their order, in a folder that has `deploy/` and the overlay that the page shows, with
// kubectl, helm and plimsoll. There are no pods here: the test says of every Deployment that its replicas run.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { isList, isObject, partOf } from "../../src/model/json.ts";
import type { ApiClient } from "./api-client.ts";
import { COMMAND, type Ran, startProgram } from "./command.ts";
import { overlayOfPage } from "./page-overlay.ts";

/** The commands of the `sh` blocks of a page, one in each line. */
export function commandsOf(page: string): readonly string[] {
  return [...readFileSync(page, "utf8").matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = ""]) =>
    block.trim().split(/\n\s*/),
  );
}

export interface PageShell {
  /** Where the commands run. */
  readonly folder: string;
  run(command: string): Promise<Ran>;
}

/** A shell for the commands of a page; the overlay of `overlayPage` is in the folder of that name. */
export function pageShell(
  folder: string,
  {
    kubeconfig,
    programs,
    overlay,
  }: {
    readonly kubeconfig: string;
    /** Folders with programs. */
    readonly programs: readonly string[];
    readonly overlay: { readonly name: string; readonly page: string; readonly base?: string };
  },
): PageShell {
  mkdirSync(join(folder, "bin"));
  symlinkSync(COMMAND, join(folder, "bin", "plimsoll"));
  symlinkSync(resolve("deploy"), join(folder, "deploy"));
  mkdirSync(join(folder, overlay.name));
  writeFileSync(join(folder, overlay.name, "kustomization.yaml"), overlayOfPage(overlay.page, overlay.base));
  const PATH = [join(folder, "bin"), ...programs, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  const environment = { PATH, KUBECONFIG: kubeconfig };
  return {
    folder,
    run: (command) => startProgram("sh", ["-c", `cd "$0" && ${command}`, folder], folder, environment).ended,
  };
}

/** Says that every Deployment has the replicas that it wants, as its controller and the nodes would. */
export async function replicasRun(admin: ApiClient): Promise<void> {
  const { items } = await admin.get("/apis/apps/v1/deployments");
  for (const one of isList(items) ? items.filter(isObject) : []) {
    const { namespace, name, generation } = partOf(one, "metadata");
    const { replicas = 0 } = partOf(one, "spec");
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}/status`;
    await admin.call("PATCH", path, { status: { observedGeneration: generation ?? 0, ...counts } });
  }
}
