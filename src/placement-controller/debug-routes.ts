// What does the debug address answer? OCM's endpoint (/debug/placements/…), and the JSON of `place` (/placements/NAMESPACE/NAME), to
// users who may read the Placement.

import type { HttpAnswer, HttpRequest } from "../controller/http-server.ts";
import type { ThreadLink } from "../controller/thread-link.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { NetFailure } from "../net/failure.ts";
import { callerOf, isAllowed } from "./caller.ts";
import type { HubFunctions } from "./threads.ts";

const JSON_TYPE = "application/json";

/** Answers a request to the debug address. */
export async function answerDebugAddress(
  request: HttpRequest,
  server: Pick<ApiServer, "write">,
  hub: Pick<ThreadLink<HubFunctions>, "call">,
): Promise<HttpAnswer> {
  try {
    const user = await callerOf(server, request.headers.authorization);
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (pathname === "/debug/placements" || pathname.startsWith("/debug/placements/")) {
      const { status, body } = await hub.call("debug", {
        method: request.method,
        path: pathname,
        body: request.body,
        user,
      });
      return json(status, body);
    }
    const [, namespace, name] = /^\/placements\/([^/]+)\/([^/]+)$/.exec(pathname)?.map(decodedSegment) ?? [];
    if (namespace === undefined || name === undefined)
      return refused(404, "ask for /placements/NAMESPACE/NAME or /debug/placements/NAMESPACE/NAME");
    if (request.method !== "GET") return refused(405, `the method ${request.method} is not allowed: use GET`);
    if (user === undefined)
      return refused(401, "the caller is unknown: send a bearer token that the API server accepts");
    const object = { group: "cluster.open-cluster-management.io", resource: "placements", namespace, name } as const;
    if (!(await isAllowed(server, { verb: "get", ...object, user })))
      return refused(403, `${user.name} may not get placements in namespace ${namespace}`);
    const text = await hub.call("place", { namespace, name, cluster: searchParams.get("cluster") ?? undefined });
    if (text === undefined) return refused(404, `there is no placement ${namespace}/${name}`);
    return { status: 200, type: JSON_TYPE, body: text };
  } catch (error) {
    if (error instanceof NetFailure) return refused(500, `the review of the caller failed: ${error.message}`);
    throw error;
  }
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function json(status: number, body: unknown): HttpAnswer {
  return { status, type: JSON_TYPE, body: `${JSON.stringify(body)}\n` };
}

function refused(status: number, error: string): HttpAnswer {
  return json(status, { error });
}
