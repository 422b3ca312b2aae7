// What does an expression know: variables, functions, macros, and how numbers and costs are read?
import { checkOverloads } from "./custom-function.ts";
import { guarded } from "./guarded-function.ts";
import { type Constant, isTrusted, type Library, type Message, type Overload } from "./library.ts";
import type { Macro } from "./macro.ts";
import type { Type } from "./type.ts";

/** Whose costs are charged. */
export type Costs = "cel" | "kubernetes" | "api-server";

/** How to make an environment. */
export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  /** Variables and their types; a name may have dots. */
  readonly variables?: Readonly<Record<string, Type>>;
  /** The namespace in which names are looked up first. */
  readonly container?: string;
  /**
   * What the variables are bound to: any data (the default), of which only own properties are read and what is no value
   * of CEL is refused; or, faster, `"json"`: nothing but what a parser of JSON or YAML made, and values of CEL.
   */
  readonly data?: "any" | "json";
  /** How a number of the input reads: as an int when it is a whole number (the default), or always as a double. */
  readonly numbers?: "int" | "double";
  /**
   * How calls of Kubernetes' libraries are charged: 1 each, as OCM does (the default), or as Kubernetes estimates them.
   * `api-server` is what its API server charges for the rules of definitions: there, constants and `has()` are free, too.
   */
  readonly costs?: Costs;
  /** May numbers of different kinds be compared without `dyn()`, as in Kubernetes' own environment? */
  readonly crossTypeComparisons?: boolean;
  /** Must all elements of a list literal, and all keys and all values of a map literal, have one type, as in Kubernetes? */
  readonly uniformLiterals?: boolean;
  /** Are literals that can never work (a broken regular expression, `duration('x')`) reported by the checker? Default: true. */
  readonly checkLiterals?: boolean;
}

/** What an expression knows. Made once, used for many expressions. */
export interface Environment extends Required<Omit<EnvironmentOptions, "libraries" | "variables">> {
  readonly variables: ReadonlyMap<string, Type>;
  readonly constants: ReadonlyMap<string, Pick<Constant, "type" | "value">>;
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  readonly macros: readonly Macro[];
  readonly messages: ReadonlyMap<string, Message>;
}

/**
 * Puts libraries and variables together. An overload that two libraries have is taken from the first. Throws a TypeError
 * that lists what is wrong with overloads that cannot work.
 */
export function environment(options: EnvironmentOptions): Environment {
  checkOverloads(options.libraries);
  const functions = new Map<string, Overload[]>();
  const ids = new Set<string>();
  for (const overload of options.libraries.flatMap((library) => library.functions ?? [])) {
    if (ids.has(overload.id)) continue;
    ids.add(overload.id);
    const kept = isTrusted(overload) ? overload : guarded(overload);
    const sameName = functions.get(overload.name);
    if (sameName === undefined) functions.set(overload.name, [kept]);
    else sameName.push(kept);
  }
  const constants = options.libraries.flatMap((library) => library.constants ?? []);
  return {
    variables: new Map(Object.entries(options.variables ?? {})),
    constants: new Map(constants.map(({ name, type, value }) => [name, { type, value }])),
    functions,
    macros: options.libraries.flatMap((library) => library.macros ?? []),
    messages: new Map(
      options.libraries.flatMap((library) => library.messages ?? []).map((message) => [message.name, message]),
    ),
    container: options.container ?? "",
    data: options.data ?? "any",
    numbers: options.numbers ?? "int",
    costs: options.costs ?? "cel",
    crossTypeComparisons: options.crossTypeComparisons ?? false,
    uniformLiterals: options.uniformLiterals ?? false,
    checkLiterals: options.checkLiterals ?? true,
  };
}

/** The full names that a name can mean, the innermost namespace first. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith(".")) return [name.slice(1)];
  const names: string[] = [];
  for (let prefix = container; prefix !== ""; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(".")))) {
    names.push(`${prefix}.${name}`);
  }
  names.push(name);
  return names;
}
