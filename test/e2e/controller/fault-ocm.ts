// How does a test run OCM's own placement controller? The real one, as a process with a user of its own; and what a hub shows of it
// where it is installed: its Lease and its Deployment.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../../src/model/json.ts";
import { writeKubeconfig } from "../kubeconfig.ts";
import { Processes } from "../processes.ts";
import type { Hub } from "./hub.ts";
import { inNamespace, LEASES } from "./kinds.ts";

/** Where OCM installs it. */
export const OCM_NAMESPACE = "open-cluster-management-hub";
/** Its Lease is valid for 137 seconds as it is shipped. */
const OCM_ELECTION: readonly string[] = ["lease-duration=8s", "renew-deadline=6s", "retry-period=1s"].map(
  (time) => `--leader-election-${time}`,
);
const OCM_LEASE = "placement-lock";
const OCM_DEPLOYMENT = "cluster-manager-placement-controller";

/** How OCM's controller runs. */
interface OcmOptions {
  /** Does it need its Lease? */
  readonly elects?: boolean;
}

/** Runs OCM's controller while `act` runs, by default without leader election; then it ends properly. */
export async function whileOcmRuns(
  hub: Hub,
  user: string,
  act: () => Promise<void>,
  { elects = false }: OcmOptions = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-ocm-"));
  const processes = new Processes(folder);
  const token = hub.tokens[user] as string;
  const kubeconfig = writeKubeconfig(folder, { server: hub.server, name: user, user: { token } });
  const path = join(process.env.PLIMSOLL_E2E_OCM as string, "placement");
  const election = elects ? OCM_ELECTION : ["--disable-leader-election"];
  processes.start({
    name: "placement",
    path,
    flags: ["--kubeconfig", kubeconfig, "--namespace", OCM_NAMESPACE, ...election],
  });
  try {
    await act();
  } finally {
    await processes.endAll();
  }
}

const RENEWAL_MS = 500;

/** The Lease of OCM's controller, as its leader writes it. */
export class OcmLease {
  readonly #hub: Hub;
  #renewing: Promise<void> | undefined;
  #isRenewed = false;

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  /** Takes the Lease for so many seconds, once. */
  async take(seconds: number, holder: string = "ocm"): Promise<void> {
    const renewTime = new Date().toISOString().replace("Z", "000Z");
    const spec = { holderIdentity: holder, leaseDurationSeconds: seconds, renewTime };
    const path = inNamespace(LEASES, OCM_NAMESPACE);
    const { status } = await this.#hub.tryCall("PATCH", `${path}/${OCM_LEASE}`, { spec });
    if (status === 200) return;
    const object = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: OCM_LEASE }, spec };
    await this.#hub.call("POST", path, object as JsonObject);
  }

  /** Takes it, and renews it until `abandon`. */
  async hold(seconds: number): Promise<void> {
    this.#isRenewed = true;
    await this.take(seconds);
    this.#renewing = (async () => {
      while (this.#isRenewed) {
        await sleep(RENEWAL_MS);
        if (this.#isRenewed) await this.take(seconds);
      }
    })();
  }

  /** Does not renew it any more, as a process that has died. */
  async abandon(): Promise<void> {
    this.#isRenewed = false;
    await this.#renewing;
  }
}

/** Makes or changes the Deployment of OCM's controller; none if there is no number. */
export async function deployOcm(hub: Hub, replicas: number | undefined): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${OCM_NAMESPACE}/deployments`;
  if (replicas === undefined) {
    await hub.call("DELETE", `${path}/${OCM_DEPLOYMENT}`);
    return;
  }
  const { status } = await hub.tryCall("PATCH", `${path}/${OCM_DEPLOYMENT}`, { spec: { replicas } });
  if (status === 200) return;
  const labels = { app: OCM_DEPLOYMENT };
  await hub.call("POST", path, {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: OCM_DEPLOYMENT } },
    spec: {
      ...{ replicas, selector: { matchLabels: labels } },
      template: { metadata: { labels }, spec: { containers: [{ name: "placement", image: "ocm" }] } },
    },
  });
}
