// Which part of the data does an expression need as values of CEL, and is anything in it not one?
//
// Most data is: objects, lists and scalars are read in place. So data is converted only where something else is known to be
// in it, and only at and below the paths that the expression reads.
import type { Checked } from "./check/checked.ts";
import { type DependencyPath, dependenciesOf } from "./dependencies.ts";
import type { Environment } from "./environment.ts";
import type { Bindings } from "./plan/frame.ts";
import { DYN, optionalContent, type Type } from "./type.ts";
import { fromJS, withProperties } from "./value/from-js.ts";
import { isJsonMap, type JsonMap, type Result, type Value } from "./value/value.ts";

/** Converts the data that one expression reads. */
export class DataReader {
  readonly #checked: Checked;
  readonly #environment: Environment;
  #paths: readonly DependencyPath[] | undefined;
  #isNeeded: boolean | undefined;

  constructor(checked: Checked, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  /**
   * Must data be converted before the expression runs? It must if it cannot be tried without: because a function of the
   * program would be called twice, an object of a declared class be taken for a map, a 3 for an int where a double or an
   * optional is declared. Otherwise it turns out when the expression looks at the data.
   */
  get isNeeded(): boolean {
    this.#isNeeded ??= this.#isNeededBefore();
    return this.#isNeeded;
  }

  set isNeeded(needed: boolean) {
    this.#isNeeded = needed;
  }

  #isNeededBefore(): boolean {
    const { hasOwnTypes, ownFunctions, variables } = this.#environment;
    if (hasOwnTypes) return true;
    const { paths, calls } = dependenciesOf(this.#checked);
    if (ownFunctions.size > 0 && calls.some(({ name }) => ownFunctions.has(name))) return true;
    return paths.some(({ variable }) => saysHow(variables.get(variable) ?? DYN));
  }

  /** Is something in the data that is converted? */
  findsForeign(bindings: Bindings): boolean {
    try {
      return this.read(bindings) !== bindings;
    } catch {
      // What cannot be read was reported by the evaluation.
      return false;
    }
  }

  /** The data, with values of CEL at and below the paths that the expression reads. */
  read(bindings: Bindings): Bindings {
    this.#paths ??= dependenciesOf(this.#checked).paths;
    let read: Bindings = bindings;
    for (const { variable, path } of this.#paths) {
      if (!Object.hasOwn(bindings, variable)) continue;
      const value = read[variable];
      const type = this.#environment.variables.get(variable) ?? DYN;
      const converted = this.#along(value, type, path, 0);
      if (converted === value) continue;
      if (read === bindings) read = { ...bindings };
      (read as Record<string, unknown>)[variable] = converted;
    }
    return read;
  }

  #along(value: unknown, type: Type, path: readonly string[], at: number): Value {
    const key = path[at];
    if (key === undefined || !isPlainObject(value) || !Object.hasOwn(value, key))
      return fromJS(value, type, this.#environment.border);
    const property = value[key];
    const converted = this.#along(property, typeUnder(type, key), path, at + 1);
    if (converted === property) return value;
    return withProperties(value, new Map([[key, converted]]));
  }
}

/** Is it an object that stands for a map? */
function isPlainObject(value: unknown): value is JsonMap {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && isJsonMap(value as Result);
}

function typeUnder(type: Type, key: string): Type {
  if (type.kind === "map") return type.value;
  return (type.kind === "object" ? type.fields.get(key) : undefined) ?? DYN;
}

/** Does the type say how a value is read that could also be another one: has it a double, a uint or an optional in it? */
function saysHow(type: Type): boolean {
  switch (type.kind) {
    case "double":
    case "uint":
      return true;
    case "list":
      return saysHow(type.element);
    case "map":
      return saysHow(type.key) || saysHow(type.value);
    case "wrapper":
      return saysHow(type.of);
    case "object":
      return [...type.fields.values()].some(saysHow);
    case "opaque":
      return optionalContent(type) !== undefined;
    default:
      return false;
  }
}
