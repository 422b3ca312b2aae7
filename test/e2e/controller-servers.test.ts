// Do the parts work that a placement controller is tested with? OCM's own controller decides and writes; the garbage collector
// removes the decisions of a Placement that is deleted.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isList, type JsonObject, partOf } from "../../src/model/json.ts";
import { type Cluster, canRunControllers, startCluster } from "./cluster.ts";
import { loadObjects } from "./load-objects.ts";
import { type OcmController, ocmDefinitions, startOcmController } from "./ocm.ts";

const API = "cluster.open-cluster-management.io";
const PLACEMENT = `/apis/${API}/v1beta1/namespaces/apps/placements/everywhere`;
const DECISIONS = `/apis/${API}/v1beta1/namespaces/apps/placementdecisions`;
/** Only a controller that does not work takes this long. */
const WAIT = { timeout: 120_000, interval: 200 };

function managedCluster(name: string): JsonObject {
  const metadata = { name, labels: { [`${API}/clusterset`]: "quay" } };
  return { apiVersion: `${API}/v1`, kind: "ManagedCluster", metadata, spec: { hubAcceptsClient: true } };
}

let cluster: Cluster;
let ocm: OcmController;
beforeAll(async () => {
  cluster = await startCluster({ controllers: canRunControllers() ? ["garbage-collector-controller"] : [] });
  await loadObjects(cluster.admin, ocmDefinitions());
  if (canRunControllers()) await cluster.restartControllers();
  ocm = startOcmController(cluster);
});
afterAll(async () => {
  await ocm?.stop();
  await cluster?.stop();
});

/** The clusters in the decisions of all Placements of the namespace; undefined without decisions. */
async function selected(): Promise<readonly string[] | undefined> {
  const { items } = await cluster.admin.get(DECISIONS);
  if (!isList(items) || items.length === 0) return undefined;
  return (items as readonly JsonObject[])
    .flatMap((item) => partOf(item, "status").decisions as readonly JsonObject[])
    .map(({ clusterName }) => `${clusterName}`)
    .sort();
}

test("OCM's controller selects clusters", async () => {
  const apiVersion = `${API}/v1beta2`;
  await loadObjects(cluster.admin, [
    managedCluster("lisbon"),
    { apiVersion, kind: "ManagedClusterSet", metadata: { name: "quay" }, spec: {} },
    {
      apiVersion,
      kind: "ManagedClusterSetBinding",
      metadata: { namespace: "apps", name: "quay" },
      spec: { clusterSet: "quay" },
    },
    {
      apiVersion: `${API}/v1beta1`,
      kind: "Placement",
      metadata: { namespace: "apps", name: "everywhere" },
      spec: {},
    },
  ]);
  await vi.waitFor(async () => expect(await selected()).toEqual(["lisbon"]), WAIT);
  await loadObjects(cluster.admin, [managedCluster("busan")]);
  await vi.waitFor(async () => expect(await selected()).toEqual(["busan", "lisbon"]), WAIT);
  // The status is written after the decisions.
  const count = async (): Promise<unknown> =>
    partOf(await cluster.admin.get(PLACEMENT), "status").numberOfSelectedClusters;
  await vi.waitFor(async () => expect(await count()).toBe(2), WAIT);
});

test.skipIf(!canRunControllers())("the garbage collector removes decisions without their Placement", async () => {
  await ocm.stop(); // so that it is not OCM's controller that removes them
  await cluster.admin.call("DELETE", PLACEMENT);
  await vi.waitFor(async () => expect(await selected()).toBeUndefined(), WAIT);
});
