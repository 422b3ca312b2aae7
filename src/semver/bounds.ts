/**
 * Which two comparisons are equivalent to ^, ~ and a hyphen of other range languages?
 * For advice only: what to write in a language without such operators.
 */
import { parseTolerant } from "./tolerant.ts";
import { printVersion, type Version } from "./version.ts";
import { increment, type WholeNumber } from "./whole-number.ts";

/** ^1.2.3 as >=1.2.3 <2.0.0, ~1.2.3 as >=1.2.3 <1.3.0; undefined when no version can be made out. */
export function bounds(operator: "^" | "~", pattern: string): string | undefined {
  const written = read(pattern);
  if (written === undefined) return undefined;
  const { version, numbers } = written;
  const upper =
    operator === "~" ? raised(version, Math.min(numbers, 2)) : raised(version, caretPlace(version, numbers));
  return `>=${printVersion(version)} <${upper}`;
}

/** 1.2.3 - 2.0.0 as >=1.2.3 <=2.0.0, and 1.2 - 1.4 as >=1.2.0 <1.5.0; undefined when no versions can be made out. */
export function hyphenBounds(from: string, to: string): string | undefined {
  const lower = read(from);
  const upper = read(to);
  if (lower === undefined || upper === undefined) return undefined;
  const end = upper.numbers === 3 ? `<=${printVersion(upper.version)}` : `<${raised(upper.version, upper.numbers)}`;
  return `>=${printVersion(lower.version)} ${end}`;
}

interface Written {
  readonly version: Version;
  /** The number of numbers written: 1.x has one. */
  readonly numbers: number;
}

function read(pattern: string): Written | undefined {
  const parts = pattern.split(".");
  const wild = parts.findIndex((part) => part === "x" || part === "X" || part === "*");
  const written = wild < 0 ? parts : parts.slice(0, wild);
  const version = parseTolerant(written.join("."));
  return typeof version === "string" ? undefined : { version, numbers: Math.min(written.length, 3) };
}

/** The first nonzero number must stay the same, as far as numbers are written. */
function caretPlace(version: Version, numbers: number): number {
  if (version.major > 0 || numbers === 1) return 1;
  return version.minor > 0 || numbers === 2 ? 2 : 3;
}

/** The next version whose first, second or third number differs. */
function raised(version: Version, place: number): string {
  const core: WholeNumber[] = [version.major, version.minor, version.patch];
  return core.map((number, i) => (i + 1 < place ? number : i + 1 === place ? increment(number) : 0)).join(".");
}
