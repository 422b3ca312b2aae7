// How does a test run kubectl? That of the servers, with a kubeconfig and a home of its own; also with the built command as its
// plugin.

import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { COMMAND, type Environment, type Ran, startProgram } from "./command.ts";

/** Where kubectl is, and what it uses. */
export interface Kubectl {
  /** The folder of kubectl. */
  readonly servers: string;
  readonly kubeconfig: string;
  /** The home of kubectl. */
  readonly home: string;
}

/** Runs kubectl to its end. */
export function runKubectl(
  { servers, kubeconfig, home }: Kubectl,
  args: readonly string[],
  environment: Environment = {},
): Promise<Ran> {
  return startProgram(join(servers, "kubectl"), args, home, { KUBECONFIG: kubeconfig, ...environment }).ended;
}

/** What kubectl prints; throws if it fails. */
export async function kubectlOutput(kubectl: Kubectl, args: readonly string[]): Promise<string> {
  const { code, out, err } = await runKubectl(kubectl, args);
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${err}`);
  return out;
}

/** The name of the built command as a plugin. */
export const PLUGIN = "kubectl-plimsoll";

/** Makes the built command a plugin in a new folder `bin` below `folder`; returns that folder and a PATH with it. */
export function makePlugin(folder: string): { readonly bin: string; readonly PATH: string } {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(COMMAND, join(bin, PLUGIN));
  return { bin, PATH: [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) };
}
