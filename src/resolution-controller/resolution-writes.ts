// Which write brings a Resolution up to date? It is created, removed, or its status is replaced; none if it is as it should be.

import type { PlannedWrite } from "../controller/ordered-writes.ts";
import { listPath, objectPath } from "../kube/path.ts";
import type { Condition } from "../model/condition.ts";
import { isList, isObject, isSame, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import { RESOLUTION_GROUP, RESOLUTION_VERSION, type ResolutionStatus } from "../model/resolution-object.ts";
import type { PlainCondition } from "../render/advice/conditions.ts";
import { cutStatus } from "../render/advice/cut-status.ts";
import { shortened } from "../text/words.ts";
import { MANAGED } from "./resolution-spec.ts";
import type { ObjectName } from "./threads.ts";
import { RESOLUTIONS, type WatchedResolution } from "./watched-kinds.ts";

export function creation({ namespace, name }: ObjectName): PlannedWrite {
  const [key, value] = MANAGED;
  return {
    verb: "create",
    path: listPath(RESOLUTIONS, namespace),
    name,
    object: {
      apiVersion: `${RESOLUTION_GROUP}/${RESOLUTION_VERSION}`,
      kind: RESOLUTIONS.kind,
      metadata: { name, namespace, labels: { [key]: value } },
      spec: { mode: "Advise" },
    },
  };
}

export function removal(resolution: WatchedResolution): PlannedWrite {
  return { verb: "delete", path: pathOf(resolution), base: resolution };
}

/** What a status is to say, before it is known what it said. */
export interface WantedStatus {
  readonly status: Omit<ResolutionStatus, "conditions" | "observedGeneration">;
  readonly conditions: readonly PlainCondition[];
}

/** The status that a Resolution should have; `now` is the time of transitions, in RFC 3339. */
export function statusOf({ object }: WatchedResolution, wanted: WantedStatus, now: string): ResolutionStatus {
  const generation = own(partOf(object, "metadata"), "generation");
  const before = own(partOf(object, "status"), "conditions");
  const known = isList(before) ? before.filter(isObject) : [];
  return cutStatus({
    ...(typeof generation === "number" && { observedGeneration: generation }),
    ...wanted.status,
    conditions: [...wanted.conditions.map((one) => timed(one, known, generation, now)), ...foreign(known, wanted)],
  });
}

/** The write of a status; undefined if the server has it already. */
export function statusWrite(resolution: WatchedResolution, status: ResolutionStatus): PlannedWrite | undefined {
  const json = plain(status) as JsonObject;
  if (isSame(own(resolution.object, "status") ?? null, json)) return undefined;
  return {
    verb: "update",
    path: pathOf(resolution),
    subresource: "status",
    object: { ...resolution.object, status: json },
    base: resolution,
  };
}

/** As JSON has it: without undefined fields. */
function plain(value: unknown): Json {
  if (typeof value !== "object" || value === null) return value as Json;
  if (isList(value as Json)) return (value as readonly unknown[]).map(plain);
  const known = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(known.map(([key, part]) => [key, plain(part)]));
}

function pathOf({ namespace, name }: ObjectName): string {
  return objectPath(RESOLUTIONS, namespace, name);
}

/** The time of the last transition is that of the condition before, while the status is the same. */
function timed(
  condition: PlainCondition,
  before: readonly JsonObject[],
  generation: Json | undefined,
  now: string,
): Condition {
  const same = before.find((one) => own(one, "type") === condition.type && own(one, "status") === condition.status);
  const time = own(same ?? {}, "lastTransitionTime");
  return {
    type: condition.type,
    status: condition.status,
    reason: condition.reason,
    message: shortened(condition.message, MAX_MESSAGE),
    lastTransitionTime: typeof time === "string" ? time : now,
    ...(typeof generation === "number" && { observedGeneration: generation }),
  };
}

/** The API takes no longer message of a condition. */
const MAX_MESSAGE = 32_768;

/** Conditions of other clients stay. */
function foreign(before: readonly JsonObject[], { conditions }: WantedStatus): readonly Condition[] {
  const types = new Set<Json | undefined>(conditions.map(({ type }) => type));
  return before.filter((one) => !types.has(own(one, "type"))) as unknown as readonly Condition[];
}
