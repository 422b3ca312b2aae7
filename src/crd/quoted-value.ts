// How does a finding carry a value of a definition? As JSON text, so that no digit is lost and its size is bounded.

import { canonicalText, isList, isObject, type Json, printJson } from "../model/json.ts";
import { shortened } from "../text/words.ts";
import type { QuotedValue } from "./finding.ts";

/** The longest value that is carried as a whole. */
const MAX_LENGTH = 4000;
/** How many parts of a value are looked at to print it: a schema that was removed may be of any size. */
const MAX_PARTS = 1000;

/** A value, or where it is too large to be shown, the beginning of its compact text. */
export function quotedValue(value: Json): QuotedValue {
  if (typeof value === "object" && !isSmall(value)) return { cut: isList(value) ? "[…]" : "{…}" };
  const json = printJson(value);
  if (json.length <= MAX_LENGTH) return { json };
  const text = canonicalText(value);
  return text.length <= MAX_LENGTH ? { json } : { cut: shortened(text, MAX_LENGTH + 1) };
}

function isSmall(value: Json): boolean {
  const open: Json[] = [value];
  let seen = 0;
  while (open.length > 0) {
    const next = open.pop() as Json;
    if (++seen > MAX_PARTS) return false;
    const parts = isList(next) ? next : isObject(next) ? Object.values(next) : [];
    if (parts.length > MAX_PARTS) return false;
    open.push(...parts);
  }
  return true;
}
