// What are the bytes of a value's canonical text? Those of `canonicalText` in UTF-8, without building the text first:
// most of a catalog is ASCII text that can be copied.

import { isList, type Json, type JsonObject } from "../../model/json.ts";

const ENCODER = new TextEncoder();
/** Grows to the largest value; its content is valid until the next value is written. */
let bytes = new Uint8Array(1 << 16);
let length = 0;

/** The bytes, valid until the next call. */
export function canonicalBytes(value: Json): Uint8Array {
  length = 0;
  write(value);
  return bytes.subarray(0, length);
}

function write(value: Json): void {
  if (typeof value === "string") writeText(value);
  else if (typeof value === "bigint") writePlain(value.toString());
  else if (typeof value !== "object" || value === null) writePlain(JSON.stringify(value));
  else if (isList(value)) {
    writePlain("[");
    for (let index = 0; index < value.length; index++) {
      if (index > 0) writePlain(",");
      write(value[index] as Json);
    }
    writePlain("]");
  } else writeObject(value as JsonObject);
}

function writeObject(object: JsonObject): void {
  writePlain("{");
  let isFirst = true;
  for (const key of Object.keys(object).sort()) {
    if (!isFirst) writePlain(",");
    isFirst = false;
    writeText(key);
    writePlain(":");
    write(object[key] as Json);
  }
  writePlain("}");
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A JSON string. */
function writeText(text: string): void {
  const start = length;
  makeRoom(text.length + 2);
  bytes[length++] = QUOTE;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) {
      length = start;
      writeEncoded(JSON.stringify(text));
      return;
    }
    bytes[length++] = code;
  }
  bytes[length++] = QUOTE;
}

function writeEncoded(text: string): void {
  makeRoom(text.length * 3);
  length += ENCODER.encodeInto(text, bytes.subarray(length)).written;
}

/** Text of ASCII characters only. */
function writePlain(text: string): void {
  makeRoom(text.length);
  for (let at = 0; at < text.length; at++) bytes[length++] = text.charCodeAt(at);
}

function makeRoom(more: number): void {
  if (length + more <= bytes.length) return;
  const larger = new Uint8Array(Math.max(2 * bytes.length, length + more));
  larger.set(bytes.subarray(0, length));
  bytes = larger;
}
