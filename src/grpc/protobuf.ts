// Which fields does a protobuf message have? The part of the wire format that a registry's messages need: fields with texts and
// messages are passed on, all others are skipped.

import { isUtf8 } from "node:buffer";
import { counted } from "../text/words.ts";

/** Why bytes are not a message, or too much of it; a sentence whose subject is the server. */
export class WireFault extends Error {}

/** How many fields are still accepted: a field of two bytes takes much more memory than that once it is read. */
export interface FieldBudget {
  left: number;
  /** What it was at the beginning, for the message. */
  readonly most: number;
}

export function fieldBudget(most: number): FieldBudget {
  return { left: most, most };
}

/** A varint has at most this many bytes. */
const LONGEST_VARINT = 10;
const LARGEST_FIELD = 2 ** 29 - 1;

/** The wire types. Groups (3 and 4) are not in the messages of a registry, nor in any of its syntax. */
const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** Passes on the number and the bytes of each text or message in a message, in order. */
export function readFields(message: Buffer, budget: FieldBudget, take: (field: number, bytes: Buffer) => void): void {
  const cursor = { message, at: 0 };
  while (cursor.at < message.length) {
    if (--budget.left < 0) throw new WireFault(`sends messages with more than ${counted(budget.most, "field")}`);
    const tag = varint(cursor);
    const field = Math.floor(tag / 8);
    if (field === 0 || field > LARGEST_FIELD)
      throw new WireFault("sends a message that has a field with an invalid number");
    switch (tag % 8) {
      case VARINT:
        varint(cursor);
        break;
      case FIXED_64:
        taken(cursor, 8);
        break;
      case FIXED_32:
        taken(cursor, 4);
        break;
      case BYTES:
        take(field, taken(cursor, varint(cursor)));
        break;
      default:
        throw new WireFault("sends a message that has a field of an unknown type");
    }
  }
}

interface Cursor {
  readonly message: Buffer;
  at: number;
}

/** Beyond 2^53 it is not exact, which no length and no field number needs. */
function varint(cursor: Cursor): number {
  let value = 0;
  for (let index = 0; index < LONGEST_VARINT; index++) {
    const byte = cursor.message[cursor.at++];
    if (byte === undefined) throw new WireFault("sends a message that ends in the middle of a number");
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return value;
  }
  throw new WireFault(`sends a message that has a number of more than ${LONGEST_VARINT} bytes`);
}

function taken(cursor: Cursor, length: number): Buffer {
  const end = cursor.at + length;
  if (end > cursor.message.length) throw new WireFault("sends a message that ends in the middle of a field");
  const bytes = cursor.message.subarray(cursor.at, end);
  cursor.at = end;
  return bytes;
}

/** The text of a field. */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (text.includes("\ufffd") && !isUtf8(bytes))
    throw new WireFault("sends a message that has a text that is not UTF-8");
  return text;
}

/** A message with one text. */
export function messageWithText(field: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([varintBytes(field * 8 + BYTES), varintBytes(bytes.length), bytes]);
}

function varintBytes(value: number): Buffer {
  const bytes: number[] = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) + 0x80);
  return Buffer.from([...bytes, value]);
}
