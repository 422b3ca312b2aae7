// How does OLM v0 run beside a test? Its own catalog-operator and olm-operator, as processes. No pod runs: what would be ready if one
// did, is said to be ready.

import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../src/model/json.ts";
import { documentsOf } from "../../case-documents.ts";
import type { ClusterAddress } from "../cluster.ts";
import { writeKubeconfig } from "../kubeconfig.ts";
import { Processes } from "../processes.ts";

/** The user whose rights OLM has; audit logs have its name. */
export const OLM_USER = "olm";
/** Where OLM is, and what all namespaces may use. */
const OLM_NAMESPACE = "olm";

/** OLM's operators, while they run. */
export interface OlmOperators {
  /** Stops the catalog-operator as it is: until it goes on, nothing is resolved or installed. */
  freeze(): void;
  goOn(): void;
  /** Ends the olm-operator, which follows ClusterServiceVersions, while something is done, and starts it again. */
  withoutOlmOperator<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What the catalog-operator has written until now. */
  log(): string;
  stop(): Promise<void>;
}

function olmFolder(): string {
  const folder = process.env.PLIMSOLL_E2E_OLM;
  if (!folder) throw new Error("PLIMSOLL_E2E_OLM is not set; npm run test:e2e sets it");
  return folder;
}

/** The CRDs of OLM as it ships them. */
export function olmDefinitions(): readonly JsonObject[] {
  const folder = join(olmFolder(), "crds");
  return readdirSync(folder).flatMap((file) => documentsOf(join(folder, file)));
}

/** Looks at everything again this often, also if nothing has changed. */
const INTERVAL = "2s";
/** So long it tries again what fails while an InstallPlan is carried out. */
const RETRY = "5s";

/** Starts OLM's operators for a cluster that has the CRDs and the namespace `olm`. */
export function startOlmOperators({ server, tokens }: ClusterAddress): OlmOperators {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-olm-"));
  const processes = new Processes(folder);
  const kubeconfig = writeKubeconfig(folder, { server, name: OLM_USER, user: { token: tokens[OLM_USER] as string } });
  // With CI in its environment OLM refuses objects without its label.
  const { PATH = "" } = process.env;
  const environment = { PATH, HOME: folder, TMPDIR: folder, KUBECONFIG: kubeconfig };
  const start = (name: string, binary: string, flags: readonly string[]): void =>
    processes.start({
      name,
      path: join(olmFolder(), binary),
      flags: ["--namespace", OLM_NAMESPACE, ...flags],
      environment,
    });
  const catalog = "catalog-operator";
  const follower = "olm-operator";
  const startFollower = (): void => start(follower, "olm", []);
  start(catalog, "catalog", ["--interval", INTERVAL, "--install-plan-retry-timeout", RETRY]);
  startFollower();
  const goOn = (): void => processes.signal(catalog, "SIGCONT");
  return {
    freeze: () => processes.signal(catalog, "SIGSTOP"),
    goOn,
    async withoutOlmOperator(work) {
      await processes.end(follower);
      const result = await work();
      startFollower();
      return result;
    },
    log: () => processes.output(catalog),
    async stop() {
      goOn();
      await processes.endAll();
    },
  };
}
