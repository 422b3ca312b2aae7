// What is an object of a class that a program declared as a type?
import type { OpaqueType, Type } from "../type.ts";
import { Boxed, CelError, DataError, type Result, reasonOf, type Value } from "./value.ts";

/** A type of a program: the objects of a class. */
export interface ClassType {
  readonly name: string;
  /** Its type, with the types of its fields. */
  readonly type: OpaqueType;
  /** What the objects of the class inherit from. */
  readonly prototype: object;
  /** The value of a property, as the declared type of the field; undefined where there is none. */
  readonly convert: (property: unknown, declared: Type) => Result | undefined;
  readonly equals?: (a: object, b: object) => unknown;
  readonly toText?: (instance: object) => unknown;
}

/** An object of such a class. Nothing of it can be reached but its declared fields. */
export class Instance extends Boxed {
  readonly of: ClassType;
  readonly instance: object;
  constructor(of: ClassType, instance: object) {
    super();
    this.of = of;
    this.instance = instance;
  }
  get type(): Type {
    return this.of.type;
  }
  /** The value of a declared field, or the error that reading it gave; undefined if there is no such field or value. */
  field(name: string): Result | undefined {
    const declared = this.of.type.fields?.get(name);
    if (declared === undefined) return undefined;
    try {
      return this.of.convert((this.instance as Readonly<Record<string, unknown>>)[name], declared);
    } catch (thrown) {
      return thrown instanceof CelError
        ? new CelError(() => `the field ${name} of ${this.of.name} ${thrown.message}`)
        : new CelError(() => `the field ${name} of ${this.of.name} cannot be read: ${reasonOf(thrown)}`);
    }
  }
  /** The same object, unless the type says what is equal. */
  equals(other: Value): boolean {
    if (!(other instanceof Instance) || other.of !== this.of) return false;
    if (other.instance === this.instance) return true;
    if (this.of.equals === undefined) return false;
    let equal: unknown;
    try {
      equal = this.of.equals(this.instance, other.instance);
    } catch (thrown) {
      throw new DataError(() => `equals of ${this.of.name} failed: ${reasonOf(thrown)}`);
    }
    if (typeof equal !== "boolean") throw new DataError(`equals of ${this.of.name} returned no boolean`);
    return equal;
  }
  toString(): string {
    try {
      const text = this.of.toText?.(this.instance);
      return typeof text === "string" ? text : this.of.name;
    } catch {
      return this.of.name;
    }
  }
}
