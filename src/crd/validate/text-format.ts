// Which formats of texts does the API server know, and is a text of one? Follows kube-openapi's pkg/validation/strfmt and
// the list of apiextensions-apiserver v0.37 (pkg/apiserver/validation/formats.go).

import { readAddress } from "../../cel/library/kubernetes/address.ts";
import { toBytes } from "../../cel/library/kubernetes/byte-text.ts";
import { isBase64, isDate, isDateTime, isUuid } from "../../cel/library/kubernetes/format-rules.ts";
import { parseRequestUri, UrlMistake } from "../../cel/library/kubernetes/url-parse.ts";
import { isEmail } from "./email-format.ts";

/** Is a text of the format? */
export type TextFormat = (text: string) => boolean;

/** The format of a name; hyphens in the name are ignored; undefined for an unknown format. */
export function textFormat(name: string): TextFormat | undefined {
  return FORMATS.get(name.replaceAll("-", ""));
}

const FORMATS: ReadonlyMap<string, TextFormat> = new Map<string, TextFormat>([
  ["bsonobjectid", matching(/^[0-9a-fA-F]{24}$/)],
  ["uri", (text) => !(parseRequestUri(text) instanceof UrlMistake)],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", (text) => text.includes(".") && readSloppyAddress(text) !== undefined],
  ["ipv6", (text) => text.includes(":") && readAddress(text) !== undefined],
  ["cidr", isRange],
  ["mac", isMac],
  ["uuid", isUuid],
  ["uuid3", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid4", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["uuid5", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["hexcolor", matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", isRgbColor],
  ["byte", isBase64],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", (text) => PLAIN_TIME.test(text) || isDateTime(text)],
  ["k8sshortname", (text) => text.length <= 63 && SHORT_NAME.test(text)],
  ["k8slongname", (text) => text.length <= 253 && text.split(".").every((part) => SHORT_NAME.test(part))],
]);

/** Most times are written like this, on a day that every month has: it need not be looked up. */
const PLAIN_TIME =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?Z$/;

const SHORT_NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

function matching(pattern: RegExp): TextFormat {
  return (text) => pattern.test(text);
}

const ONE_LABEL = /^[a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]{0,62}$/u;
const LABELS =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63}$/u;

/** Symbols and letters of all scripts are taken; lengths are those of bytes. */
function isHostname(text: string): boolean {
  if (text.length > 255 || (!ONE_LABEL.test(text) && !LABELS.test(text))) return false;
  const bytes = toBytes(text);
  return bytes.length <= 255 && bytes.split(".").every((label) => label.length <= 63);
}

/** An address of either family, where numbers may begin with needless zeros. */
function readSloppyAddress(text: string): ReturnType<typeof readAddress> {
  if (text.length > 100) return undefined;
  return readAddress(text.replace(/(?<![0-9a-fA-F])0+(?=[0-9a-fA-F])/g, ""));
}

/** An address and the length of a network. */
function isRange(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash < 0) return false;
  const address = readSloppyAddress(text.slice(0, slash));
  const length = text.slice(slash + 1);
  return address !== undefined && /^\d{1,9}$/.test(length) && Number(length) <= (address.family === 4 ? 32 : 128);
}

const MAC_OF_BYTES = /^[0-9a-f]{2}(?:(?::[0-9a-f]{2})+|(?:-[0-9a-f]{2})+)$/i;
const MAC_OF_PAIRS = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i;
const MAC_OF_DIGITS = /^[0-9a-f]+$/i;

/** 6, 8 or 20 bytes, one by one, in pairs, or with nothing between them (since Go 1.26). */
function isMac(text: string): boolean {
  if (text.length > 59) return false;
  if (MAC_OF_DIGITS.test(text)) return [6, 8, 20].includes(text.length / 2);
  if (MAC_OF_BYTES.test(text)) return [6, 8, 20].includes((text.length + 1) / 3);
  return MAC_OF_PAIRS.test(text) && [3, 4, 10].includes((text.length + 1) / 5);
}

function withoutBlanksAndHyphens(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, "");
}

function isIsbn10(text: string): boolean {
  const digits = withoutBlanksAndHyphens(text);
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < 10; place++) {
    sum += (place + 1) * (digits[place] === "X" ? 10 : Number(digits[place]));
  }
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = withoutBlanksAndHyphens(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < 12; place++) sum += (place % 2 === 0 ? 1 : 3) * Number(digits[place]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Digits of a known issuer whose check digit is right; everything between them is overlooked. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

const COLOR_PART = /^[\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])[\t\n\f\r ]*$/;

function isRgbColor(text: string): boolean {
  if (!text.startsWith("rgb(") || !text.endsWith(")")) return false;
  const parts = text.slice(4, -1).split(",", 4);
  return parts.length === 3 && parts.every((part) => COLOR_PART.test(part));
}

// Is a text a duration? The API server takes what Go does (1h30m), and numbers with names of units anywhere in a text
// ("2 days and 3 hours").

const GO_DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/** Does the text contain a valid duration? */
function isDuration(text: string): boolean {
  if (GO_DURATION.test(text)) return true;
  let found = false;
  for (const [, digits = "", unit = ""] of text.matchAll(/(\d+)[ \t\n\f\r]*([A-Za-zµ]*)/g)) {
    if (unit === "") continue;
    // A number that does not fit into 64 bits spoils the whole text.
    if (!fits(digits)) return false;
    found ||= nanosecondsPer(unit.toLowerCase()) !== undefined;
  }
  return found;
}

function fits(digits: string): boolean {
  const needed = digits.replace(/^0+/, "");
  return needed.length < 19 || (needed.length === 19 && needed <= "9223372036854775807");
}

/** Names of units; the last one of each row matches as a prefix. */
const UNITS: readonly (readonly [nanoseconds: bigint, ...names: string[]])[] = [
  [1n, "ns", "nano"],
  [1_000n, "us", "µs", "micro"],
  [1_000_000n, "ms", "milli"],
  [1_000_000_000n, "s", "sec"],
  [60_000_000_000n, "m", "min"],
  [3_600_000_000_000n, "h", "hr", "hour"],
  [86_400_000_000_000n, "d", "day"],
  [604_800_000_000_000n, "w", "wk", "week"],
];

/** How many nanoseconds a unit has, by one of its names in lower case. */
export function nanosecondsPer(unit: string): bigint | undefined {
  return UNITS.find(([, ...names]) => names.includes(unit) || unit.startsWith(names.at(-1) as string))?.[0];
}
