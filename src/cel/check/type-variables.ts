// Does a type agree with another, and which types must the unknown ones be for it?
//
// The relation is that of the language definition as cel-go v0.29.2 has it: dyn agrees with everything, null with what
// can be null, a type parameter with the first type it meets and, after that, with what agrees with that.
import { DYN, optionalContent, parameter, sameType, type Type, withParts } from "../type.ts";

/** Type parameters for all expressions, each of which uses them from the first on. */
const FRESH: Type[] = [];

/** The types found so far for type parameters. */
export class TypeVariables {
  readonly #bound = new Map<string, Type>();
  /** What was bound before, in the order of changes, so that a failed attempt leaves nothing behind. */
  readonly #undo: { readonly name: string; readonly before: Type | undefined }[] = [];
  #count = 0;

  /** A type parameter with a fresh name. */
  fresh(): Type {
    const index = this.#count++;
    FRESH[index] ??= parameter(`_${index}`);
    return FRESH[index];
  }

  /** Is a value of type `from` accepted where `to` is expected (for every pair)? If not, no bindings are kept. */
  assignable(from: readonly Type[], to: readonly Type[]): boolean {
    const mark = this.#undo.length;
    if (this.#agreeAll(from, to)) return true;
    while (this.#undo.length > mark) {
      const { name, before } = this.#undo.pop() as { name: string; before: Type | undefined };
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  /** The type with all bindings substituted; unbound parameters become dyn on request. */
  substitute(type: Type, unknownIsDyn: boolean): Type {
    if (type.kind !== "parameter")
      return isMadeOfTypes(type) ? withParts(type, (part) => this.substitute(part, unknownIsDyn)) : type;
    const bound = this.#bound.get(type.name);
    if (bound !== undefined) return this.substitute(bound, unknownIsDyn);
    return unknownIsDyn ? DYN : type;
  }

  #bind(name: string, type: Type): void {
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
    const bound = this.#bound.get(parameter.name);
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
    const bound = this.#bound.get(type.name);
    return bound !== undefined && this.#occurs(parameter, bound);
  }
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
