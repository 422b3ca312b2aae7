// Which requirements do functions defined by a program have to meet?
//
// The functions of this project never throw and return nothing but results. Those of other programs are checked when an environment is made, and guarded (`guarded-function.ts`) when they are called.
import { globalFunction, isTrusted, type Library, memberFunction, type Overload } from "./library.ts";
import type { Macro } from "./macro.ts";
import { KEYWORDS, RESERVED } from "./parse/token.ts";
import { printType, type Type } from "./type.ts";

/** A function of a program, called by its name: `size(x)`. */
export const customFunction: typeof globalFunction = (...declaration) => ({ ...globalFunction(...declaration) });

/** A function of a program, called on its first parameter: `x.size()`. */
export const customMember: typeof memberFunction = (...declaration) => ({ ...memberFunction(...declaration) });

/** Throws a TypeError that lists what is wrong with overloads that cannot work, or that would never be called. */
export function checkOverloads(libraries: readonly Library[]): void {
  const overloads = libraries.flatMap((library) =>
    (library.functions ?? []).map((overload) => ({ library, overload })),
  );
  if (overloads.every(({ overload }) => isTrusted(overload))) return;
  const macros = libraries.flatMap((library) => library.macros ?? []);
  const mistakes: string[] = [];
  const byId = new Map<string, string>();
  const bySignature = new Map<string, string>();
  for (const { library, overload } of overloads) {
    const found = isTrusted(overload) ? [] : whyMalformed(overload);
    if (found.length === 0 && !isTrusted(overload)) found.push(...whyNeverCalled(overload, macros));
    if (found.length === 0) {
      const signature = `${overload.member ? "." : ""}${overload.name}(${overload.parameters.map(printType).join(", ")})`;
      const sameId = byId.get(overload.id);
      const sameSignature = bySignature.get(signature);
      if (sameId !== undefined && sameId !== signature) found.push(`its id is that of ${sameId}`);
      else if (sameSignature !== undefined && sameSignature !== overload.id)
        found.push(`it would never be called, because ${sameSignature} takes the same types`);
      byId.set(overload.id, sameId ?? signature);
      bySignature.set(signature, sameSignature ?? overload.id);
    }
    for (const mistake of found)
      mistakes.push(
        `the overload ${isObject(overload) ? String(overload.id) : String(overload)} of the library ${library.name}: ${mistake}`,
      );
  }
  if (mistakes.length > 0) throw new TypeError(mistakes.join("\n"));
}

function isObject(overload: Overload): boolean {
  return typeof overload === "object" && overload !== null;
}

const OPTIONAL_FUNCTIONS = ["cost", "resultCost", "estimate"] as const;

/** What is wrong with an overload by itself. It may come from a program without types. */
function whyMalformed(overload: Overload): string[] {
  if (!isObject(overload)) return ["it must be an object"];
  const { name, id, member, parameters, result, call, prepare, reads } = overload;
  const mistakes: string[] = [];
  if (typeof name !== "string" || name === "") mistakes.push("it needs a name");
  if (typeof id !== "string" || id === "") mistakes.push("it needs an id");
  if (typeof member !== "boolean") mistakes.push("member must be true or false");
  if (!Array.isArray(parameters) || !parameters.every(isType)) mistakes.push("its parameters must be a list of types");
  else if (member === true && parameters.length === 0)
    mistakes.push("it is called on its first parameter and has none");
  if (!isType(result)) mistakes.push("its result must be a type");
  if (typeof call !== "function") mistakes.push("it needs an implementation, call");
  for (const part of OPTIONAL_FUNCTIONS) {
    if (overload[part] !== undefined && typeof overload[part] !== "function")
      mistakes.push(`${part} must be a function`);
  }
  if (
    prepare !== undefined &&
    (typeof prepare?.specialise !== "function" || parameters?.[prepare.argument] === undefined)
  )
    mistakes.push("prepare must have the position of a parameter, argument, and a function, specialise");
  if (reads !== undefined && !(Array.isArray(reads) && reads.every((field) => typeof field === "string")))
    mistakes.push("reads must be a list of names");
  return mistakes;
}

/** Operators that call their overloads. */
const OPERATORS: ReadonlySet<string> = new Set("_+_ _-_ _*_ _/_ _%_ _<_ _<=_ _>_ _>=_ @in !_ -_".split(" "));

/** Operators that the plan computes without calling an overload. */
const BUILT_IN: ReadonlySet<string> = new Set("_==_ _!=_ _&&_ _||_ _?_:_ _[_] _[?_]".split(" "));

/** Why no expression can call it, if none can. */
function whyNeverCalled(overload: Overload, macros: readonly Macro[]): string[] {
  const { name, member, parameters } = overload;
  const alternative = (name === "or" || name === "orValue") && member && parameters.length === 2;
  if (BUILT_IN.has(name) || alternative)
    return [`it would never be called, because ${name} is computed without a call`];
  if (!OPERATORS.has(name) && !isCallable(name, member))
    return [`it can never be called, because no expression can have the name ${JSON.stringify(name)}`];
  const macro = macros.find((other) => isCallOf(other, overload));
  return macro === undefined ? [] : [`it would never be called, because ${name} with so many arguments is a macro`];
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Can a call be written with the name? Reserved words are names after a dot. */
function isCallable(name: string, member: boolean): boolean {
  const segments = name.split(".");
  if (member ? segments.length > 1 : RESERVED.has(segments[0] as string)) return false;
  return segments.every((segment) => IDENTIFIER.test(segment) && !KEYWORDS.has(segment));
}

/** Does the parser take every call of the overload for one of the macro? */
function isCallOf(macro: Macro, { name, member, parameters }: Overload): boolean {
  const spelled = macro.namespace === undefined ? macro.name : `${macro.namespace}.${macro.name}`;
  const count = member ? parameters.length - 1 : parameters.length;
  return spelled === name && macro.member === member && (macro.arguments ?? count) === count;
}

const SIMPLE_KINDS: ReadonlySet<string> = new Set(
  "dyn null bool int uint double string bytes timestamp duration".split(" "),
);

function isType(type: Type): boolean {
  if (typeof type !== "object" || type === null) return false;
  switch (type.kind) {
    case "list":
      return isType(type.element);
    case "map":
      return isType(type.key) && isType(type.value);
    case "type":
      return type.of === undefined || isType(type.of);
    case "wrapper":
      return isType(type.of);
    case "opaque":
      return typeof type.name === "string" && Array.isArray(type.of) && type.of.every(isType);
    case "parameter":
      return typeof type.name === "string";
    case "object":
      return type.fields instanceof Map;
    default:
      return SIMPLE_KINDS.has(type.kind);
  }
}
