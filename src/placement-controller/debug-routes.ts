// What does the debug address answer? OCM's endpoint (/debug/placements/…), and the JSON of `place` (/placements/NAMESPACE/NAME), to
// users with the right to get the Placement; a POST needs the right to create it, a cluster of other sets the right to get that.

import type { Answer, Request, Route } from "../controller/http-server.ts";
import type { ThreadLink } from "../controller/thread-link.ts";
import type { ApiServer } from "../kube/api-server.ts";
import { NetFailure } from "../net/failure.ts";
import { MAX_BODY } from "../placement/ocm/debug-request.ts";
import { callerOf, isAllowed } from "./caller.ts";
import type { ReadingFunctions } from "./threads.ts";

/** The routes of the debug address. `onFailure`: the API server cannot be asked about a caller. */
export function debugRoutes(
  server: Pick<ApiServer, "write">,
  reading: Pick<ThreadLink<ReadingFunctions>, "call">,
  onFailure: (failure: NetFailure) => void,
): (path: string) => Route | undefined {
  const reviewed =
    (handle: (request: Request) => Promise<Answer>): Route["handle"] =>
    async (request) => {
      try {
        return await handle(request);
      } catch (error) {
        if (!(error instanceof NetFailure)) throw error;
        onFailure(error);
        return refused(500, "the review of the caller failed; the log of the controller says why");
      }
    };
  const debug: Route = {
    methods: ["GET", "POST"],
    maxBody: MAX_BODY,
    handle: reviewed((request) => answerAsOcm(request, server, reading)),
  };
  const place: Route = { handle: reviewed((request) => answerWithReasons(request, server, reading)) };
  return (path) => {
    if (/^\/debug\/placements(\/|$)/.test(path)) return debug;
    return PLACEMENT.test(path) ? place : undefined;
  };
}

const PLACEMENT = /^\/placements\/([^/]+)\/([^/]+)$/;

/** As OCM's debug server, and with the reason of an empty answer. */
async function answerAsOcm(
  { method, path, headers, body }: Request,
  server: Pick<ApiServer, "write">,
  reading: Pick<ThreadLink<ReadingFunctions>, "call">,
): Promise<Answer> {
  const user = await callerOf(server, textOf(headers.authorization));
  const asked = { method: method === "HEAD" ? "GET" : method, path, body: Buffer.from(body).toString("utf8"), user };
  const answer = await reading.call("debug", asked);
  return json(answer.status, answer.body);
}

/**
 * The JSON of `place`; with `?cluster=NAME` that of `place --explain`. A cluster that is in no set of the Placement is explained to those
 * who may get it: an expression would show everything that it is.
 */
async function answerWithReasons(
  { path, query, headers }: Request,
  server: Pick<ApiServer, "write">,
  reading: Pick<ThreadLink<ReadingFunctions>, "call">,
): Promise<Answer> {
  const [, namespace = "", name = ""] = PLACEMENT.exec(path) ?? [];
  const user = await callerOf(server, textOf(headers.authorization));
  if (user === undefined) return refused(401, "the caller is unknown: send a bearer token that the API server accepts");
  const get = { verb: "get", group: "cluster.open-cluster-management.io", user } as const;
  if (!(await isAllowed(server, { ...get, resource: "placements", namespace, name })))
    return refused(403, `${user.name} may not get placements in namespace ${namespace}`);
  const cluster = query.get("cluster") ?? undefined;
  const seesCluster =
    cluster !== undefined &&
    (await isAllowed(server, { ...get, resource: "managedclusters", namespace: "", name: cluster }));
  const answer = await reading.call("place", { namespace, name, cluster, seesCluster });
  if (answer === undefined) return refused(404, `there is no placement ${namespace}/${name}`);
  if ("incomplete" in answer) return refused(503, answer.incomplete);
  if ("unreadable" in answer) return refused(422, answer.unreadable);
  return { status: 200, contentType: JSON_TYPE, body: answer.text };
}

const JSON_TYPE = "application/json";

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

function json(status: number, body: unknown): Answer {
  return { status, contentType: JSON_TYPE, body: `${JSON.stringify(body)}\n` };
}

function refused(status: number, error: string): Answer {
  return json(status, { error });
}
