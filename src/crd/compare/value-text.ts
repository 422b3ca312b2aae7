// How does a sentence show a value and a field? As JSON text, shortened.

import { canonicalText, type Json } from "../../model/json.ts";
import { shortened } from "../../text/words.ts";

const MAX_CHARACTERS = 80;
/** How much of what is the same is shown before a difference. */
const CONTEXT = 20;

/** Some values as they are shown, and how many more there are. */
export interface Listing {
  readonly values: readonly string[];
  readonly more: number;
}

/** A value as JSON, shortened. */
export function shown(value: Json): string {
  return cutFrom(value, 0);
}

/** The new and the old value as text; long values are shortened around the first difference. */
export function shownChange(
  now: Json | undefined,
  was: Json | undefined,
): { readonly now?: string; readonly was?: string } {
  if (now === undefined || was === undefined)
    return { ...(now !== undefined && { now: shown(now) }), ...(was !== undefined && { was: shown(was) }) };
  const [a, b] = [textOf(now), textOf(was)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  // Where the beginnings would show a difference, or nothing is cut, they are the plainest.
  const from = same < MAX_CHARACTERS - CONTEXT || Math.max(a.length, b.length) <= MAX_CHARACTERS ? 0 : same - CONTEXT;
  return { now: cutFrom(now, from), was: cutFrom(was, from) };
}

/** Values one after the other; where they are many or long, the first ones and how many more there are. */
export function shownList(values: readonly Json[]): Listing {
  const texts: string[] = [];
  let length = 0;
  for (const value of values) {
    const text = shown(value);
    if (texts.length > 0 && length + text.length > MAX_CHARACTERS) break;
    length += text.length + (texts.length > 0 ? 2 : 0);
    texts.push(text);
  }
  return { values: texts, more: values.length - texts.length };
}

/** The path of a field below another one: `.spec` and `replicas` are `.spec.replicas`. */
export function fieldPath(parent: string, name: string): string {
  const base = parent === "." ? "" : parent;
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) ? `${base}.${name}` : `${base}[${JSON.stringify(name)}]`;
}

/** The path of the items of a list, or of the values of a map. */
export function eachPath(parent: string): string {
  return `${parent}[*]`;
}

/** A value from some character on, shortened. */
function cutFrom(value: Json, from: number): string {
  const text = shortened(textOf(value).slice(from), MAX_CHARACTERS);
  const short = from > 0 ? `…${text.replace(/^[\uDC00-\uDFFF]/, "")}` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : canonicalText(value);
}
