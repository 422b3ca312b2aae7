// Is a text valid?

import { compileRegex, type Regex } from "../../regex/regex.ts";
import type { Schema } from "../schema/schema.ts";
import { hasFormat } from "./expectation.ts";
import type { FaultDetail } from "./fault.ts";
import { textFormat } from "./text-format.ts";
import type { CheckOf } from "./validation-run.ts";
import { shownScalar } from "./value-text.ts";

type TextCheck = CheckOf<string>;

/** How much compiling the patterns of a schema may take, in characters and instructions together. */
const MAX_PATTERN_WORK = 300_000;
/** How much one text may take, in characters times instructions. */
const MAX_MATCH_WORK = 1_000_000_000;

/** The patterns of a schema, compiled when they are needed. */
export class Patterns {
  #work = 0;

  /** The compiled pattern; "bad" if it is invalid, "too much" if the patterns before it took too much. */
  regex(pattern: string): Regex | "bad" | "too much" {
    if (this.#work > MAX_PATTERN_WORK) return "too much";
    const compiled = compileRegex(pattern);
    this.#work += pattern.length + ("size" in compiled ? compiled.size : 0);
    return "mistake" in compiled ? "bad" : compiled;
  }
}

/** The checks of a schema for texts. */
export function textChecks(schema: Schema, patterns: Patterns): TextCheck[] {
  const { maxLength, minLength, pattern, format } = schema;
  const checks: TextCheck[] = [];
  if (maxLength !== undefined) checks.push(maxLengthCheck(schema, Number(maxLength)));
  if (minLength !== undefined) checks.push(minLengthCheck(schema, Number(minLength)));
  if (pattern !== undefined) checks.push(patternCheck(schema, pattern, patterns));
  if (format !== undefined && hasFormat(schema)) checks.push(formatCheck(schema, format));
  return checks;
}

function maxLengthCheck(schema: Schema, most: number): TextCheck {
  return (text, search) => {
    if (text.length <= most) return true;
    const length = codePoints(text);
    if (length <= most) return true;
    return search.fault(schema, "maxLength", () => sizeFault("maxLength", most, length));
  };
}

function minLengthCheck(schema: Schema, least: number): TextCheck {
  return (text, search) => {
    if (text.length >= 2 * least) return true;
    const length = codePoints(text);
    if (length >= least) return true;
    return search.fault(schema, "minLength", () => sizeFault("minLength", least, length));
  };
}

function sizeFault(keyword: "minLength" | "maxLength", limit: number, actual: number): FaultDetail {
  return { kind: "size", keyword, limit, actual };
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The API server refuses definitions with an invalid pattern, so nothing is known of their objects. */
function patternCheck(schema: Schema, pattern: string, patterns: Patterns): TextCheck {
  let regex: ReturnType<Patterns["regex"]> | undefined;
  return (text, search) => {
    regex ??= patterns.regex(pattern);
    if (regex === "bad") return true;
    if (regex === "too much") return search.giveUp({ kind: "patterns" });
    if (text.length * regex.size > MAX_MATCH_WORK) {
      return search.giveUp({ kind: "text-too-long", length: text.length, pattern: shownScalar(pattern) });
    }
    if (regex.matches(text)) return true;
    return search.fault(schema, "pattern", () => mismatch("pattern", pattern, text));
  };
}

function mismatch(kind: "pattern" | "format", expected: string, actual: string): FaultDetail {
  return { kind, expected: shownScalar(expected), actual: shownScalar(actual) };
}

function formatCheck(schema: Schema, format: string): TextCheck {
  const isOf = textFormat(format);
  return (text, search) =>
    isOf === undefined || isOf(text) || search.fault(schema, "format", () => mismatch("format", format, text));
}
