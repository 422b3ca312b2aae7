// Which other values does CEL have that JSON has not: bytes, types, optionals, maps with keys of any kind?
import { BYTES, DYN, mapOf, optionalOf, TYPE, type Type } from "../type.ts";
import { Boxed, type Value } from "./value.ts";

/** A sequence of bytes. */
export class Bytes extends Boxed {
  readonly value: Uint8Array;
  constructor(value: Uint8Array) {
    super();
    this.value = value;
  }
  get type(): Type {
    return BYTES;
  }
  override get weight(): number {
    return this.value.length;
  }
  equals(other: Value): boolean {
    return other instanceof Bytes && compareBytes(this.value, other.value) === 0;
  }
  toString(): string {
    return new TextDecoder().decode(this.value);
  }
}

/** Negative, zero or positive: bytewise order. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** A type as a value: what `type(1)` yields. */
export class TypeValue extends Boxed {
  /** The type's name, without parameters: `int`, `list`, `google.protobuf.Timestamp`. */
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  get type(): Type {
    return TYPE;
  }
  equals(other: Value): boolean {
    return other instanceof TypeValue && other.name === this.name;
  }
  toString(): string {
    return this.name;
  }
}

const OPTIONAL: Type = optionalOf(DYN);

/** A value that may be absent. */
export class Optional extends Boxed {
  static readonly none: Optional = new Optional(undefined);
  /** The value, or undefined for `optional.none()`. */
  readonly content: Value | undefined;
  constructor(content: Value | undefined) {
    super();
    this.content = content;
  }
  get type(): Type {
    return OPTIONAL;
  }
  /** Identity; `equality.ts` compares what is inside. */
  equals(other: Value): boolean {
    return other === this;
  }
  toString(): string {
    return this.content === undefined ? "optional.none()" : `optional.of(${String(this.content)})`;
  }
}

/** What a map finds its entries by: numbers of all kinds that are equal share one key. */
export type MapKey = string | boolean | number | bigint;

const MAP: Type = mapOf(DYN, DYN);

/** A map that an expression made: keys are bools, ints, uints or strings, in the order of insertion. */
export class CelMap extends Boxed {
  readonly entries: ReadonlyMap<MapKey, readonly [key: Value, value: Value]>;
  constructor(entries: ReadonlyMap<MapKey, readonly [Value, Value]>) {
    super();
    this.entries = entries;
  }
  get type(): Type {
    return MAP;
  }
  /** Identity; `equality.ts` compares what is inside. */
  equals(other: Value): boolean {
    return other === this;
  }
  toString(): string {
    return "map";
  }
}
