// Is an object valid? Follows kube-openapi's object validator.

import type { Json, JsonObject } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import { type Check, type CheckOf, sizeChecks } from "./validation-run.ts";
import { shownScalar } from "./value-text.ts";

/** Faster than Object.hasOwn where the key comes from the object. */
const { hasOwnProperty: hasOwn } = Object.prototype;

type ObjectCheck = CheckOf<JsonObject>;

/** The checks of a schema for objects; `part` makes the check of a field. */
export function objectChecks(schema: Schema, part: (schema: Schema) => Check): ObjectCheck[] {
  const checks: ObjectCheck[] = [];
  if (schema.required.length > 0) checks.push(requiredCheck(schema));
  const sizeOf = (object: JsonObject): number => Object.keys(object).length;
  checks.push(...sizeChecks(schema, ["minProperties", "maxProperties"], sizeOf));
  const fields = fieldsCheck(schema, part);
  if (fields !== undefined) checks.push(fields);
  return checks;
}

function requiredCheck(schema: Schema): ObjectCheck {
  const { required } = schema;
  return (object, search) => {
    let valid = true;
    for (const name of required) {
      if (Object.hasOwn(object, name)) continue;
      valid = search.fault(schema, "required", () => ({ kind: "required" }), [name]);
      if (search.isOver) break;
    }
    return valid;
  };
}

/** Checks of fields are made when a field is seen for the first time: most fields of a schema never are. */
function fieldsCheck(schema: Schema, part: (schema: Schema) => Check): ObjectCheck | undefined {
  const { properties } = schema;
  const others = othersCheck(schema, part);
  if (others === undefined && properties.size === 0) return undefined;
  const made = new Map<string, Check>();
  const make = (name: string): Check | undefined => {
    const property = properties.get(name);
    if (property === undefined) return others;
    const check = part(property);
    made.set(name, check);
    return check;
  };
  return (object, search) => {
    let valid = true;
    const end = search.path.push("") - 1;
    for (const key in object) {
      if (!hasOwn.call(object, key)) continue;
      const check = made.get(key) ?? make(key);
      if (check === undefined) continue;
      search.path[end] = key;
      if (check(object[key] as Json, search)) continue;
      valid = false;
      if (search.isOver) break;
    }
    search.path.pop();
    return valid;
  };
}

/** The check of fields that are not among the properties. */
function othersCheck(schema: Schema, part: (schema: Schema) => Check): Check | undefined {
  const { additionalProperties } = schema;
  if (additionalProperties === false) {
    return (_value, search) =>
      search.fault(schema, "additionalProperties", () => ({
        kind: "other-field",
        name: shownScalar(search.path.at(-1) ?? ""),
      }));
  }
  if (typeof additionalProperties !== "object") return undefined;
  let check: Check | undefined;
  return (value, search) => {
    check ??= part(additionalProperties);
    return check(value, search);
  };
}
