// How does a sentence show a value of an object? A scalar as JSON text on one line, shortened, with invisible characters
// escaped; a list or an object by its size.

import { isList, isObject, type Json } from "../../model/json.ts";
import { visibleJson } from "../../text/words.ts";

const MAX_SHOWN = 60;

/** A value as it is shown: its text, or how many items or fields it has. */
export type ShownValue = string | { readonly items: number } | { readonly fields: number };

/** A value of an object, or of a schema. */
export function shown(value: Json): ShownValue {
  if (isList(value)) return value.length === 0 ? "[]" : { items: value.length };
  if (!isObject(value)) return shownScalar(value);
  const fields = Object.keys(value).length;
  return fields === 0 ? "{}" : { fields };
}

/** A text, a number, true, false or null. */
export function shownScalar(value: string | number | bigint | boolean | null): string {
  const text = String(value);
  const short = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
  return typeof value === "string" ? visibleJson(short) : short;
}
