// How is something of JavaScript called in a message, and which promises must not end the process?
import { quoted } from "../../text/words.ts";
import { printType, type Type } from "../type.ts";
import { describeValue } from "../value/describe.ts";
import { Boxed, CelError, reasonOf } from "../value/value.ts";

/** What to do instead, by the kind of an object. */
const ADVICE: Readonly<Record<string, string>> = {
  Promise: "; await it before: functions are called synchronously",
  Set: "; give an array",
  Map: "; its keys have to be strings, booleans or whole numbers, each once",
  Date: "; it has to be valid and in the years 1 to 9999",
};

/** What came instead of a value of the type, and what to do about it: `1.5, not int`. */
export function describeForeign(what: unknown, wanted: Type): string {
  const kind = Object.prototype.toString.call(what).slice("[object ".length, -1);
  const type = wanted.kind === "dyn" || wanted.kind === "parameter" ? "a value of CEL" : printType(wanted);
  return `${called(what, kind)}, not ${type}${Object.hasOwn(ADVICE, kind) ? ADVICE[kind] : ""}`;
}

function called(what: unknown, kind: string): string {
  switch (typeof what) {
    case "undefined":
      return "undefined";
    case "function":
      return "a function";
    case "symbol":
      return "a symbol";
    case "bigint":
      return `the bigint ${what}`;
    case "string":
      return quoted(what, 60);
    case "object":
      break;
    default:
      return String(what);
  }
  if (what === null) return "null";
  if (what instanceof CelError) return `an error: ${what.message}`;
  if (what instanceof Boxed) return describeValue(what);
  if (Array.isArray(what)) return "an array";
  if (kind === "Error") return `an Error: ${reasonOf(what)}`;
  if (kind === "Promise") return "a promise";
  return kind === "Object" ? "an object" : `a ${kind}`;
}

const MAX_SILENCED = 10_000;

/** A refused promise is never awaited, and Node exits on an unhandled rejection: those in a refused value are handled. */
export function silence(refused: unknown): void {
  const seen = new Set<unknown>([refused]);
  for (const what of seen) {
    if (typeof what !== "object" || what === null || seen.size > MAX_SILENCED) continue;
    try {
      if (Object.prototype.toString.call(what) === "[object Promise]")
        Promise.resolve(what).then(undefined, () => undefined);
      else for (const part of what instanceof Map ? what.values() : Object.values(what)) seen.add(part);
    } catch {
      // What cannot be read has no promises that matter.
    }
  }
}
