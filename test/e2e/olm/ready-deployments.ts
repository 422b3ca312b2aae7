// Who makes Deployments available where no pod can run? This loop: it says of each that all its pods are ready.

import { setTimeout as sleep } from "node:timers/promises";
import { isList, isObject, type JsonObject, partOf } from "../../../src/model/json.ts";
import type { ApiClient } from "../api-client.ts";

const DEPLOYMENTS = "/apis/apps/v1/deployments";
const PAUSE_MS = 300;

/** Makes every Deployment available until it is stopped. */
export function startReadyDeployments(client: ApiClient): { stop(): Promise<void> } {
  let isStopped = false;
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      await makeAllAvailable(client).catch(() => {}); // the API server may be away
      await sleep(PAUSE_MS);
    }
  };
  const running = loop();
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

async function makeAllAvailable(client: ApiClient): Promise<void> {
  const { items } = await client.get(DEPLOYMENTS);
  const waiting = (isList(items) ? items.filter(isObject) : []).filter((one) => !isObserved(one));
  await Promise.all(waiting.map((deployment) => makeAvailable(client, deployment)));
}

function isObserved(deployment: JsonObject): boolean {
  return partOf(deployment, "status").observedGeneration === partOf(deployment, "metadata").generation;
}

async function makeAvailable(client: ApiClient, deployment: JsonObject): Promise<void> {
  const { namespace, name, generation } = partOf(deployment, "metadata");
  const replicas = Number(partOf(deployment, "spec").replicas ?? 1);
  const status = {
    observedGeneration: generation,
    ...{ replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas },
    conditions: [
      { type: "Available", status: "True", reason: "MinimumReplicasAvailable", message: "no pod runs" },
      { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable", message: "no pod runs" },
    ],
  };
  await client.call("PATCH", `/apis/apps/v1/namespaces/${namespace}/deployments/${name}/status`, {
    status,
  } as unknown as JsonObject);
}
