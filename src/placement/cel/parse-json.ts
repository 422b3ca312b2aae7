// Which value does `parseJSON` give for a text?
import { LIST_COST, MAP_COST } from "../../cel/cost/size.ts";
import type { Running } from "../../cel/library.ts";
import { double } from "../../cel/value/number.ts";
import { Boxed, CelError, type JsonMap, type Result, type Value } from "../../cel/value/value.ts";
import { nestsDeeper } from "../../model/json-depth.ts";

/** Limit for the depth of a value. */
const MAX_DEPTH = 1000;

/** The value of a text; all numbers are doubles. */
export function parseJson(text: string, running: Running): Result {
  running.allocate(text.length);
  if (nestsDeeper(text, MAX_DEPTH)) return new CelError(`failed to parse json: it nests more than ${MAX_DEPTH} deep`);
  let tooLarge = false;
  let parsed: Value;
  try {
    parsed = JSON.parse(text, (_, value: Value) => {
      if (typeof value !== "number") return value;
      if (!Number.isFinite(value)) tooLarge = true;
      return double(value);
    }) as Value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new CelError(`failed to parse json: ${reason(error)}`);
  }
  return tooLarge ? new CelError("failed to parse json: a number is too large") : parsed;
}

/** The reason without the text itself, of which the engine quotes a part. */
function reason({ message }: SyntaxError): string {
  const [, what, at] =
    /^(.*?)(?:, (?:\.\.\.)?".*" is not valid JSON| in JSON)?( at position \d+)?(?: \(line \d+ column \d+\))?$/s.exec(
      message,
    ) ?? [];
  const short = `${what ?? message}${at ?? ""}`;
  return short.length <= 100 ? short : "it is not JSON";
}

/** What it costs to make the value: each list and each map in it. */
export function structureCost(value: Value): number {
  let cost = 0;
  const left: Value[] = [value];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    if (typeof item !== "object" || item === null || item instanceof Boxed) continue;
    if (Array.isArray(item)) {
      cost += LIST_COST;
      for (const element of item) left.push(element);
    } else {
      cost += MAP_COST;
      for (const key of Object.keys(item)) left.push((item as JsonMap)[key] as Value);
    }
  }
  return cost;
}
