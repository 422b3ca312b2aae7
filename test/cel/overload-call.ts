// How is a call of an overload written, with a variable for each of its parameters?
import type { Library, Overload } from "../../src/cel/library.ts";
import { DYN, listOf, mapOf, type Type } from "../../src/cel/type.ts";

/** The type with dyn for its type parameters. */
export function withoutParameters(type: Type): Type {
  switch (type.kind) {
    case "parameter":
      return DYN;
    case "list":
      return listOf(withoutParameters(type.element));
    case "map":
      return mapOf(withoutParameters(type.key), withoutParameters(type.value));
    case "opaque":
      return { ...type, of: type.of.map(withoutParameters) };
    default:
      return type;
  }
}

/** The call as it is written, with variables v0, v1, … */
export function callText({ name, member, parameters }: Overload): string {
  const names = parameters.map((_, index) => `v${index}`);
  const [operator] = /^_(.+)_$/.exec(name)?.slice(1) ?? [];
  if (name === "_[_]") return "v0[v1]";
  if (name === "_[?_]") return "v0[?v1]";
  if (name === "_?_:_") return "v0 ? v1 : v2";
  if (name === "@in") return "v0 in v1";
  if (name === "!_" || name === "-_") return `${name[0]}v0`;
  if (operator !== undefined) return `v0 ${operator} v1`;
  return member ? `v0.${name}(${names.slice(1).join(", ")})` : `${name}(${names.join(", ")})`;
}

/** The overloads of libraries that an expression can call; a name that it cannot spell is called by a macro only. */
export function callableOverloads(libraries: readonly Library[]): readonly Overload[] {
  return libraries
    .flatMap((library) => library.functions ?? [])
    .filter(({ name }) => !name.includes("@") || name === "@in");
}
