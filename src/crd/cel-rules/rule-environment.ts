// Which variables and functions does a rule of a schema have, and how is it compiled?

import { type Compilation, compile } from "../../cel/compile.ts";
import { type Environment, environment } from "../../cel/environment.ts";
import { listsLibrary } from "../../cel/library/extension/lists.ts";
import { optionalsLibrary } from "../../cel/library/extension/optionals.ts";
import { setsLibrary } from "../../cel/library/extension/sets.ts";
import { stringsLibrary } from "../../cel/library/extension/strings.ts";
import { twoVariablesLibrary } from "../../cel/library/extension/two-variables.ts";
import { wellKnownTypesLibrary } from "../../cel/library/extension/well-known-types.ts";
import { kubernetesLibraries } from "../../cel/library/kubernetes-libraries.ts";
import { standardLibrary } from "../../cel/library/standard/standard.ts";
import type { Library } from "../../cel/library.ts";
import type { Program } from "../../cel/program.ts";
import { optionalOf, type Type } from "../../cel/type.ts";

/** The string functions of Kubernetes: version 2 of the library. */
const strings: Library = {
  ...stringsLibrary,
  functions: (stringsLibrary.functions ?? []).filter(({ name }) => name !== "reverse"),
};

const base: Environment = environment({
  data: "json",
  libraries: [
    standardLibrary,
    optionalsLibrary,
    strings,
    listsLibrary,
    setsLibrary,
    twoVariablesLibrary,
    wellKnownTypesLibrary,
    ...kubernetesLibraries,
  ],
  numbers: "int",
  costs: "api-server",
  crossTypeComparisons: true,
  uniformLiterals: true,
});

/** The environment of rules on values of a type: `self` and `oldSelf`, and the functions of Kubernetes v1.34 and later. */
export function ruleEnvironment(self: Type, optionalOldSelf: boolean): Environment {
  const variables = new Map([
    ["self", self],
    ["oldSelf", optionalOldSelf ? optionalOf(self) : self],
  ]);
  return { ...base, variables };
}

/** Compiles a rule, or the expression of its message, which must give a value of the type. */
export function compileAs(type: Type, text: string, known: Environment): Compilation {
  return compile(text, known, { result: { type, dynAllowed: false } });
}

/** Does the program read the old value? */
export function usesOldSelf({ checked }: Program): boolean {
  for (const reference of checked.references.values())
    if (reference.kind === "variable" && reference.name === "oldSelf") return true;
  return false;
}
