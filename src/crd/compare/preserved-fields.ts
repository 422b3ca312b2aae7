// What do schemas keep of values that they do not describe? The API server drops every field that is not named, so a schema
// that says less may lose more (src/crd/validate/prune-and-default.ts).

import type { Schema } from "../schema/schema.ts";
import type { Pruning } from "../validate/prune-and-default.ts";
import { canonicalSchema, isUnconstrained } from "./schema-json.ts";

/** Which unknown fields a node drops, given what its parent drops. */
export function pruningOf({ preserveUnknownFields }: Schema, above: Pruning): Pruning {
  return above === "all" && preserveUnknownFields ? "below" : above;
}

/** Which unknown fields are dropped from the fields of a node. */
export function pruningBelow(pruning: Pruning): Pruning {
  return pruning === "none" ? "none" : "all";
}

/** Whether any value is valid and stays as it is. */
export function keepsAnything(schema: Schema, pruning: Pruning): boolean {
  return pruningOf(schema, pruning) !== "all" && takesAnything(schema);
}

/** Whether any value is valid, even if parts of it are dropped; defaults do not count. */
export function takesAnything(schema: Schema): boolean {
  return isUnconstrained({ ...schema, at: [], preserveUnknownFields: false, nullable: false, default: undefined });
}

/** Whether values may be, or have in lists, objects that have fields; `isKept`: the list around them keeps unknown ones. */
export function mayHoldFields(schema: Schema, isKept = false): boolean {
  const { type, properties, additionalProperties, items, preserveUnknownFields, embeddedResource } = schema;
  const keeps = isKept || preserveUnknownFields;
  if (type === undefined || type === "object") {
    if (properties.size > 0 || keeps || embeddedResource) return true;
    if (additionalProperties !== undefined && additionalProperties !== false) return true;
  }
  if (type !== undefined && type !== "array") return false;
  return items === undefined ? keeps : mayHoldFields(items, keeps);
}

/** The fields of every Kubernetes object, which are there and kept whether a schema names them or not, and their types. */
const META_TYPES: ReadonlyMap<string, string> = new Map([
  ["apiVersion", "string"],
  ["kind", "string"],
  ["metadata", "object"],
]);

/** Whether it is a field that every Kubernetes object has. */
export function isMetaField(name: string): boolean {
  return META_TYPES.has(name);
}

/** Whether the schema of such a field adds nothing to what Kubernetes requires. */
export function isAsEveryObjectHas(name: string, schema: Schema): boolean {
  return schema.properties.size === 0 && canonicalSchema(schema).text === `{"type":"${META_TYPES.get(name)}"}`;
}
