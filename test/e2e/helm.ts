// How does a test run helm? That of the servers, with a home of its own, so that no settings and no cache of the user count.

import { join } from "node:path";
import { type Environment, type Ran, startProgram } from "./command.ts";

/** The chart of the repository. */
export const CHART = "deploy/helm/plimsoll";

/** The folder of helm; `npm run test:e2e` finds or builds it. */
export function helmFolder(): string {
  const folder = process.env.PLIMSOLL_E2E_HELM;
  if (!folder) throw new Error("PLIMSOLL_E2E_HELM is not set; npm run test:e2e sets it");
  return folder;
}

/** Runs helm to its end; `home` is its HOME. */
export function runHelm(home: string, args: readonly string[], environment?: Environment): Promise<Ran> {
  return startProgram(join(helmFolder(), "helm"), args, home, environment).ended;
}

/** What helm prints; throws if it fails. */
export async function helmOutput(home: string, args: readonly string[], environment?: Environment): Promise<string> {
  const { code, out, err } = await runHelm(home, args, environment);
  if (code !== 0) throw new Error(`helm ${args.join(" ")}: ${err}`);
  return out;
}
