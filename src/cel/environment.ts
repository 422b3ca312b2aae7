// What does an expression know: variables, functions, macros, and how numbers and costs are read?
import { didYouMean } from "../text/did-you-mean.ts";
import type { CelFunction } from "./declare/cel-function.ts";
import type { CelType } from "./declare/cel-type.ts";
import { readDeclarations } from "./declare/declarations.ts";
import { extensionLibraries } from "./library/extension-libraries.ts";
import { standardLibrary, typeConstant } from "./library/standard/standard.ts";
import type { Constant, Library, Message, Overload } from "./library.ts";
import type { Macro } from "./macro.ts";
import type { Type } from "./type.ts";
import type { Border } from "./value/from-js.ts";

/** Whose costs are charged. */
export type Costs = "cel" | "kubernetes" | "api-server";

/** How to make an environment. */
export interface EnvironmentOptions {
  /** Default: the standard library and the extensions. */
  readonly libraries?: readonly Library[];
  /** Variables and their types, as texts (`"list(int)"`) or as types; a name may have dots. */
  readonly variables?: Readonly<Record<string, Type | string>>;
  /** Functions of the program, made by `celFunction`. */
  readonly functions?: readonly CelFunction[];
  /** Types of the program, made by `celType`. */
  readonly types?: readonly CelType[];
  /** The namespace in which names are looked up first. */
  readonly container?: string;
  /**
   * What the variables are bound to: any data (the default), of which only own properties are read, what has a
   * counterpart in CEL (`Map`, `Date`, …) is converted and everything else is refused; or, faster, `"json"`: nothing but
   * what a parser of JSON or YAML made, and values of CEL.
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
export interface Environment
  extends Required<Omit<EnvironmentOptions, "libraries" | "variables" | "functions" | "types">> {
  readonly variables: ReadonlyMap<string, Type>;
  readonly constants: ReadonlyMap<string, Pick<Constant, "type" | "value">>;
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  readonly macros: readonly Macro[];
  readonly messages: ReadonlyMap<string, Message>;
  /** The names of the program's own functions. */
  readonly ownFunctions: ReadonlySet<string>;
  /** Does the program have types of its own? */
  readonly hasOwnTypes: boolean;
  /** How data comes in. */
  readonly border: Border;
}

const DEFAULT_LIBRARIES: readonly Library[] = [standardLibrary, ...extensionLibraries];

/**
 * Puts libraries, variables, functions and types together. An overload that two libraries have is taken from the first.
 * Throws a TypeError that lists what is wrong with declarations that cannot work.
 */
export function environment(options: EnvironmentOptions = {}): Environment {
  checkOptionNames(options);
  checkOptionValues(options);
  const { libraries = DEFAULT_LIBRARIES, variables = {}, functions: own = [], types = [] } = options;
  const declared = readDeclarations(libraries, variables, own, types);
  const functions = new Map<string, Overload[]>();
  const ids = new Set<string>();
  for (const overload of [...libraries.flatMap((library) => library.functions ?? []), ...declared.overloads]) {
    if (ids.has(overload.id)) continue;
    ids.add(overload.id);
    const sameName = functions.get(overload.name);
    if (sameName === undefined) functions.set(overload.name, [overload]);
    else sameName.push(overload);
  }
  const constants = [
    ...libraries.flatMap((library) => library.constants ?? []),
    ...declared.classes.map(({ type }) => typeConstant(type)),
  ];
  return {
    variables: declared.variables,
    constants: new Map(constants.map(({ name, type, value }) => [name, { type, value }])),
    functions,
    macros: libraries.flatMap((library) => library.macros ?? []),
    messages: new Map(libraries.flatMap((library) => library.messages ?? []).map((message) => [message.name, message])),
    ownFunctions: new Set(declared.overloads.map(({ name }) => name)),
    hasOwnTypes: declared.classes.length > 0,
    border: options.numbers === "double" ? { ...declared.border, doubles: true } : declared.border,
    container: options.container ?? "",
    data: options.data ?? "any",
    numbers: options.numbers ?? "int",
    costs: options.costs ?? "cel",
    crossTypeComparisons: options.crossTypeComparisons ?? false,
    uniformLiterals: options.uniformLiterals ?? false,
    checkLiterals: options.checkLiterals ?? true,
  };
}

/** The options that have a few values only, with these. */
const CHOICES = {
  data: ["any", "json"],
  numbers: ["int", "double"],
  costs: ["cel", "kubernetes", "api-server"],
} as const;

/** Throws a TypeError for a value that would silently mean something else. */
function checkOptionValues(options: EnvironmentOptions): void {
  for (const [option, choices] of Object.entries(CHOICES)) {
    const value = options[option as keyof typeof CHOICES];
    if (value !== undefined && !(choices as readonly unknown[]).includes(value))
      throw new TypeError(`the option ${option} is ${choices.join(" or ")}, not ${String(value)}`);
  }
  const { container, variables } = options;
  if (container !== undefined && typeof container !== "string")
    throw new TypeError("the option container must be text");
  if (variables instanceof Map) throw new TypeError("the option variables is an object, { name: type }, not a Map");
}

/** Every option, so that a misspelled one is found. */
const OPTIONS: Readonly<Record<keyof EnvironmentOptions, true>> = {
  libraries: true,
  variables: true,
  functions: true,
  types: true,
  container: true,
  data: true,
  numbers: true,
  costs: true,
  crossTypeComparisons: true,
  uniformLiterals: true,
  checkLiterals: true,
};

function checkOptionNames(options: EnvironmentOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, Object.keys(OPTIONS));
  throw new TypeError(`there is no option ${unknown}${meant === undefined ? "" : `; did you mean ${meant}?`}`);
}

/** The environment itself, or the one that the options describe; without any, that of the default libraries. */
export function environmentOf(given: Environment | EnvironmentOptions | undefined): Environment {
  if (given === undefined) {
    defaultEnvironment ??= environment();
    return defaultEnvironment;
  }
  return isEnvironment(given) ? given : environment(given);
}

let defaultEnvironment: Environment | undefined;

function isEnvironment(given: Environment | EnvironmentOptions): given is Environment {
  return given.functions instanceof Map;
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
