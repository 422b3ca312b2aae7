// Which types of values does a schema accept? Follows kube-openapi's type validator (pkg/validation/validate/type.go) and the
// formats that apiextensions-apiserver v0.37 leaves to it (pkg/apiserver/validation/formats.go).

import { isList, type Json } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import { textFormat } from "./text-format.ts";

/** The accepted types; none if all are. */
export function expectedTypes({ type, intOrString }: Schema): readonly string[] {
  if (intOrString) return ["integer", "string"];
  return type === undefined ? [] : [type];
}

/** Does the API server check the format for the type? Others have no effect. */
export function hasFormat(schema: Schema): boolean {
  const { format } = schema;
  if (format === undefined) return false;
  const [type, second] = expectedTypes(schema);
  if (type === undefined || second !== undefined || type === "string") return textFormat(format) !== undefined;
  if (type === "integer") return format === "int32" || format === "int64";
  return type === "number" && (format === "float" || format === "double");
}

/** The types as values of documents have them. */
export type Kind = "text" | "number" | "flag" | "list" | "object" | "null";

/** Are values of a kind accepted? Of numbers it may still depend on the number. */
export function takes(schema: Schema, kind: Kind): boolean {
  const types = expectedTypes(schema);
  if (types.length === 0) return kind === "text" || kind === "list" || kind === "null" || !hasFormat(schema);
  switch (kind) {
    case "null":
      return schema.nullable;
    case "text":
      return types.includes("string");
    case "number":
      return types.includes("integer") || types.includes("number");
    case "flag":
      return types.includes("boolean");
    case "list":
      // A format for strings lets the type validator overlook lists.
      return types.includes("array") || (types.length === 1 && types[0] === "string" && hasFormat(schema));
    case "object":
      return types.includes("object");
  }
}

/** The type of a value. */
export function kindOf(value: Json): Kind {
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
    case "bigint":
      return "number";
    case "boolean":
      return "flag";
    default:
      return value === null ? "null" : isList(value) ? "list" : "object";
  }
}

/** The keyword that sets the accepted types. */
export function typeKeyword({ intOrString, type }: Schema): string {
  if (intOrString) return "x-kubernetes-int-or-string";
  return type === undefined ? "format" : "type";
}
