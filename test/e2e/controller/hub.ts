// Which hub does a test of the controller have? A cluster of its own with the kinds of OCM: the real definitions if they are
// there, otherwise those without a schema.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../src/model/json.ts";
import { documentsOf } from "../../case-documents.ts";
import type { ApiAnswer } from "../api-client.ts";
import { type Cluster, type ClusterOptions, startCluster } from "../cluster.ts";
import { loadObjects } from "../load-objects.ts";

/** A running hub. */
export interface Hub extends Cluster {
  /** Sends a request of the administrator; throws if it is refused. */
  call(method: string, path: string, body?: JsonObject): Promise<JsonObject>;
  /** The same, with any answer. */
  tryCall(method: string, path: string, body?: JsonObject): Promise<ApiAnswer>;
}

/** Starts a hub without clusters. */
export async function startHub(options: ClusterOptions = {}): Promise<Hub> {
  const cluster = await startCluster(options);
  try {
    await loadObjects(cluster.admin, definitions());
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  const tryCall = (method: string, path: string, body?: JsonObject): Promise<ApiAnswer> =>
    cluster.admin.call(method, path, body);
  return {
    ...cluster,
    tryCall,
    async call(method, path, body) {
      const answer = await tryCall(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.message}`);
      return answer.body;
    },
  };
}

/** The definitions of the kinds of a hub. */
function definitions(): readonly JsonObject[] {
  const folder = process.env.PLIMSOLL_E2E_OCM;
  if (folder === undefined) return documentsOf("test/e2e/crds.yaml");
  const crds = join(folder, "crds");
  return readdirSync(crds)
    .sort()
    .flatMap((name) => documentsOf(join(crds, name)));
}
