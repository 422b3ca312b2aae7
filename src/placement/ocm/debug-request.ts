// How does OCM's debug endpoint answer a request? GET shows a Placement of the hub, POST one from the body, both only to users who
// may read it. A server calls this.

import type { Placement } from "../../model/placement.ts";
import type { AffectedPlacements, FleetChange } from "../engine.ts";
import type { PlacementMode } from "../placement-mode.ts";
import { type DebuggedEngine, type DebugReport, debugReport, type FaultMessage } from "./debug.ts";

/** The user who sent the request, as authenticated by the server. */
export interface DebugUser {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A request for a report. */
export interface DebugRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
  /** Undefined if the user is not authenticated. */
  readonly user?: DebugUser | undefined;
}

/** May a user do that to an object? A SubjectAccessReview is made of it. */
export interface AccessReview {
  readonly verb: "get" | "create";
  readonly group: "cluster.open-cluster-management.io";
  readonly resource: "placements" | "managedclusters";
  /** Empty for a ManagedCluster. */
  readonly namespace: string;
  readonly name: string;
  readonly user: DebugUser;
}

/** An engine that takes changes. */
export interface SimulatingEngine extends DebuggedEngine {
  applyChanges(changes: readonly Extract<FleetChange, { kind: "Placement" }>[]): AffectedPlacements;
}

/** What the answers are made of. */
export interface DebugSources {
  readonly engine: SimulatingEngine;
  readonly mode: PlacementMode;
  readonly faultMessage: FaultMessage;
  /** Is it allowed? It is rejected if that cannot be found out. */
  readonly review: (review: AccessReview) => boolean | Promise<boolean>;
  /** The Placement that a JSON text says; or why it says none. */
  readonly read: (body: string) => Placement | string;
  /** Why a Placement of the hub cannot be read; undefined if there is none, or it can. */
  readonly unreadable?: (key: string) => string | undefined;
  /** Why the engine does not have the whole hub yet, so that an answer would be wrong; undefined if it does. */
  readonly incomplete?: () => string | undefined;
  /**
   * Called once after a simulation, with the Placements whose answer has to be read again: as after every change, the engine does not
   * return them again before. One of them may be the simulated Placement, even if it is not stored.
   */
  readonly onAffected: (affected: AffectedPlacements) => void;
}

/** The answer: an HTTP status, and what is sent as JSON. */
export interface DebugAnswer {
  readonly status: 200 | 400 | 401 | 403 | 404 | 405 | 422 | 500 | 503;
  readonly body: DebugReport | { readonly error: string };
}

const PATH = "/debug/placements";
/** Bytes of a body; one with more is refused. */
export const MAX_BODY: number = 1024 * 1024;

/** Answers a request. */
export async function answerDebugRequest(request: DebugRequest, sources: DebugSources): Promise<DebugAnswer> {
  if (request.method === "GET") return shown(request, sources);
  if (request.method === "POST") return simulated(request, sources);
  return refused(405, `the method ${request.method} is not allowed: use GET or POST`);
}

async function shown({ path, user }: DebugRequest, sources: DebugSources): Promise<DebugAnswer> {
  const [namespace = "", name = "", ...rest] = stepsBelow(path) ?? [];
  if (namespace === "" || name === "" || rest.length > 0) {
    return refused(400, `namespace and name required: ask for ${PATH}/<namespace>/<name>`);
  }
  const refusal = await whyNot("get", namespace, name, user, sources);
  if (refusal !== undefined) return refusal;
  const incomplete = sources.incomplete?.();
  if (incomplete !== undefined) return refused(503, incomplete);
  const report = debugReport(sources.engine, `${namespace}/${name}`, sources.mode, sources.faultMessage);
  if (report === undefined) {
    const why = sources.unreadable?.(`${namespace}/${name}`);
    return why === undefined ? refused(404, `there is no placement ${namespace}/${name}`) : refused(422, why);
  }
  return { status: 200, body: report };
}

async function simulated({ path, body = "", user }: DebugRequest, sources: DebugSources): Promise<DebugAnswer> {
  if (stepsBelow(path)?.join("/") !== "") return refused(400, `post a placement to ${PATH}/`);
  if (user === undefined) return refused(401, NO_USER);
  if (byteLength(body) > MAX_BODY) return refused(400, `the body has more than ${MAX_BODY} bytes`);
  const placement = sources.read(body);
  if (typeof placement === "string") return refused(400, `the body is not a placement: ${placement}`);
  const { namespace, name } = placement;
  if (!isPlain(namespace) || !isPlain(name)) {
    return refused(400, "namespace and name required in the metadata of the placement");
  }
  const refusal = await whyNot("create", namespace, name, user, sources);
  if (refusal !== undefined) return refusal;
  const incomplete = sources.incomplete?.();
  return incomplete === undefined ? { status: 200, body: simulate(placement, sources) } : refused(503, incomplete);
}

/** Is it a word that can be part of a key? */
function isPlain(word: string): boolean {
  return word !== "" && !word.includes("/");
}

/** The steps of a path below that of the endpoint; nothing if it is elsewhere. */
function stepsBelow(path: string): readonly string[] | undefined {
  const [plain = ""] = path.split("?", 1);
  if (plain !== PATH && !plain.startsWith(`${PATH}/`)) return undefined;
  return plain.slice(PATH.length + 1).split("/");
}

/** In UTF-8. No text has fewer bytes than UTF-16 units, so that a huge one is not measured. */
function byteLength(text: string): number {
  return text.length > MAX_BODY ? text.length : new TextEncoder().encode(text).length;
}

const NO_USER = "the caller is unknown: authenticate first";

async function whyNot(
  verb: AccessReview["verb"],
  namespace: string,
  name: string,
  user: DebugUser | undefined,
  { review }: DebugSources,
): Promise<DebugAnswer | undefined> {
  if (user === undefined) return refused(401, NO_USER);
  const object = { group: "cluster.open-cluster-management.io", resource: "placements", namespace, name } as const;
  try {
    if (await review({ verb, ...object, user })) return undefined;
  } catch (error) {
    return refused(500, `the access review failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return refused(403, `${user.name} may not ${verb} placements in namespace ${namespace}`);
}

/** The report on a Placement as if it were stored. Afterwards the engine has the objects that it had. */
function simulate(placement: Placement, { engine, mode, faultMessage, onAffected }: DebugSources): DebugReport {
  const { namespace, name } = placement;
  const key = `${namespace}/${name}`;
  const stored = engine.result(key)?.placement;
  const affected: AffectedPlacements[] = [];
  const store = (object: Placement | undefined) =>
    affected.push(engine.applyChanges([{ kind: "Placement", namespace, name, object }]));
  try {
    store(placement);
    return debugReport(engine, key, mode, faultMessage) as DebugReport;
  } finally {
    store(stored);
    onAffected(allOf(affected));
  }
}

function allOf(affected: readonly AffectedPlacements[]): AffectedPlacements {
  const direct = new Set(affected.flatMap((one) => one.direct));
  const rebalanced = new Set(affected.flatMap((one) => one.rebalanced));
  return { direct: [...direct], rebalanced: [...rebalanced].filter((key) => !direct.has(key)) };
}

function refused(status: DebugAnswer["status"], error: string): DebugAnswer {
  return { status, body: { error } };
}
