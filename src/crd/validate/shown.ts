// How is a value shown in a message? On one line, shortened, with characters that cannot be seen written out.

import { isList, isObject, type Json } from "../../model/json.ts";

const MAX_SHOWN = 60;

/** Characters that cannot be seen, or that turn the direction of a line. */
const UNSEEN = /[\u007f-\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

/** A value of an object, or of a schema. */
export function shown(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (isList(value)) return value.length === 0 ? "[]" : `a list of ${value.length}`;
  if (isObject(value)) return Object.keys(value).length === 0 ? "{}" : "an object";
  return shortened(String(value));
}

/** Some values, with "or" before the last one. */
export function anyShown(values: readonly Json[]): string {
  const first = values.slice(0, 10).map(shown);
  if (values.length > first.length) return `${first.join(", ")} or one of ${values.length - first.length} more`;
  const last = first.pop() ?? "nothing";
  return first.length === 0 ? last : `${first.join(", ")} or ${last}`;
}

/** A number with the word for what it counts. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function quoted(text: string): string {
  const written = JSON.stringify(shortened(text));
  return written.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}
