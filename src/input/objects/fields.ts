// How is a field read from an object whose shape was checked? Only its own fields count, and null counts as not
// given.

import type { Condition } from "../../model/condition.ts";
import type { InstallMode } from "../../model/installed-operator.ts";
import { isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import type { TextMap } from "../../model/labels.ts";
import type { LabelSelector, SelectorRequirement } from "../../model/selector.ts";

const NO_TEXTS: TextMap = Object.freeze({});
const NOTHING: readonly never[] = Object.freeze([]);

/** The text of a field; an empty one counts as not given, as everywhere in Kubernetes. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The texts of fields that may be missing. */
export function optionalTexts<Key extends string>(
  object: JsonObject,
  ...keys: readonly Key[]
): Readonly<Record<Key, string | undefined>> {
  return Object.fromEntries(keys.map((key) => [key, textOf(object, key)])) as Record<Key, string | undefined>;
}

/** The texts of fields; empty for those that are missing. */
export function textFields<Key extends string>(
  object: JsonObject,
  ...keys: readonly Key[]
): Readonly<Record<Key, string>> {
  return Object.fromEntries(keys.map((key) => [key, textOf(object, key) ?? ""])) as Record<Key, string>;
}

/** The number of a field. */
export function numberOf(object: JsonObject, key: string): number | undefined {
  const value = own(object, key);
  return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : undefined;
}

/** Whether a field is there and true. */
export function isTrue(object: JsonObject, key: string): boolean {
  return own(object, key) === true;
}

/** The object of a field, if it is given. */
export function givenPartOf(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isObject(value) ? value : undefined;
}

/** The objects of a list. */
export function partsOf(object: JsonObject, key: string): readonly JsonObject[] {
  const value = own(object, key);
  return isList(value) ? (value as readonly JsonObject[]) : NOTHING;
}

/** The texts of a list. */
export function textsOf(object: JsonObject, key: string): readonly string[] {
  const value = own(object, key);
  return isList(value) ? (value as readonly string[]) : NOTHING;
}

/** The texts of a map, such as labels. */
export function textMapOf(object: JsonObject, key: string): TextMap {
  const value = own(object, key);
  return isObject(value) ? (value as TextMap) : NO_TEXTS;
}

/** The install modes of an operator. */
export function installModesOf(object: JsonObject): readonly InstallMode[] {
  return partsOf(object, "installModes").map((mode) => ({
    type: textOf(mode, "type") ?? "",
    supported: isTrue(mode, "supported"),
  }));
}

/** The label selector of a field, if it is given. */
export function selectorOf(object: JsonObject, key: string): LabelSelector | undefined {
  const selector = givenPartOf(object, key);
  if (selector === undefined) return undefined;
  return { matchLabels: textMapOf(selector, "matchLabels"), matchExpressions: requirementsOf(selector) };
}

/** The `matchExpressions` of a selector. */
export function requirementsOf(selector: JsonObject): readonly SelectorRequirement[] {
  return partsOf(selector, "matchExpressions").map((requirement) => ({
    key: textOf(requirement, "key") ?? "",
    operator: textOf(requirement, "operator") ?? "",
    values: textsOf(requirement, "values"),
  }));
}

/** The conditions of a field: those of the document if they contain no null, otherwise copies. */
export function conditionsOf(object: JsonObject, key: string): readonly Condition[] {
  const conditions = partsOf(object, key);
  return conditions.every(isWhole) ? (conditions as unknown as readonly Condition[]) : conditions.map(readCondition);
}

function readCondition(condition: JsonObject): Condition {
  return {
    type: textOf(condition, "type") ?? "",
    status: textOf(condition, "status") ?? "",
    reason: textOf(condition, "reason"),
    message: textOf(condition, "message"),
    lastTransitionTime: textOf(condition, "lastTransitionTime"),
    observedGeneration: numberOf(condition, "observedGeneration"),
  };
}

/** Does an object have no field that is null or a bigint? */
function isWhole(object: JsonObject): boolean {
  for (const key in object) {
    const value: Json | undefined = object[key];
    if (value === null || typeof value === "bigint") return false;
  }
  return true;
}
