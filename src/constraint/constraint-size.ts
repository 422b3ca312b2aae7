// Is a constraint too large? Its size is that of its compact JSON in UTF-8. It is computed without building the text
// and only up to the limit, so that a huge value costs no more than a large one.

import { isList, isObject, type Json } from "../model/json.ts";

/** Is the compact JSON of a value longer than a number of bytes? */
export function isLargerThan(value: Json, bytes: number): boolean {
  const open: Json[] = [value];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isList(next)) {
      size += brackets(next.length);
      // Each pending value takes at least one byte.
      if (size + next.length > bytes) return true;
      for (const item of next) open.push(item);
    } else if (isObject(next)) {
      const keys = Object.keys(next);
      size += brackets(keys.length);
      if (size + keys.length > bytes) return true;
      for (const key of keys) {
        size += textSize(key) + 1;
        open.push(next[key] as Json);
      }
    } else {
      size += typeof next === "string" ? textSize(next) : String(next).length;
    }
    if (size > bytes) return true;
  }
  return false;
}

/** Both brackets, and the commas between. */
function brackets(count: number): number {
  return count === 0 ? 2 : count + 1;
}

function textSize(text: string): number {
  let size = 2;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20) size += "\b\t\n\f\r".includes(text[at] as string) ? 2 : 6;
    else if (unit === 0x22 || unit === 0x5c) size += 2;
    else if (unit < 0x80) size += 1;
    else if (unit < 0x800) size += 2;
    // Each half of a surrogate pair counts for two of its four bytes; a lone half is written as an escape of six.
    else if (unit >= 0xd800 && unit < 0xe000) size += isPaired(text, at) ? 2 : 6;
    else size += 3;
  }
  return size;
}

function isPaired(text: string, at: number): boolean {
  const isHigh = text.charCodeAt(at) < 0xdc00;
  const other = text.charCodeAt(isHigh ? at + 1 : at - 1);
  return isHigh ? other >= 0xdc00 && other < 0xe000 : other >= 0xd800 && other < 0xdc00;
}
