// Which hub does a test of the controller have? A cluster of its own with OCM's own CRDs.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, partOf } from "../../../src/model/json.ts";
import { documentsOf } from "../../case-documents.ts";
import type { ApiAnswer, ApiClient } from "../api-client.ts";
import { type Cluster, type ClusterOptions, startCluster } from "../cluster.ts";
import { loadObjects } from "../load-objects.ts";
import { until } from "./until.ts";

/** What an administrator asks of an API server. */
export interface AdminCalls {
  /** Sends a request of the administrator; throws if it is refused. */
  call(method: string, path: string, body?: JsonObject): Promise<JsonObject>;
  /** The same, with any answer. */
  tryCall(method: string, path: string, body?: JsonObject): Promise<ApiAnswer>;
}

/** A running hub. */
export interface Hub extends Cluster, AdminCalls {}

const TOO_MANY_REQUESTS = 429;
const PAUSE_MS = 50;

/** Starts a hub without clusters. */
export async function startHub(options: ClusterOptions = {}): Promise<Hub> {
  const cluster = await startCluster(options);
  try {
    await loadObjects(cluster.admin, definitions());
    // A definition is served before its schema is published.
    await schemasHave(cluster.admin, ['"kind":"PlacementDecision"', '"kind":"Placement"']);
    if (options.controllers !== undefined) await cluster.restartControllers();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return { ...cluster, ...callsOf(cluster.admin) };
}

/** The calls of an administrator, also while an API server has just started. */
export function callsOf(admin: ApiClient): AdminCalls {
  const tryCall = async (method: string, path: string, body?: JsonObject): Promise<ApiAnswer> => {
    for (;;) {
      const answer = await admin.call(method, path, body);
      // After a start, an API server reads its storage when the first request for a kind comes.
      if (answer.status !== TOO_MANY_REQUESTS) return answer;
      await sleep(PAUSE_MS);
    }
  };
  return {
    tryCall,
    async call(method, path, body) {
      const answer = await tryCall(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.message}`);
      return answer.body;
    },
  };
}

const SCHEMAS = "apis/cluster.open-cluster-management.io/v1beta1";

/** Waits until the published schemas of Placements and PlacementDecisions have some parts, as JSON. */
export async function schemasHave(admin: ApiClient, parts: readonly string[]): Promise<void> {
  await until("the schemas are published", async () => {
    const { serverRelativeURL } = partOf(partOf(await admin.get("/openapi/v3"), "paths"), SCHEMAS);
    if (serverRelativeURL === undefined) return undefined;
    // A document that has changed in between is redirected.
    const document = await admin.get(`${serverRelativeURL}`).catch(() => ({}));
    const text = JSON.stringify(partOf(document, "components"));
    return parts.every((part) => text.includes(part)) || undefined;
  });
}

/** The definitions of the kinds of a hub. */
function definitions(): readonly JsonObject[] {
  // Set wherever these tests run, see the configuration of vitest.
  const crds = join(process.env.PLIMSOLL_E2E_OCM as string, "crds");
  return readdirSync(crds)
    .sort()
    .flatMap((name) => documentsOf(join(crds, name)));
}
