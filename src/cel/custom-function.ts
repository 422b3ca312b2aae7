// What is asked of functions that a program brings, and what becomes of their failures?
//
// The functions of this project keep the rules of implementations: they never throw, and return nothing but results. Those
// of others are checked when an environment is made, and guarded when they are called.
import { type Call, globalFunction, isTrusted, type Library, memberFunction, type Overload } from "./library.ts";
import { printType, type Type } from "./type.ts";
import { int } from "./value/number.ts";
import { Boxed, CelError, isJsonMap, isList, kindOfData, type Result } from "./value/value.ts";

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
  const mistakes: string[] = [];
  const byId = new Map<string, string>();
  const bySignature = new Map<string, string>();
  for (const { library, overload } of overloads) {
    const found = isTrusted(overload) ? [] : whyMalformed(overload);
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
      mistakes.push(`the overload ${String(overload?.id)} of the library ${library.name}: ${mistake}`);
  }
  if (mistakes.length > 0) throw new TypeError(mistakes.join("\n"));
}

/** What is wrong with an overload by itself. It may come from a program without types. */
function whyMalformed(overload: Overload): string[] {
  const { name, id, member, parameters, result, call } = overload;
  const mistakes: string[] = [];
  if (typeof name !== "string" || name === "") mistakes.push("it needs a name");
  if (typeof id !== "string" || id === "") mistakes.push("it needs an id");
  if (typeof member !== "boolean") mistakes.push("member must be true or false");
  if (!Array.isArray(parameters) || !parameters.every(isType)) mistakes.push("its parameters must be a list of types");
  else if (member === true && parameters.length === 0)
    mistakes.push("it is called on its first parameter and has none");
  if (!isType(result)) mistakes.push("its result must be a type");
  if (typeof call !== "function") mistakes.push("it needs an implementation, call");
  return mistakes;
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

/** The overload with an implementation that returns a result whatever happens: a failure is an error of the evaluation. */
export function guarded(overload: Overload): Overload {
  const { name, prepare, cost, resultCost, kubernetesCost, apiServerCost } = overload;
  return {
    ...overload,
    call: guardedCall(name, overload.call),
    ...(cost !== undefined && { cost: guardedCost(name, cost) }),
    ...(resultCost !== undefined && { resultCost: guardedCost(name, resultCost) }),
    ...(kubernetesCost !== undefined && { kubernetesCost: guardedCost(name, kubernetesCost) }),
    ...(apiServerCost !== undefined && { apiServerCost: guardedCost(name, apiServerCost) }),
    ...(prepare !== undefined && {
      prepare: {
        ...prepare,
        specialise: (literal) => {
          try {
            const specialised = prepare.specialise(literal);
            return typeof specialised === "function" ? guardedCall(name, specialised) : specialised;
          } catch (thrown) {
            return { mistake: `${name}() failed: ${reasonOf(thrown)}` };
          }
        },
      },
    }),
  };
}

function guardedCall(name: string, call: Call): Call {
  return (...args) => {
    try {
      return checkedResult(name, call(...args));
    } catch (thrown) {
      // A limit that was met inside of it stops the evaluation.
      if (thrown instanceof CelError) throw thrown;
      return new CelError(() => `${name}() failed: ${reasonOf(thrown)}`);
    }
  };
}

/** What cannot be charged stops the evaluation; nothing is refunded. */
function guardedCost<Args extends readonly unknown[]>(
  name: string,
  cost: (...args: Args) => number,
): (...args: Args) => number {
  return (...args) => {
    try {
      const charged = cost(...args);
      return Math.max(charged, 0);
    } catch (thrown) {
      throw thrown instanceof CelError ? thrown : new CelError(`the cost of ${name}() failed: ${reasonOf(thrown)}`);
    }
  };
}

function checkedResult(name: string, result: Result): Result {
  if (typeof result === "bigint") return int(result) ?? new CelError(`${name}() returned an int beyond 64 bits`);
  if (typeof result === "string" || typeof result === "number" || typeof result === "boolean") return result;
  if (result === null || isList(result) || result instanceof Boxed || result instanceof CelError) return result;
  try {
    if (isJsonMap(result)) return result;
  } catch {
    // It is none of the things that data can be.
  }
  return new CelError(() => `${name}() returned ${kindOfData(result)}`);
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
