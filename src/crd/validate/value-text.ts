// How does a sentence show a value of an object? A scalar as JSON text on one line, shortened, with invisible characters
// escaped; a list or an object by its size.

import { isList, isObject, type Json } from "../../model/json.ts";

const MAX_SHOWN = 60;

/** Characters that cannot be seen, or that change the direction of a line. */
const UNSEEN = /[\u007f-\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

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
  if (typeof value !== "string") return short;
  return JSON.stringify(short).replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
