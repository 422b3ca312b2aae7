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

/** A part of a buffer: a message, or a text in it. No bytes are copied, and no view of them is made for each field. */
export interface Span {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

export function wholeMessage(bytes: Buffer): Span {
  return { bytes, start: 0, end: bytes.length };
}

/** Passes on the number and the position of each text or message in a message, in order. */
export function readFields(
  { bytes, start, end }: Span,
  budget: FieldBudget,
  take: (field: number, start: number, end: number) => void,
): void {
  const cursor = { bytes, at: start, end };
  while (cursor.at < end) {
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
        pass(cursor, 8);
        break;
      case FIXED_32:
        pass(cursor, 4);
        break;
      case BYTES: {
        const length = varint(cursor);
        const from = cursor.at;
        pass(cursor, length);
        take(field, from, cursor.at);
        break;
      }
      default:
        throw new WireFault("sends a message that has a field of an unknown type");
    }
  }
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
  readonly end: number;
}

/** Beyond 2^53 it is not exact, which no length and no field number needs. */
function varint(cursor: Cursor): number {
  let value = 0;
  for (let index = 0; index < LONGEST_VARINT; index++) {
    const byte = cursor.at < cursor.end ? cursor.bytes[cursor.at++] : undefined;
    if (byte === undefined) throw new WireFault("sends a message that ends in the middle of a number");
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return value;
  }
  throw new WireFault(`sends a message that has a number of more than ${LONGEST_VARINT} bytes`);
}

function pass(cursor: Cursor, length: number): void {
  cursor.at += length;
  if (cursor.at > cursor.end) throw new WireFault("sends a message that ends in the middle of a field");
}

/** The text of a field. */
export function textOf(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString("utf8", start, end);
  if (text.includes("\ufffd") && !isUtf8(bytes.subarray(start, end)))
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
