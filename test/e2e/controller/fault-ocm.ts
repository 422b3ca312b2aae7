// How does a test run OCM's own placement controller? The real one, as a process with a user of its own; and what a hub shows of it
// where it is installed: its Lease and its Deployment.

import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../../src/model/json.ts";
import { type OcmOptions, startOcmController } from "../ocm.ts";
import type { Hub } from "./hub.ts";
import { inNamespace, LEASES } from "./kinds.ts";

/** Where OCM installs it. */
export const OCM_NAMESPACE = "open-cluster-management-hub";
/** Flags with which it needs its Lease; as it is shipped, the Lease is valid for 137 seconds. */
export const OCM_ELECTION: readonly string[] = [
  ...["--namespace", OCM_NAMESPACE, "--leader-election-lease-duration", "8s"],
  ...["--leader-election-renew-deadline", "6s", "--leader-election-retry-period", "1s"],
];
const OCM_LEASE = "placement-lock";
const OCM_DEPLOYMENT = "cluster-manager-placement-controller";

/** Runs OCM's controller while `act` runs, with the rights of a user; then it ends properly. */
export async function whileOcmRuns(
  hub: Hub,
  user: string,
  act: () => Promise<void>,
  options: Omit<OcmOptions, "user"> = {},
): Promise<void> {
  const controller = startOcmController(hub, { user, ...options });
  try {
    await act();
  } finally {
    await controller.stop();
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
