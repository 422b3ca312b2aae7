// In which environments can an expression be compiled?
import { type Compilation, compile } from "../cel/compile.ts";
import { type Environment, environment } from "../cel/environment.ts";
import { everyLibrary } from "../cel/library/every-library.ts";
import type { Library } from "../cel/library.ts";
import { DYN } from "../cel/type.ts";
import { bundleRule, olmLibrary } from "../constraint/bundle-environment.ts";
import { placementEnvironment, placementExpression } from "../placement/cel/placement-environment.ts";
import { placementLibrary } from "../placement/cel/placement-functions.ts";
import type { EnvironmentName } from "./environment-names.ts";

/** How the original systems behave, where `compat` asks for it. */
export interface CompatOptions {
  readonly compat: readonly ("olm" | "ocm")[];
}

/** Compiles expressions in one environment. */
export type Compiler = (text: string) => Compilation;

/** Compiles as OLM or OCM would: the type of the expression must be the one its field needs. */
export function checkingCompiler(env: EnvironmentName, variables: readonly string[], options: CompatOptions): Compiler {
  return env === "placement" ? placementExpression : evaluatingCompiler(env, variables, options);
}

/** Compiles for evaluation: on a cluster, a value of any type is allowed. */
export function evaluatingCompiler(
  env: EnvironmentName,
  variables: readonly string[],
  { compat }: CompatOptions,
): Compiler {
  switch (env) {
    case "plain": {
      const known = plainEnvironment(variables);
      return (text) => compile(text, known);
    }
    case "bundle":
      return (text) => bundleRule(text, { compat: compat.includes("olm") });
    case "placement":
      return (text) => compile(text, placementEnvironment);
  }
}

/** The libraries of all environments. */
const ALL: readonly Library[] = [...everyLibrary, olmLibrary, placementLibrary];

/** The last plain environment: the lines of a batch mostly have the same variables. */
let plain: { readonly key: string; readonly environment: Environment } | undefined;

/** All libraries, and the variables of the data with type dyn. */
function plainEnvironment(variables: readonly string[]): Environment {
  const key = JSON.stringify(variables.toSorted());
  if (plain?.key !== key) {
    // fromEntries makes `__proto__` an own key; sorted, so that messages do not depend on the order of the data.
    const declared = Object.fromEntries(variables.toSorted().map((name) => [name, DYN]));
    plain = { key, environment: environment({ libraries: ALL, variables: declared, data: "json" }) };
  }
  return plain.environment;
}
