// What is the static type of an expression?

/** The types that have a name and no parameters. */
export type SimpleKind =
  | "dyn"
  | "error"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration";

/** A CEL type, as the checker sees it. */
export type Type =
  | { readonly kind: SimpleKind; readonly shape?: Shape }
  | { readonly kind: "list"; readonly element: Type; readonly shape?: Shape }
  | { readonly kind: "map"; readonly key: Type; readonly value: Type; readonly shape?: Shape }
  | { readonly kind: "type"; readonly of?: Type; readonly shape?: Shape }
  /** An object whose fields are known, each with its type; two are the same type if they have the same name. */
  | ObjectType
  /** A primitive that may be null (the language definition calls it a wrapper). */
  | { readonly kind: "wrapper"; readonly of: Type; readonly shape?: Shape }
  /** A type known by its name only: `kubernetes.Quantity`, `optional_type(T)`. */
  | OpaqueType
  /** A type parameter of an overload, or a type that is not determined yet. */
  | { readonly kind: "parameter"; readonly name: string; readonly shape?: Shape };

/** A type known by its name; a program's own type may have fields that can be read. */
export interface OpaqueType {
  readonly kind: "opaque";
  readonly name: string;
  readonly of: readonly Type[];
  readonly fields?: ReadonlyMap<string, Type>;
  readonly shape?: Shape;
}

/** The type of objects that have these fields and no others. At run time such an object is a map. */
export interface ObjectType {
  readonly kind: "object";
  readonly name: string;
  readonly fields: ReadonlyMap<string, Type>;
  readonly shape?: Shape;
}

/**
 * What is known of an object beyond its type: its fields, or those of a list's elements. It never changes a type or a
 * value; it lets the checker find `managedCluster.staus`.
 */
export interface Shape {
  /** How the object is called in a message: `ManagedCluster.status`. */
  readonly name: string;
  /** The fields that can exist; absent when any key may be there (labels). */
  readonly fields?: ReadonlyMap<string, Shape>;
  /** What every element of a list, or every value of a map with free keys, looks like. */
  readonly elements?: Shape;
  /** Other names of fields that are understood, with a warning, and the proper ones. */
  readonly aliases?: ReadonlyMap<string, string>;
}

export const DYN: Type = { kind: "dyn" };
/** The type of an expression with a type error. It agrees with everything, so that a mistake is reported once. */
export const ERROR: Type = { kind: "error" };
export const NULL: Type = { kind: "null" };
export const BOOL: Type = { kind: "bool" };
export const INT: Type = { kind: "int" };
export const UINT: Type = { kind: "uint" };
export const DOUBLE: Type = { kind: "double" };
export const STRING: Type = { kind: "string" };
export const BYTES: Type = { kind: "bytes" };
export const TIMESTAMP: Type = { kind: "timestamp" };
export const DURATION: Type = { kind: "duration" };
export const TYPE: Type = { kind: "type" };

/** `list(element)` */
export function listOf(element: Type): Type {
  return { kind: "list", element };
}

/** `map(key, value)` */
export function mapOf(key: Type, value: Type): Type {
  return { kind: "map", key, value };
}

/** `type(of)`: the type of the value `int` is `type(int)`. */
export function typeOf(of: Type): Type {
  return { kind: "type", of };
}

/** A type known by its name only, with parameters if it has any. */
export function opaque(name: string, ...of: Type[]): Type {
  return { kind: "opaque", name, of };
}

/** `optional_type(of)` */
export function optionalOf(of: Type): Type {
  return opaque("optional_type", of);
}

/** A type parameter of an overload: `A` in `list(A).first(): optional_type(A)`. */
export function parameter(name: string): Type {
  return { kind: "parameter", name };
}

/** The same type, with what is known of its fields. */
export function shaped(type: Type, shape: Shape | undefined): Type {
  if (shape === undefined) return type;
  switch (type.kind) {
    // Without spreading, which takes long: the types of most parts of an object are these.
    case "dyn":
      return { kind: "dyn", shape };
    case "map":
      return { kind: "map", key: type.key, value: type.value, shape };
    default:
      return { ...type, shape };
  }
}

/** What is in the optional, or undefined when the type is not one. */
export function optionalContent(type: Type): Type | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? type.of[0] : undefined;
}

/** The type as people write it: `map(string, dyn)`. */
export function printType(type: Type): string {
  switch (type.kind) {
    case "list":
      return `list(${printType(type.element)})`;
    case "map":
      return `map(${printType(type.key)}, ${printType(type.value)})`;
    case "type":
      return type.of === undefined ? "type" : `type(${printType(type.of)})`;
    case "wrapper":
      return `wrapper(${printType(type.of)})`;
    case "opaque":
      return type.of.length === 0 ? type.name : `${type.name}(${type.of.map(printType).join(", ")})`;
    case "parameter":
    case "object":
      return type.name;
    case "error":
      return "!error!";
    default:
      return type.kind;
  }
}

/** The type with the types in it replaced; the same object if all of them stay the same. */
export function withParts(type: Type, replace: (part: Type) => Type): Type {
  switch (type.kind) {
    case "list": {
      const element = replace(type.element);
      return element === type.element ? type : shaped(listOf(element), type.shape);
    }
    case "map": {
      const key = replace(type.key);
      const value = replace(type.value);
      return key === type.key && value === type.value ? type : shaped(mapOf(key, value), type.shape);
    }
    case "type":
      return type.of === undefined ? type : shaped(typeOf(replace(type.of)), type.shape);
    case "opaque":
      return type.of.length === 0 ? type : shaped(opaque(type.name, ...type.of.map(replace)), type.shape);
    default:
      return type;
  }
}

/** Are these the same type, parameters included? */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "list":
      return sameType(a.element, (b as typeof a).element);
    case "map":
      return sameType(a.key, (b as typeof a).key) && sameType(a.value, (b as typeof a).value);
    case "type": {
      const of = (b as typeof a).of;
      return a.of === undefined || of === undefined ? a.of === of : sameType(a.of, of);
    }
    case "wrapper":
      return sameType(a.of, (b as typeof a).of);
    case "opaque": {
      const other = b as typeof a;
      return (
        a.name === other.name &&
        a.of.length === other.of.length &&
        a.of.every((of, index) => sameType(of, other.of[index] as Type))
      );
    }
    case "parameter":
    case "object":
      return a.name === (b as typeof a).name;
    default:
      return true;
  }
}
