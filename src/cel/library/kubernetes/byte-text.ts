// How is a text of bytes handled, which need not be characters?
//
// A text of bytes is a string whose characters are bytes (0 to 255), normally those of UTF-8. A URL can have any bytes
// behind percent signs, and Go, whose answers are to be met, cuts and escapes bytes.
import { ESCAPES } from "../extension/quote.ts";

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** The UTF-8 bytes of a text. */
export function toBytes(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** The text of UTF-8 bytes; invalid bytes become U+FFFD. */
export function fromBytes(bytes: string): string {
  if (!BEYOND_ASCII.test(bytes)) return bytes;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** One character in UTF-8, or one byte that belongs to none. */
const CHARACTER =
  /[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** The bytes in quotation marks, as Go writes them. */
export function goQuote(bytes: string): string {
  return `"${bytes.replace(CHARACTER, escaped)}"`;
}

function escaped(character: string): string {
  if (character.length === 1 && character > "\x7f") return `\\x${hex(character.charCodeAt(0), 2)}`;
  const short = ESCAPES.get(character);
  if (short !== undefined) return short;
  const text = fromBytes(character);
  // Not a constant: to read such a pattern takes long, and few expressions need it.
  if (/^[ \p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(text)) return text;
  const code = text.codePointAt(0) as number;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
