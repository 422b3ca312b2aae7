// What is the value of a JSON text, exactly? `JSON.parse` where it reads without loss, the precise reader where it does not.

import type { Json, JsonObject } from "../model/json.ts";
import { readJson } from "./json-text.ts";

/** The value of a text that `JSON.parse` reads without loss; otherwise undefined. */
export function quickJson(text: string, maxDepth: number): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isExact(value, maxDepth) ? value : undefined;
  } catch {
    return undefined; // the exact reader reports why
  }
}

/** The value of a text; throws a {@link TextFault} if it is not JSON. */
export function exactJson(text: string, maxDepth: number): Json {
  return quickJson(text, maxDepth) ?? readJson(text, maxDepth);
}

/** Is a value exactly what its text states: not nested too deeply, and without numbers that a double cannot hold? */
function isExact(value: Json, depth: number): boolean {
  if (typeof value === "number") return Math.abs(value as number) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isExact(value[index] as Json, depth - 1)) return false;
  } else for (const key in value) if (!isExact((value as JsonObject)[key] as Json, depth - 1)) return false;
  return true;
}
