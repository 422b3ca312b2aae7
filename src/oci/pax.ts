// What does a pax header say about the next entry? Its records are `LENGTH KEY=VALUE\n`; three keys matter here.

import { requireSafe, TarError, textOf } from "./tar-header.ts";

export interface PaxFields {
  readonly path?: string;
  readonly link?: string;
  readonly size?: number;
}

const SPACE = 0x20;
const EQUALS = 0x3d;
const NEWLINE = 0x0a;
/** Digits of a length: a header has at most a mebibyte. */
const MAX_DIGITS = 8;

export function paxFields(bytes: Uint8Array): PaxFields {
  const fields: { path?: string; link?: string; size?: number } = {};
  for (let at = 0; at < bytes.length; ) {
    const record = recordAt(bytes, at);
    at = record.end;
    const { key } = record;
    if (key.startsWith("GNU.sparse.")) throw new TarError("it contains a sparse file, which Plimsoll does not read");
    if (key !== "path" && key !== "linkpath" && key !== "size") continue;
    const value = textOf(record.value);
    // An empty value means that of the entry itself.
    if (value === "") continue;
    if (key === "path") fields.path = value;
    else if (key === "linkpath") fields.link = value;
    else fields.size = sizeOf(value);
  }
  return fields;
}

interface PaxRecord {
  readonly key: string;
  readonly value: Uint8Array;
  /** Where the next record begins. */
  readonly end: number;
}

function recordAt(bytes: Uint8Array, start: number): PaxRecord {
  const space = bytes.subarray(start, start + MAX_DIGITS + 1).indexOf(SPACE);
  const digits = textOf(bytes.subarray(start, start + Math.max(space, 0)));
  const end = start + Number(digits);
  const equals = bytes.indexOf(EQUALS, start + space + 1);
  if (!/^[1-9]\d*$/.test(digits) || end > bytes.length || bytes[end - 1] !== NEWLINE || equals === -1 || equals >= end)
    throw new TarError("a record of a pax header is malformed");
  return { key: textOf(bytes.subarray(start + space + 1, equals)), value: bytes.subarray(equals + 1, end - 1), end };
}

function sizeOf(value: string): number {
  if (!/^\d{1,19}$/.test(value)) throw new TarError("the size in a pax header is not a number");
  return requireSafe(Number(value));
}
