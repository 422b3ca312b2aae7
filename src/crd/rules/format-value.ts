// What does a rule see of a text whose schema gives it a format?
//
// Read as Kubernetes does (kube-openapi's strfmt), which is laxer than CEL's own timestamp() and duration().

import { decodeBase64 } from "../../cel/library/extension/base64.ts";
import { opaque, type Type } from "../../cel/type.ts";
import { Bytes } from "../../cel/value/boxes.ts";
import { durationOrOverflow, parseDuration } from "../../cel/value/duration.ts";
import { parseTimestamp } from "../../cel/value/timestamp.ts";
import { Boxed, CelError, type Result, type Value } from "../../cel/value/value.ts";

/** How texts of the format are read; undefined where they stay texts. */
export function formatReader(format: string | undefined): ((text: string) => Value) | undefined {
  const read = READERS.get(format ?? "");
  if (read === undefined) return undefined;
  const type = opaque(`text that is no ${format}`);
  return (text) => {
    const value = read(text);
    return value instanceof CelError ? new Unreadable(text, type) : value;
  };
}

/** A text that does not match the format of its schema. No function accepts it, and it equals no value. */
class Unreadable extends Boxed {
  readonly text: string;
  readonly type: Type;
  constructor(text: string, type: Type) {
    super();
    this.text = text;
    this.type = type;
  }
  equals(): boolean {
    return false;
  }
  toString(): string {
    return this.text;
  }
}

const READERS: ReadonlyMap<string, (text: string) => Result> = new Map([
  ["date-time", readDateTime],
  ["date", (text) => parseTimestamp(`${text}T00:00:00Z`)],
  ["duration", readDuration],
  ["byte", readBytes],
]);

function readDateTime(text: string): Result {
  if (text === "") return parseTimestamp("1970-01-01T00:00:00Z");
  // Without a time zone it is in UTC.
  return parseTimestamp(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?$/.test(text) ? `${text}Z` : text);
}

/** The alphabet of URLs, with padding. */
function readBytes(text: string): Result {
  const compact = text.replace(/[\r\n]/g, "");
  if (!/^[A-Za-z0-9_-]*={0,2}$/.test(compact) || compact.length % 4 !== 0) return new CelError("no base64");
  const bytes = decodeBase64(compact.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes === undefined ? new CelError("no base64") : new Bytes(bytes);
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

/** As Go writes it (`1h30m`), or numbers with units among anything else (`3 days and 2 hours`). */
function readDuration(text: string): Result {
  const plain = parseDuration(text);
  if (!(plain instanceof CelError)) return plain;
  let sum: bigint | undefined;
  for (const [, digits, word] of text.matchAll(/(\d{1,20})\s*([A-Za-zµ]+)/g)) {
    const unit = nanosecondsOf((word as string).toLowerCase());
    if (unit !== undefined) sum = (sum ?? 0n) + BigInt(digits as string) * unit;
  }
  return sum === undefined ? plain : durationOrOverflow(BigInt.asIntN(64, sum));
}

function nanosecondsOf(word: string): bigint | undefined {
  return UNITS.find(([, ...names]) => names.includes(word) || word.startsWith(names.at(-1) as string))?.[0];
}
