// Which text of a value gives the same value again? Plain JSON, for nearly all of them. What JSON cannot say (an integer
// beyond 2^53, minus zero, an infinity) makes a value an exception, which is written with a tag before each part.

import { isList, type Json, type JsonObject } from "../../model/json.ts";

/** Does JSON text give exactly this value again? */
export function isPlain(value: Json): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (isList(value)) return value.every(isPlain);
  for (const key of Object.keys(value)) if (!isPlain((value as JsonObject)[key] as Json)) return false;
  return true;
}

/** A text that is equal for equal values with the same order of keys only. */
export function exactText(value: Json): string {
  return isPlain(value) ? JSON.stringify(value) : `tagged ${JSON.stringify(tagged(value))}`;
}

/** The value with tags, as plain JSON: `["list", …]`, `["object", key, value, …]`, `["integer" | "number", text]`. */
export function tagged(value: Json): Json {
  if (typeof value === "bigint") return ["integer", value.toString()];
  if (typeof value === "number") return isPlain(value) ? value : ["number", Object.is(value, -0) ? "-0" : `${value}`];
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return ["list", ...value.map(tagged)];
  return ["object", ...Object.entries(value as JsonObject).flatMap(([key, part]) => [key, tagged(part)])];
}

/** The value of a tagged one; throws if it is malformed. */
export function untagged(value: Json | undefined): Json {
  if (!isList(value)) {
    if (value === undefined || (typeof value === "object" && value !== null)) throw new Error("no tag");
    return value;
  }
  const [tag, ...parts] = value;
  switch (tag) {
    case "integer":
      return BigInt(textOf(parts[0]));
    case "number":
      return Number(textOf(parts[0]));
    case "list":
      return parts.map(untagged);
    case "object": {
      const pairs: [string, Json][] = [];
      for (let at = 0; at < parts.length; at += 2) pairs.push([textOf(parts[at]), untagged(parts[at + 1])]);
      // Unlike an assignment, it makes an own field of every key.
      return Object.fromEntries(pairs);
    }
    default:
      throw new Error("an unknown tag");
  }
}

function textOf(value: Json | undefined): string {
  if (typeof value !== "string") throw new Error("no text");
  return value;
}
