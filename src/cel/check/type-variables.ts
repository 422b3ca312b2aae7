// Does a type agree with another, and which types must the unknown ones be for it?
//
// The relation is that of the language definition as cel-go v0.29.2 has it: dyn agrees with everything, null with what
// can be null, a type parameter with the first type it meets and, after that, with what agrees with that.
import { DYN, optionalContent, parameter, sameType, type Type, withParts } from "../type.ts";

/** So many type variables, and types with them, are kept for the next expression, which uses them again from the first. */
export const MAX_KEPT = 256;
const kept: Type[] = [];

/** The type variable with this number. */
export function typeVariable(index: number): Type {
  const variable = kept[index] ?? parameter(`_${index}`);
  if (index < MAX_KEPT) kept[index] = variable;
  return variable;
}

/** The types found so far for type parameters. */
export class TypeVariables {
  #bound: Map<string, Type> | undefined;
  /** What was bound before, in the order of changes, so that a failed attempt leaves nothing behind. */
  readonly #undo: { readonly name: string; readonly before: Type | undefined }[] = [];
  #count = 0;

  /** A type parameter with a fresh name. */
  fresh(): Type {
    return typeVariable(this.reserve(1));
  }

  /** The number of the first of so many type variables that were not used before. */
  reserve(count: number): number {
    const first = this.#count;
    this.#count += count;
    return first;
  }

  /** Is a value of type `from` accepted where `to` is expected (for every pair)? If not, no bindings are kept. */
  assignable(from: readonly Type[], to: readonly Type[]): boolean {
    const mark = this.#undo.length;
    if (this.#agreeAll(from, to)) return true;
    while (this.#undo.length > mark) {
      const { name, before } = this.#undo.pop() as { name: string; before: Type | undefined };
      if (before === undefined) this.#bound?.delete(name);
      else this.#bound?.set(name, before);
    }
    return false;
  }

  /** The type with all bindings substituted; unbound parameters become dyn on request. */
  substitute(type: Type, unknownIsDyn: boolean): Type {
    if (type.kind !== "parameter")
      return isMadeOfTypes(type) ? withParts(type, (part) => this.substitute(part, unknownIsDyn)) : type;
    const bound = this.#bound?.get(type.name);
    if (bound !== undefined) return this.substitute(bound, unknownIsDyn);
    return unknownIsDyn ? DYN : type;
  }

  #bind(name: string, type: Type): void {
    this.#bound ??= new Map();
    this.#undo.push({ name, before: this.#bound.get(name) });
    this.#bound.set(name, type);
  }

  #agreeAll(from: readonly Type[], to: readonly Type[]): boolean {
    if (from.length !== to.length) return false;
    for (let index = 0; index < from.length; index++)
      if (!this.#agree(from[index] as Type, to[index] as Type)) return false;
    return true;
  }

  #agree(from: Type, to: Type): boolean {
    if (to.kind === "parameter") {
      const verdict = this.#bindOrAgree(from, to);
      if (verdict !== undefined) return verdict;
    }
    if (from.kind === "parameter") return this.#bindOrAgree(to, from) ?? false;
    if (isOpen(from) || isOpen(to)) return true;
    if (from.kind === "null") return isNullable(to);
    if (to.kind === "null") return isNullable(from);
    const left = from.kind === "wrapper" ? from.of : from;
    const right = to.kind === "wrapper" ? to.of : to;
    if (left.kind !== right.kind) return false;
    switch (left.kind) {
      case "list":
        return this.#agree(left.element, (right as typeof left).element);
      case "map":
        return (
          this.#agree(left.key, (right as typeof left).key) && this.#agree(left.value, (right as typeof left).value)
        );
      case "opaque":
        return left.name === (right as typeof left).name && this.#agreeAll(left.of, (right as typeof left).of);
      case "object":
        return left.name === (right as typeof left).name;
      default:
        return true;
    }
  }

  /**
   * Binds the parameter to the type, or checks that the type it is bound to agrees. Undefined: the parameter is free but
   * occurs in the type, so the other direction may work.
   */
  #bindOrAgree(type: Type, parameter: Type & { kind: "parameter" }): boolean | undefined {
    if (sameType(type, parameter)) return true;
    const bound = this.#bound?.get(parameter.name);
    if (bound === undefined) {
      if (this.#occurs(parameter, type)) return undefined;
      this.#bind(parameter.name, type);
      return true;
    }
    if (sameType(type, bound)) return true;
    if (!this.#agree(type, bound)) return false;
    const general = mostGeneral(type, bound);
    if (general !== bound && !this.#occurs(parameter, general)) this.#bind(parameter.name, general);
    return true;
  }

  /** Is the parameter a part of the type? */
  #occurs(parameter: Type & { kind: "parameter" }, type: Type): boolean {
    if (type.kind !== "parameter")
      return isMadeOfTypes(type) && partsOf(type).some((part) => this.#occurs(parameter, part));
    if (type.name === parameter.name) return true;
    const bound = this.#bound?.get(type.name);
    return bound !== undefined && this.#occurs(parameter, bound);
  }
}

/** Types that agree with no other of these. */
const DISTINCT: ReadonlySet<Type["kind"]> = new Set(
  "bool int uint double string bytes timestamp duration list map type".split(" ") as Type["kind"][],
);

/** Is it clear from the kinds of types alone that they do not agree (for one pair)? */
export function areDistinct(from: readonly Type[], to: readonly Type[]): boolean {
  for (let index = 0; index < from.length; index++) {
    const left = (from[index] as Type).kind;
    const right = (to[index] as Type).kind;
    if (left !== right && DISTINCT.has(left) && DISTINCT.has(right)) return true;
  }
  return false;
}

/** Does it agree with everything? */
export function isOpen(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

/** Is a part of it the type of something that is wrong? */
export function isBroken(type: Type): boolean {
  return type.kind === "error" || partsOf(type).some(isBroken);
}

/** Can it have types in it? Most types have none. */
function isMadeOfTypes({ kind }: Type): boolean {
  return kind === "list" || kind === "map" || kind === "type" || kind === "opaque";
}

const NO_PARTS: readonly Type[] = [];

/** The types that a type is made of. */
function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "list":
      return [type.element];
    case "map":
      return [type.key, type.value];
    case "type":
      return type.of === undefined ? NO_PARTS : [type.of];
    case "opaque":
      return type.of;
    default:
      return NO_PARTS;
  }
}

const NULLABLE: ReadonlySet<Type["kind"]> = new Set(["null", "object", "opaque", "duration", "timestamp", "wrapper"]);

function isNullable(type: Type): boolean {
  return NULLABLE.has(type.kind);
}

/** The more general of two types that agree. */
export function mostGeneral(a: Type, b: Type): Type {
  // A nullable type is more specific than null; cel-go takes the last one, against the official tests.
  if (b.kind === "null" && isNullable(a)) return a;
  return isAsGeneral(a, b) ? a : b;
}

function isAsGeneral(a: Type, b: Type): boolean {
  if (a.kind === "dyn" || a.kind === "parameter") return true;
  if (b.kind === "dyn" || b.kind === "parameter") return false;
  if (a.kind === "wrapper" || b.kind === "wrapper")
    return a.kind === "wrapper" && (b.kind === "wrapper" || b.kind === "null" || a.of.kind === b.kind);
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "list":
      return isAsGeneral(a.element, (b as typeof a).element);
    case "map":
      return isAsGeneral(a.key, (b as typeof a).key) && isAsGeneral(a.value, (b as typeof a).value);
    case "opaque": {
      const other = b as typeof a;
      return (
        a.name === other.name &&
        a.of.length === other.of.length &&
        a.of.every((of, index) => isAsGeneral(of, other.of[index] as Type))
      );
    }
    case "type":
      return true;
    default:
      return sameType(a, b);
  }
}

/** What is in an optional, and whether it was one. */
export function unwrapped(type: Type): { readonly type: Type; readonly optional: boolean } {
  const content = optionalContent(type);
  return content === undefined ? { type, optional: false } : { type: content, optional: true };
}
