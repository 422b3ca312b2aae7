// Can the functions and types that a program declares work in this environment?
import { didYouMean } from "../../text/did-you-mean.ts";
import type { Library, Overload } from "../library.ts";
import { isTrusted } from "../library.ts";
import type { Macro } from "../macro.ts";
import { KEYWORDS, RESERVED } from "../parse/token.ts";
import { type OpaqueType, parameter, type Type, withParts } from "../type.ts";
import type { Border } from "../value/from-js.ts";
import type { ClassType } from "../value/instance.ts";
import { type CelFunction, declarationOf, overloadOf, signatureId } from "./cel-function.ts";
import { type CelType, classTypes, type TypeDeclaration, textFunctions, typeDeclarationOf } from "./cel-type.ts";
import { mistakeAt, readType, type WrittenType } from "./type-text.ts";

/** What a program adds to the libraries. */
export interface Declared {
  readonly variables: ReadonlyMap<string, Type>;
  readonly overloads: readonly Overload[];
  readonly classes: readonly ClassType[];
  readonly border: Border;
}

/** Reads the declarations of a program. Throws a TypeError that lists what is wrong with them. */
export function readDeclarations(
  libraries: readonly Library[],
  variables: Readonly<Record<string, Type | string>>,
  functions: readonly CelFunction[],
  types: readonly CelType[],
): Declared {
  checkLibraries(libraries);
  const classesOf = made(types, typeDeclarationOf, "types", "celType()");
  const own = [...functions, ...textFunctions(classesOf)];
  const ofLibraries = libraries.flatMap((library) => library.functions ?? []);
  let found: ReadonlySet<string> | undefined;
  const named = (): ReadonlySet<string> => {
    found ??= namedTypes(libraries, ofLibraries);
    return found;
  };
  if (classesOf.length > 0) checkNames(classesOf, named());
  const typeOf = (written: WrittenType, what: string, known: ReadonlyMap<string, OpaqueType>): Type => {
    for (const { name, at } of written.names) {
      if (known.has(name) || named().has(name)) continue;
      const meant = didYouMean(name, [...known.keys(), ...named()]);
      const hint = meant === undefined ? "declare it with celType() in types" : `did you mean ${meant}?`;
      throw mistakeAt(`${what}: there is no type ${name} here; ${hint}`, written.text, at);
    }
    return resolved(written.type, known);
  };
  const { classes, known, border } = classTypes(classesOf, typeOf);
  const overloads = made(own, declarationOf, "functions", "celFunction()").map((declared) => {
    const { written } = declared;
    const of = (type: Type): Type => typeOf({ ...written, type }, "the signature", known);
    return overloadOf(declared, { parameters: written.parameters.map(of), result: of(written.result) }, border);
  });
  checkOverloads(
    ofLibraries,
    overloads,
    libraries.flatMap((library) => library.macros ?? []),
  );
  return {
    variables: variableTypes(variables, (written, what) => typeOf(written, what, known)),
    overloads,
    classes,
    border,
  };
}

function variableTypes(
  variables: Readonly<Record<string, Type | string>>,
  typeOf: (written: WrittenType, what: string) => Type,
): ReadonlyMap<string, Type> {
  return new Map(
    Object.entries(variables).map(([name, type]) => {
      const what = `the type of the variable ${name}`;
      if (typeof type === "object" && type !== null) return [name, type];
      return [name, typeOf(readType(type, what), what)];
    }),
  );
}

/** The functions of a library are this project's own; a program declares its functions with their signatures. */
function checkLibraries(libraries: readonly Library[]): void {
  for (const { name, functions = [] } of libraries) {
    if (!functions.every(isTrusted))
      throw new TypeError(
        `the library ${name} has functions that it does not come with: declare them with celFunction()`,
      );
  }
}

/** What was declared. Throws a TypeError if something was made in another way. */
function made<From, To>(
  declared: readonly From[],
  declarationOf: (declared: From) => To | undefined,
  option: string,
  by: string,
): readonly To[] {
  return declared.map((one, index) => {
    const declaration = typeof one === "object" && one !== null ? declarationOf(one) : undefined;
    if (declaration === undefined) throw new TypeError(`${option}[${index}] was not made by ${by}`);
    return declaration;
  });
}

/** The names of the types that libraries have. */
function namedTypes(libraries: readonly Library[], overloads: readonly Overload[]): ReadonlySet<string> {
  const found = new Set<string>();
  const note = (type: Type): Type => {
    if (type.kind === "opaque") found.add(type.name);
    return withParts(type, note);
  };
  for (const { type } of libraries.flatMap((library) => library.constants ?? [])) note(type);
  for (const { parameters, result } of overloads) for (const type of [...parameters, result]) note(type);
  return found;
}

function checkNames(types: readonly TypeDeclaration[], named: ReadonlySet<string>): void {
  const seen = new Set(named);
  const prototypes = new Map<object, string>();
  for (const { name, prototype } of types) {
    if (seen.has(name)) throw new TypeError(`there are two types with the name ${name}`);
    const other = prototypes.get(prototype);
    if (other !== undefined) throw new TypeError(`the types ${other} and ${name} have the same class`);
    seen.add(name);
    prototypes.set(prototype, name);
  }
}

/** The type, with the types of the environment for their names. */
function resolved(type: Type, known: ReadonlyMap<string, OpaqueType>): Type {
  if (type.kind === "wrapper") return { ...type, of: resolved(type.of, known) };
  if (type.kind === "opaque" && type.of.length === 0) return known.get(type.name) ?? type;
  return withParts(type, (part) => resolved(part, known));
}

/** Throws a TypeError that lists the functions that would never be called. */
function checkOverloads(
  ofLibraries: readonly Overload[],
  overloads: readonly Overload[],
  macros: readonly Macro[],
): void {
  if (overloads.length === 0) return;
  const bySignature = new Map(ofLibraries.map((overload) => [comparable(overload), overload.id]));
  const mistakes: string[] = [];
  for (const overload of overloads) {
    const signature = comparable(overload);
    const same = bySignature.get(signature);
    const why =
      whyNeverCalled(overload, macros) ??
      (same === undefined ? undefined : `it would never be called, because ${same} takes the same types`);
    if (why !== undefined) mistakes.push(`the function ${overload.id}: ${why}`);
    bySignature.set(signature, overload.id);
  }
  if (mistakes.length > 0) throw new TypeError(mistakes.join("\n"));
}

/** A signature in which type parameters are called by their order. */
function comparable({ member, name, parameters }: Overload): string {
  const names = new Map<string, Type>();
  const renamed = (type: Type): Type => {
    if (type.kind !== "parameter") return withParts(type, renamed);
    const known = names.get(type.name) ?? parameter(`P${names.size}`);
    names.set(type.name, known);
    return known;
  };
  return `${member ? "." : ""}${signatureId(false, name, parameters.map(renamed))}`;
}

/** Why no expression can call it, if none can. */
function whyNeverCalled(overload: Overload, macros: readonly Macro[]): string | undefined {
  const { name, member, parameters } = overload;
  if ((name === "or" || name === "orValue") && member && parameters.length === 2)
    return `it would never be called, because ${name} is computed without a call`;
  const [first, ...others] = name.split(".") as [string, ...string[]];
  // Reserved words are names after a dot.
  if ((!member && RESERVED.has(first)) || [first, ...others].some((segment) => KEYWORDS.has(segment)))
    return `it can never be called, because no expression can have the name ${JSON.stringify(name)}`;
  return macros.some((macro) => isCallOf(macro, overload))
    ? `it would never be called, because ${name} with so many arguments is a macro`
    : undefined;
}

/** Does the parser take every call of the overload for one of the macro? */
function isCallOf(macro: Macro, { name, member, parameters }: Overload): boolean {
  const spelled = macro.namespace === undefined ? macro.name : `${macro.namespace}.${macro.name}`;
  const count = member ? parameters.length - 1 : parameters.length;
  return spelled === name && macro.member === member && (macro.arguments ?? count) === count;
}
