// Are two values of a document the same? They are if they have the same identity.

import { isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import type { UndecidedReason } from "./fault.ts";

/** How deep a value may be to be compared. */
const MAX_LEVELS = 1_000;

/** Why a value was not compared. */
export const TOO_DEEP_TO_COMPARE: UndecidedReason = { kind: "values-too-deep", levels: MAX_LEVELS };

/** Something that can be a key of a map; of a value that is too deep: nothing. */
export type Identity = string | number | bigint | boolean | null;

/** Equal for equal values, regardless of the order of keys, and only for those. A zero character distinguishes texts. */
export function identityOf(value: Json): Identity | undefined {
  if (typeof value === "string") return value.charCodeAt(0) === 0 ? `\0${value}` : value;
  if (typeof value !== "object" || value === null) return value;
  const text = textOf(value, 0);
  return text === undefined ? undefined : `\0 ${text}`;
}

/** The identity of what an object has under these names; what is absent differs from every value. */
export function identityOfFields(object: Json | undefined, names: readonly string[]): Identity | undefined {
  let text = "\0 ";
  for (const name of names) {
    const value = isObject(object) ? own(object, name) : undefined;
    const inner = value === undefined ? "" : textOf(value, 0);
    if (inner === undefined) return undefined;
    text += `${inner},`;
  }
  return text;
}

function textOf(value: Json, level: number): string | undefined {
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint" ? value.toString() : JSON.stringify(value);
  }
  if (level === MAX_LEVELS) return undefined;
  let text = "";
  if (isList(value)) {
    for (const item of value) {
      const inner = textOf(item, level + 1);
      if (inner === undefined) return undefined;
      text += `${inner},`;
    }
    return `[${text}]`;
  }
  const object = value as JsonObject;
  for (const key of Object.keys(object).sort()) {
    const inner = textOf(object[key] as Json, level + 1);
    if (inner === undefined) return undefined;
    text += `${JSON.stringify(key)}:${inner},`;
  }
  return `{${text}}`;
}
