// What does the status of a Placement have to be, and what has to be patched for that? OCM's fields (ocm.md §1.2). What the installed
// CRD does not store is neither written nor compared.

import type { Condition } from "../model/condition.ts";
import { groupedBy } from "../model/grouped.ts";
import { isList, isObject, isSame, type Json, type JsonObject, own } from "../model/json.ts";
import type { PlacementDecisions } from "../placement/placement-result.ts";
import type { StoredFields } from "./stored-fields.ts";

const OCM_CONDITIONS: ReadonlySet<string> = new Set(["PlacementSatisfied", "PlacementMisconfigured"]);
/** Conditions that the controller writes, in some mode. Those of others stay as they are. */
export const OWN_CONDITIONS: ReadonlySet<string> = new Set([...OCM_CONDITIONS, "PlacementEvaluated"]);

/** What the status is to say. */
export interface WantedStatus {
  /** Undefined: what it says of clusters stays as it is. */
  readonly decisions?: PlacementDecisions | undefined;
  readonly conditions: readonly Condition[];
  /** Own conditions that are not listed stay, too: all of them; or only those of OCM, without the generation. */
  readonly keepsOthers?: "all" | "ocm";
  /** When scores were written; null: there are none; undefined: that has not changed. */
  readonly lastScoreUpdateTime?: string | null | undefined;
}

/** The fields of the status that have to change; undefined if none. `now` is the time of transitions, in RFC 3339. */
export function statusPatch(
  wanted: WantedStatus,
  current: JsonObject,
  stored: StoredFields,
  now: string,
): JsonObject | undefined {
  const { decisions, lastScoreUpdateTime } = wanted;
  const fields: JsonObject = {
    ...(decisions && { numberOfSelectedClusters: decisions.selected.length, decisionGroups: groupsOf(decisions) }),
    conditions: conditionsOf(wanted, own(current, "conditions"), now),
    ...(lastScoreUpdateTime !== undefined && { lastScoreUpdateTime }),
  };
  const changed = Object.entries(fields).filter(([name, value]) => {
    const isStored = stored.placementStatus === undefined || stored.placementStatus.has(name);
    return isStored && !isSame(own(current, name) ?? null, value);
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** Does a patch leave the conditions as they are, but for their messages? */
export function keepsConditions(patch: JsonObject, current: JsonObject): boolean {
  const conditions = own(patch, "conditions");
  return conditions === undefined || isSame(withoutMessages(conditions), withoutMessages(own(current, "conditions")));
}

function withoutMessages(conditions: Json | undefined): Json {
  const list = isList(conditions) ? conditions.filter(isObject) : [];
  return list.map(({ message: _, ...condition }) => condition);
}

function groupsOf({ groups, slices }: PlacementDecisions): Json {
  const byGroup = groupedBy(slices, ({ groupIndex }) => groupIndex);
  return groups.map(({ index, name, clusters }) => ({
    decisionGroupIndex: index,
    decisionGroupName: name,
    decisions: (byGroup.get(index) ?? []).map((slice) => slice.name),
    clusterCount: clusters.length,
  }));
}

/** The conditions: own ones as wanted, in the order in which they stand already; those of others unchanged. */
function conditionsOf({ conditions: wanted, keepsOthers }: WantedStatus, current: Json | undefined, now: string): Json {
  const before = isList(current) ? current.filter(isObject) : [];
  const types = new Set(before.map((condition) => own(condition, "type")));
  const byType = new Map(wanted.map((condition) => [condition.type, condition]));
  const kept = before.flatMap((condition): readonly JsonObject[] => {
    const type = String(own(condition, "type"));
    const one = byType.get(type);
    if (one !== undefined) return [conditionOf(one, condition, now)];
    if (!OWN_CONDITIONS.has(type) || keepsOthers === "all") return [condition];
    const { observedGeneration: _, ...ofOcm } = condition;
    return keepsOthers === "ocm" && OCM_CONDITIONS.has(type) ? [ofOcm] : [];
  });
  return [...kept, ...wanted.filter(({ type }) => !types.has(type)).map((one) => conditionOf(one, undefined, now))];
}

/** The condition with the time of its last transition: that of the one before, while the status is the same. */
function conditionOf(
  { type, status, reason = "", message = "", observedGeneration }: Condition,
  before: JsonObject | undefined,
  now: string,
): JsonObject {
  const time = before !== undefined && own(before, "status") === status ? own(before, "lastTransitionTime") : undefined;
  return {
    lastTransitionTime: typeof time === "string" ? time : now,
    message,
    ...(observedGeneration !== undefined && { observedGeneration }),
    reason,
    status,
    type,
  };
}
