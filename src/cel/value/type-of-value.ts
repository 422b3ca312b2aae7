// Which type does a value have?
import { BOOL, DOUBLE, DYN, INT, listOf, mapOf, NULL, printType, STRING, type Type } from "../type.ts";
import { TypeValue } from "./boxes.ts";
import { isInt } from "./number.ts";
import { Boxed, isJsonMap, type Value } from "./value.ts";

const LIST: Type = listOf(DYN);
const MAP: Type = mapOf(DYN, DYN);

/** The type of a value; what is in containers is dyn. */
export function typeOfValue(value: Value): Type {
  switch (typeof value) {
    case "string":
      return STRING;
    case "boolean":
      return BOOL;
    case "number":
    case "bigint":
      return isInt(value) ? INT : DOUBLE;
    default:
      if (value === null) return NULL;
      if (Array.isArray(value)) return LIST;
      if (value instanceof Boxed) return value.type;
      // Anything that is not a CEL value is refused here.
      isJsonMap(value);
      return MAP;
  }
}

/** The names of types as values, where they differ from how types are written. */
const NAMES: Readonly<Record<string, string>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
};

/** The name that `type()` gives for the type. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case "list":
    case "map":
    case "type":
      return type.kind;
    case "opaque":
      return type.name;
    default:
      return NAMES[type.kind] ?? printType(type);
  }
}

/** What `type(value)` yields. */
export function typeValueOf(value: Value): TypeValue {
  return new TypeValue(typeName(typeOfValue(value)));
}
