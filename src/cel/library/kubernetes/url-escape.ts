// Which bytes of a URL are escaped with a percent sign?
import { goQuote } from "./byte-text.ts";

/** The part of a URL that decides which bytes need no escape. */
export type UrlPart = "path" | "host" | "zone" | "user" | "query" | "fragment";

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UNRESERVED = `${LETTERS_AND_DIGITS}-_.~`;
const HOST = new Set(`${UNRESERVED}!"$&'()*+,:;<=>[]`);

const PLAIN: Readonly<Record<UrlPart, ReadonlySet<string>>> = {
  path: new Set(`${UNRESERVED}$&+,/:;=@`),
  host: HOST,
  zone: HOST,
  user: new Set(`${UNRESERVED}$&+,;=`),
  query: new Set(UNRESERVED),
  fragment: new Set(`${UNRESERVED}!$&()*+,/:;=?@`),
};

/** A text with all its percent escapes resolved, or what is wrong with them. */
export type Unescaped = { readonly text: string } | { readonly mistake: string };

const HEX_PAIR = /^%[0-9a-fA-F]{2}$/;

/** The bytes without escapes, or the reason in the words of Go. */
export function unescapeBytes(bytes: string, part: UrlPart): Unescaped {
  const inHost = part === "host" || part === "zone";
  if (!inHost && !bytes.includes("%")) return { text: part === "query" ? bytes.replaceAll("+", " ") : bytes };
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as string;
    if (byte === "%") {
      const triple = bytes.slice(at, at + 3);
      if (!HEX_PAIR.test(triple) || isForbidden(triple, part))
        return { mistake: `invalid URL escape ${goQuote(triple)}` };
      pieces.push(String.fromCharCode(Number.parseInt(triple.slice(1), 16)));
      at += 2;
    } else if (inHost && byte < "\x80" && !PLAIN[part].has(byte)) {
      return { mistake: `invalid character ${goQuote(byte)} in host name` };
    } else {
      pieces.push(byte === "+" && part === "query" ? " " : byte);
    }
  }
  return { text: pieces.join("") };
}

/** A host may escape what is not ASCII, and the percent sign; its zone also a space and what needs no escape. */
function isForbidden(triple: string, part: UrlPart): boolean {
  if (triple === "%25") return false;
  const code = Number.parseInt(triple.slice(1), 16);
  if (part === "host") return code < 0x80;
  return part === "zone" && code !== 0x20 && !HOST.has(String.fromCharCode(code));
}

/** The bytes, escaped where necessary. */
export function escapeBytes(bytes: string, part: UrlPart): string {
  const plain = PLAIN[part];
  const pieces: string[] = [];
  for (const byte of bytes) {
    pieces.push(plain.has(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  }
  return pieces.join("");
}

const ALSO_VALID = new Set("!$&'()*+,;=:@[]%");

/** Are the bytes escaped in a valid way, so that they can be kept? */
export function isValidEncoding(bytes: string, part: UrlPart): boolean {
  const plain = PLAIN[part];
  for (const byte of bytes) {
    if (!plain.has(byte) && !ALSO_VALID.has(byte)) return false;
  }
  return true;
}
