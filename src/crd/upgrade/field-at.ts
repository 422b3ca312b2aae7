// Which field of objects is at a path of a schema, and which value is at a path?

import { isList, isObject, type Json, own } from "../../model/json.ts";
import { type Path, printPath } from "../../model/place.ts";

const LISTS_OF_SCHEMAS: ReadonlySet<string | number> = new Set(["allOf", "anyOf", "oneOf"]);

/** The field as a path: `.spec.ports[*].name`; `.` is the object itself. */
export function fieldAt(at: Path): string {
  let field = "";
  for (let index = 0; index < at.length; index++) {
    const [keyword, step] = [at[index], at[index + 1]];
    if (keyword === "properties" && typeof step === "string") {
      field += fieldOf([step]);
      index++;
    } else if (keyword === "items" || keyword === "additionalProperties") field += "[*]";
    else if (typeof keyword === "string" && LISTS_OF_SCHEMAS.has(keyword)) index++;
    else if (keyword !== "not") break;
  }
  return field === "" ? "." : field;
}

/** The field at the end of a way into an object: `.spec.ports[2].name`; `.` is the object itself. */
export function fieldOf(path: Path): string {
  if (path.length === 0) return ".";
  const text = printPath(path);
  return text.startsWith("[") ? text : `.${text}`;
}

/** The value one step further; undefined if there is none. */
export function valueBelow(value: Json | undefined, step: string | number): Json | undefined {
  if (isList(value)) return typeof step === "number" ? value[step] : undefined;
  return isObject(value) ? own(value, String(step)) : undefined;
}
