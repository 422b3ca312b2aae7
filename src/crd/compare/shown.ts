// How are a value and a field told in a sentence? Short, whatever their size.

import { canonicalText, type Json } from "../../model/json.ts";

const MAX_CHARACTERS = 80;
/** How much of what is the same is shown before a difference. */
const CONTEXT = 20;

/** A value as JSON, cut where it is long. */
export function shown(value: Json): string {
  return cut(value, 0);
}

/** What a value is now and what it was: `2 (was 1)`. Long ones are cut so that it can be seen where they begin to differ. */
export function shownChange(now: Json, then: Json): string {
  const [a, b] = [textOf(now), textOf(then)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  // Where the beginnings would show a difference, or nothing is cut, they are the plainest.
  const from = same < MAX_CHARACTERS - CONTEXT || Math.max(a.length, b.length) <= MAX_CHARACTERS ? 0 : same - CONTEXT;
  return `${cut(now, from)} (was ${cut(then, from)})`;
}

/** Values one after the other; where they are many or long, the first ones and how many more there are. */
export function shownList(values: readonly Json[]): string {
  let text = "";
  for (const [index, value] of values.entries()) {
    const next = shown(value);
    if (index > 0 && text.length + next.length > MAX_CHARACTERS) return `${text} and ${values.length - index} more`;
    text += index === 0 ? next : `, ${next}`;
  }
  return text;
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

/** A value from some character on, as far as there is room. */
function cut(value: Json, from: number): string {
  const text = textOf(value).slice(from);
  const head = text.length > MAX_CHARACTERS ? `${wholeCharacters(text.slice(0, MAX_CHARACTERS - 1))}…` : text;
  const short = from > 0 ? `…${wholeCharacters(head)}` : head;
  return typeof value === "string" ? JSON.stringify(short) : short;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : canonicalText(value);
}

/** A piece of a text, without the half characters at its ends. */
function wholeCharacters(piece: string): string {
  return piece.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}
