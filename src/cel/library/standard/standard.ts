// Which functions are available in every expression?
import type { Constant, Library } from "../../library.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOf,
  UINT,
} from "../../type.ts";
import { TypeValue } from "../../value/boxes.ts";
import { typeName } from "../../value/type-of-value.ts";
import { conversionFunctions } from "./conversions.ts";
import { standardMacros } from "./macros.ts";
import { operatorFunctions } from "./operators.ts";
import { stringFunctions } from "./strings.ts";
import { timeLibrary } from "./time.ts";

const TYPES: readonly Type[] = [
  NULL,
  BOOL,
  INT,
  UINT,
  DOUBLE,
  STRING,
  BYTES,
  TIMESTAMP,
  DURATION,
  listOf(DYN),
  mapOf(DYN, DYN),
  TYPE,
];

/** A type's name, as an expression can compare it: `type(1) == int`. */
export function typeConstant(type: Type): Constant {
  const name = typeName(type);
  return { name, type: typeOf(type), value: new TypeValue(name) };
}

/** The standard library: operators, conversions, strings, time, and the macros of the language definition. */
export const standardLibrary: Library = {
  name: "standard",
  functions: [...operatorFunctions, ...conversionFunctions, ...stringFunctions, ...(timeLibrary.functions ?? [])],
  macros: standardMacros,
  constants: TYPES.map(typeConstant),
};
