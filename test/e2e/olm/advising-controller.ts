// What does the resolution controller say of each world, while it runs beside OLM with the rights that it has in deploy/resolution?

import { isList, isObject, type Json, type JsonObject, partOf } from "../../../src/model/json.ts";
import { documentsOf } from "../../case-documents.ts";
import type { ApiClient } from "../api-client.ts";
import type { Cluster } from "../cluster.ts";
import { accountOf, installAccount } from "../controller/account.ts";
import { startController } from "../controller/controller-process.ts";
import { callsOf } from "../controller/hub.ts";
import { loadObjects } from "../load-objects.ts";
import { NAMESPACE } from "../manifests.ts";
import type { Generation } from "./advice.ts";
import { shortName } from "./olm-state.ts";
import { prefixOf, type World } from "./world.ts";

/** The pod whose token the controller has: its name is in audit logs. */
export const CONTROLLER_POD = "advisor";
const RESOLUTIONS = "/apis/plimsoll.dev/v1alpha1/resolutions";

/** Starts the controller, in Advise; returns what ends it. */
export async function startAdvising(cluster: Cluster): Promise<{ stop(): Promise<void> }> {
  const { admin, server } = cluster;
  await loadObjects(admin, documentsOf("deploy/resolution/crd.yaml"));
  const account = await installAccount({ ...cluster, ...callsOf(admin) }, "resolution");
  const controller = await startController({
    ...{ controller: "resolution", server, token: await account.tokenOf(CONTROLLER_POD), identity: CONTROLLER_POD },
    ...{ namespace: NAMESPACE, leaseName: accountOf("resolution") },
  });
  return { stop: async () => void (await controller.stop()) };
}

/** What the Resolutions of worlds say of their next generations; a world without a Resolution is missing. */
export async function generationsSaid(
  admin: ApiClient,
  worlds: readonly World[],
): Promise<ReadonlyMap<string, Generation>> {
  const all = objectsOf((await admin.get(RESOLUTIONS)).items);
  const statuses = new Map(all.map((one) => [partOf(one, "metadata").namespace, partOf(one, "status")] as const));
  return new Map(
    worlds.flatMap((world) => {
      const status = statuses.get(world.name);
      return status === undefined ? [] : [[world.name, generationIn(status, prefixOf(world))]];
    }),
  );
}

function generationIn(status: JsonObject, prefix: string): Generation {
  const bundles = (names: readonly string[]): readonly string[] => names.map((name) => shortName(name, prefix)).sort();
  const changes = objectsOf(status.pendingApproval).flatMap((one) => objectsOf(one.changes));
  const refused = objectsOf(status.unsatisfied).map(({ subscription }) => `${subscription}`.split("/")[1] ?? "");
  return {
    outcome: `${status.outcome}`,
    operators: bundles(objectsOf(status.operators).map(({ bundle }) => `${bundle}`)),
    refused: refused.sort(),
    waiting: bundles(changes.map(({ to }) => `${to}`)),
  };
}

function objectsOf(values: Json | undefined): readonly JsonObject[] {
  return isList(values) ? values.filter(isObject) : [];
}
