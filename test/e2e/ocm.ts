// How does a test get what OCM has in a hub? The CRDs of its cluster API, and its own placement controller, as a process.

import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../src/model/json.ts";
import { documentsOf } from "../case-documents.ts";
import type { ClusterAddress } from "./cluster.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { Processes } from "./processes.ts";

/** The folder of OCM's placement controller; `npm run test:e2e` finds or builds it. */
function ocmFolder(): string {
  const folder = process.env.PLIMSOLL_E2E_OCM;
  if (!folder) throw new Error("PLIMSOLL_E2E_OCM is not set; npm run test:e2e sets it");
  return folder;
}

/** The CRDs of OCM's cluster API as OCM ships them. */
export function ocmDefinitions(): readonly JsonObject[] {
  const folder = join(ocmFolder(), "crds");
  return readdirSync(folder).flatMap((file) => documentsOf(join(folder, file)));
}

/** OCM's placement controller, while it runs. */
export interface OcmController {
  stop(): Promise<void>;
}

/** How OCM's placement controller runs. */
export interface OcmOptions {
  /** The user whose rights it has. */
  readonly user?: string;
  /** Its flags for the Lease; by default it needs none, and a test starts one at a time. */
  readonly election?: readonly string[];
}

/** Starts OCM's placement controller for a cluster that has the CRDs. */
export function startOcmController(
  { server, tokens }: ClusterAddress,
  { user = "admin", election = ["--namespace", "default", "--disable-leader-election"] }: OcmOptions = {},
): OcmController {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-ocm-"));
  const processes = new Processes(folder);
  const kubeconfig = writeKubeconfig(folder, { server, name: user, user: { token: tokens[user] as string } });
  const path = join(ocmFolder(), "placement");
  processes.start({ name: "placement", path, flags: ["--kubeconfig", kubeconfig, ...election] });
  return { stop: () => processes.endAll() };
}
