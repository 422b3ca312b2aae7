// What does the text of an expression mean in the environment that the user chose?
import { type Compilation, compile } from "../cel/compile.ts";
import { type Environment, environment } from "../cel/environment.ts";
import { everyLibrary } from "../cel/library/every-library.ts";
import { DYN } from "../cel/type.ts";
import { bundleRule } from "../constraint/bundle-environment.ts";
import { placementEnvironment, placementExpression } from "../placement/placement-environment.ts";
import type { CelOptions, EnvironmentName } from "./cel-options.ts";

/** Compiles expressions in one environment. */
export type Compiler = (text: string) => Compilation;

/** Compiles what is written where the environment belongs: a rule, a celExpression. */
export function checkingCompiler(
  env: EnvironmentName,
  variables: readonly string[],
  options: Pick<CelOptions, "compat">,
): Compiler {
  return env === "placement" ? placementExpression : evaluatingCompiler(env, variables, options);
}

/** Compiles what is to be looked at: on a cluster any value will do. */
export function evaluatingCompiler(
  env: EnvironmentName,
  variables: readonly string[],
  { compat }: Pick<CelOptions, "compat">,
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

/** Every library, and the variables that the data has, of any type. */
function plainEnvironment(variables: readonly string[]): Environment {
  // fromEntries makes `__proto__` an own key.
  return environment({ libraries: everyLibrary, variables: Object.fromEntries(variables.map((name) => [name, DYN])) });
}
